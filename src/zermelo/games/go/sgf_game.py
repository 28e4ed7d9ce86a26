"""Games of Go in SGF: from nodes to positions and moves, and from a game to nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import GameError, IllegalAction, NotationError
from zermelo.games.go.rules import BLACK, WHITE, Go
from zermelo.games.go.scoring import territory
from zermelo.games.go.sgf import Node, value_of
from zermelo.games.go.state import GoState
from zermelo.kernel.words import contains

RULES = {
    "tromp-taylor": "tromp_taylor",
    "chinese": "chinese",
    "aga": "aga",
    "nz": "new_zealand",
    "simple ko": "simple_ko",
}
"""The names of rule sets in the property RU; other rules are read as those of Tromp and Taylor."""
LETTERS = "abcdefghijklmnopqrs"


@dataclass(frozen=True)
class Replay:
    """The main line of a game tree.

    game     with the size, komi and rules of the root
    states   the states in order: that of the root, then one for each move
    moves    the moves between the states; None for a change of stones, or of the player to move, by the editor
    """

    game: Go
    states: tuple[GoState, ...]
    moves: tuple[int | None, ...]


def replay(root: Node, **parameters: Any) -> Replay:
    """The positions of the main line, each move checked by the rules; NotationError names the node that is wrong.

    parameters   of the game, in place of those that the root tells: `komi=7.5`, `rules="chinese"`
    """
    nodes = list(root.main_line())
    game = game_of(root, **{"limit": 2 * len(nodes) + 1000, **parameters})
    states = [_set_up(game, root, game.position((), (), BLACK))]
    moves: list[int | None] = []
    for number, node in enumerate(nodes):
        for name, values in node.properties.items():
            if name in ("B", "W"):
                mover = BLACK if name == "B" else WHITE
                if states[-1].mover != mover:
                    _add(states, moves, game.with_mover(states[-1], mover))
                states.append(_played(game, states, node, name, values))
                moves.append(move_of(game, node, name, values))
            elif name in ("AB", "AW", "AE", "PL") and number > 0:
                changed = _set_up(game, node, states[-1])
                if changed != states[-1]:
                    _add(states, moves, changed)
    return Replay(game, tuple(states), tuple(moves))


def _add(states: list[GoState], moves: list[int | None], changed: GoState) -> None:
    """An editor's change. Before the first move it changes the position at the start."""
    if not moves:
        states[-1] = changed
    else:
        states.append(changed)
        moves.append(None)


def game_of(root: Node, **parameters: Any) -> Go:
    """The game with the size, komi and rules of a root; `parameters` come first."""
    if (root.text("GM") or "1").strip() != "1":
        raise _error(root, f"GM[{root.text('GM')}] is not Go, which is GM[1]")
    found: dict[str, Any] = {"size": 19, "komi": 0.0}
    size = (root.text("SZ") or "19").strip()
    if not re.fullmatch("[0-9]{1,2}", size, re.ASCII):
        raise _error(root, f"SZ[{size}] is not the size of a square board from 2 to 19")
    found["size"] = int(size)
    komi = (root.text("KM") or "0").strip()
    try:
        found["komi"] = float(komi)
    except ValueError:
        raise _error(root, f"KM[{komi}] is not a number") from None
    found["rules"] = RULES.get((root.text("RU") or "").strip().casefold(), "tromp_taylor")
    try:
        return Go(**{**found, **parameters})
    except GameError as error:
        raise _error(root, str(error)) from None


def _played(game: Go, states: list[GoState], node: Node, name: str, values: list[str]) -> GoState:
    a = move_of(game, node, name, values)
    s = states[-1]
    if a != game.points:
        reason = game.remembering(states).why_illegal(s, a)
        if reason is not None:
            raise _error(node, f"{name}[{values[0]}] is not a legal move: {reason}")
    return game.result(s, a)


def move_of(game: Go, node: Node, name: str, values: list[str]) -> int:
    """A point, or a pass: no letters, or tt on boards up to 19 × 19."""
    value = values[0].strip()
    return game.points if value in ("", "tt") else _point(game, node, name, value)


