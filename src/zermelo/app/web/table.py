"""One game on the table: the states so far, who sits where, and what the page is shown of it."""

from __future__ import annotations

import os
from typing import Any

from zermelo import __version__
from zermelo.arena.player import Choice, Turn
from zermelo.game.errors import IllegalAction, StateError
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.record import Record, outcome_name, seat_of, seats_of
from zermelo.games.resolve import parse_parameters, resolve
from zermelo.kernel.random import Random
from zermelo.pictures import draw

PERSON = "person"


class GameTable:
    """A game being played or looked at; `shown` is the ply that the page looks at."""

    def __init__(self, what: str, settings: tuple[str, ...] = (), seats: list[str] | None = None):
        self.what, self.parameters = what, parse_parameters(settings)
        self.settings = settings
        self.game: Game = resolve(what, self.parameters)
        count = len(seats_of(self.game))
        self.seats = list(seats or [PERSON] * count)
        if len(self.seats) != count:
            raise ValueError(f"{self.game.name} has {count} seats, not {len(self.seats)}")
        self.states = [self.game.initial()]
        self.moves: list[str | None] = []
        self.start: str | None = None  # a position that was set up, as text
        self.shown = 0
        self.flipped = False
        self.random = Random(int.from_bytes(os.urandom(8), "big"))
        self.roll()

    # What happens.

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.game.remembering(self.states).is_terminal(self.state))

    @property
    def seat(self) -> int | None:
        """The seat whose turn it is; None where the game is over, or chance is to move."""
        mover = CHANCE if self.is_over else self.game.to_move(self.state)
        return None if mover == CHANCE else seat_of(self.game, mover)

    def move(self, name: str) -> None:
        """A move by its name; then chance, where it is chance's turn."""
        if self.is_over:
            raise IllegalAction("the game is over")
        rules = self.game.remembering(self.states)
        self._go(rules.action_named(self.state, name))
        self.roll()

    def _go(self, a: Any) -> None:
        s = self.state
        name, after = self.game.action_name(s, a), self.game.result(s, a)  # either may fail, in somebody's own game
        self.moves.append(name)
        self.states.append(after)
        self.shown = len(self.moves)

    def roll(self) -> None:
        """Whatever chance does before the next player's turn."""
        while not self.is_over and self.game.to_move(self.state) == CHANCE:
            after = self.game.draw(self.state, self.random)
            self.moves.append(outcome_name(self.game, self.state, after))
            self.states.append(after)
            self.shown = len(self.moves)

    def undo(self) -> None:
        """Back to the turn before of somebody who is a person; a move at least."""
        people = [seat for seat, words in enumerate(self.seats) if words == PERSON]
        count = len(self.moves) - 1
        while count > 0 and not self._is_turn_of(self.states[count], people):
            count -= 1
        if count < 0 or not self._is_turn_of(self.states[count], people or list(range(len(self.seats)))):
            raise IllegalAction("there is nothing to take back")
        del self.states[count + 1 :], self.moves[count:]
        self.shown = count

    def _is_turn_of(self, s: Any, seats: list[int]) -> bool:
        mover = self.game.to_move(s)
        return mover != CHANCE and (not seats or seat_of(self.game, mover) in seats)

    def set_up(self, text: str) -> None:
        """Begin from a position: in the game's own notation (FEN at chess), or moves from the start."""
        words = text.replace(",", " ").split()
        fresh = GameTable(self.what, self.settings, self.seats)
        reader = getattr(self.game, "from_fen", None)
        if reader is not None and "/" in text:
            fresh.states, fresh.start = [self.game.checked(reader(text))], text.strip()
        else:
            fresh.states = Record(self.what, tuple(words), self.parameters).states(self.game)
            fresh.moves = list(words)
            fresh.roll()
        if fresh.is_over and not fresh.moves:
            raise StateError("the game is over in that position")
        fresh.shown, fresh.flipped = len(fresh.moves), self.flipped
        self.__dict__.update(fresh.__dict__)

    # What is shown.

    def turn(self, random: Random | None = None) -> Turn:
        """The turn as a player sees it."""
        return Turn(
            self.game, tuple(self.states), tuple(self.moves), self.game.to_move(self.state), random or self.random
        )

    def play(self, choice: Any) -> None:
        """What a player has chosen."""
        action = choice.action if isinstance(choice, Choice) else choice
        if action not in self.game.remembering(self.states).legal(self.state):
            raise IllegalAction(f"{action!r} is not a legal move")
        self._go(action)
        self.roll()

    def view(self) -> dict[str, Any]:
        """All that the page needs to show the game."""
        game, s = self.game, self.states[self.shown]
        rules = game.remembering(self.states[: self.shown + 1])
        is_over = rules.is_terminal(s)
        mover = None if is_over else game.to_move(s)
        legal = [] if is_over or mover == CHANCE else rules.legal(s)
        return {
            "kind": "view",
            "game": self.what,
            "settings": list(self.settings),
            "title": game.name,
            "svg": draw(game, s, marked=self._last_squares(), flipped=self.flipped, title=game.name),
            "text": game.text(s),
            "moves": self.moves,
            "shown": self.shown,
            "start": self.start,
            "seats": self.seats,
            "seat_names": [" & ".join(game.player_name(p) for p in players) for players in seats_of(game)],
            "seat": None if mover is None or mover == CHANCE else seat_of(game, mover),
            "mover": None if mover is None else game.player_name(mover),
            "legal": [
                {"name": game.action_name(s, a), "paths": [list(path) for path in game.paths(s, a)]} for a in legal
            ],
            "over": is_over,
            "result": self.result(s) if is_over else None,
            "fen": game.fen(s) if hasattr(game, "fen") else None,
        }

    def _last_squares(self) -> tuple[str, ...]:
        """The squares of the move that led here."""
        if not self.shown:
            return ()
        name, s = self.moves[self.shown - 1], self.states[self.shown - 1]
        if name is None or self.game.to_move(s) == CHANCE:
            return ()
        a = self.game.remembering(self.states[: self.shown]).action_named(s, name)
        before, after = self.game.picture(s), self.game.picture(self.states[self.shown])
        paths = list(self.game.paths(s, a))
        if len(paths) > 1 and before is not None and after is not None:  # what has changed, rather than all ways to it
            return tuple(sq for sq in {*before.pieces, *after.pieces} if before.pieces.get(sq) != after.pieces.get(sq))
        return paths[0] if paths else ()

    def result(self, s: Any) -> str:
        """How the game ended, in words."""
        game = self.game
        worth = [game.utility(s, p) for p in range(game.players)]
        best = [p for p, value in enumerate(worth) if value == max(worth)]
        scores = ", ".join(f"{game.player_name(p)} {value:g}" for p, value in enumerate(worth))
        if game.players == 1:
            return f"the end: {worth[0]:g}"
        if len({game.side(p) for p in best}) > 1:
            return f"a draw ({scores})" if len(best) == game.players else f"shared ({scores})"
        return f"{' & '.join(map(game.player_name, best))} won ({scores})"

    def record(self) -> Record:
        """The game, to be saved."""
        rules = self.game.remembering(self.states)
        over = self.is_over
        more = {} if self.start is None else {"start": self.start}
        return Record(
            self.what,
            tuple(self.moves),
            self.parameters,
            tuple(self.seats),
            tuple(float(rules.utility(self.state, p)) for p in range(self.game.players)) if over else None,
            "rules" if over else None,
            version=__version__,
            more=more,
        )

    @staticmethod
    def of(record: Record) -> GameTable:
        """A saved game, on the table again."""
        settings = tuple(f"{name}={value!r}" for name, value in record.parameters.items())
        seats = list(record.players) if record.players and PERSON in record.players else None
        table = GameTable(record.game, settings, seats)
        start = record.more.get("start")
        if isinstance(start, str):
            table.set_up(start)
            for name in record.moves:
                table.move(str(name))
        else:
            table.states, table.moves = record.states(table.game), list(record.moves)
            table.roll()
        table.shown = len(table.moves)
        return table
