"""The server of the pages without a browser: who may do what, and bad input of every kind."""

import json
import resource
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pagesbench import PATIENCE_S, Bench, Talker, people, to_a_sale
from spiceboard import words
from spiceboard.errors import UserError
from spiceboard.pages import guard
from spiceboard.pages.keys import Keys
from spiceboard.pages.serve import Keep, bound
from spiceboard.pages.shelf import Shelf


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Two people at Safranito, nobody's page open yet."""
    made = Bench(tmp_path, "safranito", people(2), chef=0)
    yield made
    made.close()


def table_of(bench: Bench) -> Talker:
    page = Talker(bench, bench.table.keys.table)
    page.see(lambda frame: frame["is"] == "seat")
    return page


def answer(bench: Bench, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(bench.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.status, dict(reply.headers), reply.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def test_every_answer_carries_the_policy(bench: Bench) -> None:
    for path in (
        "/",
        "/seat",
        "/rules",
        "/replay",
        "/static/app.js",
        "/words/fr.json",
        "/nowhere",
    ):
        _, headers, _ = answer(bench, path)
        assert headers["content-security-policy"] == guard.CSP, path
    assert "unsafe" not in guard.CSP


@pytest.mark.parametrize(
    "path",
    ["/static/../desk.py", "/static/%2e%2e/desk.py", "/static/..%2fserve.py", "/static/",
     "/static", "/static/games", "//etc/passwd", "/words/../../pyproject.json", "/table.json"],
)  # fmt: skip
def test_nothing_but_the_shipped_files_is_served(bench: Bench, path: str) -> None:
    status, _, content = answer(bench, path)
    assert status in (404, 307) and b"import" not in content


def test_a_foreign_host_is_refused(bench: Bench) -> None:
    status, _, content = answer(bench, "/", Host="evil.example")
    assert status == 421 and b"address" in content


def test_a_foreign_origin_gets_no_socket(bench: Bench) -> None:
    with pytest.raises(InvalidStatus):
        Talker(bench, Origin="http://evil.example")


def test_a_spectator_sees_the_public_part_and_may_do_nothing(bench: Bench) -> None:
    page = Talker(bench)
    page.see(lambda frame: frame["is"] == "table")
    assert "invitations" not in page.last("table")
    for do in ("act", "throw", "new", "decide", "accept", "go_on", "undo", "leave", "missed"):
        reply = page.ask(do, seat=0, event=["missed", 0], chip="b10", zone="mint", strength=0.1,
                         doubt=1, game="jaipur", chairs=[])  # fmt: skip
        assert reply["is"] == "refused", do
    assert not [frame for frame in page.frames if frame["is"] == "seat"]


def test_a_seat_is_joined_once_and_its_key_is_its_own(bench: Bench) -> None:
    table = table_of(bench)
    code = bench.table.keys.invitations[1]
    phone = Talker(bench)
    reply = phone.ask("join", code=code)
    assert reply["is"] == "done" and reply["seat"] == 1
    phone.see(lambda frame: frame["is"] == "seat" and frame["seat"] == 1)
    thief = Talker(bench)
    refused = thief.ask("join", code=code)
    assert refused["is"] == "refused" and "taken" in refused["text"]
    table.see(lambda frame: frame["is"] == "table" and frame["seats"] == [0])
    assert table.ask("act", seat=1, event=["missed", 1])["is"] == "refused"
    again = Talker(bench, reply["key"])
    again.see(lambda frame: frame["is"] == "seat" and frame["seat"] == 1)


def test_the_table_takes_a_seat_over_and_the_old_key_is_void(bench: Bench) -> None:
    table = table_of(bench)
    phone = Talker(bench)
    key = phone.ask("join", code=bench.table.keys.invitations[1])["key"]
    assert table.ask("leave", seat=1)["is"] == "done"
    phone.see(lambda frame: frame["is"] == "notice" and frame["text"] == "seat-gone")
    assert phone.ask("act", seat=1, event=["missed", 1])["is"] == "refused"
    old = Talker(bench, key)
    assert old.greeting["is"] == "refused" and "spectator" in old.greeting["text"]


def test_a_throw_and_what_may_not_be(bench: Bench) -> None:
    table = table_of(bench)
    assert bench.game["view"]["throws"]["made"] == 0
    no = table.ask("throw", seat=1, chip="r10", zone="mint", strength=0.1)
    assert no["is"] == "refused" and "not your throw" in no["text"]
    for wrong in ({"zone": "nowhere", "strength": 0.1}, {"zone": "mint", "strength": 7},
                  {"x": 1e9, "y": 0, "strength": 0.5},
                  {"zone": "mint", "strength": "hard"}):  # fmt: skip
        assert table.ask("throw", seat=0, chip="b10", **wrong)["is"] == "refused"
    assert table.ask("throw", seat=0, chip="b10", zone="mint", strength=0.1)["is"] == "done"
    table.see(
        lambda f: f["is"] == "table" and f["snapshot"]["game"]["view"]["throws"]["made"] == 1
    )
    again = table.ask("throw", seat=0, chip="b20", zone="mint", strength=0.1)
    assert again["is"] == "refused"


def test_an_act_out_of_turn_or_senseless_is_the_boards_to_refuse(bench: Bench) -> None:
    table = table_of(bench)
    for event in (["reveal", 0], ["buy", 0], ["nonsense", 0, {"a": 1}], ["sell", 0, 1]):
        reply = table.ask("act", seat=0, event=event)
        assert reply["is"] == "refused" and reply["text"], event
    assert bench.game["step"] == 0


def test_a_stale_page_is_told_so(bench: Bench) -> None:
    table = table_of(bench)
    table.ask("throw", seat=0, chip="b10", zone="mint", strength=0.1)
    reply = table.ask("act", seat=0, event=["missed", 0], step=0)
    assert reply["is"] == "refused" and "went on" in reply["text"]


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "7", "null", '{"do": 3}', '{"do": "nonsense"}', '{"do": "act"}',
     '{"do": "act", "seat": true, "event": []}', '{"do": "throw", "seat": 0}', "[" * 3000,
     '{"do": "hello", "key": [1]}', '{"do": "new", "game": "safranito", "chairs": "x"}',
     '{"do": "moment", "number": "0", "at": "x"}', '{"do": "replay", "number": {}}'],
)  # fmt: skip
def test_malformed_messages_get_a_sentence_and_harm_nothing(bench: Bench, text: str) -> None:
    page = table_of(bench)
    page.socket.send(text)
    reply = page.until(lambda frame: frame["is"] in ("refused", "done"))
    assert reply["is"] == "done" or reply["text"]
    assert page.ask("games")["is"] == "done"
    assert bench.game["step"] == 0


