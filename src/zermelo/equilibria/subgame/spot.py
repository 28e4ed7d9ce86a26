"""A subgame as arrays: its betting tree, its hands on every river, and room to compute in."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.equilibria.subgame.betting import DEAL, FOLD, SHOWDOWN, Node
from zermelo.equilibria.subgame.boards import Boards
from zermelo.games.poker.ranges import combinations
from zermelo.kernel.parts import Part

LANES = 16
"""So many ends are compared at once: a vector register of single precision."""
TOGETHER = 96
"""Nodes after several deals are visited together if they are at most so many: it fills the lanes, and the cache."""


class Spot(Part):
    """The tree and the cards. Nodes before the deals come first, then those after each deal, parents before children.

    Of nodes:
    actor, winner, matched   the player to act, or FOLD, SHOWDOWN, DEAL; who is left after a fold; the loser's chips
    width, child             how many actions there are, and where each leads
    first, last              of a deal: the nodes after it are first to last
    row                      [player, node] the last node at or before this one that an action of this player led to
    offset, step             where its regrets begin, and how far it is from one river to the next
    Of rivers, the last of which stands for the time before the deal:
    count, order, ties       as in `Boards`
    low, high                [river, place] the two cards of the hand
    copies, starts           river k stands for the rows starts[k] to starts[k + 1] of copies: where its hands belong
    """

    settled = True

    def __init__(self, before: list[Node], after: list[list[Node]], boards: Boards, ranges: Any, pot: float, kind: Any):
        """From the nodes before the deals and those after each deal; `kind` is the type of all numbers."""
        nodes = [*before, *[node for part in after for node in part]]
        number = {id(node): i for i, node in enumerate(nodes)}
        deals = [number[id(node)] for node in before if node.actor == DEAL]
        n = len(nodes)
        self.actor = np.array([node.actor for node in nodes], np.int64)
        self.winner = np.array([node.winner for node in nodes], np.int64)
        self.matched = np.array([pot / 2 + node.matched for node in nodes], kind)
        self.width = np.array([len(node.children) if node.actor < 2 else 0 for node in nodes], np.int64)
        self.child = np.full((n, max(2, *(len(node.children) for node in nodes))), -1, np.int64)
        for i, node in enumerate(nodes):
            self.child[i, : len(node.children)] = [number[id(child)] for child in node.children]
        self.first, self.last = np.zeros(n, np.int64), np.zeros(n, np.int64)
        at = len(before)
        for deal, part in zip(deals, after, strict=True):
            self.first[deal], self.last[deal] = at, at + len(part)
            at += len(part)
        self.deals = np.array(deals, np.int64)
        self.row = np.zeros((2, n), np.int64)
        for i in range(n):
            if self.actor[i] < 2:
                for child in self.child[i, : self.width[i]]:
                    self.row[:, child] = self.row[:, i]
                    self.row[self.actor[i], child] = child
            elif self.actor[i] == DEAL:
                self.row[:, self.first[i]] = self.first[i]
        self._add_cards(boards, ranges, kind)
        rivers = len(boards.rivers)
        block = self.width * self.room
        self.step = np.where(np.arange(n) < len(before), 0, block)
        sizes = np.where(np.arange(n) < len(before), block, block * rivers)
        self.offset = np.concatenate(([0], np.cumsum(sizes)))
        self._add_groups(len(before))

    def _add_cards(self, boards: Boards, ranges: Any, kind: Any) -> None:
        """The hands, in the order of each river and in that of their numbers."""
        hands, rivers = len(boards.hands), len(boards.rivers)
        room = -(-hands // LANES) * LANES
        cards = combinations()[boards.hands]
        self.order, self.ties, self.low, self.high = (np.zeros((rivers + 1, room), np.int64) for _ in range(4))
        self.order[:rivers, :hands], self.ties[:rivers, :hands] = boards.order, boards.ties
        self.order[rivers, :hands] = np.arange(hands)
        self.ties[rivers, :hands] = hands
        self.count = np.append(boards.count, hands)
        for k in range(rivers + 1):
            self.low[k, : self.count[k]], self.high[k, : self.count[k]] = cards[self.order[k, : self.count[k]]].T
        self.starts = np.cumsum([0, *[len(cards) for cards in boards.cards]])
        copies = [moved for cards in boards.cards for _, moved in cards]
        self.copies = np.zeros((len(copies), room), np.int64)
        row = 0
        for k, cards_of in enumerate(boards.cards):
            for _, moved in cards_of:
                self.copies[row, : self.count[k]] = moved[boards.order[k, : self.count[k]]]
                row += 1
        self.ranges = np.zeros((2, room), kind)
        self.ranges[:, :hands] = ranges[:, boards.hands]
        # Of the cards that are left on the turn, four are in the hands: each of the others is as likely.
        self.chance = np.array([1.0 if boards.rivers[0] < 0 else 1.0 / 44.0], kind)

    def _add_groups(self, before: int) -> None:
        """Groups of nodes that are visited together: those before the deals, then those after a few deals each.

        begin, end   [group] its nodes
        dealt        [group] its deals are deals[dealt[group]] to deals[dealt[group + 1]]; none before the deals
        slots        [player, group] the rows of the other player's hands that are compared at ends of the group are
                     compared[player, slots[player, group]] to compared[player, slots[player, group + 1]]
        slot         [player, node] of an end: which of these rows it compares; -1 of other nodes
        """
        begin, end, dealt = [0], [before], [0, 0]
        for i, deal in enumerate(self.deals):
            if len(begin) == 1 or end[-1] - begin[-1] + self.last[deal] - self.first[deal] > TOGETHER:
                begin.append(int(self.first[deal]))
                end.append(0)
                dealt.append(i)
            end[-1], dealt[-1] = int(self.last[deal]), i + 1
        self.begin, self.end, self.dealt = (np.array(each, np.int64) for each in (begin, end, dealt))
        self.slots = np.zeros((2, len(begin) + 1), np.int64)
        self.slot = np.full((2, len(self.actor)), -1, np.int64)
        compared: list[list[int]] = [[], []]
        for p in range(2):
            for g in range(len(begin)):
                ends = [n for n in range(begin[g], end[g]) if self.actor[n] in (FOLD, SHOWDOWN)]
                rows = sorted({int(self.row[1 - p, n]) for n in ends})
                for n in ends:
                    self.slot[p, n] = rows.index(int(self.row[1 - p, n]))
                compared[p] += rows
                self.slots[p, g + 1] = len(compared[p])
        longest = max(len(rows) for rows in compared)
        self.compared = np.array([rows + [0] * (longest - len(rows)) for rows in compared], np.int64)

    @property
    def room(self) -> int:
        """The length of all rows of hands: their number, filled up."""
        return int(self.ranges.shape[1])

    @property
    def numbers(self) -> int:
        """How many regrets there are."""
        return int(self.offset[-1])

    @property
    def rows(self) -> int:
        """The rows that a desk needs: the nodes of the largest group."""
        return int((self.end - self.begin).max())


def sorted_nodes(root: Node) -> tuple[list[Node], list[list[Node]]]:
    """The nodes before the deals, and those after each deal, parents before their children."""
    before: list[Node] = []
    after: list[list[Node]] = []

    def visit(node: Node, into: list[Node]) -> None:
        into.append(node)
        for child in node.children:
            if node.actor == DEAL:
                after.append([])
                visit(child, after[-1])
            else:
                visit(child, into)

    visit(root, before)
    return before, after


class Desk(Part):
    """Room for one thread.

    reach    [player, row] how likely each hand of the player is to get here, by its own actions, times its weight
    value    [row] what each hand is worth here against the other's hands, times how likely these are
    play     [row] how often each hand takes the action that leads here
    totals   [deal] what each hand is worth after the deal, added up over rivers
    """

    settled = True

    def __init__(self, spot: Spot):
        kind, room = spot.ranges.dtype, spot.room
        self.reach = np.zeros((2, spot.rows, room), kind)
        self.value, self.play = np.zeros((spot.rows, room), kind), np.zeros((spot.rows, room), kind)
        self.totals = np.zeros((len(spot.deals), room), kind)
        self.sums = np.zeros(room, kind)
        self.lanes, self.wins, self.meets = (np.zeros((room, LANES), kind) for _ in range(3))
        self.cards = np.zeros((2, 52, LANES), kind)
        self.level = np.zeros((3, LANES), kind)


class Memory(Part):
    """Regrets, and the weighted sum of all strategies so far, of every action with every hand.

    factors   of positive regrets, of negative regrets, and the weight of the current strategy, as in `passes.learn`
    """

    settled = True

    def __init__(self, spot: Spot):
        self.regret = np.zeros(spot.numbers, spot.ranges.dtype)
        self.total = np.zeros(spot.numbers, spot.ranges.dtype)
        self.factors = np.zeros(3, spot.ranges.dtype)
