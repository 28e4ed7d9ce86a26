"""The arithmetic of a subgame, for all hands at once: loops that become vector instructions.

They take arrays and numbers rather than parts, because the address of a part's table would be loaded again after each
write. Beside each loop is what plain Python does instead, with whole arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop

ZERO, ONE = np.float32(0), np.float32(1)


def _match(source: Any, at: int, width: int, hands: int, play: Any, place: int, rows: Any, sums: Any) -> None:
    room = play.shape[1]
    part = np.maximum(source[at : at + width * room].reshape(width, room)[:, :hands], 0)
    total = part.sum(axis=0)
    play[rows[:width] - place, :hands] = np.where(total > 0, part / np.where(total > 0, total, 1), ONE / width)


@vector_loop(_match)
def match(source: Any, at: int, width: int, hands: int, play: Any, place: int, rows: Any, sums: Any) -> None:
    """Regret matching: play each action in proportion to its positive number; all alike if there is none.

    The numbers of action a begin at `at` + a times the length of a row; its strategy goes to row rows[a] − place.
    """
    room = play.shape[1]
    equal = ONE / np.float32(width)
    numbers = source[at : at + room]
    for i in range(hands):
        sums[i] = max(numbers[i], ZERO)
    for a in range(1, width):
        numbers = source[at + a * room : at + (a + 1) * room]
        for i in range(hands):
            sums[i] += max(numbers[i], ZERO)
    for i in range(hands):
        sums[i] = ONE / sums[i] if sums[i] > ZERO else ZERO
    for a in range(width):
        numbers, to = source[at + a * room : at + (a + 1) * room], play[rows[a] - place]
        for i in range(hands):
            to[i] = max(numbers[i], ZERO) * sums[i] if sums[i] > ZERO else equal


def _times(reach: Any, player: int, row: int, play: Any, to: int, hands: int) -> None:
    reach[player, to, :hands] = reach[player, row, :hands] * play[to, :hands]


@vector_loop(_times)
def times(reach: Any, player: int, row: int, play: Any, to: int, hands: int) -> None:
    """How likely hands are to get to a row by an action."""
    for i in range(hands):
        reach[player, to, i] = reach[player, row, i] * play[to, i]


def _gather(source: Any, player: int, row: int, order: Any, k: int, hands: int, reach: Any, to: int) -> None:
    reach[player, to, :hands] = source[player, row, order[k, :hands]]


@vector_loop(_gather)
def gather(source: Any, player: int, row: int, order: Any, k: int, hands: int, reach: Any, to: int) -> None:
    """A row of hands in the order of a river."""
    for i in range(hands):
        reach[player, to, i] = source[player, row, order[k, i]]


def _scatter(value: Any, row: int, copies: Any, copy: int, hands: int, factor: Any, totals: Any, deal: int) -> None:
    totals[deal, copies[copy, :hands]] += factor[0] * value[row, :hands]


@vector_loop(_scatter)
def scatter(value: Any, row: int, copies: Any, copy: int, hands: int, factor: Any, totals: Any, deal: int) -> None:
    """Add the values on a river to those before the deal."""
    x = factor[0]
    for i in range(hands):
        totals[deal, copies[copy, i]] += x * value[row, i]


def _add_children(value: Any, to: int, rows: Any, width: int, place: int, hands: int) -> None:
    value[to, :hands] = value[rows[:width] - place, :hands].sum(axis=0)


@vector_loop(_add_children)
def add_children(value: Any, to: int, rows: Any, width: int, place: int, hands: int) -> None:
    """The value of a node where the other player acts: its actions are already in its reach."""
    row = rows[0] - place
    for i in range(hands):
        value[to, i] = value[row, i]
    for a in range(1, width):
        row = rows[a] - place
        for i in range(hands):
            value[to, i] += value[row, i]


def _mean(value: Any, to: int, rows: Any, width: int, place: int, hands: int, play: Any) -> None:
    below = rows[:width] - place
    value[to, :hands] = (value[below, :hands] * play[below, :hands]).sum(axis=0)


@vector_loop(_mean)
def mean(value: Any, to: int, rows: Any, width: int, place: int, hands: int, play: Any) -> None:
    """The value of a node where the player itself acts as it plays."""
    row = rows[0] - place
    for i in range(hands):
        value[to, i] = value[row, i] * play[row, i]
    for a in range(1, width):
        row = rows[a] - place
        for i in range(hands):
            value[to, i] += value[row, i] * play[row, i]


def _largest(value: Any, to: int, rows: Any, width: int, place: int, hands: int) -> None:
    value[to, :hands] = value[rows[:width] - place, :hands].max(axis=0)


@vector_loop(_largest)
def largest(value: Any, to: int, rows: Any, width: int, place: int, hands: int) -> None:
    """The value of a node where the player itself takes the best action with each hand."""
    row = rows[0] - place
    for i in range(hands):
        value[to, i] = value[row, i]
    for a in range(1, width):
        row = rows[a] - place
        for i in range(hands):
            value[to, i] = max(value[to, i], value[row, i])


def _learn(
    regret: Any, total: Any, at: int, width: int, hands: int, value: Any, node: int, rows: Any, place: int, play: Any,
    reach: Any, player: int, own: int, factors: Any,
) -> None:  # fmt: skip
    room, below = play.shape[1], rows[:width] - place
    regrets = regret[at : at + width * room].reshape(width, room)[:, :hands]
    new = regrets + value[below, :hands] - value[node, :hands]
    regrets[:] = new * np.where(new > 0, factors[0], factors[1])
    totals = total[at : at + width * room].reshape(width, room)[:, :hands]
    totals += factors[2] * reach[player, own, :hands] * play[below, :hands]


@vector_loop(_learn)
def learn(
    regret: Any, total: Any, at: int, width: int, hands: int, value: Any, node: int, rows: Any, place: int, play: Any,
    reach: Any, player: int, own: int, factors: Any,
) -> None:  # fmt: skip
    """New regrets, discounted, and the average strategy, of one node."""
    room = play.shape[1]
    gain, loss, weight = factors[0], factors[1], factors[2]
    here, likely = value[node], reach[player, own]
    for a in range(width):
        row, begin, end = rows[a] - place, at + a * room, at + (a + 1) * room
        regrets, worth = regret[begin:end], value[row]
        for i in range(hands):
            new = regrets[i] + worth[i] - here[i]
            regrets[i] = new * (gain if new > ZERO else loss)
        totals, often = total[begin:end], play[row]
        for i in range(hands):
            totals[i] += weight * likely[i] * often[i]


def _fill_lanes(reach: Any, player: int, rows: Any, first: int, last: int, place: int, hands: int, lanes: Any) -> None:
    lanes[:hands, : last - first] = reach[player, rows[first:last] - place, :hands].T


@vector_loop(_fill_lanes)
def fill_lanes(reach: Any, player: int, rows: Any, first: int, last: int, place: int, hands: int, lanes: Any) -> None:
    """Rows of hands side by side: one lane for each."""
    for lane in range(last - first):
        row = rows[first + lane] - place
        for i in range(hands):
            lanes[i, lane] = reach[player, row, i]


def _compare(
    lanes: Any, wins: Any, meets: Any, low: Any, high: Any, ties: Any, k: int, hands: int, cards: Any, level: Any
) -> None:
    a, b, rank = low[k, :hands, None], high[k, :hands, None], ties[k, :hands]
    possible = (a != a.T) & (a != b.T) & (b != a.T) & (b != b.T)  # each hand against each
    wins[:hands] = (possible * np.sign(rank[:, None] - rank)) @ lanes[:hands]
    meets[:hands] = possible @ lanes[:hands]


@vector_loop(_compare)
def compare(
    lanes: Any, wins: Any, meets: Any, low: Any, high: Any, ties: Any, k: int, hands: int, cards: Any, level: Any
) -> None:
    """For each hand the weight of the hands that it can meet, and of those that it beats less those that beat it.

    Going up from the weakest hand, `cards` has for each card the weight of the weaker hands that contain it, less that
    of the stronger ones: such hands cannot be met. Equal hands count in neither.
    """
    size = lanes.shape[1]
    for card in range(cards.shape[1]):
        for j in range(size):
            cards[0, card, j] = cards[1, card, j] = ZERO
    for j in range(size):
        level[0, j] = level[1, j] = ZERO
    for i in range(hands):
        a, b = low[k, i], high[k, i]
        for j in range(size):
            x = lanes[i, j]
            level[0, j] += x
            cards[0, a, j] += x
            cards[0, b, j] += x
    for card in range(cards.shape[1]):
        for j in range(size):
            cards[1, card, j] = -cards[0, card, j]
    for j in range(size):
        level[1, j] = -level[0, j]
    begin = 0
    while begin < hands:
        end = ties[k, begin]
        for i in range(begin, end):
            a, b = low[k, i], high[k, i]
            for j in range(size):
                x = lanes[i, j]
                level[1, j] += x
                cards[1, a, j] += x
                cards[1, b, j] += x
        for i in range(begin, end):
            a, b = low[k, i], high[k, i]
            for j in range(size):
                wins[i, j] = level[1, j] - cards[1, a, j] - cards[1, b, j]
                meets[i, j] = level[0, j] - cards[0, a, j] - cards[0, b, j] + lanes[i, j]
        for i in range(begin, end):
            a, b = low[k, i], high[k, i]
            for j in range(size):
                x = lanes[i, j]
                level[1, j] += x
                cards[1, a, j] += x
                cards[1, b, j] += x
        begin = end


def _take_lane(lanes: Any, lane: int, factor: Any, at: int, sign: Any, hands: int, value: Any, row: int) -> None:
    value[row, :hands] = sign * factor[at] * lanes[:hands, lane]


@vector_loop(_take_lane)
def take_lane(lanes: Any, lane: int, factor: Any, at: int, sign: int, hands: int, value: Any, row: int) -> None:
    """The value of an end: a lane times the chips at stake."""
    x = np.float32(sign) * factor[at]
    for i in range(hands):
        value[row, i] = x * lanes[i, lane]
