"""What `spiceboard flash` says and asks: words and progress on stderr, the report for --json."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from spiceboard.errors import No, UserError
from spiceboard.flash import install
from spiceboard.flash.bundle import Bundle


class Declined(No):
    """The user said no; nothing was changed."""


class Talk:
    """The conversation with the user. `report` collects what --json prints."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.report: dict[str, Any] = {}
        self.console = Console(stderr=True, highlight=False)
        self.on_chunk: Callable[[int], None] | None = None  # for tests that cut the supply

    def say(self, text: str) -> None:
        """A line for the user, on stderr: with --json too, for stdout has the report alone."""
        self.console.print(text, soft_wrap=True, markup=False)  # a path may hold [brackets]

    def tell(self, found: install.Probe, plan: install.Plan, bundle: Bundle) -> None:
        """The plan in words."""
        slot = f"slot {found.slot}" if found.slot else "no slot"
        has = found.versions.get(found.slot or "", "no application")
        self.say(f"Board {found.board}: {found.machine}, MicroPython {found.python}")
        self.say(f"It has {has} ({slot}), {found.free // 1024} of {found.total // 1024} KiB free.")
        if plan.up_to_date:
            self.say(f"It is up to date: {bundle.version}.")
            return
        self.say(
            f"{bundle.version} into slot {plan.target}: {len(plan.upload)} files to send "
            f"({plan.upload_bytes} bytes), {len(plan.copy)} to copy from the running slot, "
            f"{len(plan.keep)} already there, {len(plan.remove)} to remove."
        )
        for path in plan.upload:
            self.say(f"  send {path}")
        for name in plan.root:
            self.say(f"  loader {name}")
        if found.foreign and "main.py" in plan.root:
            self.say("  another program's main.py is kept as main.old")

    def confirm(self, question: str) -> None:
        """Ask, unless --yes; UserError if there is no terminal."""
        if self.arguments.yes:
            return
        if not sys.stdin.isatty():
            raise UserError(
                f"{question} There is no terminal to ask you: use --yes. Nothing was changed"
            )
        if input(f"{question} [y/N] ").strip().lower() not in ("y", "yes"):
            raise Declined("cancelled; nothing was changed")

    @contextlib.contextmanager
    def progress(self, total: int) -> Iterator[Callable[[int], None]]:
        """A bar on stderr (where that is no terminal, a line at each tenth); tells `on_chunk`."""
        columns = (TextColumn("sending"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task("sending", total=total)
            told = done = 0

            def sent(count: int) -> None:
                nonlocal told, done
                bar.advance(task, count)
                done += count
                tenths = min(10, 10 * done // max(total, 1))
                if tenths > told and not self.console.is_terminal:
                    self.say(f"{tenths}0 % sent")
                told = tenths
                if self.on_chunk:
                    self.on_chunk(count)

            yield sent
