#!/usr/bin/env python3
"""`python host/flash.py ...`: `spiceboard flash` from a checkout that is not installed.

It needs the packages that pyproject.toml lists under `dependencies`, and nothing else.
"""

import sys
from pathlib import Path

HOST = Path(__file__).resolve().parent
# At the end, so that an installed package of one of these names is not hidden by a folder.
sys.path += [str(HOST), str(HOST.parent / "firmware" / "lib")]

if __name__ == "__main__":
    from spiceboard.commands.main import main

    sys.exit(main(["flash", *sys.argv[1:]]))
