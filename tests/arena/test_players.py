"""Players: the words for them, what they do, and what is wrong with words that name none."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.arena_games import Partners
from zermelo import Clock, Game, Random, UnknownName, Unsuitable, games
from zermelo.arena.levels import level, levels
from zermelo.arena.player import Choice, Player, PlayerError, Turn
from zermelo.arena.players import Person, Resigning
from zermelo.arena.referee import Referee
from zermelo.arena.roster import player_of, with_seconds
from zermelo.arena.schedule import Job
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.lookup.book import Book
from zermelo.play.record import Record

TIC_TAC_TOE = games.load("tic_tac_toe")
CHESS: Any = games.load("chess")


def turn(game: Game, *moves: str, clock: Clock | None = None, seed: int = 0) -> Turn:
    states = Record("", moves).states(game)
    return Turn(game, states, moves, game.to_move(states[-1]), Random(seed), clock)


def chosen(words: str, game: Game, *moves: str, **about: Any) -> Any:
    player = player_of(words, game)
    player.begin(game)
    try:
        found = player.choose(turn(game, *moves, **about))
    finally:
        player.close()
    return found.action if isinstance(found, Choice) else found


@pytest.mark.parametrize(
    "words",
    ["engine:nodes=1000", "mtdf:depth=9,table=1", "alpha_beta:depth=3", "minimax:depth=2", "auto:depth=2", "greedy"],
)
def test_everybody_who_thinks_takes_the_win(words: str) -> None:
    assert TIC_TAC_TOE.action_name(None, chosen(words, TIC_TAC_TOE, "1", "4", "2", "5")) == "3"


def test_random_moves_are_all_tried_and_follow_the_seed() -> None:
    found = Counter(chosen("random", TIC_TAC_TOE, seed=seed) for seed in range(200))
    assert len(found) == 9
    assert chosen("random", TIC_TAC_TOE, seed=3) == chosen("random", TIC_TAC_TOE, seed=3)


def test_a_distracted_player_sometimes_misses_the_win() -> None:
    found = Counter(chosen("greedy:random=0.5", TIC_TAC_TOE, "1", "4", "2", "5", seed=seed) for seed in range(100))
    assert 40 < found[2] < 80
    assert len(found) == 5


def test_a_players_value_is_its_own() -> None:
    player = player_of("auto:depth=2", games.load("coalition"))
    choice = player.choose(turn(games.load("coalition")))
    assert isinstance(choice.value, float)


def test_a_clock_is_a_limit() -> None:
    assert chosen("alpha_beta", games.load("othello"), clock=Clock(0.5)) is not None
    assert chosen("engine", TIC_TAC_TOE, clock=Clock(0.5)) is not None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("engin", "there is no player 'engin'; did you mean 'engine'?"),
        ("", "there is no player ''"),
        ("engine:seconds", "'seconds' is not of the form name=value"),
        ("engine:second=1", "there is no option 'second' here; did you mean 'seconds'?"),
        ("engine:seconds=1,seconds=2", "seconds is given twice"),
        ("engine:table=-1", "table must be a number of MiB"),
        ("alpha_beta:table=3", "there is no option 'table' here"),
        ("random:depth=3", "there is no option 'depth' here; there are none"),
        ("engine:depth=0", "engine:depth=0: depth must be a whole number of at least 1, not 0"),
        ("minimax:nodes=1e6", "nodes must be a whole number of at least 1, not 1000000.0"),
        ("engine:seconds=soon", "seconds must be a number of more than 0, not 'soon'"),
        ("engine:book=5", "there is no file of games '5'"),
        ("engine:book_count=3", "book_count is for a player with a book"),
        ("random:book_best=true", "book_best is for a player with a book"),
        ("engine:compile=no", "compile is true or false, not 'no'"),
        ("alpha_beta:deepening=1", "deepening is true or false, not 1"),
        ("mine.py", "there is no player 'mine.py'; name what plays in the file, as in mine.py:my_search"),
        ("random:random=2", "random is the share of random moves, 0 to 1, not 2"),
        ("random:resign=2", "resign is a share of a win, 0 to 1, not 2"),
        ("level:champion", "has no level 'champion'; it has random, beginner"),
        ("nowhere.py:search", "there is no file 'nowhere.py'"),
        ("engine:book=nowhere.jsonl", "there is no file of games 'nowhere.jsonl'"),
    ],
)
def test_words_that_name_no_player(words: str, message: str) -> None:
    with pytest.raises((ValueError, UnknownName)) as caught:
        player_of(words, TIC_TAC_TOE)
    assert message in str(caught.value)


def test_a_player_that_does_not_suit_the_game() -> None:
    with pytest.raises(Unsuitable, match="engine does not suit"):
        player_of("engine", games.load("pig"))
    with pytest.raises(Unsuitable, match="alpha_beta does not suit"):
        player_of("alpha_beta", games.load("coalition"))


OWN = '''
import zermelo

@zermelo.algorithm()
def first_move(game, s, player, search, ply=0):
    """The first move there is."""
    search.visit(game, s, ply)
    return 0.0

class Last(zermelo.Player):
    def __init__(self, back: int = 1):
        self.back = back

    def choose(self, turn):
        return turn.legal()[-self.back]
'''


def test_players_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own_players.py"
    path.write_text(OWN)
    assert chosen(f"{path}:Last", TIC_TAC_TOE) == 8
    assert chosen(f"{path}:Last:back=3", TIC_TAC_TOE) == 6
    assert chosen(f"{path}:first_move:depth=2", TIC_TAC_TOE) in range(9)
    with pytest.raises(UnknownName, match="no algorithm and no Player of the name 'Nobody'"):
        player_of(f"{path}:Nobody", TIC_TAC_TOE)
    with pytest.raises(ValueError, match="unexpected keyword argument 'forth'"):
        player_of(f"{path}:Last:forth=3", TIC_TAC_TOE)


PROGRAM = """
import json, sys, time
for line in sys.stdin:
    turn = json.loads(line)
    kind = sys.argv[1]
    if kind == "hang":
        time.sleep(60)
    if kind == "crash":
        sys.exit(3)
    print("z9" if kind == "illegal" else turn["legal"][-1], flush=True)
