"""The text of a tree: its tokens, and errors with line and column.

All notations of trees share a few kinds of tokens, which this module reads. Whole numbers and fractions are read
exactly, decimals as floats. Text is never evaluated as Python.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, NoReturn

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE
from zermelo.trees.tree import Node, Number

MAX_DEPTH = 200  # deeper than any drawn tree, and within the limits of plain recursion
MAX_NODES = 1_000_000
MAX_TEXT = 2_000_000
"""The most characters of a text: a longer one takes many seconds to read, and no one looks at such a tree."""
MAX_CHARACTERS = 64_000_000
LARGEST = 1e100  # utilities beyond it would overflow when they are averaged or compared with a margin

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NOT_UNKNOWNS = frozenset({"inf", "infinity", "nan", "null", "none", "true", "false"})
"""Words that other notations use for values: surely not meant as the name of an unknown leaf."""


class TreeError(GameError):
    """An invalid tree: its message has the position (line and column, from 1) and says what to write."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None):
        self.line, self.column = line, column
        where = "" if line is None else f"line {line}, column {column}: "
        super().__init__(where + message)


class Token(NamedTuple):
    """A piece of text: its kind, position, spelling and meaning."""

    kind: str  # "number", "vector", "word", "string", or the character itself
    at: int
    text: str
    number: tuple[Number, ...] = ()
    """Of a number one, of a vector several."""
    word: str = ""
    """Of a word or a string."""


