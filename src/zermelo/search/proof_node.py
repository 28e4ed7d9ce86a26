"""One node of df-pn, and so all of them: depth-first proof-number search (Nagai 2002), with what it remembers.

A node's proof number is the least number of positions that must still be proven to prove the node, as far as is known;
its disproof number, the least number that must be disproven to disprove it. If the attacker moves, one proven child is
enough (the least of the children's proof numbers) and all must be disproven (the sum of their disproof numbers). If the
defender moves, it is the other way round. The search enters the child that needs the least, and returns once that child
needs more than another one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import TooDeep
from zermelo.game.protocol import Game
from zermelo.kernel.bits import highest_bit
from zermelo.kernel.ordinals import number_of, signed
from zermelo.kernel.routine import Routine
from zermelo.kernel.worker import PLIES
from zermelo.search.bookkeeping import FIRST_COUNTER, FIRST_LIMIT, NODES, Bookkeeping, integers
from zermelo.search.engine.table import EMPTY, GOLDEN, SMALLEST, WORD, Table, room_for

# An entry's data, from the highest bit: 28 of proof number, 28 of disproof number, 6 of work.
PROOF, DISPROOF = 34, 6
NEVER = (1 << 28) - 1
"""The proof number of what is disproven, and the disproof number of what is proven."""
HUGE = NEVER - 1
"""The greatest number of what is neither; sums that would be greater stay there."""
WORK_LIMIT = 63

# Counters and limits beside those of all searches.
ROOT_CHILDREN, OTHER_ENDS = range(FIRST_COUNTER, FIRST_COUNTER + 2)
PLAYER = FIRST_LIMIT
# What utilities are measured by.
LOW, HIGH, MIDDLE, OTHER_LOW = range(4)

UNCONDITIONAL = 1 << 30
"""The condition of a result that depends on no position of the path."""
ROOM = 1 << 18
"""The most children that all nodes of one path may have together."""
SLOTS = 4096
DEFENDING = 0x6A09E667F3BCC908
"""Mixed into the keys of positions in which the defender moves: a game may file a position under the key of the same
position with the players exchanged, and of these two only one is the attacker's."""


def packed(proof: int, disproof: int) -> int:
    """Both numbers in one, as the table keeps them."""
    return (proof << PROOF) | (disproof << DISPROOF)


def proof_in(data: int) -> int:
    return data >> PROOF


def disproof_in(data: int) -> int:
    return (data >> DISPROOF) & NEVER


