"""Trees with unknown leaves, solved exactly: the value, the best move and the pruned nodes, for all x.

The value is a piecewise-linear, non-decreasing function of an unknown. Questions about several unknowns are answered by
cases: minimax and alpha-beta run on the unknowns themselves, and every comparison that can go several ways makes a case
for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from zermelo.game.errors import GameError, IllegalAction, UnknownName, Unsuitable
from zermelo.game.protocol import CHANCE
from zermelo.trees.piecewise import Interval, Intervals, Piecewise, exact
from zermelo.trees.regions import Case, Linear, Region, explore, interval_of, projected, within
from zermelo.trees.tree import MAX, MIN, Node, Number, filled
from zermelo.trees.variations import Path, probabilities, utility_of, with_movers

INF = math.inf


def solve(
    tree: Any,
    first: int = MAX,
    players: int = 2,
    bounds: tuple[Number, Number] | None = None,
    **domain: Interval,
) -> Solution:
    """The solution of a tree with unknown leaves, which answers questions.

    tree    nested lists with words as unknown leaves, or a node
    first   the player at the root; players take turns unless nodes name a mover; players=1 for MAX alone
    bounds  the least and the greatest utility of any leaf; pruning at chance nodes needs them
    domain  the possible values of an unknown, as in x=Interval(0, None); by default between the bounds
    """
    return Solution(with_movers(tree, first, players), bounds, domain)


class Solution:
    """A tree with its unknowns, ready for questions.

    Every question is about one unknown, by name; if the tree has only one, the name is optional. The others have values
    (`y=3`) or quantifiers: `for_all={"y": Interval(0, 1200)}`, `for_some={"z": …}`. For any other unknown, the answer
    holds for all values in its domain.
    """

    def __init__(self, root: Node, bounds: tuple[Number, Number] | None, domain: Mapping[str, Interval]):
        self.root = root
        self.unknowns = tuple(sorted(_unknowns(root)))
        self.bounds = None if bounds is None else (exact(bounds[0]), exact(bounds[1]))
        usual = Interval() if self.bounds is None else Interval(*self.bounds)
        self._expect_known(domain)
        self.domain = {name: domain.get(name, usual) for name in self.unknowns}
        for name, interval in self.domain.items():
            self._expect_within_bounds(name, interval)
        _check(root, self.bounds)

    # The value.

    def value(self, of: str | None = None, **given: Number) -> Piecewise:
        """The value of the root for MAX, as a function of one unknown, given the others.

        Others can be omitted if the value does not depend on them.
        """
        lowest, highest = self.value_range(of, **given)
        if lowest != highest:
            name = self._name(of, given)
            missing = [u for u in self.unknowns if u != name and u not in given]
            example = ", ".join(f"{u}=3" for u in missing)
            raise GameError(
                f"the value depends on {', '.join(missing)} too: ask for value({name!r}, {example}), or for the "
                f"value_range({name!r})"
            )
        return lowest

    def value_range(self, of: str | None = None, **given: Number | Interval) -> tuple[Piecewise, Piecewise]:
        """The minimum and the maximum of the root's value for MAX, as functions of one unknown.

        A value never falls when a leaf rises, so the extremes are at the ends of the other unknowns' ranges. At an open
        end, the result is a limit.
        """
        name = self._name(of, given)
        ranges = {
            u: g if isinstance(g, Interval) else Interval(g, g)
            for u, g in {**self.domain, **given}.items()
            if u != name
        }
        lows = {u: Piecewise.constant(interval.low, name) for u, interval in ranges.items()}
        highs = {u: Piecewise.constant(interval.high, name) for u, interval in ranges.items()}
        own = {name: Piecewise.identity(name)}
        return _piecewise(self.root, {**lows, **own}, name), _piecewise(self.root, {**highs, **own}, name)

    # The best moves.

    def best_moves(self, of: str | None = None, only: bool = False, **given: Number) -> dict[int, Intervals]:
        """For each move of the root, the values for which it is among the best, or the only best one."""
        moves = range(len(self.root.children))
        return {move: self._when((move,), only, _Question(self, of, None, None, given)) for move in moves}

    def when(
        self,
        move: int | Path,
        of: str | None = None,
        *,
        only: bool = False,
        for_all: Mapping[str, Interval] | None = None,
        for_some: Mapping[str, Interval] | None = None,
        **given: Number,
    ) -> Intervals:
        """The values of the unknown for which a move at the root is best, or the only best one.

        `move` can be a line of moves, each of which must be best for its player. With both `for_all` and `for_some`,
        the answer holds if for all values of the first there are some values of the second.
        """
        line = (move,) if isinstance(move, int) else tuple(move)
        return self._when(line, only, _Question(self, of, for_all, for_some, given))

    def _when(self, line: Path, only: bool, question: _Question) -> Intervals:
        if all(at.mover == CHANCE for at in self._along(line)):
            raise Unsuitable(f"no player moves on the way to {line}: chance does")
        if len(line) == 1:
            question.use_monotonicity(line[0])
        root, count = question.root, len(question.names)

        def is_best(case: Case) -> bool:
            at = root
            for step in line:
                if at.mover != CHANCE:
                    sign = 1 if at.mover == MAX else -1
                    chosen = _linear(at.children[step], question.names, case)
                    for i, child in enumerate(at.children):
                        ahead = 0 if i == step else sign * case.sign(_linear(child, question.names, case), chosen)
                        if ahead > 0 or (only and i != step and ahead == 0):
                            return False
                at = at.children[step]
            return True

        return question.answer(explore(is_best, question.start, count))

    # The prunings.

    def pruned(
        self,
        node: str | int | Path,
        of: str | None = None,
        *,
        cut_ties: bool = True,
        fail_hard: bool = False,
        for_all: Mapping[str, Interval] | None = None,
        for_some: Mapping[str, Interval] | None = None,
        **given: Number,
    ) -> Intervals:
        """The values of the unknown for which a node is never visited, with moves tried from left to right.

        The search is alpha-beta or, with chance nodes, Star1, which needs bounds. `node` is a line of moves from
        the root, or the name of a node or of an unknown. `cut_ties` cuts at ≤, as the textbook does, instead of <.
        """
        path = self._path(node)
        question = _Question(self, of, for_all, for_some, given)
        search = _Search(self, question, cut_ties, fail_hard)
        cases = explore(search.run, question.start, len(question.names))
        return question.answer((region, path not in seen) for region, seen in cases)

    def prunings(
        self, of: str | None = None, *, cut_ties: bool = True, fail_hard: bool = False, **given: Number
    ) -> dict[Path, Intervals]:
        """For every leaf that can be pruned, by its line of moves, the values for which it is; see `pruned`."""
        question = _Question(self, of, None, None, given)
        search = _Search(self, question, cut_ties, fail_hard)
        cases = list(explore(search.run, question.start, len(question.names)))
        answers = {
            path: question.answer((region, path not in seen) for region, seen in cases)
            for path, node in _paths(self.root)
            if node.is_leaf
        }
        return {path: where for path, where in answers.items() if where}

    # Checking the question.

    def _name(self, of: str | None, given: Iterable[str]) -> str:
        self._expect_known([*([] if of is None else [of]), *given])
        if of is not None:
            return of
        left = [name for name in self.unknowns if name not in given]
        if len(left) > 1:
            raise GameError(f"the tree has the unknowns {', '.join(left)}: say of which one the answer is to be")
        return left[0] if left else "x"

    def _expect_known(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.unknowns and (self.unknowns or name != "x"):
                raise UnknownName(f"the tree has no unknown {name}; it has {', '.join(self.unknowns) or 'none'}")

    def _expect_within_bounds(self, name: str, interval: Interval) -> None:
        if self.bounds is not None and not Intervals(interval) <= Intervals(Interval(*self.bounds)):
            raise GameError(f"{name} is said to lie in {interval}, beyond the bounds {Interval(*self.bounds)}")

    def _along(self, line: Path) -> list[Node]:
        """The nodes at which the moves of a line are made."""
        at, nodes = self.root, list[Node]()
        for move in line:
            if not 0 <= move < len(at.children):
                raise IllegalAction(f"there is no move {move} after {line[: len(nodes)]}")
            nodes.append(at)
            at = at.children[move]
        return nodes

    def _path(self, node: str | int | Path) -> Path:
        if isinstance(node, str):
            found = [path for path, at in _paths(self.root) if node in (at.name, at.unknown)]
            if len(found) != 1:
                which = "no node is" if not found else f"{len(found)} nodes are"
                raise UnknownName(f"{which} called {node}: give the line of moves that leads to it, as in (1, 0)")
            return found[0]
        path = (node,) if isinstance(node, int) else tuple(node)
        self._along(path)
        return path


class _Question:
    """A question about a solution: for which unknown, with which others given, and how the rest is quantified."""

    def __init__(
        self,
        solution: Solution,
        of: str | None,
        for_all: Mapping[str, Interval] | None,
        for_some: Mapping[str, Interval] | None,
        given: Mapping[str, Number],
    ):
        self.every, self.some = dict(for_all or {}), dict(for_some or {})
        self.name = solution._name(of, {**self.every, **self.some, **given})
        for name, interval in {**self.every, **self.some}.items():
            solution._expect_within_bounds(name, interval)
        for name, value in given.items():
            solution._expect_within_bounds(name, Interval(value, value))
        said = [self.name, *self.every, *self.some, *given]
        if len(set(said)) < len(said):
            raise GameError(f"each unknown is given, asked for or quantified once, and here are {', '.join(said)}")
        self.every |= {u: solution.domain[u] for u in solution.unknowns if u not in said}
        self.own = solution.domain.get(self.name, Interval())
        self.root = filled(solution.root, given)

    @property
    def names(self) -> tuple[str, ...]:
        """The remaining unknowns; the one in question comes first."""
        return (self.name, *self.every, *self.some)

    @property
    def start(self) -> Region:
        """The conditions that hold from the start."""
        domains = (self.own, *self.every.values(), *self.some.values())
        return tuple(c for i, interval in enumerate(domains) for c in within(interval, i, len(domains)))

    def use_monotonicity(self, move: int) -> None:
        """Whether a move is best depends on an unknown below one move only through that move's value.

        The deciding case is therefore the worst end of its range, or the best end if some value is enough, and the
        unknown has that value. (If that end is open or infinite, all cases are tried.)
        """
        below = [_unknowns(child) for child in self.root.children]
        for name, interval in {**self.every, **self.some}.items():
            homes = [i for i, unknowns in enumerate(below) if name in unknowns]
            if len(homes) != 1:
                continue
            raised = (homes == [move]) == (name in self.some)  # should its branch look good to the one who moves?
            high = raised == (self.root.mover == MAX)
            end, closed = (interval.high, interval.high_closed) if high else (interval.low, interval.low_closed)
            if closed and isinstance(end, Fraction):
                self.root = filled(self.root, {name: end})
                self.every.pop(name, None)
                self.some.pop(name, None)

    def answer(self, cases: Iterable[tuple[Region, bool]]) -> Intervals:
        """The values of the unknown for which these cases hold, with the other unknowns quantified as requested."""
        known = list(cases)
        count = len(self.names)
        if self.some:
            known = self._for_some(known)
        fails = [interval_of(region, 0, count) for region, holds in known if not holds]
        return Intervals(self.own) - Intervals(*(interval for interval in fails if interval is not None))

    def _for_some(self, cases: list[tuple[Region, bool]]) -> list[tuple[Region, bool]]:
        """The cases of the other unknowns: does it hold for some values of these?"""
        count = len(self.names)
        places = range(count - len(self.some), count)
        shadows = [projected(region, places) for region, holds in cases if holds]

        def in_a_shadow(case: Case) -> bool:
            return any(all(case.meets(condition) for condition in shadow or ()) for shadow in shadows)

        return list(explore(in_a_shadow, self.start, count))


class _Search:
    """Alpha-beta and Star1, as in `zermelo.search`, on unknown numbers: which nodes do they visit?"""

    def __init__(self, solution: Solution, question: _Question, cut_ties: bool, fail_hard: bool):
        self.root, self.names = question.root, question.names
        self.cut_ties, self.fail_hard = cut_ties, fail_hard
        self.least = self.most = self._number(Fraction(0))
        if any(node.mover == CHANCE for _, node in _paths(self.root)):
            if solution.bounds is None:
                raise Unsuitable("chance nodes are pruned only if bounds are known: solve(tree, bounds=(0, 10))")
            if not cut_ties or fail_hard:
                raise Unsuitable("at chance nodes it is Star1 that prunes, which cuts at ties and fails soft")
            self.least, self.most = (self._number(bound) for bound in solution.bounds)

    def _number(self, value: Fraction | float) -> Linear:
        return Linear((Fraction(0),) * len(self.names), value)

    def run(self, case: Case) -> frozenset[Path]:
        """The nodes that are looked at, in this case."""
        self.case, self.seen = case, set[Path]()
        self.search(self.root, (), self._number(-INF), self._number(INF))
        return frozenset(self.seen)

    def search(self, node: Node, path: Path, alpha: Linear, beta: Linear) -> Linear:
        """The value that the search returns for a node in a window."""
        self.seen.add(path)
        if node.is_leaf:
            return _leaf(node, self.names)
        if node.mover == CHANCE:
            return self.average(node, path, alpha, beta)
        low, high, sign = alpha, beta, 1 if node.mover == MAX else -1
        best = self._number(-sign * INF)
        for i, child in enumerate(node.children):
            value = self.search(child, (*path, i), alpha, beta)
            if self.case.sign(value, best) == sign:
                best = value
            reached = sign * self.case.sign(best, beta if sign > 0 else alpha)
            if reached > 0 or (reached == 0 and self.cut_ties):
                break
            if sign > 0:
                alpha = self._max(alpha, best)
            else:
                beta = self._min(beta, best)
        return self._min(self._max(best, low), high) if self.fail_hard else best

    def average(self, node: Node, path: Path, alpha: Linear, beta: Linear) -> Linear:
        """Star1 at a chance node. A child's window is wider by a nudge, as that of the real one is by its margin."""
        total, left = self._number(Fraction(0)), Fraction(1)
        for i, (p, child) in enumerate(zip(probabilities(node), node.children, strict=True)):
            if not p:
                continue
            low, high = total + self.least.times(left), total + self.most.times(left)
            if self.case.sign(high, alpha) <= 0:
                return high
            if self.case.sign(low, beta) >= 0:
                return low
            left -= p
            margin = Linear(self._number(Fraction(0)).weights, Fraction(0), Fraction(1))
            others_most, others_least = total + self.most.times(left), total + self.least.times(left)
            child_alpha = self._max(self.least, (alpha - others_most - margin).times(1 / p))
            child_beta = self._min(self.most, (beta - others_least + margin).times(1 / p))
            total += self.search(child, (*path, i), child_alpha, child_beta).times(p)
        return total

    def _max(self, a: Linear, b: Linear) -> Linear:
        return a if self.case.sign(a, b) >= 0 else b

    def _min(self, a: Linear, b: Linear) -> Linear:
        return a if self.case.sign(a, b) <= 0 else b


