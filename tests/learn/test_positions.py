"""Positions from self-play: whole games, exact results, files that survive a kill, the same in both modes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo import Game, i16, u8, u64
from zermelo.games.resolve import resolve
from zermelo.kernel.flat import count_words, read_state, write_state
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.learn.positions import FIRST, LAST, RANDOM, WON, Generator, PlaySettings, generate, load, states, words
from zermelo.learn.positions.files import Appender, InUse, NotPositions
from zermelo.learn.positions.generator import BLOCK
from zermelo.search.engine.engine import Engine

SMALL: dict[str, Any] = {"width": 4, "height": 5}
SETTINGS = PlaySettings(nodes=40, seed=3, opening=(1, 3), random_moves=0.2)


@pytest.fixture(scope="module")
def game() -> Game:
    return resolve("breakthrough", SMALL)


@pytest.fixture(scope="module")
def block(game: Game) -> Any:
    return Generator(game, SETTINGS).block(7, 300)


class Inner(NamedTuple):
    small: u8
    below: i16


class Nested(NamedTuple):
    board: tuple[u64, u64]
    inner: Inner
    mover: u8


class Nest(Game):
    def initial(self) -> Nested:
        return Nested((3, 1 << 63), Inner(200, -5), 1)


def through_words(game: Any, s: Nested, row: Any) -> int:
    write_state(s, row)
    again = read_state(row, s)
    return int(again.board[1] == s.board[1] and again.inner.below == s.inner.below and again.inner.small == 200)


def test_a_nested_state_survives_its_words_in_both_modes() -> None:
    start, row = Nest().initial(), np.zeros(5, np.uint64)
    assert count_words(Nested) == 5
    assert Routine(through_words).compiled(Nest(), row)(start) == 1
    compiled = row.tolist()
    write_state(start, row)
    assert row.tolist() == compiled
    assert read_state(row.tolist(), start) == start


def test_games_follow_the_rules_and_results_are_those_of_the_end(game: Game, block: Any) -> None:
    found = list(states(block, game))
    flags = block["flags"]
    assert flags[0] & FIRST
    assert flags[-1] & LAST
    assert (np.flatnonzero(flags & LAST)[:-1] + 1 == np.flatnonzero(flags & FIRST)[1:]).all()
    for i, s in enumerate(found):
        assert game.to_move(s) == block["ply"][i] % 2
        if flags[i] & LAST:
            if flags[i] & WON:
                assert block["score"][i] == block["result"][i]
            else:
                assert any(game.is_terminal(game.result(s, a)) for a in game.actions(s))
        else:
            assert found[i + 1] in [game.result(s, a) for a in game.actions(s)]
            assert block["result"][i + 1] == -block["result"][i]
    assert (flags & RANDOM).any()


def test_scores_are_those_of_the_engine(game: Game, block: Any) -> None:
    engine = Engine(game, endgames=False)
    for s, row in list(zip(states(block, game), block, strict=True))[:40]:
        if row["flags"] & WON:
            analysis = engine.think(s, depth=12)
            assert analysis.value == row["score"], s


def test_both_modes_play_the_same_games(game: Game) -> None:
    few = PlaySettings(nodes=8, seed=1, opening=(2, 2))
    compiled, plain = (Generator(game, few, compile=mode).block(0, 6) for mode in (None, False))
    assert compiled.tobytes() == plain.tobytes()


def test_a_block_depends_on_its_number_only(game: Game, block: Any) -> None:
    generator = Generator(game, SETTINGS)
    other = generator.block(8, 300)
    assert generator.block(7, 300).tobytes() == block.tobytes()
    assert other.tobytes() != block.tobytes()


def test_words_and_records_hold_the_same_states(game: Game, block: Any) -> None:
    rows = words(block)
    assert [read_state(row.tolist(), game.initial()) for row in rows[:20]] == list(states(block[:20], game))


def test_a_folder_is_resumed_as_if_never_interrupted(tmp_path: Path, game: Game) -> None:
    limits: dict[str, Any] = {"nodes": 10, "opening": (1, 3)}
    generate(game, tmp_path / "whole", positions=BLOCK + 500, **limits)
    generate(game, tmp_path / "parts", positions=BLOCK, **limits)
    file = next((tmp_path / "parts").glob("*.zpos"))
    with file.open("ab") as torn:
        torn.write(b"\0" * 1000)  # a block of which only zeros have reached the disk
    generate(game, tmp_path / "parts", positions=BLOCK + 500, **limits)
    whole, parts = (load(tmp_path / name, game) for name in ("whole", "parts"))
    assert len(whole) >= BLOCK + 500
    assert parts.tobytes() == whole.tobytes()


def test_files_say_what_is_wrong(tmp_path: Path, game: Game) -> None:
    generate(game, tmp_path, positions=20, nodes=10, opening=(1, 3))
    file = next(tmp_path.glob("*.zpos"))
    with pytest.raises(NotPositions, match=r"made with another settings.*use another folder"):
        generate(game, tmp_path, positions=2_000, nodes=11, opening=(1, 3))
    with pytest.raises(NotPositions, match=r"positions of 'Breakthrough\(width=4, height=5, rows=2\)'"):
        load(tmp_path, resolve("breakthrough", {"width": 5, "height": 5}))
    whole = file.read_bytes()
    for damage in (bytes(100), whole[-101:-1]):  # a hole, and records of another place
        middle = len(whole) - 5 * 100
        file.write_bytes(whole[:middle] + damage + whole[middle + len(damage) :])
        with pytest.raises(NotPositions, match=r"is damaged at position \d+ of \d+: delete this file"):
            load(tmp_path, game)
        with pytest.raises(NotPositions, match=r"is damaged at position"):
            generate(game, tmp_path, positions=99, nodes=10, opening=(1, 3))
    file.write_bytes(whole)
    (tmp_path / "other.zpos").write_bytes(b"something else")
    with pytest.raises(NotPositions, match=r"other\.zpos is no file of positions"):
        load(tmp_path, game)
    settings = {**PlaySettings(nodes=10, opening=(1, 3)).to_json(), "evaluation": None}
    with Appender(file, game, settings), pytest.raises(InUse, match="being written by another process"):
        Appender(file, game, settings)


def test_a_stopped_run_keeps_whole_games(tmp_path: Path, game: Game) -> None:
    token = StopToken()
    token.stop()
    done = generate(game, tmp_path, positions=1_000_000, nodes=20, opening=(1, 3), stop=token)
    assert done.positions == 0
    token = StopToken(seconds=0.3)
    done = generate(game, tmp_path, positions=1_000_000_000, nodes=20, opening=(1, 3), stop=token)
    assert 0 < done.positions < 1_000_000_000
    assert load(tmp_path, game)["flags"][-1] & LAST


def test_processes_survive_a_kill_and_are_resumed(tmp_path: Path, game: Game) -> None:
    script = (
        "from zermelo.learn.positions import generate\n"
        f"generate('breakthrough', {str(tmp_path)!r}, parameters={SMALL!r}, positions=10**9, workers=2, nodes=20, "
        "opening=(1, 3))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], env=dict(os.environ))
    try:
        deadline = time.monotonic() + 100
        while len(load(tmp_path, game)) == 0:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = len(load(tmp_path, game))
    done = generate(
        "breakthrough", tmp_path, parameters=SMALL, positions=before + 100, workers=2, nodes=20, opening=(1, 3)
    )
    assert done.positions >= before + 100
