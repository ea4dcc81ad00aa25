"""The rules of the games once more, compiled: integers in flat arrays, millions of moves a second.

The readable rules in `spicecore.games` are the judge: `tests/kernels` holds each kernel to them
move for move. numba (the extra `fast`) compiles them and keeps the result on disk; without it
nothing here is imported and the bots that need no kernel play on.
"""
