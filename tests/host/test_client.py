"""The client against a scripted board: hello, events, gaps, damage, restart, reconnect."""

import pytest

from spiceboard.board.client import Client, NoReply, Refused
from spiceboard.board.link import Transport
from spiceboard.board.scripted import ScriptedPeer
from spiceboard.errors import LinkError
from spicecore import version
from spicecore.wire import messages

HELLO = {"protocol": version.PROTOCOL, "firmware": "0.1.0", "board": "ab", "boot": 7}


def connected(seq: int = 10) -> tuple[ScriptedPeer, Client]:
    peer = ScriptedPeer()
    peer.expect("hello").reply(**HELLO)
    peer.expect("snapshot").reply(seq=seq, game=None)
    client = Client(peer)
    client.connect()
    peer.assert_done()
    return peer, client


def test_hello_then_snapshot() -> None:
    _, client = connected()
    assert client.hello["board"] == "ab"
    assert client.snapshot["seq"] == 10


@pytest.mark.parametrize("end", [b"b2\n", b'red","mint"]]}*12b2\n', b"*12b2\r\n"])
def test_the_end_of_a_message_that_began_before_the_link_is_no_text(end: bytes) -> None:
    """A port throws away what waits when it is opened: what comes then may begin anywhere."""
    peer = ScriptedPeer()
    peer.expect("hello").raw(end + b"MicroPython v1.29\r\nb2\r\n").reply(**HELLO)
    peer.expect("snapshot").reply(seq=0, game=None)
    client = Client(peer)
    client.connect()
    assert client.poll() == [("console", "MicroPython v1.29"), ("console", "b2")]


def test_hello_is_repeated_while_the_board_starts() -> None:
    peer = ScriptedPeer()
    peer.expect("hello")
    peer.expect("hello").raw(b"MicroPython v1.29\r\n")
    peer.expect("hello").reply(**HELLO)
    peer.expect("snapshot").reply(seq=0, game=None)
    client = Client(peer)
    client.connect()
    peer.assert_done()
    assert client.poll() == [("console", "MicroPython v1.29")]


def test_a_late_reply_to_an_earlier_hello_counts() -> None:
    """A slow board answers the first when the second was asked; its answer to that is dropped."""
    peer = ScriptedPeer()
    peer.expect("hello")
    peer.expect("hello").raw(messages.encode({"re": 1, "ok": True, **HELLO}))
    peer.expect("snapshot").raw(messages.encode({"re": 2, "ok": True, **HELLO})).reply(seq=3)
    client = Client(peer)
    assert client.connect()["board"] == "ab"
    peer.assert_done()
    assert client.snapshot["seq"] == 3 and client.slower == 1


def test_nobody_answers() -> None:
    peer = ScriptedPeer()
    for _ in range(20):
        peer.expect("hello")
    with pytest.raises(NoReply, match="no Spiceboard answers on scripted") as error:
        Client(peer).connect()
    assert peer.now() == 20.0 and "It says" not in str(error.value)


def test_what_a_board_prints_that_does_not_start_is_told() -> None:
    peer = ScriptedPeer()
    for _ in range(30):
        peer.expect("hello").raw(b"Traceback:\r\nImportError: no module named 'board'\r\n\r\n")
        peer.expect("hello")
    with pytest.raises(NoReply, match=r"It says:\n  Traceback:\n  ImportError: no module named"):
        Client(peer).connect()


def test_the_version_before_ours_is_spoken() -> None:
    peer = ScriptedPeer()
    peer.expect("hello").reply(protocol=version.PROTOCOL - 1, boot=1)
    peer.expect("snapshot").reply(seq=3, unknown_field=[1])
    client = Client(peer)
    client.connect()
    peer.say(4, board=["a kind of event from the future", 1], more=2)
    peer.say(5, another="kind")
    assert client.poll() == [("board", ["a kind of event from the future", 1])]
    assert client.counts["gaps"] == 0


@pytest.mark.parametrize(
    ("spoken", "way"),
    [
        (version.PROTOCOL + 1, "update this program"),
        (version.PROTOCOL - 2, "spiceboard flash"),
        (None, "spiceboard flash"),
    ],
)
def test_other_versions_are_refused_with_the_way_out(spoken: int | None, way: str) -> None:
    peer = ScriptedPeer()
    peer.expect("hello").reply(protocol=spoken, boot=1)
    with pytest.raises(LinkError, match=way):
        Client(peer).connect()


def test_events_in_order_and_console_apart() -> None:
    peer, client = connected()
    peer.raw(b"a warning\n")
    peer.say(11, game=["thrown", 0])
    peer.raw(b"no line feed")
    peer.say(12, board=["step", 1])
    assert client.poll() == [
        ("console", "a warning"),
        ("game", ["thrown", 0]),
        ("console", "no line feed"),
        ("board", ["step", 1]),
    ]


def test_an_event_cut_in_two_arrives_whole() -> None:
    peer, client = connected()
    line = messages.encode({"seq": 11, "board": ["step", 1]})
    peer.raw(line[:9])
    assert client.poll() == []
    peer.raw(line[9:])
    assert client.poll() == [("board", ["step", 1])]


