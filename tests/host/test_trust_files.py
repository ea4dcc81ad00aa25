"""Every file that a tool reads, damaged in all ways: a sentence and a code, or what it says.

Good files are mutilated by hypothesis with their structure known; what once broke a tool stays in
tests/host/corpus, which is read first. `make soak` takes a hundred times as many.
"""

import binascii
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checkout import ROOT
from spiceboard.archive.score import Score
from spiceboard.archive.store import Archive
from spiceboard.board.link import configured
from spiceboard.board.ports import in_bootsel
from spiceboard.commands import games as kept_games
from spiceboard.commands import log, roster
from spiceboard.errors import UserError
from spiceboard.flash.uf2 import read_uf2
from spicecore import games
from spicecore.parts import CHIPS
from spicecore.storage.journal import Journal, line
from spicecore.storage.on_demand.roster import Roster
from spicecore.storage.on_demand.settings import Settings
from uf2_files import RP2040, RP2350_ARM, e10, uf2

CORPUS = ROOT / "tests/host/corpus"
TRIALS, SOAK_TRIALS = 150, 15_000


def log_file() -> bytes:
    """A copied log of a short game of Safranito."""
    head = {log.FORMAT: 1, "name": "g0001-000.log", "board": "e6"}
    records: list[Any] = [head, ["new", "safranito", {"players": 2, "seed": 1}, None, "wire"]]
    records += [["e", ["missed", 0]], ["undo"], ["key", 0, "a1"], ["e", ["missed", 0]]]
    return "\n".join(json.dumps(record) for record in records).encode()


def stored(values: object) -> bytes:
    """A file of store.py, its check sum right whatever the values are."""
    body = json.dumps(values).encode()
    return b"%s*%08x" % (body, binascii.crc32(body))


ROSTER = {roster.FORMAT: 1, "board": "e6", "chips": {"b10": "04112233445566", "mill": None}}
INFO = b"UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"


def read_log(path: Path) -> None:
    """As `spiceboard log replay FILE`."""
    log.replay(log.from_file(path), None)


def read_config(path: Path) -> None:
    """As any command does that was given no port."""
    folder = path.parent / "home/spiceboard"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_bytes(path.read_bytes())
    configured({"XDG_CONFIG_HOME": str(path.parent / "home")})


def read_info(path: Path) -> None:
    """As `spiceboard flash` looks for a board in BOOTSEL."""
    (path.parent / "INFO_UF2.TXT").write_bytes(path.read_bytes())
    in_bootsel([path.parent])


def read_settings(path: Path) -> None:
    """As a board does at its start: it starts, with defaults where need be."""
    (path.parent / "settings.a").write_bytes(path.read_bytes())
    found = Settings(str(path.parent / "settings"))
    assert not [name for name in found.values() if name not in found.defaults()]
    found.get("brightness"), found.zone("gain", "curry")


def read_stored_roster(path: Path) -> None:
    """As a board does; every chip has a place."""
    (path.parent / "roster.a").write_bytes(path.read_bytes())
    assert len(Roster(str(path.parent / "roster")).in_order()) == len(CHIPS)


def read_journal(path: Path) -> None:
    """As a board does; a new game can be begun whatever lay there."""
    folder = path.parent / "log"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / "g0001-000.log").write_bytes(path.read_bytes())
    journal = Journal(str(folder))
    try:
        records, wrong = journal.load()
        assert isinstance(records, list) and isinstance(wrong, str)
    except (ValueError, RecursionError):
        pass  # app.on_demand.begin says so, and that nothing is taken up
    journal.logs()
    journal.begin(["new", "tiny", {}])
    assert Journal(str(folder)).load()[0] == [["new", "tiny", {}]]


def read_position(path: Path) -> None:
    """As `new` with a position; ValueError is its word for no."""
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        games.load(text.split(" ")[0]).parse(text)
    except (ValueError, KeyError) as error:
        if isinstance(error, KeyError) and text.split(" ")[0] in games.GAMES:
            raise


def read_game(path: Path) -> None:
    """As `spiceboard games import FILE`."""
    kept_games.read_file(path)


def read_archive(path: Path) -> None:
    """As `spiceboard games list`, `show` and `stats`."""
    archive = Archive(path)
    for row in archive.rows():
        archive.get(row.number).standing()


def game() -> Score:
    """A finished game of Nine Bowls."""
    rules = games.load("ninebowls")
    state = rules.new({"players": 2, "seed": 3})
    score = Score("ninebowls", rules.text(state), [], {"ended": "2026-11-28T20:00:00Z"})
    while not rules.over(state):
        event = rules.legal(state, rules.seats_asked(state)[0])[0]
        score.events.append(event)
        state, _ = rules.step(state, event)
    return score


