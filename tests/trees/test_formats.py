"""Every way to write a tree: what it means, that it can be written and read again, and what malformed text is told."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.random_trees import trees
from zermelo import CHANCE, GameError, analyse
from zermelo.blackboard.subject import subject_of
from zermelo.trees import (
    MAX,
    MIN,
    Node,
    ParsedTree,
    Tree,
    TreeError,
    chance,
    dump,
    leaf,
    load,
    node,
    parse,
    to_indented,
    to_json,
    to_nested,
    to_node,
    unknown,
)
from zermelo.trees.variations import with_movers

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", leaf(7)),
        ("[[3,12,8],[2,4,6],[14,5,2]]", to_node([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
        ("[1/2, -.5, +3, −4, 2e1, 4/2]", to_node([HALF, -0.5, 3, -4, 20.0, 2])),
        ("[x, [y_1, x']]", to_node(["x", ["y_1", "x'"]])),
        ("[(1,2,6), (4, 1/2, -3)]", to_node([(1, 2, 6), (4, HALF, -3)])),
        ("MIN[3, MAX[4, 5]]", node(MIN, 3, node(MAX, 4, 5))),
        ("max[1, min[2]]", node(MAX, 1, node(MIN, 2))),
        ('[left: 1, "the other": 2]', node(None, 1, 2, labels=("left", "the other"))),
        ("{1/2: 8, 1/3: 24, 1/6: -12}", chance((HALF, 8), (Fraction(1, 3), 24), (Fraction(1, 6), -12))),
        ("{heads 1/2: 1, 0.5: 2}", chance((HALF, 1), (0.5, 2), labels=("heads", ""))),
        ("CHANCE[8, 4]", chance((HALF, 8), (HALF, 4))),
        ("[~3, 4]", Node(children=(Node(utility=(3,), estimate=(3,)), leaf(4)))),
        ("# a comment\n[1, # another\n 2]", to_node([1, 2])),
        ('{"mover": "MIN", "children": [3, {"unknown": "x", "name": "n"}]}', node(MIN, 3, unknown("x", "n"))),
        (
            '{"children": [{"utility": "1/2"}], "estimate": 4, "labels": ["a"]}',
            node(None, HALF, estimate=(4,), labels="a"),
        ),
        ('{"mover": "CHANCE", "odds": ["1/2", 0.5], "children": [1, 2]}', chance((HALF, 1), (0.5, 2))),
    ],
)
def test_nested_lists_and_json(text: str, expected: Node) -> None:
    assert parse(text).root == expected


def test_indented_text() -> None:
    found = parse(
        """
        # a little of everything
        range: -2 .. 20
        MAX root ~5
          left: MIN "the first"
            3
            12 end
            x
            x2 name ~1
          CHANCE
            heads 1/2: ~4
            1/2: .
              (-1)
          third:
            5
        """.replace("\n        ", "\n")
    )
    left = node(MIN, 3, leaf(12, name="end"), "x", replace(unknown("x2", "name"), estimate=(1,)), name="the first")
    coin = chance((HALF, Node(utility=(4,), estimate=(4,))), (HALF, node(None, -1)), labels=("heads", ""))
    assert found.root == node(MAX, left, coin, node(None, 5), estimate=(5,), name="root", labels=("left", "", "third"))
    assert found.utility_range == (-2, 20)
    assert found.unknowns == ("x", "x2")


def test_what_is_declared() -> None:
    found = parse("players: 3\nfirst: B\nrange: 0 .. inf\ntitle: Three: of them\ndepth: 2\n\n[[(1,2,3)]]")
    assert found == ParsedTree(to_node([[(1, 2, 3)]]), 3, 1, (0, math.inf), 2)
    assert found.notes["title"] == "Three: of them"
    game = found.to_game()
    assert [game.to_move(game.initial()), game.traits.players] == [1, 3]
    assert parse("[[1, 2]]", players=1, utility_range=(0, 4)).to_game().traits.utility_range == (0, 4)
    assert parse("[(1,2,3)]").players == 3
    assert parse("A[B[C[(1, 2, 3)]]]").players == 3
    assert parse('{"players": 1, "utility_range": [-1, "inf"], "tree": [1]}').utility_range == (-1, math.inf)
    for text in ("range: [-2, 2]\n[1]", "range: -2 to 2 # so\n[1]", "range: −2..2\n1"):
        assert parse(text).utility_range == (-2, 2)


def test_unknown_leaves_get_their_values_by_name() -> None:
    tree = parse("[[3, players], [tree]]")  # names that are also those of parameters
    assert analyse(tree.to_game(players=5, tree=4), algorithm="minimax", compile=False).value == 4
    with pytest.raises(GameError, match="the leaf players is unknown"):
        tree.to_game(tree=4)


CS188 = '''# a tree of one's own
class: "GraphGameTreeTest"
alg: "MinimaxAgent"
depth: "2"

diagram: """
     max
    /   \\