def _set_up(game: Go, node: Node, s: GoState) -> GoState:
    """The state after the stones that a node adds and removes, and with the player that it names to move."""
    black, white = game.colours(s)
    stones = {
        p: colour for colour, words in enumerate((black, white)) for p in range(game.points) if contains(words, p)
    }
    before = dict(stones)
    for name, colour in (("AB", BLACK), ("AW", WHITE), ("AE", None)):
        for p in _points(game, node, name):
            stones.pop(p, None)
            if colour is not None:
                stones[p] = colour
    turn = (node.text("PL") or "").strip().upper()[:1]
    mover = {"B": BLACK, "W": WHITE}.get(turn, s.mover)
    if stones == before:
        return game.with_mover(s, mover)
    by_colour = [[p for p, colour in stones.items() if colour == c] for c in (BLACK, WHITE)]
    return game.position(by_colour[BLACK], by_colour[WHITE], mover)._replace(moves=s.moves)


def _points(game: Go, node: Node, name: str) -> list[int]:
    """The points of a list; aa:cc stands for all points of a rectangle."""
    found = []
    for value in node.properties.get(name, ()):
        first, _, last = value.strip().partition(":")
        corners = [divmod(_point(game, node, name, corner.strip()), game.stride) for corner in (first, last or first)]
        (r, c), (i, j) = corners
        found += [
            game.number(row, column)
            for row in range(min(r, i), max(r, i) + 1)
            for column in range(min(c, j), max(c, j) + 1)
        ]
    return found


def _point(game: Go, node: Node, name: str, value: str) -> int:
    """aa is the upper left corner: the column, then the row from the top."""
    if len(value) == 2 and all(letter in LETTERS[: game.size] for letter in value):
        return game.number(game.size - 1 - LETTERS.index(value[1]), LETTERS.index(value[0]))
    last = LETTERS[game.size - 1] * 2
    raise _error(node, f"{name}[{value}] is not a point of this board, which are aa to {last}")


def _error(node: Node, message: str) -> NotationError:
    where = f"line {node.line}, column {node.column}: " if node.line else ""
    return NotationError(where + message)


# Writing.


def point_value(game: Go, p: int) -> str:
    """A point, or a pass, as a value."""
    if p == game.points:
        return ""
    row, column = divmod(p, game.stride)
    return LETTERS[column] + LETTERS[game.size - 1 - row]


def tree_of(game: Go, moves: Iterable[int | str], start: GoState | None = None, **information: str) -> Node:
    """The game tree of one line of play, each move checked.

    start         the position at the beginning, by default that of the game
    information   properties of the root as plain text, such as PB="Ada" and PW="Alan"
    """
    s = game.initial() if start is None else game.checked(start)
    names = {rules: name for name, rules in RULES.items()}
    root = Node({"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "SZ": [str(game.size)], "KM": [f"{game.komi:g}"]})
    root.properties["RU"] = [{"tromp-taylor": "Tromp-Taylor", "nz": "NZ", "aga": "AGA"}.get(n := names[game.rules], n)]
    if game.handicap:
        root.properties["HA"] = [str(game.handicap)]
    for name, words in zip(("AB", "AW"), game.colours(s), strict=True):
        stones = [point_value(game, p) for p in range(game.points) if contains(words, p)]
        if stones:
            root.properties[name] = stones
    if s.mover == WHITE:
        root.properties["PL"] = ["W"]
    root.properties.update({name: [value_of(text)] for name, text in information.items()})
    states, node = [s], root
    for move in moves:
        rules = game.remembering(states)
        a = rules.action_named(s, move) if isinstance(move, str) else move
        if a not in rules.legal(s):
            raise IllegalAction(f"{move!r} is not a legal move of {game.title} here")
        child = Node({"BW"[s.mover]: [point_value(game, a)]})
        node.children.append(child)
        node, s = child, game.result(s, a)
        states.append(s)
    if game.is_terminal(s) and "RE" not in root.properties:
        root.properties["RE"] = [territory(game, s).result]
    return root
