"""The betting of a poker game as a tree of its own: everything that can happen except the cards."""

from __future__ import annotations

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.games.poker.holdem import SHOWDOWN, SLOT, Holdem, HoldemState
from zermelo.kernel.parts import Part

MOST_NODES = 1_000_000


class BettingTree(Part):
    """Decisions, numbered from the root, which is 0.

    mover, street   [node] who decides, and on which street
    count           [node] the number of moves
    start           [node] its first entry among those of its street; entries[street] is their number
    child           [node, i] what follows move i: a node, or -1 - leaf
    won, shown      [leaf] the chips that the first player wins; if the cards are shown, those that the winner wins
    """

    settled = True

    def __init__(self, game: Holdem):
        self.moves: list[list[int]] = []
        nodes, leaves = list[tuple[int, int]](), list[tuple[float, int]]()
        children: list[list[int]] = []
        starts, self._found = list[int](), dict[tuple[int, ...], int]()
        entries = [0, 0, 0, 0]
        todo = [(self._seen(game, game.initial()), -1, 0)]
        for s, parent, i in todo:  # grows meanwhile
            if game.is_terminal(s):
                leaves.append(_worth(game, s))
                children[parent][i] = -len(leaves)
                continue
            node = len(nodes)
            if node == MOST_NODES:
                raise Unsuitable(f"the betting of {game.title} has more than {MOST_NODES:,} decisions")
            if parent >= 0:
                children[parent][i] = node
            moves = list(game.actions(s))
            nodes.append((s.mover, s.street))
            starts.append(entries[s.street])
            entries[s.street] += len(moves)
            self.moves.append(moves)
            self._found[_record(s)] = node
            children.append([0] * len(moves))
            todo += [(self._seen(game, game.result(s, a)), node, i) for i, a in enumerate(moves)]
        widest = max(map(len, children))
        self.mover, self.street = (np.array(column, np.int64) for column in zip(*nodes, strict=True))
        self.count, self.start = np.array([len(each) for each in children]), np.array(starts, np.int64)
        self.child = np.array([each + [0] * (widest - len(each)) for each in children], np.int64)
        self.won, self.shown = (np.array(column, np.float64) for column in zip(*leaves, strict=True))
        self.entries = np.array(entries, np.int64)

    @staticmethod
    def _seen(game: Holdem, s: HoldemState) -> HoldemState:
        """The state with some cards dealt, so that chance never moves."""
        board = 0 if s.street == 0 else game.full(SHOWDOWN)
        return s._replace(first=2 << SLOT | 1, second=4 << SLOT | 3, board=board)

    def node_of(self, s: HoldemState) -> int:
        """The node at which the betting of a state stands."""
        return self._found[_record(s)]


def _record(s: HoldemState) -> tuple[int, ...]:
    return s.street, s.preflop, s.flop, s.turn, s.river


def _worth(game: Holdem, s: HoldemState) -> tuple[float, int]:
    """What a leaf is worth to the first player, or to the winner if the cards decide; and whether they do."""
    return (float(s.first_paid), 1) if s.folded == 0 else (game.utility(s, 0), 0)
