"""The supply, and what lies on flash."""

from pathlib import Path

from spiceboard_sim.faults.registry import Target, fault


@fault("")
def supply_sags(board: Target, millivolts: float = 4300.0) -> None:
    """The 5 V supply is low: a weak adapter or a thin cable."""
    board.world.supply_mv = millivolts


@fault("")
def brown_out(board: Target) -> None:
    """The supply fails for a moment: everything restarts on the same flash."""
    restart = getattr(board, "restart", None)
    if restart is None:
        raise ValueError("this board cannot be restarted from here")
    restart()


@fault("")
def flash_full(board: Target, size: int = 0) -> None:
    """No file can grow beyond so many bytes: every longer write is an error."""
    limit = getattr(board, "limit_flash", None)
    if limit is None:
        raise ValueError("this board's flash cannot be limited from here")
    limit(size)


@fault("file")
def file_corrupt(board: Target, file: str, at: int = -20, flip: int = 0x10) -> None:
    """One bit of a file on flash has changed (journal, roster, settings, ...)."""
    path = Path(getattr(board, "flash", ".")) / file
    if not path.is_file():
        raise ValueError(f"there is no file {file} on this board's flash")
    data = bytearray(path.read_bytes())
    if not data:
        raise ValueError(f"{file} is empty")
    data[at % len(data)] ^= flip
    path.write_bytes(data)


@fault("file")
def file_cut(board: Target, file: str, keep: int) -> None:
    """A file on flash ends early: power failed while it was written."""
    path = Path(getattr(board, "flash", ".")) / file
    if not path.is_file():
        raise ValueError(f"there is no file {file} on this board's flash")
    path.write_bytes(path.read_bytes()[:keep])
