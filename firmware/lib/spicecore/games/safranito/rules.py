"""Safranito (Marco Teubner, Zoch 2010): the rules as one pure step, for two to four seats.

The contract of a game is in `games/__init__.py`. `docs/notation.md` says exactly what states,
events and effects are and which readings of the rules are this project's.
Mode "full" keeps cards and money; mode "referee" leaves them on the table and referees the chips.
"""

from spicecore.games import refused
from spicecore.games.safranito import actions, cook, trade
from spicecore.games.safranito.board import (
    THROWING,
    absent,
    accept,
    noted_moves,
    read_moves,
    thrown_moves,
)
from spicecore.games.safranito.data import ACTIONS, COLOURS, SEAT, UNKNOWN, all_throws, seats_asked
from spicecore.games.safranito.legal import legal, press, sensed
from spicecore.games.safranito.view import mismatch, public_mismatch, show, view

NAME = "safranito"
SEATS = COLOURS
# Effects that only say where chips are: what was decided before them can still be taken back.
PHYSICAL = ("moved", "thrown", "back", "missed")
# Effects that cannot be taken back: somebody has seen what was hidden, or chance was drawn.
SECRET = ("revealed", "cards", "blend", "laid", "reshuffled")
# Decision: the phases in which it is legal, what its third item is (None: no third), handler.
DECISIONS: dict = {
    "missed": (THROWING, None, actions.missed),
    "reveal": (THROWING, None, actions.start_evaluation),
    "pass": (ACTIONS, None, actions.decline_action),
    "draw": (("spice_card",), None, actions.draw),
    "keep": (("keep",), str, actions.keep),
    "reserve": (("reserve",), None, actions.reserve),
    "take": (("head_chef",), None, actions.take_mill),
    "choose": (("choose",), str, trade.choose),
    "sell": (("sale",), int, trade.sell),
    "close": (("sale",), None, trade.close),
    "buy": (("buy",), None, trade.buy),
    "decline": (("buy",), None, trade.decline),
    "display": (("buy",), int, trade.display),
    "cook_open": (("cook",), int, cook.cook_open),
    "cook_reserved": (("cook",), int, cook.cook_reserved),
    "no_open": (("cook",), None, cook.no_open),
    "done": (("cook",), None, cook.done),
    "next_round": (("round_over",), None, cook.next_round),
}
__all__ = [
    "absent", "legal", "mismatch", "press", "public_mismatch", "seats_asked", "sensed", "show",
    "view",
]  # fmt: skip


def new(options: dict) -> dict:
    """The state at the start of the first round.

    Options: players (2..4), mode ("full" or "referee"), seed (0..2**30 - 1), chef (seat or None:
    drawn by lot), and those of `on_demand/options.py`. ValueError says which one is wrong.
    """
    from spicecore.games.safranito.on_demand.new import new as begin

    return begin(options)


def text(state: dict) -> str:
    """The whole state, secrets included, as one line; docs/notation.md has its fields."""
    from spicecore.games.safranito.on_demand.text import text as written

    return written(state)


def parse(line: str) -> dict:
    """The state of a line that `text` wrote. ValueError says what is wrong with it."""
    from spicecore.games.safranito.on_demand.read import parse as read_line

    return read_line(line)


def step(state: dict, event: list) -> tuple:
    """(state after the event, effects); a refused event gives the same state and says why."""
    after = dict(state)
    effects: list = []
    refusal = _apply(after, event, effects)
    if refusal:
        code, sentence = refusal
        if code == "malformed":  # an error of a program, not of a person
            from spicecore.games.safranito.on_demand.shapes import SHAPES

            sentence = SHAPES[sentence]
        return state, refused(event, state["n"], code, sentence)
    if after["phase"][0] != state["phase"][0]:
        effects.append([None, "phase", after["phase"][0]])
    return after, effects


def _is_seat(state: dict, seat: object) -> bool:
    return type(seat) is int and 0 <= seat < state["n"]


def _apply(state: dict, event: object, effects: list) -> tuple | None:
    """Apply the event to the state. Returns None or a refusal (code, sentence); for "malformed"
    the sentence is a word of SHAPES."""
    if type(event) is not list or len(event) < 2 or type(event[0]) is not str:
        return ("malformed", "event")
    kind, seat = event[0], event[1]
    if seat is not None and not _is_seat(state, seat):
        return ("malformed", "seat")
    if kind in FACTS:
        if state["phase"][0] == "over":
            return ("over", "The game is over.")
        return FACTS[kind](state, event, effects)
    if kind in DECISIONS:
        return _decide(state, event, effects)
    return ("unknown_event", "Safranito knows no such event.")


