"""Figures of games: the course of one over its events, and what many have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spiceboard.archive.score import Score
from spiceboard.bots.offline import rules_of
from spicecore.games import GAMES

Series = dict[str, list[list[float]]]  # what -> for each seat a value after each event


def course(score: Score) -> Series:
    """How money, cards and points of each seat went, from the beginning to the end."""
    rules = rules_of(score.game)
    found: Series = {}
    for state, _ in score.positions():
        for what, values in measures(score.game, rules, state).items():
            lines = found.setdefault(what, [[] for _ in values])
            for line, value in zip(lines, values, strict=True):
                line.append(value)
    return found


def measures(game: str, rules: Any, state: Any) -> dict[str, list[float]]:
    """{what: value of each seat} of one position."""
    measure = MEASURES.get(game)
    return measure(rules.view(state, None), state) if measure else {}


def _safranito(view: dict[str, Any], state: Any) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {
        "blends": [len(blends) for blends in view["cooked"]],
        "chips in bowls": _chips(view),
    }
    if view["mode"] == "full":
        found["rupees"] = list(state["money"])
        found["cards"] = list(view["cards"])
    return found


def _jaipur(view: dict[str, Any], state: Any) -> dict[str, list[float]]:
    return {
        "tokens": [sum(value for _, value in won) for won in view["won"]],
        "cards": list(view["hand_sizes"]),
        "seals": list(view["seals"]),
    }


def _rathot(view: dict[str, Any], state: Any) -> dict[str, list[float]]:
    pairs = zip(view["chips"], view["noted"], strict=True)
    return {
        "points": [ones + 2 * twos + more for (ones, twos), more in pairs],
        "rats": list(view["rats"]),
        "groups": [sum(map(len, view["groups"][:4])), sum(map(len, view["groups"][4:]))],
    }


def _ninebowls(view: dict[str, Any], state: Any) -> dict[str, list[float]]:
    return {"bowls": [view["bowls"].count(seat) for seat in (0, 1)]}


Measure = Callable[[dict[str, Any], Any], dict[str, list[float]]]
MEASURES: dict[str, Measure] = {
    "safranito": _safranito,
    "jaipur": _jaipur,
    "rathot": _rathot,
    "ninebowls": _ninebowls,
}


def _chips(view: dict[str, Any]) -> list[float]:
    counts = [0.0] * view["players"]
    for chips in view["zones"].values():
        for seat, _ in chips:
            counts[seat] += 1
    return counts


def by_game(scores: Iterable[Score]) -> dict[str, dict[str, Any]]:
    """{game: what its games have in common} of the games that were played at all."""
    played: dict[str, list[Score]] = {}
    for score in scores:
        played.setdefault(score.game, []).append(score)
    return {game: together(played[game]) for game in GAMES if game in played}


def together(scores: list[Score]) -> dict[str, Any]:
    """What many games of one kind have in common.

    won_with: of each score that decides, what winners had. landed, doubts: by zone, how many chips
    were thrown there and how many were judged to count there ("outside": not to count); a zone
    with many doubts has a badly tuned reader.
    """
    wins: Counter[str] = Counter()
    landed: Counter[str] = Counter()
    doubts: Counter[str] = Counter()
    won_with: dict[str, list[int]] = {}
    misses = 0
    for score in scores:
        for who, points in _winners(score):
            wins[who] += 1
            for what, n in points.items():
                won_with.setdefault(what, []).append(n)
        for effect in _effects(score):
            if effect[1] == "thrown":
                landed[str(effect[3] or "outside")] += 1
            elif effect[1] == "missed":
                misses += 1
            elif effect[1] == "judged":
                doubts[str(effect[3] or "outside")] += 1
    return {
        "games": len(scores),
        "events": _spread([len(score.events) for score in scores]),
        "wins": dict(wins.most_common()),
        "won_with": {what: _spread(values) for what, values in won_with.items()},
        "throws": misses + sum(landed.values()),
        "misses": misses,
        "landed": dict(landed.most_common()),
        "doubts": dict(doubts.most_common()),
    }


def _winners(score: Score) -> Iterator[tuple[str, dict[str, int]]]:
    """(`blue (person)`, what they won with) of each who is first."""
    rules = rules_of(score.game)
    players = score.facts.get("players", "").split(",")
    for seat, rank, points in score.standing():
        if rank == 1:
            who = players[seat] if seat < len(players) and players[seat] else "?"
            yield f"{rules.SEATS[seat]} ({who})", points


def _effects(score: Score) -> Iterator[list[Any]]:
    """All effects of a game; throws are never taken back."""
    for _, effects in score.positions():
        yield from effects


def _spread(values: list[int]) -> dict[str, int]:
    """The least, the middle one and the most."""
    ordered = sorted(values)
    return {"least": ordered[0], "middle": ordered[len(ordered) // 2], "most": ordered[-1]}
