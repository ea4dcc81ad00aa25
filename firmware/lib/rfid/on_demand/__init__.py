"""What is loaded for the moment and let go of."""
