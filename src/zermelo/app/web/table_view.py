"""What the page shows of a game, as plain data. A viewer never gets what it may not see."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from zermelo.app.web.shown_moves import shown_moves
from zermelo.app.web.titles import RULES, title_of
from zermelo.game.board import Composition
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import reads_positions, value_text
from zermelo.pictures import squares_of
from zermelo.pictures.svg import render
from zermelo.play.position import Position
from zermelo.play.seats import seat_of, seats_of

if TYPE_CHECKING:
    from zermelo.app.web.table import GameTable

SETTABLE = (bool, int, float, str, tuple, type(None))
"""The types of parameters that a page can ask for."""
NEWS_STAY = 3
"""The number of moves for which news are shown."""
HIDDEN = "…"
"""A move that the viewer may not know."""


def view_of(table: GameTable) -> dict[str, Any]:
    """All that the page needs to show the game."""
    game, line, viewer = table.game, table.visible_line, table.viewer
    shown = sum(position.ply <= table.shown for position in line) - 1
    here = line[shown]
    s, rules = here.state, table.play.rules_at(here)
    ending = table.endings.get(here)
    is_over = ending is not None or rules.is_terminal(s)
    mover = None if is_over else game.to_move(s)
    legal = [] if mover is None or mover == CHANCE or viewer not in (None, mover) else rules.legal(s)
    title = title_of(table.what)
    movers = [game.to_move(position.before.state) for position in line[1:] if position.before is not None]
    known = [viewer in (None, p) for p in movers]
    board = table.play.board(viewer, here)
    composition = game.composition(s, table.begun(here)) if legal and game.offers("composition") else None
    board = composition.board if composition else board
    flipped = board.facing and table.people == [1] if table.flipped is None else table.flipped
    return {
        "kind": "view",
        "id": table.id,
        "game": table.what,
        "settings": list(table.settings),
        "title": title,
        "svg": render(board, title, table.begun(here) or _last_squares(table, here), flipped),
        "moves": [table.play.name_of(at) if seen else HIDDEN for at, seen in zip(line[1:], known, strict=True)],
        "called": [_called(table, at) if seen else HIDDEN for at, seen in zip(line[1:], known, strict=True)],
        "movers": [None if p == CHANCE else seat_of(game, p) for p in movers],
        "chance": game.player_name(CHANCE),
        "shown": shown,
        "start": table.play.start,
        "seed": table.play.seed if game.traits.chance and viewer is None else None,  # it reveals hidden cards
        "flipped": flipped,
        "flippable": bool(board.squares) and board.style != "holes",  # discs do not fall upwards
        "seats": table.seats,
        "seat_names": table.seat_names,
        "standings": [_standing(game, s, players, viewer) for players in seats_of(game)],
        "seat": None if mover is None or mover == CHANCE else seat_of(game, mover),
        "mover": None if mover is None else game.player_name(mover),
        "viewer": None if viewer is None else game.player_name(viewer),
        "legal": shown_moves(game, s, legal),
        "composition": _composition(table, here, composition) if composition else None,
        "outcomes": _outcomes(table, here),
        "by_hand": table.by_hand,
        "over": is_over,
        "result": _result(table, here) if is_over else None,
        "news": None if viewer is not None or is_over else _latest_news(table, here),
        "resignations": [] if is_over else [{"name": name, "points": points} for name, points in game.resignations(s)],
        "goes_on": is_over and table.at_end and table.next_start() is not None,
        "fen": game.to_text(s) if viewer is None else None,  # it shows the whole state
        "clock": None if table.clock is None else table.clock.view(),
        "offer": table.offer,
        "tags": table.play.tags,
        "can_restore": bool(table.deleted),
        **_tree(table, viewer),
    }


def _result(table: GameTable, position: Position) -> str:
    """How the game ended."""
    ending = table.endings.get(position)
    if ending is not None:
        after = table.after_resignation(position)
        return ending.words(table.seat_names, "" if after is None else after[1])
    return table.play.result(position)


def _latest_news(table: GameTable, position: Position) -> str:
    """The news of the last few moves: those of a computer are quick, and the news should stay a while."""
    at: Position | None = position
    moves = 0
    while at is not None and at.before is not None and moves < NEWS_STAY:
        found = table.play.news(at)
        if found:
            return found
        moves += table.game.to_move(at.before.state) != CHANCE
        at = at.before
    return ""


def _composition(table: GameTable, position: Position, found: Composition) -> dict[str, Any]:
    """A move in progress: the squares of the steps so far, the next ones, and its name if it is complete."""
    name = None if found.action is None else table.game.action_name(position.state, found.action)
    return {"path": list(table.begun(position)), "steps": [list(step) for step in found.steps], "name": name}


def _outcomes(table: GameTable, position: Position) -> list[str]:
    """What chance can bring in the latest position, if the user enters it."""
    is_waiting = table.waits_for_dice and position is table.play.here and table.play.mover == CHANCE
    if not is_waiting or table.is_over:
        return []
    return [table.game.action_name(position.state, outcome) for outcome, _ in table.game.outcomes(position.state)]


def _standing(game: Game, s: Any, players: list[int], viewer: int | None) -> str | None:
    """What is shown at a seat, such as captured pieces or the score."""
    if viewer is not None or not game.offers("standing"):
        return None
    return game.standing(s, players[0])


def _tree(table: GameTable, viewer: int | None) -> dict[str, Any]:
    """The move tree, the line that is shown, and the whole game, which the page keeps.

    Positions are in the order of saved games. Each has a number that it keeps, the place of the position before it,
    its move, and what is written about it.
    """
    positions = [position for position in table.play.positions() if table.is_visible(position)]
    place = {position: i for i, position in enumerate(positions)}
    tree = []
    for at in positions:
        mover = None if at.before is None else table.game.to_move(at.before.state)
        node: dict[str, Any] = {"number": table.number_of(at)}
        if at.before is not None:
            node |= {
                "before": place[_visible_before(table, at)],
                "called": _called(table, at) if viewer in (None, mover) else HIDDEN,
                "mover": None if mover == CHANCE or mover is None else seat_of(table.game, mover),
            }
            news = table.play.news(at) if viewer is None else ""
            if news:
                node["news"] = news
        if at.comment and viewer is None:
            node["comment"] = at.comment
        if at.glyphs and viewer is None:
            node["glyphs"] = list(at.glyphs)
        tree.append(node)
    found: dict[str, Any] = {"tree": tree, "line": [table.number_of(at) for at in table.visible_line], "whole": None}
    if viewer is None:  # otherwise it would reveal what is hidden
        record = table.record(analysed=False).to_json()
        found["whole"] = {"record": record, "at": place[table.line[table.shown]]}
    return found


def _visible_before(table: GameTable, position: Position) -> Position:
    """The last position before this one that the viewer can tell apart from it."""
    at = position.before
    while at is not None and not table.is_visible(at):
        at = at.before
    assert at is not None  # the first position is visible
    return at


def about(table: GameTable) -> dict[str, Any]:
    """Facts about the game that do not change during play."""
    kept, given = table.game, inspect.signature(type(table.game)).parameters.values()
    return {
        "rules": RULES.get(table.what),
        "traits": str(table.game.traits),
        "reads_positions": reads_positions(table.game),
        "parameters": [
            {"name": each.name, "value": value_text(getattr(kept, each.name)), "usual": value_text(each.default)}
            for each in given
            if isinstance(getattr(kept, each.name, object()), SETTABLE) and isinstance(each.default, SETTABLE)
        ],
    }


def _called(table: GameTable, position: Position) -> str | None:
    """What people call the move that led to a position; saved games write outcomes of chance as they print."""
    assert position.before is not None
    s = position.before.state
    if table.game.to_move(s) != CHANCE:
        return table.play.name_of(position)
    return None if position.action is None else table.game.action_name(s, position.action)


def _last_squares(table: GameTable, position: Position) -> tuple[str, ...]:
    """The squares of the move that led to a position, if the viewer may see it.

    After a roll of dice, and after "roll" itself, they are those of the opponent's move before it.
    """
    at: Position | None = position
    game = table.game
    while at is not None and at.before is not None:
        s = at.before.state
        mover = game.to_move(s)
        if at is not position and table.play.news(at):
            return ()  # it was the last move of another game, on another board
        if mover == CHANCE and game.offers("composition"):
            at = at.before
            continue
        if mover == CHANCE or table.viewer not in (None, mover):
            return ()
        squares = squares_of(game, s, at.action)
        if squares or not game.offers("composition") or position.ply - at.ply > 2:
            return squares
        at = at.before
    return ()
