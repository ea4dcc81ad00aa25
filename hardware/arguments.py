"""The words after `python -m hardware...`: a wrong one is refused, with those that are right."""

import argparse
from collections.abc import Sequence

from hardware.circuit import BOARDS


def parsed(
    words: Sequence[str], about: str | None, flags: Sequence[str] = (), boards: bool = True
) -> argparse.Namespace:
    """`boards`: the boards named, all where none is; each of `flags` ("--write"): given or not. Only
    one flag may be given.

    Exits with 2 and a sentence where a word is neither; prints `about`, a module's docstring, for
    --help.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    if boards:
        parser.add_argument("boards", nargs="*", type=_board, help="of " + ", ".join(BOARDS))
    if flags:
        group = parser.add_mutually_exclusive_group()
        for flag in flags:
            group.add_argument(flag, action="store_true")
    found = parser.parse_args(words)
    if boards:
        found.boards = tuple(dict.fromkeys(found.boards)) or BOARDS
    return found


def _board(word: str) -> str:
    if word not in BOARDS:
        raise argparse.ArgumentTypeError(f"no board {word!r}: there are {', '.join(BOARDS)}")
    return word
