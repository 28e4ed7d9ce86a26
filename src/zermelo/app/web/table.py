"""The game on the page: the game in progress, its players, its analysis, and the page's view of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

from zermelo import __version__
from zermelo.app.web.clock import GameClock, clock_from_json
from zermelo.app.web.ending import Ending, ending_of
from zermelo.app.web.findings import Findings
from zermelo.app.web.table_view import view_of
from zermelo.app.web.titles import title_of
from zermelo.arena.player import Choice, Turn
from zermelo.game.errors import GameError, IllegalAction, StateError, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import parse_parameters, resolve, value_text
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.play.position import Position
from zermelo.play.record import RESIGNED, Record
from zermelo.play.seats import seat_of, seats_of

PERSON = "person"


class LineFindings(MutableMapping[int, Findings]):
    """What was found out about the positions of the line that the page shows, by ply. Other lines keep theirs."""

    def __init__(self, table: GameTable):
        self.table = table
        self.known: dict[Position, Findings] = {}

    def __getitem__(self, ply: int) -> Findings:
        line = self.table.line
        if not 0 <= ply < len(line):
            raise KeyError(ply)
        return self.known[line[ply]]

    def __setitem__(self, ply: int, found: Findings) -> None:
        self.known[self.table.line[ply]] = found

    def __delitem__(self, ply: int) -> None:
        del self.known[self.table.line[ply]]

    def __iter__(self) -> Iterator[int]:
        return iter([ply for ply, position in enumerate(self.table.line) if position in self.known])

    def __len__(self) -> int:
        return len(list(iter(self)))


class GameTable:
    """A game on the page.

    play      the game in progress; it stands at the end of the line that the page shows, which may be a variation
    shown     the ply of the position that the page shows
    endings   how lines ended before the rules ended them, by their last positions
    clock     the clocks; None: no time limit
    offer     the seat that has offered a draw
    by_hand   the user enters what chance brings, such as the roll of real dice
    """

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
        by_hand: bool = False,
    ):
        self.what, self.settings = what, tuple(settings)
        self.parameters = parse_parameters(self.settings)
        self.game: Game = resolve(what, self.parameters) if game is None else game
        count = len(seats_of(self.game))
        self.seats = list(seats or [PERSON] * count)
        if len(self.seats) != count:
            raise ValueError(f"{title_of(what)} has {count} seats, not {len(self.seats)}")
        self.random = Random(int.from_bytes(os.urandom(8), "big"))  # the computer players', not of chance
        self.id = os.urandom(6).hex()  # tells games apart, also on other tabs
        self.findings = LineFindings(self)
        self.endings: dict[Position, Ending] = {}
        self.clock: GameClock | None = None
        self.offer: int | None = None
        self.deleted: list[tuple[int, Position]] = []  # with the places among their neighbours, the latest last
        self._numbers: dict[Position, int] = {}
        self.by_hand = by_hand
        self._begun: tuple[Position, tuple[str, ...]] | None = None
        self.flipped: bool | None = None  # None: as the person who plays would see the board
        self.play = Play(self.game, start=start, seed=seed)
        if self.is_over:
            raise StateError("the game is over in that position")
        self.play.follow(moves)
        self.shown = self.plies
        self._draw()

    def take_over(self, play: Play) -> None:
        """Continue a play, with its variations, at the end of its line."""
        self.play, self.shown = play, play.here.ply
        self._draw()

    # What happens.

    @property
    def line(self) -> list[Position]:
        return list(self.play.line)

    @property
    def plies(self) -> int:
        return self.play.here.ply

    @property
    def states(self) -> list[Any]:
        return self.play.states

    @property
    def moves(self) -> list[str | None]:
        return self.play.moves

    @property
    def state(self) -> Any:
        return self.play.state

    @property
    def is_over(self) -> bool:
        """Is the line that the page shows over, by the rules or otherwise?"""
        return self.play.is_over or self.play.here in self.endings

    @property
    def at_end(self) -> bool:
        """Does the page show the latest position?"""
        return self.shown == self.plies

    @property
    def seat(self) -> int | None:
        """The seat to move; None if the game is over or chance is to move."""
        mover = None if self.is_over else self.play.mover
        return None if mover is None or mover == CHANCE else seat_of(self.game, mover)

    @property
    def people(self) -> list[int]:
        return [seat for seat, words in enumerate(self.seats) if words == PERSON]

    def move(self, name: str) -> None:
        """Play a move by its name in the position that is shown. From an earlier position it starts a variation."""
        line, end = self.line, self.play.here
        if line[self.shown] in self.endings:
            raise IllegalAction("the game is over")
        entered = self.play.move_from(line[self.shown], name)
        self.offer = None
        if entered in line:  # the move that was played
            self.play.go_to(end)
            self.shown += 1
            return
        self._turn_to(entered)
        if self.at_end:
            self._draw()

    def _turn_to(self, position: Position) -> None:
        """Show a position, and the line that goes on from it."""
        *_, end = position.main_line()
        self.play.go_to(end)
        self.shown = position.ply

    def show(self, position: Position) -> None:
        """Show a position of any line. The page then shows that line to its end."""
        if position in self.line:
            self.shown = position.ply
        else:
            self._turn_to(position)

    def numbered(self, number: int) -> Position:
        """The position with a number that the page was told."""
        for position in self.play.positions():
            if self._numbers.get(position) == number:
                return position
        raise ValueError("this position was deleted")

    def promote(self, position: Position) -> None:
        """Make the line to a position the main line."""
        self.play.promote(position)

    def delete(self, position: Position) -> None:
        """Delete a position and what follows it; `restore` brings it back."""
        before = position.before
        if before is None:
            raise IllegalAction("the first position cannot be deleted")
        here, is_lost = self.line[self.shown], position in self.line
        place = before.after.index(position)
        self.play.delete(position)
        self.deleted.append((place, position))
        if is_lost:
            self._turn_to(here if here.ply < position.ply else before)

    def restore(self) -> None:
        """Bring back what was deleted last, and show it."""
        while self.deleted:
            place, position = self.deleted.pop()
            before = position.before
            assert before is not None
            is_there = any(each.action == position.action and each.state == position.state for each in before.after)
            if not is_there and self._is_in_tree(before):
                before.after.insert(min(place, len(before.after)), position)
                self._turn_to(position)
                return
        raise IllegalAction("there is nothing to restore")

    def _is_in_tree(self, position: Position) -> bool:
        while position.before is not None:
            if position not in position.before.after:
                return False
            position = position.before
        return True

    def end(self, ending: Ending) -> None:
        """End the game: its last position is decided."""
        if self.is_over:
            raise IllegalAction("the game is over")
        if ending.points:
            assert ending.loser is not None
            self.game.resigned(self.state, seats_of(self.game)[ending.loser][0], ending.points)  # raises IllegalAction
            self.play.tags[RESIGNED] = str(ending.points)
        self.endings[self.play.here] = ending
        self.offer = None

    def after_resignation(self, position: Position) -> tuple[Any, str] | None:
        """The state after a game that was resigned for points, such as the next game of a match, and the news."""
        ending = self.endings.get(position)
        if ending is None or not ending.points or ending.loser is None:
            return None
        return self.game.resigned(position.state, seats_of(self.game)[ending.loser][0], ending.points)

    def next_start(self) -> str | None:
        """The text of the next game of a match, if a game was resigned and the match goes on."""
        found = self.after_resignation(self.play.here)
        return None if found is None or self.game.is_terminal(found[0]) else self.game.to_text(found[0])

    def choose(self, choice: Any) -> None:
        """Play what a computer player has chosen, at the end of the game."""
        follows = self.at_end
        self.offer = None
        self.play.move(choice.action if isinstance(choice, Choice) else choice)
        if follows:
            self.shown = self.plies
        self._draw()

    def _draw(self) -> None:
        """Let chance move until it is a player's turn."""
        follows = self.at_end
        while self.play.mover == CHANCE and not self.waits_for_dice:
            self.play.draw()
        if follows:
            self.shown = self.plies

    @property
    def waits_for_dice(self) -> bool:
        """Does the user enter what chance brings?"""
        return self.by_hand and self.game.traits.lists_outcomes and not self.game.hidden

    def roll(self, name: str) -> None:
        """Let chance move in the latest position: an outcome by its name, or a random one."""
        if self.play.mover != CHANCE or self.is_over:
            raise IllegalAction("there is nothing to roll in this position")
        if name:
            self.play.follow([name])
        else:
            self.play.draw()
        self.shown = self.plies
        self._draw()

    def set_by_hand(self, on: bool) -> None:
        self.by_hand = on
        self._draw()

    def undo(self) -> None:
        """Go back to the previous turn of a person, or of anybody if no people play."""
        seats = seats_of(self.game)
        players = [p for seat in self.people or range(len(seats)) for p in seats[seat]]
        line = self.line
        ply = next((ply for ply in reversed(range(self.plies)) if self.game.to_move(line[ply].state) in players), None)
        if ply is None:
            raise IllegalAction("there is nothing to take back")
        self.delete(line[ply + 1])
        self.play.go_to(line[ply])
        self.shown = ply

    # Moves that are made step by step.

    def begin_move(self, path: tuple[str, ...]) -> None:
        """Take these steps of a move in the position that is shown."""
        here = self.line[self.shown]
        self.game.composition(here.state, path)  # raises IllegalAction
        self._begun = here, path

    def begun(self, position: Position) -> tuple[str, ...]:
        """The squares of the steps that were taken in a position."""
        return self._begun[1] if self._begun is not None and self._begun[0] is position else ()

    # What is shown.

    def turn(self, stop: StopToken | None = None, ply: int | None = None) -> Turn:
        """The turn at a ply, by default the latest, with what the player to move may see."""
        timed: dict[str, Any] = {}
        if self.clock is not None and self.clock.running is not None and ply is None:
            clocks = tuple(self.clock.turn(seat) for seat in range(len(self.seats)))
            timed = {"clock": clocks[self.clock.running], "clocks": clocks}
        return Turn.of(self.play, self.random, None if ply is None else self.line[ply], stop=stop, **timed)

    @property
    def viewer(self) -> int | None:
        """The player whose view of a game with hidden information is shown; None: everything is shown.

        It is the person who plays; of several people the one to move in the position that is shown, or in the latest
        position if chance moves in the one that is shown. Spectators see everything.
        """
        game = self.game
        if not game.hidden or self.is_over or not self.people:
            return None
        if len(self.people) == 1:
            return seats_of(game)[self.people[0]][0]
        mover = game.to_move(self.line[self.shown].state)
        return self.play.mover if mover == CHANCE else mover

    def is_visible(self, position: Position) -> bool:
        """False if the viewer cannot tell a position from the one before: another player has failed to move.

        How often the opponent has tried, as in phantom tic-tac-toe, is hidden too.
        """
        viewer, before = self.viewer, position.before
        if viewer is None or before is None:
            return True
        mover = self.game.to_move(position.state)
        return mover in (CHANCE, viewer) or mover != self.game.to_move(before.state)

    @property
    def visible_line(self) -> list[Position]:
        """The positions of the line that the viewer can tell apart."""
        return [position for position in self.line if self.is_visible(position)]

    @property
    def seat_names(self) -> list[str]:
        return [" & ".join(self.game.player_name(p) for p in players) for players in seats_of(self.game)]

    def number_of(self, position: Position) -> int:
        """The number by which the page knows a position. A position keeps its number."""
        return self._numbers.setdefault(position, len(self._numbers))

    def view(self) -> dict[str, Any]:
        """All that the page needs to show the game."""
        return view_of(self)

    # Saved games.

    def record(self, analysed: bool = True) -> Record:
        """The game, to be saved, with the analysis of its main line."""
        more: dict[str, Any] = {}
        line = self.play.main_line
        found = {ply: self.findings.known[at] for ply, at in enumerate(line) if at in self.findings.known}
        if found and analysed:
            played = dict(enumerate(self.play.names(line)))
            more["analysis"] = {str(ply): each.to_json(played.get(ply)) for ply, each in found.items()}
        if self.clock is not None:
            more["clock"] = self.clock.to_json()
        about: dict[str, Any] = {"parameters": self.parameters, "players": tuple(self.seats), "more": more}
        ending = self.endings.get(line[-1])
        if ending is not None:
            about |= {"ended": ending.reason, "charged": ending.loser}
        return Record.of(self.play, self.what, **about, version=__version__)

    @staticmethod
    def of(record: Record, game: Game | None = None) -> GameTable:
        """A saved game. If no person played it, people take all seats."""
        seats = list(record.players) if PERSON in record.players else None
        table = GameTable(record.game, settings_of(record), seats, start=record.start, seed=record.seed, game=game)
        table.take_over(record.play(table.game))
        ending = ending_of(record, len(table.seats))
        if ending is not None and not table.is_over:
            fits = ending.points in [points for _, points in table.game.resignations(table.state)]
            table.end(ending if fits else ending._replace(points=0))
        table.clock = clock_from_json(record.more.get("clock"), len(table.seats))
        saved = record.more.get("analysis", {})
        if not isinstance(saved, dict):
            raise GameError(f"a saved game's 'analysis' is an object with plies, not {str(saved)[:60]!r}")
        for ply, found in saved.items():
            if not ply.isdecimal() or int(ply) > table.plies:
                raise GameError(f"a saved game's 'analysis' is by plies from 0 to {table.plies}, not {ply[:20]!r}")
            state = table.line[int(ply)].state
            names = [table.game.action_name(state, a) for a in table.legal_at(int(ply))]
            table.findings[int(ply)] = Findings.from_json(found, ply, names)
        return table

    def require_nothing_hidden(self, what: str) -> None:
        if self.game.hidden:
            raise Unsuitable(f"{what} is not available: {title_of(self.what)} has hidden information")

    def require_nothing_hidden_now(self, what: str) -> None:
        """What a viewer may not see cannot be shown, and not be saved in the browser either."""
        if self.viewer is not None:
            raise Unsuitable(f"{what} is not available before the game is over: it would reveal hidden information")

    def known(self, ply: int) -> Findings:
        """What has been found out about the position at this ply; it is done if there is nothing to choose."""
        if ply in self.findings:
            return self.findings[ply]
        if not self.legal_at(ply):
            return Findings(CHANCE, done=True)
        return Findings(self.game.to_move(self.line[ply].state))

    def legal_at(self, ply: int) -> list[Any]:
        """The legal moves at a ply; empty if chance is to move or the game is over."""
        position = self.line[ply]
        return self.play.rules_at(position).legal(position.state)


def settings_of(record: Record) -> tuple[str, ...]:
    """The parameters of a saved game as they are typed."""
    return tuple(f"{name}={value_text(value)}" for name, value in record.parameters.items())
