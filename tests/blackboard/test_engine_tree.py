"""The engine's search as a tree: it is the search that the engine does, and its nodes agree with its counters."""

from __future__ import annotations

import pytest

from zermelo import games
from zermelo.blackboard.engine_steps import EngineSteps
from zermelo.blackboard.engine_tree import EngineTree, watch_engine
from zermelo.game.errors import StateError, Unsuitable
from zermelo.search.engine import Engine

ITALIAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]
SEARCHES = [
    ("tic_tac_toe", [], 4, {}),
    ("tic_tac_toe", ["5", "1"], 7, {}),
    ("connect_four", [], 4, {}),
    ("connect_four", ["4", "4", "3"], 6, {"table_first": 2}),
    ("othello", ["d3"], 3, {}),
    ("breakthrough", [], 3, {"internal": 1}),
    ("nim", [], 8, {}),
    ("chess", ITALIAN, 2, {}),
    ("chess", ITALIAN, 3, {"singular": True}),
]


def searched(name: str, moves: list[str], depth: int, options: dict[str, int]) -> EngineTree:
    game = games.load(name)
    states = [game.initial()]
    for move in moves:
        states.append(game.result(states[-1], game.action_named(states[-1], move)))
    return watch_engine(game, states[-1], depth, states[:-1], **options)


@pytest.mark.parametrize(("name", "moves", "depth", "options"), SEARCHES)
def test_the_counts_are_the_engines(name: str, moves: list[str], depth: int, options: dict[str, int]) -> None:
    tree = searched(name, moves, depth, options)
    ended = [visit.ended for visit in tree.visits]
    assert tree.counts["nodes"] == len(tree.visits)
    assert tree.counts["cuts"] == ended.count("cut")
    assert tree.counts["table_cuts"] == ended.count("table")
    assert tree.counts["quiescent"] == sum(visit.quiescent for visit in tree.visits)
    assert tree.counts["leaves"] >= ended.count("over") + ended.count("horizon") + tree.counts["quiescent"]
    assert [n for happened, n in tree.order if happened == "enter"] == list(range(len(tree.visits)))
    assert sorted(n for happened, n in tree.order if happened == "leave") == list(range(len(tree.visits)))


@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 5), ("othello", 4), ("chess", 2)])
def test_watching_changes_nothing(name: str, depth: int) -> None:
    """The last of the deepening searches is what the engine, unwatched, adds to the nodes of those before it."""
    game = games.load(name)
    tree = watch_engine(game, depth=depth, aspiration=False)
    unwatched = {"compile": False, "table": 1, "aspiration": False}
    costs = [Engine(game, **unwatched).search(depth=d, deepening=True) for d in (depth - 1, depth)]
    assert len(tree.visits) == costs[1].nodes - costs[0].nodes
    assert tree.value(tree.visits[0].score) == f"{round(costs[1].value, 2):g}".replace("-", "−")


def test_what_happened_where() -> None:
    tree = searched("chess", ITALIAN, 3, {})
    seen = {visit.asked for visit in tree.visits} | {visit.ended for visit in tree.visits}
    assert {"full", "scout", "reduced", "cut", "table", "stood", "searched"} <= seen
    for visit in tree.visits:
        children = [tree.visits[n] for n in visit.children]
        if visit.quiescent:
            assert visit.depth <= 0
            assert all(child.quiescent or child.ended in ("over", "table") for child in children)
        if visit.ended in ("table", "over", "horizon", "stood", "known", "given up"):
            assert not children
        if visit.asked == "reduced":
            assert visit.depth < max(tree.visits[n].depth for n in tree.visits[visit.parent].children)
        legal = len(list(tree.game.actions(visit.state)))
        moves = {child.action for child in children if child.action is not None}
        assert not visit.left or len(visit.left) + len(moves) == legal


def test_null_moves_are_seen() -> None:
    tree = searched("chess", ["e4", "d5"], 4, {})
    passes = [visit for visit in tree.visits if visit.asked == "null move"]
    assert passes
    assert all(tree.move(visit.number) == "pass" for visit in passes)
    for visit in tree.visits:
        if visit.ended == "passed":
            assert [tree.visits[n].asked for n in visit.children] == ["null move"]
            assert visit.sign in ("≤", "≥")


def test_a_win_is_named_by_its_distance() -> None:
    tree = searched("tic_tac_toe", ["1", "4", "2", "5"], 3, {})
    assert tree.value(tree.visits[0].score) == "won in 1"
    assert [tree.move(n) for n in tree.line] in (["", "3"], [""])


def test_limits_and_unsuitable_games() -> None:
    with pytest.raises(StateError, match=r"visits more than 50 nodes of .* to depth 5"):
        watch_engine(games.load("tic_tac_toe"), depth=5, nodes=50)
    with pytest.raises(Unsuitable, match="the engine does not suit Pig"):
        watch_engine(games.load("pig"), depth=2)


def test_steps() -> None:
    tree = searched("tic_tac_toe", [], 4, {"aspiration": False})
    made = EngineSteps(tree, budget=400)
    assert made.steps[0]["text"] == "Search to depth 4: what is it worth? 4 plies to go."
    assert len(made.steps) == sum(2 if visit.children else 1 for visit in tree.visits)
    table = next(step for step in made.steps if "the table had the answer" in step["text"])
    assert table["line"] == 4
    cut = next(step for step in made.steps if step["kind"] == "cut")
    assert cut["line"] == 11
    assert "were cut" in cut["text"]
    [rest] = cut["cut"]
    assert made.state_at(rest) is None
    assert made.subject.nodes[rest].unknown.endswith("moves")
    assert made.way_to(made.steps[1]["at"]) == ["5"]
    counts = tree.counts
    words = f"{counts['nodes']} nodes: {counts['cuts']} cut, {counts['table_cuts']} answered by the table"
    assert words in made.summary()
    table = made.moves()[0]
    assert table[0]["move"] == "5"
    assert {row["ended"] for row in table} >= {"searched", "refuted by one of its moves, the rest cut"}
    assert {node for step in made.steps for node in step.get("seen", [])} | set(made.rest.values()) == made.drawn


def test_what_is_folded_is_shown_at_its_top() -> None:
    made = EngineSteps(searched("tic_tac_toe", [], 4, {}), budget=30)
    assert len(made.drawn) < len(made.places)
    assert all(step["node"] in made.drawn and set(step["path"]) <= made.drawn for step in made.steps)
    assert any(step["now"]["place"].endswith("in a folded subtree") for step in made.steps)