"""
num_agents: "2"
start_state: "max"
win_states: "A B"
lose_states: "C"

successors: """
max Left min1
max Right min2
min1 Left A
min1 Right B
min2 Left C
min2 Right D
"""

evaluation: """
min1 10.0
A 3.0
B 12
C -2.5
D 6
"""
'''


def test_cs188_files() -> None:
    found = parse(CS188)
    game = found.to_game()
    analysis = analyse(game, algorithm="minimax", depth=found.depth, compile=False)
    assert (analysis.value, game.action_name(game.initial(), analysis.action)) == (3, "Left")
    assert (found.depth, found.players) == (4, 2)
    assert found.notes["alg"] == "MinimaxAgent"
    assert [child.name for child in found.root.children] == ["min1", "min2"]
    shallow = analyse(game, algorithm="minimax", depth=1, compile=False)
    assert shallow.value == 10  # by the evaluation of an interior node
    assert parse(to_json(found)) == parse(to_indented(found)) == parse(to_nested(found)) == found


def test_cs188_agents_move_in_turn() -> None:
    assert parse(CS188.replace('agents: "2"', 'agents: "1"')).players == 1
    three = parse(
        'start_state: "a"\nnum_agents: "3"\nsuccessors: """\na x b\nb x c\nc x d\nd x e\n"""\nevaluation: """\ne 1\n"""'
    )
    movers, at = [], three.root
    while at.children:
        movers.append(at.mover)
        at = at.children[0]
    assert movers == [MAX, MIN, MIN, MAX]
    expected = parse(CS188.replace("Minimax", "Expectimax"))
    assert [child.mover for child in expected.root.children] == [CHANCE, CHANCE]
    assert analyse(expected.to_game(), algorithm="expectiminimax", compile=False).value == 7.5


EDIT = [
    ('start_state: "max"', "", "the line start_state"),
    ('num_agents: "2"', 'num_agents: "none"', "line 10, column 14: num_agents is a whole number"),
    ("min1 Left A", "min1 Left max", "line 18, column 1: max is already the root"),
    ("min2 Left C", "min2 Left A", "line 20, column 1: A is already below min1"),
    ("max Right min2", "max Left min2", "line 17, column 1: max has two moves Left"),
    ("max Right min2", "max Right", "line 17, column 1: a row has 3 words"),
    ("D 6", "D six", "line 29, column 3: six is not a number"),
    ("D 6", "A 6", "line 29, column 1: A has two evaluations"),
    ("D 6", "", "line 21, column 1: the leaf D has no value"),
    ('depth: "2"', 'depth: "2', "line 4, column 8: a string is not closed"),
    ('depth: "2"', 'depth "2"', "line 4, column 1: neither a comment nor a line like"),
    ('D 6\n"""', "D 6", "line 24, column 13: a block is not closed"),
    ('depth: "2"', 'num_agents: "2"', "line 10, column 1: num_agents is given twice"),
]


@pytest.mark.parametrize(("old", "new", "message"), EDIT)
def test_malformed_cs188_files(old: str, new: str, message: str) -> None:
    assert old in CS188
    with pytest.raises(TreeError) as caught:
        parse(CS188.replace(old, new))
    assert message in str(caught.value)


def test_cycles_in_a_cs188_file() -> None:
    text = 'start_state: "a"\nnum_agents: "2"\nsuccessors: """\na x b\nb x c\nc x b\n"""\nevaluation: """\n"""'
    with pytest.raises(TreeError, match="line 6, column 1: b is already below a; in a tree every node has one place"):
        parse(text)


