"""Monte Carlo tree search: proofs equal minimax, visits converge, nothing hidden is used, and both modes agree."""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from support import oracles
from support.mcts_games import Cells, Wide, mcts, same
from support.random_trees import trees
from zermelo import Game, StopToken, analyse, replaced, u8
from zermelo.search import by_mcts
from zermelo.search.mcts.simulation import TRANSPLANT
from zermelo.search.mcts.tree import NODES
from zermelo.search.question import Question
from zermelo.search.registry import find
from zermelo.trees import Node, Tree, random_tree

RANGE = (-3, 3)
FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))
SOME = settings(max_examples=20 * FACTOR, deadline=None)


# Proofs.


@SOME
@given(trees(), st.integers(0, 3))
def test_proven_values_are_minimax_values(tree: Node, seed: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    found = mcts(game, nodes=20_000, seed=seed, compile=False)
    assert found.exact
    assert found.value == oracles.value(game, game.initial(), found.player)
    best = game.result(game.initial(), found.action)
    assert oracles.value(game, best, found.player) == found.value


@SOME
@given(trees(dice=True), st.integers(0, 3))
def test_proven_values_are_expectiminimax_values(tree: Node, seed: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    found = mcts(game, nodes=20_000, seed=seed, compile=False)
    assert found.value == pytest.approx(oracles.value(game, game.initial(), found.player), abs=0.35)
    if found.exact:
        assert found.value == pytest.approx(oracles.value(game, game.initial(), found.player))


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim"])
def test_small_games_are_proven(name: str) -> None:
    game = zermelo.games.load(name)
    found = mcts(game, nodes=200_000)
    assert found.exact
    assert found.value == analyse(game, algorithm="alpha_beta").value
    assert found.nodes < 200_000  # it stops when nothing is left to find out


def test_a_move_proven_to_lose_is_not_played() -> None:
    game = zermelo.games.load("tic_tac_toe")
    state = game.play("5", "1", "9")  # O must take a corner, or X makes two threats at once
    found = mcts(game, state, nodes=20_000)
    assert game.action_name(state, found.action) in ("3", "7")
    lost = {move.name for move in found.moves if move.proven and move.value == -1}
    assert {"2", "4", "6", "8"} & lost
    assert not {"3", "7"} & lost


# Convergence.


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_connect_four_begins_in_the_centre(seed: int) -> None:
    found = mcts(zermelo.games.load("connect_four"), nodes=50_000, seed=seed)
    assert found.line_names[0] == "4"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_more_thought_helps(seed: int) -> None:
    """With uniform rollouts, a million simulations find the winning move less often than 100,000."""
    for simulations in (100_000, 1_000_000):
        found = mcts(zermelo.games.load("connect_four"), nodes=simulations, seed=seed, memory=256)
        assert found.line_names[0] == "4", simulations


@pytest.mark.slow
def test_exploration_lasts_after_the_results_have_become_alike() -> None:
    """Random leaves: the first favourite is often wrong, and nothing but exploration corrects it."""
    errors = []
    for seed in range(20):
        game = Tree(random_tree(seed, branching=3, depth=5, bounds=(-100, 100)), utility_range=(-100, 100))
        truth = analyse(game, algorithm="minimax", compile=False).value
        found = mcts(game, nodes=30_000, proofs=False, rollout_plies=99)
        errors.append(abs(float(found.value) - float(truth)) / 200)  # type: ignore[arg-type]
    assert sum(errors) / len(errors) < 0.02


@pytest.mark.slow
@SOME
@given(trees(), st.integers(0, 3))
def test_without_proofs_most_visits_go_to_the_best_move(tree: Node, seed: int) -> None:
    """Plain UCT converges to minimax (Kocsis and Szepesvári 2006); a tree without a declared range has no proofs."""
    game = Tree(tree)
    found = mcts(game, nodes=6_000, seed=seed, compile=False, exploration=2.0)
    assert not found.exact
    value = oracles.value(game, game.initial(), found.player)
    best = max(found.moves, key=lambda move: move.visits or 0)
    after = game.result(game.initial(), best.action)
    assert oracles.value(game, after, found.player) >= value - 1.0 - 1e-9


def test_three_players_back_up_their_own_utilities() -> None:
    game = zermelo.games.load("coalition")
    found = mcts(game, nodes=20_000)
    expected = analyse(game, algorithm="maxn")
    assert found.action == expected.action
    assert found.value == pytest.approx(expected.value[found.player], abs=0.01)  # type: ignore[index]


# Chance.


class Die(NamedTuple):
    rolled: u8
    done: u8


class DrawnDie(Game):
    """Take 3.6 points, or roll a die that can only be drawn: 3.5 points on average."""

    players = 1
    chance = True
    utility_range = (0, 10)

    def initial(self) -> Die:
        return Die(0, 0)

    def to_move(self, s: Die) -> int:
        return zermelo.CHANCE if s.rolled == 9 else 0

    def actions(self, s: Die) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, s: Die, a: int) -> Die:
        return Die(0, 1) if a == 0 else Die(9, 0)

    def draw(self, s: Die, random: Any) -> Die:
        return Die(1 + random.below(6), 1)

    def is_terminal(self, s: Die) -> bool:
        return s.done != 0

    def utility(self, s: Die, p: int) -> float:
        return 3.6 if s.rolled == 0 else float(s.rolled)


@pytest.mark.parametrize("compile", [False, True])
def test_chance_that_can_only_be_drawn(compile: bool) -> None:
    found = mcts(DrawnDie(), nodes=4_000, compile=compile)
    by_name = {move.name: move for move in found.moves}
    assert by_name["0"].value == pytest.approx(3.6)
    assert by_name["1"].value == pytest.approx(3.5, abs=0.3)
    assert sum(move.visits or 0 for move in found.moves) == found.nodes == 4_000


def test_pig_rolls_at_first() -> None:
    found = mcts(zermelo.games.load("pig"), nodes=50_000)
    assert found.action is not None
    assert found.line_names[0] == "roll"


# Hidden information.


def test_kuhn_poker_never_uses_the_hidden_card() -> None:
    game = zermelo.games.load("kuhn_poker")
    for own in "JQK":
        answers = []
        for other in "JQK":
            if other != own:
                deal = next(
                    a for a in game.moves_at(game.initial()) if game.action_name(game.initial(), a) == own + other
                )
                answers.append(mcts(game, game.play(deal), nodes=3_000, seed=1))
        same(*answers)


def test_a_king_bets_or_calls_and_a_jack_folds() -> None:
    game = zermelo.games.load("kuhn_poker")
    deals = {game.action_name(game.initial(), a): a for a in game.moves_at(game.initial())}
    after_a_bet = {own: game.play(deals[deal], "bet") for own, deal in (("K", "QK"), ("J", "QJ"))}
    chosen = {own: mcts(game, state, nodes=5_000).line_names[0] for own, state in after_a_bet.items()}
    assert chosen == {"K": "call", "J": "fold"}


def test_phantom_tic_tac_toe_never_uses_the_hidden_stones() -> None:
    game = zermelo.games.load("phantom_tic_tac_toe")
    answers = [mcts(game, game.play("5", reply), nodes=2_000, seed=3) for reply in ("1", "9", "2")]
    for other in answers[1:]:
        same(answers[0], other)


# Both modes, limits and answers.


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "coalition", "kuhn_poker", "phantom_tic_tac_toe"])
def test_the_same_tree_in_both_modes(name: str) -> None:
    game = zermelo.games.load(name)
    state = game.initial()
    if name == "kuhn_poker":
        state = game.play(game.moves_at(state)[0])
    same(*(mcts(game, state, nodes=300, seed=5, compile=compile) for compile in (False, True)))


