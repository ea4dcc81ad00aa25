"""ISO/IEC 14443 type A readers: what the application needs of one, and drivers. Usable alone."""
