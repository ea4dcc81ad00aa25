"""Byte moves of `simlink` where the interpreter has no native code generator."""


def put32(out, at, value):
    out[at] = value & 255
    out[at + 1] = (value >> 8) & 255
    out[at + 2] = (value >> 16) & 255
    out[at + 3] = (value >> 24) & 255


def get64(data, at):
    value = 0
    for i in range(7, -1, -1):
        value = value << 8 | data[at + i]
    return value


def copy(out, at, data, start, length):
    for i in range(length):
        out[at + i] = data[start + i]
