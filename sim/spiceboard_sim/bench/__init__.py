"""Measuring the simulated and the emulated board."""