def archive_file() -> bytes:
    """An archive with that game."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(Path(folder) / "games.sqlite")
        archive.add(game())
        return archive.path.read_bytes()


def position(name: str) -> bytes:
    game = games.load(name)
    text: str = game.text(game.new({"players": 2, "seed": 3}))
    return text.encode()


KINDS: dict[str, tuple[Callable[[Path], object], tuple[bytes, ...]]] = {
    "uf2": (read_uf2, (e10() + uf2(RP2350_ARM, 3), uf2(RP2040, 3))),
    "roster": (roster.read, (json.dumps(ROSTER, indent=1).encode(),)),
    "log": (read_log, (log_file(),)),
    "config": (read_config, (b'port = "id:E6614"\n[table]\nx = [1, 2]\n',)),
    "info": (read_info, (INFO,)),
    "settings": (
        read_settings,
        (stored([3, {"gain": {"curry": 5}, "brightness": 40}]), stored([1, {"gain": [1]}])),
    ),
    "stored_roster": (read_stored_roster, (stored([3, {"b10": "04112233445566", "r10": 7}]),)),
    "journal": (
        read_journal,
        (
            line(0, b'["new", "jaipur", {"players": 2}, null, "wire"]')
            + line(1, b'["e", ["take", 0, 3]]')
            + line(2, b'["undo"]'),
            line(0, b'["new", "ninebowls", {"players": 2}, null, "wire"]')
            + line(1, b'["over", [[0, 1, {}]], "ninebowls"]'),
        ),
    ),
    "game": (read_game, (game().text().encode(),)),
    "archive": (read_archive, (archive_file(),)),
    "position": (read_position, tuple(position(name) for name in games.GAMES)),
}
PIECES = (
    b"null", b"-1", b"1e999", b"NaN", b"[" * 3000, b"{" * 3000, b'"', b"\\ud800", b"\xff\xfe",
    b"9" * 5000, b"\x00" * 40, b"[]", b"{}", b"true", b"\n", b"-", b"@", b"/", b" ", b"*00000000",
)  # fmt: skip


def mutilated(data: bytes, chance: random.Random) -> bytes:
    """The data, damaged in one to four places: bits, bytes, cuts, doubled and foreign pieces."""
    found = bytearray(data)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(found) + 1)
        end = min(len(found), at + chance.randrange(1, 1 + chance.choice((2, 9, 512))))
        kind = chance.randrange(6)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[at:end]
        elif kind == 2:
            found[at:at] = found[at:end]
        elif kind == 3:
            found[at:end] = chance.choice(PIECES)
        elif kind == 4:
            found[at:end] = chance.randbytes(end - at)
        else:
            del found[chance.randrange(len(found) + 1) :]
    return bytes(found)


def sealed(kind: str, data: bytes, chance: random.Random) -> bytes:
    """The data with right check sums, as a firmware to come might have written it."""
    if kind in ("settings", "stored_roster"):
        body = data[:-9]
        return b"%s*%08x" % (body, binascii.crc32(body))
    if kind == "journal":
        payloads = [mutilated(b'["e", ["take", 0, 3]]', chance).replace(b"\n", b" ")] * 2
        first = b'["new", "jaipur", {"players": 2}, null, "wire"]'
        return b"".join(line(n, text) for n, text in enumerate([first, *payloads]))
    return data


def tried(kind: str, data: bytes, folder: Path) -> None:
    """A sentence with a code, or no error."""
    read, _ = KINDS[kind]
    path = folder / "file"
    path.write_bytes(data)
    try:
        read(path)
    except UserError as error:
        assert len(str(error)) > 20 and 1 <= error.exit_code <= 7
        assert "\n" not in str(error) and len(str(error)) < 2000


def many(kind: str, folder: Path, trials: int) -> None:
    @settings(
        max_examples=trials, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(st.integers(0, 1 << 60))
    def each(seed: int) -> None:
        chance = random.Random(seed)
        data = mutilated(chance.choice(KINDS[kind][1]), chance)
        tried(kind, sealed(kind, data, chance) if seed % 3 else data, folder)

    each()


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file(kind: str, tmp_path: Path) -> None:
    for good in KINDS[kind][1]:
        tried(kind, good, tmp_path)
    many(kind, tmp_path, TRIALS)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_many_damaged_files(kind: str, tmp_path: Path) -> None:
    many(kind, tmp_path, SOAK_TRIALS)


def kept() -> list[Path]:
    return sorted(path for path in CORPUS.iterdir() if path.is_file())


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.name)
def test_files_that_once_broke_a_tool(path: Path, tmp_path: Path) -> None:
    """The kind is the name up to the first dot."""
    tried(path.name.split(".")[0], path.read_bytes(), tmp_path)
