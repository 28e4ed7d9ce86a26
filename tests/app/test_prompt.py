"""Nobody waits for the compiler: players answer in plain Python until their program is there."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from zermelo.app import compiling
from zermelo.app.prompt import PromptPlayer
from zermelo.arena.player import Turn
from zermelo.arena.roster import plainly
from zermelo.games import load, names
from zermelo.kernel.random import Random
from zermelo.play.play import Play


class Compiler:
    """Stands for the process that compiles: it ends when it is told to."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.over = threading.Event()
        compilers.append(self)

    def wait(self) -> int:
        self.over.wait(60)
        return 0

    def kill(self) -> None:
        self.over.set()


compilers: list[Compiler] = []


@pytest.fixture(autouse=True)
def slow_compiler(monkeypatch: pytest.MonkeyPatch, empty_cache: Path) -> None:
    compilers.clear()
    monkeypatch.setattr(subprocess, "Popen", Compiler)


def test_the_answer_comes_before_the_program() -> None:
    game = load("tic_tac_toe")
    player = PromptPlayer("engine:seconds=5", game, "tic_tac_toe", ())
    began = time.process_time()
    choice = player.choose(Turn.of(Play(game), Random(1)))
    assert time.process_time() - began < 2
    assert choice.analysis is not None
    assert not choice.analysis.compiled
    assert player.preparation is not None
    assert player.preparation.state == "compiling"
    assert str(player.preparation).startswith("compiling Tic-tac-toe, once: ")
    player.close()
    assert compilers[0].over.is_set()


def test_the_compiled_program_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("nim")
    player = PromptPlayer("engine:nodes=50", game, "nim", ())
    monkeypatch.setattr(compiling.Preparation, "mark", lambda _: None)
    assert player.preparation is not None
    player.preparation.make = lambda: compiling.ready_player("random", game)
    player.prepare()
    while not compilers:
        time.sleep(0.01)
    compilers[0].over.set()
    assert player.preparation.ready.wait(60)
    choice = player.choose(Turn.of(Play(game), Random(1)))
    assert choice.analysis is None  # which only the random player, in place of the program, does not give
    player.close()


def test_after_an_error_of_the_compiler_the_game_goes_on_in_plain_python() -> None:
    game = load("nim")
    player = PromptPlayer("engine:nodes=50", game, "nim", ())
    assert player.preparation is not None

    def fail() -> None:
        raise ValueError("the rules are wrong")

    player.preparation.make = fail
    player.prepare()
    while not compilers:
        time.sleep(0.01)
    compilers[0].over.set()
    assert player.preparation.ready.wait(60)
    assert (player.preparation.state, player.preparation.reason) == ("plain", "the rules are wrong")
    assert player.choose(Turn.of(Play(game), Random(1))).analysis is not None


@pytest.mark.parametrize("name", names())
def test_every_game_has_an_answer_in_plain_python_at_once(name: str) -> None:
    """Within 2 s of processor time, however strong the player and however long it would think."""
    game = load(name)
    play = Play(game, seed=3)
    while play.mover == -1:
        play.draw()
    player = PromptPlayer("auto:seconds=60", game, name, ())
    began = time.process_time()
    choice = player.choose(Turn.of(play, Random(1)))
    assert time.process_time() - began < 2
    assert choice.action in play.legal()
    player.close()


def test_players_in_plain_python() -> None:
    game = load("connect_four")
    assert plainly("random", game) is None
    assert plainly("engine:compile=false", game) is None
    assert plainly("engine", game) == "engine:compile=False,seconds=0.7,table=8"
    assert plainly("engine:seconds=5,threads=2", game) == "engine:seconds=0.7,compile=False,table=8"
    assert plainly("engine:seconds=0.1", game) == "engine:seconds=0.1,compile=False,table=8"
    assert plainly("alpha_beta:depth=9", game) == "alpha_beta:depth=9,compile=False,seconds=0.7,deepening=True"
    assert plainly("alpha_beta:depth=9", game, float("inf")) == "alpha_beta:depth=9,compile=False"
    assert str(plainly("level:casual", game)).startswith("engine:")
