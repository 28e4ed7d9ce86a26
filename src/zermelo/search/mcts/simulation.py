"""Simulations: selection, expansion, rollout and backup, until a limit is reached (Kocsis and Szepesvári 2006)."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.kernel.calls import read_flag
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.routine import Routine
from zermelo.search.mcts.tree import (
    CAPACITY,
    DEEPEST,
    END,
    GOAL,
    LEAF,
    NODES,
    PLIES,
    ROLLOUT_PLIES,
    SIMULATIONS,
    Tree,
    list_moves,
)

OBSERVED_ROLLOUTS = 200


def grow(game: Any, root: Any, tree: Tree, random: Any, stop: Any) -> int:
    """Make simulations from the root until there are as many as the limit says, or it is stopped or proven.

    Call it again to continue. Returns the number of simulations in the tree.
    """
    while tree.counts[SIMULATIONS] < tree.limits[GOAL] and read_flag(stop, 0) == 0:
        if tree.proves and tree.low[0] == tree.high[0]:
            break
        simulate(game, root, tree, random)
    return number_of(tree.counts[SIMULATIONS])


def simulate(game: Any, s: Any, tree: Tree, random: Any) -> None:
    """One simulation."""
    node, depth = number_of(0), number_of(0)
    tree.path[0] = 0
    while not tree.proves or tree.low[node] != tree.high[node]:
        if tree.count[node] == END:
            break
        if tree.count[node] == LEAF:
            if game.is_terminal(s):
                tree.mark_end(game, s, node)
                break
            if (tree.visits[node] == 0 and depth > 0) or not tree.expand(game, s, node):
                break
        if tree.linked and tree.mover[node] == CHANCE:
            s = game.draw(s, random)
            child = tree.child_with(node, game.key(s))
        else:
            if game.chance and tree.mover[node] == CHANCE:
                child = tree.draw_outcome(node, random)
            elif tree.tried[node] < tree.count[node]:
                child = tree.try_another(node, random)
            else:
                child = tree.choose(game, node)
            s = game.result(s, tree.action[child])
        remember(game, s)
        depth += 1
        if child == 0 or depth + 1 >= len(tree.path):  # memory is full, or the path is too long
            depth -= 1
            forget(game)
            break
        node = child
        tree.path[depth] = node
    is_proven = tree.proves and tree.low[node] == tree.high[node]
    if is_proven:
        for p in range(game.players):
            tree.worth[p] = tree.scaled(tree.low[node], game.side(p) == game.side(0))
    else:
        roll_out(game, s, tree, random)
    for _ in range(depth):
        forget(game)
    tree.counts[DEEPEST] = max(tree.counts[DEEPEST], depth)
    tree.back_up(depth)
    if is_proven:
        tree.settle(game, depth)


def roll_out(game: Any, s: Any, tree: Tree, random: Any) -> None:
    """Play random moves to the end of the game, or as far as the limit says, and note what it is worth to each."""
    plies = number_of(0)
    over = game.is_terminal(s)
    while not over and plies < tree.limits[ROLLOUT_PLIES]:
        if game.chance and game.to_move(s) == CHANCE:
            s = game.draw(s, random)
        else:
            s = game.result(s, tree.room[random.below(list_moves(game, s, tree.room))])
        remember(game, s)
        plies += 1
        over = game.is_terminal(s)
    for p in range(game.players):
        tree.note(p, game.utility(s, p) if over else game.evaluate(s, p))
    for _ in range(plies):
        forget(game)
    tree.counts[PLIES] += plies


def observe_range(game: Any, root: Any, tree: Tree, random: Any, stop: Any) -> int:
    """Find the range of utilities by rollouts, for games that do not declare one; returns how many were made."""
    for number in range(OBSERVED_ROLLOUTS):
        if read_flag(stop, 0) != 0:
            return number
        roll_out(game, root, tree, random)
    return OBSERVED_ROLLOUTS


def transplant(game: Any, root: Any, old: Tree, new: Tree, source: Any, node: int) -> int:
    """Copy the part of a tree below a node into an empty tree, as its root; returns the number of nodes.

    source   room for the number of the old node that each new node comes from
    """
    source[0] = node
    size = number_of(1)
    for i in range(new.limits[CAPACITY]):
        if i == size:
            break
        each = source[i]
        new.action[i], new.visits[i], new.value[i] = old.action[each], old.visits[each], old.value[each]
        new.mover[i], new.count[i], new.tried[i] = old.mover[each], old.count[each], old.tried[each]
        new.first[i] = size
        if game.chance:
            new.probability[i] = old.probability[each]
        if new.proves:
            new.low[i], new.high[i] = old.low[each], old.high[each]
        for child in range(max(old.count[each], 0)):
            source[size] = old.first[each] + child
            size += 1
    new.counts[NODES] = size
    new.counts[SIMULATIONS] = new.visits[0]
    if new.count[0] > 0:
        for child in range(new.tried[0]):  # results lie between 0 and 1: their squares sum up to at most this
            new.squares[child] = new.value[new.first[0] + child]
    return size


GROW, OBSERVE_RANGE, TRANSPLANT = Routine(grow), Routine(observe_range), Routine(transplant)
