"""The desk where games are played: the game on the table, whoever plays at it, hints and analysis."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.app.web.table import PERSON, GameTable
from zermelo.arena.levels import levels, strongest
from zermelo.arena.player import Choice, Player
from zermelo.arena.roster import player_of
from zermelo.game.errors import Unsuitable
from zermelo.games.record import Record
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine

PLAYED = "engine:seconds=1"
TOLD = 0.1
"""How often, in seconds, an analysis that goes on tells what it has found."""


class PlayDesk:
    """The tab's game, its players, and whatever thinks for it."""

    def __init__(self, say: Say):
        self.say = say
        self.table: GameTable | None = None
        self.players: dict[str, Player] = {}
        self.engine: Engine | None = None
        self.analysing: tuple[bool, int] = (False, 3)
        self.guard = threading.RLock()
        self.wake = threading.Condition(self.guard)
        self.asked = 0  # counts what makes a search that is under way pointless
        self.hint = False
        threading.Thread(target=self._think_on, daemon=True).start()

    # What the page asks for.

    def do_new(
        self,
        game: str,
        settings: list[str] | None = None,
        seats: list[str] | None = None,
        moves: list[str] | None = None,
    ) -> None:
        table = GameTable(game, tuple(settings or ()), seats)
        for words in table.seats:
            if words != PERSON:
                player_of(words, table.game).close()  # what is wrong with it is said now
        for name in moves or ():
            table.move(name)
        self._use(table)

    def do_move(self, name: str) -> None:
        table = self._there()
        if table.shown != len(table.moves):  # a move in an earlier position begins another game from there
            del table.states[table.shown + 1 :], table.moves[table.shown :]
        table.move(name)
        self._changed()

    def do_undo(self) -> None:
        self._there().undo()
        self._changed()

    def do_show(self, ply: int) -> None:
        table = self._there()
        table.shown = min(ply, len(table.moves))
        self._changed()

    def do_flip(self, on: bool) -> None:
        self._there().flipped = on
        self.say(self._there().view())

    def do_seats(self, seats: list[str]) -> None:
        table = self._there()
        if len(seats) != len(table.seats):
            raise ValueError(f"there are {len(table.seats)} seats, not {len(seats)}")
        for words in seats:
            if words != PERSON:
                player_of(words, table.game).close()
        table.seats = list(seats)
        self._changed()

    def do_set_up(self, text: str) -> None:
        self._there().set_up(text)
        self._changed()

    def do_hint(self) -> None:
        self._there()
        self.hint = True
        self._interrupt()

    def do_analyse(self, on: bool, lines: int = 3) -> None:
        self.analysing = on, lines
        self._interrupt()

    def do_save(self) -> None:
        self.say({"kind": "saved", "record": self._there().record().to_json()})

    def do_load(self, record: dict[str, Any]) -> None:
        self._use(GameTable.of(Record.from_json(record)))

    def leave(self) -> None:
        self.analysing = False, self.analysing[1]
        self._interrupt()

    # How it is done.

    def _there(self) -> GameTable:
        if self.table is None:
            raise ValueError("there is no game on the table yet")
        return self.table

    def _use(self, table: GameTable) -> None:
        for player in self.players.values():
            player.close()
        self.table, self.players, self.engine = table, {}, None
        with contextlib.suppress(Unsuitable):
            self.engine = Engine(table.game)
        self.say(
            {
                "kind": "game",
                "game": table.what,
                "levels": [vars(each) for each in levels(table.game)],
                "strongest": f"{strongest(table.game)}:seconds=1",
                "analysable": self.engine is not None,
                "traits": str(table.game.traits),
            }
        )
        self._changed()

    def _changed(self) -> None:
        self.say(self._there().view())
        self._interrupt()

    def _interrupt(self) -> None:
        """Whatever is being searched is of no use any more."""
        self.asked += 1
        if self.engine is not None:
            self.engine.stop()
        self.wake.notify_all()

    def _think_on(self) -> None:
        """The thread that plays for players who are not people, gives hints, and analyses."""
        while True:
            with self.guard:
                job, asked = self._next_job(), self.asked
                if job is None:
                    self.wake.wait()
                    continue
            try:
                job(asked)
            except Exception as error:
                self.say({"kind": "error", "error": f"{type(error).__name__}: {error}"})
                with self.guard:
                    self.hint, self.analysing = False, (False, self.analysing[1])
                    if self.asked == asked:
                        self.wake.wait()

    def _next_job(self) -> Callable[[int], None] | None:
        table = self.table
        if table is None:
            return None
        at_end = table.shown == len(table.moves)
        if at_end and table.seat is not None and table.seats[table.seat] != PERSON:
            return self._play
        if self.hint:
            return self._give_hint
        if self.analysing[0] and self.engine is not None and self._analysed != self.asked:
            return self._analyse
        return None

    _analysed = -1

    def _play(self, asked: int) -> None:
        """The turn of somebody who is not a person."""
        with self.guard:
            if self.asked != asked:
                return  # somebody else may sit there now
            table = self._there()
            words = table.seats[table.seat or 0]
            turn = table.turn()
        self.say({"kind": "thinking", "who": words})
        if words not in self.players:
            self.players[words] = player_of(words, table.game)
            self.players[words].begin(table.game)
        began = time.monotonic()
        choice = self.players[words].choose(turn)
        analysis = choice.analysis if isinstance(choice, Choice) else None
        with self.guard:
            if self.asked != asked:
                return  # it has been taken back, or another game begun
            table.play(choice)
            said = {} if analysis is None else {"verdict": analysis.verdict, "exact": analysis.exact}
            self.say({"kind": "played", "who": words, "seconds": time.monotonic() - began, **said})
            self._changed()

    def _give_hint(self, asked: int) -> None:
        with self.guard:
            table = self._there()
            self.hint = False
            if table.is_over:
                raise ValueError("the game is over")
            turn = table.turn()
        words = f"{strongest(table.game)}:seconds=1"
        player = player_of(words, table.game)
        choice = player.choose(turn)
        name = table.game.action_name(turn.state, choice.action)
        verdict = choice.analysis.verdict if choice.analysis is not None else ""
        self.say({"kind": "hint", "move": name, "verdict": verdict, "ply": len(turn.states) - 1})

    def _analyse(self, asked: int) -> None:
        """Deepen until something changes, and tell what has been found."""
        with self.guard:
            table, engine, lines = self._there(), self.engine, self.analysing[1]
            states = table.states[: table.shown + 1]
            self._analysed = asked
            if engine is None or table.game.remembering(states).is_terminal(states[-1]):
                return
            engine.clear() if table.game.uses_history else None
        depth = 0
        while True:
            depth += 1
            with self.guard:
                if self.asked != asked:
                    return
            analysis = engine.think(states[-1], history=states[:-1], depth=depth, lines=lines)
            with self.guard:
                if self.asked != asked:
                    return
                self.say(told(analysis, table.shown))
            if analysis.depth < depth or all(move.proven for move in analysis.moves if move.line):
                return


def told(analysis: Analysis, ply: int) -> dict[str, Any]:
    """What the page is told of an analysis."""
    speed = analysis.nodes / analysis.seconds if analysis.seconds > 0 else 0.0
    return {
        "kind": "analysis",
        "ply": ply,
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "speed": speed,
        "value": analysis.value,
        "exact": analysis.exact,
        "lines": [
            {
                "move": move.name,
                "value": move.value,
                "verdict": analysis.verdict_on(move),
                "proven": move.proven,
                "line": list(analysis.names_of(move.line)),
            }
            for move in analysis.moves
            if move.line
        ],
    }
