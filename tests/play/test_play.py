"""A game in progress: moves, chance, views, undo, variations, and saving and loading, for every registered game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from support.arena_games import Lottery
from support.stress_games import Whist
from zermelo import CHANCE, Game, GameError, IllegalAction, Random, games
from zermelo.game.state import i64
from zermelo.games.kuhn_poker import KuhnPoker
from zermelo.games.pig import Pig
from zermelo.play.play import Play
from zermelo.play.position import Position
from zermelo.play.record import Record, Variation

HIDDEN = [name for name in games.names() if games.load(name).hidden]


def step(play: Play, random: Random) -> None:
    """A random move, or whatever chance does."""
    if play.mover == CHANCE:
        play.draw()
    else:
        legal = play.legal()
        play.move(legal[random.below(len(legal))])


def wandering(game: Game, seed: int, steps: int = 120) -> Play:
    """A random move tree: now and then the play goes back to an earlier position and continues from there."""
    play, random = Play(game, seed=seed), Random(seed)
    for _ in range(steps):
        if play.is_over or random.below(8) == 0:
            line = play.here.line()
            play.go_to(line[random.below(len(line))])
        if not play.is_over:
            step(play, random)
    return play


def shape(play: Play) -> list[tuple[Any, ...]]:
    """The move tree as plain data: every position with its state, its move and its continuations, in order."""
    number: dict[Position, int] = {}
    waiting = [play.root]
    for position in waiting:
        number[position] = len(number)
        waiting += position.after
    return [(p.state, play.name_of(p), tuple(number[each] for each in p.after)) for p in number]


def reloaded(record: Record) -> Record:
    return Record.from_json(json.loads(record.line()))


# Conformance: every registered game, and chance that can only be drawn.


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_move_tree_is_saved_and_loaded_equal(name: str, seed: int) -> None:
    game = games.load(name)
    play = wandering(game, seed)
    record = Record.of(play, name, players=("a", "b"))
    assert record.variations
    again = reloaded(record)
    assert again == record
    loaded = again.play()
    assert shape(loaded) == shape(play)
    assert loaded.here is loaded.main_line[-1]
    assert again.states() == [position.state for position in play.main_line]


@pytest.mark.parametrize("game", [Lottery(), Whist(3)], ids=["lottery", "whist"])
def test_chance_that_is_only_drawn_is_loaded_equal(game: Game) -> None:
    play = wandering(game, 3)
    record = reloaded(Record.of(play, "its file"))
    assert record.moves[0] is None
    assert shape(record.play(game)) == shape(play)
    assert Play(game, seed=4).draw().state != Play(game, seed=5).draw().state


@pytest.mark.parametrize("name", games.names())
def test_undo_and_redo_go_through_every_position(name: str) -> None:
    play, random = Play(games.load(name), seed=1), Random(1)
    while not play.is_over and play.here.ply < 40:
        step(play, random)
    states, moves, count = play.states, play.moves, play.here.ply
    for ply in reversed(range(count)):
        play.undo()
        assert play.states == states[: ply + 1]
        assert play.moves == moves[:ply]
    with pytest.raises(IllegalAction, match="nothing to undo"):
        play.undo()
    for _ in range(count):
        play.redo()
    assert (play.states, play.moves) == (states, moves)
    with pytest.raises(IllegalAction, match="nothing to redo"):
        play.redo()


@pytest.mark.parametrize("game", [*map(games.load, HIDDEN), Whist(3)], ids=lambda game: type(game).__name__)
def test_a_view_does_not_depend_on_what_is_hidden(game: Game) -> None:
    """Swap what is hidden from a player, and its view stays the same."""
    random, swapped = Random(9), 0
    for seed in range(12):
        play = Play(game, seed=seed)
        while not play.is_over:
            mover = play.mover
            if mover is not None and mover != CHANCE:
                other = Play(game, seed=seed)
                other.root.state = game.resample(play.state, mover, random)
                swapped += other.state != play.state
                assert play.view(mover, Random(seed)) == other.view(mover, Random(seed))
                assert play.visible_state(mover) == other.visible_state(mover)
                assert len(play.view(mover, random).states) == 1
            step(play, random)
    assert swapped


class Unsampled(KuhnPoker):
    resample = Game.resample


def test_a_hidden_game_without_resample_has_no_views() -> None:
    play = Play(Unsampled(), seed=1)
    step(play, Random(1))
    with pytest.raises(GameError, match="needs the method `resample`"):
        play.view(0, Random(1))
    with pytest.raises(GameError, match="needs the method `resample`"):
        play.board(0, play.here)


def test_without_hidden_information_a_view_has_everything() -> None:
    play = Play(games.load("tic_tac_toe"))
    play.follow(["5", "1"])
    assert play.view(0, Random(1)) == (0, tuple(play.states), ("5", "1"))


# Chance.


def test_chance_brings_the_same_at_every_visit() -> None:
    play = Play(Pig(), seed=7)
    play.move_named("roll")
    rolled = play.draw()
    play.undo()
    assert play.draw() is rolled
    with pytest.raises(IllegalAction, match="not chance's turn"):
        play.draw()
    with pytest.raises(IllegalAction, match="chance's turn"):
        play.move_from(rolled.before or rolled, "hold")


class Twins(Game):
    """Chance brings one of two outcomes that print alike, and lead to different states."""

    chance = True
    utility_range = (-1.0, 1.0)

    class Side:
        def __init__(self, value: int):
            self.value = value

        def __str__(self) -> str:
            return "a side"

    sides = (Side(1), Side(2))

    def initial(self) -> int:
        return 0

    def to_move(self, s: int) -> int:
        return CHANCE if s == 0 else 0

    def actions(self, s: int) -> Iterator[int]:
        yield 3

    def outcomes(self, s: int) -> Iterator[tuple[Twins.Side, float]]:
        for side in self.sides:
            yield side, 0.5

    def result(self, s: int, a: Any) -> int:
        return a.value if s == 0 else i64(s + a)

    def is_terminal(self, s: int) -> bool:
        return s > 2

    def utility(self, s: int, p: int) -> float:
        return 1.0 if (s == 4) == (p == 0) else -1.0


def test_outcomes_that_print_alike_are_loaded_equal() -> None:
    brought = set()
    for seed in range(20):
        play = Play(Twins(), seed=seed)
        play.draw()
        brought.add(play.state)
        assert reloaded(Record.of(play, "twins")).states(Twins()) == play.states
    assert brought == {1, 2}


# Variations.


def tic_tac_toe(*moves: str) -> Play:
    play = Play(games.load("tic_tac_toe"), seed=0)
    play.follow(moves)
    return play


def names(play: Play, line: list[Position]) -> str:
    return " ".join(map(str, play.names(line)))


def test_a_move_from_an_earlier_position_is_a_variation() -> None:
    play = tic_tac_toe("5", "1", "9", "3")
    first = play.main_line
    play.move_from(first[1], "2")
    assert play.moves == ["5", "2"]
    assert names(play, play.main_line) == "5 1 9 3"
    play.move_named("7")
    assert Record.of(play, "tic_tac_toe").variations == (Variation(1, ("2", "7")),)
    play.go_to(first[1])
    assert play.move_named("1") is first[2]  # which is there already
    play.promote(play.root.after[0].after[1].after[0])
    assert names(play, play.main_line) == "5 2 7"
    assert Record.of(play, "tic_tac_toe").variations == (Variation(1, ("1", "9", "3")),)


def test_variations_of_variations_are_numbered_as_the_file_says() -> None:
    play = tic_tac_toe("5", "1")
    line = play.main_line
    play.move_from(line[1], "2")
    inner = play.here
    play.move_named("7")
    play.move_from(inner, "8")
    play.move_from(line[0], "1")
    saved = Record.of(play, "tic_tac_toe").to_json()
    assert saved["moves"] == ["5", "1"]
    assert saved["variations"] == [
        {"after": 0, "moves": ["1"]},
        {"after": 1, "moves": ["2", "7"]},
        {"after": 4, "moves": ["8"]},
    ]
    assert shape(Record.from_json(saved).play()) == shape(play)


def test_an_illegal_move_changes_nothing() -> None:
    play = tic_tac_toe("5", "1", "9")
    here, before = play.here, shape(play)
    for attempt in (lambda: play.move_from(play.main_line[1], "5"), lambda: play.move(99)):
        with pytest.raises(IllegalAction, match="not a legal move"):
            attempt()
    assert play.here is here
    assert shape(play) == before


def test_delete() -> None:
    play = tic_tac_toe("5", "1", "9")
    line = play.main_line
    play.move_from(line[1], "2")
    play.delete(line[2])  # where the play does not stand
    assert names(play, play.main_line) == "5 2"
    assert play.moves == ["5", "2"]
    play.delete(line[1])
    assert play.here is play.root
    assert play.main_line == [play.root]
    with pytest.raises(IllegalAction, match="cannot be deleted"):
        play.delete(play.root)


def test_take_back_deletes_up_to_a_players_turn() -> None:
    play = tic_tac_toe("5", "1", "9", "3")
    play.take_back({0})
    assert play.moves == ["5", "1"]
    assert play.main_line == play.here.line()
    play.take_back({0, 1})
    assert play.moves == ["5"]
    with pytest.raises(IllegalAction, match="nothing to take back"):
        play.take_back({1})


def test_rules_that_use_the_history_see_the_current_line_alone() -> None:
    play = Play(games.load("chess"))
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]
    play.follow(shuffle * 2)
    assert play.is_over  # the third time
    play.move_from(play.main_line[7], "Nd5")
    assert not play.is_over
    play.go_to(play.main_line[-1])
    assert play.is_over


def test_a_move_is_played_as_the_rules_write_it() -> None:
    play = Play(games.load("connect_four"))
    assert type(play.move(3.0).action) is int


# Ends.


def test_the_result_in_words() -> None:
    assert tic_tac_toe(*"14253").result() == "X won by 3 in a row"
    assert tic_tac_toe(*"152374689").result() == "a draw by a full board"


def test_a_finished_game_is_recorded_with_its_end_wherever_the_play_stands() -> None:
    play = tic_tac_toe(*"14253")
    play.go_to(play.root)
    record = Record.of(play, "tic_tac_toe")
    assert (record.ended, record.utilities) == ("rules", (1.0, -1.0))
    play.move_named("9")
    play.promote(play.here)
    assert Record.of(play, "tic_tac_toe").ended is None


# Files.


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"variations": 3}, "'variations' is a list of"),
        ({"variations": [3]}, "'variations' is a list of"),
        ({"variations": [{"after": "0", "moves": ["1"]}]}, "'variations' is a list of"),
        ({"variations": [{"after": -1, "moves": ["1"]}]}, "'variations' is a list of"),
        ({"variations": [{"after": 0, "moves": []}]}, "'variations' is a list of"),
        ({"variations": [{"after": 0, "moves": [7]}]}, "'variations' is a list of"),
        ({"variations": [{"after": 2, "moves": ["1"]}]}, "a variation follows position 2, and there are 2"),
        ({"variations": [{"after": 1, "moves": ["5"]}]}, "move 2: '5' is not a legal move"),
        ({"variations": [{"after": 0, "moves": [None]}]}, "move 1: only chance may be null"),
        ({"start": 5}, "'start' is the text of a position"),
        ({"start": "nonsense"}, "not|reads no positions"),
        ({"seed": "x"}, "'seed' is a whole number"),
        ({"moves": ["5", "5"]}, "move 2: '5' is not a legal move"),
    ],
)
def test_malformed_files_are_refused(fields: dict[str, Any], message: str) -> None:
    data = {"zermelo": "game", "game": "tic_tac_toe", "moves": ["5"], **fields}
    with pytest.raises((GameError, IllegalAction, ValueError), match=message):
        Record.from_json(data).play()


def test_an_outcome_that_is_none_is_refused() -> None:
    data = {"zermelo": "game", "game": "pig", "moves": ["roll", "7"]}
    with pytest.raises(IllegalAction, match="move 2: '7' is not an outcome of chance here; the outcomes are 1, 2"):
        Record.from_json(data).play()


def test_files_of_earlier_versions_are_loaded() -> None:
    """Lines that an earlier version wrote: from the terminal without a seed, from the web page, and from a match."""
    terminal = '{"zermelo": "game", "game": "pig", "moves": ["roll", "4", "hold", "roll", "2"], "version": "0.1.0"}'
    web = (
        '{"start": "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "analysis": {}, "zermelo": "game", "game": "chess", '
        '"moves": ["e4", "Kxe4"], "players": ["person", "level:club"], "seed": 3735928559, "version": "0.1.0"}'
    )
    match = '{"zermelo": "game", "game": "kuhn_poker", "moves": ["13", "check", "bet", "call"], "seed": 5, "number": 0}'
    for line in (terminal, web, match):
        record = Record.from_json(json.loads(line))
        assert json.loads(record.line()) == json.loads(line)
        play = record.play()
        assert play.moves == list(record.moves)
        assert play.main_line == play.here.line()
    assert Record.from_json(json.loads(match)).states()[1] == KuhnPoker().result(KuhnPoker().initial(), 13)