def test_a_gap_leads_to_a_snapshot() -> None:
    peer, client = connected()
    peer.say(14, board=["step", 4])
    peer.expect("hello").reply(**HELLO)
    peer.expect("snapshot").reply(seq=14)
    assert client.poll() == [("board", ["step", 4]), ("resync", "3 events were missed")]
    assert client.counts["gaps"] == 1
    peer.say(15, board=["step", 5])
    assert client.poll() == [("board", ["step", 5])]
    peer.assert_done()


def test_events_under_way_that_the_snapshot_contains_are_dropped() -> None:
    peer, client = connected()
    peer.expect("ping").event(11, board=["step", 1]).reply(data=None)
    client.request("ping")
    peer.say(11, board=["step", 1])
    assert client.poll() == [("board", ["step", 1])]
    assert client.poll() == []


def test_an_event_right_behind_the_snapshot_is_no_gap() -> None:
    peer, client = connected()
    peer.expect("snapshot").event(11, board=["step", 1]).reply(seq=11).event(12, board=["step", 2])
    client.resync()
    peer.say(13, board=["step", 3])
    assert client.poll() == [("board", ["step", 1]), ("board", ["step", 2])]
    assert client.poll() == [("board", ["step", 3])]
    assert client.counts["gaps"] == 0


def test_a_damaged_line_is_noticed_at_once() -> None:
    peer, client = connected()
    peer.raw(messages.encode({"seq": 11, "board": ["step", 1]}).replace(b"step", b"stop"))
    peer.expect("hello").reply(**HELLO)
    peer.expect("snapshot").reply(seq=11)
    [(kind, why)] = client.poll()
    assert kind == "resync" and "damaged" in why
    peer.assert_done()


def test_a_board_that_started_anew() -> None:
    peer, client = connected()
    peer.say(1, board=["resumed", "safranito", "full", 2])
    peer.expect("hello").reply(**{**HELLO, "boot": 8})
    peer.expect("snapshot").reply(seq=1)
    assert client.poll() == [("resync", "the board restarted")]
    assert client.counts["restarts"] == 1
    peer.say(2, board=["step", 1])
    assert client.poll() == [("board", ["step", 1])]


def test_a_refusal_has_code_sentence_and_the_games_word() -> None:
    peer, client = connected()
    peer.expect("act", seat=1, key="k", event=["sell"]).refuse(
        "illegal", "It is not your turn.", why="not_your_turn"
    )
    with pytest.raises(Refused, match="It is not your turn") as caught:
        client.request("act", seat=1, key="k", event=["sell"])
    assert (caught.value.code, caught.value.why) == ("illegal", "not_your_turn")


def test_events_that_come_before_a_reply_are_kept() -> None:
    peer, client = connected()
    peer.expect("ping").event(11, board=["step", 1]).reply(data=5)
    assert client.request("ping", data=5)["data"] == 5
    assert client.poll() == [("board", ["step", 1])]


def test_a_reply_that_is_late_is_not_taken_for_another() -> None:
    peer, client = connected()
    peer.expect("ping", data="first")
    with pytest.raises(NoReply, match="did not answer `ping` within 2 s"):
        client.request("ping", timeout=2, data="first")
    peer.raw(messages.encode({"re": client._next_id - 1, "ok": True, "data": "late"}))
    peer.expect("ping", data="second").reply(data="second")
    assert client.request("ping", data="second")["data"] == "second"


def test_a_key_is_claimed_once() -> None:
    peer, client = connected()
    peer.expect("claim", seat=2).reply(key="abcd")
    assert client.claim(2) == client.claim(2) == "abcd"
    peer.assert_done()


def test_reconnect_goes_on_where_it_was() -> None:
    peer, client = connected()
    second = ScriptedPeer("second")
    second.expect("hello").reply(**HELLO)
    second.expect("snapshot").reply(seq=20)
    tries: list[Transport | None] = [None, None, second]

    def reopen() -> Transport:
        link = tries.pop(0)
        if link is None:
            raise LinkError("not there yet")
        return link

    client.reopen = reopen
    peer.unplug()
    assert client.poll() == [("resync", "the connection was lost and is back")]
    assert peer.closed and peer.now() == 0.5
    second.say(21, board=["step", 9])
    assert client.poll() == [("board", ["step", 9])]


def test_reconnect_gives_up_with_both_reasons() -> None:
    peer, client = connected()

    def reopen() -> Transport:
        raise LinkError("there is no such port")

    client.reopen = reopen
    peer.unplug()
    with pytest.raises(LinkError, match="lost; and there is no such port"):
        client.poll()
    assert peer.now() >= 10


def test_the_peer_fails_on_what_is_not_in_its_script() -> None:
    peer, client = connected()
    with pytest.raises(AssertionError, match="nothing more was expected"):
        client.request("ping")
    peer.expect("ping")
    with pytest.raises(AssertionError, match="expected ping, got"):
        client.request("status")
    peer.expect("log")
    with pytest.raises(AssertionError, match="never asked: log"):
        peer.assert_done()
