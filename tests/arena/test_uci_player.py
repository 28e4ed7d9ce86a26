"""Chess programs as players: what they are told, what they answer, and all the ways in which they can fail."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import Clock, Game, Random, Unsuitable, games
from zermelo.arena.player import Choice, PlayerError, Turn
from zermelo.arena.program import ELSEWHERE
from zermelo.arena.referee import Referee
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, Job
from zermelo.arena.uci_option import Option
from zermelo.play.record import Record

SCRIPT = Path(__file__).parent.parent / "support" / "uci_program.py"
CHESS = games.load("chess")
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path=ELSEWHERE)
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="there is no Stockfish here: apt-get install stockfish")


def words(folder: Path, kind: str = "good", options: str = "") -> str:
    return f"uci:{sys.executable} {SCRIPT} {kind} {folder / 'told'}" + (f"?{options}" if options else "")


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text().splitlines()


def turn(game: Game, *moves: str, clock: Clock | None = None, clocks: tuple[Clock, ...] = ()) -> Turn:
    states = Record("", moves).states(game)
    return Turn(game, states, moves, game.to_move(states[-1]), Random(0), clock, clocks)


def chosen(player: Any, *moves: str, **about: Any) -> Choice:
    choice: Choice = player.choose(turn(player.game, *moves, **about))
    return choice


def played(game: Game, first: str, second: str, **conditions: Any) -> list[Record]:
    players = [player_of(first, game), player_of(second, game)]
    try:
        jobs = [Job("chess", (first, second), i, 0, conditions=Conditions(**conditions)) for i in range(2)]
        return [Referee(job, game, players).play() for job in jobs]
    finally:
        for player in players:
            player.close()


def test_a_whole_game(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    records = played(CHESS, words(tmp_path), words(tmp_path / "b"))
    for record in records:
        assert record.moves == ("f3", "e5", "g4", "Qh4#")
        assert (record.ended, record.utilities) == ("rules", (-1.0, 1.0))
    game = ["ucinewgame", "isready", "position startpos", "go movetime 100"]
    game += ["position startpos moves f2f3 e7e5", "go movetime 100"]
    assert told(tmp_path) == ["uci", "isready", *game, *game]


def test_what_it_is_told(tmp_path: Path) -> None:
    player = player_of(words(tmp_path, options="UCI_Elo=2000&Hash=32&style=wild at times&Clear Hash=&depth=3"), CHESS)
    player.begin(CHESS)
    assert CHESS.action_name(CHESS.initial(), chosen(player).action) == "f3"
    chosen(player, "f3", "e5", clock=Clock(9.5, 0.2), clocks=(Clock(9.5, 0.2), Clock(7, 0.2)))
    player.close()
    assert told(tmp_path) == [
        "uci",
        "setoption name UCI_Elo value 2000",
        "setoption name Hash value 32",
        "setoption name Style value wild at times",
        "setoption name Clear Hash",
        "setoption name UCI_LimitStrength value true",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos",
        "go depth 3",
        "position startpos moves f2f3 e7e5",
        "go wtime 9500 winc 200 btime 7000 binc 200 depth 3",
    ]


@pytest.mark.parametrize(
    ("options", "clock", "go"),
    [
        ("", None, "go movetime 100"),
        ("seconds=0.25", None, "go movetime 250"),
        ("seconds=1e400", None, "go movetime 1000000000"),
        ("nodes=500", None, "go nodes 500"),
        ("", Clock(2.0, 0.5), "go wtime 2000 winc 500 btime 2000 binc 500"),
        ("seconds=30", Clock(2.0), "go movetime 196"),  # no more than the clock allows
        ("seconds=0.05", Clock(2.0), "go movetime 50"),
    ],
)
def test_limits(tmp_path: Path, options: str, clock: Clock | None, go: str) -> None:
    player = player_of(words(tmp_path, options=options), CHESS)
    player.begin(CHESS)
    chosen(player, clock=clock)
    player.close()
    assert told(tmp_path)[-1] == go


def test_the_value_is_that_of_the_first_line(tmp_path: Path) -> None:
    for kind, value in (("good", CHESS.value_of_centipawns(104)), ("mating", -1.0)):
        player = player_of(words(tmp_path, kind), CHESS)
        player.begin(CHESS)
        assert chosen(player).value == value
        player.close()


def test_chess960_is_told_with_its_position(tmp_path: Path) -> None:
    game = games.load("chess", chess960=0)
    player = player_of(words(tmp_path), game)
    player.begin(game)
    chosen(player, "f4", "e5")
    player.close()
    start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    assert "setoption name UCI_Chess960 value true" in told(tmp_path)
    assert f"position fen {start} moves f2f4 e7e5" in told(tmp_path)


@pytest.mark.parametrize(
    ("kind", "ended", "note"),
    [
        ("illegal", "illegal move", "'e2e5' is not a legal move in rnbqkbnr/"),
        ("odd", "illegal move", "is not a legal move"),
        ("nothing", "crash", "has no move in rnbqkbnr/"),
        ("dying", "crash", "has ended (exit code 3)"),
        ("killed", "crash", "has ended (exit code -6)"),
        ("silent", "crash", "gave no answer within 1.2 s"),
        ("patiently silent", "crash", "gave no answer within 1.6 s"),
        ("chatty", "crash", "did not answer bestmove within 2 s"),
    ],
)
def test_a_program_that_fails_loses_and_is_there_again(tmp_path: Path, kind: str, ended: str, note: str) -> None:
    (tmp_path / "b").mkdir()
    conditions: dict[str, dict[str, float]] = {
        "silent": {"seconds": 0.2, "margin": 60.0},  # and one more
        "chatty": {"seconds": 1.0, "margin": 60.0},
        "patiently silent": {"patience": 1.5},
    }
    programs = words(tmp_path, kind.split()[-1]), words(tmp_path / "b")
    records = played(CHESS, *programs, **conditions.get(kind, {"margin": 60.0}))
    for record in records:
        assert (record.ended, record.charged) == (ended, 0)
        assert note in record.note
    assert told(tmp_path).count("position startpos") == 2  # it has played both games


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("Hush=3", "has no option 'Hush'; did you mean Hash"),
        ("Qwertz=3", "has no option 'Qwertz'; it has Skill Level, Hash"),
        ("Hash=0", "Hash is a whole number from 1 to 1024, not '0'"),
        ("Hash=x", "Hash is a whole number from 1 to 1024, not 'x'"),
        ("UCI_LimitStrength=maybe", "UCI_LimitStrength is true or false, not 'maybe'"),
        ("Style=loud", "Style is one of solid, wild at times, not 'loud'"),
        ("Hash", "'Hash' is not of the form name=value"),
        ("Hash=1&Hash=2", "Hash is given twice"),
        ("depth=1.5", "depth must be a whole number of at least 1, not 1.5"),
        ("depth=1e400", "depth must be a whole number of at least 1, not inf"),
        ("seconds=-1", "seconds must be a number of more than 0, not -1"),
        ("book=nowhere.bin", "there is no file 'nowhere.bin'"),
        ("random=3", "random is the share of random moves"),
    ],
)
def test_options_that_are_wrong_are_refused_at_once(tmp_path: Path, options: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the message is looked at)
        player_of(words(tmp_path, options=options), CHESS)
    assert message in str(caught.value)


def test_programs_that_cannot_play_at_all(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="play chess, not Tic-tac-toe"):
        player_of(words(tmp_path), games.load("tic_tac_toe"))
    with pytest.raises(PlayerError, match="there is no program 'no-such-thing'"):
        player_of("uci:no-such-thing?Hash=3", CHESS)
    with pytest.raises(PlayerError, match="a program needs a command"):
        player_of("uci:", CHESS)
    with pytest.raises(PlayerError, match="has ended"):
        player_of("uci:true", CHESS)


@pytest.mark.parametrize(
    "line",
    [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Book File type string default <empty>",
        "option name Style type combo default solid var solid var wild at times",
        "option name Contempt type spin default -5 min -100 max 100",
    ],
)
def test_options_are_read_as_they_are_written(line: str) -> None:
    option = Option.read(line)
    assert option is not None
    assert option.line() == line
    assert Option.read("id name option") is None


@needs_stockfish
def test_stockfish_beats_random_play() -> None:
    record = played(CHESS, "uci:stockfish?UCI_Elo=1500&nodes=1000&Hash=1", "random")[0]
    assert (record.ended, record.utilities) == ("rules", (1.0, -1.0))
    assert max(value for value in record.values if value is not None) == 1.0


@needs_stockfish
def test_stockfish_plays_chess960_by_the_clock() -> None:
    game = games.load("chess", chess960=0)
    player = player_of("uci:stockfish?Hash=1", game)
    player.begin(game)
    clocks = Clock(20.0, 0.1), Clock(20.0, 0.1)
    choice = chosen(player, "g3", "g6", "Ne3", "Ne6", clock=clocks[0], clocks=clocks)
    assert choice.value is not None
    player.close()
