"""Reading and writing trees: `parse` recognises nested lists, JSON, indented text and Berkeley's CS188 files.

Lines before nested lists or indented text can declare facts about the whole tree: `players: 3`, `first: MIN`, `range:
-2 .. 2`, `depth: 4`, `title: …`. JSON declares them in an object around the tree. Errors are TreeErrors with line and
column.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.kernel.files import write_whole
from zermelo.trees.building import Builder, ParsedTree
from zermelo.trees.cs188 import MARK, Reader188
from zermelo.trees.indented import IndentedReader, cautious_text, numbers_text, players_of, to_indented, word_text
from zermelo.trees.nested import Item, NestedReader, read_items
from zermelo.trees.source import LETTERS, MAX_TEXT, Source, TreeError, measure, mover_name, mover_named, number_text
from zermelo.trees.tree import MAX, Node, Number

__all__ = ["FORMATS", "dump", "load", "parse", "to_indented", "to_json", "to_nested"]

FORMATS = ("nested", "json", "indented", "cs188")

_HEADER = re.compile(r"[ \t]*(?:#[^\n]*|(players|first|range|depth|title)[ \t]*:[ \t]*([^\n]*))?(?:\n|$)")
_BRACKET = re.compile(r"\s*(?:[^\W\d]\w*\s*)?[\[{]")
_BOUND = r"([+\-−]?(?:inf|∞|[\d./eE]+(?:[+\-][\d]+)?))"
_RANGE = re.compile(rf"[\[(]?\s*{_BOUND}\s*(?:\.\.|,|to|–)\s*{_BOUND}\s*[\])]?")


@dataclass
class _Declared:
    """Declarations about the whole tree."""

    players: int | None = None
    first: int | None = None
    utility_range: tuple[Number, Number] | None = None
    depth: int | None = None
    notes: dict[str, str] = field(default_factory=dict)


def parse(
    text: str,
    format: str | None = None,
    *,
    players: int | None = None,
    first: int | None = None,
    utility_range: tuple[float, float] | None = None,
) -> ParsedTree:
    """The tree that a text describes. Arguments override declarations in the text."""
    if format not in (None, *FORMATS):
        raise ValueError(f"there is no format {format!r} of trees; there are {', '.join(FORMATS)}")
    if not isinstance(text, str):
        raise TypeError(f"a tree is parsed from text, not from {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise TreeError(f"the text of the tree has {len(text):,} characters; at most {MAX_TEXT:,} are read")
    source = Source(text.removeprefix("\ufeff"))
    builder = Builder(source)
    if format == "cs188" or (format is None and MARK.search(source.text)):
        found = Reader188(source, builder).read()
        return replace(found, players=players or found.players, utility_range=utility_range or found.utility_range)
    declared, start = _header(source)
    if format == "indented" or (format is None and not _BRACKET.match(source.text, _past_comments(source.text, start))):
        root = IndentedReader(source, builder).read(start)
    else:
        reader = NestedReader(source, builder)
        item, fields = reader.header(read_items(source, start))
        _json_header(reader, fields, declared)
        root = reader.node(item)
    return builder.finish(
        root,
        players=declared.players if players is None else players,
        first=declared.first if first is None else first,
        utility_range=declared.utility_range if utility_range is None else utility_range,
        depth=declared.depth,
        notes=declared.notes,
    )


def load(path: str | Path, **declared: Any) -> ParsedTree:
    """The tree in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise TreeError(f"{Path(path).name} is not UTF-8 text", line, column) from None
    return parse(text, **declared)


def dump(tree: Node | ParsedTree, path: str | Path) -> None:
    """Write a tree to a file: as JSON if its name ends in .json, otherwise as indented text."""
    path = Path(path)
    write_whole(path, (to_json(tree) if path.suffix == ".json" else to_indented(tree)).encode())


