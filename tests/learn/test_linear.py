"""Learning from play: what it foretells, whether it plays better, and its files."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import Game, GameError, Unsuitable, count_bits, games, u8, u64
from zermelo.app.cli import main
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect_four import ConnectFour
from zermelo.games.othello.weights import weights_by_hand
from zermelo.kernel.parts import blueprint
from zermelo.learn import self_play
from zermelo.learn.learnable import clips
from zermelo.learn.learned import Learned, NotFor
from zermelo.learn.linear import Progress, learn
from zermelo.learn.match import match
from zermelo.learn.rounds import returns
from zermelo.search.engine import Engine
from zermelo.search.engine.windows import ASK


class Columns(ConnectFour):
    """Connect Four by what each column is worth, threats that are open, and who is to move."""

    def __init__(self, width: int = 7, height: int = 6, k: int = 4):
        super().__init__(width, height, k)
        self.weights = np.zeros(width + 2)

    def feature_names(self) -> tuple[str, ...]:
        return (*(f"column {c + 1}" for c in range(self.width)), "threats", "to move")

    def features(self, s: Any, p: int) -> Any:
        own, other = s.own, s.own ^ s.mask
        sign = 1.0 if p == self.to_move(s) else -1.0
        for c in range(self.width):
            place = u64(self.column) << c * (self.height + 1)
            yield c, sign * (count_bits(own & place) - count_bits(other & place))
        threats = count_bits(self.winning_cells(own) & ~s.mask) - count_bits(self.winning_cells(other) & ~s.mask)
        yield self.width, sign * threats
        yield self.width + 1, sign

    def evaluate(self, s: Any, p: int) -> float:
        return self.weighted_features(s, p)


# Learning.


@pytest.fixture(scope="module")
def four() -> Learned:
    return learn(Columns(), games=2000, rounds=2, keep=1)


def test_connect_four_is_foretold(four: Learned) -> None:
    report = four.report
    assert report is not None
    whole = report.whole
    assert whole.learned.log_loss < whole.base.log_loss - 0.02
    assert whole.learned.brier < whole.base.brier
    assert whole.learned.accuracy > 0.55
    assert sum(part.positions for part in report.phases) == whole.positions
    assert sum(b.positions for b in report.calibration) == whole.positions
    assert report.held_out_games == 200
    assert report.games == 2000
    for b in report.calibration:
        if b.positions > 500:
            assert b.foretold == pytest.approx(b.happened, abs=0.15)
    assert four.weights[7] > 0  # threats are worth something
    assert four.weights[3] > four.weights[0]  # and so is the centre
    assert "learned" in str(report)


def test_values_stay_within_the_range_and_mean_chances(four: Learned) -> None:
    game = four.apply(Columns())
    assert not clips(game)
    random = np.random.default_rng(3)
    for _ in range(50):
        s = game.initial()
        while not game.is_terminal(s):
            assert -1 < game.evaluate(s, 0) < 1
            s = game.result(s, random.choice(game.legal(s)))
    assert four.chance(-0.5) < four.chance(0.0) < four.chance(0.5)
    assert four.chance(np.array([0.0, 0.1])).shape == (2,)
    assert 0.3 < four.chance(0.0) < 0.7


def test_learned_beats_what_it_began_with(four: Learned) -> None:
    result = match(four.apply(Columns()), Columns(), games=200, depth=2, opening=6)
    assert result.games == 200
    assert result.score - 4 * result.error > 0.5, result


def test_the_same_seed_learns_the_same(four: Learned) -> None:
    again = learn(Columns(), games=2000, rounds=2, keep=1)
    assert np.array_equal(again.weights, four.weights)
    assert again.chance(0.3) == four.chance(0.3)
    other = learn(Columns(), games=200, rounds=1, seed=1)
    assert not np.array_equal(other.weights, four.weights)


def test_plain_python_learns_the_same() -> None:
    plain, quick = (learn(Subtraction(), games=60, rounds=2, seed=4, compile=c) for c in (False, True))
    assert plain.weights == pytest.approx(quick.weights, abs=1e-9)


class Heap(NamedTuple):
    stones: u8
    mover: u8


class Subtraction(Game):
    """Take one, two or three stones; whoever takes the last one wins. It is small, so that it compiles quickly."""

    utility_range = (-1.0, 1.0)
    max_actions = 3

    def __init__(self) -> None:
        self.weights = np.zeros(4)

    def initial(self) -> Heap:
        return Heap(21, 0)

    def to_move(self, s: Heap) -> int:
        return s.mover

    def actions(self, s: Heap) -> Any:
        for n in range(1, min(3, s.stones) + 1):
            yield n

    def result(self, s: Heap, a: int) -> Heap:
        return Heap(s.stones - a, 1 - s.mover)

    def is_terminal(self, s: Heap) -> bool:
        return s.stones == 0

    def utility(self, s: Heap, p: int) -> float:
        return -1.0 if s.mover == p else 1.0

    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"{n} left over" for n in range(4))

    def features(self, s: Heap, p: int) -> Any:
        yield s.stones % 4, 1.0 if s.mover == p else -1.0

    def evaluate(self, s: Heap, p: int) -> float:
        return self.weighted_features(s, p)


def test_the_theory_of_a_game_is_found() -> None:
    """Whoever must move with a multiple of four stones loses."""
    found = learn(Subtraction(), games=2000)
    assert found.weights[0] < -0.5
    assert (found.weights[1:] > 0.3).all()
    assert found.report is not None
    assert found.report.whole.learned.accuracy > 0.99
    assert found.chance(found.weights[0]) < 0.01
    result = match(found.apply(Subtraction()), Subtraction(), games=100, depth=1, opening=2)
    assert result.score > 0.7


def test_new_weights_need_no_compiling() -> None:
    game = Subtraction()
    found = learn(game, games=200, rounds=1)
    learned = found.apply(game)
    assert blueprint(learned).name == blueprint(game).name
    programs = len(self_play.PLAY._programs)
    learn(learned, games=50, rounds=1)
    assert len(self_play.PLAY._programs) == programs
    assert game.weights.tolist() == [0.0] * 4  # what it was made from stays as it was


@pytest.mark.slow
def test_the_engine_plays_with_new_weights_at_once() -> None:
    game = Subtraction()
    Engine(game, table=1).think(depth=3)
    programs = len(ASK._programs)
    analysis = Engine(learn(game, games=200).apply(game), table=1).think(depth=3)
    assert len(ASK._programs) == programs
    assert analysis.compile_seconds < 0.5
    assert analysis.action == 1  # it leaves 20
    assert analysis.value > 0


def test_a_prior_is_believed_until_the_games_say_otherwise() -> None:
    game = Subtraction()
    game.weights = np.array([-0.3, 0.3, 0.3, -0.3])  # it is mistaken about three stones
    held = learn(game, games=200, rounds=1, penalty=1e6, prior=True)
    assert held.weights / held.weights[1] == pytest.approx([-1, 1, 1, -1], abs=0.05)
    free = learn(game, games=2000, rounds=1, penalty=1.0, prior=True)
    assert free.weights[3] > 0


def test_games_are_kept(tmp_path: Path) -> None:
    """Learning that was ended goes on where it was."""
    whole = learn(Subtraction(), games=400, rounds=2, folder=tmp_path / "games")
    (tmp_path / "games" / "round_2.npz").unlink()
    again = learn(Subtraction(), games=400, rounds=2, folder=tmp_path / "games")
    assert again.weights.tolist() == whole.weights.tolist()
    assert again.games == whole.games == 400


@pytest.mark.slow
def test_players_who_look_on_until_it_is_quiet() -> None:
    """The same games in both modes; in the positions learned from, no capture changes the value."""
    game = Breakthrough(5, 5)
    players = [self_play.Player(game, game, 1, compiled, quiet=True) for compiled in (True, False)]
    for player in players:
        assert player.play(0, 0, 1, 2, 0, 0.0, 1.0) == self_play.FINISHED
    quick, plain = (player.tape for player in players)
    noted = int(quick.counts[self_play.POSITIONS])
    assert quick.counts.tolist() == plain.counts.tolist()
    assert quick.plies[:noted].tolist() == plain.plies[:noted].tolist()
    assert 0 < noted < quick.counts[self_play.LENGTH] - 2


class Sure(Subtraction):
    """Sure of itself: the second player wins."""

    def initial(self) -> Heap:
        return Heap(100, 0)

    def evaluate(self, s: Heap, p: int) -> float:
        return -0.5 if p == 0 else 0.5


def test_decided_games_end() -> None:
    game = Sure()
    for decided, length in ((0.4, self_play.DECIDED_PLIES - 1), (0.6, 20)):
        player = self_play.Player(game, game, 0, decided=decided)
        assert player.play(0, 0, 1, 0, 0, 0.0, 0.0) == self_play.FINISHED
        assert player.tape.counts[self_play.LENGTH] >= length
        assert (player.tape.counts[self_play.LENGTH] == length) == (decided < 0.5)
    player = self_play.Player(game, game, 0, decided=0.4)
    player.play(0, 0, 1, 0, 0, 0.0, 0.0)
    assert player.tape.utilities.tolist() == [-1.0, 1.0]
    with pytest.raises(ValueError, match="decided must be a positive number"):
        learn(game, decided=0.0)


def test_by_utility() -> None:
    found = learn(Columns(), games=500, rounds=1, target="utility")
    assert found.weights[7] > 0
    with pytest.raises(ValueError, match="target must be 'result', 'utility', 'search' or 'td', not 'discs'"):
        learn(Columns(), target="discs")


def test_by_search() -> None:
    """Three plies on, whoever can leave a multiple of four has done so: it comes to be worth what that is worth."""
    game = Subtraction()
    game.weights = np.array([-0.3, 0.0, 0.0, 0.0])
    found = learn(game, games=300, rounds=1, depth=2, prior=True, penalty=0.01, target="search")
    assert found.weights[1:] - found.weights[0] == pytest.approx([0.3] * 3, abs=0.03)
    with pytest.raises(ValueError, match="'search' needs a prior"):
        learn(game, target="search")


class Ending(Subtraction):
    def plies_left(self, s: Heap) -> int:
        return s.stones


def test_perfect_endings() -> None:
    """In a game played perfectly from the beginning, the first player takes one stone of 21, and wins."""
    game = Ending()
    player = self_play.Player(game, game, 0)
    for number in range(20):
        assert player.play(number, 0, 1, 0, 0, 0.0, 0.0) == self_play.FINISHED
    lost = []
    for number in range(20):
        player.play(number, 0, 1, 0, 12, 0.0, 0.0)
        lost.append(player.tape.utilities[0] < 0)
        player.play(number, 0, 1, 0, 21, 0.0, 0.0)
        assert player.tape.utilities[0] == 1
    assert any(lost)


@pytest.mark.timing
def test_time_limit_and_progress() -> None:
    told: list[Progress] = []
    begun = time.perf_counter()
    found = learn(Columns(), seconds=1.5, rounds=2, on_progress=told.append)
    assert time.perf_counter() - begun < 6
    assert {p.round for p in told} == {1, 2}
    assert {p.doing for p in told} == {"playing", "fitting"}
    assert found.report is not None
    assert found.report.games > 10
    assert len(found.report.rounds) == 2


@pytest.mark.parametrize(("doing", "round", "games"), [("playing", 1, 20), ("playing", 2, 1000), ("fitting", 2, 1000)])
def test_interrupted_learning_gives_what_there_is(
    doing: str, round: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(progress: Progress) -> None:
        if (progress.doing, progress.round) == (doing, round) and progress.games >= 20:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("zermelo.learn.rounds.TELL_EVERY", 0.01)
    found = learn(Columns(), games=3_000, rounds=3, on_progress=interrupt)
    assert found.report is not None
    assert found.report.stopped
    assert games <= found.report.games < 3_000
    assert np.isfinite(found.weights).all()


# Files.


def test_saved_and_loaded(four: Learned, tmp_path: Path) -> None:
    path = tmp_path / "four.npz"
    four.save(path)
    back = Learned.load(path, Columns())
    assert np.array_equal(back.weights, four.weights)
    assert (back.game, back.feature_names, back.games) == (four.game, four.feature_names, four.games)
    assert back.report == four.report
    assert back.chance(0.2) == four.chance(0.2)
    four.save(path, unit=1 / 256)
    rounded = Learned.load(path, Columns())
    assert rounded.weights == pytest.approx(four.weights, abs=1 / 512)
    assert [p.name for p in tmp_path.iterdir()] == ["four.npz"]


def test_names_that_are_too_many_are_kept_as_a_digest(
    four: Learned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.learn.learned.LISTED_NAMES", 10)
    four.save(tmp_path / "four.npz")
    assert Learned.load(tmp_path / "four.npz", Columns()).feature_names == four.feature_names
    monkeypatch.setattr(Columns, "feature_names", lambda self: ("a",) * 9)
    with pytest.raises(NotFor, match=r"four.npz is for 9 features of Columns\(.*\); this game has 9, and others"):
        Learned.load(tmp_path / "four.npz", Columns())


def test_learning_goes_on_from_a_file(four: Learned, tmp_path: Path) -> None:
    four.save(tmp_path / "four.npz")
    start = Learned.load(tmp_path / "four.npz", Columns())
    more = learn(Columns(), games=300, rounds=1, start=start)
    assert more.games == four.games + 300
    assert more.report is not None
    assert more.report.whole.before.log_loss < more.report.whole.base.log_loss  # it began with what was known


def test_files_for_something_else(four: Learned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "four.npz"
    four.save(path)
    with pytest.raises(NotFor, match=r"for Columns\(width=7.*\), and this is Columns\(width=5"):
        Learned.load(path, Columns(5, 5))
    names = Columns().feature_names()
    monkeypatch.setattr(Columns, "feature_names", lambda self: (*names[:7], "forks", names[8]))
    with pytest.raises(NotFor, match="number 7 is 'threats' there and 'forks' here"):
        Learned.load(path, Columns())
    monkeypatch.setattr(Columns, "feature_names", lambda self: names[:8])
    with pytest.raises(NotFor, match=r"for 9 features of .*, and this game has 8"):
        Learned.load(path, Columns())
    monkeypatch.undo()
    (tmp_path / "other.npz").write_bytes(b"nothing")
    np.savez(tmp_path / "another.npz", weights=np.zeros(3))
    np.savez(tmp_path / "pickled.npz", about=np.array([{}], object), weights=np.zeros(3))
    for name in ("other.npz", "another.npz", "pickled.npz"):
        with pytest.raises(NotFor, match="is no file of learned weights"):
            Learned.load(tmp_path / name, Columns())
    monkeypatch.setattr("zermelo.learn.learned.FORMAT", 2)
    four.save(path)
    monkeypatch.setattr("zermelo.learn.learned.FORMAT", 1)
    with pytest.raises(NotFor, match="has format 2; this version reads formats up to 1"):
        Learned.load(path, Columns())
    with pytest.raises(FileNotFoundError):
        Learned.load(tmp_path / "none.npz", Columns())


# What cannot be learned.


def test_games_that_do_not_suit() -> None:
    with pytest.raises(Unsuitable, match="has no features"):
        learn(games.load("nim"))
    with pytest.raises(Unsuitable, match="for two sides, zero-sum, without chance"):
        learn(games.load("pig"))
    with pytest.raises(GameError, match="is not a Game"):
        learn(42)  # type: ignore[arg-type]
    untabled = Columns()
    untabled.weights = (0.0,) * 9
    with pytest.raises(
        GameError, match="must be a NumPy array of floats, so that others need no compiling, not a tuple"
    ):
        learn(untabled)
    short = Columns()
    short.weights = np.zeros(3)
    with pytest.raises(GameError, match=r"names 9 features, and its weights have the shape \(3,\)"):
        learn(short)


def test_features_beyond_the_weights_are_found() -> None:
    class Beyond(Columns):
        def features(self, s: Any, p: int) -> Any:
            yield 12, 1.0

        def evaluate(self, s: Any, p: int) -> float:
            return 0.0

    with pytest.raises(GameError, match="yields a feature of number 12, and has 9 weights"):
        learn(Beyond(), games=10, compile=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games must be a whole number of at least 1"),
        ({"seconds": 0}, "seconds must be a number of more than 0"),
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"rounds": 1.5}, "rounds must be a whole number of at least 1, not 1.5"),
        ({"exploration": 2}, "exploration must be a number from 0 to 1, not 2"),
        ({"penalty": -1}, "penalty must be a positive number, not -1"),
        ({"games": 2, "rounds": 1}, "2 games of .* are too few to learn from"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learn(Columns(), **options)


# Other games.


def test_breakthrough_from_nothing() -> None:
    hand = games.load("breakthrough", width=5, height=5)
    zero = games.load("breakthrough", width=5, height=5, weights=[0.0] * len(hand.weights))
    assert clips(hand)
    found = learn(zero, games=3000, rounds=3)
    assert found.report is not None
    assert found.report.whole.learned.log_loss < found.report.whole.base.log_loss - 0.03
    result = match(found.apply(zero), zero, games=200, depth=2)
    assert result.score - 4 * result.error > 0.5, result


@pytest.mark.slow
def test_breakthrough_learns_more_than_its_author_knew() -> None:
    """At depth 1, where an evaluation has to see for itself what is attacked."""
    hand = games.load("breakthrough", width=6, height=6)
    found = learn(hand, games=30_000, rounds=6, depth=2, exploration=0.1)
    result = match(found.apply(hand), hand, games=1000, depth=1)
    assert result.score - 4 * result.error > 0.5, result


@pytest.mark.slow
def test_the_weights_that_othello_is_shipped_with() -> None:
    game = games.load("othello")
    hand = games.load("othello", weights=weights_by_hand(8))
    result = match(game, hand, games=200, depth=2, opening=10)
    assert result.score - 2 * result.error > 0.5, result


def test_a_game_that_counts_repetitions() -> None:
    """Its rules are asked with the positions of the very game that is being played."""

    class Counting(Columns):
        uses_history = True

        def is_terminal(self, s: Any) -> bool:
            return super().is_terminal(s) or self.history_length[0] > 12

    # super() cannot be compiled: in plain Python only
    found = learn(Counting(4, 4, 3), games=12, rounds=1, compile=False)
    assert np.isfinite(found.weights).all()


# The command.


def test_the_command(tmp_path: Path, four: Learned) -> None:
    path = tmp_path / "game.py"
    path.write_text(GAME)
    out = tmp_path / "[red]out.npz"
    arguments = ["learn", str(path), "--games", "300", "--rounds", "2", "--out", str(out), "--match", "20"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert "learned weights" in done.output
    assert "Calibration" in done.output
    assert "against the previous weights, 20 games at depth 1" in done.output
    assert f"saved in {out}" in done.output
    further = ["learn", str(path), "--games", "100", "--rounds", "1", "--from", str(out), "--json"]
    again = CliRunner().invoke(main, further)
    assert again.exit_code == 0, again.output
    told = json.loads(again.stdout)
    assert told["report"]["games"] == 100
    assert sum(told["match"].values()) == 200
    wrong = CliRunner().invoke(main, ["learn", "nim"])
    assert wrong.exit_code == 2
    assert "has no features" in wrong.output
    nowhere = CliRunner().invoke(main, ["learn", str(path), "--out", str(tmp_path / "none" / "x.npz")])
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.output


GAME = """
import numpy as np
from zermelo.games.tic_tac_toe import TicTacToe

