"""Processor time of each test, the processes that it began included: what a loaded machine can
measure. `make test ARGS="-p cpu_times"` adds the sums by folder and the 30 longest to the report.
"""

import os
from collections import defaultdict
from typing import Any

import pytest

LONGEST = 30
KEY = "cpu seconds"


def seconds() -> float:
    """Of this process and of those of its children that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    before = seconds()
    item.user_properties.append((KEY, lambda: seconds() - before))  # of a phase, when it is over
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    report.user_properties = [
        (name, value() if callable(value) else value) for name, value in item.user_properties
    ]
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Sums and the longest; the report after tear-down has the time of the whole test."""
    spent: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            took = dict(getattr(report, "user_properties", ())).get(KEY)
            if took is not None:
                spent[report.nodeid] = max(took, spent.get(report.nodeid, 0.0))
    folders: dict[str, list[float]] = defaultdict(list)
    for name, took in spent.items():
        folders[name.split("::")[0].rpartition("/")[0]].append(took)
    terminalreporter.section("processor time")
    for folder, all_of_it in sorted(folders.items(), key=lambda item: -sum(item[1])):
        terminalreporter.line(f"{sum(all_of_it):8.1f} s {len(all_of_it):5} tests {folder}")
    for name, took in sorted(spent.items(), key=lambda item: -item[1])[:LONGEST]:
        terminalreporter.line(f"{took:8.1f} s {name}")
