"""The desk of trees and practice, without a browser: what it answers to the messages of the page."""

from __future__ import annotations

import json
import queue
from typing import Any

import pytest

from zermelo.app.web import messages, tree_desk
from zermelo.app.web.host import Host
from zermelo.blackboard.practice import exercise, kinds
from zermelo.trees import names

HOSTILE = "<script>alert(1)</script>"


class Tab:
    """A tab's process, in this one."""

    def __init__(self) -> None:
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.host = Host(lambda answer: self.answers.put(json.loads(json.dumps(answer))))

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.host.handle(messages.parse(json.dumps({"do": do, **fields})))
        return self.answers.get(timeout=30)

    def tree(self, tree: str, **watching: Any) -> dict[str, Any]:
        return self.ask("tree", request=1, tree=tree, watching=watching)

    def unroll(self, game: str, plies: int = 2, moves: Any = "", start: str = "", **watching: Any) -> dict[str, Any]:
        fields = {"game": game, "settings": [], "moves": moves.split() if isinstance(moves, str) else moves}
        fields["start"] = start
        return self.ask("unroll", request=1, plies=plies, watching=watching, **fields)


@pytest.fixture(scope="module")
def tab() -> Tab:
    return Tab()


def test_the_library(tab: Tab) -> None:
    assert [each["name"] for each in tab.ask("trees")["trees"]] == names()


@pytest.mark.parametrize("name", names())
def test_every_named_tree_is_shown(tab: Tab, name: str) -> None:
    answer = tab.tree(name)
    assert answer["kind"] == "tree"
    assert answer["title"]
    assert answer["svg"].startswith("<svg")
    assert len(answer["labels"]) == answer["nodes"]
    if answer["unknowns"]:
        assert [each["unknown"] for each in answer["solution"]] == answer["unknowns"]
    else:
        assert answer["steps"][-1]["now"]["value"]
        assert any(each["name"] == answer["algorithm"] and not each["objection"] for each in answer["algorithms"])


def test_figure_5_5(tab: Tab) -> None:
    """Russell and Norvig, Figure 5.5: alpha-beta never looks at the 4 and the 6, and the root is worth 3."""
    answer = tab.tree("fig-5.2", algorithm="alpha_beta")
    cuts = [step for step in answer["steps"] if "cut" in step]
    assert [step["cut"] for step in cuts] == [[8, 9]]
    assert answer["code"][cuts[0]["line"] - 1].strip() == "if best ≤ α: stop, the rest is pruned"
    assert (cuts[0]["now"]["alpha"], cuts[0]["now"]["range"]) == ("3", "[−∞, 2]")
    assert answer["steps"][-1]["now"]["value"] == "3"
    assert answer["best"] == [0, 1, 4]


OWN = ("minimax", "alpha_beta", "maxn", "expectiminimax", "star1", "star2", "greedy", "and_or", "beam")


def test_every_algorithm_that_suits_can_be_watched(tab: Tab) -> None:
    for name in ("fig-5.2", "coin-bounded", "three-players"):
        for each in tab.tree(name)["algorithms"]:
            if each["name"] not in OWN:
                continue  # another test's own
            answer = tab.tree(name, algorithm=each["name"])
            assert answer["kind"] == ("tree_error" if each["objection"] else "tree"), (name, each)
            assert each["objection"] or answer["code"]


def test_toggles(tab: Tab) -> None:
    strict = tab.tree("tie-trap", algorithm="alpha_beta", cut="<")
    ties = tab.tree("tie-trap", algorithm="alpha_beta", cut="<=")
    assert sum("cut" in step for step in ties["steps"]) == sum("cut" in step for step in strict["steps"]) + 1
    assert len(tab.tree("fig-5.2", order="best")["steps"]) < len(tab.tree("fig-5.2", order="worst")["steps"])
    assert any(step["kind"] == "depth" for step in tab.tree("open-lines", deepening=True)["steps"])
    assert "a depth limit needs estimates" in tab.tree("fig-5.2", depth=1)["error"]


