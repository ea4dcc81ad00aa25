"""The simulator: pretend hardware for the unchanged firmware."""
