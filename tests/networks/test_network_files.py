"""Files of networks, and how games get them: other weights without compilation, and clear errors."""

from __future__ import annotations

import io
import json
import pickle
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import zermelo
from support.stones import Heap, Stones
from zermelo import Engine, Unsuitable, games
from zermelo.app.cli import main
from zermelo.app.web.study import _notes
from zermelo.arena.roster import player_of
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.resolve import resolve
from zermelo.kernel import program
from zermelo.kernel.routine import Routine
from zermelo.networks import ExpectedUtility, Network, NetworkError, with_network
from zermelo.networks.judgement import in_words

STONES = str(Path(__file__).parent.parent / "support" / "stones.py:Stones")


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any) -> Path:
    """A saved network for the game of stones."""
    path: Path = tmp_path_factory.mktemp("networks") / "stones.npz"
    Network.for_game(Stones(), (16, 8), seed=3).save(path, Stones(), games=100, rate=[0.1, 0.01], seed=3, parent=None)
    return path


def test_a_file_keeps_weights_and_record(file: Path) -> None:
    network, loaded = Network.for_game(Stones(), (16, 8), seed=3), Network.load(file, Stones())
    assert (loaded.inputs, loaded.hidden, loaded.outputs, loaded.phases) == (23, (16, 8), 1, 2)
    for one, other in zip(network.arrays(), loaded.arrays(), strict=True):
        assert np.array_equal(one, other)
        assert one.dtype == other.dtype == np.float32
    record = loaded.record
    assert record["game"] == "Stones()"
    assert (record["games"], record["rate"], record["seed"], record["parent"]) == (100, [0.1, 0.01], 3, None)
    assert len(record["date"]) == 10
    with zipfile.ZipFile(file) as archive, np.load(file, allow_pickle=False) as tables:
        assert not any("pickle" in name for name in archive.namelist())
        assert json.loads(tables["about"].tobytes())["outputs"] == ["expected utility"]


def test_a_network_of_one_phase_serves_all(tmp_path: Path) -> None:
    network = Network(23, (8,), phases=1, seed=5)
    network.save(tmp_path / "one.npz", Stones())
    loaded = Network.load(tmp_path / "one.npz", Stones())
    assert loaded.phases == 2
    assert np.array_equal(loaded.last[0], network.last[0])
    assert np.array_equal(loaded.last[1], network.last[0])


class Counted(Stones):
    """The same game with one feature less."""

    def feature_names(self) -> tuple[str, ...]:
        return super().feature_names()[:-1]


class Renamed(Stones):
    """The same game with other names."""

    def feature_names(self) -> tuple[str, ...]:
        return (*super().feature_names()[:-1], "mine")


class Wins(ExpectedUtility):
    names = ("win",)


class Winning(Stones):
    """The same game with an output of another meaning."""

    predicts = Wins()


class Phased(Stones):
    """The same game with three phases."""

    def phase_names(self) -> tuple[str, ...]:
        return "a", "b", "c"


Counted.__name__ = Renamed.__name__ = Winning.__name__ = Phased.__name__ = "Stones"


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Breakthrough(), "is for Stones, and this is Breakthrough"),
        (Counted(), "is for 23 inputs of Stones, and this game has 22"),
        (Renamed(), "is for 23 other inputs of Stones: the names differ"),
        (Winning(), "has the outputs expected utility; this game needs win"),
        (Phased(), "is for 2 phases, and Stones has 3: a, b, c"),
    ],
)
def test_a_network_for_another_game_is_refused(file: Path, game: Any, said: str) -> None:
    with pytest.raises(NetworkError, match=said):
        Network.load(file, game)


