"""Connect Four from the empty board: the first player wins, and so must the engine, whoever its opponent is.

What it knows beforehand is how to win, move by move, until it can see the rest by itself.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo.games
from zermelo import Engine, analyse
from zermelo.games.connect_four import ConnectFour, ConnectFourState

GAME = ConnectFour()
KNOWN = {key: (value, distance) for key, value, distance in GAME.solved_positions()}
NODES = 4_000_000
"""What the engine visits in a second or so: twice what makes a position easy to scripts/solve_openings.py."""

SOLVED = np.load(Path(zermelo.games.__file__).with_name("connect_four_solved.npz"))
whole = pytest.mark.skipif(
    not SOLVED["finished"], reason="scripts/solve_openings.py connect_four --strategy has not come to its end"
)

Opponent = Callable[[ConnectFourState, tuple[int, ...]], int]


def known(s: ConnectFourState) -> tuple[float, int | None] | None:
    return KNOWN.get(GAME.canonical_key(s))


def replies(s: ConnectFourState) -> list[ConnectFourState]:
    return [GAME.result(s, a) for a in GAME.legal(s)]


def winning_lines() -> tuple[dict[tuple[int, ...], ConnectFourState], dict[tuple[int, ...], ConnectFourState]]:
    """Where the first player may have to move, by the moves that lead there: what it knows; and what it is left with.

    Of lines that lead to the same position, or to its mirror image, one.
    """
    inside, beyond = {}, {}
    waiting: list[tuple[int, ...]] = [()]
    seen = set()
    while waiting:
        line = waiting.pop()
        s = state_after(line)
        key = GAME.canonical_key(s)
        if key in seen or GAME.is_terminal(s):
            continue
        seen.add(key)
        if GAME.to_move(s) == 1:
            waiting += [(*line, a) for a in GAME.legal(s)]
        elif key in KNOWN:
            inside[line] = s
            value, distance = KNOWN[key]
            assert (value, distance is None) == (1.0, False)
            waiting += [(*line, a) for a in GAME.legal(s) if known(GAME.result(s, a)) == (-1.0, distance - 1)]
        else:
            beyond[line] = s
    return inside, beyond


def state_after(line: tuple[int, ...]) -> ConnectFourState:
    s = GAME.initial()
    for a in line:
        s = GAME.result(s, a)
    return s


def play(engine: Engine, opponent: Opponent, line: tuple[int, ...] = (), **limits: Any) -> tuple[int, ...]:
    """A game from this line on, the engine being the first player: all its moves."""
    engine.clear()
    s = state_after(line)
    while not GAME.is_terminal(s):
        a = engine.think(s, **limits).action if GAME.to_move(s) == 0 else opponent(s, line)
        s, line = GAME.result(s, a), (*line, a)
    return line


def is_won(line: tuple[int, ...]) -> bool:
    return GAME.utility(state_after(line), 0) == 1


def at_random(seed: int) -> Opponent:
    choice = random.Random(seed).choice
    return lambda s, line: choice(GAME.legal(s))


def by(algorithm: str, **limits: Any) -> Opponent:
    return lambda s, line: analyse(GAME, s, algorithm=algorithm, **limits).action


def often(opponent: Opponent, seed: int) -> Opponent:
    """A player who moves at random now and then, and so plays another game each time."""
    chance, other = random.Random(seed), at_random(seed)
    return lambda s, line: (opponent if chance.random() < 0.7 else other)(s, line)


@functools.cache
def perfect() -> Any:
    bitbully = pytest.importorskip("bitbully", reason="bitbully, a solver of Connect Four, is not installed")
    solver = bitbully.BitBully()
    return lambda line: solver.score_all_moves(bitbully.Board(list(line)))


def hard_to_beat(seed: int) -> Opponent:
    """One of the moves that lose as late as possible."""
    choice = random.Random(seed).choice

    def opponent(s: ConnectFourState, line: tuple[int, ...]) -> int:
        scores = perfect()(line)
        return choice([a for a in scores if scores[a] == max(scores.values())])

    return opponent


def test_what_is_known_fits_together() -> None:
    """A win in n has a reply that is lost in n - 1, and all replies to that are won in n - 2 or sooner."""
    assert known(GAME.initial()) == (1.0, 41)
    inside, _ = winning_lines()
    assert len(inside) > 500
    for s in inside.values():
        distance = known(s)[1]  # type: ignore[index]
        assert distance is not None
        best = [after for after in replies(s) if known(after) == (-1.0, distance - 1)]
        assert best
        for after in best:
            ends = [known(later) for later in replies(after)]
            assert all(end is None or (end[0] == 1.0 and (end[1] or 0) <= distance - 2) for end in ends)


def test_the_engine_plays_what_is_known_at_once() -> None:
    engine = Engine(GAME)
    inside, _ = winning_lines()
    for s in inside.values():
        found = engine.think(s, depth=1)
        assert (found.value, found.distance, found.exact) == (*known(s), True)  # type: ignore[misc]


@pytest.mark.parametrize(
    "opponent",
    [at_random(1), at_random(2), by("greedy"), by("alpha_beta", depth=4), by("alpha_beta", depth=8)],
    ids=["random", "random again", "greedy", "alpha-beta 4", "alpha-beta 8"],
)
def test_the_first_player_wins(opponent: Opponent) -> None:
    line = play(Engine(GAME), opponent, nodes=NODES)
    assert is_won(line), line


@pytest.mark.slow
def test_values_by_another_solver() -> None:
    """bitbully counts the stones that are left: 22 less the stones that the winner has played at the end."""
    scores = perfect()
    inside, _ = winning_lines()
    for line, s in inside.items():
        distance = known(s)[1]  # type: ignore[index]
        assert distance is not None
        score = 22 - (len(line) + distance + 1) // 2
        assert max(scores(line).values()) == score, line
        for a, value in scores(line).items():
            if known(GAME.result(s, a)) == (-1.0, distance - 1):
                assert value == score, (line, a)


@whole
@pytest.mark.slow
def test_it_wins_however_the_known_ends() -> None:
    """From positions beyond which nothing is known, against the longest resistance."""
    engine = Engine(GAME)
    _, beyond = winning_lines()
    for number, line in enumerate(random.Random(7).sample(sorted(beyond), 100)):
        played = play(engine, hard_to_beat(number), line, nodes=NODES)
        assert is_won(played), (line, played)


def opponents(seed: int) -> list[Opponent]:
    weak = [at_random(seed), often(by("greedy"), seed), often(by("alpha_beta", depth=6), seed)]
    strong = [often(by("engine", nodes=50_000), seed), by("alpha_beta", depth=1 + seed % 10)]
    return weak + strong


@whole
@pytest.mark.slow
def test_the_first_player_wins_against_many() -> None:
    engine = Engine(GAME)
    for seed in range(20):
        for number, opponent in enumerate(opponents(seed)):
            line = play(engine, opponent, nodes=NODES)
            assert is_won(line), (seed, number, line)


@whole
@pytest.mark.slow
def test_the_first_player_wins_against_a_perfect_one() -> None:
    engine = Engine(GAME)
    for seed in range(50):
        for opponent in (hard_to_beat(seed), often(hard_to_beat(seed), seed)):
            line = play(engine, opponent, nodes=NODES)
            assert is_won(line), (seed, line)
