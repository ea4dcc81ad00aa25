"""The rules of the games once more, compiled: integers in flat arrays, millions of moves a second.

The readable rules in `spicecore.games` decide what is right: `tests/kernels` compares each kernel
with them, move for move. numba (the extra `fast`) compiles the kernels and keeps the result on
disk. Without numba nothing here is imported, and only bots that need a kernel are missing.
"""
