"""Measurements in, findings out: the deduction of `spiceboard diag`. Pure; knows no board.

Each rule is a small function of its own; docs/diagnosis.md lists what they can name.
"""

from typing import Any

from spiceboard.host import diag_rules_bus, diag_rules_rest, diag_rules_tags
from spiceboard.host.diag_find import Case, Finding

RULES = (
    *diag_rules_bus.RULES,
    *diag_rules_tags.RULES,
    *diag_rules_bus.LAST,
    *diag_rules_rest.RULES,
)


def findings(measured: dict[str, Any]) -> list[Finding]:
    """What is broken, by part, the cause of most first; [] for a healthy board."""
    case = Case(measured)
    found = [finding for rule in RULES for finding in rule(case)]
    return sorted(found, key=lambda finding: finding.level != "fault")