def test_another_seed_is_another_tree() -> None:
    game = zermelo.games.load("connect_four")
    visits = [[move.visits for move in mcts(game, nodes=500, seed=seed).moves] for seed in (1, 1, 2)]
    assert visits[0] == visits[1] != visits[2]


def test_every_root_move_is_visited_first() -> None:
    found = mcts(zermelo.games.load("connect_four"), nodes=7)
    assert [move.visits for move in found.moves] == [1] * 7
    assert all(move.error is not None and move.error > 0 for move in found.moves)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    usual = by_mcts._Run._answer
    monkeypatch.setattr(by_mcts._Run, "_answer", lambda run, *times: (runs.append(run), usual(run, *times))[1])
    found = mcts(zermelo.games.load("connect_four"), nodes=30_000, memory=0.25)
    assert found.nodes == 30_000
    assert found.line_names[0] == "4"
    tree = runs[0].tree
    assert int(tree.counts[NODES]) * tree.bytes_per_node <= 0.25 * (1 << 20)
    arrays = [value for value in vars(tree).values() if hasattr(value, "nbytes") and value.size > 1_100]
    fixed = [tree.path]  # as long as the longest line of play
    assert sum(array.nbytes for array in arrays) - sum(array.nbytes for array in fixed) <= 0.25 * (1 << 20)


