"""What the engine remembers while it thinks: counters and limits, the table, the order of moves, the lines of play."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, TooDeep
from zermelo.game.protocol import Game
from zermelo.kernel.calls import StopFlag, read_flag
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import number_of, ordinal
from zermelo.kernel.worker import Stopped
from zermelo.search.engine.scores import TOP, WIN
from zermelo.search.engine.table import LEAST_WORK, SMALLEST, Table, room_for

# The counters, and the limits beside them.
NODES, DEEPEST, ESTIMATES, FAULT, QUIESCENT, TABLE_CUTS, ROOT_SCORE, FIRST_CUTS, CUTS, LEAVES = range(10)
NODE_LIMIT, PLY_LIMIT, EXCLUDED, EXTENDED_LIMIT, SALT, ROOT_HINT, DEPTH, LOW, HIGH, METHOD, RECALL = range(11)

# The switches: what the search uses. Those that can be numbers are 0 where they are off.
SWITCHES = (
    "table",  # the transposition table
    "strict_depth",  # only entries of exactly the depth asked for: a fixed depth then means what it says
    "table_first",  # look the children up before searching any of them (enhanced transposition cutoffs)
    "promise",  # order moves by the game's `promise`
    "killers",
    "counters",
    "history",
    "scout",  # principal variation search: windows of no width after the first move
    "quiescence",
    "forcing",  # forcing moves too in the first ply of quiescence
    "forced",  # forced moves are searched a ply deeper
    "urgent",  # positions in which the player to move may not stand, as in check, are searched a ply deeper
    "singular",  # moves that are better than all others by far are searched a ply deeper
    "internal",  # internal iterative deepening: where nothing is known of a position, a shallow search finds out
    "bounds",  # the game's static bounds
    "safe",  # the game's safe moves
    "cycles",  # a position that comes back counts as the end of the game
    "null_move",
    "reductions",
    "futility",
    "beam",
    "sound",  # nothing is pruned that could matter: none of the four above is on
)
(
    TABLE,
    STRICT_DEPTH,
    TABLE_FIRST,
    PROMISE,
    KILLERS,
    COUNTERS,
    HISTORY,
    SCOUT,
    QUIESCENCE,
    FORCING,
    FORCED,
    URGENT,
    SINGULAR,
    INTERNAL,
    BOUNDS,
    SAFE,
    CYCLES,
    NULL_MOVE,
    REDUCTIONS,
    FUTILITY,
    BEAM,
    SOUND,
) = range(22)

LEAST, MOST, TOTAL = range(3)
HISTORY_SLOTS, PAIR_SLOTS = 1 << 12, 1 << 17
MOST_HISTORY, MOST_EXPERIENCE = 1 << 40, 1 << 14
"""Between this and its negative lies the history of a move: as long as only cuts count, and where failures do too."""
KILLER, SECOND_KILLER, COUNTER = 1 << 50, 1 << 49, 1 << 48
"""What is added to a move's history where it has cut here before, or has refuted the move before."""
REDUCED_WITHIN = 64
"""Depths and places in the order of moves up to which reductions grow."""
NO_VALUE = "no legal moves in a state that is not terminal, or a value that is not a finite number"

TOO_MANY = "more legal moves than the game's max_actions (256 where it declares none)"


