"""Nine Bowls: tic-tac-toe with chips in the nine bowls, for two. The smallest example of a game.

The contract of a game is in `games/__init__.py`; `docs/ninebowls.md` has the rules, events,
effects and notation. Nothing is secret. Seat 0 is blue, seat 1 red.
"""

from spicecore import chance, facts
from spicecore.facts import public_mismatch
from spicecore.games import GAMES, refused
from spicecore.games.ninebowls.board import mismatch, press, sensed, show
from spicecore.games.ninebowls.lines import begin, free_chip, line_of, owner, phase_after
from spicecore.parts import BOWLS, ZONES

NAME = "ninebowls"
SEATS = ("blue", "red")
PHYSICAL = ()  # no effect only says where chips are
__all__ = ["mismatch", "press", "public_mismatch", "sensed", "show"]


def new(options: dict) -> dict:
    """The empty bowls. Options: those of every game, and `first`, who begins (None: at random)."""
    from spicecore.games.ninebowls.on_demand.options import CHOICES
    from spicecore.games.on_demand.options import checked

    chosen = checked("Nine Bowls", GAMES[NAME], options, CHOICES)
    _, lot = chance.below(chance.start(chosen["seed"]), 2)
    return begin(lot if chosen["first"] is None else chosen["first"])


def text(state: dict) -> str:
    """The whole state as one line; docs/ninebowls.md has its fields."""
    from spicecore.games.ninebowls.on_demand.text import text as written

    return written(state)


def parse(line: str) -> dict:
    """The state of a line that `text` wrote. ValueError says what is wrong with it."""
    from spicecore.games.ninebowls.on_demand.text import parse as read_line

    return read_line(line)


def step(state: dict, event: list) -> tuple[dict, list]:
    """(state', effects) of an event; an illegal one gives the same state and one refusal."""
    refusal = facts.refused(event, ("occupy",)) or _malformed(event)
    if refusal is None:
        after, effects, refusal = _done(state, event)
    if refusal:
        return state, refused(event, len(SEATS), refusal[0], refusal[1])
    return after, effects


def _malformed(event: list) -> tuple | None:
    """(code, sentence) about a decision that names no zone."""
    if event[0] != "occupy":
        return None
    if len(event) != 3:
        return "malformed", "To occupy, name one bowl."
    return None if facts.is_zone(event[2]) else ("unknown_zone", "The board has no such zone.")


def _done(state: dict, event: list) -> tuple:
    """(state', effects, refusal or None) of a well-formed event."""
    kind, seat = event[0], event[1]
    if over(state):
        if kind in ("moved", "judged"):
            return state, [], None  # chips are lifted: that changes nothing
        return state, [], ("over", "The game is over.")
    if kind == "abort":
        return dict(state, phase=["over", "aborted", None]), [[None, "aborted"]], None
    if kind == "occupy":
        if seat != state["phase"][1]:
            return state, [], ("not_you", "It is the other player's turn.")
        return _occupied(state, free_chip(state["bowls"], seat), event[2])
    pairs = [event[2:]] if kind == "judged" else event[2]
    return _settled(state, pairs, kind == "accept")


def _settled(state: dict, pairs: list, accepted: bool) -> tuple:
    """Chips settled. One that came new into a bowl occupies it; the rest is put right by hand.

    accepted: a chip that only lies in the wrong place is not an event of this game, and stays a
    difference.
    """
    after, fresh = state, []
    for chip, zone in pairs:
        if zone is None or chip in state["bowls"]:
            continue
        bowl = ZONES.index(zone)
        if bowl < BOWLS and state["bowls"][bowl] and owner(chip) == owner(state["bowls"][bowl]):
            # another chip of the same owner is as good as the expected one
            after = dict(after, bowls=list(after["bowls"]))
            after["bowls"][bowl] = chip
        else:
            fresh.append((chip, zone))
    if len(fresh) > 1:
        return state, [], ("two_chips", "One chip a turn: lift the others.")
    if not fresh:
        if accepted and after is state:
            return state, [], ("no_place", "The game goes by its own bowls: put the chips right.")
        return after, [], None
    chip, zone = fresh[0]
    if owner(chip) is None:
        return state, [], ("unknown_chip", "That chip belongs to nobody in this game: lift it.")
    if owner(chip) != state["phase"][1]:
        return state, [], ("not_you", "It is the other player's turn: lift the chip.")
    return _occupied(after, chip, zone)


def _occupied(state: dict, chip: str, zone: str) -> tuple:
    """(state', effects, refusal) of a chip laid into a zone by its owner, whose turn it is."""
    bowl, seat = ZONES.index(zone), state["phase"][1]
    if bowl >= BOWLS:
        return state, [], ("no_bowl", "Lay your chip into one of the nine bowls.")
    if state["bowls"][bowl]:
        return state, [], ("occupied", "That bowl is occupied: choose an empty one.")
    after = dict(state, bowls=list(state["bowls"]))
    after["bowls"][bowl] = chip
    after["phase"] = phase_after(after["bowls"], seat)
    effects: list = [[None, "occupied", seat, zone]]
    if over(after):
        winner = after["phase"][2]
        if winner is not None:
            line = [ZONES[each] for each in line_of(after["bowls"], winner) or []]
            effects.append([None, "aligned", winner, line])
        effects.append([None, "over", winner])
    return after, effects, None


def legal(state: dict, seat: int) -> list[list]:
    """One event for each empty bowl, for the seat whose turn it is."""
    if seat not in seats_asked(state):
        return []
    bowls = state["bowls"]
    return [["occupy", seat, ZONES[bowl]] for bowl in range(BOWLS) if bowls[bowl] is None]


def view(state: dict, seat: int | None) -> dict:
    """Everything but which of their chips a player used; the same for every seat."""
    return {
        "game": NAME,
        "seat": seat,
        "phase": list(state["phase"]),
        "first": state["first"],
        "bowls": [owner(chip) for chip in state["bowls"]],
    }


def seats_asked(state: dict) -> list[int]:
    """The seat whose turn it is."""
    return [] if over(state) else [state["phase"][1]]


def arbiter(state: dict) -> int | None:
    """The seat that decides where a doubtful chip lies: the one whose turn it is."""
    return None if over(state) else state["phase"][1]


def over(state: dict) -> bool:
    """True with a line of three, with no bowl left, and after an abort."""
    return bool(state["phase"][0] == "over")


def standing(state: dict) -> list[list]:
    """[[seat, rank, {"lines": 0 or 1}], ...]; equal ranks without a line."""
    winner = state["phase"][2] if over(state) else None
    if winner is None:
        return [[0, 1, {"lines": 0}], [1, 1, {"lines": 0}]]
    return [[winner, 1, {"lines": 1}], [1 - winner, 2, {"lines": 0}]]


def undoable(state: dict, event: list) -> bool:
    """A turn can be taken back until the game is over: nothing is secret."""
    after, effects = step(state, event)
    return [effect[1] for effect in effects] == ["occupied"] and not over(after)
