"""Pig."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import CHANCE, IllegalAction, Random, TooDeep, analyse
from zermelo.game.errors import GameError
from zermelo.games.pig import Pig, PigState
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine


class Table(Part):
    """worth[own, other, turn]: the probability that the player whose turn it is wins."""

    def __init__(self, target: int):
        self.worth = np.full((target, target, target), 0.5)


def winning(game: Any, s: Any, table: Any, p: int) -> float:
    """The probability that player p wins, as far as the table knows."""
    own = 1.0 if game.is_terminal(s) else table.worth[s.scores[s.mover], s.scores[1 - s.mover], s.turn]
    return float(own if s.mover == p else 1.0 - own)


def sweep(game: Any, start: Any, table: Any) -> float:
    """One sweep of value iteration (Bellman 1957) over all decisions, by the game's own rules; the greatest change."""
    change = 0.0
    for own in range(game.target - 1, -1, -1):
        for other in range(game.target):
            for turn in range(game.target - own - 1, -1, -1):
                s = PigState((own, other), turn, 0, 0)
                best = 0.0
                for a in game.actions(s):
                    after = game.result(s, a)
                    value = 0.0
                    if game.to_move(after) == CHANCE:
                        for face, probability in game.outcomes(after):
                            value += probability * winning(game, game.result(after, face), table, 0)
                    else:
                        value = winning(game, after, table, 0)
                    best = max(best, value)
                change = max(change, abs(best - table.worth[own, other, turn]))
                table.worth[own, other, turn] = best
    return change


def solved(game: Pig) -> np.ndarray[Any, Any]:
    """The probabilities of winning with optimal play: [own score, other's score, turn's total]."""
    table = Table(game.target)
    program = Routine(sweep).compiled(game, table)
    while program(game.initial()) > 1e-12:
        pass
    return table.worth


def test_piglet() -> None:
    # Neller and Presser, "Optimal play of the dice game Pig", The UMAP Journal 25 (2004): Piglet, played with a coin to
    # 2 points, has P(i, j, k) = 4/7, 5/7, 2/5, 3/5, 4/5, 2/3. A die of two faces brings 2 where their coin brings 1.
    worth = solved(Pig(target=4, faces=2))
    expected = {
        (0, 0, 0): 4 / 7,
        (0, 0, 1): 5 / 7,
        (0, 1, 0): 2 / 5,
        (0, 1, 1): 3 / 5,
        (1, 0, 0): 4 / 5,
        (1, 1, 0): 2 / 3,
    }
    for (own, other, turn), probability in expected.items():
        assert worth[2 * own, 2 * other, 2 * turn] == pytest.approx(probability)


def test_against_the_equations_of_optimal_play() -> None:
    # Their equations for a die of six, solved here by iteration on a short game.
    target = 12
    worth = {(i, j, k): 0.5 for i in range(target) for j in range(target) for k in range(target - i)}

    def p(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else worth[i, j, k]

    for _ in range(60):
        for i, j, k in worth:
            roll = (1 - p(j, i, 0) + sum(p(i, j, k + face) for face in range(2, 7))) / 6
            hold = 1 - p(j, i + k, 0) if k else 0.0
            worth[i, j, k] = max(roll, hold)
    by_rules = solved(Pig(target))
    for own, other, turn in worth:
        assert by_rules[own, other, turn] == pytest.approx(worth[own, other, turn])


def test_the_advantage_of_the_first_player() -> None:
    # Neller and Presser: with optimal play to 100 the first player wins 53.06 %.
    assert solved(Pig())[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1", "star2"])
def test_search_in_both_modes(algorithm: str) -> None:
    game = Pig(10)
    s = game.play("roll", 3, "hold", "roll", 5)
    compiled, plain = (analyse(game, s, algorithm=algorithm, depth=7, compile=c) for c in (True, False))
    assert (compiled.value, compiled.nodes, compiled.action) == (plain.value, plain.nodes, plain.action)
    assert compiled.value == pytest.approx(analyse(game, s, algorithm="expectiminimax", depth=7).value)
    assert -1 < compiled.value < 1


def test_decisions_that_are_plain_to_see() -> None:
    game = Pig(10)
    near = PigState((4, 8), 4, 0, 0)  # any roll but a 1 wins; whoever holds gives the opponent that chance
    assert game.action_name(near, analyse(game, near, depth=4).action) == "roll"
    game, much = Pig(), PigState((0, 0), 40, 0, 0)  # much to lose, and nothing to fear from holding
    assert [game.action_name(much, a) for a in game.legal(much)] == ["roll", "hold"]
    assert game.action_name(much, analyse(game, much, depth=6).action) == "hold"


def test_rules() -> None:
    game = Pig()
    assert [game.action_name(game.initial(), a) for a in game.legal(game.initial())] == ["roll"]
    s = game.play("roll")
    assert game.to_move(s) == CHANCE
    assert sum(probability for _, probability in game.outcomes(s)) == pytest.approx(1)
    assert game.play("roll", 1) == PigState((0, 0), 0, 1, 0)
    assert game.play("roll", 6, "roll", 5) == PigState((0, 0), 11, 0, 0)
    assert game.play("roll", 6, "roll", 5, "hold") == PigState((11, 0), 0, 1, 0)
    assert game.play("roll", 6, "roll", 1) == PigState((0, 0), 0, 1, 0)
    with pytest.raises(IllegalAction, match="7, is not legal"):
        game.play("roll", 7)
    won = Pig(10).play("roll", 6, "roll", 5)
    assert Pig(10).is_terminal(won)
    assert list(Pig(10).actions(won)) == []
    assert [Pig(10).utility(won, p) for p in (0, 1)] == [1, -1]


def test_the_die_is_fair() -> None:
    game = Pig()
    s, random = game.play("roll"), Random(7)
    shown = {game.result(s, face): face for face in range(1, 7)}
    counts = np.bincount([shown[game.draw(s, random)] for _ in range(6000)], minlength=7)
    assert (
        (counts[1:] - 1000) ** 2 / 1000
    ).sum() < 20.5  # chi-squared with 5 degrees of freedom: 1 in 1,000 exceeds it


def test_estimates_stay_inside_the_range() -> None:
    game = Pig()
    for s in states_of_random_play(game, 5):
        if not game.is_terminal(s):
            assert -1 < game.evaluate(s, 0) == -game.evaluate(s, 1) < 1


def test_it_never_need_end() -> None:
    with pytest.raises(TooDeep, match="give a depth, nodes or seconds"):
        analyse(Pig(4, 2), algorithm="expectiminimax")


def test_both_modes() -> None:
    game = Pig()
    check_both_modes(game, states_of_random_play(game, 2))
    check_both_modes(Pig(60_000, 100), [PigState((59_000, 3), 900, 0, 0), PigState((3, 59_000), 900, 1, 1)])


def test_names_and_pictures() -> None:
    game = Pig()
    check_names(game, states_of_random_play(game, 1))
    assert game.name == "Pig(target=100, faces=6)"
    s = game.play("roll", 4, "roll")
    assert game.text(s) == f"Player 1 [+{'.' * 19}] 0 + 4 of 100\nPlayer 2 [{'.' * 20}] 0 of 100\ndice [?]"
    assert game.action_name(s, 3) == "3"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((1, 6), "target must be a whole number from 2 to 60000, not 1"),
        ((60_001, 6), "target must be"),
        ((100, 1), "faces must be a whole number from 2 to 100, not 1"),
    ],
)
def test_bad_parameters(parameters: tuple[int, int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Pig(*parameters)
