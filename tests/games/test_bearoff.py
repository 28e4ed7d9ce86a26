"""The bear-off tables: against the rules, against known averages and against GNU Backgammon, and damaged files."""

from __future__ import annotations

import base64
import functools
import itertools
import json
import math
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo.app.cli import main
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import CHANCE
from zermelo.game.state import u64
from zermelo.games.backgammon import Backgammon, BackgammonState, bearoff
from zermelo.games.backgammon.bearoff import (
    CENTRED,
    CUBELESS,
    FULL,
    ONE_SIDED,
    OPPONENTS,
    OWNED,
    POSITIONS,
    TWO_SIDED,
    UNKNOWN,
    number_of,
    position_at,
)
from zermelo.games.backgammon.bearoff_builders import OneSided, TwoSided
from zermelo.games.backgammon.state import CENTRE, CUBE, ROLLING
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import MAGIC, DamagedTable, Unfinished, read_table
from zermelo.lookup.tables import build, builders, verify

CHOOSE = bearoff.binomials()
GNUBG = "/usr/games/bearoffdump"
ONE_SIDED_GNUBG = Path("/usr/share/gnubg/gnubg_os0.bd")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with both tables, which games use."""
    made = tmp_path_factory.mktemp("tables")
    for builder in builders("backgammon"):
        assert build(builder, made).complete
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_TABLES", str(made))
        yield made


def low(*stacks: tuple[int, int]) -> Any:
    """A side's counts, from pairs (point, checkers)."""
    return u64(sum(n << 4 * point for point, n in stacks) + (15 - sum(n for _, n in stacks)))


def number(*stacks: tuple[int, int]) -> int:
    return number_of(low(*stacks), CHOOSE)


def state(own: Any, other: Any, **more: Any) -> BackgammonState:
    """Player 0 to roll."""
    return BackgammonState((own, other), (u64(0), u64(0)), 0, 0, ROLLING, 0, CENTRE, (0, 0), 0)._replace(**more)


def test_positions_are_numbered_without_gaps() -> None:
    assert POSITIONS == 54_264
    assert number((1, 15)) == FULL
    assert number((6, 15)) == POSITIONS - 1
    for n in itertools.chain(range(1000), range(1000, POSITIONS, 97)):
        there = position_at(n, CHOOSE)
        assert sum(there >> u64(4 * k) & u64(15) for k in range(7)) == 15
        assert number_of(there, CHOOSE) == n
    assert number((6, 6)) == math.comb(12, 6) - 1  # positions with few checkers come first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stack", "mean"), [((6, 1), 1.25), ((1, 7), 3.550926), ((1, 15), 6.979592), ((6, 15), 12.266187)]
)
def test_average_numbers_of_rolls(folder: Path, stack: tuple[int, int], mean: float) -> None:
    _, arrays = read_table(folder / bearoff.ONE_SIDED_FILE, bearoff.ONE_SIDED_KIND)
    assert arrays["last_mean"][number(stack)] == pytest.approx(mean, abs=5e-7)
    rolls = arrays["last"][number(stack)].astype(float)
    assert rolls.sum() == pytest.approx(1, abs=1e-6)
    assert rolls @ np.arange(len(rolls)) == pytest.approx(mean, abs=1e-5)


