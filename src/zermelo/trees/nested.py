"""Trees as nested lists and as JSON. One reader reads both, and they can be mixed.

    tree   = number | vector | word | "~" value | [mover] list | chance | object
    list   = "[" [label ":"] tree {"," [label ":"] tree} "]"
    chance = "{" [label] probability ":" tree {"," ...} "}"
    object = a JSON object for one node, with the keys of `KEYS`

A word alone is an unknown leaf, a word before a list says who moves, and `CHANCE[...]` is a chance node whose outcomes
are equally likely. The reader keeps its own stack, so no depth of brackets can exhaust Python's.
"""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zermelo.game.protocol import CHANCE
from zermelo.trees.building import Builder
from zermelo.trees.source import MAX_DEPTH, MAX_NODES, NOT_UNKNOWNS, Source, Token, mover_named
from zermelo.trees.tree import Node, Number

KEYS = ("mover", "children", "odds", "utility", "unknown", "estimate", "name", "labels")
HEADER_KEYS = ("players", "first", "utility_range", "depth", "title", "tree")
MAX_BRACKETS = 2 * MAX_DEPTH + 3  # a JSON node is an object with a list in it, inside one header object
MAX_ITEMS = 3 * MAX_NODES

_CLOSING = {"[": "]", "{": "}"}
_OPENING = {"]": "[", "}": "{"}


class Item(NamedTuple):
    """A value and its position: a token, or the entries between two brackets."""

    kind: str  # "number", "vector", "word", "string", "~", "[", "{" (chance) or "object"
    token: Token
    entries: Sequence[Entry]
    mover: Token | None = None  # the word before a bracket

    @property
    def at(self) -> int:
        return self.token.at


class Entry(NamedTuple):
    """One item between brackets, with the label or probability before its colon."""

    label: Token | None
    odds: Token | None
    item: Item


NOTHING: tuple[Entry, ...] = ()


class _Open:
    """A bracket that is not closed yet."""

    def __init__(self, token: Token, mover: Token | None):
        self.token, self.mover = token, mover
        self.entries: list[Entry] = []
        self.label: Token | None = None
        self.odds: Token | None = None
        self.wants_item = True  # as against a comma or the closing bracket


class _Ahead:
    """Tokens one by one, without line ends, with lookahead."""

    def __init__(self, tokens: Iterator[Token]):
        self.tokens = (token for token in tokens if token.kind != "\n")
        self.seen: deque[Token] = deque()

    def kind(self, ahead: int) -> str:
        """The kind of a token to come, "" after the last."""
        while len(self.seen) <= ahead:
            token = next(self.tokens, None)
            if token is None:
                return ""
            self.seen.append(token)
        return self.seen[ahead].kind

    def take(self) -> Token:
        """The next token."""
        self.kind(0)
        return self.seen.popleft()


def read_items(source: Source, start: int = 0) -> Item:
    """The one item that the text is, checked for balance and punctuation, but not yet for sense."""
    tokens = _Ahead(source.tokens(start))
    stack: list[_Open] = []
    done: Item | None = None
    items, objects = 0, 0  # the number of items, and of open braces
    while tokens.kind(0):
        token = tokens.take()
        if done is not None:
            source.fail(token.at, f"{token.text} after the end of the tree; several trees need a list around them")
        top = stack[-1] if stack else None
        if token.kind in _OPENING:
            item = _closed(source, stack, token)
            objects -= token.kind == "}"
        elif token.kind == ",":
            if top is None or top.wants_item:
                source.fail(token.at, "a comma where a tree is expected")
            top.wants_item = True
            continue
        elif top is not None and not top.wants_item:
            source.fail(token.at, f"a comma is missing before {token.text}")
        elif top is not None and top.label is None and top.odds is None and _keyed(source, top, token, tokens):
            continue
        elif token.kind in _CLOSING or (token.kind == "word" and tokens.kind(0) in _CLOSING):
            opening = tokens.take() if token.kind == "word" else token
            stack.append(_Open(opening, token if token.kind == "word" else None))
            objects += opening.kind == "{"
            if len(stack) > (MAX_BRACKETS if objects else MAX_DEPTH):
                source.fail(opening.at, f"the tree is more than {MAX_DEPTH} plies deep")
            continue
        elif token.kind == "~":
            if tokens.kind(0) not in ("number", "vector"):
                source.fail(token.at, "a ~ without an estimate; write ~5")
            item = Item("~", tokens.take(), NOTHING)
        elif token.kind in ("number", "vector", "word", "string"):
            item = Item(token.kind, token, NOTHING)
        else:
            source.fail(token.at, f"{token.text} where a tree is expected: a number, a word or a [")
        items += 1
        if items > (MAX_ITEMS if objects else MAX_NODES):
            source.fail(item.at, f"more than {MAX_NODES:,} nodes; that is more than can be handled")
        if stack:
            top = stack[-1]
            top.entries.append(Entry(top.label, top.odds, item))
            top.label, top.odds, top.wants_item = None, None, False
        else:
            done = item
    if stack:
        bracket = stack[-1].token
        source.fail(bracket.at, f"a {bracket.text} without its {_CLOSING[bracket.text]}")
    if done is None:
        source.fail(len(source.text), "the text ends before the tree begins")
    return done


