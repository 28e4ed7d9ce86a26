"""Gambit's .efg files: read, written, and read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo import games
from zermelo.app.cli import main
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.solver import Solver
from zermelo.game.errors import GameError, NotationError, TooDeep
from zermelo.games.efg import exact, parse_efg, write_efg
from zermelo.games.resolve import resolve

# Myerson's card game: the first player sees a card, and may raise; the second meets the raise or passes.
CARD_GAME = """EFG 2 R "A card game" { "Fred" "Alice" }
"After Myerson (1991), with a \\"comment\\""

c "ROOT" 1 "" { "red" 1/2 "black" 0.5 } 0
p "" 1 1 "red" { "Raise" "Fold" } 0
p "" 2 1 "raised" { "Meet" "Pass" } 0
t "" 1 "won much" { 2, -2 }
t "" 2 "won" { 1 -1 }
t "" 2
p "" 1 2 "black" { "Raise" "Fold" } 0
p "" 2 1
0
t "" 3 "lost much" { -2 2 }
t "" 2
t "" 4 "lost" { -1 1 }
"""


def test_a_file_is_a_game() -> None:
    game = parse_efg(CARD_GAME)
    assert game.title == "A card game"
    assert (game.players, game.zero_sum, game.player_name(1)) == (2, True, "Alice")
    state = game.play("black", "Raise")
    assert game.information(state, 1) == game.information(game.play("red", "Raise"), 1)
    assert game.utility(game.play("black", "Raise", "Meet"), 0) == -2
    assert game.utility(game.play("red", "Fold"), 1) == -1


def test_its_equilibrium_is_the_known_one() -> None:
    """The first player raises black a third of the time, and is worth 1/3 (Myerson 1991)."""
    pytest.importorskip("scipy", reason="linear programming needs SciPy")
    game = parse_efg(CARD_GAME)
    assert by_linear_programming(game, Solver(game, compile=False).form)[1] == pytest.approx(1 / 3)


def test_payoffs_on_the_way_add_up() -> None:
    text = 'EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 1 "" { 1, -1 } t "" 0 t "" 2 "" { 0.5 -1/2 }'
    game = parse_efg(text)
    assert [game.utility(game.play(move), 0) for move in ("x", "y")] == [1.0, 1.5]


@pytest.mark.parametrize("name", ["kuhn_poker", "matrix", "strategy_fusion"])
def test_a_game_comes_back_from_its_file(name: str) -> None:
    game = games.load(name)
    text = write_efg(game)
    again = parse_efg(text)
    assert write_efg(again) == text
    one, other = (Solver(each, compile=False) for each in (game, again))
    assert (one.form.states, len(one.form.first)) == (other.form.states, len(other.form.first))
    for solver in (one, other):
        solver.iterate(20)
    assert one.look().exploitability == pytest.approx(other.look().exploitability)
    assert one.look().values == pytest.approx(other.look().values)


def test_three_players_and_perfect_information() -> None:
    three = parse_efg(write_efg(games.load("kuhn_poker", players=3)))
    assert three.players == 3
    nim = games.load("nim", piles=(1, 2))
    again = parse_efg(write_efg(nim))
    assert (
        len(
            {
                again.information(state, 0)
                for state in (again.initial(), again.play(again.action_name(again.initial(), 0)))
            }
        )
        == 2
    )


def test_probabilities_add_up_to_one_exactly() -> None:
    assert (
        sum(exact([0.1] * 10)) == sum(exact([1 / 3, 1 / 3, 1 / 3])) == sum(exact([0.123456789123, 0.876543210877])) == 1
    )
    assert [str(p) for p in exact([1 / 6] * 6)] == ["1/6"] * 6


def test_a_large_game_is_not_written() -> None:
    with pytest.raises(TooDeep, match="more than 100 nodes"):
        write_efg(games.load("leduc_poker"), most_nodes=100)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("EFG 2 R", "NFG 1 R", "line 1: the file must begin with EFG 2 R"),
        ("1/2", "1/3", "line 4: the probabilities add up to 0.833333, not 1"),
        ("1/2", "1/0", "line 4: the probability divides by zero"),
        ("1/2", "1e999999999", "line 4: the probability must be a number such as"),  # as a fraction, gigabytes
        ("1/2", "__import__('os')", "line 4: the probability must be a number such as"),
        (
            '{ "Raise" "Fold" } 0\np "" 2 1 "raised"',
            '{ "Raise" "Fold" } 0\nq "" 2 1 "raised"',
            "line 6: a node begins with",
        ),
        ('p "" 2 1 "raised"', 'p "" 3 1 "raised"', "line 6: there is no player 3: the file names 2"),
        ("{ 2, -2 }", "{ 2 }", "line 7: there are 1 payoffs for 2 players"),
        ('t "" 2\np', 't "" 9\np', "line 9: outcome 9 is new, so its payoffs must follow"),
        ('t "" 4 "lost" { -1 1 }', "", "line 14: the file ends here, and a node: c, p or t is missing"),
        ('"lost much"', '"lost much', "a string has no end"),
        ('"black" { "Raise" "Fold" }', '"black" { Raise "Fold" }', "line 10: an action must be in quotes, not 'Raise'"),
        ('p "" 2 1\n0', 'p "" 2 7\n0', "information set 7 is new, so its actions must follow"),
        (
            'p "" 2 1\n0',
            'p "" 2 1 "raised" { "Meet" } 0',
            "line 11: information set 1 has other actions here than before",
        ),
        ("{ -1 1 }\n", '{ -1 1 }\nt "" 1', "line 16: the tree is complete, and 't' follows"),
    ],
)
def test_errors_name_the_line(old: str, new: str, words: str) -> None:
    assert old in CARD_GAME
    with pytest.raises(NotationError) as error:
        parse_efg(CARD_GAME.replace(old, new, 1))
    assert words in str(error.value)


def test_files_from_anywhere_cannot_take_all_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    many = " ".join(f'"{p}"' for p in range(65))
    with pytest.raises(NotationError, match="at most 64 players, not 65"):
        parse_efg(f'EFG 2 R "" {{ {many} }} t "" 0')
    monkeypatch.setattr("zermelo.games.efg.MOST_NODES", 5)
    with pytest.raises(NotationError, match="line 9: the tree has more than 5 nodes"):
        parse_efg(CARD_GAME)


def test_sets_with_the_same_name_stay_apart() -> None:
    """Also if the name with which one is told apart is the name of a third one."""
    moves = '{ "l" "r" } 0'
    ends = 't "" 1 { 1 -1 } t "" 2 { 0 0 }'
    nodes = "".join(f'p "" 1 {n} "{name}" {moves} {ends} ' for n, name in ((1, "x"), (2, "x"), (3, "x 1.2")))
    game = parse_efg(f'EFG 2 R "" {{ "a" "b" }} c "" 1 "" {{ "1" 1/3 "2" 1/3 "3" 1/3 }} 0 {nodes}')
    assert len({game.information(game.play(deal), 0) for deal in "123"}) == 3


def test_files_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.efg"
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--efg", str(file)], prog_name="zermelo")
    assert done.exit_code == 0
    assert file.read_text().startswith('EFG 2 R "Kuhn poker" { "Player 1" "Player 2" }')
    done = CliRunner().invoke(main, ["solve", str(file), "--iterations", "100"], prog_name="zermelo")
    assert done.exit_code == 0, done.output
    assert "Kuhn poker: 55 states, 12 information sets" in done.stdout
    file.write_text(CARD_GAME.replace("1/2", "1/3"))
    with pytest.raises(GameError, match=r"kuhn\.efg is not a Gambit game: line 4"):
        resolve(str(file), {})
    with pytest.raises(GameError, match="cannot be read"):
        resolve(str(tmp_path / "none.efg"), {})
