"""Watching Monte Carlo tree search: every simulation with its choices, its rollout and its backup.

The search is the real one, in plain Python; only its tree differs, which notes what it is asked. Pass an object with a
method `simulation` to `analyse(..., algorithm="mcts", observer=...)`: it is called with a `Simulation` after each one.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from zermelo.search.mcts.tree import COUNT, FACTOR, HIGHEST, LOWEST, OBSERVING, SIMULATIONS, TRIED, VISITS, Tree


@dataclass(frozen=True)
class Bound:
    """The upper confidence bound of a move: its mean result plus the exploration term, in the units of `Simulation`."""

    action: Any
    visits: int
    mean: float
    exploration: float

    @property
    def total(self) -> float:
        """What the moves are compared by."""
        return self.mean + self.exploration


@dataclass(frozen=True)
class Choice:
    """A step down the tree.

    how      "bound" (the greatest upper bound), "untried" (a move that was never tried) or "outcome" (drawn by chance)
    bounds   the moves that were compared; proven ones that cannot be better than another are left out
    count    how many moves the node has, and `untried`, how many of them had not been tried before
    visits   how often the node had been visited before
    """

    action: Any
    mover: int
    how: str
    bounds: tuple[Bound, ...] = ()
    count: int = 0
    untried: int = 0
    visits: int = 0


@dataclass(frozen=True)
class Update:
    """What the backup changed at a node, the root first: visits, and the sum of results of the player who chose it."""

    visits_before: int
    visits: int
    sum_before: float
    sum: float

    @property
    def mean_before(self) -> float | None:
        """The mean before; None at the first visit."""
        return self.sum_before / self.visits_before if self.visits_before else None

    @property
    def mean(self) -> float:
        """The mean after the backup."""
        return self.sum / self.visits


@dataclass
class Simulation:
    """One simulation. Results are scaled to [0, 1] by the utility range; `results` has one for each player.

    number      counted from 1
    choices     the way down the tree; the last leads to the leaf that was selected
    listed      depths of the nodes whose moves were listed: those reached for the second time
    ended       "end" (of the game), "proven" (the leaf's value is known) or "rollout"
    states      the positions after the root's, along the choices and then the rollout
    moves       the moves between them; None if chance drew a state without a name
    utilities   what the result is worth to each player
    updates     what the backup changed, from the root to the leaf
    proven      (depth, low, high) of each node on the path whose proven bounds on player 0's utility changed
    factor      of the exploration term: the constant times the largest spread of the results so far
    least       the least utility of each player, and `width`, that of the range: what results are scaled by
    """

    number: int
    factor: float = 0.0
    least: tuple[float, ...] = ()
    width: float = 1.0
    choices: list[Choice] = field(default_factory=list)
    listed: list[int] = field(default_factory=list)
    ended: str = "rollout"
    states: list[Any] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    results: tuple[float, ...] = ()
    utilities: dict[int, float] = field(default_factory=dict)
    updates: tuple[Update, ...] = ()
    proven: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def rollout(self) -> list[Any]:
        """The moves of the rollout."""
        return self.moves[len(self.choices) :]


class WatchedTree(Tree):
    """The search tree, which notes what it is asked and tells an observer."""

    observer: Any
    now: Simulation

    def watch(self, game: Any, observer: Any) -> Any:
        """Tell the observer of each simulation; returns the game to simulate, which notes its moves."""
        self.observer = observer
        watched = copy.copy(game)
        watched.result = lambda s, a: self._moved(game.result(s, a), a)
        if game.offers("draw"):  # otherwise an outcome is drawn, and leads to its `result`
            watched.draw = lambda s, random: self._moved(game.draw(s, random), None)
        self._begin()
        return watched

    def _begin(self) -> None:
        self.now = Simulation(int(self.counts[SIMULATIONS]) + 1)

    def _moved(self, state: Any, action: Any) -> Any:
        self.now.states.append(state)
        self.now.moves.append(action)
        return state

    # Selection and expansion.

    def choose(self, game: Any, node: int) -> int:
        self._bounds: list[Bound] = []
        child = super().choose(game, node)
        self._chosen(node, child, "bound", tuple(self._bounds))
        return child

    def bound_of(self, child: int, maximises: bool, factor: float) -> float:
        found = super().bound_of(child, maximises, factor)
        mean = self.mean_of(child, maximises)
        self._bounds.append(Bound(self.action[child], int(self.node[child, VISITS]), mean, found - mean))
        return found

    def try_another(self, node: int, random: Any) -> int:
        child = super().try_another(node, random)
        self._chosen(node, child, "untried")
        return child

    def draw_outcome(self, node: int, random: Any) -> int:
        child = super().draw_outcome(node, random)
        self._chosen(node, child, "outcome")
        return child

    def child_with(self, node: int, word: int) -> int:
        child = super().child_with(node, word)
        self._chosen(node, child, "outcome")
        return child

    def _chosen(self, node: int, child: int, how: str, bounds: tuple[Bound, ...] = ()) -> None:
        count, mover, visits = int(self.node[node, COUNT]), int(self.mover[node]), int(self.node[node, VISITS])
        untried = count - int(self.node[node, TRIED])
        self.now.choices.append(Choice(self.action[child], mover, how, bounds, count, untried, visits))

    def expand(self, game: Any, s: Any, node: int) -> bool:
        self.now.listed.append(len(self.now.choices))
        return super().expand(game, s, node)

    def mark_end(self, game: Any, s: Any, node: int) -> None:
        self.now.ended = "end"
        super().mark_end(game, s, node)

    # Rollout and backup.

    def note(self, p: int, utility: float) -> None:
        super().note(p, utility)
        if self.scale[OBSERVING] != 0.0:  # a rollout before the search, which only finds the range
            self._begin()
        else:
            self.now.utilities[p] = utility

    def back_up(self, depth: int) -> None:
        now, leaf = self.now, self.path[depth]
        before = [(int(self.node[node, VISITS]), float(self.value[node])) for node in self.path[: depth + 1]]
        now.factor = self.scale[FACTOR]
        is_proven = bool(self.proves and self.low[leaf] == self.high[leaf])
        if is_proven or self.node[leaf, COUNT] < 0:
            now.ended = "end" if self.node[leaf, COUNT] < 0 else "proven"
        super().back_up(depth)
        after = [(int(self.node[node, VISITS]), float(self.value[node])) for node in self.path[: depth + 1]]
        now.updates = tuple(Update(n, m, x, y) for (n, x), (m, y) in zip(before, after, strict=True))
        now.results = tuple(float(result) for result in self.worth)
        if not is_proven:  # otherwise the proof is carried to the root first
            self._tell()

    def settle(self, game: Any, depth: int) -> None:
        path = self.path[: depth + 1]
        before = [(self.low[node], self.high[node]) for node in path]
        super().settle(game, depth)
        for d, node in enumerate(path):
            if (self.low[node], self.high[node]) != before[d]:
                self.now.proven.append((d, float(self.low[node]), float(self.high[node])))
        self._tell()

    def _tell(self) -> None:
        now = self.now
        now.least, now.width = tuple(self.least), self.scale[HIGHEST] - self.scale[LOWEST]
        for p, result in enumerate(now.results):  # a proven leaf is not rolled out
            now.utilities.setdefault(p, now.least[p] + result * now.width)
        self._begin()
        self.observer.simulation(now)
