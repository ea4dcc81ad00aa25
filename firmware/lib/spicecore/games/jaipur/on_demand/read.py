"""Read the position of Jaipur from a line of text; refuse impossible positions."""

from spicecore import fields
from spicecore.chance import MASK
from spicecore.facts import is_chip, is_zone
from spicecore.games.jaipur.goods import (
    BONUS,
    BONUS_SIZES,
    HAND_LIMIT,
    KINDS,
    MARKET,
    PILES_TO_END,
    SEALS_TO_WIN,
    TOKENS,
    count,
    empty_piles,
    round_winner,
    sold_cards,
)
from spicecore.games.jaipur.on_demand.text import FIELDS, LETTERS, text


def parse(line: str) -> dict:
    """The position that `text` wrote. ValueError names the field and what is wrong with it."""
    parts = fields.read(line, "jaipur", "Jaipur", FIELDS)
    state = _read(parts)
    for check in (_check_counts, _check_cards, _check_tokens, _check_phase):
        check(state)
    state["sold"] = sold_cards(state)[:6]
    if text(state) != line:
        raise ValueError("the position is not written as text() writes it: " + text(state))
    return state


def _read(parts: dict) -> dict:
    """The state in the fields, without checking whether it is possible."""
    options = parts["options"]
    if options not in ("eo", "es", "-o", "-s"):
        raise ValueError("options must be eo, es, -o or -s, not %r" % options)
    pile = [_numbers(name, "bonus", ".") for name in _split(parts, "bonus", 3)]
    return {
        "chance": _number(parts["x"], "x"),
        "options": {
            "empty_sale": options[0] == "e",
            "replay": "other" if options[1] == "o" else "same",
        },
        "round": _number(parts["round"], "round"),
        "starter": _number(parts["starter"], "starter"),
        "seals": _numbers(parts["seals"], "seals", ","),
        "phase": _phase(parts["phase"]),
        "market": _cards(parts["market"], "market"),
        "deck": _cards(parts["deck"], "deck"),
        "hands": [count(_cards(hand, "hands"))[:6] for hand in _split(parts, "hands", 2)],
        "known": [count(_cards(known, "known")) for known in _split(parts, "known", 2)],
        "herds": _numbers(parts["herds"], "herds", ","),
        "tokens": _numbers(parts["tokens"], "tokens", ","),
        "bonus": pile,
        "won": [_pairs_won(won) for won in _split(parts, "won", 2)],
        "bonuses": [_pairs_bonus(won) for won in _split(parts, "bonuses", 2)],
        "laid": _laid(parts["laid"]),
    }


def _split(parts: dict, name: str, n: int) -> list[str]:
    found: list[str] = parts[name].split("/")
    if len(found) != n:
        raise ValueError("%s must have %d parts between slashes" % (name, n))
    return found


def _number(word: str, name: str) -> int:
    if not word or len(word) > 10 or not all(c in "0123456789" for c in word):
        raise ValueError("%s: %r is no number" % (name, word))
    return int(word)


def _numbers(word: str, name: str, mark: str) -> list[int]:
    return [] if word == "-" else [_number(each, name) for each in word.split(mark)]


def _cards(word: str, name: str) -> list[str]:
    cards = []
    for letter in "" if word == "-" else word:
        if letter not in LETTERS:
            raise ValueError("%s: %r is no card; cards are %s" % (name, letter, LETTERS))
        cards.append(KINDS[LETTERS.index(letter)])
    return cards


def _phase(word: str) -> list:
    """["turn", seat], ["scored", reason, winner] or ["over", reason, winner]."""
    words = word.split(",")
    if len(words) == 2 and words[0] == "turn" and words[1] in ("0", "1"):
        return ["turn", int(words[1])]
    if len(words) == 3 and words[0] in ("scored", "over") and words[1] in ("piles", "deck"):
        if words[2] in ("0", "1") or (words[2] == "-" and words[0] == "scored"):
            return [words[0], words[1], None if words[2] == "-" else int(words[2])]
    if word == "over,aborted,-":
        return ["over", "aborted", None]
    raise ValueError("phase: %r is none of turn,SEAT scored,piles|deck,SEAT over,..." % word)


def _pairs_won(word: str) -> list[list]:
    pairs: list[list] = []
    for each in [] if word == "-" else word.split("."):
        if each[:1] not in LETTERS[:6] or each == "":
            raise ValueError("won: %r is no goods token" % each)
        pairs.append([KINDS[LETTERS.index(each[0])], _number(each[1:], "won")])
    return pairs


