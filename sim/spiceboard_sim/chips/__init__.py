"""Virtual chips at register level; what they do not model they refuse."""
