"""Who meets whom, from which openings, with which dice."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from support.arena_games import Alone, Partners
from zermelo import games
from zermelo.arena.openings import openings_from, random_openings, usual_plies
from zermelo.arena.schedule import Conditions, Job, games_a_round, schedule, seatings
from zermelo.arena.tournament import Settings, Tournament
from zermelo.play.record import Record


def test_everybody_sits_everywhere() -> None:
    assert seatings(2, 2) == [[(0, 1), (1, 0)]]
    assert seatings(3, 2) == [[(0, 1), (1, 0)], [(0, 2), (2, 0)], [(1, 2), (2, 1)]]
    assert seatings(2, 3) == [[(0, 0, 1), (0, 1, 0), (1, 0, 0)], [(0, 1, 1), (1, 1, 0), (1, 0, 1)]]
    assert seatings(3, 1) == [[(0,), (1,), (2,)]]
    assert games_a_round(4, 3) == 12
    for group in seatings(5, 3):
        for player in set(itertools.chain(*group)):
            assert [sum(seats[seat] == player for seats in group) for seat in range(3)] == [1, 1, 1]


def test_openings_differ_and_follow_the_seed() -> None:
    game = games.load("connect_four")
    found = list(itertools.islice(random_openings(game, 3, 1), 100))
    assert found == list(itertools.islice(random_openings(game, 3, 1), 100))
    assert found != list(itertools.islice(random_openings(game, 3, 2), 100))
    ends = {game.key(game.play(*moves)) for moves, _ in found}
    assert len(ends) == 100
    assert all(len(moves) == 3 for moves, _ in found)


def test_openings_begin_again_where_there_are_no_others() -> None:
    game = games.load("tic_tac_toe")
    found = [moves for moves, _ in itertools.islice(random_openings(game, 1, 1), 27)]
    assert len(set(found)) == 9
    assert len(set(found[:9])) == 9


def test_no_opening_is_decided() -> None:
    game = games.load("tic_tac_toe")
    for moves, _ in itertools.islice(random_openings(game, 4, 1), 100):
        s = game.play(*moves)
        assert not any(game.is_terminal(game.result(s, a)) for a in game.legal(s))
    with pytest.raises(ValueError, match=r"every opening of 9 random plies .* give fewer plies"):
        next(random_openings(game, 9, 1))


def test_how_long_openings_usually_are() -> None:
    assert [usual_plies(games.load(name)) for name in ("tic_tac_toe", "connect_four", "pig")] == [1, 2, 0]
    assert usual_plies(games.load("othello")) >= 6


def test_openings_from_a_file(tmp_path: Path) -> None:
    game = games.load("connect_four")
    path = tmp_path / "openings.txt"
    path.write_text("\ufeff4 4 3\n\n1 2 # a comment\n4 4 3\n")
    assert openings_from(path, game) == [("4", "4", "3"), ("1", "2")]
    for text, message in (
        ("4 9\n", "opening 1: move 2: '9' is not a legal move"),
        ("1 2 1 2 1 2 1\n", "the game is over after it"),
        ("# nothing\n", "has no openings"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            openings_from(path, game)
    saved = tmp_path / "saved.jsonl"
    began, at_first = Record("connect_four", ("1", "2", "3"), opening=2), Record("connect_four", ("1", "2", "3"))
    saved.write_text(f"{began.line()}\n{at_first.line()}\n")
    assert openings_from(saved, game) == [("1", "2")]
    saved.write_text(f"{at_first.line()}\n")
    with pytest.raises(ValueError, match="saved games that have openings"):
        openings_from(saved, game)
    with pytest.raises(ValueError, match="there is no file of openings"):
        openings_from(tmp_path / "nowhere.txt", game)


def test_a_round_has_one_opening_and_one_seed() -> None:
    game = games.load("connect_four")
    jobs = list(schedule("connect_four", {}, game, ["a", "b", "c"], 4, random_openings(game, 2, 0), Conditions()))
    assert [job.number for job in jobs] == list(range(24))
    assert [job.pair for job in jobs] == [number // 2 for number in range(24)]
    for number in range(4):
        group = jobs[6 * number : 6 * number + 6]
        assert len({(job.opening, job.seed) for job in group}) == 1
    assert len({job.seed for job in jobs}) == 4


def test_a_job_is_plain_data() -> None:
    game = games.load("nim", piles=(3, 4))
    for job in schedule("nim", {"piles": (3, 4)}, game, ["a", "b"], 1, random_openings(game, 1, 0), Conditions(1.0)):
        assert Job.from_json(job.to_json()) == job


def test_partners_and_games_for_one() -> None:
    assert len(list(schedule("", {}, Partners(), ["a", "b"], 3, random_openings(Partners(), 0, 0), Conditions()))) == 6
    jobs = list(schedule("", {}, Alone(), ["a", "b"], 3, random_openings(Alone(), 0, 0), Conditions()))
    assert [job.players for job in jobs] == [("a",), ("b",)] * 3


def test_nobody_always_sits_behind_the_same_one() -> None:
    game = games.load("coalition")
    jobs = list(schedule("", {}, game, ["a", "b", "c"], 2, random_openings(game, 0, 0), Conditions()))
    assert [job.players for job in jobs[:3]] == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert [job.players for job in jobs[3:]] == [("c", "b", "a"), ("a", "c", "b"), ("b", "a", "c")]


def test_openings_that_repeat_are_told() -> None:
    def repeated(name: str, rounds: int, openings: int | None) -> int | None:
        return Tournament(Settings(name, ("random", "greedy"), rounds, openings=openings)).repeated_openings()

    assert repeated("tic_tac_toe", 20, None) == 9
    assert repeated("tic_tac_toe", 2, 0) == 1
    assert repeated("connect_four", 40, 2) is None
    assert repeated("pig", 40, 0) is None  # the dice differ
