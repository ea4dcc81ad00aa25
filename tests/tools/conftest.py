"""A simulated board with the tools at it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # else only when a test asks: the simulator may not be installed
    from diag_bench import Bench


@pytest.fixture(scope="module")
def made() -> "Iterator[Bench]":
    """A board that the tests of a module share."""
    from diag_bench import Bench

    bench = Bench()
    yield bench
    bench.close()


@pytest.fixture
def bench(made: "Bench") -> "Bench":
    """The same, healthy again."""
    made.heal()
    return made