def test_unknown_leaves(tab: Tab) -> None:
    [answer] = tab.tree("fig-5.2-x")["solution"]
    assert [move["where"] for move in answer["best"]] == ["x ≤ 3", "x ≥ 3", "no x"]
    assert [(leaf["leaf"], leaf["node"], leaf["where"]) for leaf in answer["pruned"]] == [
        ("4", 8, "x ≤ 3"),
        ("6", 9, "x ≤ 3"),
    ]
    assert tab.tree("fig-5.2-x", given=["x=1/3"])["steps"]
    assert "no unknown leaf z" in tab.tree("fig-5.2-x", given=["z=1"])["error"]
    assert "takes a number" in tab.tree("fig-5.2-x", given=["x='y'"])["error"]
    [without] = tab.tree("MAX[{1/2: x, 1/2: 3}, 2]")["solution"]
    assert without["problem"].endswith("bounds are known: write them before the tree, as in range: 0 .. 10")
    assert "5 leaves are unknown; at most 4" in tab.tree("[a, b, c, d, e]")["problem"]


def test_monte_carlo_tree_search(tab: Tab) -> None:
    shown = tab.tree("fig-5.2", algorithm="mcts", simulations=12, seed=1)
    assert shown["algorithm"] == "mcts"
    assert shown["steps"][-1]["text"].startswith("The root is proven after")
    assert shown["positions"] is False
    plain = tab.tree("fig-5.2", algorithm="mcts", simulations=12, proofs=False, exploration=0.5)
    assert plain["steps"][-1]["now"]["visits"] == "12"
    game = tab.unroll("tic_tac_toe", 2, algorithm="mcts")
    assert "growing" in game["svg"]
    assert game["moves_title"] == "visits"
    node = game["steps"][1]["at"]
    position = tab.ask("position", request=9, node=node)
    assert len(position["moves"]) == 1
    assert "hidden information" in tab.unroll("kuhn_poker", 2, algorithm="mcts")["error"]
    assert "mcts" in [each["name"] for each in tab.tree("fig-5.2")["algorithms"]]


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("[[3, 4], [5, 6", 1, 10, "a [ without its ]"),
        ("[[3, 12, 8],\n [2, 4 6]]", 2, 8, "a comma is missing before 6"),
        ("[3, (1, 2)]", 1, 5, "a leaf with 2 numbers"),
        ("", 1, 1, "there is no tree here"),
    ],
)
def test_errors_have_line_and_column(tab: Tab, text: str, line: int, column: int, why: str) -> None:
    answer = tab.tree(text)
    assert (answer["kind"], answer["line"], answer["column"]) == ("tree_error", line, column)
    assert why in answer["error"]


def test_what_is_too_large_is_said(tab: Tab) -> None:
    assert "at most 2,000 can be searched" in tab.tree("[" + "1," * 2500 + "1]")["error"]
    assert tab.unroll("othello", 8)["error"].endswith("more than 2,000 nodes to depth 6: choose fewer plies")
    assert "a single leaf" in tab.tree("3")["error"]
    deep = "[" * 30 + "1" + ", 2]" * 30
    assert tab.tree(deep)["kind"] == "tree"


def test_nothing_typed_becomes_markup(tab: Tab) -> None:
    text = json.dumps({"name": HOSTILE, "labels": [HOSTILE, ""], "children": [3, {"unknown": HOSTILE}]})
    for answer in (tab.tree(text), tab.ask("draw", request=1, tree=text)):
        assert HOSTILE not in answer["svg"]
        assert "&lt;script&gt;" in answer["svg"]


def test_drawing(tab: Tab) -> None:
    drawn = tab.ask("draw", request=1, tree="[3, 4]")
    assert (drawn["kind"], drawn["text"], drawn["movers"]) == ("drawing", "[3, 4]", ["MAX", "MIN", "CHANCE"])
    assert [node["value"] for node in drawn["data"]] == ["", "3", "4"]
    grown = tab.ask("edit", request=2, tree="[3, 4]", change="add", node=1, text="")
    assert (grown["text"], grown["request"]) == ("[[3, 0], 4]", 2)
    wrong = tab.ask("edit", request=3, tree="[3, 4]", change="value", node=1, text="[")
    assert (wrong["kind"], wrong["request"]) == ("tree_error", 3)


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "othello", "nim", "breakthrough", "pig", "coalition"])
def test_games_are_unrolled(tab: Tab, game: str) -> None:
    answer = tab.unroll(game, 2)
    assert answer["kind"] == "tree", answer
    assert answer["positions"]
    last = tab.ask("position", request=7, node=answer["nodes"] - 1)
    assert (last["kind"], last["request"], len(last["moves"])) == ("position", 7, 2)
    assert last["svg"] is None or last["svg"].startswith("<svg")


