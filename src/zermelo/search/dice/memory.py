"""What a search with dice works with: lists of moves and outcomes for each ply, what is known of them, and a table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i64, u64
from zermelo.search.bookkeeping import FAULT, FIRST_COUNTER, FIRST_LIMIT, Bookkeeping
from zermelo.search.star import MARGIN

EVALUATIONS, FINISHED, RECALLED = range(FIRST_COUNTER, FIRST_COUNTER + 3)
PLIES, CANDIDATES, KEEP, PRUNING, RECALLS = range(FIRST_LIMIT, FIRST_LIMIT + 5)
INF = math.inf
ROWS = 64
"""The most nodes on one line of play."""
DEFAULT_WIDTH = 256
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TOO_MANY = "more legal moves, or outcomes of chance, than the game's max_actions (256 if it declares none)"


class DiceMemory(Bookkeeping):
    """The memory of one thread.

    counts      EVALUATIONS made, root moves FINISHED, positions RECALLED from the table; and those of all searches
    limits      PLIES to search; CANDIDATES, the number of root moves, 0 to judge the root itself; how many replies to
                KEEP, 0 for all; PRUNING: 0, 1 (Star1) or 2 (Star2); RECALLS: use the table?
    roots       the root's moves, root_values and root_outputs what was found; root_exact: not only a bound
    slack       [0] how much worse than the best a root move may be and still get its exact value
    moves       [ply][i] a move, values[ply][i] its static value
    outcome     [ply][i] an outcome of chance, with its odds, bounds on its value (lower, upper), and the value and the
                outputs that a probe has found for one reply (probe, probe_outputs)
    low, high   [ply] bounds on the average of a chance node; least and most are the window of its next child
    reply       [ply][i] the best reply found last after outcome i, tried first next time
    inner       [0] how much worse than the best a reply may be statically
    answer      [0] the value that was recalled from the table
    outputs     [ply][k] the network's output k for the node at that ply; sums are those of a chance node so far
    """

    def __init__(self, game: Game, *, compiled: bool, outputs: int, mebibytes: float, bounds: tuple[float, float]):
        super().__init__(compiled=compiled, plies=ROWS, counters=FIRST_COUNTER + 3, limits=[0, 0, 0, 0, 0])
        width = game.max_actions or DEFAULT_WIDTH
        moves: Any = np.int64 if compiled else object
        self.count = outputs
        self.bounds = np.array(bounds, np.float64)
        self.margin = np.array([MARGIN * max(abs(bound) for bound in bounds)])
        self.roots = np.zeros(width, moves)
        self.root_values, self.root_outputs = np.zeros(width), np.zeros((width, outputs))
        self.root_exact, self.slack = np.zeros(width, np.bool_), np.zeros(1)
        self.moves, self.values = np.zeros((ROWS + 1, width), moves), np.zeros((ROWS + 1, width))
        self.outcome, self.reply = np.zeros((ROWS + 1, width), moves), np.zeros((ROWS + 2, width), moves)
        self.odds, self.lower, self.upper = (np.zeros((ROWS + 1, width)) for _ in range(3))
        self.merged = np.zeros((ROWS + 1, width), np.uint64)
        self.low, self.high, self.least, self.most = (np.zeros(ROWS + 1) for _ in range(4))
        self.inner, self.answer = np.array([INF]), np.zeros(1)
        self.probe = np.zeros((ROWS + 1, width))
        self.probe_outputs = np.zeros((ROWS + 1, width, outputs))
        self.outputs, self.sums = np.zeros((ROWS + 3, outputs)), np.zeros((ROWS + 1, outputs))
        entries = 1
        while entries * 2 * (32 + 8 * outputs) <= mebibytes * (1 << 20):
            entries *= 2
        self.keys, self.about = np.zeros(entries, np.uint64), np.zeros(entries, np.int64)
        self.known, self.known_outputs = np.zeros(entries), np.zeros((entries, outputs))

    def clear(self) -> None:
        """Empty the table."""
        self.about[:] = 0

    # Values and outputs.

    def judge_state(self, game: Any, s: Any, player: int, judge: Any, ply: int) -> float:
        """The static value of a single state; its outputs become those of the node."""
        judge.begin()
        return self.judge_member(game, s, player, judge, ply)

    def judge_member(self, game: Any, s: Any, player: int, judge: Any, ply: int) -> float:
        """The same for a member of a family."""
        self.counts[EVALUATIONS] += 1
        value = judge.judge(game, s, player)
        if not -INF < value < INF:
            self.fail(ply)
        for k in range(self.count):
            self.outputs[ply, k] = judge.out[k]
        return float(value)

    def raise_outputs(self, ply: int) -> None:
        """The node at this ply has the outputs of its child."""
        for k in range(self.count):
            self.outputs[ply, k] = self.outputs[ply + 1, k]

    def start_sum(self, ply: int) -> None:
        """The outputs of a chance node are an average."""
        for k in range(self.count):
            self.sums[ply, k] = 0.0

    def add_outputs(self, ply: int, weight: float) -> None:
        """Add the outputs of a chance node's child to the average."""
        for k in range(self.count):
            self.sums[ply, k] += weight * self.outputs[ply + 1, k]

    def end_sum(self, ply: int) -> None:
        """The average is complete."""
        for k in range(self.count):
            self.outputs[ply, k] = self.sums[ply, k]

    def note_root(self, i: int, value: float) -> None:
        """Note what was found for candidate i."""
        self.root_values[i] = value
        for k in range(self.count):
            self.root_outputs[i, k] = self.outputs[0, k]

    # Moves.

    def list_moves(self, game: Any, s: Any, ply: int) -> int:
        """List the legal moves; returns how many there are."""
        count = game.list_actions(s, self.moves[ply])
        if count == 0:
            self.fail(ply)
        if count > self.moves.shape[1]:
            self.counts[FAULT] = ply
            raise GameError(TOO_MANY)
        return int(count)

    def judge_moves(self, game: Any, s: Any, player: int, judge: Any, ply: int, count: int) -> None:
        """The static value of each listed move."""
        judge.begin()
        for i in range(count):
            self.values[ply, i] = judge.judge(game, game.result(s, self.moves[ply, i]), player)
        self.counts[EVALUATIONS] += count

    def best_leaf(
        self, game: Any, s: Any, player: int, judge: Any, ply: int, slot: int, count: int, sign: float, limit: float,
        first: float,
    ) -> float:  # fmt: skip
        """The value of the best listed move, each judged statically; with pruning, moves after a cut are left out."""
        pruning = self.limits[PRUNING] > 0
        if pruning:
            self.try_first(ply, self.reply[ply, slot], count)
        best, chosen, start = -INF, 0, 0
        if not math.isnan(first):
            best, start = sign * first, 1
            self.recall_probe(ply, slot)
            self.raise_outputs(ply)
        judge.begin()
        for i in range(start, count):
            if pruning and best >= sign * limit:
                count = i
                break
            value = sign * judge.judge(game, game.result(s, self.moves[ply, i]), player)
            if value > best:
                best, chosen = value, i
                for k in range(self.count):
                    self.outputs[ply, k] = judge.out[k]
        self.counts[EVALUATIONS] += count - start
        if not -INF < best < INF:
            self.fail(ply)
        self.reply[ply, slot] = self.moves[ply, chosen]
        return sign * best

    def replies_kept(self, count: int) -> int:
        """How many replies are searched, by the number of all."""
        keep = self.limits[KEEP]
        return int(count if keep == 0 else min(count, keep))

    def is_filtered(self, ply: int, i: int, sign: float) -> bool:
        """Is the reply i so much worse than the best, statically, that it is left out?"""
        return bool(sign * (self.values[ply, 0] - self.values[ply, i]) > self.inner[0])

    def bring_forward(self, ply: int, place: int, count: int, sign: float) -> None:
        """Exchange the move at this place with the best of those from there on."""
        best = place
        for i in range(place + 1, count):
            if sign * self.values[ply, i] > sign * self.values[ply, best]:
                best = i
        move, value = self.moves[ply, best], self.values[ply, best]
        for i in range(best, place, -1):  # the others keep their order
            self.moves[ply, i], self.values[ply, i] = self.moves[ply, i - 1], self.values[ply, i - 1]
        self.moves[ply, place], self.values[ply, place] = move, value

    def try_first(self, ply: int, move: Any, count: int) -> None:
        """Put this move first, if it is listed."""
        for i in range(count):
            if self.moves[ply, i] == move:
                self.moves[ply, i] = self.moves[ply, 0]
                self.moves[ply, 0] = move
                break

    # Chance.

    def list_outcomes(self, game: Any, s: Any, ply: int) -> int:
        """List the outcomes of chance; those with the same result are one. Returns how many there are.

        For pruning, likely outcomes come first: they say most about the average.
        """
        count, total = 0, 0.0
        for outcome, probability in game.outcomes(s):
            if not probability >= 0.0:
                self.counts[FAULT] = ply
                raise GameError("the probability of a chance node's outcome is negative")
            total += probability
            if probability > 0.0:
                count = self.add_outcome(game.key(game.result(s, outcome)), ply, outcome, probability, count)
        if not abs(total - 1.0) <= 1e-9:
            self.counts[FAULT] = ply
            raise GameError("the probabilities of a chance node's outcomes do not add up to 1")
        if self.limits[PRUNING] > 0:
            self.sort_outcomes(ply, count)
        return count

    def add_outcome(self, key: Any, ply: int, outcome: Any, probability: float, count: int) -> int:
        """Add an outcome to the list, or its probability to one with the same result."""
        for i in range(count):
            if self.merged[ply, i] == key:
                self.odds[ply, i] += probability
                return count
        if count == self.odds.shape[1]:
            self.counts[FAULT] = ply
            raise GameError(TOO_MANY)
        self.merged[ply, count] = key
        self.outcome[ply, count] = outcome
        self.odds[ply, count] = probability
        self.lower[ply, count] = self.bounds[0]
        self.upper[ply, count] = self.bounds[1]
        self.probe[ply, count] = np.nan
        return count + 1

    def sort_outcomes(self, ply: int, count: int) -> None:
        """Sort by probability; equally likely ones keep their order."""
        for i in range(1, count):
            outcome, odds, place = self.outcome[ply, i], self.odds[ply, i], i
            while place > 0 and self.odds[ply, place - 1] < odds:
                self.outcome[ply, place] = self.outcome[ply, place - 1]
                self.odds[ply, place] = self.odds[ply, place - 1]
                place -= 1
            self.outcome[ply, place] = outcome
            self.odds[ply, place] = odds

    def narrow(self, ply: int, known: float, start: int, i: int, count: int, alpha: float, beta: float) -> None:
        """Bounds on the average, given the sum of what comes before `start`, and the window that they leave outcome i.

        They are added up in the order of the true sum, so that rounding cannot turn them around.
        """
        low = high = known
        for j in range(start, count):
            low += self.odds[ply, j] * self.lower[ply, j]
            high += self.odds[ply, j] * self.upper[ply, j]
        odds = self.odds[ply, i]
        self.low[ply], self.high[ply] = low, high
        least = (alpha - (high - odds * self.upper[ply, i]) - self.margin[0]) / odds
        most = (beta - (low - odds * self.lower[ply, i]) + self.margin[0]) / odds
        self.least[ply], self.most[ply] = max(self.bounds[0], least), min(self.bounds[1], most)

    def is_decided(self, ply: int, alpha: float, beta: float) -> bool:
        """Is the average outside the window, whatever the unknown outcomes are worth?"""
        return bool(self.high[ply] <= alpha or self.low[ply] >= beta)

    def list_probe(self, game: Any, s: Any, player: int, judge: Any, plies: int, ply: int, i: int) -> bool:
        """List the replies after outcome i of the chance node at this ply, the most promising first; False if none."""
        if game.is_terminal(s) or game.to_move(s) == CHANCE:
            return False
        count = self.list_moves(game, s, ply + 1)
        if plies > 1:  # the replies are searched, not only judged
            self.judge_moves(game, s, player, judge, ply + 1, count)
            self.bring_forward(ply + 1, 0, count, 1.0 if game.side(game.to_move(s)) == game.side(player) else -1.0)
        else:
            self.try_first(ply + 1, self.reply[ply + 1, i], count)
        return True

    def keep_probe(self, ply: int, i: int, value: float, own: bool) -> None:
        """A reply after outcome i is worth this: a bound on what the outcome is worth, if it is within the window."""
        self.probe[ply, i] = value
        for k in range(self.count):
            self.probe_outputs[ply, i, k] = self.outputs[ply + 2, k]
        if own and value > self.least[ply]:
            self.lower[ply, i] = value
        elif not own and value < self.most[ply]:
            self.upper[ply, i] = value

    def recall_probe(self, ply: int, slot: int) -> None:
        """The first reply at this ply has the outputs that the probe has found."""
        for k in range(self.count):
            self.outputs[ply + 1, k] = self.probe_outputs[ply - 1, slot, k]

    # The table.

    def place_of(self, key: Any) -> int:
        """The place of a position in the table."""
        return int(i64(key & u64(len(self.keys) - 1)))

    def recall(self, key: Any, plies: int, ply: int, alpha: float, beta: float) -> bool:
        """Is enough known about a position at this many plies? Then `answer` has its value."""
        place = self.place_of(key)
        about, value = self.about[place], self.known[place]
        if self.keys[place] != key or about >> 2 != plies:
            return False
        bound = about & 3
        if not (bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)):
            return False
        self.counts[RECALLED] += 1
        self.answer[0] = value
        for k in range(self.count):
            self.outputs[ply, k] = self.known_outputs[place, k]
        return True

    def store(self, key: Any, plies: int, ply: int, value: float, alpha: float, beta: float) -> None:
        """Remember what was found within this window."""
        place = self.place_of(key)
        self.keys[place] = key
        self.about[place] = plies << 2 | (AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT)
        self.known[place] = value
        for k in range(self.count):
            self.known_outputs[place, k] = self.outputs[ply, k]
