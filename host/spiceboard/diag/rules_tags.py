"""Rules about antennas and tags. With one tag in a zone, tag and antenna are a group of two and
another chip decides; with two tags in it they part by themselves."""

from collections.abc import Iterator

from spiceboard.diag.findings import Case, Finding, near, quoted
from spicecore.parts import ZONES
from spicecore.storage.on_demand.settings import GAINS_DB, TABLE

GOOD = 0.9  # share of visits that must find a tag
WEAK_STEP = 2  # 33 dB: a chip that lies flat in its zone is heard at 23 dB
DEFAULT_DB = TABLE["margin_db"][0]
OFTEN = 0.5
MANY = 4  # zones: more than fail at once without a common cause


def rate(read: dict[str, object], uid: str) -> float:
    """Share of the visits that found the tag."""
    seen, n = read["seen"], read["n"]
    assert isinstance(seen, dict) and isinstance(n, int)
    return float(seen.get(uid, 0) / n)


def _zones(case: Case) -> list[str]:
    """Zones with reads and a reader that nothing explains yet."""
    return [zone for zone in case.open_zones() if case.read(zone)]


def _seen(case: Case, zone: str) -> list[str]:
    """Tags that were found there at least once, with the LEDs in any state."""
    reads = case.m.get("reads", {}).get(zone, {}).values()
    found = [uid for read in reads for uid in read["seen"]]
    return list(dict.fromkeys([*found, *case.m.get("slow", {}).get(zone, {})]))


def _lost(case: Case, zone: str) -> list[str]:
    """Chips that were laid there and are not seen there."""
    chips = {case.chip(uid) for uid in _seen(case, zone)}
    return [chip for chip in case.laid(zone) if chip not in chips]


def _garbled(case: Case, zone: str) -> bool:
    read = case.read(zone)
    return bool(read and read["errors"].get("garbled", 0) >= OFTEN * read["n"])


def no_chips(case: Case) -> Iterator[Finding]:
    """No chip is seen anywhere, though the readers work: thirteen antennas do not open at once."""
    zones = [zone for zone in _zones(case) if case.laid(zone)]
    if len(zones) < MANY or any(_seen(case, zone) for zone in zones):
        return
    case.explained.update(zones)
    yield Finding(
        "no_chips",
        ("chips on the board",),
        f"none of the chips that should lie in {len(zones)} zones is seen, although the readers "
        "work",
        "lay the chips flat, as `spiceboard diag --layout` says, and run it again; if they lie "
        "like that already, no tag or every antenna fails: try a chip that another reader can "
        "read",
    )


def same_uid_twice(case: Case) -> Iterator[Finding]:
    """One UID in two zones at once: a copied card (readers do not reach so far)."""
    places: dict[str, list[str]] = {}
    for zone in _zones(case):
        for uid in _seen(case, zone):
            read = case.read(zone)
            if read and rate(read, uid) >= OFTEN:
                places.setdefault(uid, []).append(zone)
    for uid, zones in places.items():
        if len(zones) < 2:
            continue
        owner = case.chip(uid)
        copies = [chip for zone in zones for chip in _lost(case, zone)]
        case.explained.update(zones)
        yield Finding(
            "duplicate_uid",
            tuple(f"tag {chip}" for chip in copies) or (f"tag {owner}",),
            f"the UID {uid} of `{owner}` is seen in {quoted(zones)} at once"
            + (f": the tag of {quoted(copies)} is a copy of it" if copies else ""),
            f"lift {quoted(copies) if copies else 'one of the two chips'}: the UID must vanish "
            "there. Then give that chip another tag",
        )


def swapped(case: Case) -> Iterator[Finding]:
    """Two zones see each other's chips."""
    zones = [zone for zone in _zones(case) if case.laid(zone)]
    chips = {zone: {case.chip(uid) for uid in _seen(case, zone)} for zone in zones}
    for i, a in enumerate(zones):
        for b in zones[i + 1 :]:
            if chips[a] == set(case.laid(b)) and chips[b] == set(case.laid(a)) and chips[a]:
                case.explained.update((a, b))
                yield Finding(
                    "selects_swapped",
                    (f"select line {a}", f"select line {b}"),
                    f"`{a}` and `{b}` see each other's chips: their select lines are swapped "
                    "(or the chips were laid the wrong way round)",
                    f"take all chips off and lay one into `{a}`: if the board sees it in `{b}`, "
                    "swap the two plugs",
                )


def crossed(case: Case) -> Iterator[Finding]:
    """A zone sees the chips of another, which is silent: exchanged lines, and one reader dead."""
    for zone in _zones(case):
        seen = {case.chip(uid) for uid in _seen(case, zone)}
        for other in ZONES:
            if other == zone or not case.laid(other) or seen != set(case.laid(other)):
                continue
            if not case.silent(other) or set(case.laid(zone)) & seen:
                continue
            case.explained.add(zone)
            yield Finding(
                "selects_crossed",
                (f"select line {zone}", f"select line {other}"),
                f"`{zone}` sees the chips of `{other}`, and `{other}` does not answer: their "
                f"select lines are swapped, and the dead reader is that of `{zone}` (or the "
                "chips were laid the wrong way round)",
                f"swap the plugs of `{zone}` and `{other}` and run `spiceboard diag` again: it "
                "then reports the dead reader under its own name",
            )


