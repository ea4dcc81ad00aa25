"""How strongly readers and tags couple."""