class ProofMemory(Bookkeeping, Table):
    """What the search remembers: the table of proof and disproof numbers, and the path with its children.

    counts     ROOT_CHILDREN, the number of the root's children, and OTHER_ENDS, how many ends of the game were neither
               a win nor a loss nor half-way between; and those of all searches
    limits     the PLAYER whose win is in question, and those of all searches
    marks      LOW and HIGH, that player's least and greatest utility, MIDDLE, and OTHER_LOW, the opponent's least
    positions  [ply] the key of the position at that ply; turns, whether the attacker moves there
    depends    [ply] the ply of the path on which the result found there depends: see `search_node`
    slots      how many positions of the path have a key that falls into this slot: if 0, none is repeated
    moves      the children of all nodes of the path, those of the root first: the moves that lead to them, their keys,
               their numbers from the viewpoint of the player who chooses among them (near: what that player still
               needs, of which the least counts; far: what the other needs, which adds up), and conditions, what that
               depends on
    """

    def __init__(self, game: Game, player: int, mebibytes: float, *, compiled: bool):
        super().__init__(compiled=compiled, plies=PLIES, counters=FIRST_COUNTER + 2, limits=[player])

        def zeros(size: int) -> Any:
            return np.zeros(size, np.int64) if compiled else [0] * size

        opponents = [p for p in range(game.players) if game.side(p) != game.side(player)]
        low, high = (float(bound) for bound in game.utility_bounds(player))
        other_low = float(game.utility_bounds(opponents[0])[0]) if opponents else -math.inf
        self.has_bounds = bool(opponents) and game.offers("bounds")
        self.has_safe_actions = bool(opponents and game.offers("safe_actions") and game.decisive)
        self.marks = np.array([low, high, (low + high) / 2, other_low])
        self.entries, buckets = room_for(mebibytes, compiled)
        self.policy = integers([0, 0, min(SMALLEST, buckets - 1), 0, buckets - 1], compiled)
        self.positions, self.turns, self.depends = (zeros(PLIES + 2) for _ in range(3))
        self.slots = zeros(SLOTS)
        self.moves, self.keys, self.near, self.far, self.conditions = (zeros(ROOM) for _ in range(5))

    # The path.

    def earlier(self, ply: int, key: int) -> int:
        """The earlier ply of the path at which the same position stands; -1 if there is none."""
        if self.slots[slot_of(key)] != 0:
            for i in range(ply):
                if self.positions[i] == key:
                    return i
        return -1

    def enter(self, ply: int, key: int, turn: int) -> None:
        """The position is now part of the path."""
        self.positions[ply] = key
        self.turns[ply] = turn
        self.slots[slot_of(key)] += 1

    def leave(self, ply: int, key: int, proof: int, disproof: int, condition: int, nodes: int) -> int:
        """It no longer is, and these are its numbers; returns both in one."""
        self.slots[slot_of(key)] -= 1
        self.depends[ply] = condition
        data = packed(proof, disproof)
        if condition == UNCONDITIONAL:
            self.note(key, data | min(2 * highest_bit(nodes), WORK_LIMIT))
        return data

    # Children.

    def add(self, place: int, a: Any) -> None:
        """A move that leads to a child."""
        if place >= ROOM:
            raise TooDeep
        self.moves[place] = a

    def end(self, utility: float, ply: int) -> int:
        """The numbers of an end of the game, given the attacker's utility."""
        if not -math.inf < utility < math.inf:
            self.fail(ply)
        if utility >= self.marks[HIGH]:
            return packed(0, NEVER)
        if utility > self.marks[LOW] and utility != self.marks[MIDDLE]:
            self.counts[OTHER_ENDS] += 1
        return packed(NEVER, 0)

    def decided_by(self, bounds: tuple[float, float], attacking: bool) -> int:
        """The numbers of a position if the mover's static bounds decide it; otherwise 0."""
        least, most = bounds
        if attacking:
            if least >= self.marks[HIGH]:
                return packed(0, NEVER)
            if most < self.marks[HIGH]:
                return packed(NEVER, 0)
        else:
            if most <= self.marks[OTHER_LOW]:
                return packed(0, NEVER)
            if least > self.marks[OTHER_LOW]:
                return packed(NEVER, 0)
        return 0

    # The table: the engine's, with other data in its entries.

    def known(self, key: int) -> int:
        """The data of the position with this key, or 0."""
        return self.look_up(self.bucket_of(key & WORD), key)

    def note(self, key: int, data: int) -> None:
        """Keep the data of the position with this key."""
        self.keep(self.bucket_of(key & WORD), key, data)

    def rank(self, data: int) -> int:
        """How useful an entry is: by the work that went into it."""
        return EMPTY if data == 0 else data & WORK_LIMIT


def slot_of(key: int) -> int:
    return ((key & WORD) * GOLDEN & WORD) >> 52


def key_of(game: Any, s: Any, attacking: bool) -> int:
    """The key of a position together with whose turn it is."""
    word = game.canonical_key(s)
    return signed(word if attacking else word ^ DEFENDING)


