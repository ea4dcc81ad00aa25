"""The commands that the documents name exist, and those marked `sh run` are run as they stand.

A fenced block ```sh holds commands: each `make` target must exist, each `spiceboard` command must
know every option that is shown. A block ```sh run is executed in the checkout and must succeed.
Links from page to page must lead somewhere.
"""

import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```(sh(?: run)?)\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
BIN = Path(sys.executable).parent


def commands(text: str) -> list[tuple[str, str]]:
    """(kind, command) of every line in the page's blocks, without comments and prompts."""
    found = []
    for kind, body in BLOCK.findall(text):
        for line in body.replace("\\\n", " ").splitlines():
            line = line.strip().removeprefix("$ ")
            if line and not line.startswith("#"):
                found.append((kind, line))
    return found


def all_commands() -> list[tuple[str, str, str]]:
    return [
        (page.name, kind, line)
        for page in PAGES
        if page.exists()
        for kind, line in commands(page.read_text())
    ]


@functools.cache
def help_of(command: str) -> str:
    """What `spiceboard command --help` prints; it must succeed."""
    arguments = [str(BIN / "spiceboard"), *([command] if command else []), "--help"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def check_spiceboard(words: list[str]) -> None:
    """The command exists and its help names every long option used."""
    command = words[0] if words and not words[0].startswith("-") else ""
    shown = help_of(command)
    for word in words:
        if word.startswith("--"):
            assert word.split("=")[0] in shown, f"spiceboard {command} knows no {word}"


def check_make(words: list[str]) -> None:
    """The target exists; ARGS go to the command of the same name."""
    targets = [word for word in words if "=" not in word and not word.startswith("-")]
    done = subprocess.run(
        ["make", "-n", *targets], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    for word in words:
        if word.startswith("ARGS=") and targets == ["play"]:
            check_spiceboard(["play", *shlex.split(word[5:])])


@pytest.mark.parametrize(("page", "kind", "line"), all_commands())
def test_commands_exist(page: str, kind: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        check_make(words[1:])
    elif words[0].endswith("spiceboard"):
        check_spiceboard(words[1:])


@pytest.mark.parametrize(
    ("page", "line"), [(page, line) for page, kind, line in all_commands() if kind == "sh run"]
)
def test_commands_run(page: str, line: str) -> None:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), target


def test_requirements_are_all_there_and_name_tests_that_exist() -> None:
    page = (ROOT / "docs/requirements.md").read_text()
    assert [int(n) for n in re.findall(r"^\| (\d+) \|", page, re.M)] == list(range(1, 57))
    for path, name in re.findall(r"`(tests/[\w/.]+)::(\w+)`", page):
        source = ROOT / path
        assert source.exists(), path
        assert re.search(rf"^(async )?def {name}\(", source.read_text(), re.M), f"{path}::{name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_a_page_names_exist(page: Path) -> None:
    if page.name != "CHANGELOG.md":
        for path in re.findall(r"tests/[\w/]+\.py", page.read_text()):
            assert (ROOT / path).exists(), path


def test_what_the_application_takes_of_a_board_is_on_the_page() -> None:
    sources = [path.read_text() for path in (ROOT / "firmware/app").rglob("*.py")]
    taken = {name for source in sources for name in re.findall(r"\bboard\.(\w+)", source)}
    page = (ROOT / "docs/extending.md").read_text()
    assert len(taken) > 20
    assert taken <= set(re.findall(r"`(\w+)`", page))


def test_every_command_has_help() -> None:
    shown = help_of("")
    for name in re.findall(r"^    (\w+) +\w", shown, re.M):
        assert len(help_of(name)) > 100, name


def test_the_checks_bite() -> None:
    page = "```sh\nmake nothing-of-the-kind\nspiceboard play --no-such-option 1\n```\n"
    (_, make), (_, play) = commands(page)
    with pytest.raises(AssertionError):
        check_make(shlex.split(make)[1:])
    with pytest.raises(AssertionError, match="knows no --no-such-option"):
        check_spiceboard(shlex.split(play)[1:])