_TOKEN = re.compile(
    r"""(?P<space>[^\S\n]+|\#[^\n]*)
      | (?P<number>[+\-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?(?:\s*/\s*\d+)?(?![\w.]))
      | (?P<word>[^\W\d][\w']*)
      | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<vector>\([^()]*\))
      | (?P<mark>[\[\]{}:,~.\n])""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\s*([+\-−]?)((?:\d+\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?)(?:\s*/\s*(\d+))?\s*", re.ASCII)


class Source:
    """A text to be read, which knows the line and column of each of its characters."""

    def __init__(self, text: str):
        self.text = text
        if len(text) > MAX_CHARACTERS:
            raise TreeError(f"the text has {len(text):,} characters; a tree may have {MAX_CHARACTERS:,}", 1, 1)
        nul = text.find("\0")
        if nul >= 0:
            self.fail(nul, "a NUL byte; a tree is plain text")
        if not text.strip():
            self.fail(0, "there is no tree here; the shortest is a number, and [3, 12, 8] a node with three leaves")

    def fail(self, at: int, message: str) -> NoReturn:
        """Raises the error, with the line and column of a character."""
        at = min(at, len(self.text))
        start = self.text.rfind("\n", 0, at) + 1
        raise TreeError(message, self.text.count("\n", 0, at) + 1, at - start + 1)

    def tokens(self, start: int = 0, end: int | None = None) -> Iterator[Token]:
        """The tokens from one position to another, with line ends, without spaces and comments."""
        end = len(self.text) if end is None else end
        while start < end:
            found = _TOKEN.match(self.text, start, end)
            if found is None:
                self._strange(start, end)
            kind, text = found.lastgroup or "", found[0]
            if kind == "number":
                yield Token(kind, start, text, (self.number(text, start),))
            elif kind == "word":
                yield Token(kind, start, text, word=text)
            elif kind == "string":
                yield Token(kind, start, text, word=self._string(text, start))
            elif kind == "vector":
                yield Token(kind, start, text, self._vector(text, start))
            elif kind == "mark":
                yield Token(text, start, text)
            start = found.end()

    def number(self, text: str, at: int) -> Number:
        """A number: whole numbers and fractions exactly, decimals as floats."""
        found = _NUMBER.fullmatch(text)
        if found is None:
            self.fail(at, f"{_short(text)} is not a number; write 3, -0.5 or 1/3")
        sign, digits, divisor = found[1], found[2].replace("−", "-"), found[3]
        if len(text) > 400:
            self.fail(at, f"a number of {len(text):,} characters; numbers go up to {LARGEST:g}")
        whole = digits.isdigit()
        if divisor is not None and not (whole and int(divisor)):
            self.fail(at, f"{_short(text)} is not a fraction; one is a whole number over a positive one, as in 1/3")
        value: Number = int(digits) if whole else float(digits)
        if divisor is not None:
            value = Fraction(int(digits), int(divisor))
            value = value.numerator if value.denominator == 1 else value
        if not value <= LARGEST:
            self.fail(at, f"{_short(text)} is too large; numbers go up to {LARGEST:g}")
        return value if sign in ("", "+") else -value

    def _vector(self, text: str, at: int) -> tuple[Number, ...]:
        values: list[Number] = []
        offset = 1
        for part in text[1:-1].split(","):
            if not part.strip():
                self.fail(at + offset, f"a number is missing in {_short(text)}; write (1, 2, 6)")
            blank = len(part) - len(part.lstrip())
            values.append(self.number(part, at + offset + blank))
            offset += len(part) + 1
        return tuple(values)

    def _string(self, text: str, at: int) -> str:
        try:
            found: str = json.loads(text, strict=False)
            found.encode()  # half of a surrogate pair could be read, but never written to a file
        except ValueError:
            self.fail(at, f"{_short(text)} is not a string as JSON writes it: a backslash is written \\\\")
        if "\0" in found:
            self.fail(at, "a NUL byte within a string")
        return found

    def _strange(self, at: int, end: int) -> NoReturn:
        """Raise the error for a character that cannot begin a token."""
        rest = self.text[at : min(end, at + 40)]
        if rest[0] == '"':
            self.fail(at, 'a string is not closed: its second " is missing in this line')
        if rest[0] == "(":
            self.fail(at, "a ( without its ): a utility vector is numbers with commas between them, (1, 2, 6)")
        if rest[0] == ")":
            self.fail(at, "a ) without its (")
        if rest[0].isdigit():
            strange = re.split(r"[^\w.]", rest)[0]
            self.fail(at, f"{strange} is neither a number nor a word")
        if rest[0] in "<>=?!*+-−/":
            self.fail(at, f"{rest[0]} means nothing here; write numbers as 3, -0.5 or 1/3")
        self.fail(at, f"the character {rest[0]!r} means nothing here; put names with odd characters in quotes")


def mover_named(word: str) -> int | None:
    """The player of that name: MAX, MIN, CHANCE, or one of A to Z; None if there is no such player."""
    upper = word.upper()
    if upper in _MOVERS:
        return _MOVERS[upper]
    return LETTERS.index(word) if len(word) == 1 and word in LETTERS else None


_MOVERS = {"MAX": 0, "MIN": 1, "CHANCE": CHANCE}


def mover_name(mover: int, players: int) -> str:
    """The written name of a player; the inverse of `mover_named`."""
    if mover == CHANCE:
        return "CHANCE"
    if players <= 2 and 0 <= mover < 2:
        return ("MAX", "MIN")[mover]
    if 0 <= mover < len(LETTERS):
        return LETTERS[mover]
    raise TreeError(f"player {mover} has no name: players are numbered from 0 to 25, and {CHANCE} is chance")


def number_text(number: Number) -> str:
    """A number as it is read again by `Source.number`."""
    if isinstance(number, Fraction | int):
        text = str(Fraction(number))
    else:
        if not math.isfinite(number):
            raise TreeError(f"{number} cannot be written: the numbers of a tree are finite")
        text = repr(float(number))
    if not -LARGEST <= number <= LARGEST or len(text) > 400:
        raise TreeError(f"{_short(text)} cannot be written: numbers go up to {LARGEST:g}")
    return text


def measure(root: Node) -> tuple[int, int]:
    """The number of nodes and the depth of a tree; raises TreeError if either is too large."""
    count, depth, level = 0, -1, [root]
    while level:
        count, depth = count + len(level), depth + 1
        if depth > MAX_DEPTH:
            raise TreeError(f"the tree is more than {MAX_DEPTH} plies deep")
        if count > MAX_NODES:
            raise TreeError(f"the tree has more than {MAX_NODES:,} nodes")
        level = [child for at in level for child in at.children]
    return count, depth


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 30 else text[:27] + "…"
