"""Trees as indented text: one node per line, with its children indented below it.

    line     = [edge ":"] node
    edge     = [label] [probability]
    node     = [mover] [name] ["~" estimate]          an interior node: indented lines follow
             | utility [name] ["~" estimate]          a leaf: a number, a fraction or (1, 2, 6)
             | unknown [name] ["~" estimate]          a word: a leaf with an unknown utility
             | "~" estimate                           a cutoff: a leaf with an estimate

The mover is MAX, MIN, CHANCE or a letter from A to Z; a node without any of these is a dot. By default, players take
turns. Chance nodes have equally likely outcomes unless the edges to their children have probabilities. Quote labels and
names that are not a single word, and names in capitals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from zermelo.game.protocol import CHANCE
from zermelo.trees.building import Builder, ParsedTree
from zermelo.trees.source import (
    MAX_DEPTH,
    NOT_UNKNOWNS,
    Source,
    Token,
    TreeError,
    measure,
    mover_name,
    mover_named,
    number_text,
)
from zermelo.trees.tree import Node, Number


class _Line:
    """A line that was read: a node to be, until all its children are known."""

    def __init__(self, at: int, indent: str):
        self.at, self.indent = at, indent
        self.label = ""
        self.odds: Number | None = None
        self.mover: Token | None = None
        self.utility: tuple[Number, ...] = ()
        self.words: list[Token] = []
        self.estimate: tuple[Number, ...] = ()
        self.below: str | None = None  # how its children are indented
        self.children: list[Node] = []
        self.child_odds: list[Number | None] = []
        self.child_labels: list[str] = []


class IndentedReader:
    """Reads the lines from the first to the last, keeping the path from the root to the present line."""

    def __init__(self, source: Source, builder: Builder):
        self.source, self.builder = source, builder

    def read(self, start: int = 0) -> Node:
        """The tree that begins there."""
        path: list[_Line] = []
        text = self.source.text
        while start < len(text):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            tokens = [token for token in self.source.tokens(start, end) if token.kind != "\n"]
            if tokens:
                line = self._line(tokens, text[start : tokens[0].at])
                self._climb(path, line)
                if len(path) > MAX_DEPTH:
                    self.source.fail(line.at, f"the tree is more than {MAX_DEPTH} plies deep")
                path.append(line)
            start = end + 1
        if not path:
            self.source.fail(len(text), "the text ends before the tree begins")
        while len(path) > 1:
            self._close(path)
        return self._node(path[0])

    def _climb(self, path: list[_Line], line: _Line) -> None:
        """Closes the lines that this one is not below."""
        if not path:
            if line.label or line.odds is not None:
                self.source.fail(
                    line.at,
                    "no move leads to the root; a text may declare players:, first:, range:, depth: and title: first",
                )
            return
        while len(line.indent) <= len(path[-1].indent):
            if len(path) == 1:
                self.source.fail(line.at, "a second root; all that is below the first is indented further than it")
            self._close(path)
        parent = path[-1]
        if not line.indent.startswith(parent.indent):
            self.source.fail(line.at, "tabs and spaces do not mix; indent this line as the one above it")
        if parent.below not in (None, line.indent):
            self.source.fail(line.at, "this line is not indented as its siblings above are")
        parent.below = line.indent

    def _close(self, path: list[_Line]) -> None:
        """Makes a node of the last line, and a child of the line above it."""
        line = path.pop()
        parent = path[-1]
        if line.odds is not None and (parent.mover is None or mover_named(parent.mover.word) != CHANCE):
            self.source.fail(line.at, "a probability, but the node above is not CHANCE; quote a label that is a number")
        parent.children.append(self._node(line))
        parent.child_odds.append(line.odds)
        parent.child_labels.append(line.label)

    def _line(self, tokens: list[Token], indent: str) -> _Line:
        line = _Line(tokens[0].at, indent)
        colons = [i for i, token in enumerate(tokens) if token.kind == ":"]
        if colons:
            self._edge(line, tokens[: colons[0]], tokens[colons[0]])
            tokens = tokens[colons[0] + 1 :]
        for i, token in enumerate(tokens):
            before = tokens[i - 1].kind if i else ""
            if before == "~" and token.kind in ("number", "vector") and not line.estimate:
                line.estimate = token.number
            elif before == "~" or line.estimate or (token.kind == "." and len(tokens) > 1):
                self.source.fail(token.at, f"{token.text} where nothing more is expected: MAX name ~5")
            elif token.kind == "word" and i == 0 and mover_named(token.word) is not None:
                line.mover = token
            elif token.kind in ("number", "vector") and i == 0:
                line.utility = token.number
            elif token.kind in ("word", "string") and len(line.words) < 2:
                line.words.append(token)
            elif token.kind not in "~.":
                self.source.fail(token.at, f"{token.text} is not expected here; a name like this stands in quotes")
        if tokens and tokens[-1].kind == "~":
            self.source.fail(tokens[-1].at, "a ~ without an estimate; write ~5")
        return line

    def _edge(self, line: _Line, tokens: list[Token], colon: Token) -> None:
        if not tokens:
            self.source.fail(colon.at, "a colon without a label or a probability before it")
        if len(tokens) == 2 and tokens[0].kind in ("word", "string") and tokens[1].kind == "number":
            line.label, line.odds = tokens[0].word, tokens[1].number[0]
        elif len(tokens) == 1 and tokens[0].kind in ("word", "string"):
            line.label = tokens[0].word
        elif len(tokens) == 1 and tokens[0].kind == "number":
            line.odds = tokens[0].number[0]
        else:
            self.source.fail(tokens[0].at, "before the colon stand a label, a probability or both: heads 1/2: MAX")

    def _node(self, line: _Line) -> Node:
        """The node of a line, now that it is known whether it has children."""
        if line.children:
            if line.utility:
                self.source.fail(line.at, "a leaf with children: a number is the utility of a leaf, ~5 an estimate")
            if len(line.words) > 1:
                self.source.fail(line.words[1].at, f"{line.words[1].text} is a second name; quote names of two words")
            if line.words and line.mover is None:
                self._not_in_capitals(line.words[0])
            mover = None if line.mover is None else mover_named(line.mover.word)
            name = line.words[0].word if line.words else ""
            return self.builder.interior(
                line.at, mover, line.children, line.child_odds, line.child_labels, line.estimate, name
            )
        if line.mover is not None:
            self.source.fail(
                line.mover.at,
                f"{line.mover.text} moves here, but nothing further in follows; an unknown leaf of that name is "
                f'written "{line.mover.text}"',
            )
        words = list(line.words)
        unknown = ""
        if not line.utility and words:
            self._not_in_capitals(words[0])
            if words[0].kind == "word" and words[0].word.casefold() in NOT_UNKNOWNS:
                self.source.fail(words[0].at, f"{words[0].text} is not the utility of a leaf; write a number")
            unknown = words.pop(0).word
        if len(words) > 1:
            self.source.fail(words[1].at, f"{words[1].text} is a second name; quote names of two words")
        return self.builder.leaf(line.at, line.utility, unknown, line.estimate, words[0].word if words else "")

    def _not_in_capitals(self, token: Token) -> None:
        """A word in capitals is more likely a misspelt mover than a name."""
        if token.kind == "word" and token.word.isupper():
            self.source.fail(
                token.at,
                f'{token.text} does not move: write MAX, MIN, CHANCE, or A, B, C, …; a name is written "{token.text}"',
            )


def to_indented(tree: Node | ParsedTree, indent: str = "  ") -> str:
    """The tree as indented text, which `parse` can read; for a ParsedTree, with its declarations."""
    root = tree.root if isinstance(tree, ParsedTree) else tree
    measure(root)
    players = tree.players if isinstance(tree, ParsedTree) else players_of(root)
    lines = []
    if isinstance(tree, ParsedTree):
        low, high = tree.utility_range
        if "title" in tree.notes:
            lines.append(f"title: {' '.join(tree.notes['title'].split())}")
        lines += [f"players: {players}", f"first: {mover_name(tree.first, players)}"]
        if (low, high) != (float("-inf"), float("inf")):
            lines.append(f"range: {low} .. {high}")
        if tree.depth is not None:
            lines.append(f"depth: {tree.depth}")
        lines.append("")
    waiting = [(root, "", "")]
    while waiting:
        at, inside, edge = waiting.pop()
        lines.append(inside + edge + _body(at, players))
        below = []
        for i, child in enumerate(at.children):
            parts = [word_text(at.labels[i])] if i < len(at.labels) and at.labels[i] else []
            parts += [number_text(at.odds[i])] if i < len(at.odds) else []
            below.append((child, inside + indent, " ".join(parts) + ": " if parts else ""))
        waiting.extend(reversed(below))
    return "\n".join(lines) + "\n"


def players_of(root: Node) -> int:
    """The number of players, from the movers and the utilities."""
    players, waiting = 2, [root]
    while waiting:
        at = waiting.pop()
        players = max(players, len(at.utility), 0 if at.mover is None else at.mover + 1)
        waiting.extend(at.children)
    return players


def _body(at: Node, players: int) -> str:
    parts = []
    if at.children:
        if at.mover is not None:
            parts.append(mover_name(at.mover, players))
        if at.name:
            parts.append(word_text(at.name) if parts else cautious_text(at.name))
    elif at.unknown:
        parts += [cautious_text(at.unknown), *([word_text(at.name)] if at.name else [])]
    elif at.utility != at.estimate or at.name:
        if not at.utility:
            raise TreeError(f"a leaf{f' called {at.name}' if at.name else ''} has no utility, so it cannot be written")
        parts += [numbers_text(at.utility), *([word_text(at.name)] if at.name else [])]
    if at.estimate:
        parts.append("~" + numbers_text(at.estimate))
    elif not at.children and not parts:
        raise TreeError("a leaf has no utility, so it cannot be written")
    return " ".join(parts) or "."


def numbers_text(numbers: Sequence[Number]) -> str:
    """One number, or a vector of them."""
    texts = [number_text(u) for u in numbers]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def word_text(text: str) -> str:
    """A label, or a name that is not the first word of a line."""
    return text if re.fullmatch(r"[^\W\d]\w*", text) else json.dumps(text, ensure_ascii=False)


def cautious_text(text: str) -> str:
    """A word at the beginning of a line, which must not look like a mover or a value."""
    plain = re.fullmatch(r"[a-z]\w*", text) and mover_named(text) is None and text.casefold() not in NOT_UNKNOWNS
    return text if plain else json.dumps(text, ensure_ascii=False)
