"""Strong solutions: every state of small games, against other ways to find the values."""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from zermelo import Game, Unsuitable, ZermeloError, analyse, games
from zermelo.app.cli import main
from zermelo.lookup.passes import passes
from zermelo.lookup.strong import Solution, solve_all


@functools.cache
def tic_tac_toe() -> Solution:
    return solve_all(games.load("tic_tac_toe"))


def test_tic_tac_toe() -> None:
    solution = tic_tac_toe()
    game = solution.game
    assert len(solution) == 5478
    known = solution[game.initial()]
    assert (known.value, known.distance, len(known.moves)) == (0, 9, 9)
    for s in random.Random(4).sample([s for s in solution if not game.is_terminal(s)], 40):
        found = analyse(game, s, algorithm="minimax", compile=False)
        sign = 1 if game.to_move(s) == 0 else -1
        assert isinstance(found.value, float)
        assert solution[s].value == sign * found.value
        for a in solution[s].moves:
            assert solution[game.result(s, a)].value == solution[s].value


def test_following_the_policy_keeps_the_distance() -> None:
    solution = tic_tac_toe()
    game = solution.game
    for s, a in list(solution.policy())[::97]:
        known = solution[s]
        if known.value != 0:
            assert known.distance is not None
            assert solution[game.result(s, a)].distance == known.distance - 1


def test_nim_by_the_nim_sum() -> None:
    """Bouton 1901: the player to move loses if the exclusive or of the piles is 0."""
    game = games.load("nim", piles=(3, 4, 2))
    solution = solve_all(game)
    for s in solution:
        total = functools.reduce(int.__xor__, (int(pile) for pile in s.piles))
        mover = 1 if s.mover == 0 else -1
        assert solution[s].value == (mover if total else -mover)


def test_small_connect_four() -> None:
    game = games.load("connect_four", width=4, height=3)
    solution = solve_all(game)
    proven = analyse(game, algorithm="alpha_beta", compile=False)
    assert solution[game.initial()].value == proven.value


class Walk(Game):
    """Players step left or right on a line; its left end loses for the first, its right end wins. It may never end."""

    players = 2
    utility_range = (-1.0, 1.0)

    def initial(self) -> tuple[int, int]:
        return 2, 0

    def to_move(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Any:
        yield from (-1, 1)

    def result(self, s: Any, a: Any) -> Any:
        return s[0] + a, 1 - s[1]

    def is_terminal(self, s: Any) -> bool:
        return not 0 <= s[0] <= 4

    def utility(self, s: Any, p: int) -> float:
        return (1.0 if s[0] > 4 else -1.0) * (1 if p == 0 else -1)


def test_what_nobody_can_force_is_drawn() -> None:
    solution = solve_all(Walk())
    known = solution[2, 0]
    assert (known.value, known.distance) == (0, None)
    assert solution[4, 0].value == 1
    assert solution[4, 0].distance == 1


@pytest.mark.parametrize("target", [4, 12])
def test_pig_by_value_iteration(target: int) -> None:
    """The equations of Neller and Presser (2004) hold for the values, as far as the error allows."""
    game = games.load("pig", target=target)
    solution = solve_all(game, error=1e-9)
    assert solution.error <= 1e-9
    values = {s: solution[s].value for s in solution}
    for s in list(solution)[::7]:
        if game.is_terminal(s):
            continue
        if game.to_move(s) < 0:
            expected = sum(p * values[game.result(s, a)] for a, p in game.outcomes(s))
        else:
            best = max if s.mover == 0 else min
            expected = best(values[game.result(s, a)] for a in game.actions(s))
        assert values[s] == pytest.approx(expected, abs=1e-8)
    assert 0 < values[game.initial()] < 1  # whoever begins has the better chances


@pytest.mark.slow
def test_pig_as_published() -> None:
    """Neller and Presser (2004): with best play the first player wins 53.06 % of the games."""
    solution = solve_all(games.load("pig"), error=1e-5)
    assert (1 + solution[solution.game.initial()].value) / 2 == pytest.approx(0.5306, abs=5e-5)


def test_passes_say_why() -> None:
    """Pass n has the states that are decided in n plies; each example follows from an earlier pass."""
    found = list(passes(tic_tac_toe(), value=1))
    assert [each.number for each in found] == list(range(6))
    assert [sum(each.states.values()) for each in found] == [626, 1498, 392, 260, 88, 72]
    assert found[0].because == "the game is over; it is worth 1 to X"
    assert "X plays" in found[1].because
    assert "to a state that was decided in pass 0" in found[1].because
    assert "moves of O lead to lost states; the last of them was decided in pass 1" in found[2].because
    assert [each.number for each in passes(solve_all(Walk()))][-1] == -1
    with pytest.raises(Unsuitable, match="has chance"):
        next(passes(solve_all(games.load("pig", target=4))))


def test_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "solution.json"
    tic_tac_toe().save(file)
    again = Solution.load(file, games.load("tic_tac_toe"))
    assert again.rows == tic_tac_toe().rows
    with pytest.raises(ZermeloError, match=r"is a solution of TicTacToe.*, not of Nim"):
        Solution.load(file, games.load("nim"))
    file.write_text(file.read_text()[:1000])
    with pytest.raises(ZermeloError, match="is not a solution"):
        Solution.load(file, games.load("tic_tac_toe"))


def test_what_cannot_be_solved() -> None:
    with pytest.raises(Unsuitable, match="more than 1,000 states"):
        solve_all(games.load("connect_four"), limit=1000)
    with pytest.raises(Unsuitable, match="nothing hidden"):
        solve_all(games.load("kuhn_poker"))


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    file = str(tmp_path / "solution.json")
    shown = run(main, ["solve", "nim", "--set", "piles=(1,2,3)", "--all", "--save", file]).output
    assert "40 states solved" in shown
    assert "worth -1 to Player 1, the game ends in 6 plies" in shown
    found = json.loads(
        run(main, ["solve", "nim", "A1", "--set", "piles=(1,2,3)", "--all", "--load", file, "--json"]).output
    )
    assert found["moves"] == ["C1"]
    assert found["value"] == -1
    kalah = run(main, ["solve", "kalah", "--set", "houses=2", "--set", "seeds=1", "--all"]).output
    assert "8 states solved" in kalah
    assert "  b2 b1 / 1 1 / N 0 0 S / 1 1 / a1 a2: South a2\n" in kalah
    chance = run(main, ["solve", "pig", "--set", "target=4", "--all", "--passes"])
    assert chance.exit_code == 2
    assert chance.output.startswith("zermelo: Pig (target 4) has chance")
