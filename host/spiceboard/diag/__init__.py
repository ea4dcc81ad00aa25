"""Measure a board, and name what is broken by part."""
