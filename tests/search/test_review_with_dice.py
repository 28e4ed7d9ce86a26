"""Reviews of games with chance: points lost, luck, error rates."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from zermelo import Play, games, review
from zermelo.app.cli import main
from zermelo.app.web.findings import Finding, Findings, Judge
from zermelo.game.protocol import CHANCE
from zermelo.games.backgammon import Backgammon
from zermelo.play.record import Record
from zermelo.search.appraisal import Appraiser, stake_of
from zermelo.search.grades import stake_grade


@pytest.fixture(scope="module")
def taken() -> Play:
    """Black takes a double in a position that White wins with the next roll."""
    play = Play(Backgammon(cube=True), start=start())
    play.follow(["double", "take"])
    play.draw()
    play.move(play.legal()[0])
    assert play.is_over
    return play


def start() -> str:
    """White: two checkers on the ace point. Black: eight on its own ace point."""
    board = "-B" + "-" * 22 + "h" + "-"
    return f"XGID={board}:0:0:1:00:0:0:0:0:10"


def test_a_wrong_take_is_a_blunder_of_one_point(taken: Play) -> None:
    found = review(taken, compile=False, plies=0)
    assert found.done
    double, take, last = found.moves
    assert (double.name, double.grade, take.name, take.grade) == ("double", "", "take", "??")
    assert take.best == "drop"
    assert take.cost == pytest.approx(1, abs=0.05)
    assert take.why == f"take loses {take.cost:.3f}; better was drop."
    assert (take.counts, last.counts) == (True, False)  # the last move was forced
    assert found.error_rate(1) == pytest.approx(1000 * take.cost)
    assert (found.decisions(1), found.counts(1)["blunder"]) == (1, 1)
    assert found.lost_points(0) == pytest.approx(0, abs=0.01)
    assert found.luck(0) == -found.luck(1) == pytest.approx(0, abs=0.01)  # every roll wins
    assert "Black: error rate " in str(found)
    data = json.loads(json.dumps(found.to_json()))
    assert data["players"][1]["error_rate"] == pytest.approx(found.error_rate(1))
    assert [row["lost"] for row in found.table()] == [move.cost for move in found.moves]


def test_mistakes_are_measured_in_points_of_the_cube(taken: Play) -> None:
    game = Backgammon(cube=True)
    s = game.result(game.from_text(start()), 1)
    redoubled = s._replace(cube=2, owner=0)
    first, later = (Appraiser(game, 0, compile=False).decision(each, 0, 1.0, None) for each in (s, redoubled))
    assert first is not None
    assert later is not None
    assert later.best_value == pytest.approx(4 * first.best_value)
    assert later.cost == pytest.approx(first.cost, rel=1e-3)
    match = Backgammon(cube=True, points=5)
    chance = match.match_equities[0]
    assert stake_of(match, match.new_game((2, 1), 0)) == pytest.approx(chance[2, 4] - chance[3, 3])


@pytest.mark.parametrize("game", [games.load("pig", target=12), Backgammon()], ids=["pig", "backgammon"])
def test_luck_is_zero_on_average(game: Any) -> None:
    s = game.initial() if game.name.startswith("Pig") else game.from_text(start())
    if game.to_move(s) != CHANCE:
        s = game.result(s, game.legal(s)[0])
    assert game.to_move(s) == CHANCE
    appraiser = Appraiser(game, 0, compile=False)
    luck = [(chance, appraiser.luck(s, game.result(s, roll), 0)) for roll, chance in game.outcomes(s)]
    assert sum(chance * each for chance, each in luck) == pytest.approx(0, abs=1e-6)
    if game.name.startswith("Pig"):
        assert min(each for _, each in luck) == luck[0][1] < 0  # a 1 loses the turn


def test_pig_has_luck_and_points() -> None:
    play = Play(games.load("pig", target=8), seed=3)
    while not play.is_over:
        if play.mover == CHANCE:
            play.draw()
        else:
            play.move(play.legal()[0])
    found = review(play, compile=False, plies=1)
    assert len(found.rolls) == sum(1 for each in play.main_line[:-1] if play.game.to_move(each.state) == CHANCE)
    assert found.luck(0) == pytest.approx(-found.luck(1))
    assert found.luck(0) != 0
    assert all(move.cost is not None and move.cost >= 0 for move in found.moves)


def test_grades_of_points() -> None:
    assert [stake_grade(cost) for cost in (0, 0.039, 0.04, 0.08, 0.16)] == ["", "", "?!", "?", "??"]


def test_the_command_prints_a_table_and_writes_csv(taken: Play, tmp_path: Path) -> None:
    file, table = tmp_path / "game.jsonl", tmp_path / "game.csv"
    file.write_text(Record.of(taken, "backgammon", parameters={"cube": True}).line() + "\n")
    done = CliRunner().invoke(main, ["review", str(file), "--plies", "0", "--plain", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    assert "take??" in done.output
    assert "Black: error rate" in done.output
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["move"] for row in rows][:2] == ["double", "take??"]
    assert float(rows[1]["lost"]) == pytest.approx(1, abs=0.05)


def test_the_page_marks_the_same_decisions(taken: Play) -> None:
    """The list of mistakes on the page measures in points of the cube too, not in shares of the utility range."""
    found = review(taken, compile=False, plies=0)
    states, names = [each.state for each in taken.main_line], taken.names(taken.main_line)
    known = {}
    for move in found.moves:
        moves = {move.best: Finding(move.before.value), move.name: Finding(move.after.value)}
        known[move.ply] = Findings(move.player, moves, 1)
    told = Judge(taken.game).graph(states, names, known, True)
    assert [(each["move"], each["grade"]) for each in told["mistakes"]] == [("take", "??")]
    assert [each["why"] for each in told["mistakes"]] == [move.why for move in found.moves if move.why]
