"""Equilibria: published values, agreement of the methods with linear programming, files, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.hidden_games import Confused, Endless, Forgetful, RandomHidden
from zermelo import games
from zermelo.equilibria import sampling
from zermelo.equilibria.form import Form, Regrets
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.methods import METHODS
from zermelo.equilibria.sampling import Sampler, chances_in
from zermelo.equilibria.solver import Solver, appraise
from zermelo.equilibria.strategy import Strategy, StrategyError
from zermelo.equilibria.unfolding import ENDS, SETS, STATES, unfold
from zermelo.game.errors import GameError, StateError, TooDeep, UnknownName, Unsuitable

KUHN, LEDUC = -1 / 18, -0.085606424078
"""Values to the first player (Kuhn 1950; Leduc: OpenSpiel, and by linear programming)."""


def uniform_nash_conv(game: Any) -> float:
    form = Form(unfold(game))
    values, best = appraise(form, Regrets(form).chance)
    return sum(best) - sum(values)


@pytest.mark.parametrize(
    ("name", "parameters", "states", "sets", "ends"),
    [
        ("kuhn_poker", {}, 55, 12, 30),
        ("leduc_poker", {}, 9_451, 288, 5_520),
        ("leduc_poker", {"suits": True}, 9_451, 936, 5_520),
        ("liars_dice", {}, 294_877, 24_576, 147_420),
        ("goofspiel", {"order": "descending"}, 2_966, 1_474, 576),
    ],
)
def test_games_have_their_size(name: str, parameters: dict[str, Any], states: int, sets: int, ends: int) -> None:
    """Numbers of information sets as in OpenSpiel (Lanctot et al. 2019)."""
    counts = unfold(games.load(name, **parameters)).counts
    assert (counts[STATES], counts[SETS], counts[ENDS]) == (states, sets, ends)


def test_uniform_play_is_as_exploitable_as_published() -> None:
    assert uniform_nash_conv(games.load("kuhn_poker")) == pytest.approx(11 / 12, abs=1e-12)
    assert uniform_nash_conv(games.load("leduc_poker")) == pytest.approx(4.7472222222, abs=1e-9)


@pytest.mark.parametrize(("method", "expected"), [("cfr-simultaneous", 0.0558), ("cfr", 0.0215), ("cfr+", 0.00089)])
def test_leduc_after_500_iterations(method: str, expected: float) -> None:
    """As OpenSpiel's solvers, within 5 %."""
    strategy = Solver(games.load("leduc_poker"), method).solve(iterations=500)
    assert strategy.exploitability == pytest.approx(expected, rel=0.05)


def test_kuhn_by_every_method() -> None:
    for method in METHODS:
        strategy = Solver(games.load("kuhn_poker"), method).solve(iterations=20_000)
        assert strategy.exploitability < 0.003
        assert strategy.values[0] == pytest.approx(KUHN, abs=0.003)


def test_kuhn_to_six_digits_lies_in_the_known_family() -> None:
    game = games.load("kuhn_poker")
    solver = Solver(game)
    strategy = solver.solve(until=1e-6, seconds=60)
    assert strategy.values[0] == pytest.approx(KUHN, abs=1e-6)
    betting = {choice.information: choice.probabilities[1] for choice in solver.choices()}
    alpha = betting["J: no moves yet"]
    assert 0 <= alpha <= 1 / 3 + 1e-3
    assert betting["K: no moves yet"] == pytest.approx(3 * alpha, abs=0.01)
    assert betting["Q: check, bet"] == pytest.approx(alpha + 1 / 3, abs=0.01)
    assert betting["Q: bet"] == pytest.approx(1 / 3, abs=0.01)
    assert betting["J: check"] == pytest.approx(1 / 3, abs=0.01)


def test_leduc_to_six_digits() -> None:
    solver = Solver(games.load("leduc_poker"), "dcfr")
    strategy = solver.solve(until=1e-6, iterations=60_000)
    assert strategy.values[0] == pytest.approx(LEDUC, abs=1e-6)


