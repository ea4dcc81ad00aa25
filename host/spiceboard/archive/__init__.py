"""Finished games: kept in an SQLite file, read back, replayed, and counted."""
