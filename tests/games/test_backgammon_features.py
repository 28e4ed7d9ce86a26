"""Backgammon's features against a slow oracle on plain lists, in both modes, and the shipped network's judgement."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from zermelo.games.backgammon import Backgammon, BackgammonState
from zermelo.games.backgammon.checkers import count_at
from zermelo.games.backgammon.features import CONTACT, COUNT, CRASHED, RACE
from zermelo.games.backgammon.state import OVER, ROLLING
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine


def positions(number: int, seed: int) -> list[BackgammonState]:
    """Positions of random games, in which a player is about to roll."""
    game, random, found = Backgammon(tables=False), np.random.default_rng(seed), []
    s = game.initial()
    while len(found) < number:
        if game.is_terminal(s):
            s = game.initial()
        if s.phase == ROLLING and random.random() < 0.2:
            found.append(s)
        outcomes = [a for a, _ in game.outcomes(s)] if game.to_move(s) < 0 else list(game.actions(s))
        s = game.result(s, int(random.choice(outcomes)))
    return found


def counts(s: BackgammonState, p: int) -> list[int]:
    return [count_at(s.low[p], s.high[p], place) for place in range(26)]


def hits(shooter: list[int], target: list[int], dice: tuple[int, int]) -> set[int]:
    """The places, as the shooter numbers them, of blots that a roll hits: by single checkers, step by step."""
    open_for = [place for place in range(1, 25) if target[25 - place] < 2]
    blots = {place for place in range(1, 25) if target[25 - place] == 1}
    steps = [dice[:1] * 4] if dice[0] == dice[1] else [dice, dice[::-1]]
    found = set()
    for order in steps:
        if shooter[25] == 0:
            starts = [(place, order) for place in range(1, 25) if shooter[place]]
        else:
            starts = [(25, order)]
            if shooter[25] == 1 and 25 - order[0] in open_for:  # it enters, and another checker moves
                used = 2 if dice[0] == dice[1] else 1
                starts += [(place, order[1 : 1 + used]) for place in range(1, 25) if shooter[place]]
        for place, way in starts:
            for die in way:
                place -= die
                if place in blots:
                    found.add(place)
                if place not in open_for:
                    break
    return found


def expected(s: BackgammonState, p: int) -> dict[str, float]:
    """The features by name, from their definitions."""
    found: dict[str, float] = {}
    sides = {"own": counts(s, p), "other": counts(s, 1 - p)}
    rears = {name: max((i for i in range(1, 26) if c[i]), default=0) for name, c in sides.items()}
    contact = sum(rears.values()) > 25
    for name, other_name in (("own", "other"), ("other", "own")):
        own, other = sides[name], sides[other_name]
        for place in range(1, 25):
            for k, what in enumerate(("1 or more", "2 or more", "3 or more")):
                found[f"{name} {place}: {what}"] = float(own[place] > k)
            found[f"{name} {place}: more than 3"] = max(own[place] - 3, 0) / 2
        found[f"{name} bar"] = own[25] / 2
        for k, what in enumerate(("1 to 5", "6 to 10", "11 to 15")):
            found[f"{name} off: {what}"] = min(max(own[0] - 5 * k, 0), 5) / 5
        distances = [place for place in range(26) for _ in range(own[place])]
        found[f"{name} pips"] = sum(distances) / 100
        found[f"{name} spread"] = float(np.std(distances)) / 10
        if not contact:
            continue
        front = 25 - rears[other_name]
        found[f"{name} behind"] = sum(own[front + 1 :]) / 15
        found[f"{name} break"] = sum((i - front) * own[i] for i in range(front + 1, 26)) / 100
        hit = {dice: hits(other, own, dice) for dice in product(range(1, 7), repeat=2)}
        found[f"{name} shots"] = sum(len(h) > 0 for h in hit.values()) / 36
        found[f"{name} two hit"] = sum(len(h) > 1 for h in hit.values()) / 36
        found[f"{name} loss"] = sum(max(h) for h in hit.values() if h) / 360
        shut = sum(other[25 - i] > 1 for i in range(19, 25))
        found[f"{name} closed out"] = shut**2 / 36
        found[f"{name} barred"] = shut**2 / 36 if own[25] else 0.0
        found[f"{name} two barred"] = 1 - (6 - shut) ** 2 / 36 if own[25] > 1 else 0.0
        outside = sum((i - 6) * own[i] for i in range(7, 19))
        found[f"{name} timing"] = (outside + sum(i * max(own[i] - 2, 0) for i in range(1, 7))) / 100
        points = [i for i in range(1, 25) if own[i] > 1]
        rows = [n for n in range(1, 7) for i in points if i > front and all(j in points for j in range(i, i + n))]
        for length in range(3, 7):
            found[f"{name} prime of {length}"] = float(max(rows, default=0) == length)
        anchors = [i for i in points if i > 12]
        found[f"{name} foremost anchor"] = (25 - min(anchors)) / 12 if anchors else 0.0
        found[f"{name} rearmost anchor"] = (25 - max(anchors)) / 12 if anchors else 0.0
        deep = [i for i in anchors if i > 18]
        found[f"{name} back game"] = sum(own[19:]) / 15 if len(deep) > 1 else 0.0
        found[f"{name} one anchor"] = sum(own[19:]) / 15 if len(deep) == 1 else 0.0

        def escapes(place: int, own: Any = own, other: Any = other) -> float:
            """The share of rolls that bring a checker past the points that block it, as far as it can go."""
            is_open = [i <= 0 or other[25 - i] < 2 for i in range(25)]
            ways = 0
            for a, b in product(range(1, 7), repeat=2):
                fine = False
                for order in [(a,) * 4] if a == b else [(a, b), (b, a)]:
                    at = place
                    for die in order:
                        target = at - die
                        if 0 < target < 25 and place - target <= 12 and not is_open[target]:
                            break
                        at -= die
                    closed = sum(0 < i < 25 and place - i <= 12 and not is_open[i] for i in range(at - 6, at))
                    fine |= at < place and closed <= 2
                ways += fine
            return ways / 36

        found[f"{name} escapes"] = escapes(rears[name])
        passed = [i for i in range(max(front, 7), rears[name] + 1) if 0 < i < 25 and other[25 - i] < 2]
        found[f"{name} contained"] = min([1.0, *map(escapes, passed)])
        found[f"{name} mobility"] = sum(own[i] * (i - 6) * escapes(i) for i in range(7, 26) if own[i]) / 100
    return {what: amount for what, amount in found.items() if amount}


def test_features_equal_the_oracle():
    game = Backgammon(tables=False)
    names = game.feature_names()
    assert len(names) == len(set(names)) == COUNT
    for s in positions(60, 1):
        for p in range(2):
            found = {names[number]: amount for number, amount in game.features(s, p)}
            assert found == pytest.approx(expected(s, p), abs=1e-6), game.to_text(s)


def checksum(game: Any, s: Any, moves: Any, numbers: Any, amounts: Any, random: Random, games: int, sums: Any) -> int:
    """Play random games and add up the features of all positions, with signs that depend on their place."""
    start, total = s, 0
    for _ in range(games):
        s = start
        while not game.is_terminal(s):
            if game.to_move(s) < 0:
                left, chosen = random.uniform(), 0
                for outcome, probability in game.outcomes(s):
                    chosen = outcome
                    left -= probability
                    if left < 0:
                        break
                s = game.result(s, chosen)
            else:
                s = game.result(s, moves[random.below(game.list_actions(s, moves))])
                for i in range(game.list_features(s, s.mover, numbers, amounts)):
                    sums[numbers[i]] += amounts[i]
                total += 1 + game.phase(s)
    return total


def test_modes_list_the_same_features():
    game, routine = Backgammon(tables=False), Routine(checksum)
    totals, sums = [], []
    for compiled in (False, True):
        found = np.zeros(COUNT)
        moves = np.zeros(game.max_actions, np.int64)
        arguments = (moves, np.zeros(2 * COUNT, np.int64), np.zeros(2 * COUNT, np.float32), Random(3), 1, found)
        if compiled:
            totals.append(routine.compiled(game, *arguments)(game.initial()))
        else:
            totals.append(routine.run_plain(game, game.initial(), *arguments))
        sums.append(found)
    assert totals[0] == totals[1]
    assert sums[0] == pytest.approx(sums[1], rel=1e-5)


def with_checkers(own: dict[int, int], other: dict[int, int]) -> BackgammonState:
    game = Backgammon(tables=False)
    words = []
    for side in (own, other):
        side = {0: 15 - sum(side.values()), **side}
        word = sum(number << 4 * place for place, number in side.items())
        words.append((word & (1 << 64) - 1, word >> 64))
    lows, highs = zip(*words, strict=True)
    s = game.initial()
    return s._replace(
        low=tuple(type(s.low[0])(w) for w in lows), high=tuple(type(s.high[0])(w) for w in highs), phase=ROLLING
    )


def test_phases():
    game = Backgammon(tables=False)
    assert game.phase(game.initial()) == CONTACT
    assert game.phase(with_checkers({6: 15}, {6: 15})) == RACE
    assert game.phase(with_checkers({24: 1, 1: 7, 2: 7}, {6: 8, 5: 7})) == CRASHED
    assert game.phase(with_checkers({24: 2, 6: 13}, {6: 8, 5: 7})) == CONTACT
    assert len(game.phase_names()) == 3


OPENINGS = {"31": "8/5 6/5", "42": "8/4 6/4", "61": "13/7 8/7", "53": "8/3 6/3"}


def test_the_shipped_network_knows_the_openings_that_make_points():
    game = Backgammon(tables=False)
    for roll, name in OPENINGS.items():
        s = game.result(game.initial(), int(roll))
        best = max(game.actions(s), key=lambda a: game.evaluate(game.result(s, a), s.mover))
        assert game.action_name(s, best) == name


def test_the_shipped_network_has_a_record_and_sane_outputs():
    game = Backgammon(tables=False)
    assert game.network.record["look_ahead_positions"] > 0
    for s in positions(40, 2):
        if s.phase == OVER:
            continue
        out = np.zeros(5)
        game.network.predict(game, s, s.mover, out)
        assert ((out >= 0) & (out <= 1)).all()
        assert out[1] <= out[0] + 0.05
        assert out[3] <= 1 - out[0] + 0.05
        assert abs(game.evaluate(s, 0) + game.evaluate(s, 1)) < 1e-5
    start = game.initial()._replace(phase=ROLLING)
    assert game.evaluate(start, 0) == pytest.approx(0.07, abs=0.04)  # gnubg 2-ply: +0.075


def test_closed_out_with_checkers_off_is_almost_won():
    game = Backgammon(tables=False)
    s = with_checkers({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {25: 1, 3: 7, 2: 7})
    assert game.evaluate(s, 0) > 0.9