def _decide(state: dict, event: list, effects: list) -> tuple | None:
    kind, seat = event[0], event[1]
    phases, wanted, handler = DECISIONS[kind]
    item = event[2] if len(event) == 3 else None
    if state["mode"] != "full" and kind in ("cook_open", "cook_reserved"):
        wanted = None
        item = UNKNOWN
    if seat is None or len(event) != (2 if wanted is None else 3):
        return ("malformed", "parts")
    if wanted is not None and type(item) is not wanted:
        return ("malformed", "kind")
    if type(item) is int and wanted is int and item < 0:
        return ("malformed", "negative")
    if state["phase"][0] == "over":
        return ("over", "The game is over.")
    if state["phase"][0] not in phases or not _allowed(state, kind):
        return ("not_now", "That is not possible now.")
    if not _may(state, kind, seat):
        return ("not_you", "That is for another player to decide.")
    return handler(state, seat, item, effects)


def _allowed(state: dict, kind: str) -> bool:
    """Whether the phase, looked at closely, is one for this decision."""
    phase = state["phase"]
    if kind in ("missed", "reveal") or (kind == "pass" and phase[0] == "extra_throw"):
        made = phase[1] == all_throws(state) if phase[0] == "throw" else phase[2] == 1
        return made == (kind == "reveal")
    return kind != "display" or state["mode"] != "full"


def _may(state: dict, kind: str, seat: int) -> bool:
    """Whether the decision is this seat's."""
    if kind == "sell":
        return True
    if kind in ("close", "display"):
        return bool(seat == state["chef"])
    return seats_asked(state) == [seat]


def _moved(state: dict, event: list, effects: list) -> tuple | None:
    """A settled change of the board."""
    if len(event) != 3:
        return ("malformed", "moved")
    pairs, mill, refusal = read_moves(state, event[2])
    if refusal:
        return refusal
    if state["phase"][0] in THROWING:
        return thrown_moves(state, pairs, effects)
    moved = noted_moves(state, pairs, effects)
    if mill is not None and state["phase"][0] == "choose" and mill not in ACTIONS:
        return trade.choose(state, state["chef"], mill, effects)
    if state["mode"] != "full" and moved:
        trade.lifted(state, moved, effects)
    return None


def _judged(state: dict, event: list, effects: list) -> tuple | None:
    """The head chef decided where a doubtful chip counts."""
    if len(event) != 4:
        return ("malformed", "judged")
    if event[1] != state["chef"]:
        return ("not_you", "In doubt the head chef decides.")
    pairs, _, refusal = read_moves(state, [[event[2], event[3]]])
    if refusal or not pairs:
        return refusal or ("unknown_chip", "The mill is never in doubt.")
    effects.append([None, "judged", SEAT[pairs[0][0]], event[3]])
    if state["phase"][0] in THROWING:
        return thrown_moves(state, pairs, effects)
    return _adopt(state, pairs, effects)


def _accept(state: dict, event: list, effects: list) -> tuple | None:
    """Head chef or button: the game accepts the chips as they lie."""
    if len(event) != 3:
        return ("malformed", "accept")
    if event[1] is not None and event[1] != state["chef"]:
        return ("not_you", "The head chef accepts what lies on the board.")
    pairs, _, refusal = read_moves(state, event[2])
    return refusal or _adopt(state, pairs, effects)


def _adopt(state: dict, pairs: list, effects: list) -> tuple | None:
    before = state["lying"]
    refusal = accept(state, pairs, effects)
    if not refusal:
        moved = [chip for chip, zone in pairs if before.get(chip) != zone]
        trade.after_accept(state, moved, effects)
    return refusal


def _abort(state: dict, event: list, effects: list) -> tuple | None:
    """The game ends without a winner."""
    if len(event) != 2:
        return ("malformed", "abort")
    state["phase"] = ["over", None]
    effects.append([None, "aborted"])
    return None


FACTS: dict = {"moved": _moved, "judged": _judged, "accept": _accept, "abort": _abort}


def over(state: dict) -> bool:
    """Whether the game has ended."""
    return bool(state["phase"][0] == "over")


def standing(state: dict) -> list:
    """[[seat, rank from 1, {"blends": number}], ...] by rank; equal numbers share a rank."""
    counts = [len(cooked) for cooked in state["cooked"]]
    rows = []
    for seat in range(state["n"]):
        rank = 1 + len([count for count in counts if count > counts[seat]])
        rows.append((rank, seat))
    return [[seat, rank, {"blends": counts[seat]}] for rank, seat in sorted(rows)]


def arbiter(state: dict) -> int:
    """The seat that decides doubts: the head chef."""
    return state["chef"]


def undoable(state: dict, event: list) -> bool:
    """Can a decision made in this state be taken back? Only if it revealed no secret.

    Settled changes of the board are facts, not decisions, unless lifting a chip bought or sold
    something.
    """
    after, effects = step(state, event)
    kinds = [effect[1] for effect in effects]
    if "refused" in kinds or [kind for kind in kinds if kind in SECRET]:
        return False
    if event[0] == "moved":
        return "bought" in kinds or "offers" in kinds
    return after is not state
