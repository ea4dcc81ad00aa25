"""ERC, DRC and schematic parity by the real kicad-cli, with all severities.

python -m hardware.generate.check [board ...]       exit code 1 on any violation
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware import KICAD
from hardware.generate import kicad

BOARDS = ("bowl", "action", "controller")


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


def check_folder(folder: Path, lib: Path = KICAD / "lib") -> Verdict:
    """Checks the project in a folder; its name is the folder's name."""
    name = folder.name
    with kicad.Bench() as bench:
        bench.put(lib, "lib")
        bench.put(folder, name)
        flags = ("--severity-all", "--exit-code-violations", "--format", "json")
        erc = bench.cli(
            "sch", "erc", *flags, "-o", "erc.json", f"{name}/{name}.kicad_sch", check=False
        )
        drc = bench.cli(
            "pcb",
            "drc",
            *flags,
            "--schematic-parity",
            "-o",
            "drc.json",
            f"{name}/{name}.kicad_pcb",
            check=False,
        )
        out = Verdict(exit_codes=(erc.returncode, drc.returncode))
        for done, file in ((erc, "erc.json"), (drc, "drc.json")):
            if not (bench.path / file).exists():
                raise RuntimeError(
                    f"{name}: kicad-cli wrote no report: {(done.stdout + done.stderr)[-400:]}"
                )
        report = json.loads((bench.path / "erc.json").read_text())
        out.erc = [_say(v) for sheet in report["sheets"] for v in sheet["violations"]]
        report = json.loads((bench.path / "drc.json").read_text())
        out.drc = [_say(v) for v in report["violations"]]
        out.unconnected = [_say(v) for v in report["unconnected_items"]]
        out.parity = [_say(v) for v in report["schematic_parity"]]
    return out


def main(names: list[str]) -> int:
    bad = 0
    for name in names or BOARDS:
        verdict = check_folder(KICAD / name)
        print(
            f"{name:11} ERC {len(verdict.erc)}, DRC {len(verdict.drc)}, unconnected "
            f"{len(verdict.unconnected)}, parity {len(verdict.parity)}"
        )
        for line in verdict.lines()[:20]:
            print("   " + line)
        bad += not verdict.clean()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