def test_an_oversized_message_ends_only_its_own_page(bench: Bench) -> None:
    other = table_of(bench)
    page = Talker(bench)
    page.socket.send(json.dumps({"do": "hello", "key": "x" * 20_000}))
    with pytest.raises(ConnectionClosed):
        page.until(lambda frame: False)
    assert other.ask("games")["is"] == "done"


def test_a_page_that_talks_without_end_is_closed(bench: Bench) -> None:
    page = Talker(bench)
    with pytest.raises(ConnectionClosed):
        for _ in range(20 * guard.BURST):
            page.socket.send(json.dumps({"do": "games"}))
        page.until(lambda frame: False)


def test_a_game_is_begun_only_with_what_the_game_knows(bench: Bench) -> None:
    table = table_of(bench)
    one = {"who": "person"}
    for wrong in ({"game": "chess", "chairs": [one, one]}, {"game": "jaipur", "chairs": [one]},
                  {"game": "jaipur", "chairs": [one, {"who": "cat"}]},
                  {"game": "jaipur", "chairs": [one, {"who": "bot", "level": "none"}]},
                  {"game": "jaipur", "chairs": [one, one], "options": {"empty_sale": "maybe"}},
                  {"game": "safranito", "mode": "referee",
                   "chairs": [one, {"who": "bot"}]}):  # fmt: skip
        reply = table.ask("new", **wrong)
        assert reply["is"] == "refused" and reply["text"], wrong
    assert bench.game["name"] == "safranito"
    assert table.ask("new", game="jaipur", chairs=[one, one])["is"] == "done"
    table.see(lambda f: f["is"] == "table" and f["snapshot"]["game"]["name"] == "jaipur")


def test_french_is_a_message_away(bench: Bench) -> None:
    page = Talker(bench)
    page.ask("language", lang="fr")
    frame = page.see(lambda f: f["is"] == "table" and "lance" in f["prompt"][1][0])
    assert "jeton" in "".join(text for text, _ in frame["prompt"])
    assert page.ask("language", lang="xx")["is"] == "refused"


