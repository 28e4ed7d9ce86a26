"""The referee: every way in which a game ends, and who is charged with it."""

from __future__ import annotations

import itertools
import math
import sys
from typing import Any

import numpy as np
import pytest

from support.arena_games import Alone, Lottery, Partners
from zermelo import CHANCE, Game, GameError, games
from zermelo.arena import referee
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.players import RandomPlayer
from zermelo.arena.referee import Referee
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, Job
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.play.record import Record

TIC_TAC_TOE = games.load("tic_tac_toe")


class Watch:
    """The referee's watch, which goes on only while somebody thinks."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


WATCH = Watch()


@pytest.fixture(autouse=True)
def _by_that_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "time", WATCH)


class First(Player):
    """The first legal move, after a while; with a value, if it has one."""

    def __init__(self, seconds: float = 0.0, value: float | None = None, wrong: Any = None):
        self.seconds, self.value, self.wrong = seconds, value, wrong
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> Choice:
        self.turns.append(turn)
        WATCH.sleep(self.seconds)
        if isinstance(self.wrong, Exception):
            raise self.wrong
        return Choice(turn.legal()[0] if self.wrong is None else self.wrong, self.value)


def played(game: Game, *players: Player, opening: tuple[str, ...] = (), seed: int = 0, **conditions: Any) -> Record:
    words = tuple(f"player {i}" for i in range(len(players)))
    job = Job("game", words, 0, 0, opening=opening, seed=seed, conditions=Conditions(**conditions))
    return Referee(job, game, players).play()


def test_by_the_rules() -> None:
    record = played(TIC_TAC_TOE, First(), First(), opening=("5",))
    assert record.ended == "rules"
    assert record.moves == ("5", "1", "2", "3", "4", "6", "7", "8", "9")
    assert record.opening == 1
    assert record.utilities == (0.0, 0.0)
    assert len(record.times) == 8
    assert record.movers == (1, 0) * 4


@pytest.mark.parametrize("wrong", [9, "1", None.__class__, [0], 3.5])
def test_an_illegal_move(wrong: Any) -> None:
    record = played(TIC_TAC_TOE, First(), First(wrong=wrong))
    assert (record.ended, record.charged, record.moves) == ("illegal move", 1, ("1",))
    assert record.points(TIC_TAC_TOE, 0) == 1


def test_a_crash() -> None:
    record = played(TIC_TAC_TOE, First(wrong=RuntimeError("oh")), First())
    assert (record.ended, record.charged, record.note) == ("crash", 0, "RuntimeError: oh")


@pytest.mark.parametrize("value", ["great", 10**400, (1, 2)])
def test_a_value_that_is_none(value: Any) -> None:
    record = played(TIC_TAC_TOE, First(), First(value=value))
    assert (record.ended, record.charged, record.moves) == ("crash", 1, ("1",))


class Leaves(First):
    def choose(self, turn: Turn) -> Choice:
        sys.exit("had enough")


def test_a_player_who_leaves() -> None:
    record = played(TIC_TAC_TOE, First(), Leaves())
    assert (record.ended, record.charged, record.note) == ("crash", 1, "SystemExit: had enough")


@pytest.mark.parametrize("move", [8.0, np.int64(8), np.float32(8)])
def test_a_move_is_made_as_the_rules_know_it(move: Any) -> None:
    """Whatever equals a legal move is one; the game is played with its own."""
    record = played(TIC_TAC_TOE, First(), First(wrong=move))
    assert record.moves[1] == "9"


class Stuck(TicTacToe):
    def actions(self, s: Any) -> Any:
        return []


class Unknowable(TicTacToe):
    def utility(self, s: Any, p: int) -> float:
        return math.nan


@pytest.mark.parametrize(
    ("game", "words", "opening", "message"),
    [
        (Stuck(), "random", (), "has no legal move after 0 plies, and is not over"),
        (Unknowable(), "random", (), "are finite numbers, not"),
        (Unknowable(), "minimax:compile=False", ("1", "4", "2", "5"), "a utility that is not a finite number"),
    ],
)
def test_wrong_rules_are_charged_to_nobody(game: Game, words: str, opening: tuple[str, ...], message: str) -> None:
    with pytest.raises(GameError, match=message):
        played(game, player_of(words, game), player_of(words, game), opening=opening)


def test_a_person_is_not_hurried() -> None:
    slow = First(0.02)
    assert played(TIC_TAC_TOE, slow, First(), patience=0.01).ended == "hang"
    slow.is_person = True
    assert played(TIC_TAC_TOE, slow, First(), patience=0.01).ended == "rules"


class Unready(First):
    def begin(self, game: Game) -> None:
        raise OSError("no such program")


def test_a_player_who_does_not_come() -> None:
    record = played(TIC_TAC_TOE, First(), Unready())
    assert (record.ended, record.charged, record.moves) == ("crash", 1, ())


def test_time() -> None:
    record = played(TIC_TAC_TOE, First(0.06), First(), seconds=0.1)
    assert (record.ended, record.charged) == ("time", 0)
    assert played(TIC_TAC_TOE, First(0.06), First(), seconds=0.1, increment=0.2).ended == "rules"
    assert played(TIC_TAC_TOE, First(0.06), First(), seconds=0.05, increment=0.2, margin=0.2).ended == "rules"


def test_the_clock_is_shown() -> None:
    player = First(0.05)
    played(TIC_TAC_TOE, player, First(), seconds=10, increment=1)
    shown = [turn.clock.remaining for turn in player.turns if turn.clock is not None]
    assert shown[0] == 10
    assert [later - earlier for earlier, later in itertools.pairwise(shown)] == pytest.approx([0.95] * (len(shown) - 1))


def test_a_game_that_is_too_long_is_a_draw() -> None:
    record = played(TIC_TAC_TOE, First(), First(), most_plies=3)
    assert (record.ended, record.charged, record.points(TIC_TAC_TOE, 0)) == ("length", None, 0.5)


def test_adjudication() -> None:
    record = played(TIC_TAC_TOE, First(value=-0.95), First(value=0.9), agreed=0.9, moves=2)
    assert (record.ended, record.charged, len(record.moves)) == ("adjudication", 0, 4)
    for values in ((-0.95, 0.8), (0.95, 0.95), (-0.95, None)):
        players = (First(value=value) for value in values)
        assert played(TIC_TAC_TOE, *players, agreed=0.9, moves=2).ended == "rules"
    assert played(TIC_TAC_TOE, First(value=-1), First(value=1)).ended == "rules"  # off by default


def test_the_same_dice_for_both_seats() -> None:
    game = games.load("pig")
    one, two = (played(game, player_of("greedy", game), RandomPlayer(), seed=seed) for seed in (5, 5))
    assert one.moves == two.moves
    other = played(game, RandomPlayer(), player_of("greedy", game), seed=5)
    rolls, others = ([move for move in game.moves if f"{move}".isdigit()] for game in (one, other))
    shorter = min(len(rolls), len(others))
    assert shorter > 10
    assert rolls[:shorter] == others[:shorter]  # however the games are played
    assert played(game, RandomPlayer(), RandomPlayer(), seed=6).moves != one.moves


def test_what_is_hidden_is_not_shown() -> None:
    """In Kuhn poker the state shown has the player's own card, and any other card for the opponent."""
    game = games.load("kuhn_poker")
    seen = set()
    for seed in range(40):
        player = First()
        record = played(game, player, First(), seed=seed)
        states = record.states(game)
        shown = player.turns[0]
        assert shown.history == ()
        assert shown.moves == ()
        real = next(s for s in states if game.to_move(s) != CHANCE)
        assert game.information(real, 0) == game.information(shown.state, 0)
        seen.add(real == shown.state)
    assert seen == {True, False}


