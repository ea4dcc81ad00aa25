"""Where thrown chips come to rest."""