"""


def program(tmp_path: Path, kind: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return f"program:{sys.executable} {path} {kind}"


def test_a_program_plays(tmp_path: Path) -> None:
    assert chosen(program(tmp_path, "good"), TIC_TAC_TOE, "1") == 8


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("crash", "has ended \\(exit code 3\\)"),
        ("hang", "gave no answer within 1.2 s"),
        ("illegal", "'z9' is not a legal move"),
    ],
)
def test_a_program_that_does_not(tmp_path: Path, kind: str, message: str) -> None:
    player = player_of(program(tmp_path, kind), TIC_TAC_TOE)
    player.begin(TIC_TAC_TOE)
    with pytest.raises((PlayerError, ValueError), match=message):
        player.choose(turn(TIC_TAC_TOE, clock=Clock(0.2) if kind == "hang" else None))
    player.begin(TIC_TAC_TOE)  # it is there again for the next game
    player.close()


def test_a_program_is_waited_for_as_long_as_anybody(tmp_path: Path) -> None:
    player = player_of(program(tmp_path, "hang"), TIC_TAC_TOE)
    player.begin(TIC_TAC_TOE)
    with pytest.raises(PlayerError, match=r"gave no answer within 1\.1 s"):
        player.choose(dataclasses.replace(turn(TIC_TAC_TOE), patience=0.1))


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(PlayerError, match="there is no program 'no-such-thing'"):
        player_of("program:no-such-thing", TIC_TAC_TOE)
    with pytest.raises(PlayerError, match=r"there is no program '\./no_such\.py:thing'"):
        player_of("program:./no_such.py:thing", TIC_TAC_TOE)
    with pytest.raises(PlayerError, match="a program needs a command"):
        player_of("program:", TIC_TAC_TOE)
    with pytest.raises(PlayerError, match="is not a command: No closing quotation"):
        player_of("program:'", TIC_TAC_TOE)


def test_a_person_who_goes_away_has_not_lost() -> None:
    def nobody(_: str) -> str:
        raise EOFError

    with pytest.raises(KeyboardInterrupt):
        Person(nobody, print).choose(turn(TIC_TAC_TOE))


def test_who_is_a_person() -> None:
    for words in ("person", "Person", "person:random=0.1"):
        assert player_of(words, TIC_TAC_TOE).is_person
    assert not player_of("random", TIC_TAC_TOE).is_person


class Over(TicTacToe):
    def is_terminal(self, s: Any) -> bool:
        return True


@pytest.mark.parametrize("words", ["engine", "greedy"])
def test_a_game_that_is_over_at_once_is_begun(words: str) -> None:
    player_of(words, Over()).begin(Over())


def test_levels_are_players_of_every_game() -> None:
    for name in games.names():
        game = games.load(name)
        there = levels(game)
        assert there[0].name == "random"
        for each in there:
            assert isinstance(player_of(f"level:{each.name}", game), Player)
            assert level(game, each.name.upper()) == each
    assert [each.name for each in levels(Partners())][-1] == "full"


def test_a_book_is_looked_up_first() -> None:
    book = Book(TIC_TAC_TOE).add(
        [
            Record("tic_tac_toe", ("5", "1", "9"), utilities=(1.0, -1.0), ended="rules"),
            Record("tic_tac_toe", ("5", "2"), utilities=(0.0, 0.0), ended="rules"),
            Record("tic_tac_toe", ("1",), utilities=(-1.0, 1.0), ended="rules"),
            Record("tic_tac_toe", ("3",)),  # not finished
            Record("connect_four", ("3",), utilities=(1.0, -1.0), ended="rules"),
            Record("nowhere.py", ("3",), utilities=(1.0, -1.0), ended="rules"),
        ]
    )
    s = TIC_TAC_TOE.initial()
    assert book.games == 3
    assert [(m.name, m.games, m.points, m.score) for m in book.moves(s)] == [("5", 2, 1.5, 0.75), ("1", 1, 0.0, 0.0)]
    assert [m.name for m in book.moves(s, count=2)] == ["5"]
    assert book.choose(s, Random(0)) == 4
    assert book.choose(TIC_TAC_TOE.play("5"), Random(0)) is None  # each was played once only
    replies = Counter(book.choose(TIC_TAC_TOE.play("5"), Random(seed), count=1) for seed in range(50))
    assert set(replies) == {1}  # what lost is not tried again
    assert book.moves(TIC_TAC_TOE.play("7")) == []


def test_a_player_with_a_book(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = [Record("tic_tac_toe", ("8", "1", "9"), utilities=(1.0, -1.0), ended="rules").line()] * 2
    path.write_text("\n".join(lines) + "\n")
    assert chosen(f"engine:depth=1,book={path}", TIC_TAC_TOE) == 7
    assert chosen(f"engine:depth=1,book={path},book_count=3", TIC_TAC_TOE) != 7
    assert chosen(f"greedy:book={path}", TIC_TAC_TOE, "1", "4", "2", "5") == 2
    path.write_text(
        "".join(Record("tic_tac_toe", (move,), utilities=(0.0, 0.0), ended="rules").line() + "\n" for move in "88999")
    )
    assert {chosen(f"random:book={path},book_best=true", TIC_TAC_TOE, seed=seed) for seed in range(9)} == {8}
    assert {chosen(f"random:book={path},book_best=false", TIC_TAC_TOE, seed=seed) for seed in range(9)} == {7, 8}
    with pytest.raises(ValueError, match="book_best is true or false, not 'often'"):
        player_of(f"random:book={path},book_best=often", TIC_TAC_TOE)


def test_a_book_without_a_game_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(Record("nim", ("1 from 1",), ended="time").line() + "\n")
    with pytest.raises(ValueError, match=r"has no finished games of Tic-tac-toe to make a book of"):
        player_of(f"random:book={path}", TIC_TAC_TOE)


def test_a_book_of_chess_is_one_for_all_its_rules() -> None:
    ended = {"utilities": (0.0, 0.0), "ended": "rules"}
    games_played = [Record("chess", ("e4",), **ended), Record("chess", ("d4",), {"draws": "automatic"}, **ended)]
    games_played.append(Record("chess", ("f4",), {"chess960": 0}, **ended))
    book = Book(games.load("chess", draws="never")).add(games_played)
    assert {move.name for move in book.moves(CHESS.initial())} == {"e4", "d4"}
    assert [move.name for move in book.moves(games.load("chess", chess960=0).initial())] == ["f4"]


def test_a_book_knows_positions_that_were_set_up() -> None:
    start = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    record = Record("chess", ("Ra8#",), utilities=(1.0, -1.0), ended="rules", start=start)
    assert [move.name for move in Book(CHESS).add([record]).moves(CHESS.from_fen(start))] == ["Ra8#"]


@pytest.mark.parametrize(
    ("words", "timed"),
    [
        ("mcts", "mcts:seconds=2"),
        ("auto", "auto:seconds=2"),
        ("engine:table=1", "engine:table=1,seconds=2"),
        ("engine:depth=3", "engine:depth=3"),
        ("mcts:simulations=9", "mcts:simulations=9"),
        ("uci:stockfish", "uci:stockfish?seconds=2"),
        ("uci:stockfish?Hash=16", "uci:stockfish?Hash=16&seconds=2"),
        ("level:random", "random"),
        ("level:full", level(TIC_TAC_TOE, "full").player),
        ("random:random=0.2", "random:random=0.2"),
        ("person", "person"),
        ("program:python a.py --depth=3", "program:python a.py --depth=3"),
        ("nobody", "nobody"),  # `player_of` says what is wrong
    ],
)
def test_a_thinking_time_for_players_that_take_one(words: str, timed: str) -> None:
    assert with_seconds(words, TIC_TAC_TOE, 2.0) == timed


def test_a_thinking_time_for_players_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "timed.py"
    path.write_text("from zermelo.arena.players import RandomPlayer\nfrom zermelo.search.minimax import minimax\n")
    assert with_seconds(f"{path}:RandomPlayer", TIC_TAC_TOE, 2.0) == f"{path}:RandomPlayer"
    assert with_seconds(f"{path}:minimax", TIC_TAC_TOE, 2.0) == f"{path}:minimax:seconds=2"


class Pessimist(Player):
    """Expects these values, one move after the other."""

    def __init__(self, *values: float):
        self.values = values

    def choose(self, turn: Turn) -> Choice:
        return Choice(turn.legal()[0], self.values[len(turn.states) // 2])


def test_a_player_resigns_after_three_hopeless_moves() -> None:
    game = games.load("connect_four")
    for values, ended, moves in (((-0.98, -0.9, -0.99, -1, -1, 0), "resignation", 8), ((0,) * 30, "rules", 8)):
        players = [Resigning(Pessimist(*values), 0.02), Pessimist(*(0,) * 30)]
        record = Referee(Job("connect_four", ("a", "b"), 0, 0), game, players).play()
        assert record.ended == ended
        if ended == "resignation":
            assert (record.charged, len(record.moves)) == (0, moves)
