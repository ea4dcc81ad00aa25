"""Puts the colours of a STEP file in an order of their own, so that the same board gives the same bytes.

KiCad 9 writes the shapes in the order of the board, but the colours (lists of STYLED_ITEM, each with
what hangs on it) in the order of a table in memory, which is another one each time. Here the shapes
keep their order, the colours are sorted by content, every entity gets a new number, and equal
COLOUR_RGB become one. Nothing else of the content changes: a reader sees the same solids and colours.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LIST = "MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION"  # of the colours of one solid
SHARED = "COLOUR_RGB"  # KiCad writes it once where it can, and where differs
TOKEN = re.compile(r"'(?:[^']|'')*'|#\d+|[;,]|\s+|[^'#;,\s]+")
WIDTH = 72  # characters of a line, as OpenCASCADE writes


@dataclass(frozen=True)
class Entity:
    """The words of an entity after its number; references are words of their own."""

    words: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.words[0].split("(")[0]

    def references(self) -> list[str]:
        return [word for word in self.words if word[0] == "#"]


def in_order(text: str) -> str:
    """The file with its colours sorted and its entities renumbered. ValueError if it is no STEP file."""
    head, start, rest = text.partition("DATA;\n")
    body, end, tail = rest.rpartition("ENDSEC;")
    if not (start and end):
        raise ValueError("no DATA section: this is not a STEP file")
    entities = parse(body)
    lists = [name for name, entity in entities.items() if entity.kind == LIST]
    named = {ref for entity in entities.values() for ref in entity.references()}
    roots = [name for name in entities if name not in named and name not in lists]
    out = Writer(entities, below(entities, roots))
    for name in sorted(lists, key=out.content):
        out.hang(name)
    return head + start + "".join(out.lines) + end + tail


def parse(body: str) -> dict[str, Entity]:
    """{"#1": entity} in the order of the file. ValueError where a line is no entity."""
    found: dict[str, Entity] = {}
    words: list[str] = []
    for word in _words(body):
        if word != ";":
            words.append(word)
            continue
        if len(words) < 3 or words[0][0] != "#" or words[1] != "=":
            raise ValueError(f"not an entity: {' '.join(words)[:60]}")
        found[words[0]] = Entity(tuple(words[2:]))
        words = []
    if words:
        raise ValueError(f"the file ends within an entity: {' '.join(words)[:60]}")
    lost = {ref for entity in found.values() for ref in entity.references()} - set(found)
    if lost:
        raise ValueError(f"no entity {min(lost)}")
    return found


def _words(body: str) -> Iterator[str]:
    return (word for word in TOKEN.findall(body) if not word.isspace())


def below(entities: dict[str, Entity], roots: list[str]) -> list[str]:
    """All entities that the roots need, themselves included, in the order of the file."""
    seen = set(roots)
    todo = list(roots)
    while todo:
        for ref in entities[todo.pop()].references():
            if ref not in seen:
                seen.add(ref)
                todo.append(ref)
    return [name for name in entities if name in seen]


class Writer:
    """New numbers and the lines of the new file; it begins with the shapes."""

    def __init__(self, entities: dict[str, Entity], shapes: list[str]) -> None:
        self.entities = entities
        self.shapes = {name: f"#{k}" for k, name in enumerate(shapes, 1)}
        self.new = dict(self.shapes)
        self.count = len(shapes)
        self.contents: dict[str, str] = {}
        self.shared: dict[str, str] = {}  # content of a colour: its new number
        self.lines = [self.line(name) for name in shapes]

    def content(self, name: str) -> str:
        """A colour or list written out with all that hangs on it, whatever its numbers were."""
        if name in self.shapes:
            return self.shapes[name]
        if name not in self.contents:
            words = self.sorted_words(name)
            parts = (self.content(word) if word[0] == "#" else word for word in words)
            self.contents[name] = "".join(parts)
        return self.contents[name]

    def sorted_words(self, name: str) -> list[str]:
        """The words of an entity; the items of a list of colours in the order of their content."""
        entity = self.entities[name]
        if entity.kind != LIST:
            return list(entity.words)
        items = [ref for ref in entity.references() if ref not in self.shapes]
        order = iter(sorted(items, key=self.content))
        return [next(order) if word in self.contents else word for word in entity.words]

    def hang(self, name: str) -> None:
        """Numbers and writes a colour or a list, and then what hangs on it."""
        content = self.content(name)
        if content in self.shared:
            self.new[name] = self.shared[content]
            return
        self.count += 1
        self.new[name] = f"#{self.count}"
        if self.entities[name].kind == SHARED:
            self.shared[content] = self.new[name]
        at = len(self.lines)
        self.lines.append("")
        for ref in self.sorted_words(name):
            if ref[0] == "#" and ref not in self.new:
                self.hang(ref)
        self.lines[at] = self.line(name)

    def line(self, name: str) -> str:
        """The entity with new numbers, wrapped between words."""
        text, column, before = f"{self.new[name]} = ", 0, ""
        for word in (*self.sorted_words(name), ";"):
            word = self.new.get(word, word)
            if column > WIDTH:
                text, column = text + "\n  ", 2
            elif before.endswith(")") and word[0].isalpha():  # parts of a complex entity
                text += " "
            text, column, before = text + word, column + len(word), word
        return text + "\n"