# Linear programming.


def exact(game: Any, form: Form | None = None) -> tuple[float, float]:
    """The value, and the NashConv of the strategy that linear programming finds."""
    pytest.importorskip("scipy", reason="linear programming needs SciPy")
    form = form or Form(unfold(game))
    chance, value = by_linear_programming(game, form)
    values, best = appraise(form, chance)
    return value, sum(best) - sum(values)


def test_linear_programming_is_exact() -> None:
    for name, expected in (("kuhn_poker", KUHN), ("leduc_poker", LEDUC)):
        value, nash_conv = exact(games.load(name))
        assert value == pytest.approx(expected, abs=1e-9)
        assert nash_conv == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seeds", [range(0, 40), pytest.param(range(40, 400), marks=pytest.mark.slow)])
def test_random_games_agree_with_linear_programming(seeds: range) -> None:
    for seed in seeds:
        game = RandomHidden(seed)
        solver = Solver(game, "dcfr")
        solver.solve(iterations=2_000)
        value, nash_conv = exact(game, solver.form)
        look = solver.looks[-1]
        assert nash_conv == pytest.approx(0, abs=1e-8)
        assert look.values[0] - look.best_responses[0] <= 1e-9
        assert -look.best_responses[1] - 1e-9 <= value <= look.best_responses[0] + 1e-9  # bounds of the value
        assert look.values[0] == pytest.approx(value, abs=0.02), seed


def test_a_table_typed_in() -> None:
    value, _ = exact(games.load("matrix", payoffs="3 -1; -2 4"))
    assert value == pytest.approx(1.0)
    solver = Solver(games.load("matrix"))
    solver.solve(iterations=2_000)
    for choice in solver.choices():
        assert choice.probabilities == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=0.01)