def _pairs_bonus(word: str) -> list[list]:
    pairs: list[list] = []
    for each in [] if word == "-" else word.split("."):
        size, _, value = each.partition(":")
        if size not in ("3", "4", "5"):
            raise ValueError("bonuses: %r is no bonus token" % each)
        pairs.append([int(size), _number(value, "bonuses")])
    return pairs


def _laid(word: str) -> dict:
    laid = {}
    for each in [] if word == "-" else word.split("."):
        chip, mark, zone = each.partition(":")
        if not is_chip(chip) or not mark or not is_zone(zone):
            raise ValueError("laid: %r is not chip:zone of this board" % each)
        laid[chip] = zone
    return laid


def _check_counts(state: dict) -> None:
    """Check the range of each number."""
    if not 1 <= state["chance"] <= MASK:
        raise ValueError("x must be 1 to %d" % MASK)
    if state["round"] < 1:
        raise ValueError("round: the first one is 1")
    if state["starter"] not in (0, 1):
        raise ValueError("starter must be seat 0 or 1")
    for name, n in (("seals", 2), ("herds", 2), ("tokens", 6)):
        if len(state[name]) != n:
            raise ValueError("%s must be %d numbers" % (name, n))
    if state["round"] < 1 + sum(state["seals"]) - (state["phase"][0] != "turn"):
        raise ValueError("seals: more of them than rounds were ended")
    for seat in (0, 1):
        if sum(state["hands"][seat]) > HAND_LIMIT:
            raise ValueError("hands: seat %d holds more than 7 goods" % seat)
        held = state["hands"][seat] + [state["herds"][seat]]
        if any(known > n for known, n in zip(state["known"][seat], held)):  # noqa: B905
            raise ValueError("known: seat %d is known to hold what it does not" % seat)


def _check_cards(state: dict) -> None:
    """Check that there are 55 cards, and that the tokens taken match the cards sold."""
    gone = sold_cards(state)
    for k, kind in enumerate(KINDS):
        if gone[k] < 0:
            raise ValueError("cards: %d too many of %s" % (-gone[k], kind))
        if k < 6:
            taken = len(TOKENS[k]) - state["tokens"][k]
            if taken != min(gone[k], len(TOKENS[k])):
                raise ValueError(
                    "tokens: %d cards of %s were sold and %d tokens taken" % (gone[k], kind, taken)
                )
    if gone[6]:
        raise ValueError("cards: %d camels are missing, and camels are never sold" % gone[6])


def _check_tokens(state: dict) -> None:
    """Check that each of 38 goods tokens and 18 bonus tokens is in its pile or was won once."""
    for k, kind in enumerate(KINDS[:6]):
        won = sorted(v for pairs in state["won"] for good, v in pairs if good == kind)
        if won != list(TOKENS[k][state["tokens"][k] :]):
            raise ValueError("won: the tokens won of %s are not those gone from its pile" % kind)
    cards = 0
    for i, size in enumerate(BONUS_SIZES):
        won = [v for pairs in state["bonuses"] for s, v in pairs if s == size]
        if sorted(won + state["bonus"][i]) != list(BONUS[i]):
            raise ValueError(
                "bonus: the tokens for %d cards are not the %d of the box" % (size, len(BONUS[i]))
            )
        cards += size * len(won)
    if cards > sum(sold_cards(state)):
        raise ValueError("bonuses: more were won than the cards sold can have earned")


def _check_phase(state: dict) -> None:
    """Check the phase against market, deck, piles and seals."""
    phase, seals = state["phase"], state["seals"]
    ended = {"piles": empty_piles(state) >= PILES_TO_END, "deck": len(state["market"]) < MARKET}
    if len(state["market"]) > MARKET or (ended["deck"] and state["deck"]):
        raise ValueError("market: it has five cards while the deck lasts")
    if phase[0] == "turn" or phase[1] == "aborted":
        if phase[0] == "turn" and (ended["piles"] or ended["deck"]):
            raise ValueError("phase: this round is over, so it is nobody's turn")
        if max(seals) >= SEALS_TO_WIN:
            raise ValueError("phase: with two seals the game is over")
        return
    if not ended[phase[1]] or (phase[1] == "deck" and ended["piles"]):
        raise ValueError("phase: the round cannot have ended by " + phase[1])
    if phase[2] != round_winner(state):
        raise ValueError("phase: seat %s did not win this round" % phase[2])
    if phase[2] is not None and seals[phase[2]] == 0:
        raise ValueError("seals: the winner of the round has none")
    if (max(seals) >= SEALS_TO_WIN) != (phase[0] == "over") or sum(seals) > 3 or max(seals) > 2:
        raise ValueError("seals: they do not fit the phase")
    if phase[0] == "over" and seals[phase[2]] != SEALS_TO_WIN:
        raise ValueError("seals: the winner of the game does not have two")
