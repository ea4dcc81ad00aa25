"""The result of a study for people: shares with their 95 % intervals, and plots of them."""

from pathlib import Path
from typing import Any

from spiceboard.errors import UserError
from spiceboard.extras import install
from spiceboard.study.intervals import wilson
from spiceboard.study.jobs import Counts, Job, as_text


def groups(counts: Counts) -> dict[str, dict[str, int]]:
    """Counters called `group: what` by group."""
    found: dict[str, dict[str, int]] = {}
    for name, n in counts.items():
        group, mark, what = name.partition(": ")
        if mark:
            found.setdefault(group, {})[what] = n
    return found


def rows(counts: Counts) -> list[tuple[str, int, int]]:
    """(group: what, how many, of how many); without "loser", which is the rest of "winner"."""
    return [
        (f"{group}: {what}", n, sum(kinds.values()))
        for group, kinds in groups(counts).items()
        for what, n in kinds.items()
        if what != "loser" or "winner" not in kinds
    ]


def as_table(counts: Counts) -> str:
    """Lines of shares, then of means a game."""
    lines = []
    for name, n, whole in rows(counts):
        least, most = wilson(n, whole)
        lines.append(
            f"{name}: {100 * n / whole:.2f} % ({100 * least:.2f} to {100 * most:.2f} %) of {whole}"
        )
    games = counts["games"]
    lines += [
        f"{name}: {n / games:.2f} a game"
        for name, n in counts.items()
        if ": " not in name and name != "games"
    ]
    return "\n".join([f"{games} games", *lines])


def write(folder: Path, counts: Counts, job: Job) -> None:
    """Write result.json and balance.svg and .png."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "result.json").write_text(as_text(counts, job), encoding="utf-8")
        draw(folder, counts, job)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error}") from error


def draw(folder: Path, counts: Counts, job: Job) -> None:
    """One bar with its interval for each share."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise UserError(f"plots need matplotlib: {install('study')}") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "spiceboard"  # the same file for the same result
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters, not their outlines: a quarter as long
    shown = rows(counts)
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.22 * len(shown)))
    bars(axes, shown)
    axes.set_title(f"{job.game}: {counts['games']} games from seed {job.seed}")
    figure.tight_layout()
    figure.savefig(folder / "balance.svg", metadata={"Date": None})
    figure.savefig(folder / "balance.png", dpi=120)
    pyplot.close(figure)


def bars(axes: Any, rows: list[tuple[str, int, int]]) -> None:
    """Shares in percent with Wilson's intervals."""
    shares = [100 * n / whole for _, n, whole in rows]
    ends = [wilson(n, whole) for _, n, whole in rows]
    errors = [
        [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, ends, strict=True)],
        [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, ends, strict=True)],
    ]
    axes.barh([name for name, _, _ in rows], shares, xerr=errors, color="#c8963c", ecolor="#333")
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlabel("% with 95 % interval")
    axes.axvline(50, color="#999", linewidth=0.8)
