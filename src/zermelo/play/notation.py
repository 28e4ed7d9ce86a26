"""Games in the formats that people have: PGN (chess), PDN (checkers), SGF (Go), .mat (backgammon), and JSON.

`read_games` recognises the format of a text. All formats but .mat keep variations and comments.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from zermelo.game.errors import IllegalAction, NotationError
from zermelo.games.backgammon import Backgammon, mat
from zermelo.games.checkers import Checkers, pdn
from zermelo.games.chess import pgn
from zermelo.games.chess.rules import Chess
from zermelo.games.go import sgf, sgf_game
from zermelo.games.go.rules import Go
from zermelo.games.go.scoring import territory
from zermelo.play import matches
from zermelo.play.play import Play
from zermelo.play.portable import from_pdn, from_pgn, to_pdn, to_pgn
from zermelo.play.position import Position
from zermelo.play.record import KIND, Record

NO_GAME = 'There is no game in this text. Use PGN, PDN, SGF, .mat, or JSON with "zermelo": "game".'


class Format(NamedTuple):
    """A format: its name, and the ending of its files."""

    name: str
    ending: str


JSON, PGN, PDN, SGF = Format("JSON", "jsonl"), Format("PGN", "pgn"), Format("PDN", "pdn"), Format("SGF", "sgf")
MAT = Format("MAT", "mat")
FORMATS = (JSON, PGN, PDN, SGF, MAT)


def read_games(text: str) -> list[Record]:
    """The games of a text in any of the formats; raises a NotationError that says what is wrong."""
    begin = text.removeprefix("\ufeff").lstrip()
    if begin.startswith("{"):
        found = _from_json(begin)
    elif re.match(r"\(\s*;", begin):
        found = [_from_sgf(root) for root in sgf.read(begin)]
    elif mat.is_mat(begin):
        found = matches.records(text)
    elif pdn.is_pdn(begin):
        found = [from_pdn(game) for game in pdn.read(begin)]
    else:
        found = [from_pgn(game) for game in pgn.read(begin)]
    if not found:
        raise NotationError(NO_GAME)
    return found


def usual_format(game: Any) -> Format:
    """The format in which people save games of this kind."""
    usual: dict[type, Format] = {Chess: PGN, Checkers: PDN, Go: SGF, Backgammon: MAT}
    return next((form for kind, form in usual.items() if isinstance(game, kind)), JSON)


def write_game(record: Record, play: Play, form: Format | None = None) -> str:
    """A game as text, by default in its usual format. `play` is the record's play, with its variations."""
    form = form or usual_format(play.game)
    if form is not JSON and form is not usual_format(play.game):
        raise NotationError(f"{record.game} cannot be written as {form.name}")
    return {JSON: _to_json, PGN: to_pgn, PDN: to_pdn, SGF: _to_sgf, MAT: matches.text_of}[form](record, play)


# JSON.


def _from_json(text: str) -> list[Record]:
    found = []
    for line in text.splitlines() if _is_lines(text) else [text]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise NotationError(NO_GAME) from None
        if isinstance(data, dict) and data.get("zermelo") == KIND:
            found.append(Record.from_json(data))
    return found


def _is_lines(text: str) -> bool:
    """Is each line an object of its own?"""
    try:
        json.loads(text.split("\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return True


def _to_json(record: Record, play: Play) -> str:
    return record.line() + "\n"


# SGF.

SGF_TAGS = {"PB": "Black", "PW": "White", "DT": "Date", "EV": "Event", "GN": "Name", "RE": "Result"}
"""Properties of an SGF root, and the names of the tags that they become."""


def _from_sgf(root: sgf.Node) -> Record:
    about = sgf_game.game_of(root)
    parameters: dict[str, Any] = {"size": about.size, "komi": about.komi, "rules": about.rules}
    game = Go(**parameters)
    first = sgf_game.replay(sgf.Node(root.properties)).states[0]
    if root.children and "W" in root.children[0].properties and "PL" not in root.properties:
        first = game.with_mover(first, 1)  # after handicap stones
    play = Play(game, start=None if first == game.initial() else game.to_text(first))
    play.root.comment = root.text("C") or ""
    play.tags = {tag: text for name, tag in SGF_TAGS.items() if (text := root.text(name))}
    waiting = [(play.root, root.children)]
    for at, nodes in waiting:  # grows meanwhile
        for node in nodes:
            waiting.append((_play_node(play, game, at, node), node.children))
    play.go_to(play.main_line[-1])
    return Record.of(play, "go", parameters=parameters)


def _play_node(play: Play, game: Go, at: Position, node: sgf.Node) -> Position:
    """The position after the move of a node."""
    where = f"SGF, line {node.line}, column {node.column}"
    if not node.properties.keys().isdisjoint(("AB", "AW", "AE", "PL")):
        raise NotationError(f"{where}: the file changes the stones during the game, which is not supported here")
    for colour in ("B", "W"):
        if colour in node.properties:
            if game.to_move(at.state) != "BW".index(colour):
                raise NotationError(f"{where}: {colour} moves out of turn, which is not supported here")
            play.go_to(at)
            try:
                at = play.move(sgf_game.move_of(game, node, colour, node.properties[colour]))
            except IllegalAction:
                value = node.properties[colour][0]
                raise NotationError(f"{where}: {colour}[{value}] is not a legal move") from None
    if at is not play.root:
        at.comment = at.comment or node.text("C") or ""
    return at


def _to_sgf(record: Record, play: Play) -> str:
    game = play.game
    assert isinstance(game, Go)
    information = {name: play.tags[tag] for name, tag in SGF_TAGS.items() if tag in play.tags}
    root = sgf_game.tree_of(game, (), play.root.state, **information)
    if play.root.comment:
        root.properties["C"] = [sgf.value_of(play.root.comment)]
    waiting = [(play.root, root)]
    for position, node in waiting:  # grows meanwhile
        for child in position.after:
            colour = "BW"[game.to_move(position.state)]
            made = sgf.Node({colour: [sgf_game.point_value(game, child.action)]})
            if child.comment:
                made.properties["C"] = [sgf.value_of(child.comment)]
            node.children.append(made)
            waiting.append((child, made))
    result = _sgf_result(record, game, play)
    if result:
        root.properties["RE"] = [result]
    return sgf.write([root])


def _sgf_result(record: Record, game: Go, play: Play) -> str:
    """The result as SGF writes it: "B+3.5", "W+R" by resignation, "W+T" on time, "0" for a draw."""
    if record.ended == "rules":
        return territory(game, play.main_line[-1].state).result
    if record.ended == "agreement":
        return "0"
    how = {"resignation": "R", "time": "T"}.get(record.ended or "")
    return "" if how is None or record.charged is None else f"{'WB'[record.charged]}+{how}"
