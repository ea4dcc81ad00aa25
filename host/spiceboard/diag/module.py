"""A ready-made RC522 module on a Pico: the first experiment, before any board is ordered.

The firmware's own driver goes into the Pico's RAM, by the raw REPL; nothing is written to flash.
Pins are the board's, so that the wiring is a part of it: GP5, the decoder's enable, selects the
module.
"""

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from spiceboard.board.repl import BoardError, Repl
from spiceboard.board.scripts import script
from spiceboard.errors import UNFIT, LinkError, No, UserError
from spiceboard.flash.bundle import check_board, compile_file
from spiceboard.flash.sources import pins, sources
from spicecore.storage.on_demand.settings import GAINS_DB

HZ = 1_000_000  # of the SPI: slow enough for loose wires
SURE = 0.9  # share of the readings that must find all
NOBODY = (0x00, 0xFF)  # a version that only a bus without a reader has
NETS = (("SEL_EN", "SDA (NSS)"), ("SCK", "SCK"), ("MOSI", "MOSI"), ("MISO", "MISO"))


class NoModule(No):
    """No reader answers at these pins; the sentence has the wiring."""


class Unfit(UserError):
    """The board at that port is no Pico, or has no room."""

    exit_code = UNFIT


def wires() -> list[tuple[str, str, int]]:
    """(pin of the module, name of the Pico's pin, its number); GP2 to GP5 as on the board."""
    at = pins()
    supply = [("3.3V", "3V3(OUT)", 36), ("GND", "GND", 38), ("RST", "3V3(OUT)", 36)]
    # a ground stands between two pairs of GPIOs
    return supply + [
        (name, f"GP{at[net]}", at[net] + 1 + (at[net] + 2) // 4) for net, name in NETS
    ]


def wiring() -> str:
    """The same, a line each."""
    return "".join(f"\n  {module:10} {pico}, pin {number}" for module, pico, number in wires())


@dataclass(frozen=True)
class Heard:
    """What a stack answers at one gain: tags that each reading found, readings that were whole
    (no frame stayed garbled, and a second walk agreed)."""

    counts: list[int]
    whole: int
    uids: list[str]

    def complete(self, tags: int) -> int:
        """How many readings found as many tags as lie there, or more."""
        return sum(count >= tags for count in self.counts)

    @property
    def usual(self) -> int:
        """The number of tags that most readings found."""
        return max(sorted(set(self.counts), reverse=True), key=self.counts.count)


@dataclass(frozen=True)
class Stack:
    """A stack of so many tags, and what it answers at each gain in dB."""

    tags: int
    heard: dict[int, Heard] = field(default_factory=dict)

    @property
    def gain(self) -> int | None:
        """The lowest gain at which all tags answer in nine of ten readings; None: at none."""
        for db, heard in sorted(self.heard.items()):
            if heard.complete(self.tags) >= SURE * len(heard.counts):
                return db
        return None

    @property
    def most(self) -> int:
        """As many tags as usually answer at the best gain."""
        return max(heard.usual for heard in self.heard.values())

    @property
    def uids(self) -> set[str]:
        """All numbers that answered at any gain."""
        return {uid for heard in self.heard.values() for uid in heard.uids}


class Module:
    """One module; its Pico's interpreter is stopped and listening."""

    def __init__(self, repl: Repl) -> None:
        self.repl = repl
        self.version = -1
        self.machine = ""

    def start(self, sent: Callable[[int], None] = lambda _bytes: None) -> None:
        """Bring the driver and wake the module. Unfit, NoModule or LinkError with a sentence."""
        about = self.repl.ask("[sys.implementation[2],getattr(sys.implementation,'_mpy',0)]")
        self.machine, mpy = str(about[0]), int(about[1])
        if not any(chip in self.machine for chip in ("RP2040", "RP2350")):
            raise Unfit(
                f"the board on {self.repl.url} is a {self.machine}, no Raspberry Pi Pico or Pico "
                "2: pins have other names there"
            )
        try:
            self._bring(check_board(mpy), sent)
        except BoardError as error:
            if "MemoryError" not in str(error):
                raise
            raise Unfit(
                f"the memory of the board on {self.repl.url} is full, probably with its "
                "application: take a Pico that has nothing but MicroPython"
            ) from error
        wrong, self.version = self.repl.ask("look_for_module()")
        if wrong:
            raise NoModule(self._no_module(str(wrong)))

    def _bring(self, arch: str | None, sent: Callable[[int], None]) -> None:
        """The script and the compiled driver into the Pico's RAM."""
        self.repl.run(f"PINS={pins()!r}\nHZ={HZ}\n" + script("module"))
        for name, source in sources().items():
            if name.startswith("rfid/") and "on_demand" not in name:
                code = compile_file(source, name, arch)
                self.repl.run(f"put('/{name}.mpy',{base64.b64encode(code).decode()!r})")
                sent(len(code))

    def _no_module(self, wrong: str) -> str:
        """The sentence about a module that does not start."""
        if self.version in NOBODY:
            level = "low" if self.version == 0 else "high"
            seen = f"no module answers: MISO stays {level}"
        else:
            seen = f"the module answers unclearly (version 0x{self.version & 0xFF:02x}): {wrong}"
        return (
            f"{seen}. Unplug the Pico and check each wire against this table (module, Pico), the "
            f"solder of the module's pins, and that it is a module for SPI:{wiring()}"
        )

    def measure(self, tags: int, readings: int) -> Stack:
        """Read a stack at every gain. LinkError when the module falls silent."""
        stack = Stack(tags)
        for db in GAINS_DB:
            told = [self._reading(db) for _ in range(readings)]
            seen = sorted({uid for _, uids in told for uid in uids})
            whole = sum(complete for complete, _ in told)
            stack.heard[db] = Heard([len(uids) for _, uids in told], whole, seen)
        return stack

    def _reading(self, db: int) -> tuple[bool, list[str]]:
        try:
            told = self.repl.ask(f"hear({db})")
        except BoardError as error:
            raise LinkError(self._fell_silent(str(error))) from error
        if told is None:
            raise LinkError(self._fell_silent("it does not take commands"))
        return bool(told[0]), list(told[1])

    @staticmethod
    def _fell_silent(why: str) -> str:
        return (
            f"the module stopped in the middle: {why}. Is a wire loose, or the supply weak (a "
            "field takes up to 100 mA of 3V3)? Start again"
        )


def meaning(stacks: list[Stack], tuned: bool) -> Iterator[str]:
    """What the measured stacks mean, in sentences, against docs/sensing.md.

    tuned: the tags resonate at 17.5 MHz, as the board's chips should; else ordinary stickers.
    """
    good = [stack for stack in stacks if stack.gain is not None]
    if not good:
        yield (
            "Not even one tag is read. Is it one for 13.56 MHz (NTAG213, ISO 14443 type A), does "
            "it lie flat in the middle of the antenna, with no metal below? Then the module's "
            "antenna may be broken: another module costs little."
        )
        return
    best = max(good, key=lambda stack: stack.tags)
    tags = "one tag" if best.tags == 1 else f"stacks of {best.tags}"
    yield f"Read: {tags}, at {best.gain} dB and more."
    for stack in stacks:
        if stack.gain is None:
            yield _why_not(stack)
    yield _against_the_model(all(s.gain is not None for s in stacks), best.tags, tuned)
    yield (
        "The module's antenna is smaller than a bowl's and its current is another: this shows the "
        "principle, not how far a bowl reads."
    )


def _why_not(stack: Stack) -> str:
    most = stack.most
    highest = stack.heard[max(stack.heard)]
    if any(heard.complete(stack.tags) for heard in stack.heard.values()):
        return (
            f"Of {stack.tags} all answer now and then only: at the edge of what is read. Make the "
            "gap larger, or build the stack again."
        )
    if stack.uids and len(stack.uids) >= stack.tags:
        return f"Of {stack.tags} each answers sometimes, never all at once: weak answers."
    if highest.usual == most:
        return (
            f"Of {stack.tags} only {most} answer, with more gain too: the others get too little "
            "voltage to wake. Neighbours take it from each other."
        )
    return f"Of {stack.tags} only {most} answer; noise hides the others at the highest gain."


def _against_the_model(all_read: bool, most: int, tuned: bool) -> str:
    """Its limit for ordinary tags: two in a bowl, four in the smaller loop of an action space."""
    if tuned and all_read:
        return "That is as docs/sensing.md expects of tags that are tuned to 17.5 MHz."
    if tuned:
        return (
            "docs/sensing.md expects more of tags that are tuned to 17.5 MHz: check their tuning "
            "and the gap of 4 mm. If both are right, its model is wrong: please report it."
        )
    if most > 4:
        return (
            "That is more than docs/sensing.md expects of ordinary tags: in its model the weakest "
            "of five sleeps. Check the gap of 4 mm; if it is right, please report it."
        )
    if all_read:
        return (
            "docs/sensing.md expects no more trouble up to here in a loop of this size: two "
            "ordinary tags in a bowl, four in a small loop. Go on with --tags 6."
        )
    return (
        "That is as docs/sensing.md expects of ordinary tags, which are tuned to 13.56 MHz: two "
        "are read in a bowl, up to four in a small loop. Those of a board are tuned to 17.5 MHz; "
        "a ring of copper foil makes one of an ordinary tag (the page says how): try again with "
        "--tuned."
    )