@pytest.mark.slow
def test_a_long_search_stays_within_its_memory() -> None:
    game = zermelo.games.load("hex", size=11)
    mcts(game, nodes=100, memory=64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = mcts(game, seconds=60, memory=64)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert found.nodes > 1_000_000
    assert grown <= 64 + 2  # MiB


@pytest.mark.parametrize("compile", [False, True])
def test_the_tree_is_kept_from_move_to_move(compile: bool) -> None:
    game = zermelo.games.load("connect_four")
    algorithm = find("mcts")
    searcher = algorithm.make(algorithm, game, compile, {})
    states = [game.initial()]
    first = searcher.analyse(Question(game, states[0], nodes=2_000))
    for a in first.line[:2]:
        states.append(game.result(states[-1], a))
    known = next(move for move in first.moves if move.action == first.action)
    second = searcher.analyse(Question(game, states[2], states[:2], nodes=100))
    assert second.nodes == 100
    total = sum(move.visits or 0 for move in second.moves)
    assert 100 + 50 < total < 100 + (known.visits or 0)
    searcher.clear()
    fresh = searcher.analyse(Question(game, states[2], states[:2], nodes=100))
    assert sum(move.visits or 0 for move in fresh.moves) == 100


def test_taking_over_a_tree_is_compiled_with_the_search_and_counts_as_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zermelo.games.load("connect_four")
    algorithm = find("mcts")
    searcher = algorithm.make(algorithm, game, True, {})
    first = searcher.analyse(Question(game, game.initial(), nodes=1_000))
    states = [game.initial(), game.result(game.initial(), first.action)]
    programs = dict(TRANSPLANT._programs)
    take_over = by_mcts._Run._continue

    def slowly(run: Any, last: Any) -> None:
        take_over(run, last)
        time.sleep(0.2)  # a large tree

    monkeypatch.setattr(by_mcts._Run, "_continue", slowly)
    found = searcher.analyse(Question(game, states[1], states[:1], seconds=0.1))
    assert programs
    assert programs == TRANSPLANT._programs
    assert found.nodes == 0  # no time was left
    assert sum(move.visits or 0 for move in found.moves) > 50


@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker"])
def test_threads_add_up(name: str) -> None:
    game = zermelo.games.load(name)
    state = game.play(game.moves_at(game.initial())[0]) if game.hidden else game.initial()
    one, two, again = (mcts(game, state, nodes=3_001, seed=4, threads=n) for n in (1, 2, 2))
    assert sum(move.visits or 0 for move in two.moves) == two.nodes == 3_001
    same(two, again)
    assert one.moves != two.moves
    assert two.action == one.action


class Unbounded(Wide):
    """The same without a declared range: the search observes it before the threads begin."""

    utility_range = (-math.inf, math.inf)


@pytest.mark.slow
def test_threads_make_exactly_as_many_simulations_and_share_the_observed_range() -> None:
    found = mcts(Unbounded(), nodes=400, seed=1, threads=4)
    assert found.nodes == 400
    values = [move.value for move in found.moves if move.visits]
    assert all(isinstance(value, float) and -1 <= value <= 1 for value in values)
    assert sum(value < 0 for value in values) > 10  # in this game about half of all results
    assert mcts(Wide(), nodes=5, threads=4).nodes == 5


def test_threads_prove_and_stop() -> None:
    game = zermelo.games.load("tic_tac_toe")
    found = mcts(game, nodes=200_000, threads=2)
    assert found.exact
    assert found.value == 0
    began = time.perf_counter()
    assert mcts(zermelo.games.load("connect_four"), seconds=0.1, threads=3).nodes > 30
    assert time.perf_counter() - began < 5


def test_seconds_and_stop_tokens() -> None:
    game = zermelo.games.load("connect_four")
    assert mcts(game, seconds=0.05).nodes > 7
    stop = StopToken()
    stop.stop()
    assert mcts(game, stop=stop).nodes == 0
    assert mcts(game, stop=stop).action in game.legal(game.initial())


class Endless(Wide):
    """Its games end only by chance, far away; its utilities have no declared range."""

    utility_range = (-math.inf, math.inf)

    def is_terminal(self, s: Cells) -> bool:
        return False

    def result(self, s: Cells, a: int) -> Cells:
        time.sleep(0.0002)
        return Cells(s.taken, 1 - s.mover)


def test_observing_the_range_keeps_the_limits() -> None:
    began = time.perf_counter()
    found = mcts(Endless(), seconds=0.1, compile=False)
    assert time.perf_counter() - began < 5
    assert found.action in Endless().legal(Endless().initial())


def test_a_stop_in_plain_python_leaves_only_visited_moves() -> None:
    for _ in range(6):
        stop = StopToken(seconds=0.05)
        found = mcts(Wide(), stop=stop, compile=False, rollout_plies=400)
        assert all(move.visits is None or move.visits > 0 for move in found.moves)


def test_a_player_without_moves_is_an_error_of_the_rules() -> None:
    class Stuck(Wide):
        def actions(self, s: Cells) -> Iterator[int]:
            for a in range(0 if s.taken[0] > 3 else 8):
                if (s.taken[0] >> a) & 1 == 0:
                    yield a

    with pytest.raises(zermelo.GameError, match="no legal move, though the game is not over"):
        mcts(Stuck(), nodes=500, compile=False)


def test_lines_are_given_for_the_best_moves() -> None:
    found = mcts(zermelo.games.load("connect_four"), nodes=2_000, lines=2)
    assert [bool(move.line) for move in found.moves] == [True, True, *[False] * 5]


def test_moves_of_any_kind_in_plain_python() -> None:
    class Words(Game):
        utility_range = (-1, 1)

        def initial(self) -> str:
            return ""

        def to_move(self, s: str) -> int:
            return len(s) % 2

        def actions(self, s: str) -> Iterator[str]:
            yield from "ab"

        def result(self, s: str, a: str) -> str:
            return s + a

        def is_terminal(self, s: str) -> bool:
            return len(s) == 3

        def utility(self, s: str, p: int) -> float:
            return 1 if (s in ("aba", "abb", "aaa")) == (p == 0) else -1

    found = mcts(Words(), nodes=500)
    assert found.exact
    assert found.value == 1
    assert found.action == "a"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"memory": 0}, "memory must be a positive number, not 0"),
        ({"exploration": -1}, "exploration must be a positive number, not -1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"simulations": 0}, "simulations must be a whole number of at least 1, not 0"),
        ({"equivalence": 0}, "equivalence must be a positive number, not 0"),
        ({"threads": 0}, "threads must be a whole number of at least 1, not 0"),
        ({"rave": 1}, "rave must be True or False, not 1"),
        ({"rollout_plies": 1.5}, "rollout_plies must be a whole number of at least 0, not 1.5"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mcts(zermelo.games.load("nim"), **options)


def test_depth_and_observers_are_refused() -> None:
    game = zermelo.games.load("nim")
    with pytest.raises(TypeError, match="mcts takes no depth; it takes nodes, seconds"):
        mcts(game, depth=3)


# The default.


class WideForThree(Wide):
    players = 3
    zero_sum = False

    def result(self, s: Cells, a: int) -> Cells:
        row = a // 8
        return Cells(replaced(s.taken, row, s.taken[row] | (1 << (a % 8))), (s.mover + 1) % 3)

    def utility(self, s: Cells, p: int) -> float:
        return 1.0 if s.mover == p else 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "limits", "chosen"),
    [
        (Wide(), {"nodes": 200}, "mcts"),
        (Wide(), {"depth": 2}, "engine"),  # a depth means nothing to mcts
        ("connect_four", {"nodes": 200}, "engine"),  # it knows much about its positions
        ("tic_tac_toe", {"nodes": 200}, "engine"),  # small enough to be searched to the end
        ("kuhn_poker", {"nodes": 200}, "mcts"),
        ("phantom_tic_tac_toe", {"nodes": 200}, "mcts"),
        ("coalition", {"nodes": 200}, "maxn"),
        (WideForThree(), {"nodes": 200}, "mcts"),
    ],
)
def test_it_is_chosen_if_it_is_the_strongest(game: Any, limits: dict[str, Any], chosen: str) -> None:
    found = analyse(zermelo.games.load(game) if isinstance(game, str) else game, **limits)
    assert found.algorithm == chosen
    assert found.reason


class Hangs(Wide):
    """A rule that never returns."""

    def result(self, s: Cells, a: int) -> Cells:
        while True:
            pass


def test_a_rule_that_hangs_does_not_hang_the_choice() -> None:
    began = time.perf_counter()
    assert by_mcts.estimated_size(Hangs()) < by_mcts.SEARCHABLE
    assert time.perf_counter() - began < 5
