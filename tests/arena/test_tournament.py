"""Matches from the first game to the standings: deterministic, resumed after a kill, and none lost to a bad player."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.arena_games import Alone, Partners
from support.serving import eventually, is_alive
from zermelo import GameError, games, match, read_games, tournament
from zermelo.arena.player import Player, Turn
from zermelo.arena.pool import Workers
from zermelo.arena.schedule import Conditions
from zermelo.arena.sequential import Sprt
from zermelo.arena.standings import Standings
from zermelo.arena.storage import GameFile, settings_of
from zermelo.arena.supervisor import Supervisor
from zermelo.arena.tournament import Settings, Tournament
from zermelo.lookup.book import Book
from zermelo.play.record import Record

TIMING = ("times", "began")


def without_times(path: Path) -> list[dict[str, Any]]:
    """The games of a file in order, but for what the clock says."""
    found = [record.to_json() for record in read_games(path)]
    for data in found:
        for name in TIMING:
            data.pop(name, None)
    return sorted(found, key=lambda data: data["number"])


def test_perfect_against_perfect_is_always_drawn() -> None:
    standings = match("tic_tac_toe", "engine:depth=9", "alpha_beta:depth=9", games=20, openings=0, workers=0)
    assert (standings.score.wins, standings.score.draws, standings.score.losses) == (0, 20, 0)
    assert standings.score.elo == 0


def test_deeper_is_stronger_at_othello() -> None:
    standings = match("othello", "alpha_beta:depth=3", "alpha_beta:depth=1", games=24, workers=0)
    assert standings.score.low > 0, str(standings.score)
    assert standings.has_stakes
    assert standings.tallies[0].stakes.mean > 0


@pytest.mark.slow
def test_node_limited_players_give_the_same_games(tmp_path: Path) -> None:
    """In this process, in one worker and in two: whoever plays them and in whatever order."""
    players = ["engine:nodes=300", "engine:nodes=200,random=0.2", "random"]
    found = []
    for number, workers in enumerate((0, 1, 2)):
        path = tmp_path / f"{number}.jsonl"
        tournament("connect_four", players, rounds=3, workers=workers, file=path, seed=4)
        found.append(without_times(path))
    assert len(found[0]) == 18
    assert found[0] == found[1] == found[2]
    other = tmp_path / "other.jsonl"
    tournament("connect_four", players, rounds=3, workers=0, file=other, seed=5)
    assert without_times(other) != found[0]


def test_dice_are_the_same_for_both_seats(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    standings = match("pig", "greedy", "random", games=10, workers=0, parameters={"target": 20}, file=path)
    assert standings.games == 10
    assert standings.score.wins + standings.score.losses == 10
    seeds = [record.seed for record in read_games(path)]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 5


def test_several_players_a_game() -> None:
    standings = tournament("coalition", ["random", "auto:depth=2"], rounds=4, workers=0)
    assert standings.games == 4 * 6
    ratings = standings.ratings()
    assert ratings["auto:depth=2"].elo == pytest.approx(-ratings["random"].elo)


def test_a_game_is_one_result_however_many_seats_a_player_has() -> None:
    """Two seats of three say no more than one game does; and the games from one opening belong together."""
    game = games.load("coalition")
    standings = Standings(game, ("a", "b"))
    for number in range(6):
        winner = (1.0, 0.0, 0.0) if number % 2 else (0.0, 0.0, 1.0)
        seats = ("a", "a", "b")
        standings.add(Record("", (), players=seats, utilities=winner, ended="rules", number=number, pair=number // 3))
    assert standings.score.results == [3, 0, 3]
    assert standings.to_json()["wins"] == standings.tallies[0].wins == 3
    units = [sum(game[2] for game in key) for key in standings._results._seen.elements()]
    assert units == [3, 3]


def test_openings_may_lie_in_a_file(tmp_path: Path) -> None:
    openings, path = tmp_path / "openings.txt", tmp_path / "games.jsonl"
    openings.write_text("5 1\n1 2\n")
    match("tic_tac_toe", "random", "greedy", games=4, workers=0, openings=openings, file=path)
    assert [record.moves[:2] for record in read_games(path)] == [("5", "1")] * 2 + [("1", "2")] * 2
    openings.write_text("5 1\n1 3\n")
    with pytest.raises(ValueError, match="openings_digest is"):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, openings=openings, file=path)


def test_partners_and_a_game_for_one() -> None:
    standings = match(Partners(), "engine:depth=8,compile=False", "random", games=20)
    assert standings.score.score > 0.5
    alone = match(Alone(), "greedy:compile=False,nodes=1000", "random", games=10, openings=0)
    assert alone.tallies[0].stakes.mean == 30
    assert (alone.score.wins, alone.score.losses) == (5, 0)


def test_hidden_information_is_played_at_random() -> None:
    standings = match("kuhn_poker", "random", "random:random=1", games=40, workers=0)
    assert standings.has_stakes
    assert standings.tallies[0].stakes.mean == -standings.tallies[1].stakes.mean


BAD = '''
import os, signal, time
import zermelo

class Bad(zermelo.Player):
    """Plays well for a while, and then not."""

    def __init__(self, how: str):
        self.how = how

    def choose(self, turn):
        if len(turn.states) < 5:
            return turn.legal()[0]
        if self.how == "crash":
            os.abort()
        if self.how == "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.how == "exit":
            os._exit(7)
        if self.how == "raise":
            raise ValueError("a mistake")
        if self.how == "hang":
            time.sleep(1000)
        print("this goes nowhere")
        return -1
'''


@pytest.mark.parametrize(
    ("how", "ended", "note"),
    [
        ("crash", "crash", "SIGABRT"),
        ("segfault", "crash", "SIGSEGV"),
        ("exit", "crash", "exit code 7"),
        ("raise", "crash", "ValueError: a mistake"),
        ("hang", "hang", "no move in time"),
        ("illegal", "illegal move", "-1 is not legal"),
    ],
)
def test_a_bad_player_loses_and_the_match_goes_on(tmp_path: Path, how: str, ended: str, note: str) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    bad = f"{tmp_path / 'bad.py'}:Bad:how={how}"
    patience = 2 if how == "hang" else 60
    standings = match(
        "connect_four", bad, "random", games=2, file=tmp_path / "games.jsonl", patience=patience, openings=0
    )
    assert standings.games == 2
    assert standings.score.losses == 2
    assert standings.tallies[0].faults == {ended: 2}
    for record in read_games(tmp_path / "games.jsonl"):
        assert record.ended == ended
        assert note in record.note
        assert record.players[record.charged or 0] == bad
        assert 4 <= len(record.moves) <= 5  # those before it are kept
        record.states()


def wait_for(path: Path, lines: int) -> None:
    eventually(lambda: path.exists() and path.read_bytes().count(b"\n") > lines)


def command(path: Path, *more: str) -> list[str]:
    players = ["engine:nodes=20000", "alpha_beta:depth=5,random=0.1"]
    return [
        *(sys.executable, "-m", "zermelo", "match", "connect_four", *players, "--games", "60"),
        *("--workers", "2", "--seed", "3", "--file", str(path), *more),
    ]


def test_killed_in_the_middle_and_gone_on_with(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    subprocess.run(command(whole), check=True, capture_output=True)
    for games_there in (5, 20):
        process = subprocess.Popen(command(broken), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(broken, games_there)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with broken.open("ab") as file:
            file.write(b'{"zermelo": "game", "mov')  # as if it had been killed while it wrote
    done = subprocess.run([*command(broken), "--json"], check=True, capture_output=True, text=True)
    assert without_times(broken) == without_times(whole)
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["games"] == 60
    assert summary["wins"] + summary["draws"] + summary["losses"] == 60


def test_a_worker_that_somebody_kills_costs_nothing(tmp_path: Path) -> None:
    """Its game is played again, and is the same."""
    path, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    settings = Settings("connect_four", ("engine:nodes=30000", "engine:nodes=10000"), rounds=4, openings=2)
    pool = Workers(1)
    killed = []

    def kill(record: Record, standings: Standings) -> None:
        process = pool.supervisors[0].process
        if standings.games in (2, 4) and process is not None:
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    Tournament(settings).play(pool, path, on_game=kill)
    Tournament(settings).play(Workers(2), again)
    assert len(killed) == 2
    assert without_times(path) == without_times(again)
    assert all(record.ended == "rules" for record in read_games(path))


def test_what_is_wrong_with_the_rules_is_said_and_charged_to_nobody(tmp_path: Path) -> None:
    path = tmp_path / "broken_rules.py"
    path.write_text(
        "from zermelo.games.tic_tac_toe import TicTacToe\n"
        "class Broken(TicTacToe):\n"
        "    def utility(self, s, p):\n"
        "        raise ValueError('nobody knows')\n"
    )
    with pytest.raises(RuntimeError, match="could not be played: ValueError: nobody knows"):
        match(str(path), "random", "random:random=1", games=2, openings=0)


def test_a_file_belongs_to_one_match(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)
    assert settings_of(path)["players"] == ["random", "greedy"]
    before = path.read_bytes()
    again = match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)
    assert again.games == 4
    assert path.read_bytes() == before
    with pytest.raises(ValueError, match=r"belongs to another match \(rounds is 2 there, not 3\)"):
        match("tic_tac_toe", "random", "greedy", games=6, workers=0, file=path)
    with pytest.raises(ValueError, match="seed is 0 there, not 1"):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path, seed=1)
    with pytest.raises(
        ValueError, match=r"belongs to another match \(seconds is None there, not 5; margin is 0.0 there, not 1\)"
    ):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path, seconds=5, margin=1)
    other = tmp_path / "other.jsonl"
    other.write_text(Record("nim", ()).line() + "\n")
    with pytest.raises(ValueError, match="is not the file of a match"):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=other)
    settings = Settings("tic_tac_toe", ("random", "greedy"), 2).to_json()
    with pytest.raises(ValueError, match="another match is writing"):
        GameFile(tmp_path / "x.jsonl", settings), GameFile(tmp_path / "x.jsonl", settings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"number": 1}, "game 1 occurs twice"),
        ({"number": None}, "a game has no number"),
        ({"ended": None}, "game 0 is not finished"),
        ({"players": ["random", "nobody"]}, "game 0 has other players, random, nobody"),
    ],
)
def test_a_game_that_is_not_of_this_match(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)
    first, game, *others = path.read_text().splitlines()
    path.write_text("\n".join([first, json.dumps({**json.loads(game), **change}), *others, ""]))
    with pytest.raises(GameError, match=message):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)


def test_games_of_an_object_are_found_again(tmp_path: Path) -> None:
    registered, own = games.load("connect_four", width=5), Alone()
    for game in (registered, own):
        path = tmp_path / f"{type(game).__name__}.jsonl"
        match(game, "random", "random:random=1", games=2, file=path)
        assert Book.from_file(path, game).games == 2
    for record in read_games(tmp_path / "ConnectFour.jsonl"):
        assert record.load().name == registered.name
        assert registered.is_terminal(record.states()[-1])


def test_settings_that_make_no_tournament() -> None:
    with pytest.raises(ValueError, match="workers must be a whole number of at least 0, not -1"):
        match("tic_tac_toe", "random", "greedy", workers=-1)
    with pytest.raises(ValueError, match="at least 0 random plies, not -1"):
        match("tic_tac_toe", "random", "greedy", workers=0, openings=-1)
    with pytest.raises(ValueError, match="a sequential test is for two players, not for 3"):
        tournament("tic_tac_toe", ["random", "greedy", "minimax"], workers=0, sprt=Sprt(0, 10))


@pytest.mark.parametrize("kept", [b"years of work", b"one line\nanother", b"\x89PNG\r\n\x1a\n\0", b'{"a": 1}\n{'])
def test_a_file_that_is_no_matchs_is_left_as_it_is(tmp_path: Path, kept: bytes) -> None:
    path = tmp_path / "mine"
    path.write_bytes(kept)
    with pytest.raises(ValueError, match="is not the file of a match"):
        match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)
    assert path.read_bytes() == kept


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, message in ((tmp_path, "it is not a regular file"), (tmp_path / "file" / "x.jsonl", "File exists")):
        with pytest.raises(ValueError, match=f"games cannot be saved in .*: {message}"):
            match("tic_tac_toe", "random", "greedy", games=4, workers=0, file=path)


def test_a_full_disk_costs_the_game_that_it_came_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, write = tmp_path / "games.jsonl", os.write

    def full(descriptor: int, data: bytes) -> int:
        if path.stat().st_size > 1000:
            write(descriptor, data[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(ValueError, match="No space left on device"):
            match("tic_tac_toe", "random", "greedy", games=20, workers=0, file=path)
    assert not path.read_bytes().endswith(b"\n")
    assert match("tic_tac_toe", "random", "greedy", games=20, workers=0, file=path).games == 20
    assert [record.number for record in read_games(path)] == list(range(20))


def test_a_first_line_that_was_never_finished(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", "random", "random:random=1", games=4, workers=0, file=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    assert match("tic_tac_toe", "random", "random:random=1", games=4, workers=0, file=path).games == 4
    assert settings_of(path)["rounds"] == 2


class Strange(Player):
    def choose(self, turn: Turn) -> Any:
        raise ValueError("caf\udce9")  # as in the name of a file that is not UTF-8


def test_an_error_that_is_no_text_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", Strange(), "random", games=2, file=path)
    assert [record.note for record in read_games(path)] == ["ValueError: caf\udce9"] * 2


FORKS = """
import os
import zermelo

