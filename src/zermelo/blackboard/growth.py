"""Monte Carlo tree search, step by step: selection, expansion, rollout and backup on a growing tree.

The search is the real one, observed. Values are MAX's if one side wins what the other loses; otherwise each node shows
the value for the player who chose it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.blackboard.growth_words import GrowthNarrator
from zermelo.blackboard.pseudocode import line_of, pseudocode
from zermelo.blackboard.recorder import Step
from zermelo.blackboard.steps import Snapshot, Steps
from zermelo.blackboard.subject import Subject, subject_of
from zermelo.blackboard.wording import number, value
from zermelo.game.errors import StateError, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.mcts.tree import LONGEST_ROLLOUT
from zermelo.search.mcts.watched import Choice, Simulation
from zermelo.trees.tree import Node, Tree

SIMULATIONS = 30
MOST_SIMULATIONS = 2_000
"""All of them are kept."""


@dataclass
class Place:
    """A node of the search tree, and what is known of it.

    total    the sum of its results, for the player `whose`
    proven   its value, once it is proven
    """

    number: int
    parent: int
    state: Any
    action: Any
    whose: int
    name: str = ""
    is_end: bool = False
    children: dict[Any, int] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0
    proven: float | None = None

    @property
    def mean(self) -> float:
        """Its mean result."""
        return self.total / self.visits


class Growth(Steps):
    """A Monte Carlo tree search, step by step.

    places      the nodes, by number; in a textbook tree, those of the tree itself
    analysis    the answer of `zermelo.analyse`
    simulations as they were observed
    """

    algorithm = "mcts"
    shows = ("visits", "bounds", "values")

    def __init__(self, game: Game, state: Any, simulations: Sequence[Simulation], analysis: Analysis):
        self.game, self.state, self.simulations, self.analysis = game, state, simulations, analysis
        traits = game.traits
        self.is_zero_sum = traits.sides <= 2 and (traits.zero_sum or traits.players == 1)
        self.tree = game if isinstance(game, Tree) else None
        self.places = self._tree_places(self.tree) if self.tree is not None else self._found_places()
        self._subject = self._drawn()
        self.narrator = GrowthNarrator(self)
        made = [self._step("begin", 0, "The tree begins as one node, the root.", entered=0)]
        for simulation in simulations:
            made += self._simulated(simulation)
        made.append(self._step("answer", 0, self.narrator.answer(), path=(0, *self.line)))
        self.steps = tuple(made)

    # The tree.

    @property
    def subject(self) -> Subject:
        return self._subject

    @property
    def line(self) -> tuple[int, ...]:
        """The most visited play, as nodes after the root."""
        nodes, at = [], 0
        for action in self.analysis.line:
            if action not in self.places[at].children:
                break
            at = self.places[at].children[action]
            nodes.append(at)
        return tuple(nodes)

    @property
    def pseudocode(self) -> list[str]:
        return pseudocode("mcts")

    def way_to(self, node: int) -> tuple[int, ...]:
        path = [node]
        while path[-1] > 0:
            path.append(self.places[path[-1]].parent)
        return tuple(reversed(path))

    def _tree_places(self, tree: Tree) -> list[Place]:
        """The nodes of a textbook tree: all of them, whether visited or not."""
        places: list[Place] = []
        for n, at in enumerate(tree.nodes):
            first, count = int(tree.first_child[n]), int(tree.child_count[n])
            parent = int(tree.parent[n])
            action = n - int(tree.first_child[parent]) if n else None
            state = tree.initial() if action is None else tree.result(places[parent].state, action)
            children = {a: first + a for a in range(count)}
            whose = self._whose(int(tree.mover[parent])) if n else 0
            places.append(Place(n, parent, state, action, whose, at.name, at.is_leaf, children))
        return places

    def _found_places(self) -> list[Place]:
        """The nodes of the search tree, breadth first, children in the order of the game's moves."""
        found = [Place(0, -1, self.state, None, 0)]
        for simulation in self.simulations:
            at = found[0]
            for depth, choice in enumerate(simulation.choices):
                if choice.action not in at.children:
                    at.children[choice.action] = len(found)
                    state = simulation.states[depth]
                    found.append(Place(len(found), at.number, state, choice.action, self._whose(choice.mover)))
                at = found[at.children[choice.action]]
            at.is_end = at.is_end or simulation.ended == "end"
        order = [0]
        for n in order:  # grows as it is walked
            ranks = {a: i for i, a in enumerate(self._moves(found[n].state))} if found[n].children else {}
            order += sorted(found[n].children.values(), key=lambda c: ranks.get(found[c].action, 0))
        numbers = {old: new for new, old in enumerate(order)}
        places = [found[old] for old in order]
        for new, place in enumerate(places):
            place.number, place.parent = new, numbers.get(place.parent, -1)
            place.children = {a: numbers[c] for a, c in place.children.items()}
        return places

    def _moves(self, state: Any) -> list[Any]:
        game = self.game
        if game.to_move(state) == CHANCE:
            return [outcome for outcome, _ in game.outcomes(state)]
        return list(game.actions(state))

    def _whose(self, mover: int) -> int:
        return 0 if self.is_zero_sum or mover < 0 else mover

    def _drawn(self) -> Subject:
        if self.tree is not None:
            return subject_of(self.tree)
        nodes, children, movers = [], [], []
        for place in self.places:
            below = sorted(place.children.values())
            children.append(range(below[0], below[0] + len(below)) if below else range(0))
            labels = tuple(self.label(n) for n in below)
            ended = value(self._utility(place)) if place.is_end else ""
            nodes.append(Node(labels=labels, unknown=ended))
            movers.append(0 if place.is_end else self._side(self.game.to_move(place.state)))
        players = 2 if self.is_zero_sum else self.game.players
        ends = frozenset(place.number for place in self.places if place.is_end)
        return Subject(nodes, children, movers, players, growing=True, ends=ends)

    def _side(self, mover: int) -> int:
        if mover < 0 or not self.is_zero_sum:
            return mover
        return 0 if self.game.side(mover) == self.game.side(0) else 1

    def _utility(self, place: Place) -> Any:
        game = self.game
        if self.is_zero_sum:
            return float(game.utility(place.state, 0))
        return tuple(float(game.utility(place.state, p)) for p in range(game.players))

    def label(self, n: int) -> str:
        """The name of the move to a node."""
        place = self.places[n]
        before = self.places[place.parent].state
        if self.tree is not None:
            labels = self.tree.nodes[place.parent].labels
            named = labels[place.action] if place.action < len(labels) else ""
            return named or place.name or f"move {place.action + 1}"
        if self.game.to_move(before) == CHANCE:
            return str(place.action)
        return self.game.action_name(before, place.action)

    # The steps.

    def _simulated(self, simulation: Simulation) -> Iterable[Step]:
        path = self._path(simulation)
        steps = [
            self._chosen(simulation, depth, choice, path[depth], path[depth + 1])
            for depth, choice in enumerate(simulation.choices)
        ]
        steps.append(self._rolled_out(simulation, path))
        steps.append(self._backed_up(simulation, path))
        if simulation.proven:
            steps.append(self._proven(simulation, path))
        return steps

    def _path(self, simulation: Simulation) -> list[int]:
        path = [0]
        for choice in simulation.choices:
            path.append(self.places[path[-1]].children[choice.action])
        return path

    def _chosen(self, simulation: Simulation, depth: int, choice: Choice, at: int, child: int) -> Step:
        kind = {"bound": "select", "untried": "expand", "outcome": "outcome"}[choice.how]
        is_new = self.places[child].visits == 0
        listed = depth in simulation.listed
        bounds = {}
        for bound in choice.bounds:
            mean, exploration = self.unscaled(simulation, choice.mover, bound.mean), self.spread_of(simulation, bound)
            low = self.is_minimiser(choice.mover)
            bounds[self.places[at].children[bound.action]] = (
                f"{number(mean)} {'−' if low else '+'} {number(exploration)}"
            )
        text = self.narrator.choice(simulation, choice, at, child, listed)
        entered = child if is_new else None
        way = self.way_to(child)
        return self._step(kind, child, text, simulation=simulation.number, bound=bounds, entered=entered, path=way)

    def _rolled_out(self, simulation: Simulation, path: list[int]) -> Step:
        nodes = list(path)
        if self.tree is not None:
            nodes += [state.node for state in simulation.states[len(simulation.choices) :]]
        text = self.narrator.rollout(simulation, path[-1])
        return self._step("rollout", path[-1], text, simulation=simulation.number, path=tuple(nodes))

    def _backed_up(self, simulation: Simulation, path: list[int]) -> Step:
        before = [(self.places[n].visits, self.places[n].total) for n in path]
        for n in path:
            place = self.places[n]
            place.visits += 1
            place.total += simulation.utilities[place.whose]
        text = self.narrator.backup(path, before)
        worth = {n: self.places[n].mean for n in path if self.places[n].proven is None}
        notes = {n: f"n = {self.places[n].visits}" for n in path}
        return self._step(
            "backup", path[0], text, simulation=simulation.number, value=worth, note=notes, path=tuple(path)
        )

    def _proven(self, simulation: Simulation, path: list[int]) -> Step:
        low, high = simulation.least[0], simulation.least[0] + simulation.width
        known = {}
        for depth, least, most in simulation.proven:
            if least == most:
                self.places[path[depth]].proven = known[path[depth]] = least
        text = self.narrator.proof(
            [(path[d], least, most) for d, least, most in reversed(simulation.proven)], low, high
        )
        signs = dict.fromkeys(known, "=")
        top = path[simulation.proven[0][0]]
        return self._step("proof", top, text, simulation=simulation.number, value=known, sign=signs)

    def _step(self, kind: str, node: int, text: str, simulation: int | None = None, **changes: Any) -> Step:
        return Step(kind, node, text, line_of("mcts", kind, ""), simulation, **changes)

    # Numbers.

    def is_minimiser(self, mover: int) -> bool:
        """Does this player want MAX's value to be small?"""
        return self.is_zero_sum and self._side(mover) == 1

    def unscaled(self, simulation: Simulation, mover: int, result: float) -> float:
        """A scaled result of a player, as a utility: MAX's, or the player's own."""
        if self.is_minimiser(mover):
            return simulation.least[0] + (1 - result) * simulation.width
        return simulation.least[mover] + result * simulation.width

    def spread_of(self, simulation: Simulation, bound: Any) -> float:
        """An exploration term, as a difference of utilities."""
        return float(bound.exploration * simulation.width)

    # For pages.

    def facts(self) -> list[tuple[str, str]]:
        return [("place", "node"), ("visits", "visits"), ("value", "mean result"), ("simulation", "simulation")]

    def now(self, step: Step, snapshot: Snapshot) -> dict[str, str]:
        worth = snapshot.value.get(step.node)
        return {
            "place": self.narrator.called(step.node),
            "visits": snapshot.note.get(step.node, "n = 0").removeprefix("n = "),
            "value": "" if worth is None else f"{snapshot.sign.get(step.node, '')} {value(worth)}".strip(),
            "simulation": f"{step.depth} of {len(self.simulations)}" if step.depth else "",
        }

    def views(self) -> list[tuple[str, str]]:
        return [("note", "visits"), ("bound", "confidence bounds"), ("none", "means only")]

    def summary(self) -> str:
        nodes = sum(place.visits > 0 for place in self.places)
        proof = ", proven" if self.analysis.exact else ""
        return (
            f"mcts: {self.narrator.best()}{proof}, after {len(self.simulations)} simulations; "
            f"{nodes} nodes in the tree, {len(self.steps)} steps."
        )

    def legend(self) -> str:
        name = self.game.player_name
        whose = f"for {name(0)}" if self.is_zero_sum else "for the player who chose the move"
        players = "squares: the players by their letters"
        if self.is_zero_sum:
            players = f"▲ {name(0)}" + (f", ▼ {name(1)}" if self.game.players == 2 else "")
        chance = ", ○ chance" if self.game.chance else ""
        later = "Nodes appear when they are first visited." if self.tree is None else "Dotted: not visited yet."
        return (
            f"{players}{chance}, ■ the end of the game. Bold: the mean result {whose}; =: proven. n: visits. {later} "
            "Thick at the end: the most visited play."
        )

    def moves_at(self) -> dict[int, list[dict[str, Any]]]:
        """For each node with children in the tree, what each move has in the end."""
        found: dict[int, list[dict[str, Any]]] = {}
        for place in self.places:
            rows = []
            for n in sorted(place.children.values()):
                child = self.places[n]
                shown = "" if not child.visits else value(child.mean if child.proven is None else child.proven)
                proof = ", proven" if child.proven is not None else ""
                visits = f"{child.visits} visit{'s' * (child.visits != 1)}{proof}" if child.visits else "not tried"
                rows.append({"place": n, "move": self.label(n), "value": shown, "ended": visits})
            if rows:
                found[place.number] = rows
        return found


