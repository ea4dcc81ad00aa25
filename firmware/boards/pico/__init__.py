"""Raspberry Pi Pico and Pico 2: the only folder that knows `machine` and `rp2`."""
