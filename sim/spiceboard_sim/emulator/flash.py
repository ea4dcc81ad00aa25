"""littlefs images as MicroPython's RPI_PICO has them: made, read and unpacked on the desktop."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from littlefs import LittleFS
from littlefs.context import UserContext

from spiceboard_sim.emulator.chip import BLOCK, FS_SIZE

# Sizes of MicroPython's VfsLfs2 with rp2.Flash: read 32, program 32, lookahead 32, cache 128.
OPTIONS: dict[str, Any] = {
    "block_size": BLOCK,
    "block_count": FS_SIZE // BLOCK,
    "read_size": 32,
    "prog_size": 32,
    "cache_size": 128,
    "lookahead_size": 32,
    "name_max": 255,
}


def make_files(files: Mapping[str, bytes]) -> bytes:
    """A file system image that holds `files` {path from the root: content}."""
    system = LittleFS(**OPTIONS)
    for path, content in files.items():
        parent = PurePosixPath("/", path).parent
        if parent != PurePosixPath("/"):
            system.makedirs(str(parent), exist_ok=True)
        with system.open(str(PurePosixPath("/", path)), "wb") as file:
            file.write(content)
    return bytes(system.context.buffer)


def read_files(image: bytes) -> dict[str, bytes]:
    """All files of a file system image {path without the leading slash: content}.

    Raises littlefs.LittleFSError when it cannot be mounted.
    """
    context = UserContext(len(image))
    context.buffer = bytearray(image)
    system = LittleFS(context, mount=False, **OPTIONS)
    system.mount()
    found = {}
    for root, _folders, names in system.walk("/"):
        for name in names:
            path = str(PurePosixPath(root, name))
            with system.open(path, "rb") as file:
                found[path.lstrip("/")] = file.read()
    return found
