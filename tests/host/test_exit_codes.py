"""One table of exit codes: commands, their help and the documents agree with it."""

import importlib
import pkgutil

import pytest

import spiceboard
from checkout import ROOT
from spiceboard.commands import main
from spiceboard.errors import EXIT_CODES, OF_ALL, UserError

START, END = "<!-- table of exit codes -->\n", "<!-- end of the codes -->\n"
HOST_COMMANDS = [n for n, (module, _) in main.COMMANDS.items() if module.startswith("spiceboard.")]


def kinds(of: type[UserError]) -> list[type[UserError]]:
    return [of, *(kind for below in of.__subclasses__() for kind in kinds(below))]


def test_every_error_of_a_command_ends_with_a_code_of_the_table() -> None:
    for module in pkgutil.walk_packages(spiceboard.__path__, "spiceboard."):
        importlib.import_module(module.name)
    found = kinds(UserError)
    assert len(found) > 15
    assert {kind.exit_code for kind in found} <= set(EXIT_CODES) - {0, 130}
    of_flash = {kind.__module__ for kind in found if kind.exit_code not in OF_ALL}
    allowed = ("spiceboard.flash.", "spiceboard.commands.flash", "spiceboard.board.repl")
    allowed += ("spiceboard.diag.module",)
    assert [module for module in of_flash if not module.startswith(allowed)] == []


@pytest.mark.parametrize(("page", "codes"), [("flash", EXIT_CODES), ("diagnosis", OF_ALL)])
def test_the_pages_have_the_table(page: str, codes: tuple[int, ...], rewrite: bool) -> None:
    path = ROOT / "docs" / f"{page}.md"
    text = path.read_text()
    before, rest = text.split(START)
    _, after = rest.split(END)
    rows = "".join(f"| {code} | {EXIT_CODES[code]} |\n" for code in codes)
    wanted = f"{before}{START}| code | meaning |\n| --- | --- |\n{rows}{END}{after}"
    if rewrite:
        path.write_text(wanted)
    assert text == wanted or rewrite, "run: pytest tests/host/test_exit_codes.py --rewrite"


@pytest.mark.parametrize("command", ["", *HOST_COMMANDS])
def test_every_help_names_the_codes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main([*command.split(), "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for code in EXIT_CODES if command in ("", "flash") else OF_ALL:
        assert f" {code} {EXIT_CODES[code]}" in shown
