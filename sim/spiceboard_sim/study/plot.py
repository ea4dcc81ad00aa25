"""The picture of a study as PNG: shares right by category, with intervals. Needs matplotlib."""

from pathlib import Path

from spiceboard.errors import UserError
from spiceboard.extras import install
from spiceboard_sim.study.tables import GROUPS, Row, right, wilson


def draw(rows: list[Row], path: Path) -> None:
    """One bar with Wilson's 95 % interval for each category, in percent right outside doubts."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise UserError(f"a PNG needs matplotlib: {install('study')}") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    names, shares, spans = [], [], []
    for name, group in GROUPS.items():
        for key in sorted({group(row) for row in rows}):
            part, whole = right([row for row in rows if group(row) == key])
            low, high = wilson(part, whole)
            names.append(f"{key if name == 'all' else f'{name}: {key}'} ({whole})")
            shares.append(100 * part / max(whole, 1))
            spans.append((shares[-1] - 100 * low, 100 * high - shares[-1]))
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.28 * len(names)))
    at = range(len(names))
    gaps = [[max(0.0, span[side]) for span in spans] for side in (0, 1)]
    axes.errorbar(shares, at, xerr=gaps, fmt="o", color="#3a7d44", capsize=3)
    axes.set_yticks(at, names)
    axes.invert_yaxis()
    axes.set_xlabel("right, if not in doubt, % (n without doubts); Wilson 95 %")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