def test_a_second_server_on_the_same_port_is_refused_with_a_sentence() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    with pytest.raises(UserError, match="Another table"):
        bound(taken.getsockname()[1], False)
    taken.close()


def test_a_second_server_at_the_same_board_is_refused_with_a_sentence(tmp_path: Path) -> None:
    keep = Keep(tmp_path)
    with pytest.raises(UserError, match="keeps its table"):
        Keep(tmp_path)
    keep.save({"a": 1})
    assert keep.load() == {"a": 1}


def test_keys_survive_a_restart_and_damage(tmp_path: Path) -> None:
    keys = Keys()
    keys.begin([0, 1])
    seat, key = keys.join(keys.invitations[0])
    again = Keys()
    again.take_up(json.loads(json.dumps(keys.kept())))
    assert again.seat_of(key) == seat and again.table == keys.table
    again.take_up({"table": 3})
    again.take_up({"table": "x", "seats": {"a": 1}, "invitations": {}})
    assert again.seat_of(key) == seat


def test_a_full_disk_under_the_archive_is_told_and_harms_no_game(tmp_path: Path) -> None:
    """No file may become larger than a part of the archive; later there is room again."""
    bench = Bench(tmp_path, "ninebowls", people(2))
    page = table_of(bench)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, usual[1]))
        play_a_line(bench, page)
        told = page.see(lambda frame: frame["is"] == "notice" and "archive" in frame["text"])
        assert "disk is not full" in told["text"]
        assert bench.game["over"] and page.ask("games")["is"] == "done"
        assert page.ask("finished")["is"] == "refused"
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        reply = page.ask("new", game="ninebowls", chairs=[{"who": "person"}] * 2, seed=1)
        assert reply["is"] == "done", reply
        play_a_line(bench, page, ROW[::-1][:1] + ROW[1:4] + ROW[:1])
        page.table(lambda snapshot: snapshot["game"]["over"])
        end = time.monotonic() + PATIENCE_S
        while len(bench.table.server.archive.rows()) < 2:  # the first one was fetched again
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        bench.close()


ROW = ("curry", "chili", "ginger", "saffron", "cardamom")


def play_a_line(bench: Bench, page: Talker, bowls: tuple[str, ...] = ROW) -> None:
    """Nine Bowls: the first player gets three in a row."""
    hub, end = bench.table.server.hub, time.monotonic() + PATIENCE_S
    for number, bowl in enumerate(bowls):
        seat = number % 2
        while True:
            assert time.monotonic() < end, (number, str(bench.game), str(hub.seats), hub.lost)
            found = [e for e in hub.seats.get(seat, {"legal": []})["legal"] if bowl in e]
            if found and page.ask("act", seat=seat, event=found[0])["is"] == "done":
                break
            time.sleep(0.01)


def test_games_are_put_aside_only_where_the_board_is_simulated(bench: Bench) -> None:
    table = table_of(bench)
    assert table.ask("saved")["games"] == []
    reply = table.ask("aside")
    assert reply["is"] == "refused" and "simulated board only" in reply["text"]
    assert Talker(bench).ask("aside")["is"] == "refused"


