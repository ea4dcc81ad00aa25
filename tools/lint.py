"""Format, style, types and spelling in one call; every failing check is shown, not only the first.

Run by `make lint`. Tools are the pinned ones of .venv; a missing one is named and fails.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
# What tests share is typed, but not what also runs on MicroPython, which has no `typing`
# (tests/portable), and not the oracles: plain data, written to be read beside the rule book.
HELPERS = [
    path.relative_to(ROOT).as_posix()
    for path in sorted([*ROOT.glob("tests/*.py"), *ROOT.glob("tests/*/conftest.py")])
    if not path.name.startswith("test_")
]
CHECKS = [
    ["ruff", "format", "--check", "--quiet", "."],
    ["ruff", "check", "."],
    ["mypy", "host", "sim", "firmware", "tools", "hardware", *HELPERS],
    ["codespell", "--quiet-level=2", "."],
]


def run(check: list[str]) -> bool:
    """Run one check from the checkout; True when it is content."""
    program = BIN / check[0]
    print("$", " ".join(check), flush=True)
    if not program.exists():
        print(f"{check[0]} is not installed: tools/setup.sh lint")
        return False
    return subprocess.run([str(program), *check[1:]], cwd=ROOT).returncode == 0


def main() -> int:
    """Run all checks; the exit code is 1 when one failed."""
    failed = [check[0] for check in CHECKS if not run(check)]
    print("lint:", "failed: " + ", ".join(failed) if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