def test_partners_are_one_player() -> None:
    player = First()
    record = played(Partners(), player, First())
    assert [turn.player for turn in player.turns] == [0, 2, 0, 2]
    assert record.movers == (0, 1) * 4
    assert len(record.utilities or ()) == 4


def test_a_game_for_one_and_chance_that_cannot_be_listed() -> None:
    assert played(Alone(), First()).utilities == (0.0,)
    record = played(Lottery(), First(), First(), seed=3)
    assert record.moves == (None, "0", "0")
    last = record.states(Lottery())[-1]
    assert record.utilities == (Lottery().utility(last, 0), Lottery().utility(last, 1))


def test_history_is_shown() -> None:
    player = First()
    played(TIC_TAC_TOE, First(), player)
    assert [len(turn.history) for turn in player.turns] == [1, 3, 5]


def test_a_turn_shows_all_clocks() -> None:
    quick, slow = First(), First(0.02)
    played(TIC_TAC_TOE, quick, slow, seconds=5.0, increment=0.001)
    last = quick.turns[-1]
    assert last.clock == last.clocks[0]
    assert last.clocks[0].remaining > last.clocks[1].remaining
    assert {clock.increment for clock in last.clocks} == {0.001}
    assert slow.turns[-1].clock == slow.turns[-1].clocks[1]
    played(TIC_TAC_TOE, quick, slow)
    assert (quick.turns[-1].clock, quick.turns[-1].clocks) == (None, ())


def test_the_same_cards_for_both_seats_although_they_bet_differently() -> None:
    game = games.load("leduc_poker")
    for seed in range(12):
        calls, raises = player_of("always:call,check", game), player_of("always:raise,call", game)
        called, raised = (played(game, player, player, seed=seed) for player in (calls, raises))
        cards = [[move for move in each.moves if f"{move}".isdigit()] for each in (called, raised)]
        assert called.moves != raised.moves
        assert cards[0] == cards[1]
