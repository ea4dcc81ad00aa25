"""Every sentence with which the board refuses what a person does is known, in every language."""

import ast
import re
from collections.abc import Iterator

import pytest

from checkout import ROOT
from spiceboard import words
from spiceboard.words import refusals

FIRMWARE = ROOT / "firmware"
PLACES = [
    *sorted((FIRMWARE / "lib/spicecore/games").rglob("*.py")),
    FIRMWARE / "lib/spicecore/facts.py",
    *(FIRMWARE / "app" / name for name in ("keep.py", "play.py", "session.py", "talk.py")),
    *(FIRMWARE / "app/on_demand" / name for name in ("begin.py", "visit.py")),
]
# What only programs get wrong: the form of an event, of a request, of a line of notation.
OF_PROGRAMS = (
    "malformed", "unknown_event", "unknown_zone", "bad_argument",
    "bad_position", "unknown_command", "unknown_game", "illegal", "wrong_seat", "not_wire",
    "unknown_chip",
)  # fmt: skip
SENTENCES_OF_PROGRAMS = (
    "players is a whole number", "sensing is readers or wire",
    "in this game the wire tells where chips lie: use sense",
    "to end the game, confirm must be true", "the position of a full game holds its secrets",
)  # fmt: skip


def text_of(node: ast.AST) -> str | None:
    """The text of a constant, of `"..." % x` or of `"..." + x`, with %s where a value stands."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return text_of(node.left)
    return None


def sentences() -> Iterator[tuple[str, str]]:
    """(code, sentence) of every refusal in the sources."""
    for path in PLACES:
        for node in ast.walk(ast.parse(path.read_text())):
            pair: list[ast.expr] = []
            if isinstance(node, ast.Tuple) and len(node.elts) == 2:
                pair = node.elts
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                pair = node.args[:2]
            if len(pair) == 2 and isinstance(pair[0], ast.Constant):
                code, text = pair[0].value, text_of(pair[1])
                if isinstance(code, str) and text and " " in text:
                    yield code, text


FOUND = sorted(set(sentences()))


def filled(sentence: str) -> str:
    """A sentence as the board sends it, with something in every place."""
    return re.sub(r"%[sdr]", "7", sentence)


def test_the_search_finds_the_games_sentences() -> None:
    texts = [text for _, text in FOUND]
    for part in ("You can sell at most %d.", "The game is over.", "You hold %d of %s, not %d."):
        assert part in texts
    assert len(texts) > 60


@pytest.mark.parametrize("code,sentence", FOUND)
def test_a_sentence_has_a_form(code: str, sentence: str) -> None:
    if code in OF_PROGRAMS or sentence in SENTENCES_OF_PROGRAMS:
        return
    sent = filled(sentence).replace("(7, 7)", "7")
    assert any(re.match(refusals.pattern(form), sent) for form in refusals.FORMS), sentence


def test_a_form_says_only_what_the_firmware_says() -> None:
    """No form outlives its sentence. Some are put together: how begins, how ends."""
    texts = [filled(text).replace("(7, 7)", "7") for _, text in FOUND]
    sources = " ".join(path.read_text() for path in PLACES)
    for form in refusals.FORMS:
        known = any(re.match(refusals.pattern(form), text) for text in texts)
        start = re.split(r"\{", form)[0][:24]
        assert (
            known
            or (start and start in sources)
            or "link was lost" in form
            or (re.split(r"\}", form)[-1][:24] in sources)
        ), form


def test_what_the_programs_say_is_said_so() -> None:
    files = [p for p in (ROOT / "host/spiceboard").rglob("*.py") if p.name != "refusals.py"]
    host = " ".join(path.read_text() for path in files)
    for form in refusals.OF_HOST:
        assert form.split("{")[0][-12:] in host, form


@pytest.mark.parametrize(
    "sentence,told",
    [
        ("You hold 2 of cloth, not 3.", "Cartes tissu en main\N{NO-BREAK SPACE}: 2, et non 3."),
        ("The game is over.", "La partie est finie."),
        (
            "Lift the chips that still lie on the board first: red in reserve, blue in garlic.",
            "Retirez d'abord les jetons qui sont encore sur le "
            "plateau\N{NO-BREAK SPACE}: rouge sur la case Réservation d'un plat, bleu dans le "
            "bol d'ail.",
        ),
        (
            "decide first whether the chip of green counts in mint",
            "décidez d'abord si le jeton vert compte dans le bol de menthe",
        ),
        (
            "Square (0, 1) would lie on the table, but (0, 0) on a strip.",
            "La case (0, 1) serait sur la table, mais (0, 0) sur une carte.",
        ),
        (
            "no bot is called 'x'; there are: random, sensible",
            "aucun robot ne s'appelle 'x'\N{NO-BREAK SPACE}; il y a\N{NO-BREAK SPACE}: "
            "random, sensible",
        ),
        ("what nobody has foreseen", "what nobody has foreseen"),
    ],
)
def test_a_refusal_in_french(sentence: str, told: str) -> None:
    assert refusals.said_by_board(sentence) == sentence
    with words.using("fr"):
        assert refusals.said_by_board(sentence) == told


def refused_by_pages() -> list[str]:
    """What the pages and their table refuse with a constant sentence."""
    found = []
    for path in (ROOT / "host/spiceboard/pages").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id in ("Refusal", "UserError", "N_"):
                found += [n.value for n in node.args if isinstance(n, ast.Constant)]
    return found


def test_what_the_pages_refuse_is_told_in_french() -> None:
    sentences = refused_by_pages()
    assert len(sentences) > 30
    with words.using("fr"):
        assert [text for text in sentences if words._(text) == text] == []
        lost = (
            "connection to COM3 lost: the other side is gone; and cannot open COM3: "
            "there is no such port; check that the board is plugged in"
        )
        told = refusals.said_by_board(lost).replace("\N{NO-BREAK SPACE}", " ")
    assert told.partition(" est perdue : ")[2] == (
        "l'autre côté n'est plus là ; et impossible d'ouvrir COM3 : ce port n'existe pas ; "
        "vérifiez que le plateau est branché"
    )
