"""What only people can tell: LEDs and buzzer have no sensor, buttons need a finger.

A `Person` is asked by a key (for programs), a sentence and the answers that are allowed.
"""

import json
import sys
from typing import Protocol, TextIO

from spiceboard.board.client import Client
from spiceboard.errors import UserError
from spicecore.parts import LEDS, ZONES

BUTTONS = ("ok", "no", "undo")
RED, OFF = [40, 0, 0], [0, 0, 0]  # dim: the whole chain stays below the current cap
TONE = (1760, 300)
PRESS_S = 8.0
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh".split()


class Person(Protocol):
    """Somebody who sits at the board."""

    def ask(self, key: str, text: str, choices: list[str]) -> str: ...


class AtTerminal:
    """Asks at the terminal; an empty line is the first choice."""

    def __init__(self, source: TextIO = sys.stdin, out: TextIO = sys.stderr) -> None:
        self._in, self._out = source, out

    def ask(self, key: str, text: str, choices: list[str]) -> str:
        """Ask until one of the choices (or enough of its beginning) is given."""
        while True:
            print(f"{text} [{'/'.join(choices)}] ", end="", file=self._out, flush=True)
            line = self._in.readline()
            if not line:
                raise UserError(
                    "there is no terminal to ask you: with `--questions lines` a program answers"
                )
            found = [c for c in choices if c.startswith(line.strip().lower())]
            if line.strip().lower() in choices:
                return line.strip().lower()
            if found and (len(found) == 1 or not line.strip()):
                return found[0]
            print("Please type one of these answers.", file=self._out)


class ByLines:
    """Asks a program: a JSON line out, the answer as a JSON string on a line in."""

    def __init__(self, source: TextIO = sys.stdin, out: TextIO = sys.stdout) -> None:
        self._in, self._out = source, out

    def ask(self, key: str, text: str, choices: list[str]) -> str:
        """Ask one question; UserError if the answer is not one of the choices."""
        question = {"ask": key, "text": text, "choices": choices}
        print(json.dumps(question), file=self._out, flush=True)
        line = self._in.readline()
        try:
            answer = json.loads(line) if line else None
        except ValueError:
            answer = line.strip()
        if not line:
            raise UserError(
                f"{key}: no answer on standard input: write one line for each question"
            )
        if answer not in choices:
            raise UserError(f"{key}: the answer {answer!r} is not one of {', '.join(choices)}")
        return str(answer)


def ordinal(number: int) -> str:
    """`third` of 3, `12th` of 12."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


class Questions:
    """Asks for LEDs, buzzer and buttons; the board must be in maintenance."""

    def __init__(self, client: Client, person: Person, press_s: float = PRESS_S) -> None:
        self.client = client
        self.person = person
        self.press_s = press_s
        self.answers: dict[str, str] = {}

    def all(self, stuck: list[str]) -> dict[str, str]:
        """{key: answer}; buttons that read as pressed already are not asked for."""
        try:
            self.leds()
        finally:
            self._light(0, sum(LEDS), OFF)
        self.buzzer()
        for name in BUTTONS:
            if name not in stuck:
                self.button(name)
        return self.answers

    def _ask(self, key: str, text: str, choices: list[str]) -> str:
        self.answers[key] = self.person.ask(key, text, choices)
        return self.answers[key]

    def _light(self, first: int, count: int, rgb: list[int]) -> None:
        self.client.request("diag", what="leds", first=first, count=count, rgb=rgb)

    def leds(self) -> None:
        """The walk: all, then the first ring that is wrong, then its first LED."""
        self._light(0, sum(LEDS), RED)
        if self._ask("leds all", "Do all LEDs of all 13 rings light red?", ["yes", "no"]) == "yes":
            return
        order = ", ".join(ZONES)
        zone = self._ask(
            "leds ring", f"Which is the first ring, in the order {order}, that is not "
                         "completely red?",
            list(ZONES),
        )  # fmt: skip
        count = LEDS[ZONES.index(zone)]
        colour = self._ask(
            "leds colour",
            f"What does the first wrong LED of `{zone}` do (clockwise from the top)?",
            ["dark", "green", "blue", "white", "red"],
        )
        if colour in ("green", "blue"):
            return
        number = self._ask(
            "leds number",
            f"Which is the first LED of `{zone}` that does not light, clockwise from the top?",
            [str(n) for n in range(1, count + 1)],
        )
        self._ask(
            "leds behind",
            "Do the LEDs after it light, also those of the next rings?",
            ["yes", "no"],
        )
        first = sum(LEDS[: ZONES.index(zone)]) + int(number) - 1
        self._light(first, 1, RED)
        text = f"Only one LED should be lit: does the {ordinal(int(number))} LED of `{zone}`"
        if self._ask("leds alone", text + " light red?", ["yes", "no"]) == "yes":
            del self.answers["leds number"]  # it works: somebody counted wrongly

    def buzzer(self) -> None:
        """A tone, and whether it was heard."""
        hz, ms = TONE
        self.client.request("diag", what="buzzer", hz=hz, ms=ms)
        self._ask("buzzer", "Did you hear a tone?", ["yes", "no"])

    def button(self, name: str) -> None:
        """Ask for a press and wait for it."""
        before = self._presses()[name]
        self._ask(
            f"button {name}", f"Press the button `{name}` now, then continue.", ["done", "skip"]
        )
        if self.answers[f"button {name}"] == "skip":
            return
        end = self.client.link.now() + self.press_s
        while self._presses()[name] == before:
            if self.client.link.now() >= end:
                self.answers[f"button {name}"] = "nothing"
                return
            self.client.link.sleep(0.02)
        self.answers[f"button {name}"] = "came"

    def _presses(self) -> dict[str, int]:
        presses: dict[str, int] = self.client.request("diag", what="buttons")["presses"]
        return presses
