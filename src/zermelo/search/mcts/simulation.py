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
    COUNT,
    DEEPEST,
    END,
    FIRST,
    GOAL,
    LEAF,
    NODES,
    OBSERVING,
    PLIES,
    ROLLOUT_PLIES,
    SIMULATIONS,
    TRIED,
    VISITS,
    Tree,
    check_moves,
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
    tree.played.count[0] = 0
    while not tree.proves or tree.low[node] != tree.high[node]:
        if tree.node[node, COUNT] == END:
            break
        if tree.node[node, COUNT] == LEAF:
            if game.is_terminal(s):
                tree.mark_end(game, s, node)
                break
            if (tree.node[node, VISITS] == 0 and depth > 0) or not tree.expand(game, s, node):
                break
        if tree.linked and tree.mover[node] == CHANCE:
            s = game.draw(s, random)
            child = tree.child_with(node, game.key(s))
        else:
            if game.chance and tree.mover[node] == CHANCE:
                child = tree.draw_outcome(node, random)
            elif tree.has_prior or tree.has_later:
                child = tree.choose_guided(game, node)
            elif tree.node[node, TRIED] < tree.node[node, COUNT]:
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
    if tree.has_later:
        tree.credit_later_moves(depth)
    if is_proven:
        tree.settle(game, depth)


def roll_out(game: Any, s: Any, tree: Tree, random: Any) -> None:
    """Play to the end of the game, or as far as the limit says, and note what it is worth to each player.

    The game plays itself if it has a `playout`, or its `rollout` chooses the moves; otherwise each move is any legal
    one, each equally likely.
    """
    if not tree.has_playout:
        s, is_over = play_on(game, s, tree, random)
    else:
        if not game.is_terminal(s):
            s = game.playout(s, random, tree.played)
        is_over = game.is_terminal(s)
    tree.note(0, game.utility(s, 0) if is_over else game.evaluate(s, 0))
    if tree.is_constant_sum and tree.scale[OBSERVING] == 0.0:
        for p in range(1, game.players):
            tree.worth[p] = tree.worth[0] if game.side(p) == game.side(0) else 1.0 - tree.worth[0]
    else:
        for p in range(1, game.players):
            tree.note(p, game.utility(s, p) if is_over else game.evaluate(s, p))


def play_on(game: Any, s: Any, tree: Tree, random: Any) -> tuple[Any, bool]:
    """The state after a rollout, move by move, and whether the game is over there."""
    plies = number_of(0)
    is_over = False
    while plies < tree.limits[ROLLOUT_PLIES]:
        if not tree.ends_without_moves and game.is_terminal(s):
            is_over = True
            break
        if game.chance and game.to_move(s) == CHANCE:
            s = game.draw(s, random)
        else:
            if tree.has_rollout:
                a = game.rollout(s, random)
            else:
                count = number_of(game.count_actions(s) if tree.has_nth else game.list_actions(s, tree.room))
                if count == 0 and tree.ends_without_moves:
                    is_over = True
                    break
                check_moves(count, tree.room)
                a = game.nth_action(s, random.pick(count)) if tree.has_nth else tree.room[random.pick(count)]
            tree.played.note(game.to_move(s), a)
            s = game.result(s, a)
        remember(game, s)
        plies += 1
    if not is_over:
        is_over = game.is_terminal(s)
    for _ in range(plies):
        forget(game)
    tree.counts[PLIES] += plies
    return s, is_over


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
        new.action[i], new.node[i, VISITS], new.value[i] = old.action[each], old.node[each, VISITS], old.value[each]
        new.mover[i], new.node[i, COUNT], new.node[i, TRIED] = (
            old.mover[each],
            old.node[each, COUNT],
            old.node[each, TRIED],
        )
        new.node[i, FIRST] = size
        if game.chance:
            new.probability[i] = old.probability[each]
        if new.has_prior:
            new.prior[i] = old.prior[each]
        if new.has_later:
            new.later[i], new.later_value[i] = old.later[each], old.later_value[each]
        if new.proves:
            new.low[i], new.high[i] = old.low[each], old.high[each]
        for child in range(max(old.node[each, COUNT], 0)):
            source[size] = old.node[each, FIRST] + child
            size += 1
    new.counts[NODES] = size
    new.counts[SIMULATIONS] = new.node[0, VISITS]
    if new.node[0, COUNT] > 0:
        for child in range(new.node[0, TRIED]):  # results lie between 0 and 1: their squares sum up to at most this
            new.squares[child] = new.value[new.node[0, FIRST] + child]
    return size


GROW, OBSERVE_RANGE, TRANSPLANT = Routine(grow), Routine(observe_range), Routine(transplant)
