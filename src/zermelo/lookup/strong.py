"""Strong solutions of small games: the value and the best moves of every state that can be reached.

Without chance: backward induction from the ends of the game, pass by pass (retrograde analysis). States from which
nobody can force an end are drawn. With chance: value iteration (Bellman 1957) on a lower and an upper bound of every
value, until they are as close as wanted. So the error is known, and not guessed from the last change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, StateError, Unsuitable, ZermeloError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import is_named_tuple, normaliser
from zermelo.kernel.files import write_whole
from zermelo.kernel.stopping import StopToken

LIMIT = 3_000_000
"""States, unless told otherwise: each takes about a kilobyte while they are solved."""
ERROR = 1e-6
SWEEPS = 100_000
NEVER = -1
"""The distance of a state whose value is not forced within a number of plies."""
FORMAT = "zermelo solution 1"


@dataclass(frozen=True)
class Known:
    """What is known of a state: its value to the player to move at the start, and the best moves, the best first.

    distance   plies to the end of the game, if both play best; None if chance decides, or nobody can force an end
    error      how far the value may be from the true one
    """

    value: float
    distance: int | None
    moves: tuple[Any, ...]
    error: float = 0.0


class Solution:
    """Every reachable state of a game with its value. `solution[state]` is what is known of one."""

    def __init__(self, game: Game, player: int, rows: dict[Any, tuple[float, int, tuple[Any, ...]]], error: float):
        self.game, self.player, self.rows, self.error = game, player, rows, error

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)

    def __getitem__(self, state: Any) -> Known:
        if state not in self.rows:
            raise StateError(f"{state!r} cannot be reached in {self.game.title}, so the solution does not have it")
        value, distance, moves = self.rows[state]
        return Known(value, None if distance == NEVER else distance, moves, self.error)

    def policy(self) -> Iterator[tuple[Any, Any]]:
        """Yields every state in which a player moves, with a best move."""
        for state, (_, _, moves) in self.rows.items():
            if moves:
                yield state, moves[0]

    def save(self, path: Path) -> None:
        """Write the solution to a file."""
        rows = [[_plain(s), value, distance, list(moves)] for s, (value, distance, moves) in self.rows.items()]
        about = {"format": FORMAT, "game": self.game.name, "player": self.player, "error": self.error}
        try:
            write_whole(path, json.dumps({**about, "states": rows}).encode())
        except (OSError, TypeError) as error:
            raise ZermeloError(f"the solution cannot be written to {path}: {error}") from None

    @classmethod
    def load(cls, path: Path, game: Game) -> Solution:
        """Read a solution of this game."""
        try:
            found = json.loads(path.read_text())
            if found["format"] != FORMAT:
                raise KeyError
            if found["game"] != game.name:
                raise ZermeloError(f"{path} is a solution of {found['game']}, not of {game.name}")
            kind: Any = type(game.initial())
            wrap = normaliser(kind) or (lambda state: state)
            states = (_state(kind, row[0]) for row in found["states"])
            rows = {wrap(s): (row[1], row[2], tuple(row[3])) for s, row in zip(states, found["states"], strict=True)}
        except OSError as error:
            raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, IndexError):
            raise ZermeloError(f"{path} is not a solution that `zermelo solve --all --save` has written") from None
        return cls(game, found["player"], rows, found["error"])


def _plain(state: Any) -> Any:
    return [_plain(part) for part in state] if isinstance(state, tuple) else state


def _state(kind: Any, plain: Any) -> Any:
    """A state from its saved form."""
    if is_named_tuple(kind):
        return kind(*(_tuple(part) for part in plain))
    return _tuple(plain)


def _tuple(plain: Any) -> Any:
    return tuple(_tuple(part) for part in plain) if isinstance(plain, list) else plain


@dataclass
class Graph:
    """All reachable states: `states` in the order in which they were found, and for each state

    turns     1 if the first player's side moves, -1 the other side, 0 chance, 2 the game is over
    worth     the first player's utility at the end
    moves     its moves or outcomes; following the states they lead to, and chances the probabilities of outcomes
    """

    states: list[Any]
    turns: list[int]
    worth: list[float]
    moves: list[tuple[Any, ...]]
    following: list[tuple[int, ...]]
    chances: list[tuple[float, ...]]


def solve_all(
    game: Game,
    state: Any = None,
    *,
    limit: int = LIMIT,
    error: float = ERROR,
    stop: StopToken | None = None,
    on_progress: Callable[[str], Any] | None = None,
) -> Solution:
    """Solve every state that can be reached from a state, by default the initial one.

    limit   the most states
    error   with chance: how far a value may be from the true one
    """
    traits = game.traits
    if traits.hidden or traits.sides > 2 or (traits.sides == 2 and not traits.zero_sum):
        raise Unsuitable(f"{game.title} is a game of {traits}; --all needs at most two sides, zero-sum, nothing hidden")
    rules = game.timeless()
    if rules.uses_history:
        raise Unsuitable(f"the rules of {game.title} depend on earlier positions: a state alone has no value")
    tell = on_progress or (lambda text: None)
    start = rules.initial() if state is None else rules.checked(state)
    player = rules.to_move(start)
    graph = reach(rules, start, max(player, 0), limit, stop, tell)
    if 0 in graph.turns:
        return by_value_iteration(rules, max(player, 0), graph, error, stop, tell)
    return by_passes(rules, max(player, 0), graph, tell)


def reach(game: Game, start: Any, player: int, limit: int, stop: StopToken | None, tell: Callable[[str], Any]) -> Graph:
    """Find all states, and what leads where."""
    graph = Graph([start], [], [], [], [], [])
    numbers = {start: 0}
    mine = game.side(player)
    for s in graph.states:  # it grows meanwhile
        number = len(graph.turns)
        if number % 10_000 == 0:
            tell(f"{number:,} states searched, {len(graph.states):,} found")
            if stop is not None and stop.is_set:
                raise ZermeloError("stopped: not all states were found")
        moves: tuple[Any, ...] = ()
        chances: tuple[float, ...] = ()
        turn, worth = 2, 0.0
        if game.is_terminal(s):
            worth = float(game.utility(s, player))
        elif game.to_move(s) == CHANCE:
            turn = 0
            moves, chances = zip(*game.outcomes(s), strict=True)
        else:
            turn = 1 if game.side(game.to_move(s)) == mine else -1
            moves = tuple(game.actions(s))
            if not moves:
                raise GameError(f"{game.title} has no legal moves in a state that is not terminal: {s!r}")
        following = []
        for a in moves:
            after = game.result(s, a)
            if after not in numbers:
                numbers[after] = len(graph.states)
                graph.states.append(after)
            following.append(numbers[after])
        if len(graph.states) > limit:
            raise Unsuitable(f"{game.title} has more than {limit:,} states; a larger --limit needs more memory")
        graph.turns.append(turn)
        graph.worth.append(worth)
        graph.moves.append(moves)
        graph.following.append(tuple(following))
        graph.chances.append(chances)
    return graph


def before(graph: Graph) -> list[list[int]]:
    """For each state, those with a move to it."""
    found: list[list[int]] = [[] for _ in graph.states]
    for number, following in enumerate(graph.following):
        for after in following:
            found[after].append(number)
    return found


def by_passes(game: Game, player: int, graph: Graph, tell: Callable[[str], Any]) -> Solution:
    """Without chance: from the best ends for either side to the worse ones, each with all that can force it.

    For each value in turn, a state is decided if a move of the side that wants this value leads to it, or if all moves
    of the other side do. Best and worst values come first, in pairs, and the values in between later: what is decided
    then could not reach anything better. What is left can go on forever and counts as the middle of the range.
    """
    count = len(graph.states)
    value, distance = np.full(count, np.nan), np.full(count, NEVER)
    left = [len(following) for following in graph.following]
    earlier = before(graph)
    ends = sorted({graph.worth[i] for i in range(count) if graph.turns[i] == 2})
    low, high = game.utility_range
    middle = (low + high) / 2 if np.isfinite(low + high) else 0.0
    above, below = [v for v in reversed(ends) if v > middle], [v for v in ends if v < middle]
    order = [(v, side) for pair in zip_longest_pairs(above, below) for v, side in pair]
    order += [(v, 1) for v in ends if v == middle]
    for worth, wanting in order:
        decided = [i for i in range(count) if graph.turns[i] == 2 and graph.worth[i] == worth]
        plies = 0
        for i in decided:
            value[i], distance[i] = worth, 0
        while decided:
            tell(f"value {worth:g}, pass {plies}: {len(decided):,} states")
            plies += 1
            found = []
            for i in decided:
                for k in earlier[i]:
                    if not np.isnan(value[k]):
                        continue
                    left[k] -= 1
                    if graph.turns[k] == wanting or left[k] == 0:
                        value[k], distance[k] = worth, plies
                        found.append(k)
            decided = found
    endless = np.isnan(value)
    value[endless] = middle
    rows = {}
    for i, s in enumerate(graph.states):
        rows[s] = float(value[i]), int(distance[i]), _best(graph, i, value, distance, middle)
    return Solution(game, player, rows, 0.0)


def zip_longest_pairs(above: list[float], below: list[float]) -> Iterator[list[tuple[float, int]]]:
    """The best value left for one side, then the best left for the other, and so on."""
    for k in range(max(len(above), len(below))):
        pair = [(above[k], 1)] if k < len(above) else []
        yield pair + ([(below[k], -1)] if k < len(below) else [])


def _best(graph: Graph, i: int, value: Any, distance: Any, middle: float) -> tuple[Any, ...]:
    """The moves that keep the value, the best first: quick wins, late losses."""
    turn = graph.turns[i]
    if turn not in (1, -1):
        return ()
    kept = [
        (int(distance[k]), n) for n, k in enumerate(graph.following[i]) if value[k] == value[i]
    ]  # the others throw something away
    if turn * (value[i] - middle) > 0:
        kept.sort()
        kept = [pair for pair in kept if pair[0] == kept[0][0]]
    elif turn * (value[i] - middle) < 0:
        kept.sort(reverse=True)
        kept = sorted((pair for pair in kept if pair[0] == kept[0][0]), key=lambda pair: pair[1])
    return tuple(graph.moves[i][n] for _, n in kept)


def by_value_iteration(
    game: Game, player: int, graph: Graph, error: float, stop: StopToken | None, tell: Callable[[str], Any]
) -> Solution:
    """With chance: a lower and an upper bound of every value, improved until they are twice the error apart."""
    low, high = (float(bound) for bound in game.utility_bounds(player))
    if not np.isfinite(high - low):
        raise Unsuitable(f"{game.title} declares no bounds on its utility, which value iteration starts from")
    turns, worth = np.array(graph.turns), np.array(graph.worth)
    sweeps = Sweeps(graph, turns)
    lower, upper = np.where(turns == 2, worth, low), np.where(turns == 2, worth, high)
    for sweep in range(SWEEPS):
        sweeps.improve(lower)
        sweeps.improve(upper)
        gap = float((upper - lower).max())
        if sweep % 20 == 0:
            tell(f"sweep {sweep}: the error is at most {gap / 2:.2g}")
            if stop is not None and stop.is_set:
                break
        if gap <= 2 * error:
            break
    value = (lower + upper) / 2
    error = float((upper - lower).max()) / 2
    rows = {}
    for i, s in enumerate(graph.states):
        moves: tuple[Any, ...] = ()
        if turns[i] in (1, -1):
            worths = turns[i] * value[list(graph.following[i])]
            moves = tuple(graph.moves[i][n] for n in np.argsort(-worths, kind="stable") if worths[n] >= worths.max())
        rows[s] = float(value[i]), NEVER, moves
    return Solution(game, player, rows, error)


class Sweeps:
    """Bellman's update of all states at once, as operations on arrays. Deeper states first, by the order of search."""

    PARTS = 64

    def __init__(self, graph: Graph, turns: Any):
        count = len(graph.states)
        self.parts = []
        for first in reversed(range(0, count, max(count // self.PARTS, 1))):
            chosen = range(first, min(first + max(count // self.PARTS, 1), count))
            for turn in (1, -1, 0):
                numbers = [i for i in chosen if turns[i] == turn]
                if numbers:
                    lengths = [len(graph.following[i]) for i in numbers]
                    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
                    after = np.array([k for i in numbers for k in graph.following[i]])
                    chances = np.array([p for i in numbers for p in graph.chances[i]]) if turn == 0 else None
                    self.parts.append((turn, np.array(numbers), starts, after, chances))

    def improve(self, values: Any) -> None:
        """One sweep, in place."""
        for turn, numbers, starts, after, chances in self.parts:
            found = values[after]
            if turn == 1:
                values[numbers] = np.maximum.reduceat(found, starts)
            elif turn == -1:
                values[numbers] = np.minimum.reduceat(found, starts)
            else:
                values[numbers] = np.add.reduceat(found * chances, starts)
