"""Trees with information sets: which nodes belong together, how often they are reached, and the picture."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from zermelo import TooDeep, games
from zermelo.blackboard.information_sets import InformationTree
from zermelo.games.kuhn_poker import KuhnPoker
from zermelo.games.nim import Nim


@pytest.fixture(scope="module")
def tree() -> InformationTree:
    return InformationTree(KuhnPoker())


def coin(s: Any) -> dict[int, float]:
    return {0: 0.25, 1: 0.75}


def test_information_sets_of_kuhn_poker(tree: InformationTree) -> None:
    assert (len(tree.points), len(tree.sets)) == (55, 12)
    assert all(len(each.nodes) == 2 for each in tree.sets)
    for each in tree.sets:
        states = [tree.points[node].state for node in each.nodes]
        assert len({tree.game.information(s, each.player) for s in states}) == 1
        assert len(set(states)) == 2
    assert "Player 1  J: check, bet  {JQ check bet, JK check bet}" in tree.text()


def test_how_often_play_gets_there(tree: InformationTree) -> None:
    reach = tree.reach(coin)
    ends = [node for node, point in enumerate(tree.points) if point.utilities]
    assert sum(reach[node] or 0 for node in ends) == pytest.approx(1)
    assert tree.reach(None)[1] == pytest.approx(1 / 6)  # chance needs no strategy
    assert tree.reach(None)[2] is None
    assert "check 25 %, bet 75 %; reached 33.3 %" in tree.text(coin)


def test_the_picture(tree: InformationTree) -> None:
    root = ElementTree.fromstring(tree.svg(coin))
    namespace = "{http://www.w3.org/2000/svg}"
    groups = [node for node in root.iter(f"{namespace}g") if "data-set" in node.attrib]
    assert len(groups) == 24
    assert len([node for node in root.iter(f"{namespace}path") if "data-join" in node.attrib]) == 12
    words = ["".join(node.itertext()) for node in root.iter(f"{namespace}text")]
    assert words.count("1/6") == 6
    assert words.count("−2") == 6 == words.count("+2")
    assert "Player 2 Q: bet" in (root.findtext(f"{namespace}desc") or "")


def test_other_games(tmp_path: Any) -> None:
    rock = InformationTree(games.load("matrix"))
    assert [len(each.nodes) for each in rock.sets] == [1, 3]
    assert len(InformationTree(Nim((1, 2))).sets) > 2  # nothing is hidden: one node each
    general = InformationTree(games.load("matrix", payoffs="2,2 0,3; 3,0 1,1"))
    assert ">+3, 0<" in general.svg()
    with pytest.raises(TooDeep, match="more than 400 nodes"):
        InformationTree(games.load("leduc_poker"))


def test_labels_leave_room_for_letters_below_the_line(tree: InformationTree) -> None:
    root = ElementTree.fromstring(tree.svg(coin))
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        lines = [float(each.attrib["y"]) for each in group if "label" in each.attrib.get("class", "")]
        assert all(below - above >= 15 for above, below in itertools.pairwise(lines))  # or a J looks like an I
