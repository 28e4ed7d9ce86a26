"""Games in PGN (chess) and PDN (checkers): from their records to plays, and back."""

from __future__ import annotations

from typing import Any

from zermelo.game.errors import IllegalAction, NotationError
from zermelo.game.protocol import Game
from zermelo.games import portable
from zermelo.games.checkers import Checkers, pdn
from zermelo.games.chess import pgn
from zermelo.games.chess.openings import opening_of
from zermelo.games.chess.rules import Chess
from zermelo.play.play import Play
from zermelo.play.position import Position
from zermelo.play.record import Record

BEGINNER = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}
"""The utility of a result to the player who begins."""


def from_pgn(game: pgn.Record) -> Record:
    """A game of chess."""
    parameters: dict[str, Any] = {} if game.game.chess960 is None else {"chess960": game.game.chess960}
    try:
        play = _play_of(game, Chess(**parameters))
    except IllegalAction:  # the players went on after a draw that nobody claimed
        parameters["draws"] = "never"
        play = _play_of(game, Chess(**parameters))
    return Record.of(play, "chess", parameters=parameters, **_result_of(game, play))


def from_pdn(game: pdn.Record) -> Record:
    """A game of checkers."""
    parameters: dict[str, Any] = {}
    try:
        play = _play_of(game, Checkers())
    except IllegalAction:  # the players went on after a draw that nobody claimed
        parameters = {"repetitions": 0, "moves": 0}
        play = _play_of(game, Checkers(**parameters))
    return Record.of(play, "checkers", parameters=parameters, **_result_of(game, play))


def _result_of(game: portable.Record, play: Play) -> dict[str, Any]:
    """How a game ended, if not by its rules."""
    if game.result == "*" or play.is_over:
        return {}
    first = BEGINNER[game.result]
    on_time = "time" in game.tags.get("Termination", "").casefold()
    return {
        "ended": "time" if on_time else "resignation" if first else "agreement",
        "utilities": (first, -first),
        "charged": {1.0: 1, -1.0: 0}.get(first),
    }


def _play_of(game: portable.Record, rules: Game) -> Play:
    play = Play(rules, start=game.tags.get("FEN"))
    play.root.comment = game.comment
    play.tags = {name: value for name, value in game.tags.items() if name not in ("FEN", "SetUp", "Result")}
    lines = [(play.root, game.moves)]
    for at, moves in lines:  # grows meanwhile; the main line comes first
        for move in moves:
            if move.action == pgn.NULL:  # only annotations pass: the rest of the variation cannot be played
                if at.before is None or moves is game.moves:
                    raise NotationError("the game has a null move (Z0), which cannot be played")
                break
            lines += [(at, variation) for variation in move.variations]
            play.go_to(at)
            at = play.move(move.action)
            at.comment, at.glyphs = move.comment or at.comment, move.glyphs or at.glyphs
    play.go_to(play.main_line[-1])
    return play


def to_pgn(record: Record, play: Play) -> str:
    """A game of chess as PGN."""
    game = play.game
    assert isinstance(game, Chess)
    tags = _tags(record, play, ("White", "Black"))
    if play.start is not None or game.chess960 is not None:
        tags["FEN"] = game.fen(play.root.state)
    if game.chess960 is not None:
        tags["Variant"] = "Chess960"
    else:
        opening = opening_of([position.state for position in play.main_line])
        if opening is not None and not {"ECO", "Opening"} & set(tags):
            tags["ECO"], tags["Opening"] = opening.eco, opening.name
    return pgn.write(pgn.Record(tags, play.root.comment, _moves(play.root), _result(record)))


def to_pdn(record: Record, play: Play) -> str:
    """A game of checkers as PDN."""
    game = play.game
    assert isinstance(game, Checkers)
    tags = _tags(record, play, ("Black", "White"))
    if play.start is not None:
        tags["FEN"] = game.fen(play.root.state)
    return pdn.write(pdn.Record(tags, play.root.comment, _moves(play.root), _result(record)))


def _tags(record: Record, play: Play, colours: tuple[str, str]) -> dict[str, str]:
    """The tags of a play, and the players' names, the one who begins first."""
    tags = {**dict.fromkeys(colours, "?"), **play.tags}
    for colour, words in zip(colours, record.players, strict=False):
        if tags[colour] == "?":
            tags[colour] = words
    if record.ended == "time":
        tags["Termination"] = "time forfeit"
    return tags


def _moves(position: Position) -> list[portable.Move]:
    """What follows a position: its main line with the variations."""
    moves = []
    while position.after:
        first, *others = position.after
        variations = [[_move(each), *_moves(each)] for each in others]
        moves.append(_move(first, variations))
        position = first
    return moves


def _move(position: Position, variations: list[list[portable.Move]] | None = None) -> portable.Move:
    return portable.Move(position.action, position.comment.replace("}", ")"), position.glyphs, variations or [])


def _result(record: Record) -> str:
    if record.ended == "agreement":
        return "1/2-1/2"
    if record.utilities is None:
        return "*" if record.charged is None else ("0-1", "1-0")[record.charged]
    return "1/2-1/2" if record.utilities[0] == 0 else "1-0" if record.utilities[0] > 0 else "0-1"