class Memory(Table):
    """One thread's memory; the table may be shared by several.

    counts     see the names above
    limits     NODE_LIMIT, PLY_LIMIT, EXCLUDED (how many root moves are left out), EXTENDED_LIMIT (no extensions
               beyond), SALT (mixed into the keys, where the players do not see the same values), ROOT_HINT (is it
               known what to try `first`?); and what is asked: DEPTH, LOW and HIGH (the window), METHOD, RECALL (is the
               table to be told first what is known beforehand?)
    switches   [switch] is it on?
    stop       [0] is set from another thread to end the search
    path       [ply] the move being tried at that ply
    moves      [ply][i] the i-th legal move at that ply; order and rank hold what it is sorted by
    killers    [ply][0 and 1] the moves that have cut there last
    history    [side][slot of a move] how often a move has cut, less how often it has not, weighted by the depth below
    reductions [depth][place] by how many plies a move that comes so late in the order is searched less deeply
    pairs      [slot of two moves] the same of a move after the move before it, and after that before the last
    counters   [side][slot of the move before] the move that has refuted it last
    line       [ply][i] the i-th move of the best line found from that ply on; [length[ply]] moves of it are known
    ranges     [player] the least and the greatest utility of a player, and what it shares with its opponent;
               range_here is that of the player whose utilities are compared
    excluded   root moves to leave out, for the second-best line and so on
    first      [0] the root's best move so far

    A search without a `horizon` goes to the end of the game. Its program leaves out all that horizons need.
    """

    settled = True
    entries: Any

    def __init__(
        self,
        game: Game,
        table: Table | None,
        mebibytes: float,
        *,
        compiled: bool,
        plies: int,
        horizon: bool = True,
    ):
        ranges = [range_of(game, p) for p in range(game.players)]
        low, high, total = ranges[0]
        finite = -math.inf < low and high < math.inf
        self.ranges: Any = np.array(ranges) if compiled else ranges
        self.range_here: Any = np.array(ranges[0]) if compiled else list(ranges[0])
        self.alike = finite and total == 0.0
        self.horizon = horizon
        self.decisive = bool(game.decisive and finite and low < high)
        self.has_bounds = game.offers("bounds")
        self.has_safe_actions = bool(game.offers("safe_actions") and self.decisive)
        self.has_noisy_actions = game.offers("noisy_actions")
        self.has_evaluation = game.offers("evaluate")
        self.has_promise = game.offers("promise") or self.has_evaluation
        self.has_may_stand = game.offers("may_stand")
        self.has_forcing_actions = game.offers("forcing_actions")
        self.has_gain = game.offers("gain")
        self.has_recurs = bool(game.uses_history and game.offers("recurs"))
        self.unit = float(game.evaluation_unit or ((high - low) / 100 if finite else 1.0))
        if table is None:
            self.entries, buckets = room_for(mebibytes, compiled)
            policy = [1, LEAST_WORK, min(SMALLEST, buckets - 1), 0, buckets - 1]
            self.policy: Any = np.array(policy) if compiled else policy
            self.known: Any = np.zeros((0, 2), np.int64) if compiled else []
        else:
            self.entries, self.policy, self.known = table.entries, table.policy, table.known
        limits = [1 << 62, plies, 0, plies, 0, 0, 1, -TOP, TOP, 0, 0]
        moves: Any = np.int64 if compiled else object
        width = game.max_actions or 256
        self.counts: Any = np.zeros(10, np.int64) if compiled else [0] * 10
        self.limits: Any = np.array(limits) if compiled else limits
        self.switches: Any = np.zeros(len(SWITCHES), np.int64) if compiled else [0] * len(SWITCHES)
        self.stop: Any = np.zeros(1, np.int64) if compiled else StopFlag()
        self.path = np.zeros(plies + 2, moves)
        self.moves = np.zeros((plies + 1, width), moves)
        self.order = np.zeros((plies + 1, width), np.float64)
        self.rank_of = np.zeros((plies + 1, width), np.int64)
        self.killers = np.full((plies + 2, 2), -1, moves)
        self.history = np.zeros((2, HISTORY_SLOTS), np.int64)
        self.counters = np.full((2, HISTORY_SLOTS), -1, moves)
        self.pairs = np.zeros(PAIR_SLOTS, np.int32)
        self.reductions = reductions()
        length = min(plies, (1 << 21) // (plies + 1))
        self.line = np.zeros((plies + 2, length), moves)
        self.length = np.zeros(plies + 3, np.int64)
        self.excluded = np.zeros(width, moves)
        self.first = np.zeros(1, moves)

    # Nodes.

    def look_from(self, player: int) -> None:
        """Utilities are this player's from now on."""
        for i in range(3):
            self.range_here[i] = self.ranges[player][i]

    def visit(self, game: Any, s: Any, ply: int) -> None:
        """The search enters a node."""
        nodes = self.counts[NODES] + 1
        if nodes > self.limits[NODE_LIMIT] or read_flag(self.stop, 0) != 0:
            raise Stopped
        self.counts[NODES] = nodes
        if ply > self.counts[DEEPEST]:
            if ply >= self.limits[PLY_LIMIT]:
                raise TooDeep
            self.counts[DEEPEST] = ply
        remember(game, s)

    def leave(self, game: Any, score: int) -> int:
        """The search leaves a node with this score; returns the score."""
        forget(game)
        return score

    def fail(self, ply: int) -> None:
        """The rules are wrong at this ply."""
        self.counts[FAULT] = ply
        raise GameError(NO_VALUE)

    def overflow(self, ply: int) -> None:
        """There are more legal moves at this ply than room."""
        self.counts[FAULT] = ply
        raise GameError(TOO_MANY)

    def end(self, utility: float, view: int, ply: int) -> int:
        """The score of the game's end, by the first player's utility, as that player (1) or the other (-1) sees it."""
        self.counts[LEAVES] += 1
        if self.decisive:
            if utility >= self.range_here[MOST]:
                return view * WIN
            if utility <= self.range_here[LEAST]:
                return -view * WIN
        if not -math.inf < utility < math.inf:
            self.fail(ply)
        return view * ordinal(utility)

    def finite(self, value: float, ply: int) -> float:
        """An estimate, if it is a number."""
        if not -math.inf < value < math.inf:
            self.fail(ply)
        return value

    def least(self, value: float, turn: int) -> int:
        """The score of a lower bound on the mover's utility."""
        if value <= self.low_for(turn):
            return -TOP
        if self.decisive and value >= self.high_for(turn):
            value = self.high_for(turn)
        return ordinal(value if turn > 0 else value - self.range_here[TOTAL])

    def most(self, value: float, turn: int) -> int:
        """The score of an upper bound on the mover's utility."""
        if value >= self.high_for(turn):
            return TOP
        return ordinal(value if turn > 0 else value - self.range_here[TOTAL])

    def low_for(self, turn: int) -> float:
        here = self.range_here
        return here[LEAST] if turn > 0 else here[TOTAL] - here[MOST]  # type: ignore[no-any-return]

    def high_for(self, turn: int) -> float:
        here = self.range_here
        return here[MOST] if turn > 0 else here[TOTAL] - here[LEAST]  # type: ignore[no-any-return]

    # Lines.

    def prefer(self, ply: int, a: Any) -> None:
        """The principal line from this ply on goes through this move."""
        row = self.line[ply]
        rest = self.line[ply + 1]
        row[0] = a
        known = min(self.length[ply + 1], len(row) - 1)
        for i in range(known):
            row[i + 1] = rest[i]
        self.length[ply] = known + 1

    def is_excluded(self, a: Any) -> bool:
        """Is this root move left out?"""
        for i in range(self.limits[EXCLUDED]):  # noqa: SIM110 - compiled
            if self.excluded[i] == a:
                return True
        return False

    # The order of moves.

    def credit(self, ply: int, side: int, a: Any, depth: int) -> None:
        """A move has cut: it is worth trying early elsewhere too."""
        if self.killers[ply, 0] != a:
            self.killers[ply, 1] = self.killers[ply, 0]
            self.killers[ply, 0] = a
        if ply > 0:
            self.counters[side, slot_of(self.path[ply - 1])] = a
        if self.switches[REDUCTIONS] != 0:
            self.experience(ply, side, a, depth, 1)
        else:
            slot = slot_of(a)
            self.history[side, slot] += min(depth * depth, HISTORY_SLOTS)
            if self.history[side, slot] > MOST_HISTORY:
                self.history[side, slot] >>= 1

    def experience(self, ply: int, side: int, a: Any, depth: int, sign: int) -> None:
        """A move has cut (1), or was tried in vain before another one did (-1).

        Where moves are reduced by their place in the order, it is worth knowing them better: also by what was played
        before, and the last experiences best.
        """
        slot = slot_of(a)
        weight = min(2 * depth * depth, MOST_EXPERIENCE >> 3)
        self.history[side, slot] += sign * weight - self.history[side, slot] * weight // MOST_EXPERIENCE
        for back in range(1, min(ply, 2) + 1):
            pair = pair_of(slot_of(self.path[ply - back]), slot)
            self.pairs[pair] += sign * weight - self.pairs[pair] * weight // MOST_EXPERIENCE

    def quiet_rank(self, ply: int, side: int, a: Any) -> int:
        """What is known of a move from elsewhere in the tree: killer, counter-move, history."""
        rank = 0
        if self.switches[KILLERS] != 0:
            if self.killers[ply, 0] == a:
                rank += KILLER
            elif self.killers[ply, 1] == a:
                rank += SECOND_KILLER
        if self.switches[COUNTERS] != 0 and ply > 0 and self.counters[side, slot_of(self.path[ply - 1])] == a:
            rank += COUNTER
        if self.switches[HISTORY] != 0:
            slot = slot_of(a)
            rank += self.history[side, slot]
            if self.switches[REDUCTIONS] != 0:
                for back in range(1, min(ply, 2) + 1):
                    rank += self.pairs[pair_of(slot_of(self.path[ply - back]), slot)]
        return rank

    def ranked(self) -> bool:
        """Does anything but the game's own promise order the moves?"""
        return bool(self.switches[KILLERS] != 0 or self.switches[COUNTERS] != 0 or self.switches[HISTORY] != 0)


def range_of(game: Game, player: int) -> tuple[float, float, float]:
    """A player's least and greatest utility, and the sum of its utility and its opponent's (0 where nobody knows)."""
    low, high = (float(bound) for bound in game.utility_bounds(player))
    for other in range(game.players):
        if game.side(other) != game.side(player):
            total = low + float(game.utility_bounds(other)[1])
            return low, high, total if -math.inf < total < math.inf else 0.0
    return low, high, 0.0


def reductions() -> Any:
    """By how much late moves are searched less deeply: by the logarithms of the depth and of the place, multiplied."""
    number = np.arange(REDUCED_WITHIN)
    return (0.5 + np.outer(np.log(number + 3), np.log(number + 2)) / 2.2).astype(np.int64)


def best_of(order: Any, rank: Any, count: int) -> int:
    """Where the best of the moves not yet tried stands; of equals the first."""
    best = 0
    most = order[0]
    for i in range(1, count):
        if order[i] > most or (order[i] == most and rank[i] > rank[best]):
            best = i
            most = order[i]
    return best


def slot_of(a: Any) -> int:
    """Where the history of a move is kept."""
    number = number_of(a)
    return (number ^ (number >> 12)) & (HISTORY_SLOTS - 1)


def pair_of(before: int, slot: int) -> int:
    """Where the history of a move after another one is kept."""
    return ((before << 12 | slot) * 0x9E3779B1 >> 15) & (PAIR_SLOTS - 1)
