"""`spiceboard module` at an emulated Pico without firmware: the first experiment of the guide.

The virtual reader of `curry` is the module: GP5 selects it, as on a desk. The command is run as a
person runs it; the code that reads its prompts here lays the tags.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from spiceboard.diag.module import wires
from spiceboard_sim.emulator.flash import read_files
from spiceboard_sim.emulator.runner import Runner

pytestmark = pytest.mark.emulated
CHIPS = ("b10", "r20", "g30", "o40", "b50")
ORDINARY_HZ, TUNED_HZ = 13.56e6, 17.5e6


class Session:
    """The command at a board, with hands that lay a tag whenever it asks for one."""

    def __init__(self, board: Runner, *options: str) -> None:
        command = [sys.executable, "-m", "spiceboard.commands.main", "module"]
        self.board = board
        self.process = subprocess.Popen(
            [*command, "--port", board.path, "--json", "--readings", "2", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.said = ""

    def prompt(self) -> str:
        """What it says until it waits for Enter; less when it ended."""
        assert self.process.stderr
        text = b""
        while not text.endswith(b"press Enter. ") and (byte := self.process.stderr.read(1)):
            text += byte
        self.said += text.decode()
        return text.decode()

    def enter(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def end(self) -> tuple[int, dict]:
        """Nobody presses Enter any more: its exit code and report."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.prompt()
        text = self.process.stdout.read()
        return self.process.wait(60), json.loads(text or "{}")

    def lay(self, tags: int) -> None:
        """Answer the first question, then lay so many tags, one for each question."""
        self.prompt()
        for chip in CHIPS[:tags]:
            self.enter()
            assert "Lay" in self.prompt(), self.said
            self.board.call("stack", chip, "curry")
        self.enter()
        self.prompt()


@pytest.mark.slow
def test_tags_that_are_tuned_are_read_in_a_stack_and_nothing_is_written(image: Path) -> None:
    with Runner(image, {"main.py": b"print('mine')\n"}) as board:
        board.call("retune", TUNED_HZ)
        session = Session(board, "--tuned", "--tags", "4")
        session.lay(4)
        code, report = session.end()
        assert code == 0, session.said
        assert [stack["gain_db"] in (23, 33) for stack in report["stacks"]] == [True] * 4
        assert len(report["stacks"][3]["uids"]) == 4
        assert "as docs/sensing.md expects" in session.said
        assert set(read_files(board.call("files"))) == {"main.py"}


@pytest.mark.slow
def test_of_three_ordinary_tags_one_gets_no_voltage(image: Path) -> None:
    """The bowl's model: 1.7 V at the lowest of three, where 2 V are needed."""
    with Runner(image, {}) as board:
        board.call("retune", ORDINARY_HZ)
        session = Session(board, "--tags", "3")
        session.lay(3)
        code, report = session.end()
        assert code == 0, session.said
        gains = [stack["gain_db"] for stack in report["stacks"]]
        assert gains[0] in (23, 33) and gains[1] in (23, 33) and gains[2] is None
        assert "only 2 answer" in session.said and "--tuned" in session.said


def test_who_has_no_module_gets_the_wiring(image: Path) -> None:
    with Runner(image, {}) as board:
        board.call("fault", "reader_dies", {"zone": "curry"})
        session = Session(board)
        code, _ = session.end()
        assert code == 1 and "MISO stays low" in session.said, session.said
        for _, pin, number in wires():
            assert f"{pin}, pin {number}" in session.said
        board.call("fault", "clone_version", {"zone": "curry"})
