"""Input that is wrong in unusual ways ends in an error of the library that says so, quickly and without leftovers."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, Game, GameError, StateError, ZermeloError, analyse, u8
from zermelo.app.cli import main
from zermelo.games.chess import Chess, epd
from zermelo.games.go.sgf import read as read_sgf
from zermelo.kernel.cache import _digest
from zermelo.kernel.files import write_whole
from zermelo.play.files import read_games
from zermelo.play.record import KIND, Record
from zermelo.trees import TreeError, parse


class Coin(NamedTuple):
    side: u8


class Crooked(Game):
    """Probabilities that add up to 1, one of them negative."""

    players = 1
    chance = True
    utility_range = (0, 1)

    def initial(self) -> Coin:
        return Coin(0)

    def to_move(self, s: Coin) -> int:
        return CHANCE

    def actions(self, s: Coin) -> Iterator[int]:
        yield from range(0)

    def outcomes(self, s: Coin) -> Iterator[tuple[int, float]]:
        yield 1, 1.5
        yield 2, -0.5

    def result(self, s: Coin, a: int) -> Coin:
        return Coin(a)

    def is_terminal(self, s: Coin) -> bool:
        return s.side > 0

    def utility(self, s: Coin, p: int) -> float:
        return float(s.side - 1)


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1", "star2", "maxn", "greedy", "and_or", "mcts"])
def test_negative_probabilities_are_refused(algorithm: str) -> None:
    limits: dict[str, Any] = {"nodes": 50} if algorithm == "mcts" else {}
    with pytest.raises(GameError, match="negative"):
        analyse(Crooked(), algorithm=algorithm, compile=False, **limits)


# Saved games.

SAVED: dict[str, Any] = {
    "zermelo": KIND,
    "game": "tic_tac_toe",
    "moves": ["5", "1"],
    "players": ["a", "b"],
    "movers": [0, 1],
    "charged": 0,
    "variations": [{"after": 1, "moves": ["2"]}],
}
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from([*SAVED, "parameters", "utilities", "notes", "tags", "seed", "start"]), JUNK))
def test_a_damaged_saved_game_is_refused_or_read(changed: dict[str, Any]) -> None:
    try:
        record = Record.from_json({**SAVED, **changed})
        record.states(record.load())
    except ZermeloError:
        pass


def test_players_may_not_be_null() -> None:
    with pytest.raises(GameError, match="'players' is a list of names"):
        Record.from_json({**SAVED, "players": None})


def test_json_that_is_nested_too_deep(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("[" * 100_000 + "]" * 100_000 + "\n")
    with pytest.raises(GameError, match="nested too deep"):
        list(read_games(file))


# Games and positions.


def test_a_single_pile_is_a_pile() -> None:
    assert zermelo.games.load("nim", piles=5).piles == (5,)
    with pytest.raises(GameError, match="from 0 to 255, not 300"):
        zermelo.games.load("nim", piles=300)


@pytest.mark.parametrize("wrong", [None, 5, b"8/8", ["8/8"]])
def test_positions_are_text(wrong: Any) -> None:
    for read in (
        Chess().from_fen,
        zermelo.games.load("othello").from_text,
        zermelo.games.load("go", size=5).from_text,
        lambda text: epd.parse(Chess(), text),
    ):
        with pytest.raises(StateError, match="is text, not"):
            read(wrong)


def test_a_tree_of_ten_megabytes_is_refused_at_once() -> None:
    text = "[" + "1," * 5_000_000 + "1]"
    began = time.perf_counter()
    with pytest.raises(TreeError, match="at most 2,000,000 are read"):
        parse(text)
    assert time.perf_counter() - began < 1


@settings(max_examples=200, deadline=None)
@given(st.text("[]{}(),:~\"'\\ \n\t0123456789./-xMAINCHE#e∞", max_size=60))
def test_any_text_is_a_tree_or_an_error(text: str) -> None:
    with contextlib.suppress(ZermeloError):
        parse(text).to_game()


@settings(max_examples=200, deadline=None)
@given(st.text("();[]\\:BWAEFSZKM19ab \n", max_size=60))
def test_any_text_is_sgf_or_an_error(text: str) -> None:
    with contextlib.suppress(ZermeloError):
        read_sgf(text)


# Files.


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "file", b"data")
    assert list(tmp_path.iterdir()) == []


def test_the_digest_of_a_cached_program_depends_on_its_name(tmp_path: Path) -> None:
    assert _digest(tmp_path / "a.program", b"code") != _digest(tmp_path / "b.program", b"code")
    assert _digest(tmp_path / "a.program", b"code") == _digest(Path("a.program"), b"code")


def test_the_saved_form_is_plain_json() -> None:
    record = Record.from_json(SAVED)
    assert Record.from_json(json.loads(record.line())) == record


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Not Python's own file in which the error was raised, and not the temporary file."""
    (tmp_path / "file").write_text("no folder")
    for folder in ("file/run", "/proc/none"):
        where = str(tmp_path / folder)  # an absolute name stays as it is
        found = CliRunner().invoke(main, ["learn", "breakthrough", "--generations", "1", "--folder", where])
        assert found.exit_code == 2
        assert found.stderr.startswith(f"zermelo: {where}: ")
        assert ".py" not in found.stderr
    (tmp_path / "some").mkdir()
    with pytest.raises(IsADirectoryError, match=r"some'$"):
        write_whole(tmp_path / "some", b"")
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".part")] == []