MALFORMED = [
    ("", 1, 1, "there is no tree here"),
    (" \n\t\n", 1, 1, "there is no tree here"),
    ("# nothing\n", 2, 1, "the text ends before the tree begins"),
    ("[3, [4, 5]", 1, 1, "a [ without its ]"),
    ("[3, 4]]", 1, 7, "] after the end of the tree"),
    ("]", 1, 1, ""),
    ("[3, 4}", 1, 6, "} closes a [; write ]"),
    ("[3,\n 4 5]", 2, 4, "a comma is missing before 5"),
    ("[3,,4]", 1, 4, "a comma where a tree is expected"),
    ("[3,]", 1, 4, "a tree is missing before ]"),
    ("[]", 1, 1, "a node has children"),
    ("[3, [], 4]", 1, 5, "a node has children"),
    ("[1, nan]", 1, 5, "nan is not the utility of a leaf"),
    ("[1, 3x]", 1, 5, "3x is neither a number nor a word"),
    ("[1, 1/0]", 1, 5, "1/0 is not a fraction"),
    ("[1, 1.5/2]", 1, 5, "1.5/2 is not a fraction"),
    ("[1, 1e999]", 1, 5, "1e999 is too large"),
    ("[" + "9" * 5000 + "]", 1, 2, "a number of 5,000 characters"),
    ("[1, \0]", 1, 5, "a NUL byte"),
    ("[1, ?]", 1, 5, "? means nothing here"),
    ("[1, (2, 3]", 1, 5, "a ( without its )"),
    ("[1, (2,, 3)]", 1, 8, "a number is missing"),
    ("[(1, 2), (1, 2, 3)]", 1, 10, "a leaf with 3 numbers, but an earlier leaf has 2"),
    ("[1, (1, 2, 3)]", 1, 5, "a leaf with 3 numbers, but an earlier leaf has 1"),
    ("[x, (1, 2, 3)]", 1, 5, "a leaf with 3 numbers"),
    ("players: 3\n[1, 2]", 2, 2, "a leaf has 1 number, but the tree has 3 players"),
    ("players: 2\n[(1, 2, 3)]", 2, 2, "a leaf has 3 numbers, but the tree has 2 players"),
    ("players: 1\nMIN[1, 2]", 2, 4, "MIN moves here, but the tree has 1 player"),
    ("players: 40\n[1]", 1, 10, "a whole number from 1 to 26 is expected"),
    ("players: 2\nplayers: 2\n[1]", 2, 1, "players is declared twice"),
    ("first: x\n[1]", 1, 8, "'x' is not a player"),
    ("first: C\n[1]", 1, 1, "player 2 cannot be the first of 2"),
    ("range: 2\n[1]", 1, 8, "is not a range of utilities"),
    ("range: 3 .. 2\n[1]", 1, 1, "the least comes first"),
    ("range: 0 .. 2\n[1, 3]", 2, 5, "the utility 3 is outside the declared range, 0 to 2"),
    ("{1/2: 8, 1/3: 24}", 1, 1, "add up to 5/6, not to 1"),
    ("[1, {0.5: 8, 0.49: 24}]", 1, 5, "add up to 0.99, not to 1"),
    ("{2: 8, -1: 24}", 1, 1, "2 is not a probability"),
    ("{1/2: 8, 24}", 1, 10, "every tree has a probability before it"),
    ("{heads: 8}", 1, 2, "heads needs its probability"),
    ("[1/2: 8]", 1, 2, "a chance node has braces"),
    ("MXA[3, 4]", 1, 1, "MXA does not move: write MAX, MIN, CHANCE, or A, B, C"),
    ("MAX{1/2: 3, 1/2: 4}", 1, 4, "braces with probabilities are a chance node"),
    ("[~x]", 1, 2, "a ~ without an estimate"),
    ('["abc]', 1, 2, "a string is not closed"),
    ('["\\q"]', 1, 2, "is not a string as JSON writes it"),
    ('["\\ud800"]', 1, 2, "is not a string as JSON writes it"),
    ('{"utlity": 3}', 1, 2, "a node has no 'utlity'; did you mean 'utility'?"),
    ('{"utility": 3, "utility": 4}', 1, 16, "'utility' is given twice"),
    ('{"name": "end"}', 1, 1, "a leaf without a value"),
    ('{"children": 3}', 1, 14, "a list of children is expected here"),
    ('{"children": [3], "utility": 3}', 1, 30, "a node with children has no 'utility'"),
    ('{"mover": "MOX", "children": [3]}', 1, 11, "MOX does not move"),
    ('{"mover": "CHANCE", "odds": [1], "children": [3, 4]}', 1, 29, "1 odds for 2 children"),
    ('{"odds": [1], "children": [3]}', 1, 10, "odds, but the node is not a chance node"),
    ('{"utility": true}', 1, 13, "a number is expected here"),
    ("MAX\n  MIN\n", 2, 3, "MIN moves here, but nothing further in follows"),
    ("MAX\n  left:\n  3", 2, 3, "a leaf without a value"),
    ("MAX\n  3\n4", 3, 1, "a second root"),
    ("MAX\n    3\n  4", 3, 3, "this line is not indented as its siblings above are"),
    ("MAX\n  MIN\n\t\t\t3", 3, 4, "tabs and spaces do not mix"),
    ("MIX\n  3", 1, 1, "MIX does not move"),
    ("MAX\n  3\n    4", 2, 3, "a leaf with children"),
    ("MAX\n  1/2: 3\n  1/2: 4", 2, 3, "a probability, but the node above is not CHANCE"),
    ("CHANCE\n  1/2: 3\n  4", 1, 1, "1 of the 2 outcomes have a probability; give all, or none"),
    ("playrs: 3\n  3", 1, 1, "no move leads to the root; a text may declare players:"),
    ("MAX a b\n  3", 1, 7, "b is a second name"),
    ("MAX 3\n  3", 1, 5, "3 is not expected here"),
    ("MAX\n  3 ~", 2, 5, "a ~ without an estimate"),
    ("MAX ~3 ~4\n  3", 1, 8, "where nothing more is expected"),
    ("MAX ~(1, 2)\n  3", 1, 1, "an estimate of 2 numbers, but leaves have 1"),
    ("MAX\n  : 3", 2, 3, "a colon without a label"),
    ("MAX\n  a b: 3", 2, 3, "before the colon stand a label, a probability or both"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), MALFORMED, ids=[repr(t[:30]) for t, *_ in MALFORMED])
