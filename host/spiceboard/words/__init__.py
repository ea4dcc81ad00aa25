"""What players read, in their language: gettext catalogs beside this file, `fr.po` and so on.

The English text is the key. A catalog is compiled when it is first used, so none is out of date.
Who adds a language adds a file: docs/extending.md.
"""

import gettext
import io
import locale
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

ENGLISH = "en"
FOLDER = Path(__file__).parent
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """Codes of all languages there are, English first."""
    return (ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po")))


@cache
def _catalog(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    # here, because English needs no Babel
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with open(FOLDER / f"{language}.po", "rb") as file:
        catalog = read_po(file)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _(text: str) -> str:
    """The text in the current language."""
    return _catalog(_language.get()).gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    """`one` or `many` in the current language, as `n` things are called; fill in `n` by format."""
    return _catalog(_language.get()).ngettext(one, many, n)


def N_(text: str) -> str:
    """Marks a text for the catalog that is translated later, where it is shown."""
    return text


@contextmanager
def using(language: str) -> Iterator[None]:
    """Speak this language within."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def speak(language: str) -> None:
    """Speak this language from now on, in this thread and what it begins."""
    _language.set(language)


def language() -> str:
    """The language that is spoken."""
    return _language.get()


def wanted(text: str) -> str:
    """The first known language of `fr-CH, en;q=0.8` or of a list of locales; English if none."""
    for part in re.split(r"[,:]", text):
        code = part.strip().split(";")[0].split("_")[0].split("-")[0].lower()
        if code in languages():
            return code
    return ENGLISH


def of_machine() -> str:
    """What LANGUAGE, LC_ALL, LC_MESSAGES and LANG ask for."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return wanted(os.environ[name])
    return wanted(locale.getlocale()[0] or ENGLISH)


@cache
def own_name(language: str) -> str:
    """What a language calls itself: "Français"."""
    from babel import Locale  # here, because commands need no Babel

    name = Locale.parse(language).get_display_name(language) or language
    return name[:1].upper() + name[1:]


@cache
def pages_catalog(language: str) -> dict[str, str]:
    """{English text: its translation}, for the pages.

    Of a text with a plural the second form is at the first one's text with "|many" behind it.
    """
    found: dict[Any, Any] = getattr(_catalog(language), "_catalog", {})
    texts = {key: text for key, text in found.items() if isinstance(key, str) and key}
    for key, text in found.items():
        if isinstance(key, tuple):
            texts[key[0] if key[1] == 0 else f"{key[0]}|many"] = text
    return texts