def with_table(name: str, change: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    def changed(data: bytes) -> bytes:
        with np.load(io.BytesIO(data)) as found:
            tables = dict(found)
        tables[name] = change(tables[name])
        out = io.BytesIO()
        np.savez_compressed(out, **{n: t for n, t in tables.items() if t is not None})
        return out.getvalue()

    return changed


def with_entry(name: str, value: Any) -> Callable[[bytes], bytes]:
    def change(about: Any) -> Any:
        return np.frombuffer(json.dumps({**json.loads(about.tobytes()), name: value}).encode(), np.uint8)

    return with_table("about", change)


def claiming(data: bytes, size: int) -> bytes:
    """An archive whose directory says that its first array has so many bytes."""
    at = data.index(b"PK\x01\x02") + 24
    return data[:at] + size.to_bytes(4, "little") + data[at + 4 :]


def of_shape(size: int) -> bytes:
    """An archive with an array of 1 byte that claims to have more."""
    out, header = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("about.npy", header.getvalue() + b"0")
    return out.getvalue()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: b"", "damaged"),
        (lambda data: b"1,2,3\n", "damaged"),
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda data: data[:200] + bytes(80) + data[280:], "damaged"),
        (lambda data: pickle.dumps([1, 2]), "damaged"),
        (
            lambda data: claiming(data, 2_000_000_000),
            r"have 2,000,\d+,\d+ bytes, and 1,073,741,824 are",
        ),
        (lambda data: of_shape(1 << 50), "damaged"),
        (with_table("first", lambda t: t[:, :5]), r"'first' have the shape \(2, 5, 16\), not \(2, 23, 16\)"),
        (with_table("last", lambda t: t * np.float32("nan")), "'last' are not finite"),
        (with_table("last", lambda t: t.astype(np.float64)), "'last' are not finite numbers of single precision"),
        (with_table("second", lambda t: None), "second"),
        (with_entry("format", 99), "format 99; this version reads formats up to 2"),
        (with_entry("hidden", ["many"]), "'hidden' should be a list of numbers"),
        (with_entry("hidden", [7]), "multiple of 8, not 7"),
        (with_entry("record", []), "'record' should be of type dict"),
    ],
)
def test_a_damaged_file_is_reported(file: Path, tmp_path: Path, damage: Any, said: str) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(damage(file.read_bytes()))
    with pytest.raises(NetworkError, match=said) as error:
        Network.load(damaged, Stones())
    assert str(damaged) in str(error.value)


def test_what_is_no_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="there is no file"):
        with_network(Stones(), tmp_path / "none.npz")
    with pytest.raises(NetworkError, match="is a folder"):
        with_network(Stones(), tmp_path)


def test_shapes_and_games_are_checked() -> None:
    with pytest.raises(ValueError, match="multiple of 8, not 10"):
        Network(5, (10,))
    with pytest.raises(ValueError, match="at most 2 hidden layers, not 3"):
        Network(5, (8, 8, 8))
    with pytest.raises(NetworkError, match="has 5 inputs, and Stones has 23 inputs"):
        with_network(Stones(), Network(5, (8,), phases=2))
    with pytest.raises(NetworkError, match="is for 1 phases; Stones has 2"):
        with_network(Stones(), Network(23, (8,)))
    with pytest.raises(Unsuitable, match="has no features"):
        Network.for_game(games.load("nim"))


def evaluated(game: Any, s: Any) -> float:
    return float(game.evaluate(s, 0))


@pytest.fixture
def built(monkeypatch: Any) -> list[str]:
    """The programs that are built: compiled, or loaded from the disk."""
    found: list[str] = []
    build = program.build

    def counted(routine: Any, *rest: Any) -> Any:
        found.append(routine.name)
        return build(routine, *rest)

    monkeypatch.setattr(program, "build", counted)
    return found


@pytest.mark.slow
def test_other_weights_need_no_compilation(file: Path, built: list[str]) -> None:
    game = with_network(Stones(), file)
    first = Engine(game).think(depth=2)
    assert built
    count = len(built)
    other = with_network(Stones(), Network.for_game(Stones(), (16, 8), seed=9))
    second = Engine(other).think(depth=2)
    assert len(built) == count
    assert first.value != second.value
    game.network.last_bias += np.float32(0.5)  # the weights of a network may change in place, too
    try:
        assert Engine(game).think(depth=2).value != first.value
    finally:
        game.network.last_bias -= np.float32(0.5)
    assert len(built) == count
    smaller = with_network(Stones(), Network.for_game(Stones(), (8,)))
    Routine(evaluated).compiled(smaller)(Heap(5, 0))
    assert len(built) > count


