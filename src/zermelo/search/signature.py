"""One number that pins what the engine does: the nodes of fixed positions, searched to fixed depths.

Every change of the search, of the order of moves, of the table or of an evaluation changes it, and nothing else does:
a change that is meant only to be faster leaves it alone, and any other says that it has changed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo import games
from zermelo.game.errors import UnknownName
from zermelo.search.engine import Engine

TABLE = 16
"""MiB: its size decides which entries make room."""


@dataclass(frozen=True)
class Suite:
    """Positions of one game, each by the names of the moves that lead to it, and the depth to search them to."""

    game: str
    depth: int
    positions: tuple[str, ...]


SUITES = (
    Suite("connect_four", 16, ("", "4 4 4 4 4", "4 3 5 5 2 6", "1 2 3 4 5 6 7", "2 4 4 3 6 1 1 5")),
    Suite("othello", 10, ("", "d3 c5 d6 e3", "f5 d6 c3 d3 c4 f4", "f5 f6 e6 f4 e3 c5 c4")),
    Suite("breakthrough", 7, ("", "a2a3 h7h6 b2b3 g7g6", "d2d3 e7e6 e2e3 d7d6 d3d4")),
    Suite(
        "chess",
        8,
        (
            "",
            "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Na5",
            "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
        ),
    ),
    Suite("tic_tac_toe", 9, ("", "1", "5", "2 3")),
    Suite("nim", 12, ("", "a1", "b2 a1", "c3")),
)


@dataclass(frozen=True)
class Signature:
    """One game's share of the signature, and the time it took."""

    game: str
    positions: int
    depth: int
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def signatures(names: Iterable[str] | None = None) -> list[Signature]:
    """The signature of each game; the sum of their nodes is the engine's signature."""
    known = {suite.game: suite for suite in SUITES}
    found = []
    for name in known if names is None else names:
        if name not in known:
            raise UnknownName(f"there is no suite of positions for {name!r}; there is one for {', '.join(known)}")
        found.append(_signature(known[name]))
    return found


def _signature(suite: Suite) -> Signature:
    game = games.load(suite.game)
    engine = Engine(game, table=TABLE)
    nodes, seconds = 0, 0.0
    for moves in suite.positions:
        engine.clear()  # so that a position counts the same wherever it stands in the suite
        analysis = engine.think(game.play(*moves.split()), depth=suite.depth)
        nodes += analysis.nodes
        seconds += analysis.seconds
    return Signature(suite.game, len(suite.positions), suite.depth, nodes, seconds)