def _closed(source: Source, stack: list[_Open], token: Token) -> Item:
    if not stack:
        source.fail(token.at, f"a {token.text} without its {_OPENING[token.text]}")
    bracket = stack.pop()
    if _CLOSING[bracket.token.text] != token.text:
        source.fail(token.at, f"{token.text} closes a {bracket.token.text}; write {_CLOSING[bracket.token.text]}")
    if not bracket.entries:
        source.fail(bracket.token.at, f"nothing between {bracket.token.text} and {token.text}: a node has children")
    if bracket.wants_item:
        source.fail(token.at, f"a tree is missing before {token.text}")
    kind = bracket.token.text
    if kind == "{" and all(
        e.odds is None and e.label is not None and e.label.kind == "string" for e in bracket.entries
    ):
        kind = "object"
    return Item(kind, bracket.token, bracket.entries, bracket.mover)


def _keyed(source: Source, top: _Open, token: Token, tokens: _Ahead) -> bool:
    """Does a label or a probability begin here? Then it is noted."""
    is_word, is_number = token.kind in ("word", "string"), token.kind == "number"
    keyed = tokens.kind(0) == ":"
    if top.token.text == "[":
        if is_number and keyed:
            source.fail(token.at, "a probability within [ ]: a chance node has braces, {1/2: 8, 1/2: 4}")
        if not (is_word and keyed):
            return False
        top.label = token
    elif is_number and keyed:
        top.odds = token
    elif is_word and tokens.kind(0) == "number" and tokens.kind(1) == ":":
        top.label, top.odds = token, tokens.take()
    elif is_word and keyed:
        top.label = token
        if token.kind == "word":
            source.fail(token.at, f"within braces, {token.text} needs its probability: {{heads 1/2: 8}}")
    else:
        source.fail(token.at, "within braces, every tree has a probability before it: {1/2: 8, 1/2: 4}")
    tokens.take()  # the colon
    return True


