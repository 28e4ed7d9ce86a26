"""The engine with endgame tables: exact values inside the search, and never a worse move than without."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo import Engine, games
from zermelo.arena.players import Reader, SearchPlayer
from zermelo.arena.roster import player_of
from zermelo.games.checkers import Checkers
from zermelo.kernel.table_files import DamagedTable
from zermelo.lookup.building import build_classes
from zermelo.lookup.probing import Tables

CHESS = games.load("chess")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    build_classes(CHESS, ["KRK", "KQK"], folder=made)
    return made


@pytest.fixture(scope="module")
def engine(folder: Path) -> Engine:
    return Engine(CHESS, endgames=Tables(CHESS, folder), table=1)


def test_the_longest_mate_is_found_at_once(engine: Engine) -> None:
    found = engine.think(CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"), nodes=20_000)
    assert (found.value, found.distance, found.exact) == (1, 31, True)
    assert found.nodes < 2000
    assert len(found.line) == 9  # its move, and eight from the table


def test_both_sides_play_it_to_the_mate(engine: Engine) -> None:
    s = CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    history = []
    while not CHESS.remembering([*history, s]).is_terminal(s):
        move = engine.think(s, nodes=20_000, history=history).action
        history.append(s)
        s = CHESS.result(s, move)
    assert len(history) == 31
    assert CHESS.utility(s, 0) == 1


def test_a_capture_into_a_table_is_exact(engine: Engine) -> None:
    """Four men, of which no table has all: the queen takes the rook, and the rest is known."""
    found = engine.think(CHESS.from_text("8/8/8/2kq4/8/8/8/K6R b - - 0 1"), depth=9)
    assert (found.value, found.distance) == (1, 9)


def test_it_says_so(engine: Engine) -> None:
    told = engine.explain(CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"), nodes=20_000)
    assert told.best.source == "endgame table"
    assert "from the table: loss in 30 plies for Black." in str(told.best) or told.best.line
    assert "by endgame tables" in told.work


def test_a_win_that_comes_too_late_is_an_estimate(engine: Engine) -> None:
    """After 90 plies without progress a mate in 31 plies may not come: it is not called proven."""
    late = engine.think(CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 90 100"), nodes=20_000)
    assert late.distance is None
    assert not late.exact
    soon = engine.think(CHESS.from_text("7k/8/5K2/8/8/8/8/R7 w - - 90 100"), nodes=20_000)
    assert soon.distance == 3


def test_built_tables_are_used_unless_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_TABLES", str(folder))
    used = Engine(CHESS, table=0).endgames
    assert used is not None
    assert used.names == ("KK", "KQK", "KRK")
    assert Engine(CHESS, table=0, endgames=False).endgames is None
    assert Engine(games.load("tic_tac_toe"), table=0).endgames is None
    with pytest.raises(ValueError, match="endgames must be True, False or the Tables to use, not 'no'"):
        Engine(CHESS, table=0, endgames="no")  # type: ignore[arg-type]
    monkeypatch.setenv("ZERMELO_TABLES", str(folder / "nowhere"))
    assert Engine(CHESS, table=0).endgames is None


def test_a_damaged_block_is_an_error(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "chess").mkdir()
    for file in (folder / "chess").glob("*.win"):
        (tmp_path / "chess" / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "chess" / "KRK.win"
    content = bytearray(path.read_bytes())
    for i in range(len(content) - 12_000, len(content) - 8):
        content[i] ^= 255
    path.write_bytes(content)
    engine = Engine(CHESS, endgames=Tables(CHESS, tmp_path), table=1)
    with pytest.raises(DamagedTable, match=r"KRK\.win is damaged: block \d+ does not match its checksum"):
        engine.think(CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"), nodes=20_000)


def test_several_threads_have_probers_of_their_own(folder: Path) -> None:
    engine = Engine(CHESS, endgames=Tables(CHESS, folder), table=1, threads=2)
    found = engine.think(CHESS.from_text("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"), nodes=20_000)
    assert found.distance == 31
    assert engine.memories[0].prober.cache is not engine.memories[1].prober.cache


@pytest.mark.slow
def test_of_two_draws_the_better_position_is_kept(tmp_path: Path) -> None:
    """The opponent may not have the tables. The value is a draw, all the same."""
    game = Checkers()
    build_classes(game, ["KvM"], folder=tmp_path)
    tables = Tables(game, tmp_path)
    s = game.from_fen("B:W17:BK8")
    drawn = [a for a, verdict in tables.best_moves(s) if verdict.value == 0]
    assert len(drawn) == 4
    found = Engine(game, endgames=tables, table=1).think(s, depth=1)
    assert (found.value, found.exact) == (0, True)
    assert found.action == max(drawn, key=lambda a: game.evaluate(game.result(s, a), 0))
    assert found.action != min(drawn, key=lambda a: game.evaluate(game.result(s, a), 0))


def test_levels_below_full_do_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their ratings were measured without tables."""
    monkeypatch.setenv("ZERMELO_TABLES", str(folder))
    for name, uses in (("expert", False), ("full", True)):
        player = player_of(f"level:{name}", CHESS)
        player = player.player if isinstance(player, Reader) else player
        assert isinstance(player, SearchPlayer)
        assert (player.searcher.engine.endgames is not None) is uses  # type: ignore[attr-defined]
