"""Finished games for the replay page: every position, played again once and then remembered."""

import threading
from collections import OrderedDict
from functools import cache
from typing import Any

from spiceboard import words
from spiceboard.archive import counts, summary
from spiceboard.archive.score import Score
from spiceboard.archive.store import Archive
from spiceboard.bots.offline import rules_of
from spiceboard.errors import UserError
from spiceboard.pages import eyes, sentences
from spiceboard.words import N_

Frame = dict[str, Any]
REMEMBERED = 4


class Reel:
    """One game, position by position."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.rules = rules_of(score.game)
        self.positions = list(score.positions())
        self.course = counts.course(score)
        self.lines = cache(self._lines)

    def _lines(self, language: str) -> list[list[list[str]]]:
        """What led to each position, in words."""
        found: list[list[list[str]]] = []
        with words.using(language):
            for state, effects in self.positions:
                view = self.rules.view(state, None)
                told = [sentences.told(effect[1:], view) for effect in effects if not effect[0]]
                parts = [line for line in told if line]
                found.append(join(parts) or (sentences.prompt(view) if not found else []))
        return found

    def moment(self, at: int) -> Frame:
        """One position, with every seat's own view: the game is over."""
        if at >= len(self.positions):
            raise UserError(N_("this game has fewer events"))
        state, _ = self.positions[at]
        view = self.rules.view(state, None)
        chips: dict[str, dict[str, int]] = {}
        for chip, zone in (state.get("lying") or {}).items():
            owner = next(name for name in self.rules.SEATS if name[0] == chip[0])
            chips.setdefault(zone, {}).setdefault(owner, 0)
            chips[zone][owner] += 1
        seats = range(int(view.get("players", 2)))
        return {
            "view": view,
            "seats": [self.rules.view(state, seat) for seat in seats],
            "rings": eyes.drawn(self.rules.show(state), 0)["rings"],
            "chips": chips,
        }


def join(lines: list[list[list[str]]]) -> list[list[str]]:
    """Several lines as one."""
    found: list[list[str]] = []
    for line in lines:
        found += ([[words._("; "), ""]] if found else []) + line
    return found


class Reels:
    """The last few games that somebody looked at."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._known: OrderedDict[str, Reel] = OrderedDict()
        self._counted: tuple[tuple[str, ...], dict[str, summary.Figures]] = (), {}
        self._counting = threading.Lock()  # many pages may ask at once

    def figures(self) -> dict[str, summary.Figures]:
        """What all games have in common, by game; counted again only when there are others."""
        with self._counting:
            numbers = tuple(row.number for row in self.archive.rows())
            if numbers != self._counted[0]:
                self._counted = numbers, counts.by_game(map(self.archive.get, numbers))
            return self._counted[1]

    def get(self, number: str) -> Reel:
        """The game of that number; UserError when there is none."""
        if number not in self._known:
            self._known[number] = Reel(self.archive.get(number))
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return self._known[number]