class Centre(TicTacToe):
    def __init__(self):
        super().__init__()
        self.weights = np.zeros(2)
    def feature_names(self):
        return ("turn", "moves left")
    def features(self, s, p):
        yield 0, 1.0 if p == self.to_move(s) else -1.0
        yield 1, 1.0
    def evaluate(self, s, p):
        return self.weighted_features(s, p)
"""


def test_returns_mix_values_and_the_result() -> None:
    values, results = np.array([0.1, 0.2, -0.4, 0.5]), np.array([1.0, -1.0, -1.0, 1.0])
    sides, of_game = np.array([0, 1, 1, 0]), np.array([0, 0, 0, 1])
    assert returns(values, results, sides, of_game, 0.0) == pytest.approx([-0.2, -0.4, -1.0, 1.0])
    assert returns(values, results, sides, of_game, 1.0) == pytest.approx([1.0, -1.0, -1.0, 1.0])
    half = [-(0.5 * 0.2 + 0.5 * (0.5 * -0.4 - 0.5)), 0.5 * -0.4 - 0.5, -1.0, 1.0]
    assert returns(values, results, sides, of_game, 0.5) == pytest.approx(half)


def test_weights_by_td_with_a_search() -> None:
    found = learn(Columns(), games=500, rounds=2, target="td", trace=0.5)
    assert found.report is not None
    assert found.report.whole.learned.log_loss < found.report.whole.base.log_loss
    with pytest.raises(ValueError, match="trace must be a number from 0 to 1, not 2"):
        learn(Columns(), games=10, target="td", trace=2)
