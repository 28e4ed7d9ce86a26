"""The sequence form of a game, sorted for fast passes over it, and what a strategy is worth in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.equilibria.unfolding import ENDS, FORGETTING, SEQUENCES, SETS, STATES, Unfolding
from zermelo.kernel.parts import Part


class Form(Part):
    """A game as information sets and ends. Sequences of all players have one numbering: player p's empty one is p.

    players            how many there are
    sets               [player] the information sets of player p are sets[p] to sets[p + 1], parents before children;
                       all that follow one of its first sets are together, so that threads can share them
    parent             [set] the sequence that leads to it
    first, width       [set] its first sequence, one for each of its moves; how many there are
    starts             [sequence] the ends whose last move of this player is this one: ends starts[q] to starts[q + 1]
    others             [end * (players - 1) + i] the sequences of the other players at this end
    worth              [end] the utility to the player, times the probability of chance

    Every end is listed once for each player. Ends with the same sequences of all players are added up: cards that
    nobody has seen make no difference.
    """

    settled = True

    def __init__(self, book: Unfolding, worth: Any = None):
        """From the arrays of a walk; `worth` replaces the utilities of its ends."""
        self.players = book.players
        n, count, sequences = book.players, int(book.counts[SETS]), int(book.counts[SEQUENCES])
        order = np.lexsort((first_sets(book), book.owner[:count]))
        self.order = order
        self.sets = np.searchsorted(book.owner[:count][order], np.arange(n + 1)).astype(np.int64)
        self.parent = book.parent[:count][order].copy()
        self.first, self.width = book.first[:count][order].copy(), book.width[:count][order].copy()
        ends, worth = _merged(book, worth)
        starts, others, worths = np.zeros(sequences + 1, np.int64), [], []
        for p in range(n):
            by = np.argsort(ends[:, p], kind="stable")
            starts[1:] += np.bincount(ends[:, p], minlength=sequences)
            others.append(np.delete(ends[by], p, axis=1))
            worths.append((ends[by, p], worth[by, p]))
        # Sequences of different players have different numbers, so sorting all by number keeps each player's together.
        owners = np.concatenate([sequence for sequence, _ in worths])
        by = np.argsort(owners, kind="stable")
        self.starts = np.cumsum(starts)
        self.others = np.concatenate(others)[by].astype(np.int32).ravel()
        self.worth = np.concatenate([value for _, value in worths])[by]
        # An array, because any other attribute would be a constant, and every game would be compiled anew.
        self.counts = book.counts.copy()

    @property
    def recalls(self) -> bool:
        """Does every player remember all that it knew and did?"""
        return bool(self.counts[FORGETTING] == 0)

    @property
    def states(self) -> int:
        """The number of states of the game, each way to reach one counted."""
        return int(self.counts[STATES])

    @property
    def sequences(self) -> int:
        """The number of sequences of all players, the empty ones included."""
        return len(self.starts) - 1


def first_sets(book: Unfolding) -> Any:
    """[set] the player's first information set on the way to it."""
    count, sequences = int(book.counts[SETS]), int(book.counts[SEQUENCES])
    of = np.full(sequences, -1)  # [sequence] the first set on the way; -1 for the empty sequences
    found = np.zeros(count, np.int64)
    parents, firsts, widths = book.parent[:count].tolist(), book.first[:count].tolist(), book.width[:count].tolist()
    for which, (parent, first, width) in enumerate(zip(parents, firsts, widths, strict=True)):
        found[which] = which if of[parent] < 0 else of[parent]
        of[first : first + width] = found[which]
    return found


def _merged(book: Unfolding, worth: Any) -> tuple[Any, Any]:
    """The ends with equal sequences added up: sequences, and utilities times probabilities."""
    count = int(book.counts[ENDS])
    ends = np.asarray(book.ends)[:count]
    worth = (np.asarray(book.worth)[:count] if worth is None else worth) * np.asarray(book.chances)[:count, None]
    by = np.lexsort(ends.T)
    ends, worth = ends[by], worth[by]
    new = np.ones(count, bool)
    new[1:] = np.any(ends[1:] != ends[:-1], axis=1)
    places = np.flatnonzero(new)
    return ends[places], np.add.reduceat(worth, places, axis=0)


class Regrets(Part):
    """What regret minimisation knows: for every sequence

    regret     how much better its move would have been in all iterations, discounted
    total      the sum of the probabilities with which its player played it, weighted: the average strategy
    chance     the current probability of its last move
    reach      the current probability that its player plays all of its moves
    value      its worth to its player against the others' current strategies
    """

    settled = True

    def __init__(self, form: Form):
        n = form.sequences
        self.regret, self.total, self.value = np.zeros(n), np.zeros(n), np.zeros(n)
        self.chance, self.reach = np.ones(n), np.ones(n)
        for parent, first, width in zip(form.parent.tolist(), form.first.tolist(), form.width.tolist(), strict=True):
            self.chance[first : first + width] = 1.0 / width
            self.reach[first : first + width] = self.reach[parent] / width
        self.iterations = np.zeros(1, np.int64)
