"""ERC, DRC and schematic parity of the boards, DRC of the panels, by the real kicad-cli.

    python -m hardware.generate.check [board ...]       exit code 1 on any violation

Every severity counts. A panel has no schematic: its copies have the tile's own nets, so what would
be a fault of parity is a short or an unconnected item there.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware import KICAD, OUT
from hardware.arguments import parsed
from hardware.generate import kicad, panel
from hardware.layout.panel import PANELS


@dataclass
class Verdict:
    """What the two checks found; each entry is one sentence."""

    erc: list[str] = field(default_factory=list)
    drc: list[str] = field(default_factory=list)
    unconnected: list[str] = field(default_factory=list)
    parity: list[str] = field(default_factory=list)
    exit_codes: tuple[int, int] = (0, 0)

    def clean(self) -> bool:
        return self.exit_codes == (0, 0) and not (
            self.erc or self.drc or self.unconnected or self.parity
        )

    def lines(self) -> list[str]:
        return [*self.erc, *self.drc, *self.unconnected, *self.parity]


def _say(entry: dict[str, Any]) -> str:
    what = " / ".join(i["description"] for i in entry["items"])
    return f"{entry['severity']} {entry['type']}: {entry['description']} ({what})"


FLAGS = ("--severity-all", "--exit-code-violations", "--format", "json")


def _drc(bench: kicad.Bench, name: str, *more: str) -> tuple[int, dict[str, Any]]:
    """Exit code and report of a board in the bench. RuntimeError when there is no report."""
    words = ("pcb", "drc", *FLAGS, *more, "-o", "drc.json", f"{name}/{name}.kicad_pcb")
    return _report(bench, name, words, "drc.json")


def _report(
    bench: kicad.Bench, name: str, words: tuple[str, ...], file: str
) -> tuple[int, dict[str, Any]]:
    done = bench.cli(*words, check=False)
    path = bench.path / file
    if not path.exists():
        said = (done.stdout + done.stderr)[-400:]
        raise RuntimeError(f"{name}: kicad-cli wrote no report: {said}")
    return done.returncode, json.loads(path.read_text())


def check_folder(folder: Path, lib: Path = KICAD / "lib") -> Verdict:
    """Checks the project in a folder; its name is the folder's name."""
    name = folder.name
    with kicad.Bench() as bench:
        bench.put(lib, "lib")
        bench.put(folder, name)
        words = ("sch", "erc", *FLAGS, "-o", "erc.json", f"{name}/{name}.kicad_sch")
        erc, sheets = _report(bench, name, words, "erc.json")
        drc, report = _drc(bench, name, "--schematic-parity")
    return Verdict(
        erc=[_say(v) for sheet in sheets["sheets"] for v in sheet["violations"]],
        drc=[_say(v) for v in report["violations"]],
        unconnected=[_say(v) for v in report["unconnected_items"]],
        parity=[_say(v) for v in report["schematic_parity"]],
        exit_codes=(erc, drc),
    )


def check_panel(folder: Path, lib: Path = KICAD / "lib") -> Verdict:
    """Checks the panel in a folder; its name is the folder's name."""
    with kicad.Bench() as bench:
        bench.put(lib, "lib")
        bench.put(folder, folder.name)
        code, report = _drc(bench, folder.name)
    drc = [_say(v) for v in report["violations"]]
    unconnected = [_say(v) for v in report["unconnected_items"]]
    return Verdict(drc=drc, unconnected=unconnected, exit_codes=(0, code))


def _show(name: str, verdict: Verdict) -> bool:
    print(
        f"{name:12} ERC {len(verdict.erc)}, DRC {len(verdict.drc)}, unconnected "
        f"{len(verdict.unconnected)}, parity {len(verdict.parity)}"
    )
    for line in verdict.lines()[:20]:
        print("   " + line)
    return verdict.clean()


def main(words: list[str]) -> int:
    names = parsed(words, __doc__).boards
    clean = [_show(name, check_folder(KICAD / name)) for name in names]
    for name, sheet in PANELS.items():
        if sheet.board in names:
            panel.write(sheet, OUT / name)
            clean.append(_show(name, check_panel(OUT / name)))
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
