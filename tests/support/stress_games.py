"""Three games that keep the protocol honest for what is to come.

`Stones` is Go on 361 points, whose rules need the position history; `Whist` has four seats in two sides and a deal
that can go 52!/(13!)⁴ ways, which no move can number; `Lookup` plays by a table of 5 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo import CHANCE, Game, Random, bits, count_bits, i8, i32, lowest_bit, replaced, u8, u64
from zermelo.game.hashing import mixed

Board = tuple[u64, u64, u64, u64, u64, u64]  # 384 bits: 19 rows of 20, the last of each a margin
ROW = 20


class StonesState(NamedTuple):
    own: Board  # stones of the player to move
    other: Board
    mover: u8
    passes: u8


def shift_up(w: Board, k: int) -> Board:
    """Every bit k places up."""
    j = 64 - k
    return (
        u64(w[0] << k),
        u64((w[1] << k) | (w[0] >> j)),
        u64((w[2] << k) | (w[1] >> j)),
        u64((w[3] << k) | (w[2] >> j)),
        u64((w[4] << k) | (w[3] >> j)),
        u64((w[5] << k) | (w[4] >> j)),
    )


def shift_down(w: Board, k: int) -> Board:
    """Every bit k places down."""
    j = 64 - k
    return (
        u64((w[0] >> k) | (w[1] << j)),
        u64((w[1] >> k) | (w[2] << j)),
        u64((w[2] >> k) | (w[3] << j)),
        u64((w[3] >> k) | (w[4] << j)),
        u64((w[4] >> k) | (w[5] << j)),
        u64(w[5] >> k),
    )


def union(a: Board, b: Board) -> Board:
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3], a[4] | b[4], a[5] | b[5])


def common(a: Board, b: Board) -> Board:
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3], a[4] & b[4], a[5] & b[5])


def without(a: Board, b: Board) -> Board:
    return (
        u64(a[0] & ~b[0]),
        u64(a[1] & ~b[1]),
        u64(a[2] & ~b[2]),
        u64(a[3] & ~b[3]),
        u64(a[4] & ~b[4]),
        u64(a[5] & ~b[5]),
    )


def neighbours(w: Board) -> Board:
    return union(union(shift_up(w, 1), shift_down(w, 1)), union(shift_up(w, ROW), shift_down(w, ROW)))


def is_empty(w: Board) -> bool:
    return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5]) == 0


def flood(seed: Board, within: Board) -> Board:
    """All of `within` that is connected to the seed."""
    grown = common(seed, within)
    while True:
        more = common(union(grown, neighbours(grown)), within)
        if more == grown:
            return grown
        grown = more


def size(w: Board) -> int:
    return (
        count_bits(w[0]) + count_bits(w[1]) + count_bits(w[2]) + count_bits(w[3]) + count_bits(w[4]) + count_bits(w[5])
    )


def point(a: int) -> Board:
    i = a // 19 * ROW + a % 19
    return bit_at(i // 64, i % 64)


def bit_at(word: int, i: int) -> Board:
    zero = u64(0)
    return replaced((zero, zero, zero, zero, zero, zero), word, u64(1) << i)


EMPTY: Any = (0, 0, 0, 0, 0, 0)
PASS = 361


class Stones(Game):
    """Go by area, no suicide, positional superko, no komi."""

    utility_range = (-361, 361)
    max_actions = 362
    uses_history = True

    def __init__(self) -> None:
        words = [0] * 6
        for a in range(361):
            i = a // 19 * ROW + a % 19
            words[i // 64] |= 1 << (i % 64)
        self.points = tuple(words)

    def initial(self) -> StonesState:
        return StonesState(EMPTY, EMPTY, 0, 0)

    def to_move(self, s: StonesState) -> int:
        return s.mover

    def actions(self, s: StonesState) -> Iterator[int]:
        for a in range(361):
            if self.is_legal(s, a):
                yield a
        yield PASS

    def is_legal(self, s: StonesState, a: int) -> bool:
        stone = point(a)
        if not is_empty(common(stone, union(s.own, s.other))):
            return False
        after = self.result(s, a)
        own = after.other
        if is_empty(common(neighbours(flood(stone, own)), without(self.points, union(own, after.own)))):
            return False  # suicide
        return self.occurrences(self.key(after)) == 0

    def result(self, s: StonesState, a: int) -> StonesState:
        if a == PASS:
            return StonesState(s.other, s.own, 1 - s.mover, s.passes + 1)
        stone = point(a)
        own = union(s.own, stone)
        other = s.other
        beside = common(neighbours(stone), other)
        for word in range(6):
            for i in bits(beside[word]):
                group = flood(bit_at(word, i), other)
                if is_empty(common(neighbours(group), without(self.points, union(own, other)))):
                    other = without(other, group)
        return StonesState(other, own, 1 - s.mover, 0)

    def is_terminal(self, s: StonesState) -> bool:
        return s.passes >= 2

    def utility(self, s: StonesState, p: int) -> float:
        free = without(self.points, union(s.own, s.other))
        near_own = flood(common(neighbours(s.own), free), free)
        near_other = flood(common(neighbours(s.other), free), free)
        own = size(s.own) + size(without(near_own, near_other))
        other = size(s.other) + size(without(near_other, near_own))
        return own - other if s.mover == p else other - own

    def key(self, s: StonesState) -> int:
        """The position alone: superko asks neither who moves nor who passed."""
        return mixed((s.own, s.other)) if s.mover == 0 else mixed((s.other, s.own))


Hands = tuple[u64, u64, u64, u64]


class WhistState(NamedTuple):
    hands: Hands  # each seat's cards, bit 13 * suit + rank
    trick: tuple[i8, i8, i8, i8]  # the cards on the table by seat, or -1
    leader: i8
    mover: i8  # -1 before the deal
    left: i8  # tricks left to play
    won: i8  # tricks won by seats 0 and 2


class Whist(Game):
    """Four seats, 0 and 2 against 1 and 3, no trumps: after one deal of all 52 cards, `tricks` tricks are played."""

    players = 4
    chance = True
    hidden = True
    max_actions = 13

    def __init__(self, tricks: int = 13):
        self.tricks = tricks
        self.utility_range = (-tricks, tricks)

    def initial(self) -> WhistState:
        return WhistState((0, 0, 0, 0), (-1, -1, -1, -1), 0, -1, self.tricks, 0)

    def to_move(self, s: WhistState) -> int:
        return CHANCE if s.mover < 0 else s.mover

    def side(self, p: int) -> int:
        return p % 2

    def draw(self, s: WhistState, random: Random) -> WhistState:
        hands = s.hands
        left = u64((1 << 52) - 1)
        for dealt in range(52):
            card = nth_bit(left, random.below(52 - dealt))
            left = u64(left & ~(u64(1) << card))
            hands = replaced(hands, dealt % 4, u64(hands[dealt % 4] | (u64(1) << card)))
        return WhistState(hands, s.trick, 0, 0, s.left, 0)

    def suit_to_follow(self, s: WhistState) -> int:
        led = s.trick[s.leader]
        return -1 if led < 0 else led // 13

    def actions(self, s: WhistState) -> Iterator[int]:
        hand = s.hands[s.mover]
        suit = self.suit_to_follow(s)
        if suit >= 0:
            follow = u64(hand & (u64(0x1FFF) << (13 * suit)))
            if follow != 0:
                hand = follow
        for card in bits(hand):
            yield card

    def result(self, s: WhistState, a: int) -> WhistState:
        hands = replaced(s.hands, s.mover, u64(s.hands[s.mover] & ~(u64(1) << a)))
        trick = replaced(s.trick, s.mover, a)
        following = (s.mover + 1) % 4
        if following != s.leader:
            return WhistState(hands, trick, s.leader, following, s.left, s.won)
        winner = s.leader
        for seat in range(4):
            if trick[seat] // 13 == trick[winner] // 13 and trick[seat] > trick[winner]:
                winner = seat
        point = 1 if winner % 2 == 0 else 0
        return WhistState(hands, (-1, -1, -1, -1), winner, winner, s.left - 1, s.won + point)

    def is_terminal(self, s: WhistState) -> bool:
        return s.left == 0

    def utility(self, s: WhistState, p: int) -> float:
        mine = s.won if p % 2 == 0 else self.tricks - s.won
        return 2 * mine - self.tricks

    def information(self, s: WhistState, p: int) -> Any:
        """A seat's own cards, the trick, and what follows from public play; earlier tricks are left out (no memory)."""
        return s.hands[p], s.trick, s.leader, s.mover, s.left, s.won, self.cards_left(s)

    def cards_left(self, s: WhistState) -> int:
        return s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]

    def resample(self, s: WhistState, p: int, random: Random) -> WhistState:
        """The other hands shuffled among themselves, each keeping its size."""
        if s.mover < 0:
            return s
        pool = u64(self.cards_left(s) & ~s.hands[p])
        hands = s.hands
        for seat in range(4):
            if seat != p:
                wanted = count_bits(s.hands[seat])
                hand = u64(0)
                for _ in range(wanted):
                    card = nth_bit(pool, random.below(count_bits(pool)))
                    pool = u64(pool & ~(u64(1) << card))
                    hand = u64(hand | (u64(1) << card))
                hands = replaced(hands, seat, hand)
        return WhistState(hands, s.trick, s.leader, s.mover, s.left, s.won)


def nth_bit(word: int, n: int) -> int:
    """The index of the n-th bit that is set, counted from 0."""
    for _ in range(n):
        word = u64(word & (word - 1))
    return lowest_bit(word)


class LookupState(NamedTuple):
    at: i32
    ply: u8


class Lookup(Game):
    """Walk through a table of 5 MB: two players in turn, the last number found decides."""

    utility_range = (-1, 1)
    max_actions = 4

    def __init__(self, seed: int = 0, plies: int = 6):
        self.table = np.random.default_rng(seed).uniform(-1, 1, 655_360)  # 5 MiB
        self.plies = plies

    def initial(self) -> LookupState:
        return LookupState(0, 0)

    def to_move(self, s: LookupState) -> int:
        return s.ply & 1

    def actions(self, s: LookupState) -> Iterator[int]:
        for a in range(4):
            yield a

    def result(self, s: LookupState, a: int) -> LookupState:
        return LookupState((s.at * 4 + a + 1) % 655_360, s.ply + 1)

    def is_terminal(self, s: LookupState) -> bool:
        return s.ply == self.plies

    def utility(self, s: LookupState, p: int) -> float:
        value = self.table[s.at]
        return float(value) if p == 0 else -float(value)
