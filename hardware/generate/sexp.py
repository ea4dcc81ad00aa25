"""KiCad's s-expressions as nested lists: strings keep their quotes, so that a file round-trips."""

import re
from pathlib import Path
from typing import Any

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+')


def parse(text: str) -> list[Any]:
    """The first expression of the text. ValueError when the brackets do not match."""
    stack: list[list[Any]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            if not stack:
                raise ValueError("a closing bracket too many")
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1 or not stack[0]:
        raise ValueError("the brackets do not match")
    return list(stack[0][0])


def load(path: Path) -> list[Any]:
    return parse(path.read_text(encoding="utf-8"))


def dump(node: Any, depth: int = 0) -> str:
    """Text of a nested list: short lists on one line, long ones one item a line."""
    if not isinstance(node, list):
        return str(node)
    flat = _flat(node, 96)
    if flat is not None:
        return flat
    pad = "\n" + "\t" * (depth + 1)
    head = []
    rest = list(node)
    while rest and not isinstance(rest[0], list):
        head.append(str(rest.pop(0)))
    return "(" + " ".join(head) + "".join(pad + dump(n, depth + 1) for n in rest) + ")"


def _flat(node: Any, most: int) -> str | None:
    """A nested list on one line; None as soon as that takes `most` characters or more."""
    if not isinstance(node, list):
        text = str(node)
        return text if len(text) < most else None
    words, length = [], 1
    for item in node:
        word = _flat(item, most - length - 1)
        if word is None:
            return None
        words.append(word)
        length += len(word) + 1
    return "(" + " ".join(words) + ")"


def quote(text: str) -> str:
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def bare(token: str) -> str:
    """A token without its quotes."""
    if token.startswith('"'):
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return token


def first(node: list[Any], name: str) -> list[Any] | None:
    """The first child list of that name."""
    for child in node:
        if isinstance(child, list) and child and child[0] == name:
            return child
    return None


def every(node: list[Any], name: str) -> list[list[Any]]:
    """All child lists of that name."""
    return [c for c in node if isinstance(c, list) and c and c[0] == name]
