"""The desk for playing: answers the page's messages, and decides what to compute next."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from typing import Any

from zermelo.app.web.computer import Computer, key_of, require_player
from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.study import Study
from zermelo.app.web.table import PERSON, GameTable, settings_of
from zermelo.app.web.thinker import Job, Outdated, Thinker, require_wanted
from zermelo.arena.levels import levels, strongest
from zermelo.game.protocol import Game
from zermelo.games.resolve import reads_positions
from zermelo.kernel.stopping import StopToken
from zermelo.play.record import Record

FIRST = "tic_tac_toe"
"""The game that is on the table before the user chooses one."""
HINTED = 1.0
"""The thinking time for a hint, in seconds."""
PACE = 0.5
"""The least seconds for a move if only computers play, so that one can watch."""
NUMBERS = re.compile(r"(?<!\S)\d+\.+(?!\d)")
"""The numbers of moves, as in 1. e4 e5 2. Nf3."""


class PlayDesk:
    """The tab's game, and what is computed for it."""

    def __init__(self, say: Say):
        self.say = say
        self.table: GameTable | None = None
        self.computer: Computer | None = None
        self.is_analysing = self.is_reviewing = self.is_paused = self.is_away = self.wants_hint = False
        self.guard = threading.RLock()
        self.study = Study(say, self.guard)
        self.thinker = Thinker(self.guard, self._next_job, self._failed)

    # What the page asks for.

    def do_look(self) -> None:
        """The page shows this desk again."""
        self.is_away = False
        if self.table is None or self.computer is None:
            self.do_new(FIRST)
        else:
            self._introduce(self.table, self.computer)
            self._changed()

    def do_open(self, game: str, **fields: Any) -> None:
        """The page was opened with an address. A position of the game on the table is shown: nothing is lost."""
        if not self._is_on_the_table(game, **fields):
            self.do_new(game, **fields)
            return
        table = self._there()
        if table.viewer is None:  # otherwise the address does not have the moves
            table.shown = len(fields.get("moves", ()))
        self.do_look()

    def _is_on_the_table(
        self,
        game: str,
        settings: Sequence[str] = (),
        seats: list[str] | None = None,
        moves: Sequence[str | None] = (),
        start: str | None = None,
        seed: int | None = None,
    ) -> bool:
        """Does a position belong to the game that is being played?"""
        table = self.table
        return (
            table is not None
            and self.computer is not None
            and self.computer.key == key_of(game, settings)
            and table.play.start == start
            and table.moves[: len(moves)] == list(moves)
            and seats in (None, table.seats)
            and seed in (None, table.play.seed)
        )

    def do_new(
        self,
        game: str,
        settings: list[str] | None = None,
        seats: list[str] | None = None,
        moves: list[str | None] | None = None,
        start: str | None = None,
        seed: int | None = None,
    ) -> None:
        loaded = self._loaded(game, tuple(settings or ()))
        table = GameTable(game, settings or (), seats, start=start, moves=moves or (), seed=seed, game=loaded)
        for words in table.seats:
            require_player(words, table.game)
        self._use(table)

    def do_move(self, name: str) -> None:
        self._there().move(name)
        self._changed()

    def do_undo(self) -> None:
        self._there().undo()
        self._changed()

    def do_show(self, ply: int) -> None:
        table = self._there()
        table.shown = min(ply, table.plies)
        self._changed()

    def do_flip(self, on: bool) -> None:
        self._there().flipped = on
        self.say(self._view())

    def do_seats(self, seats: list[str]) -> None:
        table = self._there()
        if len(seats) != len(table.seats):
            raise ValueError(f"there are {len(table.seats)} seats, not {len(seats)}")
        for words in seats:
            require_player(words, table.game)
        table.seats, table.shown, table.flipped = list(seats), table.plies, None
        self._changed()

    def do_pause(self, on: bool) -> None:
        self._there()
        self.is_paused = on
        self._changed()

    def do_set_up(self, text: str) -> None:
        """Start from a position: in the game's own notation, or by the moves that lead to it."""
        table = self._there()
        about: dict[str, Any] = {"settings": list(table.settings), "seats": table.seats}
        words = [word.strip() for word in text.split(",")] if "," in text else NUMBERS.sub(" ", text).split()
        if reads_positions(table.game) and words and ("/" in text or len(words[0]) > 7):
            self.do_new(table.what, **about, start=text)
        else:
            self.do_new(table.what, **about, moves=list(words))

    def do_hint(self) -> None:
        if self._there().is_over:
            raise ValueError("the game is over")
        self.wants_hint = True
        self.thinker.interrupt()

    def do_analyse(self, on: bool) -> None:
        self.is_analysing = on
        if self.table is not None:
            self._changed()

    def do_review(self, on: bool) -> None:
        self._there()
        self.is_reviewing = on
        self.thinker.interrupt()
        if not on:
            self.say({"kind": "review", "done": 0, "of": 0})

    def do_save(self) -> None:
        self.say({"kind": "saved", "record": self._there().record().to_json()})

    def do_load(self, record: dict[str, Any]) -> None:
        saved = Record.from_json(record)
        self._use(GameTable.of(saved, self._loaded(saved.game, settings_of(saved))))

    def leave(self) -> None:
        self.is_away = True
        self.thinker.interrupt()

    # The game.

    def _there(self) -> GameTable:
        if self.table is None:
            raise ValueError("there is no game on the table yet")
        return self.table

    def _loaded(self, what: str, settings: tuple[str, ...]) -> Game | None:
        """The game, if it is the one on the table: an engine knows the states of one copy only."""
        computer = self.computer
        return computer.game if computer is not None and computer.key == key_of(what, settings) else None

    def _use(self, table: GameTable) -> None:
        """Put a game on the table."""
        if self.computer is None or table.game is not self.computer.game:
            if self.computer is not None:
                self.computer.close()
            self.computer = Computer(table, self.guard, self._readiness_changed)
            self.computer.readiness.begin()
        self.table = table
        self.computer.new_game()
        self.is_paused = self.is_reviewing = self.is_away = False
        self._introduce(table, self.computer)
        self._changed()

    def _introduce(self, table: GameTable, computer: Computer) -> None:
        said: dict[str, Any] = {"kind": "game", "game": table.what, **table.about()}
        said["levels"] = [vars(each) for each in levels(table.game)]
        said["strongest"] = f"{strongest(table.game)}:seconds=1"
        said["hidden"], said["analysable"] = table.game.hidden, computer.can_analyse
        self.say(said)
        self.say(computer.status())

    def _readiness_changed(self, computer: Computer) -> None:
        """Once the program is compiled, everything that was computed in plain Python starts again."""
        with self.guard:
            if computer is not self.computer:
                return
            self.say(computer.status())
            if computer.recompiled():
                for found in self._there().findings.values():
                    found.seconds = 0.0  # plain Python has not found much
                    found.done = found.done and all(each.proven for each in found.moves.values())
                self.thinker.interrupt()

    def _changed(self) -> None:
        self.thinker.interrupt()
        self.say(self._view())
        if self.computer is not None:
            self.study.tell(self._there(), self.computer)

    def _view(self) -> dict[str, Any]:
        return {**self._there().view(), "paused": self.is_paused, "analysing": self.is_analysing}

    # What is computed.

    def _next_job(self) -> Job | None:
        table = self.table
        if table is None or self.is_away:
            return None
        seat = table.seat
        if seat is not None and table.seats[seat] != PERSON and not self.is_paused:
            return self._play
        if self.wants_hint:
            return self._give_hint
        if self.computer is None or not self.computer.can_analyse:
            return None
        if self.is_reviewing:
            return self._review
        if self.is_analysing and not table.known(table.shown).done:
            return self._analyse
        return None

    def _failed(self, error: Exception) -> None:
        self.say({"kind": "error", "error": in_words(error)})
        with self.guard:
            self.wants_hint = self.is_reviewing = False

    def _at_work(self, token: StopToken) -> tuple[GameTable, Computer]:
        """The game and its computer, if the job is still wanted."""
        require_wanted(token)
        assert self.table is not None
        assert self.computer is not None
        return self.table, self.computer

    def _play(self, token: StopToken) -> None:
        """The turn of a computer player."""
        with self.guard:
            table, computer = self._at_work(token)
            words, turn = table.seats[table.seat or 0], table.turn(token)
            pace = PACE if not table.people else 0.0
            self.say({"kind": "thinking", "who": words})
        began = time.monotonic()
        choice = computer.choose(words, turn, token)
        token.wait(max(began + pace - time.monotonic(), 0.0))
        with self.guard:
            require_wanted(token)
            table.choose(choice)
            analysis = choice.analysis
            said = {} if analysis is None else {"verdict": computer.verdict(analysis), "exact": analysis.exact}
            self.say({"kind": "played", "who": words, "seconds": time.monotonic() - began, **said})
            self._changed()

    def _give_hint(self, token: StopToken) -> None:
        with self.guard:
            table, computer = self._at_work(token)
            self.wants_hint = False
            states = table.states[: table.shown + 1]
            if not table.legal_at(table.shown):
                raise ValueError("there is nothing to choose in this position")
            table.require_nothing_hidden("A hint")
            turn = table.turn(token, table.shown)
            self.say({"kind": "thinking", "who": "hint"})
        try:
            choice = computer.choose(f"{strongest(turn.game)}:seconds={HINTED:g}", turn, token)
            name = turn.game.action_name(turn.state, choice.action)
            verdict = "" if choice.analysis is None else computer.verdict(choice.analysis)
            with self.guard:
                require_wanted(token)
                self.say({"kind": "hint", "move": name, "verdict": verdict, "ply": len(states) - 1})
        except Outdated:
            with self.guard:  # if the same position is shown, the program is ready now, and the hint is still wanted
                self.wants_hint |= table is self.table and table.states[: table.shown + 1] == states
            raise

    def _review(self, token: StopToken) -> None:
        with self.guard:
            table, computer = self._at_work(token)
        self.study.review(table, computer, token)
        with self.guard:
            require_wanted(token)
            self.is_reviewing = False

    def _analyse(self, token: StopToken) -> None:
        """Analyse the position that is shown until something changes."""
        with self.guard:
            table, computer = self._at_work(token)
            ply = table.shown
        self.study.analyse(table, computer, ply, token)
