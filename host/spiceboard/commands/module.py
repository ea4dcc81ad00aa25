"""`spiceboard module`: which stacks of tags a ready-made RC522 module on a Pico can read.

The first experiment, for ten euros (docs/build.md): who doubts that stacked chips can be told
apart sees it before a board is ordered. The person lays tags, the command says when.
"""

import argparse
import json
import sys
from typing import Any

from spiceboard.board.connection import whole
from spiceboard.board.link import once_there
from spiceboard.board.ports import Bootsel, choose
from spiceboard.board.repl import Repl
from spiceboard.diag.module import Module, Stack, meaning
from spiceboard.errors import HUNG, OF_ALL, UNFIT, No, UserError, epilog
from spiceboard.flash.interpreter import no_interpreter
from spicecore.storage.on_demand.settings import GAINS_DB

ORDINALS = ("one", "a second", "a third", "a fourth", "a fifth", "a sixth")
FIRST = "Lay one tag flat on the middle of the module's antenna."
NEXT = "Lay {} tag on it, with 4 mm of card or wood between, its middle over the others'."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = epilog(sorted((*OF_ALL, HUNG, UNFIT)))
    parser.add_argument("--port", help="the Pico (see `spiceboard --help`)")
    parser.add_argument(
        "--tags", type=whole(1, 6), default=4, help="stack up to so many (default 4)"
    )
    parser.add_argument(
        "--readings", type=whole(1, 100), default=10, help="readings at each gain (default 10)"
    )
    parser.add_argument(
        "--tuned", action="store_true", help="these tags are tuned to 17.5 MHz, not ordinary ones"
    )
    parser.add_argument(
        "--json", action="store_true", help="what was measured alone on stdout, words on stderr"
    )


def run(arguments: argparse.Namespace) -> int:
    """Bring the driver, measure stack by stack, say what it means; 1 when nothing is read."""
    out = sys.stderr if arguments.json else sys.stdout
    with Repl(found(arguments.port)) as repl:
        try:
            module = Module(repl)
            module.start()
            print(f"MFRC522 (version 0x{module.version:02x}) at a {module.machine}.", file=out)
            stacks = series(module, arguments, out)
        finally:
            repl.reset()  # what ran on it before starts again
    sentences = list(meaning(stacks, arguments.tuned))
    for sentence in sentences:
        print(sentence, file=out)
    if arguments.json:
        print(json.dumps(report(module, stacks, arguments.tuned, sentences)))
    return 0 if any(stack.gain is not None for stack in stacks) else No.exit_code


def found(wanted: str | None) -> str:
    """The Pico's port; UserError with the way to an interpreter where it has none."""
    place = once_there(lambda: choose(wanted), wanted)
    if isinstance(place, Bootsel):
        raise no_interpreter(place)
    return place


def series(module: Module, arguments: argparse.Namespace, out: Any) -> list[Stack]:
    """Nothing, one tag, two ...; ends where the person ends it, with what was measured."""
    if not told("Take every tag and chip card away from the module.", out):
        raise UserError("nobody is there to press Enter: start it in a terminal")
    empty = module.measure(0, 1)
    if empty.uids:
        raise No(f"a tag answers already ({', '.join(sorted(empty.uids))}): take it away")
    print(f"Readings that find all tags, of {arguments.readings}, by the reader's gain:", file=out)
    print("tags  " + "".join(f"{db:>4} dB" for db in GAINS_DB), file=out)
    stacks: list[Stack] = []
    for tags in range(1, arguments.tags + 1):
        text = NEXT.format(ORDINALS[tags - 1]) if tags > 1 else FIRST
        if not told(text, out):
            print("Nobody pressed Enter: ended here.", file=out)
            break
        stacks.append(module.measure(tags, arguments.readings))
        print(row(stacks[-1]), file=out, flush=True)
    if not stacks:
        raise UserError("nothing was measured: no tag was laid down")
    return stacks


def told(text: str, out: Any) -> bool:
    """Say what to do and wait for Enter; False if the input has ended."""
    print(f"{text} Then press Enter. ", end="", file=out, flush=True)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        print(file=out)  # what is typed at a terminal ends the line itself
    return bool(line)


def row(stack: Stack) -> str:
    """A line of the table; with more tags than were laid, or fewer, it says so."""
    counts = "".join(f"{heard.complete(stack.tags):>7}" for heard in stack.heard.values())
    more = len(stack.uids) - stack.tags
    note = ""
    if more > 0:
        note = f"   {more} more than that answer: is another tag near?"
    elif stack.most < stack.tags:
        note = f"   at most {stack.most} answer"
    return f"{stack.tags:>4}  {counts}{note}"


def report(module: Module, stacks: list[Stack], tuned: bool, said: list[str]) -> dict[str, Any]:
    """The measurements, for a file."""
    return {
        "version": module.version,
        "machine": module.machine,
        "tuned": tuned,
        "stacks": [
            {
                "tags": stack.tags,
                "gain_db": stack.gain,
                "found": {str(db): heard.counts for db, heard in stack.heard.items()},
                "uids": sorted(stack.uids),
            }
            for stack in stacks
        ],
        "meaning": said,
    }