def test_malformed_trees(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(TreeError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        "[" * DEEP + "1" + "]" * DEEP,
        "{1:" * DEEP + "1" + "}" * DEEP,
        "MAX[" * DEEP,
        '{"children":[' * DEEP + "1" + "]}" * DEEP,
        '{"name":' * DEEP,
        "\n".join(" " * i + "." for i in range(1_500)),
        'start_state: "0"\nnum_agents: "2"\nsuccessors: """\n'
        + "\n".join(f"{i} a {i + 1}" for i in range(DEEP))
        + f'\n"""\nevaluation: """\n{DEEP} 1\n"""',
    ],
    ids=["open", "lists", "braces", "movers", "json", "json fields", "indented", "cs188"],
)
def test_trees_that_are_too_deep(text: str) -> None:
    with pytest.raises(TreeError, match=r"line \d+, column \d+: the tree is more than 200 plies deep"):
        parse(text)


@pytest.mark.parametrize("write", ["nested", "json", "indented"])
def test_the_deepest_tree_that_there_may_be(write: str) -> None:
    text = "[" * 200 + "1" + "]" * 200
    found = parse(text)
    text = {"nested": to_nested(found), "json": to_json(found), "indented": to_indented(found)}[write]
    again = parse(text)
    assert again == found
    assert analyse(again.to_game(), algorithm="minimax", compile=False).value == 1


def test_trees_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.trees.building.MAX_NODES", 10_000)  # a million take long to read
    with pytest.raises(TreeError, match=r"line 1, column 20002: more than 10,000 nodes"):
        parse("[" + "1," * 10_001 + "1]")
    with pytest.raises(TreeError, match="characters; at most 2,000,000 are read"):
        parse(" " * 2_000_001)


@settings(deadline=None, max_examples=300)
@given(st.text() | st.text('[](){}:,~.#"\\\n\t 0123456789/-−eExyzMAXINCHB', max_size=40))
def test_no_text_crashes(text: str) -> None:
    for format in (None, "nested", "json", "indented", "cs188"):
        error = complaint(text, format)
        if error is not None:
            assert 1 <= (error.line or 0) <= text.count("\n") + 1
            assert (error.column or 0) >= 1


def complaint(text: str, format: str | None = None) -> TreeError | None:
    """What the text is told, if it is not a tree: never anything but a TreeError."""
    try:
        parse(text, format)
    except TreeError as error:
        return error
    return None


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_no_edited_file_crashes(data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from([CS188, to_json(parse(CS188)), to_indented(parse(CS188)), "MAX[{1/2: (1,2)}, a: 3]"])
    )
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    error = complaint(text[:start] + data.draw(st.text(max_size=5)) + text[end:])
    assert error is None or error.line is not None


WORDS = st.sampled_from(
    ["", "x", "a1", "MAX", "B", "nan", "two words", "é", 'a "quoted" \\ word', "line\nline", "3", "~", "#"]
)
NUMBERS = st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.fractions(-5, 5, max_denominator=1000)


