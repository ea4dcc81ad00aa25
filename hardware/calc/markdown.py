"""Markdown tables."""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def titled(rows: list[dict[str, str]]) -> str:
    """A table whose headings are the keys of the rows."""
    return table(list(rows[0]), [list(row.values()) for row in rows])
