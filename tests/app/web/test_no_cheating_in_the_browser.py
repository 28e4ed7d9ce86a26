"""Swap what is hidden: all that the page gets stays the same, and so does what the computer plays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.swaps import SWAPS, swapped
from zermelo import Random
from zermelo.app.web.messages import BadMessage
from zermelo.app.web.permitted import require_permitted
from zermelo.app.web.table import GameTable
from zermelo.app.web.table_view import about
from zermelo.arena.roster import player_of
from zermelo.game.errors import Unsuitable

pytestmark = pytest.mark.security


def tables(name: str, seats: Any) -> tuple[int, list[GameTable]]:
    _, player, plays = swapped(name)
    found = []
    for play in plays:
        table = GameTable(name, seats=seats(player), seed=1)
        table.play, table.shown = play, play.here.ply
        found.append(table)
    return player, found


def one_person(player: int) -> list[str]:
    return ["person" if seat == player else "random" for seat in range(2)]


@pytest.mark.parametrize("name", SWAPS)
def test_the_page_gets_the_same_whatever_is_hidden(name: str) -> None:
    seats = one_person if name != "roads" else lambda _: ["person"]
    _, found = tables(name, seats)
    for back in range(3):  # earlier positions too
        told = set()
        for table in found:
            line = table.visible_line
            table.shown = line[max(len(line) - 1 - back, 0)].ply
            view = {**table.view(), "id": None}
            told.add(json.dumps([view, about(table)], sort_keys=True))
        assert len(told) == 1


def test_how_often_the_opponent_has_tried_is_not_told() -> None:
    """Phantom tic-tac-toe: O met a stone of X and tried again. The page of X does not know."""
    _, (plain, _, refused) = tables("phantom_tic_tac_toe", one_person)
    assert len(refused.line) == len(plain.line) + 1
    assert [len(table.view()["moves"]) for table in (plain, refused)] == [2, 2]
    assert [node["number"] for node in refused.view()["tree"]] == [0, 1, 2]
    refused.shown = refused.line[2].ply  # in the middle of O's tries
    assert refused.view()["shown"] == 1


@pytest.mark.parametrize("words", ["mcts:nodes=30,compile=False", "pimc:deals=4,compile=False,per_deal=20,depth=2"])
@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice", "limit_holdem"])
def test_the_computer_plays_the_same_whatever_is_hidden(name: str, words: str) -> None:
    _, found = tables(name, lambda player: ["person" if seat != player else words for seat in range(2)])
    moves = set()
    for table in found:
        table.random = Random(4)
        answer = player_of(words, table.game).choose(table.turn())
        moves.add(answer.action)
    assert len(moves) == 1


@pytest.mark.parametrize("name", ["kuhn_poker", "limit_holdem"])
def test_nothing_is_saved_before_the_end(name: str) -> None:
    _, found = tables(name, one_person)
    with pytest.raises(Unsuitable, match="hidden information"):
        found[0].require_nothing_hidden_now("Saving")
    view = found[0].view()
    assert (view["whole"], view["seed"], view["fen"]) == (None, None, None)


def test_a_page_may_ask_for_these_players_but_not_for_the_file_of_a_strategy() -> None:
    for words in ("pimc:deals=50,seconds=0.1", "equilibrium", "equilibrium:until=0.01"):
        require_permitted({"seats": [words]}, ())
    for words in ("equilibrium:strategy.npz", "equilibrium:/etc/passwd", "pimc:per_deal=10000000000"):
        with pytest.raises(BadMessage):
            require_permitted({"seats": [words]}, ())
