"""One token stops every kind of search, from any thread, at once; a stop that comes first is not lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from test_errors import Count, Forever

from zermelo import Engine, StopToken, analyse, games
from zermelo.arena.player import Turn
from zermelo.arena.roster import player_of
from zermelo.kernel.random import Random
from zermelo.search.proof_number import prove

LONG = 3600.0
PATIENT = 60.0
"""Without the stop the search would take an hour: this is no measurement, and does not depend on the machine."""


def stopped(search: Callable[[StopToken], Any], begun: threading.Event | None = None) -> Any:
    """What a search answers that is stopped once it has begun."""
    token = StopToken()
    answer: list[Any] = []
    thread = threading.Thread(target=lambda: answer.append(search(token)), daemon=True)
    thread.start()
    if begun is None:
        time.sleep(0.2)
    else:
        assert begun.wait(PATIENT)
    token.stop()
    thread.join(PATIENT)
    assert answer, "the search did not stop"
    return answer[0]


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize("algorithm", ["minimax", "engine", "proof_number"])
def test_every_algorithm_stops(algorithm: str, compile: bool) -> None:
    game = games.load("connect_four", width=8, height=7)
    analyse(game, algorithm=algorithm, nodes=10, compile=compile)
    found = stopped(lambda token: analyse(game, algorithm=algorithm, seconds=LONG, compile=compile, stop=token))
    assert found.seconds < PATIENT
    assert found.action in game.legal(game.initial())
    already = StopToken()
    already.stop()
    found = analyse(game, algorithm=algorithm, seconds=LONG, compile=compile, stop=already)
    assert found.nodes == 0
    assert found.action in game.legal(game.initial())


def test_a_deadline_of_the_token_stops_it() -> None:
    game = games.load("connect_four", width=8, height=7)
    found = analyse(game, algorithm="minimax", seconds=LONG, compile=False, stop=StopToken(seconds=0.05))
    assert found.seconds < PATIENT


def test_a_proof_stops() -> None:
    game = games.load("connect_four", width=8, height=7)
    proof = stopped(lambda token: prove(game, compile=False, stop=token))
    assert proof.verdict == "unknown"


class Slow(Forever):
    """Takes an hour for its moves, in plain Python."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def actions(self, s: Count) -> Iterator[int]:
        end = time.monotonic() + (LONG if s.n == 2 else 0)
        while time.monotonic() < end:
            self.begun.set()
            time.sleep(0.001)
        yield 0


@pytest.mark.parametrize("algorithm", ["minimax", "engine"])
def test_a_slow_method_of_a_game_is_interrupted(algorithm: str) -> None:
    game = Slow()
    found = stopped(lambda token: analyse(game, algorithm=algorithm, depth=5, compile=False, stop=token), game.begun)
    assert found.action == 0


@pytest.mark.parametrize("words", ["engine:seconds=3600", "minimax:seconds=3600", "engine:seconds=3600,random=0.0"])
def test_a_players_turn_is_stopped_by_its_token(words: str) -> None:
    game = games.load("connect_four", width=8, height=7)
    player = player_of(f"{words},compile=false", game)
    state = game.initial()

    def move(token: StopToken) -> Any:
        return player.choose(Turn(game, [state], [], 0, Random(1), stop=token))

    assert stopped(move).action in game.legal(state)


def test_stopping_one_search_of_an_engine_stops_no_other() -> None:
    engine = Engine(games.load("connect_four", width=8, height=7), compile=False, table=1)
    token = StopToken()
    waiting = engine.start(stop=token)
    other = engine.start(depth=2)
    token.stop()
    assert waiting.result(PATIENT).action is not None
    assert other.result(PATIENT).depth == 2
    assert not engine.start(depth=1).token.is_set


def test_a_late_stop_of_one_search_does_not_stop_the_next() -> None:
    engine = Engine(games.load("tic_tac_toe"), compile=False, table=1)
    with engine._turn():
        first = engine._stop
    with engine._turn():
        engine._raise_flags(first)
        assert not engine.memories[0].stop[0]
        engine._raise_flags(engine._stop)
        assert engine.memories[0].stop[0]


def test_thinking_in_the_background_is_limited() -> None:
    engine = Engine(games.load("connect_four", width=8, height=7), compile=False, table=1)
    thinking = engine.start(seconds=LONG)
    thinking.limit(0.05)
    assert thinking.result(PATIENT).seconds < PATIENT
    thinking.limit(1)  # it is over: nothing happens, and no timer is started
    assert thinking.stop() is thinking.result()