def strangers(case: Case) -> Iterator[Finding]:
    """A tag that no roster knows."""
    if not any((case.m.get("roster") or {}).values()):
        return
    for zone in _zones(case):
        for uid in _seen(case, zone):
            if case.chip(uid) is not None:
                continue
            lost = _lost(case, zone)
            case.explained.add(zone)
            yield Finding(
                "stranger",
                tuple(f"tag {chip}" for chip in lost) or (f"a tag in {zone}",),
                f"`{zone}` has a tag that is not in the roster: {uid}"
                + (f"; {quoted(lost)} should lie there" if lost else ""),
                "pair it with its chip (`spiceboard roster`), or give the chip its own tag",
            )


def slow_tag(case: Case) -> Iterator[Finding]:
    """Found only when it gets longer to wake up."""
    for zone in _zones(case):
        reads = case.m.get("reads", {}).get(zone, {}).values()
        late = [
            uid
            for uid in case.m.get("slow", {}).get(zone, {})
            if not any(uid in read["seen"] for read in reads)
        ]
        chips = [case.chip(uid) or uid for uid in late]
        if late:
            case.explained.add(zone)
            yield Finding(
                "tag_slow",
                tuple(f"tag {chip}" for chip in chips),
                f"the tag of {quoted(chips)} in `{zone}` answers only after more than 5 ms in the "
                "field",
                f"give {quoted(chips)} another tag; until then `settle_us` of the zone can be "
                "raised",
            )


def wrong_answer(case: Case) -> Iterator[Finding]:
    """Somebody answers, always wrongly: BCC, CRC or SAK."""
    for zone in _zones(case):
        read = case.read(zone)
        lost = _lost(case, zone)
        if (
            not read
            or not _garbled(case, zone)
            or any(rate(read, uid) < GOOD for uid in _seen(case, zone))
        ):
            continue
        if read["incomplete"] < GOOD * read["n"] or (case.laid(zone) and not lost):
            continue
        case.explained.add(zone)
        yield Finding(
            "wrong_bcc",
            tuple(f"tag {chip}" for chip in lost) or (f"a tag in {zone}",),
            f"the answers of a tag in `{zone}` are always wrong (check byte or SAK)"
            + (f": {quoted(lost)} should lie there" if lost else ""),
            f"lay {quoted(lost) if lost else 'that chip'} alone into another zone: if it fails "
            "there too, replace its tag",
        )


def nothing_seen(case: Case) -> Iterator[Finding]:
    """Chips lie there and none is seen; or one of several is missing."""
    for zone in _zones(case):
        lost = _lost(case, zone)
        if not lost:
            continue
        case.explained.add(zone)
        chips = quoted(lost)
        if _seen(case, zone):
            yield Finding(
                "tag_dead",
                tuple(f"tag {chip}" for chip in lost),
                f"the tag of {chips} in `{zone}` is not seen, but other tags there are",
                f"lay {chips} alone into another zone: if it is not seen there, replace its tag",
            )
        elif len(lost) > 1:
            yield Finding(
                "antenna_open",
                (f"antenna {zone}",),
                f"none of {chips} is seen in `{zone}`, although its reader works: the antenna "
                "is open",
                f"measure the loop of `{zone}` from TX1 to TX2: it must be below 2 ohm; check "
                "its joints",
            )
        else:
            yield Finding(
                "nothing_seen",
                (f"antenna {zone}", f"tag {lost[0]}"),
                f"{chips} is not seen in `{zone}`, although its reader works: the antenna is "
                "open or the tag is dead",
                f"lay another chip into `{zone}`: if it is seen, replace the tag of {chips}; if "
                "not, check the joints of the loop",
            )


def unsteady(case: Case) -> Iterator[Finding]:
    """Tags that many visits miss with the LEDs off."""
    for zone in _zones(case):
        read = case.read(zone)
        uids = _seen(case, zone)
        if not read or not uids:
            continue
        bad = [uid for uid in uids if rate(read, uid) < GOOD]
        if not bad:
            continue
        chips = [case.chip(uid) or uid for uid in bad]
        worst = min(rate(read, uid) for uid in bad)
        case.explained.add(zone)
        if len(bad) < len(uids):
            yield Finding(
                "tag_flickers",
                tuple(f"tag {chip}" for chip in chips),
                f"the tag of {quoted(chips)} in `{zone}` is found in {worst:.0%} of the visits, "
                "the others there in all",
                f"replace the tag of {quoted(chips)}",
            )
        elif len(uids) > 1:
            yield Finding(
                "noise",
                (f"antenna {zone}",),
                f"all tags in `{zone}` are sometimes missed (found in {worst:.0%} of the "
                "visits): noise at its antenna",
                "switch off chargers and lamps near it; then check the ground of the tile and "
                "its receiver's parts",
            )
        else:
            yield Finding(
                "unsteady",
                (f"tag {chips[0]}", f"antenna {zone}"),
                f"{quoted(chips)} in `{zone}` is found in {worst:.0%} of the visits, with the "
                "LEDs off: its tag flickers, or there is noise at the antenna",
                f"lay another chip into `{zone}`: if it is steady, replace the tag of "
                f"{quoted(chips)}; if not, look for noise there",
            )


