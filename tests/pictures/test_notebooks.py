"""What a notebook shows: boards, analyses, games, trees, levels and standings have pictures or tables."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

import zermelo
from zermelo import games
from zermelo.arena.standings import Standings
from zermelo.pictures.page import beside, table
from zermelo.play.record import Record
from zermelo.search.driver import analyse
from zermelo.trees import Tree


class Balanced(HTMLParser):
    """Reads HTML, and sees that what is opened is closed."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.count: dict[str, int] = {}
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_an_analysis_is_a_board_and_the_values_of_the_moves() -> None:
    game = games.load("tic_tac_toe")
    found = analyse(game, game.play("5"), compile=False, all_moves=True)
    shown = Balanced(found._repr_html_())
    assert shown.count["svg"] == 1
    assert shown.count["table"] == 2
    assert {move.name for move in found.moves} <= set(shown.words)
    assert "marked" in found._repr_html_()


@pytest.mark.slow
def test_a_search_by_simulations_shows_visits_and_priors() -> None:
    go = zermelo.games.load("go", size=2)
    html = analyse(go, algorithm="mcts", nodes=50, compile=False)._repr_html_()
    assert [heading for heading in ("visits", "prior", "line") if f">{heading}</th>" in html] == [
        "visits",
        "prior",
        "line",
    ]
    assert ">visits</th>" not in analyse(zermelo.games.load("nim"), algorithm="minimax", compile=False)._repr_html_()


def test_an_analysis_of_a_tree_shows_the_tree() -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    html = analyse(tree, compile=False)._repr_html_()
    assert tree._repr_svg_() in html


def test_an_analysis_where_chance_moves() -> None:
    pig = games.load("pig", target=4)
    assert Balanced(analyse(pig, pig.play("roll"), depth=2, compile=False)._repr_html_()).count["svg"] == 1


def test_a_game_is_its_last_board_and_its_moves() -> None:
    record = Record("connect_four", ("4", "4", "3"), {}, ("<me>", "you"), note="a & b")
    shown = Balanced(record._repr_html_())
    assert shown.count["svg"] == 1
    assert "1. 4 2. 4 3. 3" in shown.words
    assert "<me>, you" in "".join(shown.words)
    assert "not yet" in shown.words
    elsewhere = Record("nowhere.py", ("4",), {}, ())
    assert "svg" not in Balanced(elsewhere._repr_html_()).count


def test_levels_and_standings_are_tables() -> None:
    nim = games.load("nim")
    assert Balanced(zermelo.levels(nim)._repr_html_()).count["tr"] == 1 + len(zermelo.levels(nim))
    standings = Standings(nim, ("<random>", "greedy"))
    standings.add(Record("nim", (), {}, ("<random>", "greedy"), (-1.0, 1.0), "rules", number=0, pair=0))
    standings.add(Record("nim", (), {}, ("greedy", "<random>"), (1.0, -1.0), "rules", number=1, pair=0))
    shown = Balanced(standings._repr_html_())
    assert shown.words.index("greedy") < shown.words.index("<random>")  # the best first
    assert "100.0%" in shown.words


def test_tables_escape_what_they_are_given() -> None:
    shown = Balanced(beside(table([("<b>", 1)], caption="&"), table([("<i>", 2)], ("a", "<h>"))))
    assert shown.words == ["&", "<b>", "1", "a", "<h>", "<i>", "2"]
    assert "b" not in shown.count


@pytest.mark.parametrize("module", ["IPython", "jupyter", "rich"])
def test_pictures_need_nothing_else(module: str) -> None:
    sources = Path(zermelo.__file__).parent / "pictures"
    assert not any(f"import {module}" in file.read_text() for file in sources.glob("*.py"))
