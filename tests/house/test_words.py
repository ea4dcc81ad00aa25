"""Every text that players read is in every catalog, and no catalog has more."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import words as tool

from spiceboard import words

PARTS = re.compile(r"\{\w+\}")
CATALOGS = sorted(tool.FOLDER.glob("*.po"))


def forms(text: tool.Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_catalog_has_what_the_sources_have(path: object) -> None:
    assert isinstance(path, type(tool.FOLDER))
    there, wanted = tool.translations(path), tool.texts()
    missing = [text for text in wanted if not all(forms(there.get(text, "")))]
    assert not missing, "translate these (tools/words.py adds them)"
    assert not set(there) - wanted, "no source has these any more (tools/words.py removes them)"


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_translation_has_the_parts_of_its_text(path: object) -> None:
    assert isinstance(path, type(tool.FOLDER))
    for text, told in tool.translations(path).items():
        for form in forms(told):
            assert set(PARTS.findall(form)) <= set(PARTS.findall(forms(text)[-1])), (text, form)
        most = {part for one in forms(told) for part in PARTS.findall(one)}
        assert most >= set(PARTS.findall(forms(text)[-1])), (text, told)


def marked(path: Path) -> Iterator[str]:
    """Texts that a module of ours translates or marks, wherever they stand: in an f-string Babel
    does not see them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in tool.KEYWORDS:
            first = node.args[0]  # type: ignore[attr-defined]
            assert not isinstance(first, ast.JoinedStr), f"{path}: an f-string has no translation"
            if isinstance(first, ast.Constant):
                yield first.value


def test_every_marked_text_is_found() -> None:
    known = {form for text in tool.texts() for form in forms(text)}
    for path in tool.HOST.rglob("*.py"):
        assert set(marked(path)) <= known, path


def test_a_language_is_spoken_where_it_is_asked_for() -> None:
    with words.using("fr"):
        assert words._("garlic") == "ail"
        plurals = [words.ngettext("{n} card", "{n} cards", n) for n in (0, 1, 2)]
        assert plurals == ["{n} carte", "{n} carte", "{n} cartes"]
    assert words._("garlic") == "garlic"


@pytest.mark.parametrize(
    "asked,spoken",
    [("fr-CH, en;q=0.8", "fr"), ("de, fr", "fr"), ("en-GB", "en"), ("fr_FR.UTF-8", "fr"),
     ("C", "en"), ("", "en"), ("xx:fr", "fr")],
)  # fmt: skip
def test_the_first_known_language_is_spoken(asked: str, spoken: str) -> None:
    assert words.wanted(asked) == spoken


def test_french_marks_stay_with_their_word() -> None:
    """French has a space before ; : ? ! and within guillemets: no line may break there."""
    for told in tool.translations(tool.FOLDER / "fr.po").values():
        for form in forms(told):
            assert not re.search(r"[^\xa0\d][;?!»]| [:;?!»]|«[^\xa0]|\w: ", form), form