@st.composite
def written_trees(draw: Any) -> Node:
    """Trees with names, labels, estimates, unknown leaves and fractions wherever there may be any."""
    bare = draw(trees(dice=True, size=15) | trees(players=3, dice=True, size=15))
    length = 3 if any(len(at.utility) == 3 for at in _all(bare)) else 1

    def dressed(at: Node) -> Node:
        numbers = st.tuples(*[NUMBERS] * length)
        at = replace(at, name=draw(WORDS), estimate=draw(st.just(()) | numbers))
        if at.is_leaf:
            letter = draw(WORDS) if length == 1 else ""
            return replace(
                at, unknown=letter, utility=() if letter else draw(st.just(at.estimate or at.utility) | numbers)
            )
        labels = tuple(draw(WORDS) for _ in at.children)
        count = len(at.children)
        odds = at.odds if draw(st.booleans()) or not at.odds else (Fraction(1, count),) * count
        mover = at.mover if at.mover == CHANCE else draw(st.sampled_from([None, at.mover]))
        children = tuple(dressed(child) for child in at.children)
        return replace(at, mover=mover, odds=odds, children=children, labels=labels if any(labels) else ())

    return dressed(bare)


def _all(at: Node) -> list[Node]:
    return [at, *(below for child in at.children for below in _all(child))]


@settings(deadline=None)
@given(written_trees())
def test_what_is_written_is_read_again(tree: Node) -> None:
    for text in (to_json(tree), to_indented(tree), to_nested(tree), to_json(tree, indent=None)):
        assert parse(text).root == tree
    json.loads(to_json(tree))
    whole = replace(
        parse(to_json(tree)), utility_range=(-2e9, math.inf), depth=3, first=1, notes={"title": "A # title"}
    )
    for text in (to_json(whole), to_indented(whole), to_nested(whole)):
        assert parse(text) == whole
        assert parse(text).notes == whole.notes


def test_files(tmp_path: Path) -> None:
    tree = parse("range: 0 .. 4\nMAX[a: x, b: {1/2: 3, 1/2: 4}]")
    for name in ("tree.json", "tree.txt"):
        dump(tree, tmp_path / name)
        assert load(tmp_path / name) == tree
    assert (tmp_path / "tree.json").read_text().startswith("{")
    (tmp_path / "latin").write_bytes(b"[1,\n 2, \xe9]")
    with pytest.raises(TreeError, match="line 2, column 5: latin is not UTF-8 text"):
        load(tmp_path / "latin")
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbf[1]")
    assert load(tmp_path / "marked").root == to_node([1])


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Node(), "a leaf has no utility"),
        (leaf(math.inf), "the numbers of a tree are finite"),
        (leaf(10**200), "numbers go up to"),
        (node(30, 1), "player 30 has no name"),
    ],
)
def test_what_cannot_be_written(tree: Node, message: str) -> None:
    for write in (to_json, to_indented, to_nested):
        with pytest.raises(TreeError, match=message):
            write(tree)


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="there is no format 'yaml' of trees; there are nested, json, indented, cs188"):
        parse("[1]", "yaml")


@pytest.mark.parametrize(
    ("text", "movers"),
    [
        ("[[3, 4], [5, 6]]", [0, 1, 1]),
        ("MIN[[3, 4], [5, 6]]", [1, 0, 0]),  # MIN's children are MAX's
        ("[[MAX[1, 2], 3], 4]", [0, 1, 0]),
        ("[MAX[[1, 2], 3], 4]", [0, 0, 1]),
        ("[{1/2: [3, 4], 1/2: [5, 6]}, 7]", [0, -1, 1, 1]),  # chance moves out of turn
        ("{1/2: [3, [4, 1]], 1/2: [5, 6]}", [-1, 0, 0, 1]),
        ("first: MIN\n[[3, 4], [5, 6]]", [1, 0, 0]),
    ],
)
def test_the_players_take_turns(text: str, movers: list[int]) -> None:
    parsed = parse(text)
    tree = parsed.to_game()
    interior = [n for n in range(len(tree.nodes)) if tree.child_count[n]]
    assert [int(tree.mover[n]) for n in interior] == movers
    explicit = Tree(with_movers(parsed.root, parsed.first, parsed.players))
    assert explicit.mover[interior].tolist() == movers
    if parsed.first == 0:
        drawn = subject_of(parsed.root)
        assert [drawn.movers[n] for n in interior] == movers
