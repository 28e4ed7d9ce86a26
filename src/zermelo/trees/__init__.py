"""Explicit game trees, as drawn on a blackboard: each is a Game like any other."""

from zermelo.trees.tree import MAX, MIN, Node, Tree, TreeState, chance, filled, leaf, node, to_node, unknown

__all__ = ["MAX", "MIN", "Node", "Tree", "TreeState", "chance", "filled", "leaf", "node", "to_node", "unknown"]
