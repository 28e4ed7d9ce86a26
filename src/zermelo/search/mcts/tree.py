"""The search tree of Monte Carlo tree search, as arrays: statistics, selection, backup and proofs.

The children of a node lie in one block. The first `tried` of them have been visited; the others are moves only. A node
holds the sum of results for the player who chose it, so that one number serves any number of players. Results are
scaled to [0, 1] by the utility range.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE
from zermelo.kernel.ordinals import number_of, signed
from zermelo.kernel.parts import Part
from zermelo.kernel.played import Played

LEAF, END = 0, -1
"""What `count` says of a node without children: not expanded yet, or the end of the game."""

FIRST, COUNT, TRIED, VISITS = range(4)
"""The columns of `node`. They lie side by side because a simulation reads all four."""
NODES, SIMULATIONS, DEEPEST, PLIES = range(4)
"""`counts`: nodes in use, simulations made, the deepest node, and plies of rollouts."""
CAPACITY, GOAL, ROLLOUT_PLIES = range(3)
"""`limits`: nodes that fit into memory, simulations at most, and plies of a rollout before the evaluation answers."""
LOWEST, HIGHEST, TOTAL, SUM, SQUARES, EXPLORATION, OBSERVING, EQUIVALENCE, FACTOR = range(9)
"""`scale`: the utility range, the constant sum of both sides' utilities, moments of the results, the factor of the
exploration term, whether the range is still being observed, the number of visits at which RAVE counts half, and the
factor of the exploration term times the largest spread of the results so far."""
INFINITE = 1e300
LEAST_SPREAD, FEW_RESULTS = 0.1, 64
"""Exploration never ends, even if all results were the same so far. The spread of so few results is not yet reliable
enough to be kept."""

MOST_SIMULATIONS = (1 << 31) - 1
"""Visits are counted in 32 bits."""
MOST_MOVES, LONGEST_ROLLOUT = 1 << 12, 1_000
"""For RAVE, moves are numbers below the first. After so many plies of a rollout, the evaluation answers: a game may
have no end."""


class Guides(NamedTuple):
    """What a search uses of what the game knows: priors, later moves (RAVE), and its own rollouts and playouts."""

    prior: bool = False
    later: bool = False
    rollout: bool = False
    playout: bool = False


class Tree(Part):
    """A search tree, and what one simulation needs.

    node                  [node, column] FIRST of its block of children, COUNT of children, how many of them were TRIED,
                          and VISITS: simulations through it
    mover                 [node] the player who chooses among its children, or CHANCE
    value                 [node] the sum of the simulations' results for the player who chose it
    action                [node] the move that leads to it; for chance without a list of outcomes, the state's key
    probability           [node] of an outcome of chance
    low, high             [node] bounds on the utility for player 0, as far as they are proven
    prior                 [node] how likely the move is the best of its siblings, as the game says
    later, later_value    [node] simulations in which its move was played later, and the sum of their results
    link                  [node] the next sibling, if the children are not in one block
    path, room, worth     of the present simulation: its nodes, the legal moves, the scaled results
    played, owner         of the present simulation: the moves of its rollout; [move] who played it first
    squares               [move at the root] the sum of squared results
    least                 [player] the least utility; all ranges are of one width
    """

    settled = True
    extra_bytes = 0
    node: Any
    mover: Any
    action: Any
    value: Any
    link: Any
    probability: Any
    low: Any
    high: Any
    prior: Any
    later: Any
    later_value: Any

    def __init__(self, game: Any, *, compiled: bool, memory: int, plies: int, proves: bool, guides: Guides):
        self.proves, self.has_prior, self.has_later = proves, guides.prior, guides.later
        self.has_playout, self.has_rollout = guides.playout, guides.rollout
        self.has_nth = game.offers("nth_action") and game.offers("count_actions")
        self.ends_without_moves = bool(game.ends_without_moves) and not game.chance and not self.has_rollout
        self.is_constant_sum = game.traits.zero_sum and game.traits.sides == 2
        self.linked = bool(game.chance) and not game.traits.lists_outcomes
        fields = self.fields(game)
        self.bytes_per_node = self.extra_bytes + sum(np.dtype(kind).itemsize for kind in fields.values() if kind)
        nodes = max(memory // self.bytes_per_node, 16)
        make = arrays if compiled else dictionaries
        for name, kind in fields.items():
            setattr(self, name, make(nodes, kind) if kind else make(1, np.int8))
        fixed = (lambda size, kind: np.zeros(size, kind)) if compiled else (lambda size, kind: [kind(0).item()] * size)
        width = game.max_actions or 1024
        self.path, self.room = fixed(plies + 2, np.int64), fixed(width, np.int64)
        self.worth, self.squares = fixed(game.players, np.float64), fixed(width, np.float64)
        self.least = fixed(game.players, np.float64)
        self.counts, self.limits = fixed(4, np.int64), fixed(3, np.int64)
        self.scale = fixed(9, np.float64)
        self.played = Played(LONGEST_ROLLOUT if self.has_later else 0)
        self.owner = fixed(MOST_MOVES if self.has_later else 1, np.int64)
        logs = [0.0, *map(math.log, range(1, 1024))]
        self.logs = np.array(logs) if compiled else logs
        self.limits[CAPACITY] = nodes

    def fields(self, game: Any) -> dict[str, Any]:
        """The arrays with an item for each node: their types, or None if this search does not use them."""
        bounds = np.float64 if self.proves else None
        later = np.float32 if self.has_later else None
        return {
            "node": (np.int32, 4),
            "mover": np.int8,
            "action": np.int64,
            "value": np.float64,
            "link": np.int32 if self.linked else None,
            "probability": np.float64 if game.chance else None,
            "low": bounds,
            "high": bounds,
            "prior": np.float32 if self.has_prior else None,
            "later": later,
            "later_value": later,
        }

    # Growing.

    def add(self, action: Any) -> int:
        """A new node, or 0 if memory is full."""
        node = self.counts[NODES]
        if node >= self.limits[CAPACITY]:
            return number_of(0)
        self.counts[NODES] = node + 1
        self.action[node] = action  # everything else is still 0
        if self.proves:
            self.low[node] = self.scale[LOWEST]
            self.high[node] = self.scale[HIGHEST]
        return number_of(node)

    def expand(self, game: Any, s: Any, node: int) -> bool:
        """Give a node its children, one for each move or outcome; False if memory is full."""
        mover = game.to_move(s)
        first = self.counts[NODES]
        count = number_of(0)
        if game.chance and mover == CHANCE:
            if self.linked:
                count = number_of(1)  # the children are linked, and found by the states that were drawn
            else:
                for outcome, probability in game.outcomes(s):
                    if self.add(outcome) == 0:
                        self.counts[NODES] = first
                        return False
                    if not probability >= 0.0:
                        raise GameError("the probability of a chance node's outcome is negative")
                    self.probability[first + count] = probability
                    count += 1
        else:
            count = list_moves(game, s, self.room)
            if first + count > self.limits[CAPACITY]:
                return False
            for i in range(count):
                self.add(self.room[i])
            if self.has_prior:
                self.set_priors(game, s, first, count)
        self.mover[node], self.node[node, FIRST], self.node[node, COUNT] = (
            mover,
            0 if self.linked and mover < 0 else first,
            count,
        )
        return True

    def set_priors(self, game: Any, s: Any, first: int, count: int) -> None:
        """Ask the game for the priors of its moves, and scale them to a sum of 1."""
        total = 0.0
        for child in range(first, first + count):
            prior = max(game.prior(s, self.action[child]), 0.0)
            self.prior[child] = prior
            total += prior
        for child in range(first, first + count):
            self.prior[child] = self.prior[child] / total if total > 0.0 else 1.0 / count

    def mark_end(self, game: Any, s: Any, node: int) -> None:
        """The game is over here: its value is proven."""
        self.node[node, COUNT] = END
        if self.proves:
            self.low[node] = self.high[node] = game.utility(s, 0)

    # Selection.

    def choose(self, game: Any, node: int) -> int:
        """The child with the greatest upper confidence bound (UCB1; Auer, Cesa-Bianchi and Fischer 2002).

        The exploration term is scaled by the spread of results, so that it fits games that are decided by small
        differences too. Children that are proven not to be better than another one are left out.
        """
        first, tried = self.node[node, FIRST], self.node[node, TRIED]
        maximises = game.side(self.mover[node]) == game.side(0)
        factor = self.scale[FACTOR] * math.sqrt(self.log_of(self.node[node, VISITS] + 1))
        best, chosen = -math.inf, number_of(first)
        for child in range(first, first + tried):
            if self.proves and self.is_dominated(node, child, maximises):
                continue
            bound = self.bound_of(child, maximises, factor)
            if bound > best:
                best, chosen = bound, number_of(child)
        return chosen

    def choose_guided(self, game: Any, node: int) -> int:
        """The child with the greatest bound, which priors and later moves tell something of before its first visit.

        Priors scale the exploration term (PUCT; Rosin 2011, in the form of Silver et al. 2016). RAVE mixes the mean of
        the simulations that begin with a move with that of all in which its player plays it later; the share of the
        latter falls with the number of the former (Gelly and Silver 2011).
        """
        first, tried = self.node[node, FIRST], self.node[node, TRIED]
        maximises = game.side(self.mover[node]) == game.side(0)
        factor = self.scale[FACTOR]
        visits = float(max(self.node[node, VISITS], 1))
        root, log = math.sqrt(visits), math.log(visits + 1.0)
        usual = self.usual_result(node)
        all_first = (
            node == 0 and tried < self.node[node, COUNT]
        )  # every move of the root is tried before any is tried again
        best, chosen = -math.inf, number_of(first)
        for child in range(first + tried if all_first else first, first + self.node[node, COUNT]):
            if self.proves and self.is_dominated(node, child, maximises):
                continue
            own = float(self.node[child, VISITS])
            mean = self.value[child] / own if own > 0.0 else usual
            if self.has_later and self.later[child] > 0.0:
                later = self.later[child]
                share = later / (own + later + own * later / self.scale[EQUIVALENCE])
                mean += share * (self.later_value[child] / later - mean)
            if self.proves and self.low[child] == self.high[child]:
                mean = self.scaled(self.low[child], maximises)
            if self.has_prior:
                bound = mean + factor * self.prior[child] * root / (1.0 + own)
            else:
                bound = mean + factor * math.sqrt(log / (1.0 + own))
            if bound > best:
                best, chosen = bound, number_of(child)
        return self.moved_up(node, chosen)

    def usual_result(self, node: int) -> float:
        """The mean result of the node's moves so far, for the player who chooses among them."""
        total, visits = 0.0, 0.0
        for child in range(self.node[node, FIRST], self.node[node, FIRST] + self.node[node, TRIED]):
            total += self.value[child]
            visits += self.node[child, VISITS]
        return total / visits if visits > 0.0 else 0.5

    def moved_up(self, node: int, child: int) -> int:
        """The place of a chosen child: one without a visit changes places with the first such child."""
        place = number_of(self.node[node, FIRST] + self.node[node, TRIED])
        if child <= place:
            return child
        self.action[child], self.action[place] = self.action[place], self.action[child]
        if self.has_prior:
            self.prior[child], self.prior[place] = self.prior[place], self.prior[child]
        if self.has_later:
            self.later[child], self.later[place] = self.later[place], self.later[child]
            value = self.later_value[child]
            self.later_value[child], self.later_value[place] = self.later_value[place], value
        return place

    def bound_of(self, child: int, maximises: bool, factor: float) -> float:
        """The upper confidence bound of a child: its mean result plus the exploration term."""
        visits = float(self.node[child, VISITS])
        if self.proves and self.low[child] == self.high[child]:
            return self.scaled(self.low[child], maximises) + factor / math.sqrt(visits)
        return (self.value[child] + factor * math.sqrt(visits)) / visits  # type: ignore[no-any-return]

    def log_of(self, n: int) -> float:
        """The natural logarithm, from a table for small numbers: a simulation needs one at each node."""
        return self.logs[n] if n < len(self.logs) else math.log(n)

    def mean_of(self, child: int, maximises: bool) -> float:
        """The mean result of a child for the player who chooses it, or its value if that is proven."""
        if self.proves and self.low[child] == self.high[child]:
            return self.scaled(self.low[child], maximises)
        return self.value[child] / self.node[child, VISITS]  # type: ignore[no-any-return]

    def is_dominated(self, node: int, child: int, maximises: bool) -> bool:
        """Is this child proven to be no better than what the node already has for certain?"""
        if maximises:
            return self.high[child] <= self.low[node]  # type: ignore[no-any-return]
        return self.low[child] >= self.high[node]  # type: ignore[no-any-return]

    def try_another(self, node: int, random: Any) -> int:
        """A child that was not visited before, drawn at random: it changes places with the first such child.

        It counts as tried when its result is backed up: a search may be interrupted before that.
        """
        tried = self.node[node, TRIED]
        child = number_of(self.node[node, FIRST] + tried)
        other = child + random.pick(self.node[node, COUNT] - tried)
        self.action[child], self.action[other] = self.action[other], self.action[child]
        return child

    def draw_outcome(self, node: int, random: Any) -> int:
        """A child of a chance node, drawn with its probability."""
        child = number_of(self.node[node, FIRST])
        last = child + self.node[node, COUNT] - 1
        left = random.uniform() - self.probability[child]
        while left >= 0.0 and child < last:
            child += 1
            left -= self.probability[child]
        return child

    def child_with(self, node: int, word: int) -> int:
        """The child for a drawn state, by its key; a new one if it was never drawn; 0 if memory is full."""
        key = signed(word)
        child = number_of(self.node[node, FIRST])
        while child != 0 and self.action[child] != key:
            child = number_of(self.link[child])
        if child == 0:
            child = self.add(key)
            if child != 0:
                self.link[child] = self.node[node, FIRST]
                self.node[node, FIRST] = child
        return child

    # Backup.

    def back_up(self, depth: int) -> None:
        """Add the result to every node on the path."""
        self.count_result()
        if depth > 0 and not self.linked and self.mover[0] >= 0:
            result = self.worth[self.mover[0]]
            self.squares[self.path[1] - self.node[0, FIRST]] += result * result
        for d in range(depth, -1, -1):
            node = self.path[d]
            self.node[node, VISITS] += 1
            if d > 0 and self.mover[self.path[d - 1]] >= 0:
                parent = self.path[d - 1]
                self.value[node] += self.worth[self.mover[parent]]
                if node == self.node[parent, FIRST] + self.node[parent, TRIED]:
                    self.node[parent, TRIED] += 1

    def count_result(self) -> None:
        """Count the simulation and its result, and adapt the exploration term to the spread of the results.

        The spread falls as the search concentrates on one line, whose results are alike. Exploration must not end with
        it, or the search would never correct itself: the term keeps the largest spread so far.
        """
        self.counts[SIMULATIONS] += 1
        self.scale[SUM] += self.worth[0]
        self.scale[SQUARES] += self.worth[0] * self.worth[0]
        factor = self.scale[EXPLORATION] * self.spread()
        if factor > self.scale[FACTOR] or self.counts[SIMULATIONS] < FEW_RESULTS:
            self.scale[FACTOR] = factor

    def credit_later_moves(self, depth: int) -> None:
        """Add the result to the siblings of each node on the path whose moves the same player played later.

        A move counts for the player who played it first: later it may mean something else.
        """
        stamp = self.counts[SIMULATIONS] * len(self.worth) + 1  # of this simulation: nothing has to be cleared
        for i in range(self.played.count[0] - 1, -1, -1):
            a = self.played.moves[i]
            if 0 <= a < len(self.owner):
                self.owner[a] = stamp + self.played.movers[i]
        for d in range(depth - 1, -1, -1):
            node = self.path[d]
            mover = self.mover[node]
            if mover < 0:
                continue
            a = self.action[self.path[d + 1]]
            if 0 <= a < len(self.owner):
                self.owner[a] = stamp + mover
            for child in range(self.node[node, FIRST], self.node[node, FIRST] + self.node[node, COUNT]):
                a = self.action[child]
                if 0 <= a < len(self.owner) and self.owner[a] == stamp + mover:
                    self.later[child] += 1.0
                    self.later_value[child] += self.worth[mover]

    def settle(self, game: Any, depth: int) -> None:
        """Carry proven bounds from the end of the path to the root (Cazenave and Saffidine 2010)."""
        for d in range(depth - 1, -1, -1):
            if not self.bound(game, number_of(self.path[d])):
                break

    def bound(self, game: Any, node: int) -> bool:
        """Compute a node's bounds from its children's; returns whether they have changed."""
        first, last = self.node[node, FIRST], self.node[node, FIRST] + self.node[node, COUNT]
        mover = self.mover[node]
        low, high = self.low[first], self.high[first]
        if mover < 0:
            low, high = 0.0, 0.0
            for child in range(first, last):
                low += self.probability[child] * self.low[child]
                high += self.probability[child] * self.high[child]
        elif game.side(mover) == game.side(0):
            for child in range(first + 1, last):
                low, high = max(low, self.low[child]), max(high, self.high[child])
        else:
            for child in range(first + 1, last):
                low, high = min(low, self.low[child]), min(high, self.high[child])
        changed = low != self.low[node] or high != self.high[node]
        self.low[node], self.high[node] = low, high
        return changed  # type: ignore[no-any-return]

    # Results.

    def spread(self) -> float:
        """The standard deviation of the results so far; one half, that of wins and losses, until there are some."""
        n = self.counts[SIMULATIONS]
        if n < 16:
            return 0.5
        mean = self.scale[SUM] / n
        return max(math.sqrt(max(self.scale[SQUARES] / n - mean * mean, 0.0)), LEAST_SPREAD)

    def scaled(self, utility: float, is_player_0: bool) -> float:
        """A utility for player 0, as a result in [0, 1] for its side or for the other one."""
        low, high = self.scale[LOWEST], self.scale[HIGHEST]
        return (utility - low if is_player_0 else high - utility) / (high - low)  # type: ignore[no-any-return]

    def note(self, p: int, utility: float) -> None:
        """The result of a simulation for one player, or an observation of the range."""
        low, high = self.scale[LOWEST], self.scale[HIGHEST]
        if self.scale[OBSERVING] != 0.0:
            self.scale[LOWEST], self.scale[HIGHEST] = min(low, utility), max(high, utility)
        else:
            self.worth[p] = min(max((utility - self.least[p]) / (high - low), 0.0), 1.0)

    # For people: never called from compiled code.

    def root_moves(self, game: Any, state: Any, player: int) -> list[int]:
        """The nodes of the root's moves that were tried."""
        if self.node[0, COUNT] <= 0 or self.mover[0] < 0:
            return []
        return list(range(int(self.node[0, FIRST]), int(self.node[0, FIRST] + self.node[0, TRIED])))

    def square_of(self, child: int) -> float:
        """The sum of squared results of one of the root's moves."""
        return float(self.squares[child - self.node[0, FIRST]])

    def add_squares(self, child: int, squares: float) -> None:
        """Add to the sum of squared results of one of the root's moves."""
        self.squares[child - self.node[0, FIRST]] += squares

    def line_from(self, node: int) -> list[int]:
        """The most visited play from a node on, as far as nothing is left to chance."""
        line = [node]
        while self.node[node, COUNT] > 0 and self.node[node, TRIED] > 0 and self.mover[node] >= 0:
            children = range(int(self.node[node, FIRST]), int(self.node[node, FIRST] + self.node[node, TRIED]))
            node = max(children, key=lambda child: int(self.node[child, VISITS]))
            line.append(node)
        return line


def list_moves(game: Any, s: Any, room: Any) -> int:
    """Write the legal moves into an array, and say how many there are; raises GameError if that cannot be right."""
    count = number_of(game.list_actions(s, room))
    check_moves(count, room)
    return count


def check_moves(count: int, room: Any) -> None:
    """Raise GameError if a player cannot have so many legal moves."""
    if count > len(room):
        raise GameError("more legal moves than `max_actions` (1,024 if it is not declared)")
    if count == 0:
        raise GameError("a player is to move and has no legal move, though the game is not over")


def arrays(size: int, kind: Any) -> Any:
    """Room for so many numbers in compiled code."""
    return np.zeros(size, kind)  # a kind with a shape adds dimensions


def dictionaries(size: int, kind: Any) -> Any:
    """In plain Python, moves may be anything, and most of the memory is never used."""
    return defaultdict(float if kind in (np.float32, np.float64) else int)
