"""Reviews: every move is graded, and the move that lost the game is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

import zermelo
from zermelo import Engine, Play, Random, StopToken, Unsuitable, games, review
from zermelo.search.grades import accuracy, grade, lost_share
from zermelo.search.review import Reviewer
from zermelo.search.wording import Worth, result_of


def played(name: str, moves: str, **parameters: Any) -> Play:
    play = Play(games.load(name, **parameters))
    play.follow(moves.split())
    return play


def test_every_move_of_a_solved_game_is_graded() -> None:
    found = review(played("tic_tac_toe", "1 2 3 4 5 6 7"), seconds=5)
    assert [move.grade for move in found.moves] == ["", "??", "??", "??", "", "", ""]
    assert found.done
    second = found.moves[1]
    assert second.why == "2 allows 7 4 5 9: X wins in 6 plies; better was 5: draw (5 6 9 8)."
    assert (second.lost, second.is_decided) == (0.5, True)
    assert found.first_losing is second
    assert found.counts(0) == {"inaccuracy": 0, "mistake": 0, "blunder": 1}
    first, other = found.accuracy(0), found.accuracy(1)
    assert first is not None
    assert other is not None
    assert 70 < first < 80
    assert other < 45
    assert "O: accuracy 39 %, 0 inaccuracies, 0 mistakes, 2 blunders" in str(found)
    assert json.loads(json.dumps(found.to_json()))["players"][1]["blunder"] == 2


def test_a_blunder_is_marked_if_the_position_before_was_not_solved() -> None:
    """In Connect Four an early position is "open"; the move that loses from it is proven to lose."""
    play = played("connect_four", "4 4 3 3 5 1 2")  # the second 3 allows three in a row, open at both ends
    found = review(play, seconds=0.001, compile=False)
    blunder = found.moves[3]
    assert (blunder.grade, blunder.before.proven, blunder.after.proven) == ("??", False, True)
    assert blunder.why.endswith("the position before was not solved.")
    assert [move.grade for move in found.moves] == ["", "", "", "??", "", "", ""]
    assert found.first_losing is blunder


def test_estimates_are_graded_by_winning_chances() -> None:
    game = games.load("chess")
    assert grade(lost_share(game, Worth(0.0, 0), Worth(-0.3, 0))) == "??"
    assert grade(lost_share(game, Worth(0.0, 0), Worth(-0.05, 0))) == "?!"
    assert grade(lost_share(game, Worth(0.0, 0), Worth(-0.01, 0))) == ""
    assert (round(accuracy(0.0)), accuracy(1.0)) == (100, 0.0)


def test_a_mate_that_was_allowed_is_a_blunder() -> None:
    found = review(played("chess", "f3 e5 g4 Qh4#"), seconds=0.05)
    assert found.moves[2].grade == "??"
    assert found.moves[2].why.startswith("g4 allows Qh4#: Black wins in 1 move; better was ")
    assert found.moves[3].grade == ""
    assert found.first_losing is found.moves[2]


def test_a_review_that_is_stopped_has_the_end_of_the_game() -> None:
    token = StopToken()

    def stop(done: int, of: int) -> None:
        if done == 4:
            token.stop()

    found = review(played("tic_tac_toe", "1 2 3 4 5 6 7"), stop=token, on_progress=stop)
    assert [move.ply for move in found.moves] == [4, 5, 6]
    assert not found.done
    assert str(found).startswith("stopped: 3 of 7 moves were reviewed")


@pytest.mark.parametrize(("name", "moves"), [("pig", 6), ("coalition", 3), ("nim", 4)])
def test_games_with_chance_and_with_three_players_are_reviewed(name: str, moves: int) -> None:
    play = Play(games.load(name), seed=1)
    for _ in range(moves):
        if play.is_over:
            break
        if play.mover == zermelo.CHANCE:
            play.draw()
        else:
            play.move(play.legal()[0])
    found = review(play, seconds=0.05, compile=False)
    assert found.done
    assert found.moves


def test_hidden_games_are_refused() -> None:
    with pytest.raises(Unsuitable, match="hides something"):
        review(Play(games.load("kuhn_poker")))


def losing_moves(game: Any, engine: Engine, states: list[Any]) -> list[int]:
    """The plies at which a player who was not lost moved into a loss, by solving every position."""
    values = []
    for s in states[:-1]:
        answer = engine.solve(s)
        assert answer.exact
        values.append(answer.value)
    values.append(game.utility(states[-1], game.to_move(states[-1])))
    return [ply for ply in range(len(states) - 1) if values[ply] > -1 and values[ply + 1] == 1]


def random_game(game: Any, seed: int) -> Play:
    play, random = Play(game), Random(seed)
    while not play.is_over:
        legal = play.legal()
        play.move(legal[random.below(len(legal))])
    return play


@pytest.mark.slow
def test_the_first_losing_moves_of_random_games_are_found() -> None:
    """On a board of 5 × 5, of which the engine solves every position. bench/review.py has games on the usual board."""
    game = games.load("connect_four", width=5, height=5)
    reviewer, engine = Reviewer(game), Engine(game)
    for seed in range(4):
        play = random_game(game, seed)
        found = reviewer.review(play.states, play.moves, seconds=10)
        expected = losing_moves(game, engine, play.states)
        assert all(move.is_decided for move in found.moves)
        assert [move.ply for move in found.moves if result_of(game, move.after) == 0 and move.grade] == expected
        assert (None if found.first_losing is None else found.first_losing.ply) == (expected[0] if expected else None)