class NestedReader:
    """Makes nodes of items."""

    def __init__(self, source: Source, builder: Builder):
        self.source, self.builder = source, builder

    def node(self, item: Item, depth: int = 0) -> Node:
        """The node of an item."""
        at = item.at
        if depth > MAX_DEPTH:
            self.source.fail(at, f"the tree is more than {MAX_DEPTH} plies deep")
        if item.kind in ("number", "vector"):
            return self.builder.leaf(at, item.token.number)
        if item.kind == "~":
            return self.builder.leaf(at, estimate=item.token.number)
        if item.kind in ("word", "string"):
            word = item.token.word
            if not word or (item.kind == "word" and word.casefold() in NOT_UNKNOWNS):
                self.source.fail(at, f"{item.token.text} is not the utility of a leaf; write a number")
            return self.builder.leaf(at, unknown=word)
        if item.kind == "object":
            if item.mover is not None:
                self.source.fail(item.mover.at, f'{item.mover.text} before an object; write it as its "mover"')
            return self._object(item, depth)
        mover = None if item.mover is None else self._mover(item.mover)
        if item.kind == "{":
            if mover not in (None, CHANCE):
                self.source.fail(at, "braces with probabilities are a chance node; at a player's node write [ ]")
            mover = CHANCE
        children, odds, labels = [], [], []
        for entry in item.entries:
            if item.kind == "{" and entry.odds is None:
                self.source.fail(entry.item.at, "a probability is missing: {1/2: 8, 1/2: 4}")
            children.append(self.node(entry.item, depth + 1))
            odds.append(None if entry.odds is None else entry.odds.number[0])
            labels.append("" if entry.label is None else entry.label.word)
        return self.builder.interior(at, mover, children, odds, labels)

    def header(self, item: Item) -> tuple[Item, dict[str, Item]]:
        """The tree, and the declarations of an object around it, if any."""
        if item.kind != "object" or not any(e.label is not None and e.label.word == "tree" for e in item.entries):
            return item, {}
        fields = self.fields(item, HEADER_KEYS)
        return fields.pop("tree"), fields

    def fields(self, item: Item, known: tuple[str, ...]) -> dict[str, Item]:
        """The fields of an object, each known and given once; null is as good as not given."""
        found: dict[str, Item] = {}
        for entry in item.entries:
            key = entry.label.word if entry.label is not None else ""
            at = entry.label.at if entry.label is not None else entry.item.at
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                self.source.fail(at, f"a node has no {key[:30]!r}; {hint}there are {', '.join(known)}")
            if key in found:
                self.source.fail(at, f"{key!r} is given twice")
            found[key] = entry.item
        return {k: v for k, v in found.items() if not (v.kind == "word" and v.token.text == "null")}

    def _object(self, item: Item, depth: int) -> Node:
        fields = self.fields(item, KEYS)
        name = self.string(fields["name"]) if "name" in fields else ""
        estimate = self.numbers(fields["estimate"]) if "estimate" in fields else ()
        if "children" not in fields:
            for key in ("mover", "odds", "labels"):
                if key in fields:
                    self.source.fail(fields[key].at, f"a node with {key!r}, but without children")
            if "utility" in fields and "unknown" in fields:
                self.source.fail(fields["unknown"].at, "a leaf has a utility or is unknown, not both")
            utility = self.numbers(fields["utility"]) if "utility" in fields else ()
            unknown = self.string(fields["unknown"]) if "unknown" in fields else ""
            return self.builder.leaf(item.at, utility, unknown, estimate, name)
        for key in ("utility", "unknown"):
            if key in fields:
                self.source.fail(fields[key].at, f"a node with children has no {key!r}; did you mean 'estimate'?")
        mover = self.player(fields["mover"]) if "mover" in fields else None
        below = self._list(fields["children"], "children")
        odds: list[Number | None] = []
        if "odds" in fields:
            if mover != CHANCE:
                self.source.fail(fields["odds"].at, 'odds, but the node is not a chance node: "mover": "CHANCE"')
            odds.extend(self.numbers(fields["odds"]))
        labels = [self.string(label) for label in self._list(fields["labels"], "labels")] if "labels" in fields else []
        for key, length in (("odds", len(odds)), ("labels", len(labels))):
            if length not in (0, len(below)):
                self.source.fail(fields[key].at, f"{length} {key} for {len(below)} children")
        children = []
        for child in below:
            children.append(self.node(child, depth + 1))
        return self.builder.interior(item.at, mover, children, odds, labels, estimate, name)

    def player(self, item: Item) -> int:
        """A player, by name or number."""
        if item.kind == "number" and item.token.number[0] in range(CHANCE, 26):
            return int(item.token.number[0])
        if item.kind in ("word", "string"):
            return self._mover(item.token)
        self.source.fail(item.at, "a player is MAX, MIN, CHANCE, a letter from A to Z, or a number from 0")

    def string(self, item: Item) -> str:
        """A string."""
        if item.kind != "string":
            self.source.fail(item.at, "a string is expected here, in quotes")
        return item.token.word

    def numbers(self, item: Item) -> tuple[Number, ...]:
        """One number or several; in JSON a fraction is a string, "1/3"."""
        if item.kind in ("number", "vector"):
            return item.token.number
        if item.kind == "string":
            return (self.source.number(item.token.word, item.at),)
        if item.kind == "[":
            found: list[Number] = []
            for part in self._list(item, "numbers"):
                if part.kind not in ("number", "string"):
                    self.source.fail(part.at, "a number is expected here")
                found.extend(self.numbers(part))
            return tuple(found)
        self.source.fail(item.at, "a number is expected here, or a list of numbers")

    def _list(self, item: Item, what: str) -> list[Item]:
        if item.kind != "[" or item.mover is not None:
            self.source.fail(item.at, f"a list of {what} is expected here, in [ ]")
        for entry in item.entries:
            if entry.label is not None:
                self.source.fail(entry.label.at, f'a label within a list of {what}; the node has "labels"')
        return [entry.item for entry in item.entries]

    def _mover(self, token: Token) -> int:
        mover = mover_named(token.word)
        if mover is None:
            self.source.fail(token.at, f"{token.word[:30]} does not move: write MAX, MIN, CHANCE, or A, B, C, …")
        return mover
