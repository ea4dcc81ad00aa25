"""Bring the catalogs of host/spiceboard/words up to the sources: tools/words.py [LANGUAGE ...]

What is new is added without a translation, what is gone is removed, what is translated stays. A
language that has no file yet gets one. `tests/house/test_words.py` says what is left to do.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
HOST = ROOT / "host" / "spiceboard"
FOLDER = HOST / "words"
METHODS = [("**.py", "python"), ("**.js", "javascript")]
OPTIONS = {"**.js": {"parse_template_string": "true"}}  # `... ${_("text")}` is one too
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
Text = str | tuple[str, ...]
FORMS = "nplurals=2; plural=(n > 1);"  # of a new language: as in French, till somebody mends it


def texts() -> set[Text]:
    """Every text of the sources that players read; with a plural, (one, many)."""
    found = extract_from_dir(str(HOST), METHODS, OPTIONS, keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found}


def translations(path: Path) -> dict[Text, Text]:
    """What a catalog says; an untranslated text is empty."""
    with open(path, "rb") as file:
        return {plain(m.id): plain(m.string) for m in read_po(file) if m.id}


def plain(text: object) -> Text:
    """A text of Babel's, which may be a list."""
    return text if isinstance(text, str) else tuple(map(str, text or ()))  # type: ignore[call-overload]


def update(language: str) -> int:
    """Write the catalog again; return how many translations it lacks."""
    path = FOLDER / f"{language}.po"
    old = translations(path) if path.exists() else {}
    head = path.read_text(encoding="utf-8").split("\n\n")[0] if path.exists() else header(language)
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for text in sorted(texts(), key=lambda text: text if isinstance(text, str) else text[0]):
        empty: Text = "" if isinstance(text, str) else ("",) * len(text)
        catalog.add(text, old.get(text, empty))
    with open(path, "wb") as file:
        write_po(file, catalog, width=99, omit_header=True, sort_output=True)
    body = path.read_text(encoding="utf-8")
    path.write_text(f"{head}\n\n{body}", encoding="utf-8")
    return sum(not old.get(text) for text in texts())


def header(language: str) -> str:
    """The first entry of a catalog."""
    return (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: {FORMS}\\n"'
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.po")):
        print(f"{name}: {update(name)} texts to translate")
