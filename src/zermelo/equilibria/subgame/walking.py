"""Passes over a subgame: down the tree with the hands of both players, and up again with what they are worth.

This is counterfactual regret minimisation with public trees (Johanson, Waugh, Bowling and Zinkevich 2011): every node
of the betting tree is visited once for each river, with all hands, and ends take time in proportion to the number of
hands rather than of pairs of hands.
"""

from __future__ import annotations

from typing import Any

from zermelo.equilibria.subgame.betting import FOLD, SHOWDOWN
from zermelo.equilibria.subgame.loops import (
    add_children,
    compare,
    fill_lanes,
    gather,
    largest,
    learn,
    match,
    mean,
    scatter,
    take_lane,
    times,
)
from zermelo.equilibria.subgame.spot import Desk, Memory, Spot
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.routine import Routine

NO_GAME = NoGame("Subgame")
LEARN, RESPOND, FOLLOW = range(3)
"""What the player does whose values are computed: it follows its regrets and learns; it answers the other's average
strategy as well as possible; it follows its own average strategy."""


def down(spot: Spot, desk: Desk, source: Any, group: int, k: int) -> None:
    """How likely each hand of both players is to get to each node of a group, on river k."""
    reach, play, sums, child = desk.reach, desk.play, desk.sums, spot.child
    hands, first = spot.count[k], spot.begin[group]
    for n in range(first, spot.end[group]):
        player = spot.actor[n]
        if player < 2:
            width, rows = spot.width[n], child[n]
            match(source, spot.offset[n] + k * spot.step[n], width, hands, play, first, rows, sums)
            row = spot.row[player, n] - first
            for a in range(width):
                times(reach, player, row, play, rows[a] - first, hands)


def at_ends(spot: Spot, desk: Desk, player: int, group: int, k: int) -> None:
    """What each hand of the player is worth at the ends of a group."""
    hands, rows, size, first = spot.count[k], spot.compared[player], desk.lanes.shape[1], spot.begin[group]
    begin, end = spot.slots[player, group], spot.slots[player, group + 1]
    done = 0
    while begin + done < end:
        part = min(begin + done + size, end)
        fill_lanes(desk.reach, 1 - player, rows, begin + done, part, first, hands, desk.lanes)
        compare(desk.lanes, desk.wins, desk.meets, spot.low, spot.high, spot.ties, k, hands, desk.cards, desk.level)
        for n in range(first, spot.end[group]):
            lane = spot.slot[player, n] - done
            if 0 <= lane < size:
                if spot.actor[n] == SHOWDOWN:
                    take_lane(desk.wins, lane, spot.matched, n, 1, hands, desk.value, n - first)
                elif spot.actor[n] == FOLD:
                    sign = 1 if spot.winner[n] == player else -1
                    take_lane(desk.meets, lane, spot.matched, n, sign, hands, desk.value, n - first)
        done += size


def up(spot: Spot, desk: Desk, memory: Memory, player: int, how: int, group: int, k: int) -> None:
    """What each hand of the player is worth at all nodes of a group, from those at its ends; regrets, if it learns."""
    hands, value, play, child = spot.count[k], desk.value, desk.play, spot.child
    first, last = spot.begin[group], spot.end[group]
    for back in range(last - first):
        n = last - 1 - back
        actor = spot.actor[n]
        if actor > 1:
            continue
        width, rows = spot.width[n], child[n]
        if actor != player:
            add_children(value, n - first, rows, width, first, hands)
        elif how == RESPOND:
            largest(value, n - first, rows, width, first, hands)
        else:
            mean(value, n - first, rows, width, first, hands, play)
            if how == LEARN:
                at, own = spot.offset[n] + k * spot.step[n], spot.row[player, n] - first
                learn(
                    memory.regret, memory.total, at, width, hands, value, n - first, rows, first, play, desk.reach,
                    player, own, memory.factors,
                )  # fmt: skip


def begin(game: Any, s: Any, spot: Spot, desk: Desk, memory: Memory, how: int) -> int:
    """From the ranges down to the deals."""
    for p in range(2):
        for i in range(spot.ranges.shape[1]):
            desk.reach[p, 0, i] = spot.ranges[p, i]
    down(spot, desk, memory.regret if how == LEARN else memory.total, 0, len(spot.starts) - 1)
    return 0


def deal(
    game: Any, s: Any, spot: Spot, before: Desk, desk: Desk, memory: Memory, player: int, how: int, first: int,
    last: int, first_group: int, last_group: int,
) -> int:  # fmt: skip
    """Rivers from `first` to `last`, after the deals of some groups: down, and up again.

    The values are added to the desk's totals. The last river and group stay on the desk to be read.
    """
    for i in range(desk.totals.shape[0]):
        for j in range(desk.totals.shape[1]):
            desk.totals[i, j] = 0.0
    for k in range(first, last):
        for group in range(first_group, last_group):
            after_deals(spot, before, desk, memory, player, how, group, k)
            for i in range(spot.dealt[group], spot.dealt[group + 1]):
                row = spot.first[spot.deals[i]] - spot.begin[group]
                for copy in range(spot.starts[k], spot.starts[k + 1]):
                    scatter(desk.value, row, spot.copies, copy, spot.count[k], spot.chance, desk.totals, i)
    return last - first


def after_deals(
    spot: Spot, before: Desk, desk: Desk, memory: Memory, player: int, how: int, group: int, k: int
) -> None:
    """The nodes after the deals of a group, with river k."""
    for i in range(spot.dealt[group], spot.dealt[group + 1]):
        n = spot.deals[i]
        for p in range(2):
            row, to = spot.row[p, n], spot.first[n] - spot.begin[group]
            gather(before.reach, p, row, spot.order, k, spot.count[k], desk.reach, to)
    down(spot, desk, memory.regret if how == LEARN else memory.total, group, k)
    at_ends(spot, desk, player, group, k)
    up(spot, desk, memory, player, how, group, k)


def finish(game: Any, s: Any, spot: Spot, desk: Desk, memory: Memory, totals: Any, player: int, how: int) -> int:
    """From what the deals are worth up to the start."""
    k = len(spot.starts) - 1
    at_ends(spot, desk, player, 0, k)
    for i in range(len(spot.deals)):
        for j in range(spot.count[k]):
            desk.value[spot.deals[i], j] = totals[i, j]
    up(spot, desk, memory, player, how, 0, k)
    return 0


BEGIN, DEALT, FINISH = Routine(begin), Routine(deal), Routine(finish)
