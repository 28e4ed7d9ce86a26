"""Monte Carlo tree search for hidden information: a tree over information sets.

Each simulation draws a state that the player to move cannot tell from the true one (`resample`), and plays it as if it
were open. Every player has statistics of its own for each of its information sets, so no choice depends on what the
chooser cannot know (multiple-observer information set MCTS; Cowling, Powley and Whitehouse 2012).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE
from zermelo.kernel.calls import read_flag
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import number_of, signed
from zermelo.kernel.routine import Routine
from zermelo.search.mcts.simulation import OBSERVED_ROLLOUTS, roll_out
from zermelo.search.mcts.tree import (
    CAPACITY,
    DEEPEST,
    FACTOR,
    FIRST,
    GOAL,
    SIMULATIONS,
    TRIED,
    VISITS,
    Guides,
    Tree,
    arrays,
    dictionaries,
    list_moves,
)


class InformationTree(Tree):
    """Information sets, found by a hash table; the moves of each are linked, since not all are legal in all its states.

    slots      a hash table of information sets: their nodes, 0 if free
    key        [node] the information set
    mover      [node] of a move: the player who made it
    tried      [node] of a move: how often it was legal
    """

    key: Any
    square: Any
    extra_bytes = 2 * 4  # the slots are up to twice as many as the nodes

    def __init__(self, game: Any, *, compiled: bool, memory: int, plies: int, proves: bool, guides: Guides):
        guides = guides._replace(prior=False, later=False)
        super().__init__(game, compiled=compiled, memory=memory, plies=plies, proves=False, guides=guides)
        make = arrays if compiled else dictionaries
        size = 1
        while size < self.limits[CAPACITY]:
            size *= 2
        self.slots = make(size, np.int32)
        self.mask = np.array([size - 1], np.int64) if compiled else [size - 1]

    def fields(self, game: Any) -> dict[str, Any]:
        return {**super().fields(game), "link": np.int32, "key": np.int64, "square": np.float64}

    def information_set(self, word: int) -> int:
        """The node of an information set; a new one if it was never reached; 0 if memory is full."""
        key = signed(word)
        slot = number_of((key ^ (key >> 32)) & self.mask[0])
        while self.slots[slot] != 0:
            if self.key[self.slots[slot]] == key:
                return number_of(self.slots[slot])
            slot = (slot + 1) & self.mask[0]
        node = self.add(number_of(0))
        if node != 0:
            self.slots[slot] = node
            self.key[node] = key
        return node

    def move_of(self, node: int, a: Any) -> int:
        """The node of a move in an information set; 0 if it was never tried."""
        child = number_of(self.node[node, FIRST])
        while child != 0 and self.action[child] != a:
            child = number_of(self.link[child])
        return child

    def select(self, node: int, count: int, random: Any) -> int:
        """The number of the legal move to try: one never tried before, or that with the greatest bound.

        A move's bound depends on how often it was legal, since moves that are rarely legal are rarely tried.
        """
        untried = number_of(0)
        chosen = number_of(0)
        best = -math.inf
        factor = self.scale[FACTOR]
        for i in range(count):
            child = self.move_of(node, self.room[i])
            if child == 0 or self.node[child, VISITS] == 0:
                untried += 1
                if random.below(untried) == 0:
                    chosen = number_of(i)
            else:
                self.node[child, TRIED] += 1
                bound = self.value[child] / self.node[child, VISITS]
                bound += factor * math.sqrt(math.log(self.node[child, TRIED] + 1) / self.node[child, VISITS])
                if untried == 0 and bound > best:
                    best, chosen = bound, number_of(i)
        return chosen

    # For people: never called from compiled code.

    def root_moves(self, game: Any, state: Any, player: int) -> list[int]:
        """The nodes of the moves that were tried in the root's information set."""
        if game.to_move(state) == CHANCE:
            return []
        node = self.node[self.information_set(mix(mixed(game.information(state, player)), player)), FIRST]
        found = []
        while node != 0:
            if self.node[node, VISITS] > 0:
                found.append(int(node))
            node = self.link[node]
        return found

    def square_of(self, child: int) -> float:
        return float(self.square[child])

    def add_squares(self, child: int, squares: float) -> None:
        self.square[child] += squares

    def line_from(self, node: int) -> list[int]:
        """Only the move itself: what follows depends on what is hidden."""
        return [node]


def grow_hidden(game: Any, root: Any, tree: InformationTree, random: Any, stop: Any, player: int) -> int:
    """Make simulations, each from a state drawn for this player, until a limit is reached."""
    while tree.counts[SIMULATIONS] < tree.limits[GOAL] and read_flag(stop, 0) == 0:
        simulate_hidden(game, game.resample(root, player, random), tree, random)
    return number_of(tree.counts[SIMULATIONS])


def simulate_hidden(game: Any, s: Any, tree: InformationTree, random: Any) -> None:
    """One simulation from a state that may be the true one."""
    depth, plies = number_of(0), number_of(0)
    is_new = False
    while not is_new and depth + 2 < len(tree.path) and not game.is_terminal(s):
        p = game.to_move(s)
        if game.chance and p == CHANCE:
            s = game.draw(s, random)
        else:
            count = list_moves(game, s, tree.room)
            node = tree.information_set(mix(mixed(game.information(s, p)), p))
            if node == 0:
                break
            a = tree.room[tree.select(node, count, random)]
            child = tree.move_of(node, a)
            is_new = child == 0 or tree.node[child, VISITS] == 0  # without a visit: a search was interrupted there
            if child == 0:
                child = tree.add(a)
                if child == 0:
                    break
                tree.mover[child], tree.node[child, TRIED], tree.link[child] = p, 1, tree.node[node, FIRST]
                tree.node[node, FIRST] = child
            tree.path[depth] = child
            depth += 1
            s = game.result(s, a)
        remember(game, s)
        plies += 1
    roll_out(game, s, tree, random)
    for _ in range(plies):
        forget(game)
    tree.counts[DEEPEST] = max(tree.counts[DEEPEST], depth)
    tree.count_result()
    for d in range(depth):
        child = tree.path[d]
        result = tree.worth[tree.mover[child]]
        tree.node[child, VISITS] += 1
        tree.value[child] += result
        tree.square[child] += result * result


def observe_hidden_range(game: Any, root: Any, tree: InformationTree, random: Any, stop: Any, player: int) -> int:
    """Find the range of utilities by rollouts, from states drawn for this player."""
    for number in range(OBSERVED_ROLLOUTS):
        if read_flag(stop, 0) != 0:
            return number
        roll_out(game, game.resample(root, player, random), tree, random)
    return OBSERVED_ROLLOUTS


GROW_HIDDEN, OBSERVE_HIDDEN_RANGE = Routine(grow_hidden), Routine(observe_hidden_range)
