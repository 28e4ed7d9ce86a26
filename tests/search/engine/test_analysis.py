"""Several lines with their exact values; proofs that are never contradicted; lines that keep the value."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles
from support.engine_games import Halfpoints, Halves, Ring, random_position, require_legal, win_distance
from support.random_trees import trees
from zermelo import Game, Random, games
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.kernel.ordinals import ordinal
from zermelo.search.engine import Engine, deepening
from zermelo.search.engine.answers import Found
from zermelo.trees import Node, Tree, node

MAX, MIN = 0, 1


def truth(game: Game, s: Any) -> dict[Any, tuple[float, int | None]]:
    """What each move is worth to the player to move, and in how many plies it wins or loses."""
    player = game.to_move(s)
    low, high = game.utility_bounds(player)
    found = {}
    for a in game.legal(s):
        value, distance = win_distance(game, game.result(s, a), player)
        found[a] = value, distance + 1 if value in (low, high) else None
    return found


SMALL: list[tuple[Game, int]] = [
    (games.load("tic_tac_toe"), 4),
    (games.load("connect_four", width=4, height=3, k=3), 3),
    (games.load("breakthrough", width=3, height=5, rows=1), 4),
    (games.load("nim"), 1),
    (Halves(24), 0),
]


@pytest.mark.slow
@pytest.mark.parametrize("mtdf", [False, True], ids=["windows", "mtdf"])
@pytest.mark.parametrize("table", [0, 0.01])
@pytest.mark.parametrize(("game", "plies"), SMALL, ids=lambda given: str(given))
def test_the_best_moves_with_their_values(game: Game, plies: int, table: float, mtdf: bool) -> None:
    random = Random(17)
    engine = Engine(game, table=table, mtdf=mtdf, table_from=1)
    for _ in range(12):
        s, past = random_position(game, random, plies + 4, plies)
        expected = truth(game, s)
        for lines in (1, 2, 3, 100):
            found = engine.think(s, lines=lines, seconds=60)
            given = [move for move in found.moves if move.value is not None]
            assert found.exact
            assert len(given) == min(lines, len(expected))
            assert len({move.action for move in found.moves}) == len(expected) == len(found.moves)
            for move in given:
                assert (move.value, move.distance) == expected[move.action]
                assert move.line[0] == move.action
                require_legal(game, s, past, move.line)
            best = sorted((rank(*worth) for worth in expected.values()), reverse=True)
            assert [rank(move.value, move.distance) for move in given] == best[: len(given)]


def rank(value: Any, distance: int | None) -> tuple[float, int]:
    """The greater the better: wins the sooner, losses the later."""
    if distance is None:
        return value, 0
    return value, -distance if value > 0 else distance


@pytest.mark.parametrize(
    "game", [Halfpoints(4, 3, 3), pytest.param(Halfpoints(4, 4, 4), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize("compile", [pytest.param(True, marks=pytest.mark.slow), False])
def test_the_line_of_a_proof_keeps_its_value(game: Game, compile: bool) -> None:
    """At every move of it, for whoever moves: also where a draw is worth ½, and not 0, to both."""
    random = Random(2)
    engine = Engine(game, table=0.1, table_from=1, compile=compile)
    for _ in range(8):
        s, _ = random_position(game, random, 8, 5)
        player = game.to_move(s)
        found = engine.solve(s)
        assert found.value == win_distance(game, s, player)[0]
        for a in found.line:
            s = game.result(s, a)
            assert win_distance(game, s, player)[0] == found.value
        assert game.is_terminal(s)


@settings(max_examples=40, deadline=None)
@given(trees(), st.integers(-5, 5), st.sampled_from([0, 0.01]))
def test_each_player_has_a_range_of_its_own(tree: Node, low: int, table: float) -> None:
    """MIN's utilities are MAX's with the sign turned, and so is MIN's range: wherever it lies."""

    class Moved(Tree):
        def utility(self, s: Any, p: int) -> float:
            return Tree.utility(self, s, p) + (low + 3.0 if p == MAX else -low - 3.0)

        def utility_bounds(self, p: int) -> tuple[float, float]:
            return (low + 0.0, low + 6.0) if p == MAX else (-low - 6.0, -low - 0.0)

        def evaluate(self, s: Any, p: int) -> float:
            return low + 3.0 if p == MAX else -low - 3.0

    game = Moved(tree, utility_range=(-3, 3))
    player = game.to_move(game.initial())
    engine = Engine(game, table=table, table_from=1, compile=False)
    expected = oracles.win_distance(game, game.initial(), player)
    for found in (engine.solve(), engine.think(seconds=60)):
        assert (found.value, found.distance or 0, found.exact) == (*expected, True)


@pytest.mark.parametrize("compile", [pytest.param(True, marks=pytest.mark.slow), False])
def test_min_in_a_tree_of_which_no_leaf_is_negative(compile: bool) -> None:
    engine = Engine(Tree(node(MIN, node(MAX, 2, 3), node(MAX, 1, 4)), utility_range=(0, 5)), compile=compile)
    assert engine.solve().value == engine.think(seconds=60).value == -3


@pytest.mark.parametrize("compile", [pytest.param(True, marks=pytest.mark.slow), False])
def test_rules_that_ask_about_the_past(compile: bool) -> None:
    """Without a table the value is proven; with one it is not called so, since tables know nothing of the past."""
    game = Ring()
    random = Random(9)
    for table in (0, 0.01):
        engine = Engine(game, table=table, compile=compile)
        for _ in range(20):
            s, past = random_position(game, random, 6)
            found = engine.think(s, history=past, seconds=60, depth=12)
            assert found.exact == (table == 0)
            require_legal(game, s, past, found.line)
            if found.exact:
                assert found.value == with_past(game, s, past)