@functools.cache
def value(game: Backgammon, s: BackgammonState) -> float:
    """What the position is worth to player 0, by the rules alone."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    mover = game.to_move(s)
    if mover == CHANCE:
        return sum(chance * value(game, game.result(s, roll)) for roll, chance in game.outcomes(s))
    values = [value(game, game.result(s, a)) for a in game.actions(s)]
    return max(values) if mover == 0 else min(values)


SMALL = [((6, 1),), ((1, 1),), ((1, 2),), ((5, 1), (2, 1)), ((3, 2),), ((6, 1), (4, 1))]


@pytest.mark.parametrize("own", SMALL)
@pytest.mark.parametrize("other", [((1, 1),), ((6, 1),), ((2, 1), (4, 1)), ((3, 1), (1, 1))])
def test_two_sided_equities_follow_from_the_rules(folder: Path, own: Any, other: Any) -> None:
    pairs = Backgammon().pairs
    there = pairs[number(*own), number(*other)]
    s = state(low(*own), low(*other))
    assert there[CUBELESS] == pytest.approx(value(PLAIN, s), abs=1e-6)
    for cube, owner in ((CENTRED, CENTRE), (OWNED, 0), (OPPONENTS, 1)):
        cubed = s._replace(cube=0 if owner == CENTRE else 1, owner=owner)
        # The cube of the rules ends at 64, that of the table does not: few doubles happen with so few rolls left.
        assert there[cube] == pytest.approx(value(CUBED, cubed) / (1 << cubed.cube), abs=2e-3)


PLAIN, CUBED = Backgammon(), Backgammon(cube=True)


def test_a_two_sided_table_knows_when_to_double(folder: Path) -> None:
    """Last roll: one checker on the 6 point wins 27 of 36 rolls. To double is right; take or drop is equal."""
    no_double, take = (Backgammon().pairs[number((6, 1)), number((1, 1))][c] for c in (CENTRED, OPPONENTS))
    assert no_double == pytest.approx(0.5)
    assert 2 * take == pytest.approx(1.0)


def ask(game: Any, s: Any, out: Any) -> int:
    return int(game.known(s, out))


def test_the_game_knows_bear_off_positions_in_both_modes(folder: Path) -> None:
    game, out, same = Backgammon(), np.zeros(5), np.zeros(5)
    far = state(low((6, 15)), low((6, 14)))
    for s, which in ((far, ONE_SIDED), (state(low((6, 6)), low((1, 3))), TWO_SIDED), (game.initial(), UNKNOWN)):
        assert game.known(s, out) == which == Routine(ask).compiled(game, same)(s)
        assert out == pytest.approx(same)
    assert game.known(far, out) == ONE_SIDED
    assert out[0] < 0.5
    assert out[1] == 0 < out[3] < 0.02
    answering = far._replace(phase=4, mover=1)  # the double is answered by the player who does not roll next
    game.known(answering, same)
    assert same == pytest.approx(out)


def test_one_sided_chances_are_close_to_the_exact_ones(folder: Path) -> None:
    game, out, exact = Backgammon(), np.zeros(5), np.zeros(5)
    differences = []
    for own, other in np.random.default_rng(0).integers(1, 924, (300, 2)):
        bearoff.chances(own, other, game.last_off, game.first_off, out)
        game.known(state(position_at(own, CHOOSE), position_at(other, CHOOSE)), exact)
        differences.append(abs(out[0] - exact[0]))
    assert max(differences) < 0.03
    assert np.mean(differences) < 0.001


def test_a_game_without_tables_knows_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = state(low((1, 1)), low((1, 1)))
    assert Backgammon(tables=False).known(s, np.zeros(5)) == UNKNOWN
    monkeypatch.setenv("ZERMELO_TABLES", str(folder / "nowhere"))
    assert Backgammon().known(s, np.zeros(5)) == UNKNOWN


# GNU Backgammon.


def position_id(own: Any, other: Any) -> str:
    """GNU Backgammon's position ID: for each side the checkers of each point in unary, in bits, in base64."""
    bits = ""
    for side in (other, own):
        bits += "".join("1" * int(side >> u64(4 * k) & u64(15)) + "0" for k in range(1, 7)) + "0" * 19
    raw = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(raw).decode().rstrip("=")


@pytest.mark.skipif(not shutil.which(GNUBG) or not ONE_SIDED_GNUBG.exists(), reason="GNU Backgammon is not installed")
def test_one_sided_tables_equal_gnubgs(folder: Path) -> None:
    """GNU Backgammon rounds every probability to 16 bits, and the errors add up from position to position."""
    _, arrays = read_table(folder / bearoff.ONE_SIDED_FILE, bearoff.ONE_SIDED_KIND)
    chosen = [*np.random.default_rng(1).integers(1, POSITIONS, 20), POSITIONS - 1, FULL]
    for n in chosen:
        there = position_at(int(n), CHOOSE)
        said = subprocess.run(
            [GNUBG, "-p", position_id(there, there), str(ONE_SIDED_GNUBG)], capture_output=True, text=True, check=True
        ).stdout
        rows = re.findall(r"^\s+(\d+)\t\s*([\d.]+)\t\s*[\d.]+\t\t(?:\s*([\d.]+))?", said, re.M)
        assert rows
        for k, last, first in rows:
            assert arrays["last"][n, int(k)] * 100 == pytest.approx(float(last), abs=0.02)
            if first and n >= FULL:
                assert arrays["first"][n - FULL, int(k)] * 100 == pytest.approx(float(first), abs=0.02)


# Files.


