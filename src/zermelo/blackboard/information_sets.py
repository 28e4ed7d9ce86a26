"""Trees of small games with their information sets: what a player cannot tell apart is joined by a dashed line.

With a strategy, edges show how often each move is played, and their width how often play gets there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

from zermelo.blackboard.layout import tidy
from zermelo.blackboard.svg import STYLE
from zermelo.game.errors import TooDeep
from zermelo.game.protocol import CHANCE, Game

MOST_NODES = 400
"""A larger tree cannot be read, so it is refused."""
LEVEL, RADIUS, TOP = 104.0, 13.0, 34.0
"""The distance between levels, the radius of a node, and the place of the root, in pixels."""
LETTER, LEAF = 6.6, 34.0
"""The width of a letter of a label, and the least room for a leaf."""
HUES = 8
"""The number of colours for information sets (`.hue-0` and so on in the style sheet)."""

Policy = Callable[[Any], Mapping[Any, float]]
"""The probability of each move of the player to move in a state."""


@dataclass
class Point:
    """A node of the tree: how play gets there, who moves, and which information set it belongs to (or -1)."""

    state: Any
    parent: int
    action: Any
    name: str
    depth: int
    mover: int
    chance: float = 1.0
    which: int = -1
    utilities: tuple[float, ...] = ()
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class InformationSet:
    """Nodes that their player cannot tell apart."""

    player: int
    name: str
    nodes: tuple[int, ...]


class InformationTree:
    """The whole tree of a game from a state, with its information sets."""

    def __init__(self, game: Game, state: Any = None, *, most: int = MOST_NODES):
        self.game = game
        self.points: list[Point] = []
        members: dict[Any, list[int]] = {}
        start = game.initial() if state is None else game.checked(state)
        self._grow(start, -1, None, "", 0, 1.0, members, most)
        self.sets: list[InformationSet] = []
        for (player, _), nodes in members.items():
            for node in nodes:
                self.points[node].which = len(self.sets)
            name = game.information_name(self.points[nodes[0]].state, player) if game.hidden else ""
            self.sets.append(InformationSet(player, name, tuple(nodes)))

    def _grow(
        self, s: Any, parent: int, action: Any, name: str, depth: int, chance: float, members: Any, most: int
    ) -> None:
        """Add a state and all that follow it."""
        game, number = self.game, len(self.points)
        if number >= most:
            raise TooDeep(f"{game.title} has more than {most} nodes from here, too many to draw: begin later, --moves")
        if parent >= 0:
            self.points[parent].children.append(number)
        over = game.is_terminal(s)
        mover = CHANCE if over else game.to_move(s)
        point = Point(s, parent, action, name, depth, mover, chance)
        self.points.append(point)
        if over:
            point.utilities = tuple(game.utility(s, p) for p in range(game.players))
        elif mover == CHANCE:
            for a, probability in game.outcomes(s):
                label = game.action_name(s, a)
                self._grow(game.result(s, a), number, a, label, depth + 1, probability, members, most)
        else:
            key = mover, (game.information(s, mover) if game.hidden else s)
            members.setdefault(key, []).append(number)
            for a in game.actions(s):
                self._grow(game.result(s, a), number, a, game.action_name(s, a), depth + 1, 1.0, members, most)

    def probabilities(self, policy: Policy | None) -> list[float | None]:
        """For each node the probability of the move that leads to it; None without a policy, except for chance."""
        found: list[float | None] = [1.0]
        for point in self.points[1:]:
            before = self.points[point.parent]
            if before.mover == CHANCE:
                found.append(point.chance)
            else:
                found.append(None if policy is None else policy(before.state)[point.action])
        return found

    def reach(self, policy: Policy | None) -> list[float | None]:
        """For each node how often play gets there; None without a policy."""
        found: list[float | None] = [1.0]
        for point, chance in zip(self.points[1:], self.probabilities(policy)[1:], strict=True):
            before = found[point.parent]
            found.append(None if before is None or chance is None else before * chance)
        return found

    def history(self, node: int) -> str:
        """The moves that lead to a node."""
        names: list[str] = []
        while node > 0:
            names.append(self.points[node].name)
            node = self.points[node].parent
        return " ".join(reversed(names)) or "start"

    def text(self, policy: Policy | None = None) -> str:
        """The information sets one by one, with the histories that each contains."""
        reach, lines = self.reach(policy), []
        for each in self.sets:
            head = f"{self.game.player_name(each.player)}  {each.name}".rstrip()
            histories = ", ".join(self.history(node) for node in each.nodes)
            lines.append(f"{head}  {{{histories}}}")
            if policy is not None:
                state = self.points[each.nodes[0]].state
                moves = ", ".join(f"{self.game.action_name(state, a)} {_percent(c)}" for a, c in policy(state).items())
                total = sum(reach[node] or 0.0 for node in each.nodes)
                lines.append(f"    {moves}; reached {_percent(total)}")
        ends = sum(bool(point.utilities) for point in self.points)
        lines.append(f"{len(self.points)} nodes, {ends} ends, {len(self.sets)} information sets")
        return "\n".join(lines)

    def svg(self, policy: Policy | None = None, title: str = "") -> str:
        """The tree as one SVG element."""
        return _Drawing(self, policy).render(title or f"{self.game.title}: information sets")


class _Drawing:
    """The tree as SVG elements."""

    def __init__(self, tree: InformationTree, policy: Policy | None):
        self.tree, self.points, self.is_plain = tree, tree.points, policy is None
        self.chances, self.reach = tree.probabilities(policy), tree.reach(policy)
        # A label has most of the room of its node, and sits above it on a line to the parent.
        letters = [max(len(point.name), 4 if policy is not None else 0) for point in self.points]
        room = [max(LEAF, 1.4 * LETTER * count + 6) / 2 for count in letters]
        self.x = [x + 12 for x in tidy([point.children for point in self.points], room, room, 6.0)]
        self.y = [TOP + LEVEL * point.depth for point in self.points]
        self.lane = self._lanes()
        self.hue = [
            (lane + 3 * self.points[each.nodes[0]].depth) % HUES
            for lane, each in zip(self.lane, self.tree.sets, strict=True)
        ]

    def _lanes(self) -> list[int]:
        """Each information set's place among those that begin at the same depth; it decides about colour and arch."""
        counts: dict[int, int] = {}
        lanes = []
        for each in self.tree.sets:
            depth = self.points[each.nodes[0]].depth
            lanes.append(counts.get(depth, 0))
            counts[depth] = lanes[-1] + 1
        return lanes

    def render(self, title: str) -> str:
        wide, high = max(self.x) + LEAF / 2 + 12, max(self.y) + 40
        sets = "; ".join(f"{self.tree.game.player_name(s.player)} {s.name}" for s in self.tree.sets)
        below = range(1, len(self.points))
        inside = [self._edge(n) for n in below]
        inside += [self._join(number) for number in range(len(self.tree.sets))]
        inside += [self._label(n) for n in below]
        inside += [self._node(n) for n in range(len(self.points))]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img" width="{wide:g}" '
            f'height="{high:g}" viewBox="0 0 {wide:g} {high:g}" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title><desc>{escape(f'Information sets: {sets}')}</desc>"
            f'<style>{STYLE}</style><rect class="paper" width="{wide:g}" height="{high:g}"/>{"".join(inside)}</svg>\n'
        )

    def _edge(self, node: int) -> str:
        """A line from the parent, as wide as play is frequent."""
        parent, reach = self.points[node].parent, self.reach[node]
        width = 1.4 if self.is_plain or reach is None else 0.8 + 8 * reach
        x1, y1, x2, y2 = self.x[parent], self.y[parent], self.x[node], self.y[node]
        if self.points[node].utilities:  # it ends above the number
            x2, y2 = x2 - (x2 - x1) * 11 / LEVEL, y2 - 11
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        return f'<line {self._frequency(node)}{ends} style="stroke-width:{width:.2f}"/>'

    def _frequency(self, node: int) -> str:
        return 'class="never" ' if self.reach[node] == 0.0 else ""

    def _label(self, node: int) -> str:
        """The move that leads to a node, and its probability."""
        parent, chance = self.points[node].parent, self.chances[node]
        by_chance = self.points[parent].mover == CHANCE
        where = 0.75 if by_chance else 0.7
        x = self.x[parent] + where * (self.x[node] - self.x[parent])
        y = self.y[parent] + where * (self.y[node] - self.y[parent])
        place = f'x="{x:.1f}" text-anchor="middle"'
        words = f'<text class="label" {place} y="{y - 3:.1f}">{escape(self.points[node].name)}</text>'
        if chance is not None:
            shown = _fraction(chance) if by_chance else f"{100 * chance:.0f} %"
            words += f'<text class="label how-often" {place} y="{y + 12:.1f}">{shown}</text>'
        return f"<g {self._frequency(node)}>{words}</g>"

    def _join(self, number: int) -> str:
        """A dashed line through the nodes of an information set; it arches over nodes of other sets."""
        nodes = sorted(self.tree.sets[number].nodes, key=lambda node: self.x[node])
        parts = []
        for one, other in itertools.pairwise(nodes):
            x1, y1, x2, y2 = self.x[one], self.y[one], self.x[other], self.y[other]
            depth, placed = self.points[one].depth, zip(self.points, self.x, strict=True)
            crowded = any(point.depth == depth and x1 < x < x2 for point, x in placed)
            lift = 18.0 + 11 * (self.lane[number] % 6) if crowded else 0.0
            side = min((x2 - x1) / 4, 60.0)
            curve = f"C{x1 + side:.1f} {y1 - 1.3 * lift:.1f} {x2 - side:.1f} {y2 - 1.3 * lift:.1f} {x2:.1f} {y2:.1f}"
            parts.append(f"M{x1:.1f} {y1:.1f}{curve}")
        return f'<path class="join hue-{self.hue[number]}" data-join="{number}" d="{"".join(parts)}"/>' if parts else ""

    def _node(self, node: int) -> str:
        point, x, y = self.points[node], self.x[node], self.y[node]
        if point.utilities:
            shown = point.utilities[:1] if self._is_zero_sum() else point.utilities
            words = ", ".join(f"{u:+g}" if u else "0" for u in shown).replace("-", "−")
            return f'<text class="leaf-value" x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{words}</text>'
        if point.mover == CHANCE:
            return f'<g class="by-chance"><circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"/></g>'
        each = self.tree.sets[point.which]
        reach = self.reach[node]
        often = "" if reach is None else f", reached {_percent(reach)}"
        told = escape(f"{self.tree.game.player_name(each.player)}, {each.name}{often}")
        return (
            f'<g class="member hue-{self.hue[point.which]}" data-set="{point.which}"><title>{told}</title>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"/>'
            f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{each.player + 1}</text></g>'
        )

    def _is_zero_sum(self) -> bool:
        return self.tree.game.players == 2 and self.tree.game.zero_sum


def _percent(chance: float) -> str:
    """A probability in percent, with as many digits as matter."""
    return f"{100 * chance:.3g} %"


def _fraction(chance: float) -> str:
    """A probability of chance, as a fraction if it is a simple one."""
    near = Fraction(chance).limit_denominator(1000)
    return str(near) if abs(near - chance) < 1e-9 else _percent(chance)
