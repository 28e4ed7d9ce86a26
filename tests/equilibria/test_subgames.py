"""Turn and river subgames, against the solver for games of any kind."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo.app.cli import main
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.solver import Solver, appraise
from zermelo.equilibria.subgame.betting import DEAL, FOLD, Betting, Node
from zermelo.equilibria.subgame.betting import RIVER as RIVER_CARDS
from zermelo.equilibria.subgame.betting import TURN as TURN_CARDS
from zermelo.equilibria.subgame.reading import decision
from zermelo.equilibria.subgame.solver import Subgame
from zermelo.equilibria.subgame.walking import FOLLOW
from zermelo.game.errors import GameError, TooDeep
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.poker.cards import CARDS, name_of
from zermelo.games.poker.hands import Hands, as_set
from zermelo.games.poker.ranges import combinations, range_of, without


class SpotState(NamedTuple):
    first: int
    second: int
    river: int
    path: tuple[int, ...]


class SpotGame(Game):
    """The same subgame for the solver of any game: hands are dealt one by one, and hidden from the other player."""

    chance = True
    hidden = True
    max_actions = 2000

    def __init__(self, subgame: Subgame, first: str, second: str):
        self.board = subgame.board
        self.betting = subgame.betting
        self.root = self.betting.tree(len(self.board))
        self.weights = [without(range_of(text), self.board) for text in (first, second)]
        self.cards = [tuple(map(int, pair)) for pair in combinations()]
        self.values = Hands()
        most = self.betting.pot / 2 + self.betting.stack
        self.utility_range = (-most, most)
        pairs = itertools.product(*[np.flatnonzero(weights) for weights in self.weights])
        self.deals = [(int(a), int(b)) for a, b in pairs if not set(self.cards[a]) & set(self.cards[b])]

    def node(self, s: SpotState) -> Node:
        node = self.root.children[0] if len(self.board) == 5 else self.root
        for a in s.path:
            node = node.children[a]
        return node

    def initial(self) -> SpotState:
        return SpotState(-1, -1, -1, ())

    def waits_for_river(self, s: SpotState) -> bool:
        return s.river < 0 and self.node(s).actor == DEAL

    def to_move(self, s: SpotState) -> int:
        return CHANCE if s.first < 0 or self.waits_for_river(s) else self.node(s).actor

    def actions(self, s: SpotState) -> Iterator[int]:
        if not self.is_terminal(s):
            yield from range(len(self.node(s).children))

    def outcomes(self, s: SpotState) -> Iterator[tuple[int, float]]:
        if s.first < 0:
            weights = [self.weights[0][a] * self.weights[1][b] for a, b in self.deals]
            for (a, b), weight in zip(self.deals, weights, strict=True):
                yield 1326 * a + b, weight / sum(weights)
        else:
            gone = {*self.board, *self.cards[s.first], *self.cards[s.second]}
            for card in range(CARDS):
                if card not in gone:
                    yield card, 1 / 44

    def result(self, s: SpotState, a: int) -> SpotState:
        if s.first < 0:
            return SpotState(a // 1326, a % 1326, -1, ())
        if self.waits_for_river(s):
            return SpotState(s.first, s.second, a, (*s.path, 0))
        return SpotState(s.first, s.second, s.river, (*s.path, a))

    def is_terminal(self, s: SpotState) -> bool:
        return s.first >= 0 and not self.waits_for_river(s) and not self.node(s).children

    def utility(self, s: SpotState, p: int) -> float:
        node = self.node(s)
        stake = self.betting.pot / 2 + min(node.put)
        if node.actor == FOLD:
            return stake if node.winner == p else -stake
        board = self.board if s.river < 0 else (*self.board, s.river)
        own, other = (int(self.values.value(as_set((*board, *self.cards[c])))) for c in (s.first, s.second))
        won = stake * ((own > other) - (own < other))
        return won if p == 0 else -won

    def information(self, s: SpotState, p: int) -> tuple[int, ...]:
        path = sum((a + 1) * 8**i for i, a in enumerate(s.path))
        return (s.first if p == 0 else s.second), s.river, path

    def information_name(self, s: SpotState, p: int) -> str:
        return str(self.information(s, p))

    def line(self, s: SpotState) -> list[str]:
        """The line as `decision` takes it."""
        node = self.root.children[0] if len(self.board) == 5 else self.root
        words = []
        for a in s.path:
            words.append(name_of(s.river) if node.actor == DEAL else node.children[a].name)
            node = node.children[a]
        return words


RIVER: dict[str, Any] = {"board": "Ks 9h 4d 2c 7s", "pot": 100, "stack": 150, "bets": (0.5, 1.0)}
TURN: dict[str, Any] = {"board": "Ks 9h 4s 2h", "pot": 100, "stack": 100, "bets": (1.0,), "raises": 0}
RANGES = "KdQd, KhJc, 8s8c, 6s5s:0.5, AcQc", "KcTc, 9c8c, AsJs, 6h5h, 3c3d"


def plain(spot: dict[str, Any], ranges: tuple[str, str] = RANGES, **options: Any) -> Subgame:
    return Subgame(first=ranges[0], second=ranges[1], **{"compile": False, "kind": np.float64, **spot, **options})


def test_a_river_is_worth_what_linear_programming_says() -> None:
    pytest.importorskip("scipy", reason="linear programming needs SciPy")
    subgame = Subgame(first=RANGES[0], second=RANGES[1], **RIVER)
    subgame.solve(until=0.02, iterations=2000)
    game = SpotGame(subgame, *RANGES)
    value = by_linear_programming(game, Solver(game, compile=False).form)[1]
    assert subgame.looks[-1].exploitability <= 0.02
    assert subgame.value(0) == pytest.approx(50 + value, abs=0.02)
    assert subgame.value(0) + subgame.value(1) == pytest.approx(100, abs=1e-3)


@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_exploitability_is_that_of_best_responses_in_the_whole_game(spot: dict[str, Any]) -> None:
    """Another program computes it from the same strategy, one pair of hands at a time."""
    ranges = RANGES if spot is RIVER else ("KdQd, 8c8d, AcQc", "KcTd, 6d5d")
    subgame = plain(spot, ranges)
    subgame.iterate(12)
    game = SpotGame(subgame, *ranges)
    solver = Solver(game, compile=False)
    chance = np.ones(solver.form.sequences)
    found: dict[Any, Any] = {}
    for choice, first, width in zip(solver.choices(), solver.form.first, solver.form.width, strict=True):
        line = tuple(game.line(choice.example))
        if line not in found:
            found[line] = decision(subgame, *line)
        hand = choice.example.first if choice.player == 0 else choice.example.second
        place = np.flatnonzero(found[line].hands == hand)
        assert found[line].player == choice.player
        if len(place):  # a hand that never gets here may do anything
            chance[first : first + width] = found[line].chances[place[0]]
    values, best = appraise(solver.form, chance, compile=False)
    assert subgame.look().exploitability == pytest.approx(sum(best) / 2, rel=1e-6)
    assert subgame.value(0) == pytest.approx(50 + values[0], abs=1e-6)


def test_exchanging_suits_changes_nothing_but_the_work() -> None:
    ranges = "AK, 88, 65s", "KT, A5s, 33"
    once, all_rivers = (plain(TURN, ranges, exchange=exchange) for exchange in (True, False))
    assert (len(once.boards.rivers), len(all_rivers.boards.rivers)) == (35, 48)  # clubs and diamonds
    for subgame in (once, all_rivers):
        subgame.iterate(4)
    assert once.look().exploitability == pytest.approx(all_rivers.look().exploitability, rel=1e-9)
    assert once.value(0) == pytest.approx(all_rivers.value(0), rel=1e-9)
    for card in ("3c", "3d", "As"):
        one, other = (decision(subgame, "check", "check", card) for subgame in (once, all_rivers))
        ways = [dict(zip(each.hands.tolist(), each.chances.tolist(), strict=True)) for each in (one, other)]
        assert ways[0].keys() == ways[1].keys()
        assert all(np.allclose(ways[0][hand], ways[1][hand]) for hand in ways[0])


def test_ranges_that_are_not_alike_in_all_suits_are_solved_on_every_river() -> None:
    assert len(plain(TURN, ("AcKc, 88", "KT")).boards.rivers) == 48
    assert len(plain({**TURN, "board": "Ks 9s 4s 2s"}, ("88", "KT")).boards.rivers) == 9 + 13
    assert len(plain({**TURN, "board": "Ks Kh 4d 4c"}, ("88", "QT")).boards.rivers) == 11 * 2 + 2


def test_the_betting_tree() -> None:
    tree = Betting(100, 200, (0.5, 1, 2)).tree(RIVER_CARDS).children[0]
    assert [node.name for node in tree.children] == ["check", "bet 50", "bet 100", "all-in 200"]
    raised = tree.children[1]
    assert [node.name for node in raised.children] == ["fold", "call", "raise to 150", "all-in 200"]
    assert [node.name for node in raised.children[2].children] == ["fold", "call", "all-in 200"]
    assert raised.children[0].winner == 0
    assert raised.children[1].put == (50, 50)
    turn = Betting(100, 400, (1,), river_bets=(0.5,), raises=0).tree(TURN_CARDS)
    river = turn.children[1].children[1].children[0]  # bet 100, call, the deal
    assert [node.name for node in river.children] == ["check", "bet 150"]
    small = Betting(100, 1000, (0.1,)).tree(RIVER_CARDS).children[0].children[1]
    assert [node.name for node in small.children] == ["fold", "call", "raise to 22"]


def test_both_ways_to_compare_hands_agree() -> None:
    """Compiled code goes through the hands once; plain Python compares each with each."""
    fast, simple = (Subgame(first="any", second="any", compile=compile, **RIVER) for compile in (True, False))
    for subgame in (fast, simple):
        subgame.iterate(1)
    assert np.allclose(fast.walk(0, FOLLOW), simple.walk(0, FOLLOW), rtol=1e-4, atol=0.5)  # of a sum of 990 · 50


def test_a_bluff_catcher_calls_as_often_as_theory_says() -> None:
    """The first player has the best hand or nothing and bets the pot: the other calls half of the time."""
    spot = {"board": "Ks Kh 9d 5c 2c", "pot": 100, "stack": 100, "bets": (1,)}
    subgame = plain(spot, ("KdKc, 4d3d", "AhAd"), compile=True, kind=np.float32)
    subgame.solve(until=0.01, iterations=3000)
    caught = decision(subgame, "all-in 100")
    assert caught.frequencies == pytest.approx([0.5, 0.5], abs=0.02)
    bluff = {row["hand"]: row for row in decision(subgame).table()}
    assert bluff["KdKc"]["all-in 100"] == pytest.approx(1, abs=0.01)
    assert bluff["4d3d"]["all-in 100"] == pytest.approx(0.5, abs=0.02)
    assert bluff["KdKc"]["value"] == pytest.approx(150, abs=1)
    assert caught.value == pytest.approx(0, abs=1)


@pytest.mark.parametrize(
    ("spot", "ranges", "words"),
    [
        ({"board": "Ks 9h"}, RANGES, "four cards .turn. or five"),
        ({"board": "Ks 9h 4d Ks"}, RANGES, "Ks occurs twice"),
        ({}, (" , ", "AA"), "range is empty"),
        ({}, ("KsQs", "AA"), "no hand of the range 'KsQs' is possible"),
        ({}, ("AhAd", "AhAd"), "cannot meet"),
        ({"bets": (0.5, 0)}, RANGES, "more than 0, as a share of the pot; 0 is not"),
        ({"bets": ()}, RANGES, "at least one bet size"),
        ({"pot": 0}, RANGES, "pot must be more than 0"),
        ({"stack": -1}, RANGES, "stack must be more than 0"),
        ({"raises": -1}, RANGES, "cannot be negative"),
    ],
)
def test_a_wrong_spot_is_refused(spot: dict[str, Any], ranges: tuple[str, str], words: str) -> None:
    with pytest.raises(GameError, match=words):
        plain({**RIVER, **spot}, ranges)


def test_memory_is_estimated_before_it_is_taken() -> None:
    with pytest.raises(TooDeep, match=r"needs 0\.2 GB, and 0\.1 GB are allowed: give fewer bet sizes"):
        plain({**TURN, "bets": (0.5, 1), "raises": 3, "stack": 500}, ("any", "any"), most_bytes=10**8, compile=True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("bet 3",), "'bet 3' is not possible here; possible: check, all-in 100"),
        (("check", "check"), "a river card is dealt: add one"),
        (("check", "check", "Ks"), "Ks is already on the board"),
        (("all-in 100", "fold"), "the hand is over"),
    ],
)
def test_a_wrong_line_is_refused(line: tuple[str, ...], words: str) -> None:
    with pytest.raises(GameError, match=words):
        decision(plain(TURN), *line)


def test_the_command(tmp_path: Path) -> None:
    file, csv = str(tmp_path / "spot.npz"), tmp_path / "spot.csv"
    spot = ["--board", "Ks9h4d2c7s", "--first", "any", "--second", "any", "--bets", "0.5,1,2"]
    text = run("subgame", *spot, "--save", file)
    assert "Ks 9h 4d 2c 7s, pot 100, stacks 200: 46 nodes, 1,081 hands" in text
    assert "how often each kind of hand bets or raises" in text
    found = json.loads(run("subgame", "--load", file, "--line", "check, bet 50", "--csv", str(csv), "--json"))
    assert found["exploitability"] <= 0.3
    assert sum(found["values"]) == pytest.approx(100, abs=0.01)
    assert list(found["frequencies"]) == ["fold", "call", "raise to 150", "all-in 200"]
    assert found["hands"][0]["hand"] == "KhKd"
    assert len(csv.read_text().splitlines()) == len(found["hands"]) + 1
    more = json.loads(run("subgame", "--load", file, "--iterations", "10", "--json"))
    assert more["iterations"] == found["iterations"] + 10
    listed = run("subgame", "--load", file, "--line", "check, bet 50", "--show", "kinds")
    assert "AKo" in listed
    assert "call  raise to 150" in listed  # columns do not run into each other
    assert "-0.00" not in listed
    assert "AhKd" in run("subgame", "--load", file, "--show", "hands")


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    np.savez(other, about=np.zeros(3))
    for arguments, words in (
        (("--board", "Ks9h4d2c7s"), "a spot needs --first, --second, or --load FILE"),
        (("--load", str(other)), "not the file of a subgame"),
        (("--load", str(other), "--pot", "3"), "leave out --pot"),
        (("--board", "Ks9h4d2c7s", "--first", "AA", "--second", "QQ", "--bets", "x"), "not a list of numbers"),
        (("--board", "Ks9h4d2c7s", "--first", "AA", "--second", "QQ", "--seconds", "-3"), "--seconds"),
    ):
        done = CliRunner().invoke(main, ["subgame", *arguments], prog_name="zermelo")
        assert done.exit_code == 2
        assert words in done.stderr


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments, prog_name="zermelo")
    assert done.exit_code == 0, done.output
    return done.stdout
