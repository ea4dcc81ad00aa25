"""Loaded to read or change stored files, and unloaded after it."""
