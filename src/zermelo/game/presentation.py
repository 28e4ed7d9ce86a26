"""Presentation: names of moves and players, positions as text and pictures. Never compiled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from zermelo.game.board import Board, Composition
from zermelo.game.board_text import text_of
from zermelo.game.chance import CHANCE
from zermelo.game.errors import IllegalAction, StateError
from zermelo.game.general import General
from zermelo.game.rules import Action, State
from zermelo.game.unit import Unit

OWN = "own"
"""The name of the book that comes with a game, in place of a file."""


class Presentation(General):
    """How people read, write and see a game."""

    def action_name(self, s: State, a: Action) -> str:
        """The move as people write it."""
        return str(a)

    def action_named(self, s: State, name: str) -> Action:
        """The legal move of this name; the inverse of `action_name`."""
        legal = self.legal(s)
        wanted = name.strip().casefold()
        for a in legal:
            if self.action_name(s, a).casefold() == wanted:
                return a
        raise IllegalAction(f"{name.strip()!r} is not a legal move of {self.title}; {self._listed(s, legal)}")

    def player_name(self, p: int) -> str:
        """The player's name."""
        return "chance" if p == CHANCE else f"Player {p + 1}"

    def unit(self) -> Unit:
        """The unit in which people read values, such as Unit("pawns", 10); by default the utility as it is."""
        return Unit()

    def text(self, s: State) -> str:
        """A drawing of the state in characters, for people to look at; by default of its picture."""
        board = self.picture(s)
        return str(s) if board is None else text_of(board)

    def notes(self, s: State) -> tuple[str, ...]:
        """What the game itself has to say of a position, in lines, which an analysis shows: in backgammon, the cube."""
        return ()

    def stake(self, s: State) -> float | None:
        """How much utility one point is worth in a state, if the stake changes during the game, as by a doubling cube.

        A review measures mistakes in points of the stake. None: there is no such stake.
        """
        return None

    def decision_kind(self, s: State) -> str:
        """What is decided if it is not a move on the board, such as "double"; empty for moves."""
        return ""

    def to_text(self, s: State) -> str | None:
        """The position in one line of text, such as FEN, which `from_text` reads; None if the game has no text form."""
        return None

    def from_text(self, text: str) -> State:
        """The position that a text describes; the inverse of `to_text`."""
        raise StateError(f"{self.title} reads no positions as text: give the moves that lead there")

    def parameters_in(self, text: str) -> dict[str, Any] | None:
        """The parameters of the game that a position's text belongs to, such as the length of a match.

        None if the text is not a position, {} if it fits all parameters.
        """
        return {}

    def seen_by(self, s: State, p: int) -> State:
        """The state with everything blank that player p cannot see, for `text` and `picture`; by default the state."""
        return s

    def information_name(self, s: State, p: int) -> str:
        """What player p knows in this state, in a few words, for tables; by default the items of `information`."""
        known = self.information(s, p) if self.hidden else self.to_text(s)  # type: ignore[attr-defined]
        return " ".join(map(str, known)) if isinstance(known, tuple) else str(known)

    def picture(self, s: State) -> Board | None:
        """The content of a picture of the state; None if there is only its text."""
        return None

    def paths(self, s: State, a: Action) -> Iterable[tuple[str, ...]]:
        """Yields the ways to point out a move on the picture: squares in order, such as ("e2", "e4")."""
        return ()

    def composition(self, s: State, path: tuple[str, ...]) -> Composition | None:
        """A move in progress, after steps given by their squares, for moves that people make step by step.

        None if each move is made at once, which is usual.
        """
        return None

    def ending(self, s: State) -> str | None:
        """Why the game is over in this state, such as "checkmate"; None if there is nothing to say."""
        return None

    def opening(self, states: Sequence[State]) -> str:
        """The name of the opening of a game that went through these states; usually empty."""
        return ""

    def own_book(self) -> Path | None:
        """The file of the opening book that comes with the game, if there is one."""
        return None

    def own_strategy(self) -> Path | None:
        """The file of the equilibrium strategy that comes with the game, if there is one."""
        return None

    def news(self, s: State, a: Action) -> str:
        """A message about the last move, such as who has won a game of a match; usually empty."""
        return ""

    def resignations(self, s: State) -> tuple[tuple[str, int], ...]:
        """How a player can resign, if there is a choice: names such as "a gammon", and the points that it costs."""
        return ()

    def resigned(self, s: State, p: int, points: int) -> tuple[State, str]:
        """The state after player p has resigned for so many points, such as the next game of a match, and the news.

        Only for games with `resignations`.
        """
        raise IllegalAction(f"{self.title} cannot be resigned for points")

    def standing(self, s: State, p: int) -> str | None:
        """What to show at the player's seat during the game: captured pieces, or the score; None for nothing."""
        return None

    def _listed(self, s: State, actions: list[Action]) -> str:
        if not actions:
            return "there are no legal moves here"
        chance = self.to_move(s) == CHANCE
        names = [str(a) if chance else self.action_name(s, a) for a in actions[:20]]
        return f"legal here: {', '.join(names)}{', …' if len(actions) > 20 else ''}"
