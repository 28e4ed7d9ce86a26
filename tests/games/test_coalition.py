"""Coalition: the alliance of the weak, and its end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import analyse
from zermelo.game.errors import GameError
from zermelo.games.coalition import Coalition, CoalitionState

A, B, C = range(3)
GAME = Coalition()
Vector = tuple[float, ...]


@cache
def possible(s: CoalitionState) -> frozenset[Vector]:
    """Every vector of utilities that max^n may give to a state, however it breaks ties there and below."""
    if GAME.is_terminal(s):
        return frozenset({tuple(GAME.utility(s, p) for p in range(3))})
    mover = GAME.to_move(s)
    after = [possible(GAME.result(s, a)) for a in GAME.actions(s)]
    found: set[Vector] = set()
    for number, vectors in enumerate(after):
        others = [min(v[mover] for v in rest) for i, rest in enumerate(after) if i != number]
        found.update(v for v in vectors if all(v[mover] >= other for other in others))
    return frozenset(found)


def rational_lines(s: CoalitionState) -> Iterator[tuple[tuple[int, int, bool], ...]]:
    """Every line of play that max^n may give, as (mover, attacked, is every other move worse for the mover?)."""
    if GAME.is_terminal(s):
        yield ()
        return
    mover = GAME.to_move(s)
    worth = {a: {v[mover] for v in possible(GAME.result(s, a))} for a in GAME.actions(s)}
    for a, own in worth.items():
        others = [w for b, w in worth.items() if b != a]
        if all(max(own) >= min(w) for w in others):
            strictly = bool(others) and all(min(own) > max(w) for w in others)
            for rest in rational_lines(GAME.result(s, a)):
                yield ((mover, a, strictly), *rest)


def test_max_n_finds_the_alliance_and_its_end() -> None:
    # Russell and Norvig, "Artificial Intelligence: a modern approach", on optimal decisions in multiplayer games: if A
    # and B are weak and C is strong, it is often best for both to attack C; as C weakens, the alliance loses its value.
    for compile in (True, False):
        result = analyse(GAME, algorithm="maxn", compile=compile)
        assert result.line_names == ("attack C", "attack C", "attack A", "attack B", "attack C")
        assert result.value == pytest.approx((1 / 3, 1 / 3, 1 / 3))
        assert result.exact
        assert result.nodes == 44
    assert analyse(GAME).algorithm == "maxn"


def test_no_alliance_loses() -> None:
    by_name = {move.name: move.value for move in analyse(GAME, algorithm="maxn").moves}
    assert by_name["attack B"] == (0, 0, 1)
    second = {move.name: move.value for move in analyse(GAME, GAME.play("attack C"), algorithm="maxn").moves}
    assert second["attack A"] == (0, 0, 1)
    assert second["attack C"] == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_it_does_not_depend_on_ties() -> None:
    assert len(possible(GAME.initial())) == 1
    lines = list(rational_lines(GAME.initial()))
    assert len(lines) == 2
    for first, second, strike, *rest in lines:
        assert first == (A, C, True)
        assert second == (B, C, True)
        assert strike[0] == C
        betrayals = [(mover, attacked) for mover, attacked, strictly in rest if strictly and attacked != C]
        assert betrayals == [(A, B)] if strike[1] == A else [(B, A)]


def test_who_has_no_army_is_out() -> None:
    game = Coalition((1, 1, 3), 9)
    s = game.play("attack B")
    assert game.to_move(s) == C
    assert [game.action_name(s, a) for a in game.legal(s)] == ["attack A"]
    s = game.play("attack A", state=s)
    assert game.is_terminal(s)
    assert game.legal(s) == []
    assert list(game.actions(s)) == []
    assert [game.utility(s, p) for p in range(3)] == [0, 0, 1]


def test_utilities_share_one_prize() -> None:
    for game in (GAME, Coalition((3, 3, 4), 12), Coalition((1, 1, 1), 1)):
        for s in states_of_random_play(game, 20):
            if game.is_terminal(s):
                assert sum(game.utility(s, p) for p in range(3)) == pytest.approx(1)
            else:
                assert sum(game.evaluate(s, p) for p in range(3)) == pytest.approx(1)
                assert all(0 <= game.evaluate(s, p) < 1 for p in range(3))


def test_both_modes() -> None:
    check_both_modes(GAME, states_of_random_play(GAME, 10))


def test_names_and_pictures() -> None:
    check_names(GAME, states_of_random_play(GAME, 5))
    assert GAME.name == "Coalition(armies=(2, 2, 4), turns=5)"
    assert GAME.text(GAME.initial()) == "> A ##\n  B ##\n  C ####\n5 turns left"
    assert GAME.text(GAME.play(*["attack C"] * 2, "attack A", "attack B")).endswith("1 turn left")


@pytest.mark.parametrize(
    ("armies", "turns", "message"),
    [
        ((2, 2), 5, "three players"),
        ((2, 2, 4, 1), 5, "three players"),
        ((0, 2, 4), 5, "the army of A must be a whole number from 1 to 255, not 0"),
        ((2, 2, 256), 5, "the army of C"),
        ((2, 2, 4), 0, "turns must be"),
    ],
)
def test_bad_parameters(armies: tuple[int, ...], turns: int, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Coalition(armies, turns)
