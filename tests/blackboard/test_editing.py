"""Drawing a tree: whatever is changed, the tree is in order, and can be written and read again."""

from __future__ import annotations

import random

import pytest

from zermelo.blackboard.editing import CHANGES, MOST_NODES, edited
from zermelo.game.errors import IllegalAction, ZermeloError
from zermelo.trees import TreeError, named, names, parse, to_nested


@pytest.mark.parametrize(
    ("before", "change", "node", "text", "after"),
    [
        ("[3, 4]", "add", 0, "", "[3, 4, 0]"),
        ("[3, 4]", "add", 1, "", "[[3, 0], 4]"),
        ("[(1, 2, 3), (4, 5, 6)]", "add", 0, "", "[(1, 2, 3), (4, 5, 6), (0, 0, 0)]"),
        ("{1/2: 1, 1/2: 2}", "add", 0, "", "{1/3: 1, 1/3: 2, 1/3: 0}"),
        ("{1/2: 1, 1/4: 2, 1/4: 3}", "delete", 2, "", "{2/3: 1, 1/3: 3}"),
        ("{1: 1, 0: 2}", "delete", 1, "", "{1: 2}"),
        ("[a: 3, b: 4, c: 5]", "delete", 2, "", "[a: 3, c: 5]"),
        ("[[3], 4]", "delete", 3, "", "[0, 4]"),
        ("[3, 4]", "value", 2, "-1/2", "[3, -1/2]"),
        ("[x, 4]", "value", 2, "?", "[x, y]"),
        ("[x, 4]", "value", 1, "7", "[7, 4]"),
        ("[3, 4]", "mover", 0, "MIN", "MIN[3, 4]"),
        ("MIN[3, 4]", "mover", 0, "", "[3, 4]"),
        ("[3, 4, 5]", "mover", 0, "CHANCE", "{1/3: 3, 1/3: 4, 1/3: 5}"),
        ("{1/2: 3, 1/2: 4}", "mover", 0, "MAX", "MAX[3, 4]"),
        ("{1/2: 3, 1/2: 4}", "odds", 0, "0.25, 0.75", "{0.25: 3, 0.75: 4}"),
        ("[3, 4]", "label", 2, "b", "[3, b: 4]"),
        ("[a: 3, 4]", "label", 1, "", "[3, 4]"),
        ("[3, 4]", "name", 0, "A", '{"name": "A", "children": [3, 4]}'),
        ("{a 1/4: 3, b 3/4: [1, 2]}", "left", 2, "", "{b 3/4: [1, 2], a 1/4: 3}"),
    ],
)
def test_changes(before: str, change: str, node: int, text: str, after: str) -> None:
    made = edited(parse(before), change, node, text)
    assert to_nested(made).strip() == after
    assert parse(to_nested(made)) == made


@pytest.mark.parametrize(
    ("before", "change", "node", "text", "why"),
    [
        ("[3, 4]", "delete", 0, "", "the root cannot be deleted"),
        ("[3, 4]", "add", 9, "", "there is no node 9"),
        ("[3, 4]", "value", 1, "[1, 2]", "one value is expected"),
        ("[3, 4]", "value", 0, "x", "an estimate is a number"),
        ("[3, 4]", "value", 1, "", "line 1, column 1"),
        ("[3, 4]", "mover", 1, "MIN", "a leaf has no mover"),
        ("[3, 4]", "mover", 0, "C", "does not move here"),
        ("[3, 4]", "odds", 0, "1/2, 1/2", "only a chance node"),
        ("{1/2: 3, 1/2: 4}", "odds", 0, "1/2", "2 probabilities are expected"),
        ("{1/2: 3, 1/2: 4}", "odds", 0, "1/2, 1/4", "add up to 3/4, not to 1"),
        ("[3, 4]", "label", 0, "a", "no move leads to the root"),
        ("[3, 4]", "left", 1, "", "no place to the left"),
        ("[3, 4]", "paint", 1, "", "there is no change 'paint'; there are add, delete"),
    ],
)
def test_what_cannot_be_changed_is_said(before: str, change: str, node: int, text: str, why: str) -> None:
    with pytest.raises((ValueError, ZermeloError), match=why):
        edited(parse(before), change, node, text)


def test_a_drawing_is_bounded() -> None:
    wide = parse("[" + ", ".join(["0"] * (MOST_NODES - 1)) + "]")
    with pytest.raises(ValueError, match="at most 200"):
        edited(wide, "add", 0)


def test_random_drawings_stay_in_order() -> None:
    """A thousand changes at random: what was accepted is a tree that is written and read again as the same."""
    chance = random.Random(5)
    words = ["", "?", "3", "1/2, 1/2", "MAX", "MIN", "CHANCE", "a b", "1/4, 3/4"]
    accepted = 0
    tree = parse("[0, 0]")
    for _ in range(1000):
        change, node, text = chance.choice(list(CHANGES)), chance.randrange(12), chance.choice(words)
        try:
            tree = edited(tree, change, node, text)
        except (ValueError, TreeError, IllegalAction):
            continue
        accepted += 1
        assert parse(to_nested(tree)) == tree
    assert accepted > 200


@pytest.mark.parametrize("name", names())
def test_named_trees_as_nested_lists(name: str) -> None:
    tree = named(name).tree
    assert parse(to_nested(tree)) == tree
    assert to_nested(tree).count("\n") <= 3
