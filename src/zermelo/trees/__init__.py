"""Explicit game trees, as drawn on a blackboard: each is a Game like any other."""

from zermelo.trees.building import ParsedTree
from zermelo.trees.formats import dump, load, parse, to_indented, to_json, to_nested
from zermelo.trees.library import NamedTree, named, names
from zermelo.trees.random import random_tree
from zermelo.trees.source import TreeError
from zermelo.trees.tree import MAX, MIN, Node, Tree, TreeState, chance, filled, leaf, node, to_node, unknown
from zermelo.trees.unroll import unnamed, unroll

__all__ = [
    "MAX",
    "MIN",
    "NamedTree",
    "Node",
    "ParsedTree",
    "Tree",
    "TreeError",
    "TreeState",
    "chance",
    "dump",
    "filled",
    "leaf",
    "load",
    "named",
    "names",
    "node",
    "parse",
    "random_tree",
    "to_indented",
    "to_json",
    "to_nested",
    "to_node",
    "unknown",
    "unnamed",
    "unroll",
]
