"""Legal moves for the page: their names, the squares to click, and pictures of what the same squares may become."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zermelo.game.protocol import Game
from zermelo.pictures import pieces


def shown_moves(game: Game, s: Any, legal: list[Any]) -> list[dict[str, Any]]:
    """Each move with its name, its paths, and the square for its value.

    Moves with the same paths, such as promotions, come with a picture of the piece that they put on that square.
    """
    paths = [[list(path) for path in game.paths(s, a)] for a in legal]
    times = Counter(str(each) for each in paths)
    found = []
    for a, own in zip(legal, paths, strict=True):
        place = _place(game, s, a, own)
        move: dict[str, Any] = {"name": game.action_name(s, a), "paths": own, "place": place}
        if own and times[str(own)] > 1:
            after = game.picture(game.result(s, a))
            piece = None if after is None else after.pieces.get(own[0][-1])
            if piece is not None:
                move["piece"] = pieces.alone(piece)
        found.append(move)
    return found


def _place(game: Game, s: Any, a: Any, paths: list[list[str]]) -> str | None:
    """The last square of the move; if it has several, the one where something arrives."""
    if len({path[-1] for path in paths}) > 1:
        before, after = game.picture(s), game.picture(game.result(s, a))
        came = set() if before is None or after is None else set(after.pieces) - set(before.pieces)
        found = next((path[-1] for path in paths if path[-1] in came), None)
        if found is not None:
            return found
    return paths[0][-1] if paths else None
