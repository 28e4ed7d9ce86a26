"""One game on the table: the states so far, who sits where, what has been found out, and what the page is shown."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.app.web.findings import Findings
from zermelo.app.web.seen import seen_by
from zermelo.app.web.titles import RULES, title_of
from zermelo.arena.player import Choice, Turn
from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction, StateError, Unsuitable
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.record import Record, drawn, outcome_name, seat_of, seats_of
from zermelo.games.resolve import parse_parameters, position, reads_positions, resolve
from zermelo.kernel.random import Random
from zermelo.pictures.svg import board_of, render

PERSON = "person"
SETTABLE = (bool, int, float, str, tuple, type(None))
"""The kinds of parameters that a page can ask for."""
OUTCOMES = 12
"""How many of chance's outcomes a complaint lists."""
HIDDEN = "…"
"""A move that whoever looks may not know."""


class GameTable:
    """A game being played or looked at; `shown` is the ply that the page looks at."""

    def __init__(
        self,
        what: str,
        settings: Iterable[str] = (),
        seats: list[str] | None = None,
        *,
        start: str | None = None,
        moves: Iterable[str | None] = (),
        seed: int | None = None,
        game: Game | None = None,
    ):
        self.what, self.settings = what, tuple(settings)
        self.parameters = parse_parameters(self.settings)
        self.game: Game = resolve(what, self.parameters) if game is None else game
        count = len(seats_of(self.game))
        self.seats = list(seats or [PERSON] * count)
        if len(self.seats) != count:
            raise ValueError(f"{title_of(what)} has {count} seats, not {len(self.seats)}")
        self.seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        self.random = Random(int.from_bytes(os.urandom(8), "big"))
        self.start = None if start is None else start.strip()
        self.states = [self.game.initial() if start is None else position(self.game, start)]
        self.moves: list[str | None] = []
        self.findings: dict[int, Findings] = {}
        self.flipped = False
        if self.is_over:
            raise StateError("the game is over in that position")
        for number, name in enumerate(moves, 1):
            self._follow(number, name)
        self.shown = len(self.moves)
        self.roll()

    # What happens.

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.game.remembering(self.states).is_terminal(self.state))

    @property
    def at_end(self) -> bool:
        """Does the page look at the latest position?"""
        return self.shown == len(self.moves)

    @property
    def seat(self) -> int | None:
        """The seat whose turn it is; None where the game is over, or chance is to move."""
        mover = CHANCE if self.is_over else self.game.to_move(self.state)
        return None if mover == CHANCE else seat_of(self.game, mover)

    @property
    def people(self) -> list[int]:
        return [seat for seat, words in enumerate(self.seats) if words == PERSON]

    def move(self, name: str) -> None:
        """A move by its name in the position that is looked at, which begins another game from there; then chance."""
        rules = self.game.remembering(self.states[: self.shown + 1])
        s = self.states[self.shown]
        if rules.is_terminal(s):
            raise IllegalAction("the game is over")
        if self.game.to_move(s) == CHANCE:
            raise IllegalAction("it is chance's turn in this position")
        a = rules.action_named(s, name)
        if not self.at_end and self.game.action_name(s, a) == self.moves[self.shown]:
            self.shown += 1  # as it was played
            return
        self._cut(self.shown)
        self._go(a)

    def play(self, choice: Any) -> None:
        """What a player has chosen."""
        action = choice.action if isinstance(choice, Choice) else choice
        if action not in self.game.remembering(self.states).legal(self.state):
            raise IllegalAction(f"{action!r} is not a legal move")
        self._go(action)

    def _go(self, a: Any) -> None:
        follows = self.at_end
        self._append(self.game.action_name(self.state, a), self.game.result(self.state, a))
        if follows:
            self.shown = len(self.moves)
        self.roll()

    def _append(self, name: str | None, after: Any) -> None:
        self.moves.append(name)
        self.states.append(after)

    def roll(self) -> None:
        """Whatever chance does before the next player's turn: by the seed, so that taking back changes nothing."""
        follows = self.at_end
        while not self.is_over and self.game.to_move(self.state) == CHANCE:
            after = drawn(self.game, self.state, self.seed, len(self.moves))
            self._append(outcome_name(self.game, self.state, after), after)
        if follows:
            self.shown = len(self.moves)

    def _follow(self, number: int, name: str | None) -> None:
        """A move, or what chance brought, of a game that has been played."""
        game, s = self.game, self.state
        if self.is_over:
            raise IllegalAction(f"move {number}, {name!r}: the game is over")
        if game.to_move(s) != CHANCE:
            if name is None:
                raise IllegalAction(f"move {number} is null, which only chance is")
            a = game.remembering(self.states).action_named(s, name)
            self._append(game.action_name(s, a), game.result(s, a))
        elif name is None:
            self._append(None, drawn(game, s, self.seed, len(self.moves)))
        else:
            outcomes = [outcome for outcome, _ in game.outcomes(s)]
            called = [game.action_name(s, outcome) for outcome in outcomes]
            found = [each for each in outcomes if str(each) == name]  # as saved games write it, which no two share
            found = found or [each for each, word in zip(outcomes, called, strict=True) if word == name]
            if not found:
                there = f"{', '.join(called[:OUTCOMES])}{', …' if len(called) > OUTCOMES else ''}"
                raise IllegalAction(f"move {number}, {name!r}, is nothing that chance can bring; it brings {there}")
            self._append(str(found[0]), game.result(s, found[0]))

    def undo(self) -> None:
        """Back to the turn before of somebody who is a person; a move at least."""
        seats = self.people or list(range(len(self.seats)))
        for count in reversed(range(len(self.moves))):
            mover = self.game.to_move(self.states[count])
            if mover != CHANCE and seat_of(self.game, mover) in seats:
                self._cut(count)
                self.shown = count
                return
        raise IllegalAction("there is nothing to take back")

    def _cut(self, ply: int) -> None:
        """Forget everything after this ply."""
        del self.states[ply + 1 :], self.moves[ply:]
        self.findings = {at: found for at, found in self.findings.items() if at <= ply}

    # What is shown.

    def turn(self) -> Turn:
        """The turn as a player sees it, who does not see what the game hides."""
        game, mover = self.game, self.game.to_move(self.state)
        if game.hidden:
            return Turn(game, (game.resample(self.state, mover, self.random),), (), mover, self.random)
        return Turn(game, tuple(self.states), tuple(self.moves), mover, self.random)

    @property
    def viewer(self) -> int | None:
        """The player through whose eyes a game is seen that hides something; None: everything is shown.

        The person who plays; of several people whoever is to move. Nobody hides anything from those who only watch.
        """
        game = self.game
        if not game.hidden or self.is_over or not self.people:
            return None
        if len(self.people) == 1:
            return seats_of(game)[self.people[0]][0]
        mover = game.to_move(self.states[self.shown])
        return None if mover == CHANCE else mover

    def board(self) -> Board:
        """What there is to see."""
        s, viewer = self.states[self.shown], self.viewer
        if viewer is None:
            return board_of(self.game, s)
        return seen_by(self.game, s, viewer, mixed((self.seed, self.shown)))

    def view(self) -> dict[str, Any]:
        """All that the page needs to show the game."""
        game, s, viewer = self.game, self.states[self.shown], self.viewer
        rules = game.remembering(self.states[: self.shown + 1])
        is_over = rules.is_terminal(s)
        mover = None if is_over else game.to_move(s)
        legal = [] if mover is None or mover == CHANCE or viewer not in (None, mover) else rules.legal(s)
        title = title_of(self.what)
        movers = [game.to_move(state) for state in self.states[: len(self.moves)]]
        return {
            "kind": "view",
            "game": self.what,
            "settings": list(self.settings),
            "title": title,
            "svg": render(self.board(), title, self._last_squares(), self.flipped),
            "moves": [name if viewer in (None, p) else HIDDEN for name, p in zip(self.moves, movers, strict=True)],
            "called": [self._called(ply) if viewer in (None, p) else HIDDEN for ply, p in enumerate(movers)],
            "movers": [None if p == CHANCE else seat_of(game, p) for p in movers],
            "shown": self.shown,
            "start": self.start,
            "seed": self.seed if game.traits.chance else None,
            "flipped": self.flipped,
            "seats": self.seats,
            "seat_names": [" & ".join(game.player_name(p) for p in players) for players in seats_of(game)],
            "seat": None if mover is None or mover == CHANCE else seat_of(game, mover),
            "mover": None if mover is None else game.player_name(mover),
            "viewer": None if viewer is None else game.player_name(viewer),
            "legal": [self._shown_move(s, a) for a in legal],
            "over": is_over,
            "result": self.result(s) if is_over else None,
            "fen": game.to_text(s),
        }

    def about(self) -> dict[str, Any]:
        """What does not change while the game goes on."""
        kept, given = self.game, inspect.signature(type(self.game)).parameters.values()
        return {
            "rules": RULES.get(self.what),
            "traits": str(self.game.traits),
            "reads_positions": reads_positions(self.game),
            "parameters": [
                {"name": each.name, "value": repr(getattr(kept, each.name)), "usual": repr(each.default)}
                for each in given
                if isinstance(getattr(kept, each.name, object()), SETTABLE) and isinstance(each.default, SETTABLE)
            ],
        }

    def _called(self, ply: int) -> str | None:
        """What people call a move that was played; saved games write what chance brought as it prints."""
        name, s = self.moves[ply], self.states[ply]
        if name is None or self.game.to_move(s) != CHANCE:
            return name
        outcome = next((outcome for outcome, _ in self.game.outcomes(s) if str(outcome) == name), None)
        return name if outcome is None else self.game.action_name(s, outcome)

    def _shown_move(self, s: Any, a: Any) -> dict[str, Any]:
        """A move, the ways to click it, and the square at which its value is written."""
        game = self.game
        paths = [list(path) for path in game.paths(s, a)]
        place = paths[0][-1] if paths else None
        if len(paths) > 1 and len({path[-1] for path in paths}) > 1:
            before, after = game.picture(s), game.picture(game.result(s, a))
            changed = set() if before is None or after is None else set(after.pieces) - set(before.pieces)
            place = next((path[-1] for path in paths if path[-1] in changed), place)
        return {"name": game.action_name(s, a), "paths": paths, "place": place}

    def _last_squares(self) -> tuple[str, ...]:
        """The squares of the move that led here."""
        if not self.shown:
            return ()
        name, s = self.moves[self.shown - 1], self.states[self.shown - 1]
        mover = self.game.to_move(s)
        if name is None or mover == CHANCE or self.viewer not in (None, mover):
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

    # Saved games.

    def record(self) -> Record:
        """The game, to be saved, with what has been found out."""
        rules = self.game.remembering(self.states)
        over = self.is_over
        more: dict[str, Any] = {} if self.start is None else {"start": self.start}
        if self.findings:
            played = dict(enumerate(self.moves))
            more["analysis"] = {
                str(ply): found.to_json(played.get(ply)) for ply, found in sorted(self.findings.items())
            }
        return Record(
            self.what,
            tuple(self.moves),
            self.parameters,
            tuple(self.seats),
            tuple(float(rules.utility(self.state, p)) for p in range(self.game.players)) if over else None,
            "rules" if over else None,
            seed=self.seed,
            version=__version__,
            more=more,
        )

    @staticmethod
    def of(record: Record, game: Game | None = None) -> GameTable:
        """A saved game, on the table again; whoever played it, people sit there now, unless one of them was one."""
        seats = list(record.players) if PERSON in record.players else None
        start = record.more.get("start")
        if start is not None and not isinstance(start, str):
            raise GameError(f"a saved game's 'start' is the text of a position, not {str(start)[:60]!r}")
        about: dict[str, Any] = {"start": start, "moves": record.moves, "seed": record.seed, "game": game}
        table = GameTable(record.game, settings_of(record), seats, **about)
        saved = record.more.get("analysis", {})
        if not isinstance(saved, dict):
            raise GameError(f"a saved game's 'analysis' is an object with plies, not {str(saved)[:60]!r}")
        for ply, found in saved.items():
            if not ply.isdecimal() or int(ply) > len(table.moves):
                raise GameError(f"a saved game's 'analysis' is by plies from 0 to {len(table.moves)}, not {ply[:20]!r}")
            names = [table.game.action_name(table.states[int(ply)], a) for a in table.legal_at(int(ply))]
            table.findings[int(ply)] = Findings.from_json(found, ply, names)
        return table

    def require_nothing_hidden(self, what: str) -> None:
        if self.game.hidden:
            raise Unsuitable(f"{title_of(self.what)} hides something, and nothing here can give {what} for such games")

    def legal_at(self, ply: int) -> list[Any]:
        """The legal moves at a ply; none where chance moves, or the game is over."""
        return self.game.remembering(self.states[: ply + 1]).legal(self.states[ply])


def settings_of(record: Record) -> tuple[str, ...]:
    """The parameters of a saved game as they are typed."""
    return tuple(f"{name}={value!r}" for name, value in record.parameters.items())


def version_of(what: str) -> float:
    """When a file of one's own was last written, so that a game that has changed is loaded anew; 0 for other games."""
    try:
        return Path(what.partition(".py")[0] + ".py").stat().st_mtime if ".py" in what else 0.0
    except OSError:
        return 0.0
