"""Random games of Go that fill no eyes, and dead stones."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Random
from zermelo.games.go import Go, territory
from zermelo.games.go.groups import Groups
from zermelo.games.go.names import point_name, point_named
from zermelo.games.go.playouts import dead_stones, ownership
from zermelo.kernel.played import Played
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import contains, count_items


def ends(game: Any, s: Any, random: Any, played: Any, playouts: int) -> int:
    """A digest of the ends of some playouts."""
    digest = game.key(s)
    for _ in range(playouts):
        end = game.playout(s, random, played)
        digest = digest * 31 + game.key(end) + int(played.moves[played.count[0] - 1])
    return digest


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 5, 9, 13])
def test_both_modes_play_the_same_games(size: int) -> None:
    game, routine = Go(size, limit=3 * size * size), Routine(ends)
    compiled = routine.compiled(game, Random(4), Played(900), 3)(game.initial())
    plain = routine.run_plain(game, game.initial(), Random(4), Played(900), 3)
    assert compiled % (1 << 64) == plain % (1 << 64)


def test_playouts_end_in_states_of_the_game() -> None:
    game = Go(7)
    for seed in range(20):
        end = game.checked(game.playout(game.initial(), Random(seed), Played()))
        assert game.is_terminal(end)
        empty = game.empty_points(end.own, end.other)
        if end.passes >= 2:  # all that is left are eyes, ko and suicides
            assert count_items(empty) < 20


TWO_EYES = "XXXXX/.X.XX/XXXXX/OOOOO/..... X"


def test_eyes_are_not_filled() -> None:
    game = Go(5)
    s = game.from_text(TWO_EYES)
    for seed in range(30):
        black, _ = game.colours(game.playout(s, Random(seed), Played()))
        assert count_items(black) >= 13
        assert not contains(black, game.number(3, 0))
        assert not contains(black, game.number(3, 2))


@pytest.mark.parametrize(
    ("rows", "is_eye"),
    [
        ("...../.XXX./.X.X./.XXX./.....", True),
        ("...../.OXX./.X.X./.XXX./.....", True),
        ("...../.OXO./.X.X./.XXX./.....", False),
        ("...../..X../.X.../..X../.....", False),
        ("...../..O../.X.X./..X../.....", False),
    ],
)
def test_what_is_an_eye(rows: str, is_eye: bool) -> None:
    game = Go(5)
    s = game.from_text(rows)
    assert game.is_eye(s.own, s.other, game.number(2, 2)) == is_eye


def test_an_eye_at_the_edge_needs_all_its_diagonals() -> None:
    game = Go(5)
    for rows, is_eye in (("...../...../...../XX.../.X...", True), ("...../...../...../XO.../.X...", False)):
        s = game.from_text(rows)
        assert game.is_eye(s.own, s.other, 0) == is_eye


def test_dead_stones() -> None:
    game = Go(7, komi=0, rules="chinese")
    s = game.from_text("..XO.../..XO.../.OXO..X/..XO.../..XO.../..XO.../..XO...")
    dead = [point_name(game, p) for p in dead_stones(game, s)]
    assert dead == ["B5", "G5"]
    assert territory(game, s).result == "0"  # eight stones each, and no empty point reaches only one colour
    assert territory(game, s, dead).result == "W+7"
    owners = ownership(game, s)
    assert owners[game.number(0, 0)] > 0.2
    assert owners[game.number(0, 6)] < -0.2


# The board that changes in place, against one that is set up again.


def test_groups_keep_track_of_stones_and_liberties() -> None:
    game, random = Go(7, rules="simple_ko"), Random(5)
    for _ in range(6):
        s, board = game.initial(), Groups(7)
        board.set_up(*game.colours(s))
        for _ in range(90):
            legal = [a for a in game.actions(s) if a != game.points]
            if not legal:
                break
            p = legal[random.below(len(legal))]
            at_risk = board.stones_at_risk(p, s.mover + 1)
            captured = board.put(p, s.mover + 1)
            after = game.result(s, p)
            assert captured == after.black_lost + after.white_lost - s.black_lost - s.white_lost
            assert board.forbidden_by_ko(p, captured) == after.ko
            group = board.group[p]
            assert at_risk == (board.size[group] if board.count_liberties(group) == 1 and not captured else 0)
            fresh = Groups(7)
            fresh.set_up(*game.colours(after))
            assert sorted(board.empty[: board.count[0]]) == sorted(fresh.empty[: fresh.count[0]])
            for name in ("colour", "nearby", "all_stones"):
                assert getattr(board, name)[:56].tolist() == getattr(fresh, name)[:56].tolist()
            for q in (q for q in fresh.board if fresh.colour[q]):
                one, two = board.group[q], fresh.group[q]
                assert board.stones[one].tolist() == fresh.stones[two].tolist()
                assert board.liberties[one].tolist() == fresh.liberties[two].tolist()
                assert board.size[one] == fresh.size[two]
            s = after


@pytest.mark.parametrize("size", [5, 9])
def test_eyes_by_neighbourhoods_are_eyes_by_stones(size: int) -> None:
    game, random = Go(size), Random(size)
    for _ in range(40):
        s = game.playout(game.initial(), random, Played())
        game.show(s)
        for p in game.groups.empty[: game.groups.count[0]]:
            assert game.groups.is_eye(p, s.mover + 1) == game.is_eye(s.own, s.other, p)


def chosen_by(game: Go, rows: str, last: str) -> set[str]:
    """The moves that the policy chooses among, after this last move of White."""
    s = game.from_text(rows)
    game.show(s)
    return {
        game.action_name(s, game.choose_move(1, point_named(game, last), game.points, Random(seed)))
        for seed in range(30)
    }


@pytest.mark.parametrize(
    ("rows", "last", "expected"),
    [
        ("...../..O../.OXO./...../.....", "B3", {"C2"}),  # escape
        ("...../..OX./.OXOX/...../.....", "B3", {"C2", "D2"}),  # escape, or capture one of the attackers
        ("OX.../...../...../...../.....", "A5", {"A4"}),  # capture
        ("...../..XO./...../...../.....", "D4", {"C3", "C5", "D3", "D5"}),  # patterns
    ],
)
def test_urgent_moves(rows: str, last: str, expected: set[str]) -> None:
    assert chosen_by(Go(5), rows, last) == expected


def test_a_playout_depends_on_nothing_but_its_start() -> None:
    """After a suicide the point of the last move is empty: what an earlier playout left there does not matter."""
    game = Go(5)
    s = game.from_text("XXXXX/XOOOX/XO.OX/XOOOX/XXXXX O")
    s = s._replace(last=game.number(2, 2))  # as if a stone there had been removed at once
    ends = []
    for before in (0, 1, 2, 3):
        game.playout(game.initial(), Random(before), Played())
        ends.append(game.playout(s, Random(9), Played()))
    assert len(set(ends)) == 1
