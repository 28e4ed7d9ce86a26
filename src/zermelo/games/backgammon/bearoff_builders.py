"""Builds the bear-off tables from the rules, from the end of the game backwards.

A position's number is greater than those of all positions that follow. So the one-sided table is filled in the order
of the numbers, and the two-sided one in the order of the sum of both numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import UnknownName
from zermelo.game.state import u64
from zermelo.games.backgammon import bearoff
from zermelo.games.backgammon.bearoff import (
    CENTRED,
    CUBELESS,
    FULL,
    MOST_ROLLS,
    OPPONENTS,
    OWNED,
    POSITIONS,
    number_of,
    position_at,
    positions_up_to,
)
from zermelo.games.backgammon.checkers import CHECKERS
from zermelo.games.backgammon.moves import double_moves, play, single_moves
from zermelo.games.backgammon.rules import Backgammon
from zermelo.kernel.routine import Routine
from zermelo.kernel.table_files import Shapes

ROLLS = 21
MOST_AFTER = 512
"""More positions than can follow one position, over all rolls."""
SLACK = 1e-6
"""How far a stored value may be from the one that follows from its successors: values have 24 bits."""
INF = float("inf")
EXAMPLE = "one-sided, two-sided or, for up to 8 checkers each, two-sided:8"


def list_following(number: int, choose: Any, starts: Any, after: Any, row: int, end: int) -> int:
    """Write the numbers of the positions that follow a position, roll by roll; returns the end of the list.

    Those of roll r, in the order 1-1, 2-1, 2-2, 3-1, …, are after[starts[row + r] : starts[row + r + 1]].
    """
    low = position_at(number, choose)
    nobody = u64(0)
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            starts[row] = end
            row += 1
            if larger == smaller:
                for a in double_moves(low, nobody, nobody, nobody, larger):
                    after[end] = number_of(play(low, nobody, nobody, nobody, larger, smaller, a)[0], choose)
                    end += 1
            else:
                for a in single_moves(low, nobody, nobody, nobody, larger, smaller):
                    after[end] = number_of(play(low, nobody, nobody, nobody, larger, smaller, a)[0], choose)
                    end += 1
    starts[row] = end
    return end


def weights() -> np.ndarray[Any, Any]:
    """The probability of each roll, in the same order."""
    return np.array([1 / 36 if one == other else 1 / 18 for one in range(1, 7) for other in range(1, one + 1)])


# One-sided: the distribution of the number of rolls.


def distribute(
    game: Any, s: Any, first: int, last: int, choose: Any, chance: Any, means: Any, rolls: Any, end: int
) -> float:
    """The positions from `first` to `last`: the average number of rolls until `end`, and the chance of each number.

    end   0: until all checkers are off. Otherwise positions below this number are where the count ends.

    Returns the greatest difference to what the table had.
    """
    starts, after = np.zeros(ROLLS + 1, np.int64), np.zeros(MOST_AFTER, np.int64)
    exact = np.zeros(MOST_ROLLS)
    worst = 0.0
    for position in range(first, last):
        list_following(position, choose, starts, after, 0, 0)
        for k in range(MOST_ROLLS):
            exact[k] = 0.0
        mean = 1.0
        for roll in range(ROLLS):
            best, chosen = INF, 0
            for i in range(starts[roll], starts[roll + 1]):
                there = after[i] - end
                value = means[there] if there > 0 or (there == 0 and end > 0) else 0.0
                if value < best:
                    best, chosen = value, there
            mean += chance[roll] * best
            if chosen < 0 or (chosen == 0 and end == 0):
                exact[1] += chance[roll]
            else:
                for k in range(1, MOST_ROLLS):
                    exact[k] += chance[roll] * rolls[chosen, k - 1]
        worst = max(worst, abs(means[position - end] - mean))
        means[position - end] = mean
        for k in range(MOST_ROLLS):
            worst = max(worst, abs(rolls[position - end, k] - exact[k]))
            rolls[position - end, k] = exact[k]
    return worst


DISTRIBUTE = Routine(distribute)


# Two-sided: the exact equity, for four places of the cube.


def list_all(game: Any, s: Any, positions: int, choose: Any, starts: Any, after: Any) -> int:
    """The positions that follow each of the first positions; returns the end of the list."""
    end = 0
    for position in range(positions):
        end = list_following(position, choose, starts, after, ROLLS * position, end)
    return end


def decided(no_double: float, double_take: float) -> float:
    """The equity of a player who can double, per unit of the cube: the opponent takes or drops, whichever is better."""
    return max(no_double, min(double_take, 1.0))


def solve_pairs(
    game: Any, s: Any, first: int, last: int, positions: int, starts: Any, after: Any, chance: Any, equity: Any
) -> float:
    """The pairs of positions whose numbers add up to `first` … `last` − 1. Returns the greatest difference.

    equity[i, j, c] is the expected points of the player to roll, in position i against j, per unit of the cube c, if
    the player does not double before this roll.
    """
    total = np.zeros(4)
    best = np.zeros(4)
    worst = 0.0
    for both in range(first, last):
        for own in range(max(0, both - positions + 1), min(both, positions - 1) + 1):
            other = both - own
            for c in range(4):
                total[c] = 0.0
            for roll in range(ROLLS if own > 0 and other > 0 else 0):
                for c in range(4):
                    best[c] = -INF
                for i in range(starts[ROLLS * own + roll], starts[ROLLS * own + roll + 1]):
                    there = after[i]
                    if there == 0:
                        for c in range(4):
                            best[c] = 1.0
                        break
                    theirs = 2.0 * equity[other, there, OPPONENTS]
                    best[CUBELESS] = max(best[CUBELESS], -equity[other, there, CUBELESS])
                    best[CENTRED] = max(best[CENTRED], -decided(equity[other, there, CENTRED], theirs))
                    best[OWNED] = max(best[OWNED], -equity[other, there, OPPONENTS])
                    best[OPPONENTS] = max(best[OPPONENTS], -decided(equity[other, there, OWNED], theirs))
                for c in range(4):
                    total[c] += chance[roll] * best[c]
            for c in range(4):
                value = 1.0 if own == 0 else -1.0 if other == 0 else total[c]
                worst = max(worst, abs(equity[own, other, c] - value))
                equity[own, other, c] = value
    return worst


LIST_ALL = Routine(list_all)
SOLVE_PAIRS = Routine(solve_pairs)


class Builder:
    """What all builders of bear-off tables share: a plan, steps in order, and their verification.

    name, file, kind   what the table is called, its file name, and the kind that the file states
    positions, shapes  how many positions it has, and its arrays
    steps              how many steps it takes; each can be saved
    speed              positions per second on one core, about
    """

    name: str
    file: str
    kind: str
    positions: int
    shapes: Shapes
    steps: int
    speed: float
    title: str

    def prepare(self) -> None:
        """Compile, and compute what all steps need."""
        game = Backgammon(tables=False)
        self.game, self.state = game, game.initial()
        self.choose, self.chance = bearoff.binomials(), weights()

    def step(self, number: int, arrays: dict[str, Any]) -> None:
        """Compute one step, given the earlier ones."""
        self.update(number, arrays)

    def fault(self, number: int, arrays: dict[str, Any]) -> str:
        """What is wrong with one step of a table, which is corrected; empty if it follows from the earlier ones."""
        worst = self.update(number, arrays)
        return "" if worst <= SLACK else f"step {number} differs by {worst:.2g} from what its successors imply"

    def update(self, number: int, arrays: dict[str, Any]) -> float:
        """Compute one step; returns the greatest difference to what the arrays had."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """What the file says of itself."""
        return {"name": self.name, "positions": self.positions}


class OneSided(Builder):
    """The distribution of the number of rolls for every bear-off position."""

    name, file, kind = "one-sided", bearoff.ONE_SIDED_FILE, bearoff.ONE_SIDED_KIND
    title = "bear-off, one side, up to 15 checkers: how many rolls to bear off all checkers, and the first"
    positions = POSITIONS
    chunk = 1000
    steps = -(-POSITIONS // chunk)
    speed = 40_000.0

    def __init__(self) -> None:
        self.shapes = {
            "last_mean": ("<f8", (POSITIONS,)),
            "last": ("<f4", (POSITIONS, MOST_ROLLS)),
            "first_mean": ("<f8", (POSITIONS - FULL,)),
            "first": ("<f4", (POSITIONS - FULL, MOST_ROLLS)),
        }

    def update(self, number: int, arrays: dict[str, Any]) -> float:
        first, last = self.chunk * number, min(self.chunk * (number + 1), POSITIONS)
        if first == 0:
            arrays["last"][0, 0] = 1.0
        worst = self._run(max(first, 1), last, arrays, "last", 0)
        return max(worst, self._run(max(first, FULL), last, arrays, "first", FULL)) if last > FULL else worst

    def _run(self, first: int, last: int, arrays: dict[str, Any], which: str, end: int) -> float:
        mean, rolls = arrays[f"{which}_mean"], arrays[which]
        program = DISTRIBUTE.compiled(
            self.game, first, last, self.choose, self.chance, np.asarray(mean), np.asarray(rolls), end
        )
        return float(program(self.state))


class TwoSided(Builder):
    """The exact equity of every pair of positions with few checkers."""

    kind = bearoff.TWO_SIDED_KIND
    speed = 400_000.0

    def __init__(self, checkers: int = 6):
        self.checkers = checkers
        self.count = positions_up_to(checkers)
        self.name, self.file = f"two-sided:{checkers}", bearoff.two_sided_file(checkers)
        self.title = f"bear-off, both sides, up to {checkers} checkers each: exact equity for every place of the cube"
        self.positions = self.count**2
        self.shapes = {"equity": ("<f4", (self.count, self.count, 4))}
        self.sums = np.unique(np.sqrt(np.linspace(0, 1, 65)) * (2 * self.count - 1)).astype(np.int64)
        self.steps = len(self.sums) - 1

    def prepare(self) -> None:
        super().prepare()
        self.starts = np.zeros(ROLLS * self.count + 1, np.int64)
        self.after = np.zeros(self.count * MOST_AFTER, np.int32)
        LIST_ALL.compiled(self.game, self.count, self.choose, self.starts, self.after)(self.state)

    def update(self, number: int, arrays: dict[str, Any]) -> float:
        first, last = int(self.sums[number]), int(self.sums[number + 1])
        table = np.asarray(arrays["equity"])
        program = SOLVE_PAIRS.compiled(self.game, first, last, self.count, self.starts, self.after, self.chance, table)
        return float(program(self.state))

    def about(self) -> dict[str, Any]:
        return {**super().about(), "checkers": self.checkers}


def builders(parts: tuple[str, ...]) -> list[Builder]:
    """The builders of the parts that are named; of all if none is."""
    return [_builder(part) for part in parts or ("one-sided", "two-sided")]


def _builder(part: str) -> Builder:
    word, _, number = part.replace("_", "-").casefold().partition(":")
    if word == "one-sided" and not number:
        return OneSided()
    if word == "two-sided" and not number:
        return TwoSided()
    if word == "two-sided" and number.isdecimal() and 1 <= int(number) < CHECKERS:
        return TwoSided(int(number))
    raise UnknownName(f"there is no table {part!r} of backgammon: give {EXAMPLE} (at most {CHECKERS - 1} checkers)")
