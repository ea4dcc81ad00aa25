"""A position of Nine Bowls as one line of text, and read again."""

from spicecore import fields
from spicecore.games.ninebowls.lines import begin, line_of, owner, phase_after

FIELDS = ("first", "bowls", "phase")


def text(state: dict) -> str:
    """`ninebowls first=0 bowls=b10,-,r10,... phase=occupy,1`: the chip in each bowl, or -."""
    parts = {
        "first": str(state["first"]),
        "bowls": ",".join(chip or "-" for chip in state["bowls"]),
        "phase": ",".join("-" if part is None else str(part) for part in state["phase"]),
    }
    return fields.written("ninebowls", FIELDS, parts)


def parse(line: str) -> dict:
    """The position that `text` wrote. ValueError names the field and what is wrong with it."""
    parts = fields.read(line, "ninebowls", "Nine Bowls", FIELDS)
    if parts["first"] not in ("0", "1"):
        raise ValueError("first must be seat 0 or 1, not %s" % parts["first"])
    state = _filled(begin(int(parts["first"])), parts["bowls"].split(","))
    if parts["phase"] == "over,aborted,-" and state["phase"][0] != "over":
        state["phase"] = ["over", "aborted", None]
    if text(state) != line:
        raise ValueError("phase: these bowls give %s, not %s" % (text(state), line))
    return state


def _filled(state: dict, chips: list) -> dict:
    """The state with these chips in the nine bowls."""
    if len(chips) != 9:
        raise ValueError("bowls: there are nine, not %d" % len(chips))
    lying = [chip for chip in chips if chip != "-"]
    for chip in lying:
        if owner(chip) is None or lying.count(chip) > 1:
            raise ValueError("bowls: %s is no chip of blue or red that lies there once" % chip)
    first = len([chip for chip in lying if owner(chip) == state["first"]])
    if not 0 <= 2 * first - len(lying) <= 1:
        raise ValueError("bowls: the two take turns, so one cannot have %d of %d chips"
                         % (first, len(lying)))  # fmt: skip
    bowls = [None if chip == "-" else chip for chip in chips]
    last = state["first"] if 2 * first > len(lying) else 1 - state["first"]
    if line_of(bowls, 1 - last):
        raise ValueError("bowls: the game was over before the last chip was laid")
    return dict(state, bowls=bowls, phase=phase_after(bowls, last))
