"""What the comparisons with an oracle share, whatever the game."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checkout import ROOT

State = dict[str, Any]
Events = list[list[Any]]


def sequences(rules: Any, state: State, depth: int, ended: Callable[[State], bool]) -> int:
    """How many sequences of `depth` events there are by the rules; an ended game counts as one."""
    if depth == 0 or ended(state):
        return 1
    legal = rules.legal(state, rules.seats_asked(state)[0])
    if depth == 1:
        return len(legal)
    return sum(sequences(rules, rules.step(state, event)[0], depth - 1, ended) for event in legal)


def golden_game(
    rules: Any,
    pick: Callable[[State, Events, random.Random], list[Any]],
    rewrite: bool,
) -> None:
    """One game with seed 7 is as it was when it was recorded: events, public effects, last line.

    pick: chooses the next event of (state, legal events in a fixed order, chance).
    """
    chance = random.Random(7)
    state = rules.new({"seed": 7})
    lines = [rules.text(state)]
    while not rules.over(state):
        legal = sorted(rules.legal(state, rules.seats_asked(state)[0]), key=str)
        event = pick(state, legal, chance)
        state, effects = rules.step(state, event)
        lines.append(json.dumps(event))
        lines.extend("  " + json.dumps(effect) for effect in effects)
    lines.append(rules.text(state))
    path = Path(__file__).parent / "golden" / f"{rules.NAME}.txt"
    if rewrite:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == "\n".join(lines) + "\n", (
        f"differs from {path.relative_to(ROOT)}; `pytest --rewrite` if it should"
    )
    assert rules.parse(lines[-1]) == state
