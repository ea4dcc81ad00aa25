"""Loaded only when needed, and unloaded afterwards."""
