"""Kalah: the rules, the published values of small boards, and pictures."""

from __future__ import annotations

import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import Engine
from zermelo.app.coloured import coloured
from zermelo.game.errors import GameError
from zermelo.games.kalah import Kalah, KalahState
from zermelo.lookup.strong import solve_all


def position(game: Kalah, south: tuple[int, ...], north: tuple[int, ...], mover: int = 0) -> KalahState:
    """A position from the seeds in each player's houses and then in the store."""
    return KalahState((*south, *north, *(0,) * (14 - len(south) - len(north))), mover)  # type: ignore[arg-type]


def test_sowing() -> None:
    """Into the own store, but not into the opponent's; a last seed there earns another move."""
    game = Kalah()
    s = game.play("a3")
    assert s == position(game, (4, 4, 0, 5, 5, 5, 1), (4, 4, 4, 4, 4, 4, 0))
    s = game.play("a6", state=s)
    assert s == position(game, (4, 4, 0, 5, 5, 0, 2), (5, 5, 5, 5, 4, 4, 0), mover=1)
    s = game.play("b6", state=s)
    assert s == position(game, (5, 5, 1, 5, 5, 0, 2), (5, 5, 5, 5, 4, 0, 1))
    past = position(game, (0, 0, 0, 0, 0, 9, 0), (1, 0, 0, 0, 0, 0, 38))
    assert game.result(past, 5) == position(game, (1, 0, 0, 0, 0, 0, 3), (2, 1, 1, 1, 0, 1, 38), mover=1)


def test_capturing() -> None:
    game = Kalah(houses=3)
    s = position(game, (1, 0, 2, 5), (3, 9, 1, 3))
    assert game.play("a1", state=s) == position(game, (0, 0, 2, 15), (3, 0, 1, 3), mover=1)  # b2 is opposite a2
    s = position(game, (1, 0, 2, 5), (3, 0, 10, 3))
    assert game.play("a1", state=s) == position(game, (0, 0, 2, 6), (3, 0, 10, 3), mover=1)  # nothing opposite
    strict = Kalah(houses=3, empty_captures=False)
    assert strict.play("a1", state=s) == position(game, (0, 1, 2, 5), (3, 0, 10, 3), mover=1)
    s = position(game, (0, 7, 2, 5), (3, 4, 0, 3))  # once around to the same house, which was emptied
    assert game.play("a2", state=s) == position(game, (1, 0, 3, 12), (4, 0, 1, 3), mover=1)


def test_the_end() -> None:
    """A player with empty houses ends the game, also after another move was earned; the rest goes to its owner."""
    game = Kalah(houses=2)
    s = game.play("a2", state=position(game, (0, 1, 7), (3, 2, 3)))
    assert s == position(game, (0, 0, 8), (0, 0, 8))
    assert game.is_terminal(s)
    assert game.utility(s, 0) == game.utility(s, 1) == 0
    s = game.play("b1", state=position(game, (2, 1, 7), (1, 0, 5), mover=1))  # captures what is opposite b2
    assert s == position(game, (0, 0, 8), (0, 0, 8))


PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWWWWL", 4: "WWW", 5: "DD", 6: "W"}
"""Win, loss or draw of the first player with 1, 2 … seeds in a house (Irving, Donkers and Uiterwijk, "Solving Kalah",
ICGA Journal 23, 2000)."""
SMALL = [(1, 6), (2, 6), (3, 2), (4, 1)]


def published(houses: int, seeds: int) -> int:
    return "LDW".index(PUBLISHED[houses][seeds - 1]) - 1


@pytest.mark.parametrize(("houses", "most"), SMALL)
def test_every_state_of_small_boards(houses: int, most: int) -> None:
    for seeds in range(1, most + 1):
        game = Kalah(houses, seeds)
        assert solve_all(game)[game.initial()].value == published(houses, seeds), seeds


LARGER = [(houses, seeds) for houses in PUBLISHED for seeds in range(1, len(PUBLISHED[houses]) + 1) if houses >= 3]


@pytest.mark.slow  # each size is compiled by itself
@pytest.mark.parametrize(("houses", "seeds"), LARGER)
def test_the_engine_finds_the_published_values(houses: int, seeds: int) -> None:
    found = Engine(Kalah(houses, seeds)).solve()
    assert (found.value, found.exact) == (published(houses, seeds), True)


def test_both_modes() -> None:
    game = Kalah()
    check_both_modes(game, states_of_random_play(game, 2))


def test_names_and_pictures() -> None:
    game = Kalah(houses=3)
    states = states_of_random_play(game, 5)
    check_names(game, states)
    for s in states:
        assert sum(s.pits) == game.total
        board = game.picture(s)
        assert sum(int(piece.symbol) for piece in board.pieces.values()) == game.total
    assert game.text(game.play("a2")).splitlines() == [
        "       b3 b2 b1",
        "        4  5  5",
        "N   0             1 S",
        "        4  0  5",
        "       a1 a2 a3",
    ]
    many = Kalah(houses=2, seeds=12)
    assert coloured(many.picture(many.initial())).plain.split()[:3] == ["0", "12", "12"]


@pytest.mark.parametrize(
    ("houses", "seeds", "message"),
    [(7, 4, "houses must be"), (0, 4, "houses must be"), (6, 0, "seeds must be"), (6, 22, "255 seeds, not for 264")],
)
def test_bad_parameters(houses: int, seeds: int, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Kalah(houses, seeds)
