"""A finished game as text and as positions.

The text is the project's notation (docs/notation.md): a line of facts about the game, the position
it began with, and then one event a line as JSON; `["undo"]` takes the last decision back.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from spiceboard.board.connection import json_of
from spiceboard.bots.offline import rules_of
from spiceboard.errors import UserError

FORMAT = "spiceboard game"
QUOTED = 200  # letters of what the rules say of a damaged game; they quote it
Event = list[Any]
State = Any


@dataclass
class Score:
    """One game: its name, the position it began with, and everything that happened.

    facts: what is known besides, as strings: "ended" (ISO 8601, UTC), "board", "players" (who
    played each seat, joined by commas).
    """

    game: str
    start: str
    events: list[Event]
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """Twelve hex digits that are the same for the same course of a game."""
        body = "\n".join([self.start, *map(json.dumps, self.events)])
        return hashlib.sha256(body.encode()).hexdigest()[:12]

    def text(self) -> str:
        """The whole game as lines."""
        head = {FORMAT: 1, "game": self.game, **self.facts}
        lines = [json.dumps(head), self.start, *map(json.dumps, self.events)]
        return "\n".join(lines) + "\n"

    def positions(self) -> Iterator[tuple[State, list[Any]]]:
        """(state, effects that led to it) from the beginning on; UserError where the rules refuse
        an event."""
        rules = rules_of(self.game)
        try:
            state = rules.parse(self.start)
        except ValueError as error:
            raise UserError(
                f"the position that it begins with is impossible: {str(error)[:QUOTED]}"
            ) from error
        yield state, []
        back: list[State] = []
        for number, event in enumerate(self.events, 1):
            if event == ["undo"]:
                if not back:
                    raise UserError(
                        f"event {number} takes back a decision that cannot be taken back"
                    )
                state = back.pop()
                yield state, [[None, "undone"]]
                continue
            before = state
            try:
                state, effects = rules.step(before, event)
            except (LookupError, TypeError, ValueError) as error:
                raise UserError(
                    f"event {number} does not belong to this game: {str(error)[:QUOTED]}"
                ) from error
            if state is before and effects and effects[0][1] == "refused":
                raise UserError(f"the rules refuse event {number}: {effects[0][3]}")
            if rules.undoable(before, event):
                back.append(before)
            elif any(effect[1] not in rules.PHYSICAL for effect in effects):
                back.clear()
            yield state, list(effects)

    def end(self) -> State:
        """The last position."""
        return list(self.positions())[-1][0]

    def standing(self) -> list[Any]:
        """[[seat, rank, score], ...]."""
        standing: list[Any] = rules_of(self.game).standing(self.end())
        return standing


def read(text: str) -> Score:
    """The reverse of `Score.text`, checked by the rules; UserError names the line at fault."""
    lines = text.splitlines()
    if len(lines) < 2:
        raise UserError("this is not an exported game: it has fewer than two lines")
    found = []
    for number, line in enumerate([lines[0], *lines[2:]], 1):
        try:
            found.append(json_of(line))
        except ValueError as error:
            at = number if number == 1 else number + 1
            raise UserError(f"line {at} is damaged: {error}") from error
    head, *events = found
    if not isinstance(head, dict) or head.get(FORMAT) != 1:
        raise UserError("this is not an exported game: `spiceboard games export` writes one")
    if not all(isinstance(event, list) and event for event in events):
        raise UserError("one of its lines is not an event")
    name = str(head.get("game"))
    rules_of(name)
    facts = {key: str(value) for key, value in head.items() if key not in (FORMAT, "game")}
    score = Score(name, lines[1], events, facts)
    for _ in score.positions():
        pass
    return score


def from_records(records: list[list[Any]], facts: dict[str, str]) -> Score:
    """A game from the records that a board kept of it; UserError where its beginning is gone."""
    begun = next((record for record in records if record[0] == "new"), None)
    if begun is None:
        raise UserError("the board no longer has the beginning of this game")
    _, name, options, position, *_ = begun
    rules = rules_of(str(name))
    start = position if position is not None else rules.text(rules.new(options))
    events = [["undo"] if record[0] == "undo" else record[1] for record in records
              if record[0] in ("e", "undo")]  # fmt: skip
    return Score(str(name), start, events, facts)