def test_a_stopped_build_continues_to_the_same_file(folder: Path, tmp_path: Path) -> None:
    stop = StopToken()
    stopped = build(TwoSided(3), tmp_path, stop=stop, on_progress=lambda p: stop.stop() if p.done == 20 else None)
    assert not stopped.complete
    assert 20 <= stopped.done < TwoSided(3).steps
    assert not (tmp_path / TwoSided(3).file).exists()
    built = build(TwoSided(3), tmp_path)
    assert built.complete
    assert built.resumed == stopped.done
    (tmp_path / "whole").mkdir()
    build(TwoSided(3), tmp_path / "whole")
    file = TwoSided(3).file
    assert (tmp_path / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    assert verify(TwoSided(3), tmp_path).complete
    small, large = (
        read_table(path, bearoff.TWO_SIDED_KIND)[1]["equity"] for path in (tmp_path / file, folder / TwoSided().file)
    )
    assert np.array_equal(small, large[: len(small), : len(small)])


def with_header(whole: bytes, header: Any) -> bytes:
    """A file with another header, and the checksum of that."""
    text = json.dumps(header).encode()
    start = MAGIC + len(text).to_bytes(4, "big") + f"{zlib.crc32(text):08x}".encode() + text
    return start + whole[len(start) :]


def test_damaged_files_are_errors(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / TwoSided(2).file
    build(TwoSided(2), tmp_path)
    whole = path.read_bytes()
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    for damaged, what in (
        (whole[:-100], "bytes and should have"),
        (whole[:-5] + b"\0\1\2\3\4", "does not match its checksum"),
        (b"?" + whole[1:], "header"),
        (b"", "header"),
        (whole[:40] + b"x" + whole[41:], "header"),
        (with_header(whole, {"shapes": {"equity": ("O", [3])}}), "header"),
        (with_header(whole, {"kind": "x"}), "header"),
        (with_header(whole, []), "header"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(DamagedTable, match=what) as error:
            Backgammon()
        assert str(path) in str(error.value)
        assert "build it again" in str(error.value)
    assert build(TwoSided(2), tmp_path).complete  # a damaged file does not prevent a new one
    assert path.read_bytes() == whole


def test_wrong_values_with_right_checksums_are_found(tmp_path: Path) -> None:
    builder = TwoSided(2)
    build(builder, tmp_path)
    _, arrays = read_table(tmp_path / builder.file, builder.kind)
    wrong = np.array(arrays["equity"])
    wrong[5, 7, CENTRED] += 0.01
    with Unfinished(tmp_path / builder.file, builder.kind, builder.shapes).opened() as file:
        file.arrays["equity"][:] = wrong
        file.finish(builder.about())
    with pytest.raises(DamagedTable, match=r"differs by 0\.01"):
        verify(builder, tmp_path)


def test_only_one_process_builds_a_table(tmp_path: Path) -> None:
    builder = OneSided()
    other = Unfinished(tmp_path / builder.file, builder.kind, builder.shapes).opened()
    with other, pytest.raises(ZermeloError, match="another process is building"):
        build(builder, tmp_path)


def test_the_largest_two_sided_table_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of several sizes are separate files, so building a small one does not lose a large one."""
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    for checkers in (3, 2):
        build(TwoSided(checkers), tmp_path)
    assert len(Backgammon().pairs) == TwoSided(3).count
    planned = CliRunner().invoke(main, ["table", "backgammon", "--plan", "--json", "two-sided:2", "two-sided:4"])
    assert [row["built"] for row in json.loads(planned.output)["tables"]] == [True, False]


@pytest.mark.parametrize("words", [("chess",), ("backgammon", "two-sided:15"), ("backgammon", "three-sided")])
def test_unknown_tables(words: tuple[str, ...]) -> None:
    with pytest.raises(ZermeloError, match=r"there (are|is) no table"):
        builders(words[0], words[1:])


def test_cube_phase_is_the_rollers_too() -> None:
    s = state(low((1, 1)), low((1, 1)), phase=CUBE)
    assert Backgammon(cube=True).viewer(s) == 0


@pytest.mark.parametrize("words", [["--position", "8/8/8"], ["--longest"], ["--distance", "conversion"]])
def test_options_of_other_tables_are_refused(words: list[str]) -> None:
    """Not ignored: the command would build all tables instead."""
    found = CliRunner().invoke(main, ["table", "backgammon", *words])
    assert found.exit_code == 2
    assert f"{words[0]} is for tables of classes of positions" in found.output