def widened(second: int) -> int:
    """The limit for a child's number if its best rival's is this: a quarter more.

    Otherwise the search would alternate between two children that are about equally hard, doing a little more each
    time (Pawlewicz and Lew 2007).
    """
    return NEVER if second >= HUGE else min(second + second // 4 + 1, HUGE)


def search_node(
    game: Any, s: Any, player: int, search: ProofMemory, ply: int, base: int, key: int, proofs: int, disproofs: int
) -> int:
    """The proof and disproof numbers of a state that is not terminal, once one of them has reached its limit.

    A position that is repeated on its own path is disproven: the attacker made no progress. That holds only on this
    path, and so does what follows from it. `depends` is the ply of the path on which a result depends. The result is
    used while that position is on the path, and stored in the table only if it depends on no ply before its own.
    """
    search.count_node(ply)
    before = search.earlier(ply, key)
    if before >= 0:
        search.depends[ply] = before
        return packed(number_of(NEVER), number_of(0))
    nodes = search.counts[NODES]
    mover = game.to_move(s)
    if mover < 0 or mover >= game.players:
        search.fail(ply)
    attacking = game.side(mover) == game.side(player)
    turn = 1 if attacking else 0
    search.enter(ply, key, turn)
    near, far, conditions = search.near, search.far, search.conditions

    # The moves. If the last one was safe, the mover cannot win at once.
    count = 0
    if search.has_safe_actions:
        if ply == 0 or search.turns[ply - 1] == turn:
            for a in game.actions(s):
                after = game.result(s, a)
                if (
                    game.is_terminal(after)
                    and (proof_in(search.end(game.utility(after, player), ply)) == 0) == attacking
                ):
                    search.add(base, a)
                    count = 1
                    break
        if count == 0:
            for a in game.safe_actions(s):
                search.add(base + count, a)
                count += 1
    else:
        for a in game.actions(s):
            search.add(base + count, a)
            count += 1
        if count == 0:
            search.fail(ply)
    if ply == 0:
        search.counts[ROOT_CHILDREN] = count

    # What is known of the children.
    for i in range(base, base + count):
        after = game.result(s, search.moves[i])
        search.keys[i] = 0
        if game.is_terminal(after):
            data = search.end(game.utility(after, player), ply)
        else:
            next_attacking = game.side(game.to_move(after)) == game.side(player)
            search.keys[i] = key_of(game, after, next_attacking)
            data = search.known(search.keys[i])
            if data == 0 and search.has_bounds:
                data = search.decided_by(game.bounds(after), next_attacking)
            if data == 0:
                data = packed(1, 1)
        near[i] = proof_in(data) if attacking else disproof_in(data)
        far[i] = disproof_in(data) if attacking else proof_in(data)
        conditions[i] = UNCONDITIONAL
        if near[i] == 0:
            if ply == 0:
                search.counts[ROOT_CHILDREN] = i + 1
            return search.leave(
                ply, key, 0 if attacking else NEVER, NEVER if attacking else 0, UNCONDITIONAL, number_of(1)
            )

    near_limit, far_limit = (proofs, disproofs) if attacking else (disproofs, proofs)
    condition = number_of(UNCONDITIONAL)
    while True:
        least, second, total = number_of(NEVER), number_of(NEVER), number_of(0)
        chosen = base
        for i in range(base, base + count):
            total += far[i]
            if near[i] < least:
                second = least
                least = near[i]
                chosen = i
            elif near[i] < second:
                second = near[i]
        total = min(total, NEVER if least == 0 else HUGE)
        if least == 0 or least >= near_limit or total >= far_limit:
            break
        near_child = min(near_limit, widened(second))
        far_child = far_limit - total + far[chosen] if far_limit < NEVER else far_limit
        search.path[ply] = search.moves[chosen]
        data = search_node(
            game, game.result(s, search.moves[chosen]), player, search, ply + 1, base + count, search.keys[chosen],
            near_child if attacking else far_child, far_child if attacking else near_child,
        )  # fmt: skip
        less = proof_in(data) if attacking else disproof_in(data)
        more = disproof_in(data) if attacking else proof_in(data)
        conditions[chosen] = search.depends[ply + 1]
        if 0 < less < NEVER:  # numbers only grow, so the search ends whatever the table has forgotten
            less, more = max(less, near[chosen]), max(more, far[chosen])
        near[chosen], far[chosen] = less, more

    # A disproof depends on that of one reply if the defender moves, and on those of all moves otherwise.
    if attacking and least == NEVER:
        for i in range(base, base + count):
            condition = min(condition, conditions[i])
    elif not attacking and least == 0:
        condition = conditions[chosen]
    if condition >= ply:
        condition = number_of(UNCONDITIONAL)
    work = search.counts[NODES] - nodes + 1
    return search.leave(ply, key, least if attacking else total, total if attacking else least, condition, work)


def ask(game: Any, s: Any, search: ProofMemory) -> int:
    """The proof and disproof numbers of a state, for the player in the memory's limits; one of them is 0."""
    player = number_of(search.limits[PLAYER])
    key = key_of(game, s, game.side(game.to_move(s)) == game.side(player))
    none, limit = number_of(0), number_of(NEVER)
    return search_node(game, s, player, search, none, none, key, limit, limit)


ASK = Routine(ask)
