"""Tables of chess endings: known results, agreement with a search, and everything that can happen to files."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import games
from zermelo.app.cli import main
from zermelo.game.errors import UnknownName, Unsuitable, ZermeloError
from zermelo.kernel import table_files
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import DamagedTable, Unfinished
from zermelo.lookup.building import ClassBuilder, build_classes, chosen_classes, plan
from zermelo.lookup.class_files import MAGIC, open_class, write_class
from zermelo.lookup.longest import longest_win
from zermelo.lookup.packing import BLOCK
from zermelo.lookup.probing import Tables
from zermelo.lookup.retrograde import EVERYTHING, INVALID, is_in_use
from zermelo.lookup.solving import Solver

CHESS = games.load("chess")
RULES = CHESS.timeless()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of all endings with three men."""
    made = tmp_path_factory.mktemp("tables")
    build_classes(CHESS, ["KPK"], folder=made, threads=2)
    return made


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    return Tables(CHESS, folder)


def test_published_results(folder: Path, tables: Tables) -> None:
    solved = {each.name: each for each in build_classes(CHESS, ["KPK"], folder=folder)}
    assert not any(each.built for each in solved.values())  # they are there
    assert [(solved[name].longest + 1) // 2 for name in ("KQK", "KRK", "KPK")] == [10, 16, 28]
    assert (solved["KPK"].won, solved["KPK"].lost) == (62480, 48802)
    assert all(solved[name].won + solved[name].lost == 0 for name in ("KK", "KBK", "KNK"))


def mates(game: Any, s: Any, plies: int) -> int:
    """Can the player to move mate within so many plies (an odd number), whatever the other one does?"""
    for a in game.actions(s):
        after = game.result(s, a)
        escape = False
        replies = 0
        for reply in game.actions(after):
            replies += 1
            if plies <= 2 or mates(game, game.result(after, reply), plies - 2) == 0:
                escape = True
                break
        if not escape and (replies > 0 or game.in_check(after)):
            return 1
    return 0


MATES = Routine(mates)


def test_random_positions_agree_with_a_search_to_mate(tables: Tables) -> None:
    draw = random.Random(17)
    names = RULES.class_names()
    programs = {plies: MATES.compiled(RULES, plies) for plies in (1, 3, 5)}
    compared, found = 0, 0
    while compared < 400:
        c = names.index(draw.choice(["KQK", "KRK", "KPK"]))
        i = draw.randrange(RULES.class_size(c))
        s = RULES.state_at(c, i)
        if not is_in_use(RULES, s, c, i) or RULES.is_terminal(s):
            continue
        compared += 1
        verdict = tables[s]
        mate = next((plies for plies in programs if programs[plies](s)), None)
        found += mate is not None
        quick = verdict.value == 1 and verdict.distance is not None and verdict.distance <= 5
        assert mate == (verdict.distance if quick else None), RULES.to_text(s)
    assert found > 4


def test_a_position_and_its_images_share_an_index() -> None:
    """Also with the colours exchanged; and every index in use leads back to itself."""
    places = {}
    for text in (
        "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/5k2/6R1/7K w - - 0 1", "K7/1R6/2k5/8/8/8/8/8 w - - 0 1",
        "k7/1r6/2K5/8/8/8/8/8 b - - 0 1", "7K/6R1/5k2/8/8/8/8/8 w - - 0 1",
    ):  # fmt: skip
        s = RULES.from_text(text)
        places[RULES.index_of(s)] = RULES.class_names()[RULES.class_of(s)]
    assert list(places.values()) == ["KRK"]
    draw = random.Random(1)
    for name in ("KPK", "KBNK", "KQKQ", "KPPK", "KPKP", "KRKP"):
        c = RULES.class_names().index(name)
        for _ in range(50):
            s = RULES.state_at(c, draw.randrange(RULES.class_size(c)))
            if RULES.class_of(s) == c:
                again = RULES.state_at(c, RULES.index_of(s))
                assert RULES.index_of(again) == RULES.index_of(s)


def test_moves_lead_to_classes_that_are_announced() -> None:
    draw = random.Random(3)
    names = RULES.class_names()
    for name in ("KPK", "KQKR", "KPKP", "KRPK"):
        c = names.index(name)
        for _ in range(30):
            i = draw.randrange(RULES.class_size(c))
            s = RULES.state_at(c, i)
            if is_in_use(RULES, s, c, i):
                after = {RULES.class_of(RULES.result(s, a)) for a in RULES.actions(s)}
                assert after <= {c, -1, *RULES.classes_after(c)}


def test_castling_and_en_passant_have_no_number() -> None:
    assert RULES.class_of(RULES.from_text("8/8/8/8/8/3k4/8/4K2R w K - 0 1")) == -1
    assert RULES.class_of(RULES.from_text("8/8/8/8/3pP3/8/1k6/4K3 b - e3 0 1")) == -1
    assert RULES.class_of(RULES.initial()) == -1


def test_the_longest_win_is_a_game_that_ends_in_mate(tables: Tables) -> None:
    start, moves = longest_win(tables, "KRK")
    s = start
    for a in moves:
        s = RULES.result(s, a)
    assert len(moves) == tables[start].distance == 31
    assert RULES.is_terminal(s)
    assert RULES.utility(s, RULES.to_move(start)) == 1
    with pytest.raises(UnknownName, match="no position of KBK is won"):
        longest_win(tables, "KBK")


def test_forward_passes_and_retractions_agree(tables: Tables, folder: Path) -> None:
    builder = ClassBuilder(RULES, folder)
    c = RULES.class_names().index("KQK")
    size = RULES.class_size(c)
    values = np.zeros(size, np.int16)
    solver = Solver(RULES, c, values, np.zeros(size, np.uint8), builder.others(c), threads=2)
    for work in solver.works:
        work.job[EVERYTHING] = 1  # examine every position in every pass
    solver.solve()
    expected = builder.opened(c).values(RULES)
    used = values != INVALID
    assert (values[used] == expected[used]).all()


def test_distances_to_conversion(folder: Path) -> None:
    """A promotion at once is a conversion in one ply, however far the mate is."""
    build_classes(CHESS, ["KPK"], folder=folder, distance="conversion", threads=2)
    tables = Tables(CHESS, folder, "conversion")
    assert str(tables[CHESS.from_text("8/P7/8/8/8/8/6k1/K7 w - - 0 1")]) == "win in 1 ply"
    s = CHESS.from_text("8/P7/8/8/8/8/6k1/K7 w - - 0 1")
    move, verdict = tables.best_moves(s)[0]
    assert (CHESS.action_name(s, move)[:4], str(verdict)) == ("a8=Q", "win in 1 ply")
    start, moves = longest_win(tables, "KPK")
    for a in moves:
        assert tables[start].distance == tables.best_moves(start)[0][1].distance
        start = RULES.result(start, a)
    assert RULES.is_terminal(start)  # the moves go on after the promotion, to the mate
    won = Tables(CHESS, folder)
    assert (won[CHESS.from_text("8/P7/8/8/8/8/6k1/K7 w - - 0 1")].distance or 0) > 10


# Interruptions and damage.


def copied(folder: Path, to: Path, *names: str) -> Path:
    """A folder with some of the tables."""
    (to / "chess").mkdir(parents=True)
    for name in names:
        (to / "chess" / f"{name}.win").write_bytes((folder / "chess" / f"{name}.win").read_bytes())
    return to


def test_a_stopped_build_continues_and_makes_the_same_file(folder: Path, tmp_path: Path) -> None:
    there = copied(folder, tmp_path, "KK")
    token = StopToken()

    def stop_in_pass_9(progress: Any) -> None:
        if progress.doing == "pass" and progress.number == 9:
            token.stop()

    done = build_classes(CHESS, ["KQK"], folder=there, stop=token, on_progress=stop_in_pass_9)
    assert [each.name for each in done] == ["KK"]
    assert (there / "chess" / "KQK.win.part").exists()
    build_classes(CHESS, ["KQK"], folder=there)
    assert (there / "chess" / "KQK.win").read_bytes() == (folder / "chess" / "KQK.win").read_bytes()
    assert not (there / "chess" / "KQK.win.part").exists()


def test_a_build_that_is_saved_in_the_middle_continues_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.lookup.building.SAVED", 0.0)
    there = copied(folder, tmp_path, "KK")
    token = StopToken()

    def stop_in_pass_7(progress: Any) -> None:
        if progress.doing == "pass" and progress.number == 7:
            token.stop()

    build_classes(CHESS, ["KRK"], folder=there, stop=token, on_progress=stop_in_pass_7)
    solved = build_classes(CHESS, ["KRK"], folder=there)[-1]
    assert solved.resumed
    assert (there / "chess" / "KRK.win").read_bytes() == (folder / "chess" / "KRK.win").read_bytes()


def test_a_killed_build_continues(folder: Path, tmp_path: Path) -> None:
    there = copied(folder, tmp_path, "KK", "KQK", "KRK", "KBK", "KNK")
    program = (
        "import sys, pathlib, zermelo.lookup.building as b; b.SAVED = 0.0; from zermelo import games; "
        "b.build_classes(games.load('chess'), ['KPK'], folder=pathlib.Path(sys.argv[1]), threads=1, "
        "on_progress=lambda p: print(p.doing, p.number, flush=True))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(there)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("pass 20"):
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    assert process.returncode == -signal.SIGKILL
    solved = build_classes(CHESS, ["KPK"], folder=there)[-1]
    assert solved.resumed
    assert (there / "chess" / "KPK.win").read_bytes() == (folder / "chess" / "KPK.win").read_bytes()


def test_two_builders_at_once(folder: Path, tmp_path: Path) -> None:
    there = copied(folder, tmp_path, "KK")
    path = there / "chess" / "KQK.win"
    with (
        Unfinished(path, "any", {"values": ("<i2", (8,))}).opened(),
        pytest.raises(ZermeloError, match=r"another process is building .*KQK\.win\.part: wait for it, or stop it"),
    ):
        build_classes(CHESS, ["KQK"], folder=there)


def test_a_builder_that_opened_the_work_file_of_a_finished_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking, the other builder has removed it: a new one is made, which others find."""
    there, locked, lock = copied(folder, tmp_path, "KK"), [], table_files._lock

    def lock_late(file: Any, path: Path) -> None:
        if not locked:
            path.unlink()
        locked.append(path)
        lock(file, path)

    monkeypatch.setattr(table_files, "_lock", lock_late)
    assert build_classes(CHESS, ["KQK"], folder=there)[-1].built
    assert len(locked) == 2
    assert (there / "chess" / "KQK.win").read_bytes() == (folder / "chess" / "KQK.win").read_bytes()


def test_a_full_disk(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = copied(folder, tmp_path, "KK")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "posix_fallocate", full)
        with pytest.raises(ZermeloError, match=r"no room for 0.3 MB in .*: No space left on device"):
            build_classes(CHESS, ["KQK"], folder=there)
    with monkeypatch.context() as patched:
        patched.setattr("zermelo.kernel.files.os.replace", full)
        with pytest.raises(ZermeloError, match=r"KQK\.win cannot be written: No space left on device"):
            build_classes(CHESS, ["KQK"], folder=there)
    assert [path.name for path in (there / "chess").glob(".*.part")] == []
    build_classes(CHESS, ["KQK"], folder=there)
    assert (there / "chess" / "KQK.win").read_bytes() == (folder / "chess" / "KQK.win").read_bytes()


@pytest.mark.parametrize("seed", range(12))
def test_damage_is_an_error_and_never_a_wrong_value(folder: Path, tmp_path: Path, tables: Tables, seed: int) -> None:
    there = copied(folder, tmp_path, "KK", "KQK")
    path = there / "chess" / "KQK.win"
    draw = random.Random(seed)
    content = bytearray(path.read_bytes())
    place = draw.randrange(len(content)) if seed else 3
    content[place] ^= 1 << draw.randrange(8)
    path.write_bytes(content if seed % 4 else content[: draw.randrange(len(content))])
    c = RULES.class_names().index("KQK")
    damaged = None
    with contextlib.suppress(DamagedTable):
        damaged = Tables(CHESS, there)
    for i in range(0, RULES.class_size(c), 517):
        s = RULES.state_at(c, i)
        if damaged is not None and is_in_use(RULES, s, c, i):
            try:
                assert damaged[s] == tables[s]
            except DamagedTable:
                continue  # of a block that is damaged
    with pytest.raises(DamagedTable, match=r"KQK\.win is damaged: .*; delete it and build it again"):
        open_class(path).values(RULES)


@pytest.mark.parametrize("change", ["palette", "lengths", "ends"])
def test_an_impossible_directory_is_damage_even_with_its_checksum(folder: Path, tmp_path: Path, change: str) -> None:
    """Compiled code does not check where it reads, so nothing of a file may lead it outside."""
    path = copied(folder, tmp_path, "KQK") / "chess" / "KQK.win"
    content = path.read_bytes()
    start = len(MAGIC) + 8
    length = int.from_bytes(content[start - 4 : start], "little")
    header, rest = json.loads(content[start : start + length]), bytearray(content[start + length :])
    if change == "palette":
        header["palette"] = header["palette"] * 1000
    elif change == "lengths":
        header["lengths"] = [1 for _ in header["lengths"]]
    else:
        rest[:8] = (1 << 40).to_bytes(8, "little")
    text = json.dumps(header).encode()
    checked = len(text).to_bytes(4, "little") + text + bytes(rest[: 12 * -(-header["size"] // BLOCK)])
    forged = MAGIC + zlib.crc32(checked).to_bytes(4, "little") + len(text).to_bytes(4, "little") + text + bytes(rest)
    path.write_bytes(forged)
    with pytest.raises(DamagedTable, match="its directory is impossible"):
        open_class(path)


def test_a_missing_table_is_named(folder: Path, tmp_path: Path) -> None:
    lonely = Tables(CHESS, copied(folder, tmp_path, "KPK"))
    s = CHESS.from_text("8/P7/8/8/8/8/6k1/K7 w - - 0 1")
    assert lonely[s].value == 1
    with pytest.raises(UnknownName, match="a move leads to KQK, whose table is missing"):
        lonely.best_moves(s)


def test_verification_finds_a_wrong_value(folder: Path, tmp_path: Path) -> None:
    there = copied(folder, tmp_path, "KK", "KQK")
    builder = ClassBuilder(RULES, there)
    c = RULES.class_names().index("KQK")
    assert builder.verify(c).positions == 46137
    file = builder.opened(c)
    values = file.values(RULES)
    wrong = next(
        i for i in range(40_000, len(values)) if values[i] > 6 and is_in_use(RULES, RULES.state_at(c, i), c, i)
    )
    values[wrong] += 2
    write_class(file.path, RULES, values, file.about)
    with pytest.raises(
        DamagedTable, match=r"the table of KQK is wrong at .*: its value does not follow from its moves"
    ):
        builder.verify(c)


def test_a_table_of_another_game_is_refused(folder: Path, tmp_path: Path) -> None:
    there = copied(folder, tmp_path, "KK")
    (there / "chess" / "KRK.win").write_bytes((folder / "chess" / "KQK.win").read_bytes())
    with pytest.raises(DamagedTable, match="is a table of other rules or another class"):
        Tables(CHESS, there)


# The command.


def test_the_command(folder: Path) -> None:
    run = CliRunner().invoke
    about = ["--folder", str(folder)]
    assert "KPK: 165,676 positions: 62,480 won" in run(main, ["table", "chess", "KPK", *about]).output
    assert "KQK: 46,137 positions verified" in run(main, ["table", "chess", "KQK", "--verify", *about]).output
    shown = run(main, ["table", "chess", "--position", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", *about]).output
    assert "from the table: win in 3 plies for White" in shown
    assert "16. R" in run(main, ["table", "chess", "KRK", "--longest", *about]).output
    assert "KBNK" in run(main, ["table", "chess", "--plan", *about]).output
    assert "there is no class 'krk'; did you mean 'KRK'?" in run(main, ["table", "chess", "krk", *about]).output
    every = run(main, ["table", "chess", "--longest", *about]).output
    assert "KK: no position is won" in every
    assert "KPK: the longest win takes 55 plies" in every
    unknown = run(main, ["table", "chess", "--position", "8/8/8/4k3/8/8/4P3/3QK3 w - - 0 1", *about]).output
    assert "there is no table of KQPK in" in unknown
    assert "which classes? Name some, such as KQK" in run(main, ["table", "chess", *about]).output


@pytest.mark.parametrize("option", ["--longest", "--verify"])
def test_a_folder_without_tables(tmp_path: Path, option: str) -> None:
    done = CliRunner().invoke(main, ["table", "chess", option, "--folder", str(tmp_path)])
    assert done.exit_code == 2
    assert f"there are no tables of Chess with distances to the win in {tmp_path}: build some" in done.output


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "chess").write_text("a file")
    with pytest.raises(ZermeloError, match=r"KK\.win\.part cannot be written: File exists"):
        build_classes(CHESS, ["KK"], folder=tmp_path)


@pytest.mark.parametrize(("typed", "meant"), [("kbnk", "KBNK"), ("KKQ", "KQK"), ("KNBK", "KBNK"), ("KPPPK", "KPPK")])
def test_a_wrong_name_of_a_class(typed: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=f"there is no class '{typed}'; did you mean '{meant}'"):
        chosen_classes(RULES, [typed])


def test_what_is_missing_is_planned(folder: Path) -> None:
    rows = plan(CHESS, ["KBNK"], folder=folder)
    assert [(row.name, row.built) for row in rows] == [("KK", True), ("KBK", True), ("KNK", True), ("KBNK", False)]
    assert rows[-1].indices == 2 * 10 * 64**3
    assert rows[-1].seconds > 0
    with pytest.raises(Unsuitable, match="Tic-tac-toe does not number its positions"):
        plan(games.load("tic_tac_toe"))
    assert chosen_classes(RULES, pieces=3) == list(range(6))
