"""df-pn proves what minimax says, in both modes, with tables large and tiny, and where play can go round for ever."""

from __future__ import annotations

import functools
import itertools
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_errors import Forever

from support import oracles
from support.random_trees import trees
from support.stress_games import Stones
from zermelo import Game, GameError, StateError, TooDeep, Unsuitable, games, u8, u16
from zermelo.search.proof_number import Proof, prove, solve_by_proof
from zermelo.trees import Node, Tree
from zermelo.trees.random import random_tree

EXAMPLES = int(os.environ.get("ZERMELO_EXAMPLES", "1"))
MODES = pytest.mark.parametrize("compile", [pytest.param(True, id="compiled"), pytest.param(False, id="plain")])
TINY = 0.01
WORDS = {True: "proven", False: "disproven"}


def facts(proof: Proof) -> tuple[Any, ...]:
    return proof.verdict, proof.action, proof.line, proof.proof, proof.disproof, proof.nodes


def follow(proof: Proof) -> Any:
    """The state that a proof's line leads to, every move of it legal."""
    return proof.game.play(*proof.line, state=proof.state)


@functools.cache
def _values(game: Game) -> dict[Any, float]:
    return {}


def value(game: Game, s: Any) -> float:
    """The minimax value for player 0, each position worked out once."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    known = _values(game)
    if s not in known:
        below = [value(game, game.result(s, a)) for a in game.actions(s)]
        known[s] = max(below) if game.to_move(s) == 0 else min(below)
    return known[s]


# Trees.


def check_tree(game: Tree, modes: tuple[bool, ...] = (True, False)) -> None:
    s = game.initial()
    for player in (0, 1):
        wins = oracles.value(game, s, player) == game.utility_bounds(player)[1]
        proofs = [prove(game, player=player, table=table, compile=c) for c in modes for table in (1, TINY)]
        for proof in proofs:
            assert proof.verdict == WORDS[wins]
            assert (proof.proof, proof.disproof) == ((0, math.inf) if wins else (math.inf, 0))
            end = follow(proof)
            assert game.is_terminal(end)
            assert (game.utility(end, player) == game.utility_bounds(player)[1]) == wins
        assert len({facts(proof) for proof in proofs}) == 1


@pytest.mark.parametrize("seed", range(100 * EXAMPLES))
def test_random_trees(seed: int) -> None:
    tree = random_tree(seed, branching=(1, 4), depth=(2, 6), bounds=(0, 1 + seed % 2))
    check_tree(Tree(tree, utility_range=(0, 1 + seed % 2)))


@settings(max_examples=50 * EXAMPLES, deadline=None)
@given(trees(leaves=st.sampled_from([-1, 1]), size=60))
def test_trees_with_movers_in_any_order(tree: Node) -> None:
    check_tree(Tree(tree, utility_range=(-1, 1)))


@settings(max_examples=50 * EXAMPLES, deadline=None)
@given(trees(leaves=st.sampled_from([-1, 0, 1]), size=60))
def test_win_draw_and_loss(tree: Node) -> None:
    game = Tree(tree, utility_range=(-1, 1))
    s = game.initial()
    expected = oracles.value(game, s, game.to_move(s))
    for compile in (True, False):
        settled = solve_by_proof(game, compile=compile)
        assert settled.value == expected
        assert settled.verdict == {1: "win", 0: "draw", -1: "loss"}[expected]


# Games.

GAMES = [
    *(games.load("tic_tac_toe", m=m, n=n, k=k) for m, n, k in [(3, 3, 3), (4, 3, 3), (2, 4, 2), (3, 3, 2), (2, 5, 3)]),
    games.load("connect_four", width=4, height=4),
    games.load("connect_four", width=4, height=4, k=3),
    games.load("nim", piles=(1, 2, 3)),
    games.load("nim", piles=(3, 4, 5)),
    games.load("nim", piles=(3, 4, 5), misere=True),
]
COMPILED = (GAMES[0], GAMES[6], GAMES[-1])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_games_are_settled(game: Game) -> None:
    expected = value(game, game.initial())
    modes = (False, True) if game in COMPILED or EXAMPLES > 1 else (False,)  # compiling takes longest
    pairs = [[solve_by_proof(game, compile=c, table=table) for table in (64, TINY)] for c in modes]
    assert {s.value for pair in pairs for s in pair} == {expected}
    for large, tiny in pairs:
        assert [p.verdict for p in large.proofs] == [p.verdict for p in tiny.proofs]
    for one, other in zip(pairs[0], pairs[-1], strict=True):
        assert [facts(p) for p in one.proofs] == [facts(p) for p in other.proofs]
    settled = pairs[-1]
    assert value(game, game.result(game.initial(), settled[0].action)) == expected
    end = follow(settled[0].proofs[-1])
    assert game.is_terminal(end)
    assert game.utility(end, 0) == expected


@pytest.mark.parametrize("table", [64, TINY])
def test_connect_four_on_four_by_five(table: float) -> None:
    game = games.load("connect_four", width=4, height=5)
    assert solve_by_proof(game, table=table, compile=True).verdict == "draw"


@pytest.mark.slow
@MODES
def test_positions_of_connect_four(compile: bool) -> None:
    """Every position after four moves, whoever wins it."""
    game = games.load("connect_four", width=4, height=4, k=3)
    states = {game.initial()}
    for _ in range(4):
        states = {game.result(s, a) for s in states for a in game.legal(s)}
    for s in sorted(s for s in states if not game.is_terminal(s)):
        for player in (0, 1):
            wins = value(game, s) == (1 if player == 0 else -1)
            assert prove(game, s, player=player, table=1, compile=compile).verdict == WORDS[wins]


@MODES
def test_nim_is_as_bouton_says(compile: bool) -> None:
    game = games.load("nim", piles=(4, 4, 4))
    for piles in itertools.combinations_with_replacement(range(5), 3):
        if any(piles):
            s = game.initial()._replace(piles=(*piles, 0, 0, 0, 0, 0))
            wins = piles[0] ^ piles[1] ^ piles[2] != 0
            assert prove(game, s, table=TINY, compile=compile).verdict == WORDS[wins]


def test_small_boards_of_breakthrough() -> None:
    boards = [(2, 4, 1), (3, 4, 1), (3, 5, 1), (2, 5, 2)]
    if EXAMPLES > 1:
        boards.append((4, 4, 1))  # for which the oracle takes longest
    for width, height, rows in boards:
        game = games.load("breakthrough", width=width, height=height, rows=rows)
        wins = value(game, game.initial()) == 1
        modes = (True, False) if (width, height) == (3, 5) or EXAMPLES > 1 else (False,)
        assert {prove(game, table=t, compile=c).verdict for t in (1, TINY) for c in modes} == {WORDS[wins]}


# Play without end.


class Place(NamedTuple):
    node: u16
    mover: u8


class Walk(Game):
    """Two players in turn move one token along the arrows of a graph, in which there may be circles."""

    utility_range = (-1.0, 1.0)

    def __init__(self, arrows: Any, ends: Any):
        self.arrows = np.array(arrows)  # [node, i] where the i-th arrow leads
        self.ends = np.array(ends)  # 1 and -1: player 0 has won, has lost; 0: the game goes on; 2: a draw

    def initial(self) -> Place:
        return Place(0, 0)

    def to_move(self, s: Place) -> int:
        return s.mover

    def actions(self, s: Place) -> Iterator[int]:
        for a in range(self.arrows.shape[1]):
            yield a

    def result(self, s: Place, a: int) -> Place:
        return Place(self.arrows[s.node, a], 1 - s.mover)

    def is_terminal(self, s: Place) -> bool:
        return bool(self.ends[s.node] != 0)

    def utility(self, s: Place, p: int) -> float:
        end = float(self.ends[s.node])
        if end == 2.0:
            return 0.0
        return end if p == 0 else -end


def won(game: Walk, player: int) -> set[Place]:
    """Where a player can force a win: at the ends that are won, and then backwards until nothing is added."""
    states = [Place(n, m) for n in range(len(game.ends)) for m in (0, 1)]
    found = {s for s in states if game.is_terminal(s) and game.utility(s, player) == 1}
    while True:
        more = set(found)
        for s in states:
            if not game.is_terminal(s):
                after = [game.result(s, a) in found for a in game.actions(s)]
                if any(after) if s.mover == player else all(after):
                    more.add(s)
        if more == found:
            return found
        found = more


@pytest.mark.parametrize("seed", range(60 * EXAMPLES))
def test_walks_in_circles(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(4, 25))
    ends = random.choice([0, 0, 0, 0, 0, 0, 1, -1, 2], size)
    ends[0] = 0
    game = Walk(random.integers(0, size, (size, int(random.integers(2, 4)))), ends)
    for player in (0, 1):
        wins = won(game, player)
        for compile in (True, False):
            for table in (1, TINY):
                for mover in (0, 1):
                    proof = prove(game, Place(0, mover), player=player, compile=compile, table=table)
                    assert proof.verdict == WORDS[Place(0, mover) in wins]
    settled = solve_by_proof(game)
    assert settled.value == (1 if game.initial() in won(game, 0) else -1 if game.initial() in won(game, 1) else 0)


@MODES
def test_games_that_never_end_are_given_up(compile: bool) -> None:
    class Endless(Forever):
        utility_range = (-1.0, 1.0)

        def actions(self, s: Any) -> Iterator[int]:
            yield 0

    with pytest.raises(TooDeep, match="went on for more than 9,999 plies"):
        prove(Endless(), compile=compile)
    assert prove(Endless(), compile=compile, nodes=100).verdict == "unknown"


# Limits.


@MODES
def test_nodes_hold(compile: bool) -> None:
    game = games.load("connect_four")
    for nodes in (1, 2, 100, 1000):
        proof = prove(game, nodes=nodes, compile=compile, table=1)
        assert (proof.verdict, proof.nodes) == ("unknown", nodes)
        assert 0 < proof.proof < math.inf
        assert 0 < proof.disproof < math.inf
        assert proof.action in range(7)
        assert proof.line == (proof.action,)
    assert facts(prove(game, nodes=1000, compile=True)) == facts(prove(game, nodes=1000, compile=False))
    assert solve_by_proof(game, nodes=500, compile=compile).verdict == "unknown"


@pytest.mark.timing
@MODES
def test_seconds_hold(compile: bool) -> None:
    game = games.load("connect_four")
    late = []
    for _ in range(8):  # other programs share this machine
        proof = prove(game, seconds=0.1, compile=compile)
        assert proof.verdict == "unknown"
        late.append(proof.seconds - 0.1)
        if late[-1] < 0.02:
            break
    assert min(late) < 0.02


@pytest.mark.timing
@MODES
def test_ctrl_c(compile: bool) -> None:
    game = games.load("connect_four")
    prove(game, nodes=10, compile=compile)  # compiled by now
    main = threading.get_ident()
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))

    def interrupted() -> None:
        timer.start()
        prove(game, seconds=20, compile=compile)

    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.perf_counter() - started < 3


# Errors.


def test_unsuitable_games_are_refused() -> None:
    for name in ("pig", "kuhn_poker", "coalition", "phantom_tic_tac_toe"):
        with pytest.raises(Unsuitable, match="without chance and with nothing hidden"):
            prove(games.load(name))
    with pytest.raises(Unsuitable, match="depends on the path to it"):
        prove(Stones())
    with pytest.raises(Unsuitable, match="declares no utility_range"):
        prove(Tree([1, 2]))
    with pytest.raises(Unsuitable, match="more results than win, draw and loss"):
        solve_by_proof(Tree([[1, 2], [0, 2]], utility_range=(0, 3)))


def test_wrong_arguments() -> None:
    game = games.load("tic_tac_toe")
    with pytest.raises(StateError, match="there is nothing to prove"):
        prove(game, game.play(0, 3, 1, 4, 2))
    with pytest.raises(ValueError, match="player must be a number from 0 to 1"):
        prove(game, player=2)
    for bad in (-1, math.inf, "big"):
        with pytest.raises(ValueError, match="table must be a number of MiB"):
            prove(game, table=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nodes must be a whole number"):
        prove(game, nodes=0)
    with pytest.raises(GameError, match="is not a Game"):
        prove(42)  # type: ignore[arg-type]


@MODES
def test_errors_of_the_rules_say_where(compile: bool) -> None:
    class Stuck(Walk):
        def actions(self, s: Place) -> Iterator[int]:
            for a in range(0 if s.node == 2 else 1):
                yield a

    with pytest.raises(GameError, match="after 0 0: no legal moves"):
        prove(Stuck([[1], [2], [0]], [0, 0, 0]), compile=compile)


def test_what_people_read() -> None:
    game = games.load("tic_tac_toe")
    assert "X cannot force a win" in str(prove(game))
    assert "O can force a win" in str(prove(game, game.play(0, 4, 1, 2, 3)))
    assert "X force a win? Unknown: " in str(prove(game, nodes=10))
    assert prove(game, game.play(0, 4, 1, 2, 3)).line_names == ("7",)


# The cache.


@pytest.mark.slow
def test_programs_from_the_cache(tmp_path: Path) -> None:
    """A program that runs when it has just been compiled may still crash when it is loaded."""
    code = (
        "from zermelo import games; from zermelo.kernel import cache; from zermelo.search.proof_number import prove\n"
        "print(prove(games.load('connect_four', width=4, height=4)).nodes, cache.counts)"
    )
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert "'compiled': 1" in runs[0]
    assert "'compiled': 0" in runs[1]
    assert runs[0].split()[0] == runs[1].split()[0]
