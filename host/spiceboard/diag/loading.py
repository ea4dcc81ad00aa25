"""How tags load each other, as far as a board can measure it: one tag alone, with others above it,
and just outside its bowl; and what that tells of their tuning.

Tags near the carrier (13.56 MHz) reach far and take the voltage from each other; tags tuned above
it reach less far and stay awake in stacks (docs/sensing.md). The limits are those of the model in
`sim/spiceboard_sim/rf/`, for a bowl; no built board has confirmed them.
"""

from collections.abc import Iterator

from spiceboard.diag import placements
from spiceboard.diag.findings import Finding, quoted
from spiceboard.diag.placements import NEVER, SOME, Guide, Heard, Step
from spicecore.parts import BOWLS, ZONES
from spicecore.storage.on_demand.settings import GAINS_DB

WEAK = 3  # step that a tag alone in the middle does not need: 38 dB
COUNT = {"two": 2, "three": 3, "four": 4}
WAY_OUT = (
    "give the chips tags of 17.5 MHz, or a closed ring of copper beside each tag "
    "(docs/sensing.md, tags of 17.5 MHz); until then stacked chips may be silent, and the board "
    "asks about those that it has counted"
)

ALONE = Step("middle", "Lay one chip flat into the middle of {zones}.", placements.alone)
FAR = Step(
    "outside",
    "Push this chip out of {zones}, until its hole is 4 mm (a chip's thickness) away from the "
    "edge of the bowl.",
    placements.outside,
)
STACKS = tuple(
    Step(
        key,
        f"Lay {key} chips exactly on one another into the middle of {{zones}}.",
        placements.stack(count),
    )
    for key, count in COUNT.items()
)


def ask(guide: Guide) -> None:
    """All steps, in the one bowl of the guide."""
    for step in (ALONE, FAR, *STACKS):
        guide.step(step, guide.zones)


def gains(heard: dict[str, Heard]) -> dict[str, list[int]]:
    """{step: lowest gain in dB of each tag, the strongest first}; silent tags are not listed."""
    return {
        key: sorted(GAINS_DB[one.lowest([uid])] for uid in one.uids())
        for key, one in heard.items()
    }


def findings(zone: str, heard: dict[str, Heard]) -> Iterator[Finding]:
    """What the steps tell of the tags, as one finding."""
    if heard["middle"].lowest(heard["middle"].uids()) >= WEAK:
        yield Finding(
            "loading_unknown",
            (f"antenna {zone}", "the tag"),
            f"one chip alone in the middle of `{zone}` is heard only from 38 dB on: its antenna "
            "or this tag is weak, so the tags' tuning cannot be judged",
            "run `spiceboard diag` first, or try another chip or another bowl: "
            f"`spiceboard diag --tags {_other(zone)}`",
        )
        return
    far = heard["outside"].lowest(heard["outside"].shares, SOME) < NEVER
    silent = [key for key, count in COUNT.items() if len(heard[key].uids()) < count]
    yield (_near if far else _high)(silent)


def _other(zone: str) -> str:
    return next(bowl for bowl in ZONES[:BOWLS] if bowl != zone)


def _near(silent: list[str]) -> Finding:
    if silent:
        return Finding(
            "tags_near_carrier",
            ("the tags",),
            f"a chip 4 mm outside is heard, and in a stack of {silent[0]} a tag is silent: the "
            "tags are tuned near 13.56 MHz (13 to 15)",
            WAY_OUT,
        )
    return Finding(
        "tags_low",
        ("the tags",),
        "a chip 4 mm outside is heard, but no tag of a stack of four is silent: the tags are "
        "tuned below 16 MHz, nearer to 13.56 than they should be",
        "try stacks of other chips; " + WAY_OUT,
    )


def _high(silent: list[str]) -> Finding:
    if silent:
        return Finding(
            "tags_differ",
            ("a tag of the stack",),
            f"the single chip is not heard 4 mm outside, as tags of 16.5 to 19.5 MHz are, but in "
            f"a stack of {silent[0]} a tag is silent: one of these is of another kind, or broken",
            f"lay the chips of {quoted([silent[0]])} alone, one after the other, and find the one "
            "that is heard 4 mm outside, or not at all",
        )
    return Finding(
        "tags_high",
        ("the tags",),
        "a chip 4 mm outside is not heard, and no tag of a stack of four is silent: the tags are "
        "tuned to 16.5 to 19.5 MHz, as they should be",
        "nothing has to be done",
        level="note",
    )