def with_past(game: Game, s: Any, past: list[Any]) -> float:
    """Minimax by its definition, for rules that ask about the past: to the player to move."""
    rules = game.remembering([*past, s])
    worth = []
    for a in rules.legal(s):
        after = game.result(s, a)
        if game.remembering([*past, s, after]).is_terminal(after):
            worth.append(game.utility(after, game.to_move(s)))
        else:
            worth.append(-with_past(game, after, [*past, s]))
    return max(worth)


@pytest.mark.parametrize("mtdf", [False, True], ids=["windows", "mtdf"])
def test_what_is_called_exact_is_never_wrong(mtdf: bool) -> None:
    random = Random(23)
    proven = 0
    for game, plies in SMALL:
        engines = [Engine(game, table=table, mtdf=mtdf, table_from=1) for table in (0, 0.001, 1)]
        for _ in range(60):
            s, _ = random_position(game, random, plies + 5, plies)
            engine = engines[random.below(3)]
            limits: dict[str, Any] = (
                {"depth": 1 + random.below(8)} if random.below(2) else {"nodes": 1 + random.below(400)}
            )
            found = engine.think(s, **limits)
            if found.exact:
                proven += 1
                value, distance = win_distance(game, s, game.to_move(s))
                assert found.value == value
                if found.distance is not None and found.distance <= found.depth:
                    assert found.distance == distance
    assert proven > 100


def test_both_modes_visit_the_same_nodes() -> None:
    for name in ("breakthrough", "tic_tac_toe"):
        game = games.load(name, **({"width": 3, "height": 5, "rows": 1} if name == "breakthrough" else {}))
        for options in ({}, {"aspiration": False}, {"mtdf": True}):
            counts = {
                Engine(game, table=0.01, compile=c, **options).think(depth=5, lines=2).nodes for c in (True, False)
            }
            assert len(counts) == 1


def test_positions_known_beforehand() -> None:
    """Told the values of all replies, the engine needs no search to know the position's."""
    game = games.load("breakthrough", width=3, height=5, rows=1)  # with an evaluation, and so with keys of its own
    s = game.initial()
    teacher, pupil = Engine(game, table=1), Engine(game, table=1)
    for a in game.legal(s):
        after = game.result(s, a)
        found = teacher.solve(after)
        assert isinstance(found.value, float)
        pupil.know([(game.canonical_key(after), found.value, found.distance)])
    told = pupil.think(s, depth=2)
    whole = teacher.solve(s)
    assert (told.value, told.distance, told.exact) == (whole.value, whole.distance, True)
    assert told.nodes < 100
    for wrong in ((1, 0.0, 5), (-1, 0.0, None), (1, 2.0, None)):
        with pytest.raises(ValueError, match="is not a solved position"):
            pupil.know([wrong])


@pytest.mark.parametrize("compile", [True, False])
def test_what_is_known_is_recalled_and_leaves_room(compile: bool) -> None:
    """By every search, also after the table was emptied; but it never fills the table."""
    game = games.load("tic_tac_toe")
    s = game.initial()
    known = (game.canonical_key(game.result(s, 8)), -1.0, 8)  # the engine believes what it is told
    others = [(1 << 63 | n, 0.0, None) for n in range(400)]
    engine = Engine(game, table=1, compile=compile)
    engine.know([known, *others])
    for _ in range(2):
        told = engine.think(s, depth=1)
        assert (told.action, told.distance, told.exact) == (8, 9, True)
        engine.clear()
    small = Engine(game, table=0.01, compile=compile)
    small.know([known, *others])
    assert not small.think(s, depth=1).exact


def test_a_promise_that_is_no_number() -> None:
    """Moves of which a game promises nothing at all are searched like any others."""

    class Gloomy(TicTacToe):
        def promise(self, s: Any, a: int) -> float:
            return -math.inf if a & 1 else math.nan

    assert Engine(Gloomy(), table=0.1, compile=False).solve().verdict == "draw"


def test_lines_of_a_depth_that_was_broken_off_are_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """With several threads, or a table, a later line may come out better than the one before it."""
    scores = iter([(Found(ordinal(0.0), (0,), False), True), (Found(ordinal(0.5), (1,), False), True), (None, False)])
    monkeypatch.setattr(deepening, "search_window", lambda *_: next(scores))
    found = Engine(games.load("tic_tac_toe"), compile=False).think(lines=3)
    assert [(move.action, move.value) for move in found.moves[:2]] == [(1, 0.5), (0, 0.0)]
    assert found.action == 1


def test_reasons_say_where_values_come_from() -> None:
    game = TicTacToe()
    engine = Engine(game, table=1, compile=False)
    assert engine.explain(nodes=1).best.source == "nothing"  # it has looked at nothing
    best = engine.explain(game.play("1", "4", "2", "5"), depth=3).best
    assert (best.move.name, best.verdict, best.source) == ("3", "X wins in 1 ply", "the end of the game")
    assert engine.explain(depth=1).best.source == "evaluation"
    engine.solve()
    told = engine.explain(depth=2)
    sources = {told.best.source, *(other.source for other in told.alternatives)}
    assert "quiescence" not in sources  # there are no exchanges at noughts and crosses
    assert "table" in sources or "proof" in sources