def led_noise(case: Case) -> Iterator[Finding]:
    """Steady with the LEDs off, missed while they are lit."""
    found = []
    for zone in _zones(case):
        for leds in ("still", "moving"):
            read = case.read(zone, leds)
            uids = _seen(case, zone)
            if read and any(rate(read, uid) < GOOD for uid in uids):
                found.append((zone, leds, min(rate(read, uid) for uid in uids)))
                break
    case.explained.update(zone for zone, _, _ in found)
    if len(found) >= 4:
        zones = quoted([zone for zone, _, _ in found])
        yield Finding(
            "led_supply_noise",
            ("supply of the LEDs",),
            f"tags in {zones} are read worse when LEDs are lit: noise of their supply",
            "check the large capacitor at the LEDs' feed and the common ground",
        )
        return
    for zone, leds, worst in found:
        yield Finding(
            "led_noise",
            (f"LED wiring {zone}",),
            f"in `{zone}` tags are found in {worst:.0%} of the visits while LEDs are lit "
            f"({leds}), and in all with the LEDs off: LED currents reach the antenna",
            f"check the ground and the capacitors of the LED ring `{zone}`, and keep its wires "
            "away from the loop",
        )


def weak(case: Case) -> Iterator[Finding]:
    """Tags that need a high gain, though they lie flat in their zone."""
    tags: dict[str, list[str]] = {}
    whole = []
    for zone in _zones(case):
        lowest = case.lowest(zone)
        limit = max(WEAK_STEP, _learned(case, zone))
        bad = [uid for uid, step in lowest.items() if step >= limit]
        if bad:
            tags[zone] = bad
            if len(bad) == len(lowest):
                whole.append(zone)
    case.explained.update(tags)
    pairs = [(a, b) for i, a in enumerate(whole) for b in whole[i + 1 :] if near(a, b)]
    for a, b in pairs:
        if a in whole and b in whole:
            whole.remove(a)
            whole.remove(b)
            del tags[a], tags[b]
            yield Finding(
                "detuned",
                (f"antenna {a}", f"antenna {b}"),
                f"the neighbours `{a}` and `{b}` both couple weakly: their loops detune each "
                "other",
                f"lift the tile `{a}` out: if `{b}` gets better, their loops are too close or "
                "lack their ferrite; if not, check the tuning capacitors of both",
            )
    yield from _weak_alone(case, tags, whole)


def _learned(case: Case, zone: str) -> int:
    """The step from which a chip is weak in a zone whose threshold was learned; 0 where none was:
    `calibrate --thresholds` has seen that chips are told apart there all the same."""
    settings = case.m.get("settings", {})
    margin_db = settings.get("margin_db", {}).get(zone, DEFAULT_DB)
    if margin_db == DEFAULT_DB:
        return 0
    inside = GAINS_DB[settings["gain"][zone]] - margin_db
    return next((step for step, db in enumerate(GAINS_DB) if db > inside), len(GAINS_DB))


def _weak_alone(case: Case, tags: dict[str, list[str]], whole: list[str]) -> Iterator[Finding]:
    for zone in (zone for zone in ZONES if zone in tags):
        chips = [case.chip(uid) or uid for uid in tags[zone]]
        if zone not in whole:
            yield Finding(
                "tag_weak",
                tuple(f"tag {chip}" for chip in chips),
                f"the tag of {quoted(chips)} couples weakly in `{zone}`, but the others there "
                "do not",
                f"lay {quoted(chips)} flat in the middle; if that does not help, replace its tag",
            )
        elif len(chips) > 1:
            yield Finding(
                "antenna_weak",
                (f"antenna {zone}",),
                f"all tags in `{zone}` need a high gain: its antenna couples weakly",
                f"check the joints of the loop `{zone}` and its tuning capacitors",
            )
        else:
            yield Finding(
                "weak",
                (f"antenna {zone}", f"tag {chips[0]}"),
                f"{quoted(chips)} in `{zone}` needs a high gain: the antenna or the tag couples "
                "weakly",
                f"lay another chip flat in the middle of `{zone}`: if it is weak too, check the "
                f"loop and its tuning capacitors; if not, replace the tag of {quoted(chips)}",
            )


RULES = (
    no_chips,
    same_uid_twice,
    swapped,
    crossed,
    strangers,
    slow_tag,
    wrong_answer,
    nothing_seen,
    unsteady,
    led_noise,
    weak,
)