@pytest.mark.parametrize(
    ("payoffs", "message"),
    [("1 2; 3", "equal length"), ("1 x", "row 1, column 2"), ("", "equal length"), ("1,2,3 4", "one finite number")],
)
def test_a_wrong_table_is_refused(payoffs: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        games.load("matrix", payoffs=payoffs)


def test_tables_that_look_like_numbers() -> None:
    game = games.load("matrix", payoffs=5, rows=7, columns="left")
    assert game.action_name(game.initial(), 1) == "7"
    assert "5" in game.text(game.initial())


# Sampling.


def test_sampling_comes_close_and_continues(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    reference, sampler = Solver(game), Sampler(game, seed=1)
    whole = sampler.solve(iterations=40_000)
    values, best = appraise(reference.form, chances_in(reference, whole))
    assert (sum(best) - sum(values)) / 2 < 0.02
    assert values[0] == pytest.approx(KUHN, abs=0.01)
    half = Sampler(game, seed=1)
    half.solve(iterations=20_000)
    half.save(file)
    again = Sampler(game, seed=2)
    again.resume(file)
    assert np.array_equal(again.solve(iterations=40_000).chances, whole.chances)


def test_sampling_is_the_same_in_both_modes_and_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "FIRST_SETS", 4)
    game = games.load("leduc_poker")
    found = [Sampler(game, seed=3, compile=compile).solve(iterations=30) for compile in (False, True)]
    assert len(found[0]) > 4
    assert np.array_equal(found[0].keys, found[1].keys)
    assert np.allclose(found[0].chances, found[1].chances, atol=1e-9)


@pytest.mark.parametrize("compile", [False, True])
def test_sampling_refuses_rules_that_cannot_be_sampled(compile: bool) -> None:
    with pytest.raises(GameError, match="different legal moves in two states"):
        Sampler(Confused(), compile=compile).iterate(10)
    with pytest.raises(TooDeep, match="more than 1,000 plies"):
        Sampler(Endless(), compile=compile).iterate(1)
    with pytest.raises(TooDeep, match="more than 1,000 plies"):
        unfold(Endless(), compile=compile)


def test_sampling_does_not_continue_from_a_damaged_file(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    sampler = Sampler(game, compile=False)
    sampler.iterate(2)
    sampler.save(file)
    with np.load(file) as found:
        arrays = dict(found)
    wrong = {
        "own_starts": arrays["own_starts"] + 1_000_000,
        "own_moves": arrays["own_moves"][:-1],
        "regret": arrays["regret"].astype(np.float32),
        "random": arrays["random"][:0],
    }
    for name, array in wrong.items():
        np.savez(file, **{**arrays, name: array})
        with pytest.raises(StrategyError, match="is damaged"):
            Sampler(game, compile=False).resume(file)
    np.savez(file, **{name: array for name, array in arrays.items() if name != "counts"})
    with pytest.raises(StrategyError, match="'counts' does not fit"):
        Sampler(game, compile=False).resume(file)


# Both modes.


@pytest.mark.parametrize("name", ["kuhn_poker", "matrix", "goofspiel"])
def test_both_modes_agree(name: str) -> None:
    game = games.load(name, **({"cards": 3} if name == "goofspiel" else {}))
    strategies = [Solver(game, "dcfr", compile=compile).solve(iterations=30) for compile in (False, True)]
    assert np.array_equal(strategies[0].keys, strategies[1].keys)
    assert np.allclose(strategies[0].chances, strategies[1].chances, atol=1e-9)


# What is refused.


def test_a_player_that_forgets_is_refused() -> None:
    with pytest.raises(Unsuitable, match="imperfect recall"):
        Solver(Forgetful())


def test_moves_that_depend_on_what_is_hidden_are_refused() -> None:
    with pytest.raises(GameError, match="does not tell apart"):
        Solver(Confused())


def test_too_large_a_game_is_refused() -> None:
    with pytest.raises(TooDeep, match="more than 100 ends"):
        Solver(games.load("leduc_poker"), most_ends=100)


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(UnknownName, match="cfr, cfr-simultaneous"):
        Solver(games.load("kuhn_poker"), "cfr++")


def test_when_to_stop_must_be_said() -> None:
    with pytest.raises(ValueError, match="say when to stop"):
        Solver(games.load("kuhn_poker")).solve()


# Files.


def test_a_saved_solver_continues_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    whole = Solver(game, "cfr+").solve(iterations=200)
    half = Solver(game, "cfr+")
    half.solve(iterations=100)
    half.save(file)
    again = Solver(game, "cfr+")
    again.resume(file)
    assert np.allclose(again.solve(iterations=200).chances, whole.chances, atol=1e-12)
    with pytest.raises(StrategyError, match="was saved by cfr\\+, so cfr cannot continue it"):
        Solver(game, "cfr").resume(file)


def test_a_strategy_is_saved_and_asked(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    strategy = Solver(game).solve(iterations=1_000)
    strategy.save(file)
    again = Strategy.load(file, game)
    state = game.play(4 * 3 + 2)  # a King against a Queen
    assert again.policy(state) == strategy.policy(state)
    assert again.exploitability == strategy.exploitability
    assert sum(again.policy(state).values()) == pytest.approx(1)
    with pytest.raises(StrategyError, match="is for KuhnPoker"):
        Strategy.load(file, games.load("leduc_poker"))
    with pytest.raises(StateError, match="says nothing"):
        again.policy(game.initial()._replace(first=3, second=3, moves=0b1111))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    with pytest.raises(StrategyError, match="there is no file"):
        Strategy.load(file, game)
    Solver(game).solve(iterations=10).save(file)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(StrategyError, match="damaged"):
        Strategy.load(file, game)
    file.write_bytes(data)
    with np.load(file) as arrays:
        kept = dict(arrays)
    kept["chances"] = kept["chances"] * 2
    np.savez(file, **kept)
    with pytest.raises(StrategyError, match="add up to 1"):
        Strategy.load(file, game)
