"""Where this checkout lies. No conftest: there are several of that name."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
