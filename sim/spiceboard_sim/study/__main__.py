"""`spiceboard study`: what the verdict is worth, what a throw is like, how even games are."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from spiceboard.commands import balance
from spiceboard.commands.process import run
from spiceboard.errors import UserError
from spiceboard_sim.study import layouts, tables


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="spiceboard study",
        description=__doc__,
        epilog="sensing: --kind --layouts --seed --workers --file --tags --hall --evidence "
        "--picture. table: --file --train --out. throws: --fit --out --throws --seed. "
        "Each has its own --help.",
    )
    studies = parser.add_subparsers(dest="study", required=True, metavar="study")
    sense = studies.add_parser("sensing", help="compare the board's verdict with the geometry")
    sense.add_argument("--kind", choices=sorted(layouts.KINDS), default="game")
    sense.add_argument(
        "--layouts", type=int, default=4, metavar="N", help="number of layouts (default 4)"
    )
    sense.add_argument("--seed", type=int, default=1, help="seed of the first layout (default 1)")
    sense.add_argument(
        "--tags", type=float, default=0.0, metavar="MHZ", help="frequency to which tags are tuned"
    )
    sense.add_argument("--hall", action="store_true", help="hall sensors are fitted")
    sense.add_argument(
        "--evidence",
        action="store_true",
        help="also note what the readers hear of each chip, for `study table`",
    )
    sense.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    sense.add_argument(
        "--file",
        type=Path,
        help="file for the results, one on each line; a run that was stopped continues",
    )
    sense.add_argument(
        "--picture", type=Path, metavar="FILE", help="write a picture: .svg or .png"
    )
    throws = studies.add_parser("throws", help="fit the constants of throws to filmed throws")
    throws.add_argument(
        "--fit", type=Path, metavar="FILE", help="measured throws (docs/throws.md)"
    )
    throws.add_argument(
        "--out", type=Path, metavar="FILE", help="write the constants to this file"
    )
    throws.add_argument("--throws", type=int, default=200, metavar="N", help="for the table")
    throws.add_argument("--seed", type=int, default=1)
    learned = studies.add_parser("table", help="learn a table of verdicts, and compare it")
    learned.add_argument(
        "--file", type=Path, required=True, help="results of `study sensing --evidence`"
    )
    learned.add_argument(
        "--train", type=int, required=True, metavar="N", help="learn from the first N seeds"
    )
    learned.add_argument("--out", type=Path, help="write the table, as Markdown")
    even = studies.add_parser("balance", help="how fair a game is, counted over many games")
    balance.add_arguments(even)
    return parser.parse_args(argv)


def sense(arguments: argparse.Namespace) -> int:
    """Run, and print tables."""
    from spiceboard_sim.study import sensing  # here: --help works without what a board needs

    if arguments.layouts < 1 or arguments.workers < 1 or arguments.seed < 0:
        raise UserError("layouts and workers must be 1 or more, and the seed must not be negative")
    first = arguments.seed
    if arguments.tags and not 13 <= arguments.tags <= 25:
        raise UserError("tags are tuned to 13 to 25 MHz; without --tags, as geometry.json says")
    seeds = range(first, first + arguments.layouts)
    given = (arguments.tags, arguments.hall, arguments.evidence)
    jobs = [sensing.Job(arguments.kind, seed, *given) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or Path(folder) / "results"
        try:
            for result in sensing.run(jobs, path, arguments.workers):
                bad = [row for row in result["rows"] if row["said"] in ("missing", "ghost")]
                print(
                    f"{result['kind']} {result['seed']}: {len(result['rows'])} chips, "
                    f"{len(bad)} wrong in silence",
                    file=sys.stderr,
                    flush=True,
                )
            results = [r for r in sensing.done(path) if sensing.job_of(r) in set(jobs)]
        except (OSError, ValueError) as error:
            raise UserError(str(error)) from error
    rows = [row for result in results for row in result["rows"]]
    short = sum(
        any(row["said"] in ("missing", "ghost") for row in result["rows"]) for result in results
    )
    throws = sum(result["throws"] for result in results)
    print(f"{throws} throws in {len(results)} layouts ({arguments.kind}), {len(rows)} chips lying")
    low, high = tables.wilson(short, len(results))
    print(
        f"wrong in silence: {short} of {len(results)} layouts "
        f"({100 * low:.1f} to {100 * high:.1f} %)\n"
    )
    print(tables.table(rows) + "\n\n" + tables.confusion(rows))
    told = sorted(ms for result in results for ms in result.get("told_ms", []))
    if told:
        print(
            f"\nlast change told after rest: median {told[len(told) // 2]:.0f} ms, "
            f"p95 {told[int(0.95 * len(told))]:.0f} ms ({len(told)} of the throws)"
        )
    asked = [result for result in results if "questions" in result]
    if asked:
        total, needless, decided = (
            sum(result[name] for result in asked) for name in ("questions", "needless", "decided")
        )
        print(
            f"\n{len(asked)} rounds: {decided} doubts decided during the throws; after them "
            f"{total} questions, {needless} of them about chips that lie nowhere"
        )
    if arguments.picture:
        picture(rows, arguments.picture)
    return 0


def picture(rows: list[tables.Row], path: Path) -> None:
    """Bars by distance from the limit (SVG), or shares by category with intervals (PNG)."""
    try:
        if path.suffix.lower() == ".png":
            from spiceboard_sim.study import plot

            plot.draw(rows, path)
        else:
            path.write_text(tables.picture(rows), "utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error}") from error


def table(arguments: argparse.Namespace) -> int:
    """Learn from some layouts, compare on the others."""
    from spiceboard_sim.study import sensing, verdict_table

    try:
        found = verdict_table.compared(sensing.done(arguments.file), arguments.train)
        if arguments.out:
            arguments.out.write_text(found.table + "\n", "utf-8")
    except (OSError, ValueError) as error:
        raise UserError(str(error)) from error
    print(found.table + "\n\n" + found.figures)
    return 0


def throw(arguments: argparse.Namespace) -> int:
    """Fit, or show what the constants in use come to."""
    from spiceboard_sim.study import fit
    from spiceboard_sim.throws.constants import Constants

    try:
        constants = Constants()
        if arguments.fit:
            constants = fit.fitted(fit.read(arguments.fit))
        found = fit.table(constants, arguments.throws, arguments.seed)
    except ValueError as error:
        raise UserError(str(error)) from error
    text = json.dumps({"constants": fit.changes(constants)}, indent=1)
    if arguments.out:
        arguments.out.write_text(text + "\n", "utf-8")
    print(text + "\n" + found)
    return 0


def main(argv: list[str] | None = None) -> int:
    """Run the study that was asked for."""
    arguments = parse(argv)
    commands = {"sensing": sense, "table": table, "throws": throw, "balance": balance.run}
    return commands[arguments.study](arguments)


if __name__ == "__main__":
    sys.exit(run(main))
