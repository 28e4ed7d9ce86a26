"""Passes over the sequence form: regret minimisation, best responses and values. Plain functions and routines.

They know no game, so one compiled program serves all games.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.equilibria.form import Form, Regrets
from zermelo.kernel.calls import read_flag
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.routine import Routine

NO_GAME = NoGame("Regret minimisation")


def follow(form: Form, chance: Any, reach: Any, player: int) -> None:
    """The probability of each of a player's sequences, from the probabilities of moves."""
    follow_sets(form, chance, reach, form.sets[player], form.sets[player + 1])


def follow_sets(form: Form, chance: Any, reach: Any, begin: int, end: int) -> None:
    """The same for some information sets."""
    parents, firsts, widths = form.parent, form.first, form.width
    for which in range(begin, end):
        before, first = reach[parents[which]], firsts[which]
        for q in range(first, first + widths[which]):
            reach[q] = before * chance[q]


def collect(form: Form, reach: Any, value: Any, player: int) -> None:
    """What each of a player's sequences is worth at the ends that it leads to at once."""
    collect_at(form.others, form.worth, form.starts, reach, value, player, form.players - 1)
    collect_sets(form, reach, value, form.sets[player], form.sets[player + 1])


def collect_sets(form: Form, reach: Any, value: Any, begin: int, end: int) -> None:
    """The same for the sequences of some information sets."""
    others, worth, starts = form.others, form.worth, form.starts
    more = form.players - 1
    for which in range(begin, end):
        first = form.first[which]
        for q in range(first, first + form.width[which]):
            collect_at(others, worth, starts, reach, value, q, more)


def collect_at(others: Any, worth: Any, starts: Any, reach: Any, value: Any, q: int, more: int) -> None:
    """What a sequence is worth at the ends that it leads to at once."""
    total = 0.0
    if more == 1:
        for end in range(starts[q], starts[q + 1]):
            total += worth[end] * reach[others[end]]
    else:
        for end in range(starts[q], starts[q + 1]):
            product = worth[end]
            for i in range(more):
                product *= reach[others[end * more + i]]
            total += product
    value[q] = total


def learn(form: Form, regrets: Regrets, begin: int, end: int, gain: float, loss: float, weight: float) -> None:
    """One pass from the last of some information sets to their first: regrets, discounted, and new probabilities.

    gain, loss   the factors of positive and negative regrets (Brown and Sandholm 2019)
    weight       the weight of the current strategy in the average
    """
    regret, total, value = regrets.regret, regrets.total, regrets.value
    chance, reach = regrets.chance, regrets.reach
    parents, firsts, widths = form.parent, form.first, form.width
    for back in range(end - begin):
        which = end - 1 - back
        first, width = firsts[which], widths[which]
        worth = 0.0
        for q in range(first, first + width):
            worth += chance[q] * value[q]
        value[parents[which]] += worth
        positive = 0.0
        for q in range(first, first + width):
            total[q] += weight * reach[q]
            new = regret[q] + value[q] - worth
            new *= gain if new > 0.0 else loss
            regret[q] = new
            positive += max(new, 0.0)
        if positive > 0.0:
            scale = 1.0 / positive
            for q in range(first, first + width):
                chance[q] = max(regret[q], 0.0) * scale
        else:
            equal = 1.0 / width
            for q in range(first, first + width):
                chance[q] = equal


def factor(iteration: int, exponent: float) -> float:
    """t^x / (t^x + 1): the discount of regrets at iteration t; 1 if the exponent is infinite, 0 if it is -infinite."""
    if exponent == math.inf:
        return 1.0
    if exponent == -math.inf:
        return 0.0
    power: float = float(iteration) ** exponent
    return power / (power + 1.0)


def minimise(
    game: Any, s: Any, form: Form, regrets: Regrets, stop: Any, iterations: int, alternating: int,
    alpha: float, beta: float, gamma: float,
) -> int:  # fmt: skip
    """Iterations of regret minimisation; returns how many were completed."""
    for done in range(iterations):
        if read_flag(stop, 0) != 0:
            return done
        t = regrets.iterations[0] + 1
        gain, loss, weight = factor(t, alpha), factor(t, beta), float(t) ** gamma
        if alternating == 0:
            for p in range(form.players):
                collect(form, regrets.reach, regrets.value, p)
        for p in range(form.players):
            if alternating != 0:
                collect(form, regrets.reach, regrets.value, p)
            learn(form, regrets, form.sets[p], form.sets[p + 1], gain, loss, weight)
            if alternating != 0:
                follow(form, regrets.chance, regrets.reach, p)
        if alternating == 0:
            for p in range(form.players):
                follow(form, regrets.chance, regrets.reach, p)
        regrets.iterations[0] = t
    return iterations


def minimise_part(
    game: Any, s: Any, form: Form, regrets: Regrets, begin: int, end: int, factors: Any
) -> int:  # fmt: skip
    """One player's part of an iteration, for some of its information sets with all that follow them.

    factors   of positive and negative regrets, and the weight of the current strategy
    """
    collect_sets(form, regrets.reach, regrets.value, begin, end)
    learn(form, regrets, begin, end, factors[0], factors[1], factors[2])
    follow_sets(form, regrets.chance, regrets.reach, begin, end)
    return end - begin


def appraise(game: Any, s: Any, form: Form, regrets: Regrets, chance: Any, worth: Any, best: Any) -> int:
    """For each player, what a strategy is worth against the others', and what a best response to them is worth.

    `regrets` lends its arrays `reach` and `value`; afterwards `reach` is the strategy's.
    """
    reach, value = regrets.reach, regrets.value
    for p in range(form.players):
        follow(form, chance, reach, p)
    for p in range(form.players):
        for greedy in range(2):
            collect(form, reach, value, p)
            for back in range(form.sets[p + 1] - form.sets[p]):
                which = form.sets[p + 1] - 1 - back
                first, width = form.first[which], form.width[which]
                total = -math.inf if greedy == 1 else 0.0
                for q in range(first, first + width):
                    total = max(total, value[q]) if greedy == 1 else total + chance[q] * value[q]
                value[form.parent[which]] += total
            if greedy == 1:
                best[p] = value[p]
            else:
                worth[p] = value[p]
    return 0


MINIMISE, MINIMISE_PART, APPRAISE = Routine(minimise), Routine(minimise_part), Routine(appraise)


def average(form: Form, regrets: Regrets) -> Any:
    """The average strategy: the probability of each sequence's last move."""
    chance = np.ones(form.sequences)
    total = np.asarray(regrets.total)
    for first, width in zip(form.first.tolist(), form.width.tolist(), strict=True):
        part = total[first : first + width]
        chance[first : first + width] = part / part.sum() if part.sum() > 0 else 1.0 / width
    return chance


def match_regrets(form: Form, regrets: Regrets) -> None:
    """The current strategy from the regrets: each move in proportion to its positive regret."""
    regret, chance = np.asarray(regrets.regret), regrets.chance
    for first, width in zip(form.first.tolist(), form.width.tolist(), strict=True):
        part = np.maximum(regret[first : first + width], 0.0)
        chance[first : first + width] = part / part.sum() if part.sum() > 0 else 1.0 / width
    for p in range(form.players):
        follow(form, chance, regrets.reach, p)
