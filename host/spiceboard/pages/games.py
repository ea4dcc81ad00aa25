"""What the pages know of each game: one entry here, and one module in static/games.

No rule: how long a bot waits so that people can follow, where people want to look before the game
goes on, and which decisions a person may wonder about (the board says why they cannot be taken),
and what a seat has said that it may still change.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from spiceboard.words import N_
from spicecore import games

View = dict[str, Any]
Event = list[Any]


@dataclass(frozen=True)
class Option:
    """An option of `new`: its values, the default first, each with a line that explains it."""

    name: str
    title: str
    values: tuple[tuple[Any, str], ...]


@dataclass(frozen=True)
class Entry:
    """One game for the pages."""

    title: str
    about: str
    flick: bool  # are chips thrown?
    gates: tuple[str, ...] = ()  # phases that people look at before the game goes on
    pauses: dict[str, float] = field(default_factory=dict)  # seconds after a bot, by phase
    candidates: Callable[[View, int], list[Event]] = lambda view, seat: []
    said: Callable[[View, int], Event | None] = lambda view, seat: None
    options: tuple[Option, ...] = ()
    modes: tuple[str, ...] = ("full",)


def _safranito(view: View, seat: int) -> list[Event]:
    """Decisions that a cook, a buyer or a seller may wonder about."""
    phase = view["phase"][0]
    if phase == "buy":
        return [["buy", seat]]
    if phase == "cook":
        reserved = [["cook_reserved", seat, number] for number, _ in view["you"]["reserved"]]
        return [["cook_open", seat, number] for number, _ in view["open"]] + reserved
    if phase == "round_over":
        return [["next_round", seat]]
    return []


def _offer(view: View, seat: int) -> Event | None:
    """What a seller has declared; the sale is open until the head chef closes it."""
    count = view["offers"][seat] if view["offers"] else None
    return None if count is None else ["sell", seat, count]


def _jaipur(view: View, seat: int) -> list[Event]:
    return [["camels", seat]] if view["phase"][0] == "turn" else []


SHOWN = {  # spicecore.games, the registry, says how many players a game has
    "safranito": Entry(
        title="Safranito",
        about=N_("Throw chips into bowls of spices, sell and buy, cook three blends first."),
        flick=True,
        gates=("round_over",),
        pauses={"sale": 1.6, "buy": 1.6, "choose": 1.4, "cook": 1.2, "throw": 0.5},
        candidates=_safranito,
        said=_offer,
        modes=("full", "referee"),
        options=(
            Option(
                "purses",
                N_("Purses"),
                (
                    ("secret", N_("Nobody sees how much money the others have.")),
                    ("open", N_("Everybody sees everybody's money.")),
                ),
            ),
            Option(
                "sales",
                N_("Sales"),
                (
                    ("open", N_("All say how many they sell, and may change it.")),
                    ("turn", N_("Each says it once, clockwise from the head chef.")),
                ),
            ),
            Option(
                "decline",
                N_("Not buying"),
                (
                    ("all", N_("Whoever does not buy takes all their chips out of the bowl.")),
                    ("top", N_("Whoever does not buy takes out only their highest chip.")),
                ),
            ),
            Option(
                "action_chips",
                N_("Chips on action spaces"),
                (
                    ("stay", N_("They lie there until all action spaces are done.")),
                    ("home", N_("They go home as soon as their space is done.")),
                ),
            ),
            Option(
                "tie",
                N_("Ties"),
                (
                    ("chef_first", N_("In a tie the head chef comes first.")),
                    ("chef_last", N_("In a tie the head chef comes last.")),
                ),
            ),
        ),
    ),
    "jaipur": Entry(
        title="Jaipur",
        about=N_("Trade goods and camels at the market; two seals of excellence win."),
        flick=False,
        gates=("scored",),
        pauses={"turn": 1.6},
        candidates=_jaipur,
        options=(
            Option(
                "empty_sale",
                N_("Selling where no token is left"),
                (
                    (True, N_("Allowed; three and more cards still bring a bonus.")),
                    (False, N_("Not allowed.")),
                ),
            ),
            Option(
                "replay",
                N_("A round that ends in a complete tie"),
                (
                    ("other", N_("It is played again; the other player begins.")),
                    ("same", N_("It is played again; the same player begins.")),
                ),
            ),
        ),
    ),
    "rathot": Entry(
        title="Rat Hot",
        about=N_("Lay spice strips, group your spices, keep your rats out of sight."),
        flick=False,
        pauses={"lay": 1.4, "turn_up": 0.8},
        options=(
            Option(
                "groups",
                N_("Groups that score"),
                (
                    ("changed", N_("Every group that a strip formed or changed.")),
                    ("touching", N_("Only groups with a square of the new strip.")),
                ),
            ),
        ),
    ),
    "ninebowls": Entry(
        title="Nine Bowls",
        about=N_("Take three bowls in a line. A two-minute game."),
        flick=False,
        pauses={"occupy": 1.0},
    ),
}


def gate(view: View) -> Any:
    """What people look at before the game goes on, or None; another one each time."""
    entry = SHOWN.get(view["game"])
    if entry is None or view["phase"][0] not in entry.gates:
        return None
    return [view["phase"][0], view.get("round")]


def pause_s(game: str, phase: str) -> float:
    """Seconds after a bot did something in that phase."""
    return SHOWN[game].pauses.get(phase, 1.0) if game in SHOWN else 1.0


def candidates(view: View, seat: int) -> list[Event]:
    """Decisions whose absence needs a reason."""
    entry = SHOWN.get(view["game"])
    return entry.candidates(view, seat) if entry else []


def said(view: View, seat: int) -> Event | None:
    """The decision that the seat has taken and that stands until somebody goes on, or None; to
    take it once more says nothing new."""
    entry = SHOWN.get(view["game"])
    return entry.said(view, seat) if entry else None


@cache
def physical(game: str) -> tuple[str, ...]:
    """Kinds of effects that only tell where chips lie."""
    return ("phase", *games.load(game).PHYSICAL)


__all__ = ["SHOWN", "candidates", "gate", "pause_s", "physical", "said"]