def test_any_game_takes_a_network(file: Path, tmp_path: Path) -> None:
    assert resolve(STONES, {"network": str(file)}).network.hidden == (16, 8)
    network = Network.for_game(Breakthrough(), (8,), seed=2)
    network.save(tmp_path / "b.npz", Breakthrough())
    game = games.load("breakthrough", network=str(tmp_path / "b.npz"))
    s = game.initial()
    assert game.evaluate(s, 0) == network.value(game, s, 0) != Breakthrough().evaluate(s, 0)
    assert game.offers("evaluate")
    assert game.evaluate(s, 0) == pytest.approx(-game.evaluate(s, 1))
    again = pickle.loads(pickle.dumps(game))
    assert again.evaluate(s, 0) == game.evaluate(s, 0)
    player_of(f"alpha_beta:depth=1,network={tmp_path / 'b.npz'}", Breakthrough())
    with pytest.raises(NetworkError, match="is for Breakthrough, and this is Stones"):
        player_of(f"alpha_beta:depth=1,network={tmp_path / 'b.npz'}", Stones())


def test_the_engine_searches_with_a_network(file: Path) -> None:
    """Depth 3 below a position, by the engine and by hand."""
    game = with_network(Stones(), file)

    def value(s: Any, depth: int, p: int) -> float:
        if game.is_terminal(s):
            return float(game.utility(s, p))
        if depth == 0:
            return game.evaluate(s, p)
        values = [value(game.result(s, a), depth - 1, p) for a in game.actions(s)]
        return max(values) if s.mover == p else min(values)

    s = Heap(20, 0)
    found = Engine(game, quiescence=False, strict_depth=True, forced=False, singular=False).search(s, depth=3)
    assert found.value == pytest.approx(value(s, 3, 0), abs=1e-5)


def test_explain_shows_what_a_network_says(file: Path, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(main, ["explain", STONES, *words])
        assert done.exit_code == 0, done.output
        return done.output

    text = run("--network", str(file), "--depth", "2")
    assert "phase: many" in text
    assert "expected utility" in text
    assert "changes the value by" in text
    assert "21 stones" in text
    data = json.loads(run("--set", f"network={file}", "--depth", "2", "--json"))
    game = with_network(Stones(), file)
    assert data["outputs"]["expected utility"] == pytest.approx((data["value"] + 1) / 2)
    assert data["value"] == pytest.approx(game.evaluate(game.initial(), 0), abs=1e-6)
    worth = {each["name"]: each["worth"] for each in data["features"]}
    without = game.network.copy()
    without.first[0, 20] = 0
    left_out = with_network(Stones(), without).evaluate(game.initial(), 0)
    assert worth["21 stones"] == pytest.approx(data["value"] - left_out, abs=1e-6)
    missing = CliRunner().invoke(main, ["explain", STONES, "--network", str(tmp_path / "none")])
    assert missing.exit_code == 2
    assert "does not exist" in missing.output


def test_the_page_shows_what_a_network_says(file: Path) -> None:
    game = with_network(Stones(), file)
    said, features = _notes(game, Heap(21, 0))
    chance = (game.evaluate(Heap(21, 0), 0) + 1) / 2
    assert said == f"Network (many), for Player 1: expected utility {chance:.1%}."
    assert features.startswith("Features that change the value most: ")
    assert "21 stones" in features
    assert _notes(game, Heap(0, 0)) == ()
    assert _notes(Stones(), Heap(21, 0)) == ()


def test_a_correction_is_told_in_the_unit_of_the_game() -> None:
    chess = games.load("chess")
    said, _ = in_words(chess, chess.play("e4"))
    assert re.search(r"[+-]\d\.\d\d pawns, added to the weighted sum", said), said


def test_shipped_files_are_small() -> None:
    """Weights, networks, tables and books together with the rules: each fits into two megabytes."""
    files = [file for ending in ("npz", "npy", "bin") for file in Path(zermelo.__file__).parent.rglob(f"*.{ending}")]
    assert len(files) > 8
    assert [file for file in files if file.stat().st_size > 2_000_000] == []
