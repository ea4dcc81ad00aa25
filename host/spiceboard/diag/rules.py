"""Measurements in, findings out: the deduction of `spiceboard diag`. Pure; knows no board.

Each rule is a small function of its own; docs/diagnosis.md lists what they can name.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spiceboard.diag import rules_bus, rules_rest, rules_tags
from spiceboard.diag.findings import Case, Finding

Rule = Callable[[Case], Iterator[Finding]]
RULES = (
    *rules_bus.RULES,
    *rules_tags.RULES,
    *rules_bus.LAST,
    *rules_rest.RULES,
)
BEFORE_TAGS = (*rules_bus.RULES, *rules_rest.RULES)


def findings(measured: dict[str, Any]) -> list[Finding]:
    """What is broken, by part, the cause of most first; [] for a healthy board."""
    return judged(measured, RULES)


def so_far(measured: dict[str, Any]) -> list[Finding]:
    """What can be said while tags are still to be measured; [] until the bus is known."""
    return judged(measured, BEFORE_TAGS) if "marks" in measured else []


def judged(measured: dict[str, Any], rules: Iterable[Rule]) -> list[Finding]:
    """What these rules say, faults before notes."""
    case = Case(measured)
    found = [finding for rule in rules for finding in rule(case)]
    return sorted(found, key=lambda finding: finding.level != "fault")