def watch_mcts(
    game: Game,
    state: Any = None,
    simulations: int = SIMULATIONS,
    history: Iterable[Any] = (),
    **options: Any,
) -> Growth:
    """Monte Carlo tree search from a state, step by step; options as for `analyse(..., algorithm="mcts")`.

    Rollouts go on to the end of the game, unless `rollout_plies` says otherwise.
    """
    if not 1 <= simulations <= MOST_SIMULATIONS:
        raise ValueError(f"simulations must be from 1 to {MOST_SIMULATIONS:,}, not {simulations}")
    if game.traits.hidden:
        raise Unsuitable(f"{game.title} has hidden information: a tree would reveal everything")
    if game.chance and not game.traits.lists_outcomes:
        raise Unsuitable(
            f"{game.title} cannot be watched: it draws its chance moves, but has no `outcomes` to list them"
        )
    if isinstance(game, Tree):
        if game.child_count[0] == 0:
            raise StateError("the tree is a single leaf: there is nothing to search")
        game = _bounded(game)
    options.setdefault("rollout_plies", LONGEST_ROLLOUT)
    seen: list[Simulation] = []
    observer = _Collector(seen)
    before = list(history)
    found = analyse(
        game, state, algorithm="mcts", nodes=simulations, compile=False, observer=observer, history=before, **options
    )
    return Growth(game, game.initial() if state is None else state, seen, found)


@dataclass(frozen=True)
class _Collector:
    seen: list[Simulation]

    def simulation(self, simulation: Simulation) -> None:
        self.seen.append(simulation)


def _bounded(tree: Tree) -> Tree:
    """The tree with the range of its own leaves, if none is declared: results are scaled by it."""
    low, high = tree.utility_range
    leaves = tree.utilities[tree.child_count == 0]
    if high - low < math.inf or tree.players > 2 or leaves[:, 0].min() == leaves[:, 0].max():
        return tree
    estimates = [tree.estimates[n, 0] for n, at in enumerate(tree.nodes) if at.estimate]
    known = [*leaves[:, 0], *estimates]
    bounds = float(min(known)), float(max(known))
    own = copy.copy(tree)
    own._range = bounds
    return own