def _leaf(node: Node, names: tuple[str, ...]) -> Linear:
    if node.unknown:
        return Linear(tuple(Fraction(node.unknown == name) for name in names), Fraction(0))
    return Linear((Fraction(0),) * len(names), utility_of(node))


def _linear(node: Node, names: tuple[str, ...], case: Case) -> Linear:
    """The value of a node, in a case."""
    if node.is_leaf:
        return _leaf(node, names)
    values = [_linear(child, names, case) for child in node.children]
    if node.mover == CHANCE:
        parts = [value.times(p) for p, value in zip(probabilities(node), values, strict=True)]
        return sum(parts[1:], parts[0])
    best = values[0]
    for value in values[1:]:
        if case.sign(value, best) == (1 if node.mover == MAX else -1):
            best = value
    return best


def _piecewise(node: Node, known: Mapping[str, Piecewise], name: str) -> Piecewise:
    """The value of a node, as a function of the unknown of this name."""
    if node.is_leaf:
        return known[node.unknown] if node.unknown else Piecewise.constant(utility_of(node), name)
    values = [_piecewise(child, known, name) for child in node.children]
    if node.mover == CHANCE:
        parts = [value * p for p, value in zip(probabilities(node), values, strict=True)]
        return sum(parts[1:], parts[0])
    value = values[0]
    for other in values[1:]:
        value = value.max(other) if node.mover == MAX else value.min(other)
    return value


def _unknowns(node: Node) -> set[str]:
    return {at.unknown for _, at in _paths(node) if at.unknown}


def _paths(node: Node, path: Path = ()) -> Iterable[tuple[Path, Node]]:
    """Every node with the line of moves that leads to it, each before its children."""
    yield path, node
    for i, child in enumerate(node.children):
        yield from _paths(child, (*path, i))


def _check(root: Node, bounds: tuple[Fraction, Fraction] | None) -> None:
    """Raise an error unless the tree has only MAX, MIN and chance, and all utilities are within bounds."""
    for path, node in _paths(root):
        if not node.is_leaf:
            if node.mover not in (MAX, MIN, CHANCE):
                raise Unsuitable(f"unknowns are solved for MAX and MIN, and player {node.mover} moves at {path}")
            if node.mover == CHANCE:
                probabilities(node)
        elif not node.unknown:
            utility = utility_of(node)
            if bounds is not None and not bounds[0] <= utility <= bounds[1]:
                raise GameError(f"the leaf at {path} is {utility}, beyond the bounds {Interval(*bounds)}")


__all__ = ["Interval", "Intervals", "Piecewise", "Solution", "solve"]
