"""Byte moves of `simlink` in native code."""
# ruff: noqa: F821 (ptr8 is a word of viper code)

import micropython


@micropython.viper
def put32(out, at: int, value: int):
    p = ptr8(out)
    p[at] = value
    p[at + 1] = value >> 8
    p[at + 2] = value >> 16
    p[at + 3] = value >> 24


@micropython.viper
def get64(data, at: int) -> int:
    p = ptr8(data)
    value = 0
    i = 7
    while i >= 0:
        value = (value << 8) | int(p[at + i])
        i -= 1
    return value


@micropython.viper
def copy(out, at: int, data, start: int, length: int):
    p = ptr8(out)
    q = ptr8(data)
    for i in range(length):
        p[at + i] = q[start + i]