def to_json(tree: Node | ParsedTree, indent: int | None = 2) -> str:
    """The tree as JSON, which `parse` reads again: an object for every node, and around a ParsedTree's one more."""
    root = tree.root if isinstance(tree, ParsedTree) else tree
    measure(root)
    players = tree.players if isinstance(tree, ParsedTree) else players_of(root)
    written: Any = _written(root, players)
    if isinstance(tree, ParsedTree):
        whole: dict[str, Any] = {"players": players, "first": mover_name(tree.first, players)}
        low, high = tree.utility_range
        if (low, high) != (-math.inf, math.inf):
            whole["utility_range"] = [u if math.isfinite(u) else str(u) for u in (low, high)]
        if tree.depth is not None:
            whole["depth"] = tree.depth
        if "title" in tree.notes:
            whole["title"] = tree.notes["title"]
        written = {**whole, "tree": written}
    return json.dumps(written, indent=indent, ensure_ascii=False) + "\n"


def _written(at: Node, players: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if at.name:
        found["name"] = at.name
    if at.estimate:
        found["estimate"] = _json_numbers(at.estimate)
    if not at.children:
        if at.unknown:
            found["unknown"] = at.unknown
        elif at.utility:
            found["utility"] = _json_numbers(at.utility)
        else:
            raise TreeError(f"a leaf{f' called {at.name}' if at.name else ''} has no utility, so it cannot be written")
        return found
    if at.mover is not None:
        found["mover"] = mover_name(at.mover, players)
    if at.odds:
        found["odds"] = [_json_number(p) for p in at.odds]
    if any(at.labels):
        found["labels"] = [*at.labels, *[""] * (len(at.children) - len(at.labels))]
    children = []
    for child in at.children:
        children.append(_written(child, players))
    found["children"] = children
    return found


def to_nested(tree: Node | ParsedTree) -> str:
    """The tree as nested lists on one line, which `parse` reads again; a node with a name or an estimate is an object.

    Declarations of a ParsedTree are written before it, unless they are the defaults.
    """
    root = tree.root if isinstance(tree, ParsedTree) else tree
    measure(root)
    players = tree.players if isinstance(tree, ParsedTree) else players_of(root)
    lines = []
    if isinstance(tree, ParsedTree):
        if "title" in tree.notes:
            lines.append(f"title: {' '.join(tree.notes['title'].split())}")
        if players != players_of(root):
            lines.append(f"players: {players}")
        if tree.first != MAX:
            lines.append(f"first: {mover_name(tree.first, players)}")
        low, high = tree.utility_range
        if (low, high) != (-math.inf, math.inf):
            lines.append(f"range: {low!r} .. {high!r}".replace(".0 ", " ").removesuffix(".0"))
        if tree.depth is not None:
            lines.append(f"depth: {tree.depth}")
    return "\n".join([*lines, _nested(root, players)]) + "\n"


def _nested(at: Node, players: int) -> str:
    if not at.children:
        return _nested_leaf(at)
    below = []
    for child in at.children:
        below.append(_nested(child, players))
    mover = "" if at.mover is None else mover_name(at.mover, players)
    labels = [*at.labels, *[""] * (len(below) - len(at.labels))]
    odds = [number_text(p) for p in at.odds]
    if at.name or at.estimate:
        fields = {
            "name": _quoted(at.name) if at.name else "",
            "estimate": numbers_text(at.estimate) if at.estimate else "",
            "mover": f'"{mover}"' if mover else "",
            "odds": f"[{', '.join(odds)}]" if odds else "",
            "labels": f"[{', '.join(map(_quoted, labels))}]" if any(labels) else "",
            "children": f"[{', '.join(below)}]",
        }
        return _object(fields)
    words = [word_text(label) if label else "" for label in labels]
    if odds:
        return "{" + ", ".join(f"{w} {p}: {c}".strip() for w, p, c in zip(words, odds, below, strict=True)) + "}"
    return f"{mover}[" + ", ".join(f"{w}: {c}" if w else c for w, c in zip(words, below, strict=True)) + "]"


def _nested_leaf(at: Node) -> str:
    if not at.utility and not at.unknown:
        raise TreeError(f"a leaf{f' called {at.name}' if at.name else ''} has no utility, so it cannot be written")
    if not at.name and not at.estimate:
        return cautious_text(at.unknown) if at.unknown else numbers_text(at.utility)
    if not at.name and at.estimate == at.utility:
        return f"~{numbers_text(at.estimate)}"
    return _object(
        {
            "name": _quoted(at.name) if at.name else "",
            "estimate": numbers_text(at.estimate) if at.estimate else "",
            "unknown": _quoted(at.unknown) if at.unknown else "",
            "utility": numbers_text(at.utility) if at.utility else "",
        }
    )


def _object(fields: dict[str, str]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in fields.items() if value) + "}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_numbers(numbers: tuple[Number, ...]) -> Any:
    found = [_json_number(u) for u in numbers]
    return found[0] if len(found) == 1 else found


def _json_number(number: Number) -> Any:
    """A number of JSON, or a string for a fraction, for which JSON has no number."""
    text = number_text(number)
    if "/" in text:
        return text
    return int(number) if isinstance(number, int | Fraction) else float(number)


def _past_comments(text: str, at: int) -> int:
    """The place after spaces and comments."""
    return match.end() if (match := re.compile(r"(?:\s+|#[^\n]*)*").match(text, at)) else at


def _header(source: Source) -> tuple[_Declared, int]:
    """The declarations before the tree, and the position of the tree."""
    declared, at, seen = _Declared(), 0, set()
    while at < len(source.text) and (match := _HEADER.match(source.text, at)):
        key, value = match[1], (match[2] or "").strip()
        if key is not None:
            if key in seen:
                source.fail(match.start(1), f"{key} is declared twice")
            seen.add(key)
            value = value if key == "title" else value.partition("#")[0].strip()
            _declare(source, declared, key, value, match.start(2))
        at = match.end()
    return declared, at


def _declare(source: Source, declared: _Declared, key: str, value: str, at: int) -> None:
    if key == "title":
        declared.notes["title"] = value
    elif key == "first":
        declared.first = mover_named(value)
        if declared.first is None or declared.first < 0:
            source.fail(at, f"{value[:30]!r} is not a player; write first: MAX, first: MIN, or a letter from A")
    elif key == "range":
        match = _RANGE.fullmatch(value)
        if match is None:
            source.fail(at, f"{value[:30]!r} is not a range of utilities; write range: -2 .. 2")
        declared.utility_range = _bound(source, match[1], at), _bound(source, match[2], at)
    else:
        most = len(LETTERS) if key == "players" else 1_000_000
        if not re.fullmatch(r"[0-9]{1,7}", value) or not 1 <= int(value) <= most:
            source.fail(at, f"{key}: a whole number from 1 to {most:,} is expected, not {value[:30]!r}")
        setattr(declared, key, int(value))


def _bound(source: Source, text: str, at: int) -> Number:
    if text.endswith(("inf", "∞")):
        return -math.inf if text[0] in "-−" else math.inf
    return source.number(text, at)


def _json_header(reader: NestedReader, fields: dict[str, Item], declared: _Declared) -> None:
    """The same from an object around the tree."""
    source = reader.source
    for key, item in fields.items():
        if key == "title":
            declared.notes["title"] = reader.string(item)
        elif key == "first":
            declared.first = reader.player(item)
        elif key == "utility_range":
            if item.kind != "[" or len(item.entries) != 2:
                source.fail(item.at, "a range of utilities is a list of two numbers, [-2, 2]")
            low, high = (entry.item.token for entry in item.entries)
            if low.kind not in ("number", "string") or high.kind not in ("number", "string"):
                source.fail(item.at, "a range of utilities is a list of two numbers, [-2, 2]")
            declared.utility_range = (
                _bound(source, low.word or low.text, low.at),
                _bound(source, high.word or high.text, high.at),
            )
        elif item.kind == "number":
            _declare(source, declared, key, item.token.text, item.at)
        else:
            source.fail(item.at, f"{key}: a whole number is expected here")