def test_a_shelf_keeps_what_it_cannot_put_aside(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    (tmp_path / "flash").mkdir()
    (tmp_path / "flash" / "a").write_text("one")
    shelf.put({"game": "jaipur", "round": 2, "chairs": [], "seed": 1})
    assert not (tmp_path / "flash").exists()
    with pytest.raises(UserError, match="could not be put aside"):
        shelf.put({"game": "jaipur", "round": 2, "chairs": [], "seed": 1})  # nothing is there
    [row] = shelf.rows()
    with pytest.raises(UserError, match="not there any more"):
        shelf.take("../" + row["name"])
    assert shelf.take(row["name"])["game"] == "jaipur"
    assert (tmp_path / "flash" / "a").read_text() == "one" and shelf.rows() == []


def test_bots_wait_for_whoever_reads_and_go_as_fast_as_the_table_says(bench: Bench) -> None:
    table = table_of(bench)
    hub = bench.table.server.hub
    assert table.ask("reading", on=True)["is"] == "done" and hub.reading()
    assert table.ask("reading", on=False)["is"] == "done" and not hub.reading()
    spectator = Talker(bench)
    spectator.ask("reading", on=True)
    assert not hub.reading()  # nobody waits for a spectator
    assert spectator.ask("manner", pace=1, lifts=True)["is"] == "refused"
    assert table.ask("manner", pace=9, lifts=True)["is"] == "refused"
    assert table.ask("manner", pace=0, lifts=False)["is"] == "done"
    table.see(lambda f: f["is"] == "table" and f["manner"] == {"pace": 0, "lifts": False})


def test_chips_go_home_by_a_click_where_the_table_wants_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "safranito", people(2), chef=0)
    try:
        table = table_of(bench)
        table.ask("manner", pace=0, lifts=False)
        table.ask("throw", seat=0, chip="b10", zone="mint", strength=0.1)
        table.table(lambda snapshot: snapshot["game"]["view"]["throws"]["made"] == 1)

        def taken() -> None:
            """A hand took it, against the rules."""
            bench.board.flat.lift("b10")
            bench.board.event(board=["mismatch"])

        bench.at_board(taken)
        wrong = table.table(lambda snapshot: snapshot["mismatch"])["snapshot"]["mismatch"]
        assert wrong == [["blue", None, "mint"]]
        gone = table.ask("put_right", colour="red", seen="mint", due=None)
        assert gone["is"] == "refused" and "agree" in gone["text"]
        assert table.ask("put_right", colour="blue", seen=None, due="mint")["is"] == "done"
        table.table(lambda snapshot: not snapshot["mismatch"])
    finally:
        bench.close()


@pytest.mark.slow
def test_fifty_pages_get_every_event_in_order(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "rathot", [])
    try:
        pages = [Talker(bench) for _ in range(50)]
        bench.new("rathot", people(0, 2), seed=3)
        end = time.monotonic() + 4 * PATIENCE_S
        while not bench.game["over"]:
            assert time.monotonic() < end
            time.sleep(0.1)
        last = bench.table.server.hub._next_line - 1
        assert last > 50
        for page in pages:
            page.see(lambda f: f["is"] == "log" and f["lines"] and f["lines"][-1]["n"] == last)
            told = [line["n"] for f in page.frames if f["is"] == "log" for line in f["lines"]]
            assert told == list(range(1, last + 1))
    finally:
        bench.close()


@pytest.mark.parametrize(
    "asked,spoken", [("fr-CH, en;q=0.8", "fr"), ("en-GB", "en"), ("xx", "en"), ("de, fr", "de")]
)
def test_the_browsers_language_is_spoken_also_one_of_a_new_file(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, spoken: str
) -> None:
    """A third language is a file: nothing else names it."""
    catalogs = tmp_path / "words"
    shutil.copytree(words.FOLDER, catalogs, ignore=shutil.ignore_patterns("*.py"))
    head = (catalogs / "fr.po").read_text(encoding="utf-8").split("\n\n")[0]
    text = (
        head.replace("Language: fr", "Language: de") + '\n\nmsgid "garlic"\nmsgstr "Knoblauch"\n'
    )
    (catalogs / "de.po").write_text(text, encoding="utf-8")
    monkeypatch.setattr(words, "FOLDER", catalogs)
    words.languages.cache_clear()
    try:
        _, _, content = answer(bench, "/words/any.json", **{"Accept-Language": asked})
        found = json.loads(content)
        assert found["language"] == spoken
        assert found["languages"] == {"en": "English", "de": "Deutsch", "fr": "Français"}
        garlic = {"fr": "ail", "de": "Knoblauch"}
        assert found["texts"].get("garlic") == garlic.get(spoken)
    finally:
        words.languages.cache_clear()


def test_a_seller_says_it_once_and_may_say_something_else(bench: Bench) -> None:
    to_a_sale(bench)
    page = Talker(bench, bench.table.keys.table)
    own = page.see(lambda frame: frame["is"] == "seat" and frame["seat"] == 0)
    assert own["said"] is None
    for count in (0, 0, 2, 2, 2, 0):
        assert page.ask("act", seat=0, event=["sell", 0, count], step=own["step"])["is"] == "done"
        page.table(lambda shot: shot["game"]["view"]["offers"] == [count, None])  # noqa: B023
    page.see(lambda f: f["is"] == "seat" and f["said"] == [["sell", 0, 0], "sell none"])
    sent = [m["event"][2] for m in bench.board.log if m["do"] == "act" and m["event"][0] == "sell"]
    assert sent == [0, 2, 0]
