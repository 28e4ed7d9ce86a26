"""Stopping, interrupting, thinking in the background and on several threads: the engine is usable after all of it."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from zermelo import games
from zermelo.search.engine import Engine

pytestmark = pytest.mark.timing

PROMPT = 1.0
"""Seconds: what is prompt takes milliseconds, on a machine of one's own."""


@pytest.fixture(scope="module", params=["compiled", "plain", "two threads"])
def engine(request: pytest.FixtureRequest) -> Engine:
    made = Engine(
        games.load("connect_four", width=8, height=7),
        table=1,
        compile=request.param != "plain",
        threads=2 if request.param == "two threads" else 1,
    )
    made.think(nodes=1)
    return made


def is_usable(engine: Engine) -> bool:
    game = engine.game
    return engine.think(depth=2).depth == 2 and engine.think(nodes=200).action in game.legal(game.initial())


def test_stop_ends_a_search_without_limits(engine: Engine) -> None:
    begun = threading.Event()
    timer = threading.Thread(target=lambda: (begun.wait(), time.sleep(0.05), engine.stop()))
    timer.start()
    began = time.perf_counter()
    found = engine.think(seconds=math.inf, on_progress=lambda _: begun.set())
    assert time.perf_counter() - began < 0.05 + PROMPT
    timer.join()
    assert found.depth >= 1
    assert found.action in engine.game.legal(engine.game.initial())
    assert is_usable(engine)


def test_stop_from_within(engine: Engine) -> None:
    """Whoever is told of the progress may find that it is enough."""
    found = engine.think(seconds=math.inf, on_progress=lambda p: engine.stop() if p.depth == 3 else None)
    assert found.depth == 3
    assert is_usable(engine)


def test_stop_before_the_start_is_no_stop(engine: Engine) -> None:
    engine.stop()
    assert engine.think(depth=4).depth == 4


def test_start_and_stop_a_hundred_times(engine: Engine) -> None:
    began = time.perf_counter()
    for i in range(100):
        thinking = engine.start()
        if i % 4 == 0:
            time.sleep(0.002)
        found = thinking.stop()
        assert found.action in engine.game.legal(engine.game.initial())
        assert thinking.is_over()
    assert time.perf_counter() - began < 20
    assert threading.active_count() < 20
    assert is_usable(engine)


def test_a_second_search_waits_for_the_first(engine: Engine) -> None:
    order: list[str] = []
    begun = threading.Event()

    def first(_: Any) -> None:
        begun.set()

    thinking = engine.start(on_progress=first)
    begun.wait()
    second = threading.Thread(target=lambda: order.append(f"second {engine.think(depth=2).depth}"))
    second.start()
    second.join(0.05)
    assert second.is_alive()
    order.append("first")
    thinking.stop()
    second.join()
    assert order == ["first", "second 2"]


def test_many_threads_ask_one_engine(engine: Engine) -> None:
    depths: list[int] = []
    threads = [
        threading.Thread(target=lambda d=depth: depths.append(engine.think(depth=d).depth))
        for depth in (1, 2, 3, 4) * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(depths) == sorted([1, 2, 3, 4] * 3)


def test_stopping_one_that_waits_stops_no_other(engine: Engine) -> None:
    begun = threading.Event()
    first = engine.start(on_progress=lambda _: begun.set())
    begun.wait()
    second = engine.start()
    third = engine.start(depth=3)
    second.limit(0.001)
    time.sleep(0.05)
    assert not first.is_over()
    assert first.stop().depth >= 1
    assert second.result(PROMPT).depth >= 0  # its time was up before its turn came
    assert third.result(PROMPT).depth == 3
    assert third.stop() is third.result()  # over already: nothing happens


def test_waiting_for_a_result(engine: Engine) -> None:
    thinking = engine.start()
    with pytest.raises(TimeoutError, match="still thinking"):
        thinking.result(0.01)
    assert not thinking.is_over()
    assert thinking.stop() is thinking.result(0)
    with pytest.raises(ValueError, match="seconds must be a number of more than 0, not -1"):
        thinking.limit(-1)
    with pytest.raises(ValueError, match="depth must be a whole number"):
        engine.start(depth=0).result()


def test_pondering(engine: Engine) -> None:
    """Think about the reply that is expected: where it comes, there is a head start; where it does not, think anew."""
    game = engine.game
    plan = engine.think(depth=4)
    expected = game.play(*plan.line[:2])
    hit = engine.start(expected)
    while hit.latest is None:
        time.sleep(0.001)
    hit.limit(0.05)
    began = time.perf_counter()
    found = hit.result()
    assert time.perf_counter() - began < 0.05 + PROMPT
    assert found.state == expected
    assert found.depth >= hit.latest.depth >= 1
    miss = engine.start(expected)
    assert miss.stop().state == expected
    other = next(s for a in game.legal(game.play(plan.action)) if (s := game.play(plan.action, a)) != expected)
    assert engine.think(other, nodes=100).state == other


def test_a_limit_comes_before_the_search_has_begun(engine: Engine) -> None:
    for _ in range(20):
        thinking = engine.start()
        thinking.limit(0.001)
        thinking.limit(math.inf)  # changes nothing
        assert thinking.result(PROMPT).action in engine.game.legal(engine.game.initial())


def test_an_exception_of_the_listener_is_raised(engine: Engine) -> None:
    def refuse(progress: Any) -> None:
        if progress.depth == 2:
            raise RuntimeError("enough")

    for ask in (engine.think, lambda **given: engine.start(**given).result()):
        with pytest.raises(RuntimeError, match="enough"):
            ask(seconds=math.inf, on_progress=refuse)
        assert is_usable(engine)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals of this kind are POSIX")
def test_an_interrupt_ends_a_search(engine: Engine) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    def interrupted(delay: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, delay)
        engine.think(seconds=math.inf)

    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        for delay in (0.0005, 0.003, 0.02, 0.1):
            began = time.perf_counter()
            with pytest.raises(KeyboardInterrupt):
                interrupted(delay)
            assert time.perf_counter() - began < delay + PROMPT
            assert is_usable(engine)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


SCRIPT = """
import math, time
from zermelo import games
from zermelo.search.engine import Engine
engine = Engine(games.load("connect_four", width=8, height=7), table=1)
engine.think(nodes=1)
try:
    print("ready", flush=True)
    engine.think(seconds=math.inf)
except KeyboardInterrupt:
    print("interrupted", engine.think(depth=1).depth, flush=True)
"""


def test_control_c() -> None:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    began = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    assert process.stdout.readline() == "interrupted 1\n"
    assert time.monotonic() - began < PROMPT
    assert process.wait(10) == 0


def test_many_solutions_can_be_stopped() -> None:
    game = games.load("connect_four", width=8, height=7)
    engine = Engine(game, table=1)
    engine.solve(game.play("4", "4", "4", "4", "4"), nodes=10)
    over = threading.Event()

    def stop() -> None:
        while not over.wait(0.05):  # one that comes before the start is no stop
            engine.stop()

    threading.Thread(target=stop, daemon=True).start()
    assert engine.solve_many([game.initial()] * 3) == []
    over.set()
    assert is_usable(engine)


def test_who_is_told_cannot_ask(engine: Engine) -> None:
    """It would wait for itself."""
    with pytest.raises(RuntimeError, match="on_progress callbacks cannot start another search"):
        engine.think(depth=2, on_progress=lambda progress: engine.think(depth=1))
    assert engine.think(depth=1).action in engine.game.legal(engine.game.initial())
