"""The game on the table: moves, chance, positions set up, saved games, and what may be seen of hidden ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zermelo.app.web.ending import Ending
from zermelo.app.web.findings import Findings
from zermelo.app.web.table import PERSON, GameTable
from zermelo.app.web.table_view import HIDDEN, about
from zermelo.app.web.titles import title_of
from zermelo.game.errors import GameError, IllegalAction, StateError, ZermeloError
from zermelo.game.protocol import CHANCE, Game
from zermelo.games import names
from zermelo.games.kuhn_poker import KuhnPoker, KuhnPokerState
from zermelo.games.pig import Pig
from zermelo.play.record import Record
from zermelo.play.view import visible_board

PAWN_MOVES = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def played(what: str, *moves: str, **more: Any) -> GameTable:
    table = GameTable(what, **more)
    for name in moves:
        table.move(name)
    return table


@pytest.mark.parametrize("what", names())
def test_every_game_can_be_looked_at_and_played(what: str) -> None:
    table = GameTable(what, seed=1)
    for _ in range(6):
        view = table.view()
        json.dumps(view)
        assert "<svg" in view["svg"]
        if view["over"]:
            break
        table.move(view["legal"][0]["name"])
    assert len(table.moves) >= 2


def test_titles_are_what_people_say() -> None:
    assert title_of("chess") == "Chess"
    assert title_of("tic_tac_toe") == "Tic-tac-toe"
    assert title_of("games/mine.py") == "mine"
    assert title_of("mine.py:Second") == "Second"


def test_a_whole_game_ends_in_words() -> None:
    table = played("tic_tac_toe", "1", "4", "2", "5", "3")
    assert table.is_over
    assert table.view()["result"] == "X won by 3 in a row"
    with pytest.raises(IllegalAction, match="the game is over"):
        table.move("9")


def test_a_move_in_an_earlier_position_begins_a_variation() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    table.move("5")
    assert (table.moves, table.shown) == (["1", "5"], 2)
    assert table.record().moves == ("1", "4", "2")  # the game is kept
    assert table.record().variations == ((1, ("5",)),)


def test_a_move_made_before_in_an_earlier_position_leads_to_its_line() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    table.move("5")
    table.shown = 1
    table.move("4")
    assert (table.moves, table.shown) == (["1", "4", "2"], 2)


def test_variations_are_promoted_deleted_and_restored() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    table.move("5")
    tree = {node.get("called"): node["number"] for node in table.view()["tree"]}
    table.promote(table.numbered(tree["5"]))
    assert (table.record().moves, table.record().variations) == (("1", "5"), ((1, ("4", "2")),))
    table.show(table.numbered(tree["2"]))
    assert (table.moves, table.shown) == (["1", "4", "2"], 3)
    table.delete(table.numbered(tree["4"]))
    assert (table.moves, table.shown) == (["1", "5"], 1)
    assert table.record().variations == ()
    with pytest.raises(ValueError, match="deleted"):
        table.numbered(tree["2"])
    table.restore()
    assert (table.moves, table.shown) == (["1", "4", "2"], 2)
    assert table.record().variations == ((1, ("4", "2")),)
    with pytest.raises(IllegalAction, match="nothing to restore"):
        table.restore()


def test_each_line_keeps_what_was_found_out() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.findings[1], table.findings[3] = Findings(1, depth=1), Findings(1, depth=3)
    table.shown = 1
    table.move("5")
    assert {ply: found.depth for ply, found in table.findings.items()} == {1: 1}
    table.shown = 1
    table.move("4")
    assert {ply: found.depth for ply, found in table.findings.items()} == {1: 1, 3: 3}


def test_the_whole_game_goes_into_the_address() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    table.move("5")
    whole = table.view()["whole"]
    assert whole["record"]["moves"] == ["1", "4", "2"]
    assert whole["record"]["variations"] == [{"after": 1, "moves": ["5"]}]
    assert whole["at"] == 4


@pytest.mark.security
def test_the_page_does_not_keep_a_game_that_hides_something() -> None:
    table = played("kuhn_poker", seats=[PERSON, "random"], seed=3)
    view = table.view()
    assert (view["whole"], view["seed"]) == (None, None)
    assert {node["called"] for node in view["tree"] if "called" in node} == {HIDDEN}


def test_games_that_end_without_the_rules() -> None:
    table = played("tic_tac_toe", "1", "4")
    table.end(Ending("resignation", 0))
    view = table.view()
    assert (view["over"], view["result"], view["legal"]) == (True, "X resigned; O won", [])
    with pytest.raises(IllegalAction, match="the game is over"):
        table.move("5")
    again = GameTable.of(Record.from_json(table.record().to_json()))
    assert again.view()["result"] == "X resigned; O won"
    table.shown = 1
    table.move("9")  # a variation goes on
    assert not table.is_over


def test_what_stands_at_the_seats() -> None:
    assert played("chess", "e4", "d5", "exd5", "Qxd5").view()["standings"] == ["♟", "♙"]
    assert played("chess", "e4", "d5", "exd5").view()["standings"] == ["♟ +1", ""]
    assert played("othello", "f5").view()["standings"] == ["4 discs", "1 disc"]
    assert "White 1" not in played("othello", "f5").view()["svg"]  # once is enough
    assert "to move" not in played("go", "D4").view()["svg"]
    assert played("go", "D4", "F6", "pass", "pass").view()["standings"] == ["1 point", "8.5 points"]
    assert played("phantom_tic_tac_toe", seats=[PERSON, "random"]).view()["standings"] == [None, None]


@pytest.mark.parametrize(
    ("what", "start", "moves", "result"),
    [
        ("chess", None, "f3 e5 g4 Qh4", "Black won by checkmate"),
        ("chess", "7k/8/6Q1/8/8/8/8/K7 w - - 0 1", "Qf7", "a draw by stalemate"),
        ("chess", "7k/8/8/8/8/8/p7/K7 w - - 0 1", "Kxa2", "a draw by insufficient material"),
        ("chess", "7k/8/8/8/8/8/R7/K7 w - - 99 80", "Kb2", "a draw by the fifty-move rule"),
        ("chess", None, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "a draw by threefold repetition"),
        ("go", None, "pass pass", "White won by 7.5 points"),
    ],
)
def test_why_a_game_ended(what: str, start: str | None, moves: str, result: str) -> None:
    assert played(what, *moves.split(), start=start).view()["result"] == result


def test_a_person_with_black_sits_behind_the_black_pieces() -> None:
    assert GameTable("chess", seats=["random", PERSON]).view()["flipped"]
    assert not GameTable("chess", seats=[PERSON, "random"]).view()["flipped"]
    assert not GameTable("connect_four", seats=["random", PERSON]).view()["flipped"]


def test_an_illegal_move_in_an_earlier_position_loses_nothing() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    with pytest.raises(IllegalAction):
        table.move("1")
    assert table.moves == ["1", "4", "2"]


def test_the_move_that_was_played_steps_on() -> None:
    table = played("tic_tac_toe", "1", "4", "2")
    table.shown = 1
    table.move("4")
    assert table.moves == ["1", "4", "2"]
    assert table.shown == 2


def test_taking_back_goes_to_a_persons_turn() -> None:
    table = played("tic_tac_toe", "1", "4", "2", seats=[PERSON, "random"])
    table.move("5")
    table.undo()
    assert table.moves == ["1", "4"]
    table.undo()
    assert table.moves == []
    with pytest.raises(IllegalAction, match="nothing to take back"):
        table.undo()


def test_what_was_rolled_is_rolled_again() -> None:
    table = played("pig", "roll", seed=7)
    rolled = table.moves[1]
    table.undo()
    assert table.moves == []
    table.move("roll")
    assert table.moves[1] == rolled


def test_outcomes_that_are_called_alike_come_back_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pig, "action_name", lambda game, s, a: "a throw" if game.to_move(s) == CHANCE else str(a))
    for thrown in ("2", "5"):
        table = GameTable("pig", moves=["0", thrown])
        assert (table.moves[1], table.states[2]) == (thrown, table.game.result(table.states[1], int(thrown)))


def test_chance_moves_come_back_by_their_names() -> None:
    table = played("pig", "roll", seed=7)
    again = GameTable("pig", moves=table.moves, seed=8)
    assert again.states == table.states
    with pytest.raises(IllegalAction, match="not an outcome of chance here; the outcomes are"):
        GameTable("pig", moves=["roll", "7"])


def test_a_position_is_set_up_by_its_text() -> None:
    table = GameTable("chess", start=PAWN_MOVES, moves=["e5"])
    assert table.view()["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/")
    othello = GameTable("othello", start="-" * 27 + "OX------XO" + "-" * 27 + " O")
    assert othello.view()["mover"] == "White"
    with pytest.raises(ZermeloError):
        GameTable("chess", start="8/8/8")
    with pytest.raises(StateError, match="the game is over"):
        GameTable("chess", start="7k/6Q1/5K2/8/8/8/8/8 b - - 0 1")


def test_a_position_that_was_set_up_is_read_by_whoever_reads_the_game() -> None:
    table = GameTable("othello", start="-" * 27 + "OX------XO" + "-" * 27 + " O")
    table.move(table.view()["legal"][0]["name"])
    assert table.record().states() == table.states


def test_parameters_are_told_and_taken() -> None:
    table = GameTable("connect_four", ("width=5",))
    told = {each["name"]: (each["value"], each["usual"]) for each in about(table)["parameters"]}
    assert told["width"] == ("5", "7")
    assert len(table.view()["legal"]) == 5


def test_the_value_of_a_drop_is_written_where_the_stone_falls() -> None:
    view = played("connect_four", "4", "4").view()
    assert {each["name"]: each["place"] for each in view["legal"]}["4"] == "d3"


def test_castling_is_shown_where_the_king_goes() -> None:
    table = GameTable("chess", start="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert {each["name"]: each["place"] for each in table.view()["legal"]}["O-O"] == "g1"


def test_a_saved_game_comes_back() -> None:
    table = GameTable("chess", start=PAWN_MOVES, moves=["e5", "Nf3"])
    again = GameTable.of(Record.from_json(json.loads(table.record().line())))
    assert (again.states, again.moves, again.play.start) == (table.states, table.moves, table.play.start)
    dice = played("pig", "roll", seed=7)
    assert GameTable.of(Record.from_json(json.loads(dice.record().line()))).states == dice.states


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, '"zermelo": "game"'),
        ({"zermelo": "game", "game": "nim", "moves": "A1"}, "'moves'"),
        ({"zermelo": "game", "game": "nim", "moves": ["Z9"]}, "Z9"),
        ({"zermelo": "game", "game": "nim", "moves": [], "start": 5}, "'start'"),
        ({"zermelo": "game", "game": "nim", "moves": [], "analysis": []}, "'analysis'"),
        ({"zermelo": "game", "game": "nim", "moves": [], "analysis": {"3": {}}}, "plies from 0 to 0"),
        ({"zermelo": "game", "game": "nim", "moves": [], "analysis": {"0": {}}}, "ply 0 is invalid"),
    ],
)
def test_what_is_wrong_with_a_saved_game_is_said(data: Any, what: str) -> None:
    with pytest.raises(ZermeloError, match=what.replace('"', ".")):
        GameTable.of(Record.from_json(data))


def test_a_saved_analysis_has_legal_moves() -> None:
    found = {"player": 0, "depth": 1, "nodes": 1, "seconds": 0, "done": False, "line": []}
    data = {
        "zermelo": "game",
        "game": "nim",
        "moves": [],
        "analysis": {"0": {**found, "moves": [["Z1", 0, None, 0, 1]]}},
    }
    with pytest.raises(GameError, match="'Z1', which is not legal there"):
        GameTable.of(Record.from_json(data))


# What is hidden.


def test_a_player_sees_its_own_card_alone() -> None:
    board = visible_board(KuhnPoker(), KuhnPokerState(3, 1, 1), 0, 1)
    assert [cards for _, cards in board.hands] == [("K♠",), ("?",)]
    assert [cards for _, cards in visible_board(KuhnPoker(), KuhnPokerState(3, 1, 1), 1, 1).hands] == [("?",), ("J♠",)]
    assert board.lines == ("no moves yet",)


def test_what_a_player_sees_does_not_depend_on_what_is_hidden() -> None:
    one, other = (visible_board(KuhnPoker(), KuhnPokerState(3, card, 1), 0, 1) for card in (1, 2))
    assert one == other


def test_the_page_gets_nothing_that_reveals_hidden_cards() -> None:
    table = GameTable("kuhn_poker", seats=[PERSON, "random"], seed=7)
    view = table.view()
    assert view["seed"] is None  # from which the deal follows
    assert view["moves"] == view["called"] == [HIDDEN]
    watched = GameTable("kuhn_poker", seats=["random", "random"], seed=7).view()
    assert (watched["seed"], watched["viewer"]) == (7, None)


class Written(KuhnPoker):
    """With a text for each position, which shows both cards."""

    def to_text(self, s: KuhnPokerState) -> str:
        return str(s)


def test_two_people_do_not_see_the_deal_in_an_earlier_position() -> None:
    table = GameTable("kuhn_poker", seats=[PERSON, PERSON], seed=5, game=Written())
    for table.shown in (0, 1):  # the deal, and the first turn
        view = table.view()
        assert view["viewer"] is not None
        assert view["moves"] == view["called"] == [HIDDEN]
        assert view["seed"] is None
        assert view["fen"] is None


class Unpictured(KuhnPoker):
    """Without a picture, and with a text that shows both cards."""

    def picture(self, s: KuhnPokerState) -> None:  # type: ignore[override]
        return None


class Unseen(Unpictured):
    """Nor does it say how to hide a card."""

    seen_by = Game.seen_by


@pytest.mark.parametrize("kind", [Unpictured, Unseen])
def test_a_hidden_game_without_a_picture_shows_what_the_player_knows(kind: type[KuhnPoker]) -> None:
    boards = [visible_board(kind(), KuhnPokerState(3, card, 1), 0, 1) for card in (1, 2)]
    assert boards[0] == boards[1]  # it does not depend on the other's card
    assert boards[0].lines
    assert boards[0] != visible_board(kind(), KuhnPokerState(2, 1, 1), 0, 1)  # it shows one's own


def test_hidden_moves_are_not_told_until_the_end() -> None:
    table = played("phantom_tic_tac_toe", "5", seats=[PERSON, PERSON])
    view = table.view()
    assert view["viewer"] == "O"
    assert view["moves"] == [HIDDEN]
    assert "X tried 5" not in view["svg"]
    assert 'aria-label="5: X"' not in view["svg"]
    for name in ("1", "4", "2", "6"):
        table.move(name)
    view = table.view()
    assert view["over"]
    assert view["moves"] == ["5", "1", "4", "2", "6"]
    assert 'aria-label="5: X"' in view["svg"]


def test_the_only_person_never_sees_the_others_side() -> None:
    table = played("phantom_tic_tac_toe", "5", seats=[PERSON, "random"])
    view = table.view()
    assert view["viewer"] == "X"
    assert view["legal"] == []  # they would tell what O has tried
    assert view["moves"] == ["5"]


def test_players_of_hidden_games_are_shown_what_they_may_know() -> None:
    table = played("phantom_tic_tac_toe", "5", seats=[PERSON, "random"])
    turn = table.turn()
    assert turn.moves == ()
    assert len(turn.states) == 1
    assert table.game.information(turn.state, 1) == table.game.information(table.state, 1)


def test_ones_own_file(tmp_path: Path) -> None:
    file = tmp_path / "count.py"
    file.write_text(OWN)
    table = GameTable(str(file), ("target=3",))
    assert table.view()["title"] == "count"
    for _ in range(3):
        table.move("one")
    assert table.is_over


OWN = '''
from typing import NamedTuple
from zermelo import Game, u8

class State(NamedTuple):
    count: u8

class Count(Game):
    """Who says the last number wins."""
    utility_range = (-1, 1)
    def __init__(self, target=10):
        self.target = target
    def initial(self):
        return State(0)
    def to_move(self, s):
        return s.count % 2
    def actions(self, s):
        yield 1
    def result(self, s, a):
        return State(s.count + a)
    def is_terminal(self, s):
        return s.count >= self.target
    def utility(self, s, p):
        return 1 if s.count % 2 != p else -1
    def action_name(self, s, a):
        return "one"
'''