def test_chess_is_unrolled_from_a_position(tab: Tab) -> None:
    answer = tab.unroll("chess", 1, "e4 e5 Qh5 Nc6 Bc4 Nf6", algorithm="minimax")
    best = answer["best"][1]
    assert tab.ask("position", request=1, node=best)["moves"] == ["Qxf7#"]
    assert answer["steps"][-1]["now"]["value"] == "1"
    [mate] = [row for row in answer["moves_at"]["0"] if row["move"] == "Qxf7#"]
    assert mate == {"place": best, "move": "Qxf7#", "value": "1", "ended": "the end of the game"}
    fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"
    mates = tab.unroll("chess", 1, start=fen, algorithm="engine")
    assert "won in 1" in mates["summary"]


def test_repetitions_end_an_unrolled_game(tab: Tab) -> None:
    """The position after Ng8 has occurred three times then: a draw, worth 0, and not what the evaluation says."""
    back = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"
    answer = tab.unroll("chess", 1, back, algorithm="minimax")
    values = {}
    for node in range(1, answer["nodes"]):
        [move] = tab.ask("position", request=1, node=node)["moves"]
        values[move] = answer["labels"][node]
    assert values["Ng8"] == "leaf, worth 0"
    assert values["e5"] != "leaf, worth 0"


def test_unrolling_goes_on_from_any_position(tab: Tab) -> None:
    for game, moves in (("pig", "roll 2"), ("connect_four", "4 4"), ("coalition", "")):
        answer = tab.unroll(game, 1, moves)
        below = tab.ask("position", request=1, node=1)["moves"]
        assert tab.unroll(game, 1, [*answer["moves"], *below])["kind"] == "tree"


def test_the_engines_own_search(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = tab.unroll("tic_tac_toe", 4, algorithm="engine")
    assert answer["algorithm"] == "engine"
    assert "9 cut, 12 answered by the table" in answer["summary"]
    assert [name for name, _ in answer["views"]] == ["note", "window", "none"]
    assert "was-table" in answer["svg"]
    assert "does not suit Pig" in tab.unroll("pig", 2, algorithm="engine")["error"]
    monkeypatch.setattr(tree_desk, "MOST_ENGINE", 50)
    assert "too many to be shown" in tab.unroll("tic_tac_toe", 4, algorithm="engine")["error"]


def test_hidden_and_finished_games_are_refused(tab: Tab) -> None:
    assert "has hidden information" in tab.unroll("kuhn_poker")["error"]
    assert "the game is over" in tab.unroll("tic_tac_toe", 2, "1 4 2 5 3")["error"]
    assert "not a legal move" in tab.unroll("tic_tac_toe", 2, "1 1")["error"]


@pytest.mark.parametrize("kind", kinds())
def test_exercises_are_graded(tab: Tab, kind: str) -> None:
    asked = tab.ask("exercise", practice=kind, seed=4)
    assert asked["question"] == exercise(kind, 4).question
    assert "solution" not in asked
    right = tab.ask("grade", practice=kind, seed=4, answer=exercise(kind, 4).solution)
    wrong = tab.ask("grade", practice=kind, seed=4, answer="")
    assert (right["passed"], wrong["passed"]) == (True, False)
    assert all(mark["correct"] for mark in right["marks"])
    assert asked["hints"]
    assert tab.tree(right["tree"], **right["watching"])["kind"] == "tree"


def test_messages_are_checked() -> None:
    for wrong in (
        {"do": "tree", "request": 1, "tree": "fig-5.2", "watching": {"paint": 1}},
        {"do": "tree", "request": 1, "tree": "fig-5.2", "watching": {"cut": 7}},
        {"do": "tree", "request": 1, "tree": "fig-5.2", "watching": []},
        {"do": "tree", "request": 1, "tree": "x" * 20_001, "watching": {}},
        {"do": "unroll", "request": 1, "game": "chess", "start": "", "plies": 99, "watching": {}},
        {"do": "edit", "request": 1, "tree": "[3]", "change": "add", "node": -1, "text": ""},
    ):
        with pytest.raises(messages.BadMessage):
            messages.parse(json.dumps(wrong))
