"""The rules of Jaipur (Sébastien Pauchon)."""
