"""Chips on the board: whose throw a change was, what came back, what must be lifted.

The board cannot tell a chip on the flat from one on the floor, so an unseen chip may come back at
any later throw of the round. Nothing here depends on a chip's value, except the last sort key of
changes that are equal in everything public.
"""

from spicecore.games.safranito.data import (
    ACTIONS,
    CHIPS,
    COLOURS,
    INDEX,
    MILL,
    SEAT,
    VALUE,
    all_throws,
    believed,
    groups,
    on_turn,
    order,
)

THROWING = ("throw", "extra_throw")
AFTER_TRADE = ("cook", "round_over")
TRADING = ("choose", "sale", "buy")


def read_moves(state: dict, moves: object) -> tuple:
    """(pairs, place of the mill, refusal or None) from what an event claims."""
    if type(moves) is not list:
        return [], None, ("malformed", "moves")
    pairs, mill = [], None
    for move in moves:
        if type(move) is not list or len(move) != 2 or type(move[0]) is not str:
            return [], None, ("malformed", "change")
        chip, zone = move
        if zone is not None and (type(zone) is not str or zone not in INDEX):
            return [], None, ("unknown_zone", "The board has no such zone.")
        if chip == MILL:
            mill = zone
        elif chip not in SEAT or SEAT[chip] >= state["n"]:
            return [], None, ("unknown_chip", "That chip belongs to nobody in this game: lift it.")
        else:
            pairs.append((chip, zone))
    if len({chip for chip, _ in pairs}) != len(pairs):
        return [], None, ("malformed", "place")
    return pairs, mill, None


