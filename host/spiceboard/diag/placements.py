"""Chips that a person lays when asked, one step after the other, and how well each is heard.

Nothing is guessed: what was heard is compared with what was asked for. Where they differ the
person is told, and lays the chip again, says that it does lie so, or leaves the step out.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from spiceboard.board.client import Client, Refused
from spiceboard.diag.people import Person
from spicecore.storage.on_demand.settings import GAINS_DB

GOOD = 0.9  # share of visits from which a tag is heard
SOME = 0.25  # and below which it is not; between, by chance
NEVER = len(GAINS_DB)  # the step of a tag that no gain hears

AGAIN, YES, SKIP = "again", "yes", "skip"


@dataclass(frozen=True)
class Heard:
    """Shares of the visits to one zone that found each tag, by gain step: {uid: [6 shares]}."""

    shares: dict[str, list[float]] = field(default_factory=dict)

    def uids(self) -> set[str]:
        """Tags that some gain hears well."""
        return {uid for uid in self.shares if self.lowest([uid]) < NEVER}

    def lowest(self, uids: Iterable[str] | None = None, share: float = GOOD) -> int:
        """The lowest step at which each of these tags (none: of all) is found in that share of
        the visits; NEVER if there is none, or no tag."""
        named = list(self.shares if uids is None else uids)
        steps = [
            next((step for step, found in enumerate(self.shares[uid]) if found >= share), NEVER)
            for uid in named
        ]
        return max(steps, default=NEVER)

    def worst(self, step: int) -> float:
        """Share of the visits at a gain step that found the tag which is found least."""
        return min((self.shares[uid][step] for uid in self.uids()), default=1.0)


def measure(client: Client, zone: str, visits: int) -> Heard | None:
    """Read a zone at every gain, with the LEDs off. None if its reader does not answer."""
    shares: dict[str, list[float]] = {}
    for step in range(len(GAINS_DB)):
        try:
            reply = client.request(
                "diag", timeout=60, what="read", zone=zone, gain=step, n=visits, leds="off"
            )
        except Refused as refused:
            if refused.code != "no_reader":
                raise
            return None
        for uid, times in reply["seen"].items():
            shares.setdefault(uid, [0.0] * len(GAINS_DB))[step] = times / reply["n"]
    return Heard(shares)


def in_two(zone: str, tags: dict[str, set[str]]) -> str | None:
    """What to say about a tag of the zone that another one hears too. tags: {zone: uids}."""
    for other, theirs in tags.items():
        if other != zone and (both := tags[zone] & theirs):
            return (
                f"the tag {min(both)} is heard in `{other}` too: its chip lies between the two, "
                "it was moved meanwhile, or two chips have the same number"
            )
    return None


@dataclass(frozen=True)
class Step:
    """key: the step's name. says: what to do, with {zones}. wrong: compares what was heard with
    what was asked for: None, or (what is wrong, may it be true nevertheless?)."""

    key: str
    says: str
    wrong: Callable[[Heard, dict[str, Heard]], tuple[str, bool] | None]


class Guide:
    """Asks a person for steps and measures them, in maintenance. What was heard is in `heard`
    {zone: {step: Heard}}, why a zone is left out in `left_out`."""

    def __init__(self, client: Client, person: Person, zones: list[str], visits: int) -> None:
        self.client, self.person, self.visits = client, person, visits
        self.zones = list(zones)  # those that are still followed
        self.heard: dict[str, dict[str, Heard]] = {zone: {} for zone in zones}
        self.left_out: dict[str, str] = {}

    def step(self, step: Step, zones: list[str]) -> None:
        """One step in those of the zones that are still followed, until each is right, confirmed
        or left out."""
        due = [zone for zone in zones if zone in self.zones]
        text = step.says.format(zones=", ".join(f"`{zone}`" for zone in due))
        if due and self.ask(step.key, text, ["done", SKIP]) == SKIP:
            for zone in due:
                self._leave(zone, f"the step `{step.key}` was skipped")
            return
        for zone in due:
            self._one(step, zone, due)

    def ask(self, key: str, text: str, choices: list[str]) -> str:
        """The person's answer; maintenance may have ended while they were busy."""
        said = self.person.ask(key, text, choices)
        self.client.request("maintain", timeout=20, on=True)
        return said

    def _one(self, step: Step, zone: str, beside: list[str]) -> None:
        """Measure one zone until what is heard there can be believed."""
        while True:
            heard = measure(self.client, zone, self.visits)
            if heard is None:
                self._leave(zone, "its reader does not answer: `spiceboard diag` tells you more")
                return
            self.heard[zone][step.key] = heard
            wrong = self._twin(step, zone, beside) or step.wrong(heard, self.heard[zone])
            if wrong is None:
                return
            said = self._about(f"{step.key} {zone}", f"`{zone}`: {wrong[0]}.", wrong[1])
            if said == YES:
                return
            if said == SKIP:
                self._leave(zone, f"the step `{step.key}` was skipped: {wrong[0]}")
                return

    def _about(self, key: str, text: str, possible: bool) -> str:
        """Ask about something that is not as it should be, or may not be."""
        if possible:
            return self.ask(key, text + " Does it lie so?", [AGAIN, YES, SKIP])
        return self.ask(key, text + " Change that, or skip this zone.", [AGAIN, SKIP])

    def _twin(self, step: Step, zone: str, beside: list[str]) -> tuple[str, bool] | None:
        """A tag that another zone hears in the same step."""
        heard = {other: self.heard[other].get(step.key) for other in beside if other in self.zones}
        found = in_two(zone, {other: each.uids() for other, each in heard.items() if each})
        return (found, False) if found else None

    def _leave(self, zone: str, why: str) -> None:
        self.zones.remove(zone)
        self.left_out[zone] = why


def alone(heard: Heard, before: dict[str, Heard]) -> tuple[str, bool] | None:
    """Exactly one tag must be heard."""
    count = len(heard.uids())
    if count == 1:
        return None
    if not count:
        return "no chip is heard at any gain", False
    return f"{count} chips are heard, and only one should lie there", False


def same(heard: Heard, before: dict[str, Heard]) -> tuple[str, bool] | None:
    """The same tag as in the middle, and no other."""
    if wrong := alone(heard, before):
        return wrong
    if heard.uids() != before["middle"].uids():
        return "another chip than the one in the middle is heard: use the same one", False
    return None


def outside(heard: Heard, before: dict[str, Heard]) -> tuple[str, bool] | None:
    """The same tag, weaker than at the edge, or silence, which only a person can tell from a step
    that was forgotten."""
    uids = heard.uids()
    if not uids and before["middle"].uids() & heard.shares.keys():
        return None  # it answers now and then, so it lies there
    if not uids:
        return "no chip is heard, as it should be if one lies just outside", True
    if uids != before["middle"].uids():
        return same(heard, before)
    edge = before.get("edge")
    if edge and heard.lowest(uids) < edge.lowest(uids):
        return "the chip is heard better than at the edge: it seems to lie inside", False
    return None


def stack(count: int) -> Callable[[Heard, dict[str, Heard]], tuple[str, bool] | None]:
    """So many tags must be heard; fewer may be true: stacked tags take each other's voltage."""

    def wrong(heard: Heard, before: dict[str, Heard]) -> tuple[str, bool] | None:
        found = len(heard.uids())
        if found == count:
            return None
        if found > count:
            return f"{found} chips are heard, and {count} should lie there", False
        return f"only {found} of {count} chips are heard at any gain", True

    return wrong
