"""Findings on how a game is shown: its picture, and the squares by which people point out their moves."""

from __future__ import annotations

import contextlib
from typing import Any

from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.report import shown
from zermelo.game.board import Board

Path = tuple[str, ...]


class PictureRules:
    """Findings on `picture` and `paths`."""

    def __init__(self, inspection: Inspection):
        self.inspection, self.game = inspection, inspection.game

    def visit(self, s: Any, moves: list[Any]) -> None:
        """Examine a state in which a player is to move, with its legal moves."""
        with contextlib.suppress(Broken):
            board = self._picture(s)
            if self.game.offers("paths"):
                self._check_paths(s, moves, board)

    def visit_end(self, s: Any) -> None:
        """Examine an end, which is looked at too."""
        with contextlib.suppress(Broken):
            self._picture(s)

    def _picture(self, s: Any) -> Board | None:
        board = self.inspection.call("picture", s)
        if board is not None and not isinstance(board, Board):
            said = f"`picture` gives {shown(board)}; it gives a Board, or None"
            self.inspection.note("wrong-type", said, s, about="picture")
            raise Broken
        return board

    def _check_paths(self, s: Any, moves: list[Any], board: Board | None) -> None:
        """Can every move that has paths be pointed out on the board, and told from the others?"""
        inspection = self.inspection
        there = board.places if board is not None else frozenset()
        of_move: dict[Any, frozenset[Path]] = {}
        for a in moves:
            paths = inspection.listed("paths", s, a)
            for path in paths:
                self._check_path(s, a, path, there)
            if paths:
                of_move[a] = frozenset(paths)
        begun = {path[:length] for paths in of_move.values() for path in paths for length in range(1, len(path))}
        first: dict[frozenset[Path], Any] = {}
        for a, own in of_move.items():
            if own <= begun:
                said = f"every path of {inspection.move_name(s, a)} is the beginning of another move's"
                inspection.note("paths-ambiguous", said, s, about="begun")
            other = first.setdefault(own, a)
            if other != a:
                self._check_choice(s, other, a, {name for path in own for name in path})

    def _check_path(self, s: Any, a: Any, path: Any, there: frozenset[str]) -> None:
        inspection = self.inspection
        move = inspection.move_name(s, a)
        if not isinstance(path, tuple) or not path or not all(isinstance(name, str) for name in path):
            said = f"`paths` yields {shown(path)} for {move}; it yields tuples of the names of squares"
        elif not there:
            said = f"`paths` yields {shown(path)} for {move}, and `picture` has no squares"
        elif not there.issuperset(path):
            missing = next(name for name in path if name not in there)
            said = f"`paths` yields {shown(path)} for {move}, and `picture` has no square {missing!r}"
        else:
            return
        inspection.note("bad-paths", said, s)
        raise Broken

    def _check_choice(self, s: Any, a: Any, b: Any, path: set[str]) -> None:
        """Moves with the same paths are offered by name: do they differ on those squares alone, as promotions do?"""
        inspection = self.inspection
        one, another = self._picture(inspection.after(s, a)), self._picture(inspection.after(s, b))
        if one is None or another is None:
            return
        changed = {name for name in {*one.pieces, *another.pieces} if one.pieces.get(name) != another.pieces.get(name)}
        if changed - path:
            names = f"{inspection.move_name(s, a)} and {inspection.move_name(s, b)}"
            said = f"the moves {names} have the same paths, and differ on {', '.join(sorted(changed - path))}"
            inspection.note("paths-ambiguous", said, s)
