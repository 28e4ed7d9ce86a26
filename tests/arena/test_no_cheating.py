"""Swap what is hidden, and the move stays the same: every player, in this process, in a worker and at the terminal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from support.swaps import SWAPS, swapped
from zermelo import Random, games
from zermelo.app.play import Table
from zermelo.arena.player import Choice, Turn
from zermelo.arena.pool import Workers
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Job
from zermelo.equilibria.solver import Solver

pytestmark = pytest.mark.security

SAMPLING = ["pimc:deals=6,per_deal=30,depth=3,compile=False", "mcts:nodes=40,compile=False", "random"]


def move_of(answer: Any) -> Any:
    return answer.action if isinstance(answer, Choice) else answer


def test_every_hidden_game_is_here() -> None:
    hidden = {name for name in games.names() if games.load(name).hidden}
    assert hidden - {"no_limit_holdem"} == set(SWAPS)  # it hides what limit hold'em hides


@pytest.mark.parametrize("words", SAMPLING)
@pytest.mark.parametrize("name", SWAPS)
def test_a_player_chooses_the_same_whatever_is_hidden(name: str, words: str) -> None:
    game, _, plays = swapped(name)
    player = player_of(words, game)
    for seed in range(3):
        assert len({move_of(player.choose(Turn.of(play, Random(seed)))) for play in plays}) == 1


@pytest.mark.parametrize("name", ["kuhn_poker", "matrix", "strategy_fusion", "non_locality"])
def test_an_equilibrium_chooses_the_same_whatever_is_hidden(name: str, tmp_path: Path) -> None:
    game, _, plays = swapped(name)
    Solver(game, compile=False).solve(iterations=20).save(tmp_path / "strategy.npz")
    for words in ("equilibrium:compile=False,until=0.1", f"equilibrium:{tmp_path / 'strategy.npz'}", "auto"):
        player = player_of(words, game)
        for seed in range(6):
            assert len({move_of(player.choose(Turn.of(play, Random(seed)))) for play in plays}) == 1


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_tic_tac_toe", "limit_holdem"])
def test_the_search_itself_does_not_look(name: str) -> None:
    """Even if it is given the true state."""
    from zermelo import analyse

    game, _, plays = swapped(name)
    options: dict[str, Any] = {"seed": 3, "compile": False}
    for how in ({"algorithm": "pimc", "deals": 6, "per_deal": 30, "depth": 3}, {"algorithm": "mcts", "nodes": 60}):
        answers = [analyse(game, play.state, **how, **options) for play in plays]  # type: ignore[arg-type]
        assert len({tuple(str(move) for move in answer.moves) for answer in answers}) == 1


def test_workers_play_the_same_whatever_is_hidden() -> None:
    """The first move of the King against a Jack and against a Queen, with the same seeds, in another process."""
    first = {"pimc:deals=4,enumerate=False,compile=False": set(), "mcts:nodes=12,compile=False": set()}
    jobs = [
        Job("kuhn_poker", (words, "random"), number, 0, opening=(deal,), seed=seed)
        for words in first
        for seed in range(3)
        for number, deal in ((seed, "14"), (seed, "13"))
    ]
    workers = Workers(1)
    try:
        for record in workers.play(jobs):
            first[record.players[0]].add((record.seed, record.number, record.moves[1]))
    finally:
        workers.close()
    for moves in first.values():
        assert len(moves) == 3  # one for each seed


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice", "phantom_tic_tac_toe", "limit_holdem"])
def test_the_terminal_shows_the_same_whatever_is_hidden(name: str, tmp_path: Path) -> None:
    """A person sees the same, and gets the same hint."""
    _, player, plays = swapped(name)
    shown = []
    for number, play in enumerate(plays):
        console, typed = Console(record=True, width=100, file=io.StringIO()), iter(["hint", "moves", "quit"])
        file = tmp_path / f"{number}.jsonl"
        table = Table(play, {player}, 0.05, console, lambda _, typed=typed: next(typed), what=name, file=file)
        table.random = Random(5)
        table.adviser = "mcts:nodes=30,compile=False"
        table.run()
        shown.append(console.export_text().replace(file.name, ""))
    assert len(set(shown)) == 1
    assert "illegal" not in shown[0]
