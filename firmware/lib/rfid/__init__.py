"""Readers for ISO/IEC 14443 type A: the reader contract, and drivers. Usable alone."""