class Forks(zermelo.Player):
    def choose(self, turn):
        os.fork()
        return turn.legal()[0]
"""


def test_a_player_who_forks_plays_once(tmp_path: Path) -> None:
    (tmp_path / "forks.py").write_text(FORKS)
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", f"{tmp_path / 'forks.py'}:Forks", "random", games=10, file=path)
    assert [record.number for record in read_games(path)] == list(range(10))


def test_a_worker_that_dies_between_two_games_is_started_again() -> None:
    job = next(Tournament(Settings("tic_tac_toe", ("random", "greedy"), 1)).jobs())
    supervisor = Supervisor()
    try:
        first = supervisor.play(job)
        assert supervisor.process is not None
        os.kill(supervisor.process.pid, signal.SIGTERM)
        supervisor.process.wait()
        assert supervisor.play(job).moves == first.moves
    finally:
        supervisor.close()


BUSY = "while True: pass"


def test_programs_end_with_who_started_them(tmp_path: Path) -> None:
    """Whoever asked for the match is killed: nobody is left, not even a program that does not listen."""
    (tmp_path / "busy.py").write_text(f"import os\nopen('pid', 'w').write(str(os.getpid()))\n{BUSY}\n")
    words = ["match", "tic_tac_toe", f"program:{sys.executable} busy.py", "random", "--file", "a.jsonl"]
    process = subprocess.Popen([sys.executable, "-m", "zermelo", *words], cwd=tmp_path, stderr=subprocess.DEVNULL)
    pid = tmp_path / "pid"
    while not pid.exists() or not pid.read_text():
        time.sleep(0.05)
        assert process.poll() is None
    process.kill()
    process.wait()
    try:
        eventually(lambda: not is_alive(int(pid.read_text())))
    except AssertionError:
        os.kill(int(pid.read_text()), signal.SIGKILL)
        raise


def test_a_sequential_test_stops_early(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    sprt = Sprt(0, 100)
    standings = match("connect_four", "greedy", "random", games=2000, workers=0, sprt=sprt, file=path)
    assert standings.decision == "accept"
    assert standings.games < 200
    assert standings.to_json()["sprt"]["decision"] == "accept"
    again = match("connect_four", "greedy", "random", games=2000, workers=0, sprt=sprt, file=path)
    assert again.games == standings.games  # what was decided stays decided


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["random"], {}, "at least two players"),
        (["random", "random"], {}, "two of the players are the same"),
        (["random", "greedy"], {"rounds": 0}, "at least one round"),
    ],
)
def test_matches_that_tell_nothing(players: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tournament("tic_tac_toe", players, workers=0, **options)


def test_conditions_are_kept_with_the_settings() -> None:
    settings = Settings("nim", ("a", "b"), conditions=Conditions(seconds=1.0))
    assert json.loads(json.dumps(settings.to_json()))["conditions"]["seconds"] == 1.0


@pytest.mark.timing
def test_standings_grow_slowly() -> None:
    """A live table is drawn after any game: adding one and asking for everything takes less than 20 ms."""
    game = games.load("tic_tac_toe")
    standings = Standings(game, ("a", "b", "c"))
    began = time.process_time()
    for number in range(3000):
        seats = ("a", "b") if number % 4 < 2 else ("b", "c")
        utilities = (1.0, -1.0) if number % 3 else (0.0, 0.0)
        standings.add(
            Record("", ("1",), players=seats, utilities=utilities, ended="rules", number=number, pair=number // 2)
        )
    assert time.process_time() - began < 3
    began = time.process_time()
    standings.to_json()
    assert time.process_time() - began < 0.1