def absent(state: dict) -> list | None:
    """By seat: chips thrown that lie in no zone, once all throws are made; [] before that, None
    when no chips are thrown."""
    phase = state["phase"]
    if phase[0] not in THROWING:
        return None
    extra = phase[0] == "extra_throw"
    if (not phase[2]) if extra else phase[1] < all_throws(state):
        return []
    counts = [all_throws(state) // state["n"]] * state["n"]
    if extra:
        counts[phase[1]] += 1
    for chip in state["lying"]:
        counts[SEAT[chip]] -= 1
    return [max(0, count) for count in counts]


def _sorted(state: dict, pairs: list, physical: bool) -> list:
    """[[sort key, chip, from, to], ...] of the pairs that change something, in public order.

    From: where the board last knew the chip (physical), or where the game says that it lies.
    """
    changes = []
    for chip, zone in pairs:
        start = believed(state, chip) if physical else state["lying"].get(chip)
        if start != zone:
            known = 1 if chip in state["seen"] else 0
            key = (SEAT[chip] * 14 + INDEX[start]) * 14 + INDEX[zone]
            changes.append([(key * 2 + known) * 64 + VALUE[chip], chip, start, zone])
    changes.sort()
    return changes


def place(state: dict, changes: list) -> None:
    """Set `lying` (and what depends on it) to the ends of the changes."""
    lying, seen = dict(state["lying"]), set(state["seen"])
    moved = set()
    for _, chip, _, zone in changes:
        moved.add(chip)
        if zone is None:
            lying.pop(chip, None)
        else:
            lying[chip] = zone
            seen.add(chip)
    state["lying"] = lying
    if len(seen) != len(state["seen"]):
        state["seen"] = _in_order(seen)
    if any(chip in moved for chip in state["revealed"]):
        state["revealed"] = [chip for chip in state["revealed"] if chip not in moved]


def _in_order(chips: set) -> list:
    """Chips sorted by seat and value."""
    return [chip for chip in CHIPS if chip in chips]


def miss(state: dict, seat: int, by: int = 1) -> None:
    """Count a throw of the seat that no zone detected, or (by -1) one that came back."""
    state["missed"] = list(state["missed"])
    state["missed"][seat] += by


def _fresh(state: dict, changes: list) -> tuple:
    """(fresh changes, their number by seat)."""
    fresh = [change for change in changes if change[1] not in state["seen"]]
    counts = [0] * state["n"]
    for change in fresh:
        counts[SEAT[change[1]]] += 1
    return fresh, counts


def _thrower(state: dict, counts: list) -> tuple:
    """(seat that threw or None, throws before it to take as missed, refusal) of one change."""
    phase, missed, n = state["phase"], state["missed"], state["n"]
    thrower, skipped = None, 0
    if phase[0] == "extra_throw":
        if not phase[2] and counts[phase[1]]:
            thrower = phase[1]
    elif phase[1] < all_throws(state):
        turn = on_turn(state)
        if counts[turn]:
            thrower = turn
        else:
            late = [i for i in range(1, n) if counts[(turn + i) % n] > missed[(turn + i) % n]]
            if late:
                thrower, skipped = (turn + late[0]) % n, late[0]
                if phase[1] + skipped >= all_throws(state):
                    return None, 0, _no_throw(thrower)
    for seat in range(n):
        if counts[seat] > missed[seat] + (1 if seat == thrower else 0):
            return None, 0, _no_throw(seat) if thrower is None else _two_throws(seat)
    return thrower, skipped, None


def _no_throw(seat: int) -> tuple:
    return (
        "no_throw",
        "There is a chip of %s that is not due: lift it, or accept it as it lies." % COLOURS[seat],
    )


def _two_throws(seat: int) -> tuple:
    return (
        "two_throws",
        "More than one throw at once: lift the chip of %s and let it be thrown in its turn, or "
        "accept the board as it lies." % COLOURS[seat],
    )


def throw(state: dict, seat: int, skipped: int, effects: list) -> None:
    """Count the seat's throw, and the throws before it that no zone detected."""
    phase = state["phase"]
    if phase[0] == "extra_throw":
        state["phase"] = ["extra_throw", seat, 1]
        return
    for i in range(skipped):
        absent = (state["chef"] + phase[1] + i) % state["n"]
        miss(state, absent)
        effects.append([None, "missed", absent])
    state["phase"] = ["throw", phase[1] + skipped + 1]


def thrown_moves(state: dict, pairs: list, effects: list) -> tuple | None:
    """A settled change while chips are thrown; returns a refusal or None."""
    changes = _sorted(state, pairs, False)
    fresh, counts = _fresh(state, changes)
    thrower, skipped, refusal = _thrower(state, counts)
    if refusal:
        return refusal
    own = None
    if thrower is not None:
        own = [change for change in fresh if SEAT[change[1]] == thrower][0]  # noqa: RUF015
        throw(state, thrower, skipped, effects)
        effects.append([None, "thrown", thrower, own[3]])
    for change in changes:
        seat = SEAT[change[1]]
        if change is own:
            continue
        if change in fresh:
            miss(state, seat, -1)
            effects.append([None, "back", seat, change[3]])
        else:
            effects.append([None, "moved", seat, change[2], change[3]])
    place(state, changes)
    return None


def noted_moves(state: dict, pairs: list, effects: list) -> list:
    """A settled change after the throws: a fact, but it moves nothing in the game.

    Returns the chips that moved.
    """
    changes = _sorted(state, pairs, True)
    if changes:
        astray = dict(state["astray"])
        for _, chip, start, zone in changes:
            if state["lying"].get(chip) == zone:
                astray.pop(chip)
            else:
                astray[chip] = zone
            effects.append([None, "moved", SEAT[chip], start, zone])
        state["astray"] = astray
    return [change[1] for change in changes]


def accept(state: dict, pairs: list, effects: list) -> tuple | None:
    """Accept the chips as they lie; returns a refusal or None."""
    name = state["phase"][0]
    for chip, zone in pairs:
        if zone is not None and (name in AFTER_TRADE or (name in TRADING and zone in ACTIONS)):
            return ("no_place", "Nothing may lie there now: lift the chip.")
        if zone in state["traded"] and state["lying"].get(chip) != zone:
            return ("no_place", "The sale of that spice is closed: lift the chip.")
    changes = _sorted(state, pairs, False)
    effects.append([None, "accepted", [[SEAT[c[1]], c[2], c[3]] for c in changes]])
    fresh, counts = _fresh(state, changes)
    if name in THROWING:
        _adopt_fresh(state, fresh, counts, effects)
    place(state, changes)
    if any(chip in state["astray"] for chip, _ in pairs):
        gone = {chip for chip, _ in pairs}
        state["astray"] = {c: z for c, z in state["astray"].items() if c not in gone}
    return None


def _adopt_fresh(state: dict, fresh: list, counts: list, effects: list) -> None:
    """Find a throw for each fresh chip that was accepted, if there is one."""
    counts = list(counts)
    n = state["n"]
    while True:
        phase = state["phase"]
        due = None
        if phase[0] == "extra_throw":
            if not phase[2]:
                due = [(phase[1], 0)]
        elif phase[1] < all_throws(state):
            left = min(n, all_throws(state) - phase[1])
            due = [((on_turn(state) + i) % n, i) for i in range(left)]
        kind = "thrown"
        if due and counts[due[0][0]]:
            seat = due[0][0]
            throw(state, seat, 0, effects)
        else:
            back = [seat for seat in order(state) if counts[seat] and state["missed"][seat]]
            late = [pair for pair in due or [] if counts[pair[0]]]
            if back:
                kind, seat = "back", back[0]
                miss(state, seat, -1)
            elif late:
                seat = late[0][0]
                throw(state, seat, late[0][1], effects)
            else:
                return
        counts[seat] -= 1
        for change in fresh:
            if SEAT[change[1]] == seat:
                effects.append([None, kind, seat, change[3]])
                fresh.remove(change)
                break


def go_home(state: dict, zone: str, chips: list, effects: list) -> None:
    """The game sends chips of one zone home; those not lifted yet are to be lifted."""
    if not chips:
        return
    lying, astray = dict(state["lying"]), dict(state["astray"])
    for chip in chips:
        del lying[chip]
        if chip not in astray:
            astray[chip] = zone
        elif astray[chip] is None:
            del astray[chip]
    state["lying"], state["astray"] = lying, astray
    state["revealed"] = [chip for chip in state["revealed"] if chip not in chips]
    effects.append([None, "home", zone, groups(chips)])


def reveal(state: dict, zone: str, chips: list, effects: list) -> None:
    """All chips of the zone are turned up."""
    state["revealed"] = _in_order(set(state["revealed"]) | set(chips))
    up = sorted([SEAT[chip], -VALUE[chip]] for chip in chips)
    effects.append([None, "revealed", zone, [[seat, -value] for seat, value in up]])
