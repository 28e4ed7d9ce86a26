"""SGF, the Smart Game Format (FF[4], Hollosi 1999): trees of nodes with properties, read and written without loss.

A value keeps its text as it is in the file, so properties that zermelo does not know are preserved. `text_of` and
`value_of` convert between values and plain text. What nodes mean for Go is in `sgf_game`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zermelo.game.errors import NotationError

WIDTH = 100
"""Lines are broken between nodes after about so many characters."""


@dataclass
class Node:
    """One node of a game tree.

    properties  the values of each property, by its identifier, as they are written between brackets
    children    the nodes that follow; the first one continues the main line
    line        where the node begins in the text that it was read from, with `column`; 0 if it was not read
    """

    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def __eq__(self, other: object) -> bool:
        """Equal properties and equal children, all the way down; without recursion, as games are long."""
        if not isinstance(other, Node):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            a, b = pairs.pop()
            if a.properties != b.properties or len(a.children) != len(b.children):
                return False
            pairs += zip(a.children, b.children, strict=True)
        return True

    def __repr__(self) -> str:
        return f"Node({self.properties!r}, {len(self.children)} children)"

    def text(self, name: str) -> str | None:
        """The first value of a property as plain text; None if the node does not have it."""
        values = self.properties.get(name)
        return text_of(values[0]) if values else None

    def main_line(self) -> Iterator[Node]:
        """Yields this node, its first child, and so on."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.children[0] if node.children else None


def text_of(value: str) -> str:
    """A value as plain text: escapes resolved, and escaped line breaks removed."""
    return re.sub(r"\\(\r\n|\n\r|[\s\S])", lambda found: "" if found[1][0] in "\r\n" else found[1], value)


def value_of(text: str, composed: bool = False) -> str:
    """Plain text as a value: backslashes and closing brackets escaped, in composed values colons too."""
    return re.sub(r"([\\\]:])" if composed else r"([\\\]])", r"\\\1", text)


# Reading.

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|(\[)|(\S)|\Z)")
_VALUE = re.compile(r"((?:[^\]\\]|\\[\s\S])*)\]")


def read(text: str) -> list[Node]:
    """The roots of all game trees of a file; raises NotationError with line and column if there is something wrong.

    Text before the first tree is skipped.
    """
    start = re.search(r"\(\s*;", text)
    if start is None:
        raise NotationError("there is no game tree: one begins with (;")
    return _Reader(text, start.start()).read()


class _Reader:
    """One pass through a text, with the nodes at which the open variations branch."""

    def __init__(self, text: str, at: int):
        self.text, self.at = text, at
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.roots: list[Node] = []
        self.open: list[Node | None] = []  # for each open bracket the node before it
        self.node: Node | None = None  # the node that was read last in this variation
        self.name = ""  # of the property whose values are read; empty after anything else
        self.is_new = False  # has a variation just begun, so that a node must follow?

    def read(self) -> list[Node]:
        while True:
            found = _TOKEN.match(self.text, self.at)
            assert found is not None  # the pattern matches everything
            sign, letters, bracket, other = found.groups()
            begin = found.start(found.lastindex) if found.lastindex else len(self.text)
            self.at = found.end()
            if sign:
                self._sign(sign, begin)
            elif letters:
                self._name(letters, begin)
            elif bracket:
                self._value(begin)
            elif other and (self.open or other == "]"):
                raise self._error(begin, f"{other!r} is not expected here; text belongs between [ and ]")
            elif not found.group().strip():
                break
        if self.open:
            raise self._error(len(self.text), f"the text ends, but {len(self.open)} of the ( are not closed")
        return self.roots

    def _sign(self, sign: str, begin: int) -> None:
        if self.name and not self._has_values():
            raise self._error(begin, f"the property {self.name} has no value in [ ]")
        self.name = ""
        if sign == "(":
            if self.is_new:
                raise self._error(begin, "a variation begins with a node, that is with a semicolon")
            self.open.append(self.node)
            self.is_new = True
        elif sign == ";":
            if not self.open:
                raise self._error(begin, "a node belongs into a tree, between ( and )")
            self._add(begin)
        else:
            if not self.open:
                raise self._error(begin, "this ) closes nothing")
            if self.is_new:
                raise self._error(begin, "a variation has at least one node")
            self.node = self.open.pop()

    def _add(self, begin: int) -> None:
        line, column = self._place(begin)
        made = Node(line=line, column=column)
        before = self.open[-1] if self.is_new else self.node
        (self.roots if before is None else before.children).append(made)
        self.node, self.is_new = made, False

    def _name(self, letters: str, begin: int) -> None:
        if not self.open:
            return  # text between game trees
        if self.is_new or self.node is None:
            raise self._error(begin, f"the property {letters} belongs to a node, which begins with a semicolon")
        if self.name and not self._has_values():
            raise self._error(begin, f"the property {self.name} has no value in [ ]")
        name = "".join(letter for letter in letters if letter.isupper())  # older files have small letters too
        if not name:
            raise self._error(begin, f"{letters!r} is not the name of a property, which has capital letters")
        self.name = name
        self.node.properties.setdefault(name, [])

    def _value(self, begin: int) -> None:
        if not self.open:
            return
        if not self.name or self.node is None:
            raise self._error(begin, "a value follows the name of its property")
        found = _VALUE.match(self.text, self.at)
        if found is None:
            raise self._error(begin, "this [ is not closed by a ]")
        self.node.properties[self.name].append(found[1])
        self.at = found.end()

    def _has_values(self) -> bool:
        return self.node is not None and bool(self.node.properties.get(self.name))

    def _error(self, at: int, message: str) -> NotationError:
        line, column = self._place(at)
        return NotationError(f"line {line}, column {column}: {message}")

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect.bisect_right(self.line_starts, at)
        return line, at - self.line_starts[line - 1] + 1


# Writing.


def write(roots: Iterable[Node]) -> str:
    """Game trees as text, which `read` reads back as equal trees."""
    return "".join(_tree(root) for root in roots)


def _tree(root: Node) -> str:
    parts: list[str] = []
    width = 0
    todo: list[Node | str] = [")", root, "("]
    while todo:
        what = todo.pop()
        if isinstance(what, str):
            piece = what
        else:
            piece = ";" + "".join(
                name + "".join(f"[{value}]" for value in values) for name, values in what.properties.items()
            )
            if len(what.children) == 1:
                todo.append(what.children[0])
            else:
                for child in reversed(what.children):
                    todo += [")", child, "("]
        if width and piece[0] in ";(" and width + len(piece) > WIDTH and parts[-1] != "(":
            parts.append("\n")
            width = 0
        parts.append(piece)
        width += len(piece)
    return "".join(parts) + "\n"
