"""Shared fixtures, and the rule that with SPICEBOARD_REQUIRE=all a skip is a failure."""

import os
import signal
from collections.abc import Iterator

import pytest

from diag_bench import Bench

REQUIRE_ALL = os.environ.get("SPICEBOARD_REQUIRE") == "all"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite", action="store_true", help="rewrite golden transcripts instead of comparing"
    )
    parser.addoption("--soak", action="store_true", help="run the long tests too (`make soak`)")


def pytest_configure() -> None:
    """Commands under test heed Ctrl-C even where the tests run in a shell's background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect (not skip) the soaks unless they were asked for."""
    if config.getoption("--soak"):
        return
    soaks = [item for item in items if item.get_closest_marker("soak")]
    if soaks:
        config.hook.pytest_deselected(items=soaks)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """Where everything is required, a skip says what is missing and fails."""
    report = yield
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped although SPICEBOARD_REQUIRE=all: {reason}"
    return report


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    """True when golden transcripts shall be rewritten (`pytest --rewrite`)."""
    return bool(request.config.getoption("--rewrite"))


@pytest.fixture(scope="module")
def made() -> Iterator[Bench]:
    """A simulated board that the tests of a module share, with the tools at it."""
    bench = Bench()
    yield bench
    bench.close()


@pytest.fixture
def bench(made: Bench) -> Bench:
    """The same, healthy again."""
    made.heal()
    return made
