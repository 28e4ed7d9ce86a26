"""Bad input: each mistake has an error of its own, with a message that helps; in both modes where both can make it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import (
    CHANCE,
    CompileError,
    Game,
    GameError,
    IllegalAction,
    StateError,
    TooDeep,
    UnknownName,
    Unsuitable,
    ZermeloError,
    analyse,
    games,
    i32,
)
from zermelo.trees import Tree, chance, node

MODES = pytest.mark.parametrize("compile", [pytest.param(True, id="compiled"), pytest.param(False, id="plain")])


class Count(NamedTuple):
    n: i32


class Forever(Game):
    """Counts up and never ends."""

    utility_range = (-1, 1)

    def initial(self) -> Count:
        return Count(0)

    def to_move(self, s: Count) -> int:
        return s.n & 1

    def actions(self, s: Count) -> Iterator[int]:
        for a in range(2):
            yield a

    def result(self, s: Count, a: int) -> Count:
        return Count(s.n + 1)

    def is_terminal(self, s: Count) -> bool:
        return False

    def utility(self, s: Count, p: int) -> float:
        return 0.0


@MODES
def test_a_game_that_never_ends(compile: bool) -> None:
    with pytest.raises(TooDeep, match=r"Forever went on for more than [\d,]+ plies: give a depth, nodes or seconds"):
        analyse(Forever(), algorithm="alpha_beta", compile=compile)
    assert analyse(Forever(), depth=5, compile=compile).depth == 5
    assert analyse(Forever(), nodes=1000, compile=compile).nodes <= 1000
    assert analyse(Forever(), seconds=0.05, compile=compile).seconds < 30


class Long(Forever):
    """A single line of so many plies."""

    def __init__(self, plies: int):
        self.plies = np.array([plies])  # in a table, so that all lengths are one program

    def actions(self, s: Count) -> Iterator[int]:
        yield 0

    def is_terminal(self, s: Count) -> bool:
        return bool(s.n >= self.plies[0])


@MODES
@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta", "maxn", "expectiminimax", "star2", "beam", "and_or"])
def test_recursion_as_deep_as_allowed_and_deeper(compile: bool, algorithm: str) -> None:
    assert analyse(Long(9_999), algorithm=algorithm, compile=compile).nodes == 10_000
    with pytest.raises(TooDeep):
        analyse(Long(10_001), algorithm=algorithm, compile=compile)


@MODES
def test_probabilities_that_do_not_add_up(compile: bool) -> None:
    game = Tree(node(0, chance((0.5, 1), (0.49, 2))), utility_range=(0, 2))
    for algorithm in ("expectiminimax", "star1", "star2", "maxn", "and_or"):
        with pytest.raises(
            GameError, match=r"after 0: the probabilities of a chance node's outcomes do not add up to 1"
        ):
            analyse(game, algorithm=algorithm, compile=compile)


class Contradictory(Long):
    """Its end is worth no number; and where it is stuck, there are no moves before that."""

    def __init__(self, stuck: bool):
        super().__init__(3)
        self.stuck = np.array([stuck], np.int64)

    def actions(self, s: Count) -> Iterator[int]:
        if s.n == 0 or self.stuck[0] == 0:
            yield 0

    def utility(self, s: Count, p: int) -> float:
        return float("nan")


@MODES
@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta", "maxn", "expectiminimax", "star1", "beam", "and_or"])
def test_rules_that_contradict_themselves(compile: bool, algorithm: str) -> None:
    with pytest.raises(GameError, match=r"no legal moves in a state that is not terminal"):
        analyse(Contradictory(stuck=True), algorithm=algorithm, compile=compile)
    if algorithm != "and_or":
        with pytest.raises(GameError, match=r"a utility that is not a finite number"):
            analyse(Contradictory(stuck=False), algorithm=algorithm, compile=compile)


@MODES
def test_a_terminal_root(compile: bool) -> None:
    game = Tree([[1, 2], [3, 4]])
    end = game.play(0, 1)
    with pytest.raises(
        StateError, match=r"the game of .* is over in this state, at \(2, -2\): there is no move to find"
    ):
        analyse(game, end, compile=compile)


def test_a_state_of_another_game() -> None:
    with pytest.raises(StateError, match=r"is a Count, but a state of Tree.* is a TreeState"):
        analyse(Tree([1, 2]), Count(0))
    with pytest.raises(StateError, match=r"a field of Count.* does not fit its width"):
        analyse(Forever(), Count(1 << 40), depth=1)
    with pytest.raises(StateError, match=r"'nonsense' is a str, but"):
        analyse(Forever(), "nonsense", depth=1)


def test_illegal_actions() -> None:
    game = Tree([[1, 2], [3, 4]])
    with pytest.raises(IllegalAction, match=r"move 1, 7, is not legal in Tree.*; legal here: 0, 1"):
        game.play(7)
    with pytest.raises(IllegalAction, match=r"'x' is not a legal move of Tree.*; legal here: 0, 1"):
        game.play(0, "x")
    with pytest.raises(IllegalAction, match=r"move 3, 0: the game of .* is over"):
        game.play(0, 0, 0)


class Dice(Long):
    chance = True

    def to_move(self, s: Count) -> int:
        return CHANCE if s.n & 1 else 0

    def outcomes(self, s: Count) -> Iterator[tuple[int, float]]:
        for o in range(2):
            yield o, 0.5


class Hidden(Long):
    hidden = True


class Greedy3(Long):
    players = 3
    zero_sum = False


class DrawnOnly(Long):
    chance = True


@pytest.mark.parametrize(
    ("game", "algorithm", "message"),
    [
        (Hidden(3), "alpha_beta", "some of it is hidden.*; suitable here: equilibrium, mcts, pimc"),
        (Dice(3), "minimax", "it has no chance nodes.*; suitable here: .*expectiminimax, .*star1, star2"),
        (Greedy3(3), "alpha_beta", "at most 2 sides, and this game has 3; suitable here: .*maxn"),
        (DrawnOnly(3), "greedy", "this game can only draw them; suitable here: mcts"),
        (DrawnOnly(3), "expectiminimax", "it must list the outcomes of chance, and this game can only draw them"),
        (Tree([[1], [2]]), "star1", "it needs known bounds on the utility, and this game declares no utility_range"),
        (Tree([(1, 5), (2, 0)], players=2), "minimax", "what one side wins the other must lose"),
    ],
)
def test_an_unsuitable_algorithm(game: Game, algorithm: str, message: str) -> None:
    with pytest.raises(Unsuitable, match=message):
        analyse(game, algorithm=algorithm)


def test_hidden_information_that_is_not_described() -> None:
    with pytest.raises(Unsuitable, match=r"hides something, but does not define information and resample"):
        analyse(Hidden(3))


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match=r"there is no algorithm 'alpha_bet'; did you mean 'alpha_beta'\? there are "):
        analyse(Forever(), algorithm="alpha_bet")
    with pytest.raises(
        UnknownName,
        match=r"no algorithm 'engin'; did you mean 'engine'\? .*greedy.*, engine, mtdf, .*mcts, pimc, proof_number",
    ):
        analyse(Forever(), algorithm="engin")
    with pytest.raises(UnknownName, match=r"there is no game 'tictactoe'; did you mean 'tic_tac_toe'\?"):
        games.load("tictactoe")
    with pytest.raises(UnknownName, match=r"is not an algorithm: decorate it with @zermelo.algorithm"):
        analyse(Forever(), algorithm=print)
    with pytest.raises(TypeError, match=r"connect_four has no parameter 'size'; it takes width, height"):
        games.load("connect_four", size=3)
    with pytest.raises(AttributeError, match=r"module 'zermelo' has no attribute 'analyze'"):
        zermelo.analyze  # noqa: B018


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"depth": 2.5}, "depth must be a whole number of at least 1, not 2.5"),
        ({"nodes": -1}, "nodes must be"),
        ({"nodes": True}, "nodes must be"),
        ({"seconds": 0}, "seconds must be a number of more than 0, not 0"),
        ({"seconds": float("nan")}, "seconds must be a number"),
        ({"seconds": "3"}, "seconds must be a number of more than 0, not '3'"),
        ({"algorithm": "beam", "beam": 0}, "beam must be a whole number of at least 1"),
    ],
)
def test_limits_that_make_no_sense(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyse(Forever(), **limits)


def test_options_that_an_algorithm_does_not_have() -> None:
    with pytest.raises(TypeError, match=r"alpha_beta has no option 'beam'; it takes none"):
        analyse(Forever(), algorithm="alpha_beta", beam=3)
    with pytest.raises(TypeError, match=r"beam has no option 'width'; it takes beam"):
        analyse(Forever(), algorithm="beam", width=3)


class Texts(Forever):
    """A game whose states are strings."""

    def initial(self) -> str:
        return ""

    def to_move(self, s: str) -> int:
        return len(s) % 2

    def actions(self, s: str) -> Iterator[str]:
        yield from "ab"

    def result(self, s: str, a: str) -> str:
        return s + a

    def is_terminal(self, s: str) -> bool:
        return len(s) == 4

    def utility(self, s: str, p: int) -> float:
        return (s.count("a") - s.count("b")) / 4 * (1 if p == 0 else -1)


def test_states_of_any_kind_run_as_plain_python() -> None:
    game = Texts()
    analysis = analyse(game, algorithm="minimax")
    assert not analysis.compiled
    assert (analysis.value, analysis.line) == (0, ("a", "b", "a", "b"))
    with pytest.raises(CompileError, match=r"Texts\(\) cannot be compiled: its states are of type str"):
        analyse(game, compile=True)


def test_not_a_game_at_all() -> None:
    with pytest.raises(GameError, match=r"is not a Game: derive its class from zermelo.Game"):
        analyse(Forever)  # type: ignore[arg-type]


class BadPlayer(Long):
    def to_move(self, s: Count) -> int:
        return 7


class BadTraits(Long):
    utility_range = (1, -1)


class StrayMover(Long):
    """Somebody who is not playing moves at the second ply, or chance, which is not declared."""

    def __init__(self, stray: int):
        super().__init__(3)
        self.stray = np.array([stray])

    def to_move(self, s: Count) -> int:
        return int(self.stray[0]) if s.n == 1 else 0


@MODES
@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta", "maxn", "expectiminimax", "star2", "beam", "and_or"])
def test_a_mover_that_there_is_not(compile: bool, algorithm: str) -> None:
    for game in (StrayMover(7), StrayMover(CHANCE)):
        with pytest.raises(GameError, match=r"after 0: to_move gives neither a player's number nor"):
            analyse(game, algorithm=algorithm, compile=compile)


class Unfinished(Game):
    def initial(self) -> Count:
        return Count(0)


def test_a_game_that_lacks_a_method() -> None:
    with pytest.raises(GameError, match=r"Unfinished does not define to_move, actions, result, is_terminal, utility"):
        analyse(Unfinished())


class WildEvaluation(Dice):
    def evaluate(self, s: Count, p: int) -> float:
        return 25.0


@MODES
def test_an_evaluation_out_of_range_is_not_pruned_with(compile: bool) -> None:
    with pytest.raises(GameError, match=r"evaluate gives a value outside the game's utility_range"):
        analyse(WildEvaluation(9), algorithm="star1", depth=3, compile=compile)


def test_traits_that_contradict_themselves() -> None:
    with pytest.raises(GameError, match=r"to_move gives 7, but .* has players 0 to 1 and CHANCE"):
        analyse(BadPlayer(3))
    with pytest.raises(GameError, match=r"utility_range = \(1, -1\); the least comes first"):
        analyse(BadTraits(3))


def test_the_family() -> None:
    for error, builtin in (
        (GameError, ValueError),
        (CompileError, ValueError),
        (StateError, ValueError),
        (IllegalAction, ValueError),
        (UnknownName, LookupError),
        (Unsuitable, ValueError),
        (TooDeep, RecursionError),
    ):
        assert issubclass(error, ZermeloError)
        assert issubclass(error, builtin)


class ManyFaces(Dice):
    """Declares fewer moves than its die has faces."""

    max_actions = 4

    def outcomes(self, s: Count) -> Iterator[tuple[int, float]]:
        for o in range(8):
            yield o, 1 / 8


@MODES
def test_more_outcomes_than_declared(compile: bool) -> None:
    with pytest.raises(GameError, match=r"more outcomes than the game's max_actions \(256 by default\)"):
        analyse(ManyFaces(3), algorithm="star1", compile=compile)
