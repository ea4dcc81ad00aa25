"""Run KiCad's programs on files of this tree, wherever KiCad is installed.

A `kicad-cli` of version 9 on the PATH is used as it is. Else the folder that install_kicad.sh
fills is used by chroot: the files are copied in, the programs run with nothing of the host's
environment, and what they wrote is copied out. No bind mount, no /proc, no X server.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path


class KicadMissing(RuntimeError):
    """KiCad 9 is neither on the PATH nor installed in the project's cache."""


def default_root() -> Path:
    """The folder of the debootstrap installation (may not exist yet)."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("SPICEBOARD_KICAD_ROOT") or Path(cache) / "spiceboard" / "kicad")


def native_cli() -> str | None:
    """Path of a system's own kicad-cli of version 9, or None."""
    path = shutil.which("kicad-cli")
    if path is None:
        return None
    told = subprocess.run([path, "version"], capture_output=True, text=True, check=False).stdout
    return path if told.strip().startswith("9.") else None


def find_root() -> Path | None:
    """None when the system's own KiCad is used, else the chroot folder. Raises KicadMissing."""
    if native_cli():
        return None
    root = default_root()
    if (root / ".complete").exists():
        return root
    raise KicadMissing(
        "KiCad 9 is not here: run `make -C hardware install` (Debian and Ubuntu, as root, about "
        "two minutes), or put a kicad-cli of version 9 on the PATH"
    )


def share() -> Path:
    """KiCad's stock data: `symbols/` and `footprints/` are inside."""
    root = find_root()
    return (root / "usr/share/kicad") if root else Path("/usr/share/kicad")


class Bench:
    """A folder that KiCad's programs see: files go in, commands run, files come out.

    >>> with Bench() as bench:                                        # doctest: +SKIP
    ...     bench.put(Path("hardware/kicad/bowl"))
    ...     bench.cli("pcb", "drc", "bowl/bowl.kicad_pcb", "-o", "drc.rpt")
    """

    def __init__(self) -> None:
        self.root = find_root()
        base = self.root / "work" if self.root else None
        if base:
            base.mkdir(exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix="bench-", dir=base))

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def put(self, source: Path, name: str | None = None) -> Path:
        """Copies a file or folder in; returns where it lies now (host path)."""
        target = self.path / (name or source.name)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        return target

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a program with the bench as working folder. RuntimeError with its last words."""
        words = list(command)
        if self.root:
            inside = "/" + str(self.path.relative_to(self.root))
            clean = ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
            shell = f'cd "{inside}" && exec "$@"'
            words = [*_as_root(), "chroot", str(self.root), *clean, "/bin/sh", "-c", shell, "sh"]
            words += list(command)
        done = subprocess.run(
            words, cwd=self.path, capture_output=True, text=True, check=False, timeout=900
        )
        if check and done.returncode:
            tail = (done.stdout + done.stderr).strip()[-1500:]
            raise RuntimeError(f"{' '.join(command[:4])} ... ended with {done.returncode}: {tail}")
        return done

    def cli(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs kicad-cli."""
        return self.run("kicad-cli", *words, check=check)

    def python(self, script: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a script with the Python that has the `pcbnew` module."""
        self.put(script)
        return self.run("python3", script.name, *words)


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 else ["sudo"]
