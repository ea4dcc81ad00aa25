"""docs/trust.md: each line that says that something is defended names a test that is there."""

import re

from checkout import ROOT

PAGE = (ROOT / "docs/trust.md").read_text()
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_each_defended_line_names_a_test() -> None:
    body = PAGE.split("## What is defended")[1].split("## What is not defended")[0]
    rows = [line for line in body.splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 12
    for row in rows:
        assert NAMED.search(row), row


def test_each_test_that_is_named_is_there() -> None:
    for path, name in NAMED.findall(PAGE):
        text = (ROOT / path).read_text()
        assert not name or f"def {name}(" in text, (path, name)
