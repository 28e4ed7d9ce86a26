"""Explicit game trees, as drawn on a blackboard: each is a Game like any other."""

from zermelo.trees.tree import Node, Tree, TreeState, chance, leaf, node

__all__ = ["Node", "Tree", "TreeState", "chance", "leaf", "node"]
