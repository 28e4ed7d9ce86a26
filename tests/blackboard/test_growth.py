"""Monte Carlo tree search step by step: the steps, their numbers and their pictures."""

from __future__ import annotations

import re
from typing import Any

import pytest

import zermelo
from zermelo import Unsuitable
from zermelo.blackboard import html, png, svg, text, tikz
from zermelo.blackboard.growth import Growth, watch_mcts
from zermelo.trees import Tree, chance, named, node

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
GAMES: list[Any] = [
    Tree(FIGURE),
    Tree(FIGURE, first=1),
    Tree(node(0, chance((0.5, [1, 2]), (0.5, 3)), [4, 0])),
    Tree([[(1, 2, 3), (3, 2, 1)], [(0, 5, 0), (2, 2, 2)]], players=3),
    zermelo.games.load("tic_tac_toe"),
    zermelo.games.load("pig", target=6),
    zermelo.games.load("coalition"),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_steps_add_up_to_the_search(game: Any) -> None:
    grown = watch_mcts(game, simulations=40, seed=5)
    last = grown.at(-1)
    for move in grown.analysis.moves:
        if move.visits:
            child = grown.places[0].children[move.action]
            assert last.note[child] == f"n = {move.visits}"
            if not move.proven:
                own = move.value if not grown.is_minimiser(grown.analysis.player) else -move.value
                assert last.value[child] == pytest.approx(own)
    kinds = [step.kind for step in grown.steps]
    assert kinds[0] == "begin"
    assert kinds[-1] == "answer"
    assert kinds.count("rollout") == kinds.count("backup") == len(grown.simulations)
    for index in (0, 5, len(grown) // 2, len(grown) - 1):
        shown = text.draw(grown.at(index))
        assert svg.draw(grown.at(index)).startswith("<svg")
        if grown.tree is None:
            assert len(shown.splitlines()) == len(grown.at(index).visited)


def test_the_sentences_have_the_numbers_of_the_search() -> None:
    grown = watch_mcts(named("fig-5.2").to_game(), simulations=30)
    texts = [step.text for step in grown.steps]
    assert re.match(r"Backup, from the leaf to the root: a\d: visits 0 → 1, mean \d+; the root: visits 0 → 1", texts[3])
    assert "MAX takes the greatest upper bound, mean + exploration: a" in texts[10]
    assert any(re.match(r"Proven: .*the root is worth exactly 3\.", words) for words in texts)
    assert "Moves that are proven to be no better are left out." in "".join(texts)
    assert re.match(r"The root is proven after \d+ simulations. The answer is a1, \d+ visits, value 3\.", texts[-1])
    for words in texts:  # every sum is a sum
        for mean, sign, more, total in re.findall(r"(−?\d[\d.]*) ([+−]) ([\d.]+) = (−?\d+(?:\.\d+)?)", words):
            a, b, c = (float(x.replace("−", "-")) for x in (mean, more, total))
            assert (a - b if sign == "−" else a + b) == pytest.approx(c, abs=0.011)


def test_min_takes_the_least_lower_bound() -> None:
    grown = watch_mcts(Tree(FIGURE), simulations=30, proofs=False)
    assert any("MIN takes the least lower bound, mean − exploration" in step.text for step in grown.steps)
    assert "The answer" not in grown.steps[-1].text
    assert "After 30 simulations" in grown.steps[-1].text


def test_a_tree_grows() -> None:
    grown = watch_mcts(zermelo.games.load("tic_tac_toe"), simulations=12)
    sizes = [len(snapshot.visited) for snapshot in grown.snapshots()]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (1, 13)
    early, late = svg.draw(grown.at(2)), svg.draw(grown)
    assert early.count("data-node") == 2
    assert late.count("data-node") == 13
    assert 'class="zermelo-tree growing"' in html.page(grown)
    assert "n = 12" in text.draw(grown)
    assert text.draw(grown, "values") != text.draw(grown, "visits")
    assert png.draw(grown).startswith(b"\x89PNG")
    assert r"\begin{tikzpicture}" in tikz.draw(grown)
    with pytest.raises(ValueError, match="show is one of visits, bounds, values"):
        text.draw(grown, "windows")


def test_what_cannot_be_watched_is_refused() -> None:
    with pytest.raises(Unsuitable, match="hidden"):
        watch_mcts(zermelo.games.load("kuhn_poker"))
    with pytest.raises(ValueError, match="from 1 to 2,000"):
        watch_mcts(Tree(FIGURE), simulations=0)
    with pytest.raises(zermelo.StateError, match="single leaf"):
        watch_mcts(Tree(3))


def test_a_page_of_it_is_complete() -> None:
    grown: Growth = watch_mcts(Tree(FIGURE), simulations=8)
    page = html.page(grown, title="Growing")
    assert page.count("<li>") == len(grown.pseudocode)
    assert "confidence bounds" in page
