"""Trees as the `.test` files of Berkeley's CS188 write them, for the graph games of its multi-agent project.

    start_state: "max"
    win_states: "A B"
    lose_states: "C"
    successors: \"\"\"
    max Left min1
    \"\"\"
    evaluation: \"\"\"
    A 3.0
    \"\"\"
    num_agents: "2"

Agent 0 is MAX and moves first. The others follow in turn and are all MIN, or chance with equally likely moves if `alg`
is an Expectimax agent. `depth` counts rounds of all agents, so it is multiplied by the number of agents to get plies.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from zermelo.game.protocol import CHANCE
from zermelo.trees.building import Builder, ParsedTree
from zermelo.trees.source import MAX_DEPTH, MAX_NODES, Source
from zermelo.trees.tree import MAX, MIN, Node, Number

NEEDED = ("start_state", "successors", "evaluation", "num_agents")
MARK = re.compile(r"^(start_state|win_states|lose_states|successors|evaluation|num_agents)[ \t]*:", re.MULTILINE)
"""How such a file is recognised."""

_FIELD = re.compile(r"(\w+)[ \t]*:[ \t]*")


class Field(NamedTuple):
    """The content of a line, or of a block between triple quotes, and its position."""

    at: int
    text: str


class Reader188:
    """Reads one file."""

    def __init__(self, source: Source, builder: Builder):
        self.source, self.builder = source, builder

    def read(self) -> ParsedTree:
        """The tree, with the file's other lines as notes."""
        fields = self._fields()
        for key in NEEDED:
            if key not in fields:
                self.source.fail(len(self.source.text), f'the line {key}: "…" is missing')
        agents = self._whole(fields["num_agents"], "num_agents", 1, 26)
        depth = self._whole(fields["depth"], "depth", 0, 10_000) * agents if "depth" in fields else None
        others = CHANCE if "expectimax" in fields.get("alg", Field(0, "")).text.casefold() else MIN
        root = self._tree(fields, agents, others)
        known = (*NEEDED, "win_states", "lose_states", "depth")
        notes = {key: field.text for key, field in fields.items() if key not in known}
        return self.builder.finish(root, players=1 if agents == 1 else 2, first=MAX, depth=depth, notes=notes)

    def _fields(self) -> dict[str, Field]:
        found: dict[str, Field] = {}
        text, at = self.source.text, 0
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            if line.strip() and not line.lstrip().startswith("#"):
                match = _FIELD.match(text, at, end)
                if match is None:
                    self.source.fail(at, 'neither a comment nor a line like num_agents: "2"')
                if match[1] in found:
                    self.source.fail(at, f"{match[1][:30]} is given twice")
                field, end = self._value(match.end(), end)
                found[match[1]] = field
            at = end + 1
        return found

    def _value(self, start: int, end: int) -> tuple[Field, int]:
        """The quoted text, and the end of the line that closes the quotes."""
        text = self.source.text
        if text.startswith('"""', start):
            close = text.find('"""', start + 3)
            if close < 0:
                self.source.fail(start, 'a block is not closed: its second """ is missing')
            line_end = text.find("\n", close)
            line_end = len(text) if line_end < 0 else line_end
            self._nothing_more(close + 3, line_end)
            return Field(start + 3, text[start + 3 : close]), line_end
        if text.startswith('"', start):
            close = text.find('"', start + 1, end)
            if close < 0:
                self.source.fail(start, 'a string is not closed: its second " is missing in this line')
            self._nothing_more(close + 1, end)
            return Field(start + 1, text[start + 1 : close]), end
        return Field(start, text[start:end].strip()), end

    def _nothing_more(self, start: int, end: int) -> None:
        rest = self.source.text[start:end].strip()
        if rest and not rest.startswith("#"):
            self.source.fail(start, f"{rest[:30]} after the closing quotes")

    def _whole(self, field: Field, name: str, least: int, most: int) -> int:
        text = field.text.strip()
        if not re.fullmatch(r"[0-9]{1,5}", text) or not least <= int(text) <= most:
            self.source.fail(field.at, f"{name} is a whole number from {least} to {most}, not {text[:30]!r}")
        return int(text)

    def _rows(self, field: Field, columns: int, example: str) -> list[tuple[int, list[str]]]:
        rows = []
        at = field.at
        for line in field.text.split("\n"):
            parts = line.split()
            if parts and len(parts) != columns:
                self.source.fail(at + len(line) - len(line.lstrip()), f"a row has {columns} words, as in {example!r}")
            if parts:
                rows.append((at + line.index(parts[0]), parts))
            at += len(line) + 1
        return rows

    def _tree(self, fields: dict[str, Field], agents: int, others: int) -> Node:
        moves: dict[str, list[tuple[str, str]]] = {}
        taken: set[tuple[str, str]] = set()
        parents: dict[str, str] = {}
        places: dict[str, int] = {}
        start = fields["start_state"].text.strip()
        if not start or len(start.split()) > 1:
            self.source.fail(fields["start_state"].at, f"start_state is the name of one node, not {start[:30]!r}")
        for at, (parent, action, child) in self._rows(fields["successors"], 3, "max Left min1"):
            below = moves.setdefault(parent, [])
            if (parent, action) in taken:
                self.source.fail(at, f"{parent[:30]} has two moves {action[:30]}")
            if child in parents or child == start:
                where = f"below {parents[child][:30]}" if child in parents else "the root"
                self.source.fail(at, f"{child[:30]} is already {where}; in a tree every node has one place")
            if len(parents) >= MAX_NODES:
                self.source.fail(at, f"more than {MAX_NODES:,} nodes; that is more than can be handled")
            taken.add((parent, action))
            below.append((action, child))
            parents[child] = parent
            places[child] = at
            places.setdefault(parent, at)
        values: dict[str, Number] = {}
        for at, (name, text) in self._rows(fields["evaluation"], 2, "A 3.0"):
            if name in values:
                self.source.fail(at, f"{name[:30]} has two evaluations")
            values[name] = self.source.number(text, at + len(name) + 1)
        ends = set()
        for key in ("win_states", "lose_states"):
            ends.update(fields.get(key, Field(0, "")).text.split())
        return self._grown(start, fields["start_state"].at, moves, places, values, ends, agents, others)

    def _grown(
        self,
        start: str,
        start_at: int,
        moves: dict[str, list[tuple[str, str]]],
        places: dict[str, int],
        values: dict[str, Number],
        ends: set[str],
        agents: int,
        others: int,
    ) -> Node:
        """The nodes, leaves first. Every node except the root has one parent, so there are no cycles."""
        levels = [[start]]
        while below := [c for name in levels[-1] if name not in ends for _, c in moves.get(name, ())]:
            if len(levels) > MAX_DEPTH:
                self.source.fail(places[below[0]], f"the tree is more than {MAX_DEPTH} plies deep")
            levels.append(below)
        made: dict[str, Node] = {}
        for depth in reversed(range(len(levels))):
            for name in levels[depth]:
                at = places.get(name, start_at)
                estimate = (values[name],) if name in values else ()
                below_it = [] if name in ends else moves.get(name, [])
                if not below_it:
                    if not estimate:
                        self.source.fail(at, f"the leaf {name[:30]} has no value; give it a row in evaluation")
                    made[name] = self.builder.leaf(at, estimate, name=name)
                    continue
                mover = MAX if depth % agents == 0 else others
                odds = [Fraction(1, len(below_it))] * len(below_it) if mover == CHANCE else []
                children = [made.pop(child) for _, child in below_it]
                labels = [action for action, _ in below_it]
                made[name] = self.builder.interior(at, mover, children, odds, labels, estimate, name)
        return made[start]
