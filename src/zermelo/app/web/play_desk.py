"""The desk for playing: answers the page's messages, and decides what to compute next."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from typing import Any

from zermelo.app.web.clock import GameClock
from zermelo.app.web.computer import Computer, key_of, require_player
from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.permitted import require_permitted
from zermelo.app.web.referee import Referee
from zermelo.app.web.study import Study
from zermelo.app.web.table import PERSON, GameTable, settings_of
from zermelo.app.web.table_view import about
from zermelo.app.web.thinker import Job, Outdated, Thinker, require_wanted
from zermelo.arena.levels import full_strength, levels, strongest
from zermelo.game.protocol import Game
from zermelo.games.resolve import reads_positions, resolve_at, value_text
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.play.record import Record, Variation

FIRST = "tic_tac_toe"
"""The game that is on the table before the user chooses one."""
HINTED = 1.0
"""The thinking time for a hint, in seconds."""
PACE = 0.5
"""The least seconds for a move if only computers play, so that one can watch."""
FORMATS = {"backgammon": "MAT", "checkers": "PDN", "chess": "PGN", "go": "SGF"}
"""The usual formats of saved games, other than JSON."""
BACKGAMMON = "backgammon"
BACKGAMMON_ID = re.compile(r"XGID|GNUBGID|(GNU Backgammon\s+)?Position ID|[\w+/]{14}:[\w+/]{12}$", re.ASCII)
"""How a backgammon position begins that is pasted into another game: XGID, or an ID of GNU Backgammon."""
"""The game that every XGID belongs to."""
NUMBERS = re.compile(r"(?<!\S)\d+\.+(?!\d)")
"""The numbers of moves, as in 1. e4 e5 2. Nf3."""


class PlayDesk:
    """The tab's game, and what is computed for it."""

    def __init__(self, say: Say):
        self.say = say
        self.table: GameTable | None = None
        self.computer: Computer | None = None
        self.is_analysing = self.is_reviewing = self.is_paused = self.is_away = self.wants_hint = False
        self.by_hand = False  # dice are entered by hand
        self.guard = threading.RLock()
        self.study = Study(say, self.guard)
        self.referee = Referee(self.guard, self._changed)
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
            table.show(table.play.positions()[_shown(fields)])
        self.do_look()

    def _is_on_the_table(
        self,
        game: str,
        settings: Sequence[str] = (),
        seats: list[str] | None = None,
        moves: Sequence[str | None] = (),
        start: str | None = None,
        seed: int | None = None,
        variations: Sequence[dict[str, Any]] = (),
        at: int | None = None,
        clock: Sequence[float] = (),
    ) -> bool:
        """Does a position belong to the game that is being played?"""
        table = self.table
        return (
            table is not None
            and self.computer is not None
            and self.computer.key == key_of(game, settings)
            and table.play.start == start
            and _has(table.play, moves, variations)
            and _shown({"moves": moves, "at": at}) < len(table.play.positions())
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
        variations: Sequence[dict[str, Any]] = (),
        at: int | None = None,
        clock: Sequence[float] = (),
    ) -> None:
        """Another game. `clock` is the seconds on each clock and the increment, `at` the number of the position."""
        loaded = self._loaded(game, tuple(settings or ()))
        given: dict[str, Any] = {"start": start, "moves": moves or (), "seed": seed}
        table = GameTable(game, settings or (), seats, **given, game=loaded, by_hand=self.by_hand)
        for words in table.seats:
            require_player(words, table.game)
        if variations:
            branches = tuple(Variation(each["after"], tuple(each["moves"])) for each in variations)
            record = Record(game, tuple(moves or ()), start=start, seed=table.play.seed, variations=branches)
            table.take_over(record.play(table.game))
        if at is not None:
            positions = table.play.positions()
            table.show(positions[min(at, len(positions) - 1)])
        if clock:
            table.clock = GameClock(clock[0], clock[1], len(table.seats))
        self._use(table)

    def do_move(self, name: str) -> None:
        table = self._there()
        seat = table.seat if table.at_end else None
        table.move(name)
        self.referee.moved(table, seat)
        self._changed()

    def do_step(self, path: list[str]) -> None:
        """Take the first steps of a move that is put together on the board."""
        self._there().begin_move(tuple(path))
        self.say(self._view())

    def do_roll(self, name: str) -> None:
        """What chance brings, such as a roll of dice: entered by hand, or a random one if there is no name."""
        self._there().roll(name)
        self._changed()

    def do_dice(self, on: bool) -> None:
        """Enter what chance brings by hand, in this game and in the next ones."""
        self.by_hand = on
        self._there().set_by_hand(on)
        self._changed()

    def do_undo(self) -> None:
        self._there().undo()
        self._changed()

    def do_go(self, to: int) -> None:
        """Show a position of any line, by the number that the page was told."""
        table = self._there()
        table.show(table.numbered(to))
        self._changed()

    def do_promote(self, to: int) -> None:
        table = self._there()
        table.promote(table.numbered(to))
        self._changed()

    def do_delete(self, to: int) -> None:
        table = self._there()
        table.delete(table.numbered(to))
        self._changed()

    def do_restore(self) -> None:
        self._there().restore()
        self._changed()

    def do_comment(self, to: int, text: str) -> None:
        self._there().numbered(to).comment = " ".join(text.split())
        self.say(self._view())

    def do_resign(self, points: int = 0) -> None:
        self.referee.resign(self._there(), points)
        self._changed()

    def do_next_game(self) -> None:
        """The next game of a match, after one that was resigned."""
        table = self._there()
        start = table.next_start()
        if start is None:
            raise ValueError("there is no next game: no game of a match was resigned")
        clock = () if table.clock is None else (table.clock.seconds, table.clock.increment)
        self.do_new(table.what, list(table.settings), table.seats, start=start, clock=clock)

    def do_offer_draw(self) -> None:
        """Offer a draw to a person, who answers on the page, or to the computer, which thinks about it."""
        self.referee.offer_draw(self._there())
        self._changed()

    def do_answer_draw(self, on: bool) -> None:
        self.referee.answer_draw(self._there(), on)
        self._changed()

    def do_rematch(self) -> None:
        """The same game again with the seats exchanged."""
        table = self._there()
        seats = [*table.seats[1:], table.seats[0]]
        clock = () if table.clock is None else (table.clock.seconds, table.clock.increment)
        self.do_new(table.what, list(table.settings), seats, start=table.play.start, clock=clock)

    def do_show(self, ply: int) -> None:
        table = self._there()
        line = table.visible_line
        table.shown = line[min(ply, len(line) - 1)].ply
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
        text = text.strip()
        what, seats = table.what, table.seats
        settings = list(table.settings)
        if BACKGAMMON_ID.match(text) and what != BACKGAMMON:
            what, settings, seats = BACKGAMMON, [], [PERSON, PERSON]
        if _is_position(table.game, text) or what != table.what:
            game, parameters = resolve_at(what, {}, text)
            said = game.parameters_in(text) or {}
            settings = [each for each in settings if each.partition("=")[0] not in said]
            settings += [f"{name}={value_text(value)}" for name, value in parameters.items()]
            self.do_new(what, settings, seats, start=text)
            return
        words = [word.strip() for word in text.split(",")] if "," in text else NUMBERS.sub(" ", text).split()
        self.do_new(what, settings, seats, moves=list(words))

    def do_edit_position(self, text: str, **changes: Any) -> None:
        """The board editor: the text of a position after a change, and what is wrong with it."""
        from zermelo.app.web.editing import edited  # it imports games, which takes a moment at the start

        self.say(edited(self._there().game, text, **changes))

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
        self._there().require_nothing_hidden_now("Saving")
        self.say({"kind": "saved", "record": self._there().record().to_json()})

    def do_export(self, form: str) -> None:
        """The game as text in one of the formats."""
        from zermelo.play.notation import FORMATS, JSON, write_game

        table = self._there()
        table.require_nothing_hidden_now("Saving")
        chosen = {each.name: each for each in FORMATS}.get(form, JSON)
        text = write_game(table.record(), table.play, chosen)
        self.say({"kind": "exported", "form": chosen.name, "ending": chosen.ending, "text": text})

    def do_load(self, record: dict[str, Any], at: int | None = None) -> None:
        self._load(Record.from_json(record), at)

    def do_import(self, text: str, number: int = 0) -> None:
        """A game of a text: PGN, PDN, SGF, .mat or JSON. If there are several, the page gets their titles."""
        from zermelo.play.notation import read_games

        found = read_games(text)
        if len(found) > 1:
            titles = [_title(record, i) for i, record in enumerate(found)]
            self.say({"kind": "contents", "titles": titles, "chosen": number})
        record = found[min(number, len(found) - 1)]
        require_permitted({"record": record.to_json()}, ())
        self._load(record, 0)

    def _load(self, saved: Record, at: int | None) -> None:
        table = GameTable.of(saved, self._loaded(saved.game, settings_of(saved)))
        if at is not None:
            positions = table.play.positions()
            table.show(positions[min(at, len(positions) - 1)])
        self._use(table)

    def leave(self) -> None:
        self.is_away = True
        if self.table is not None:
            self.referee.watch(self.table, stopped=True)
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
        said: dict[str, Any] = {"kind": "game", "game": table.what, **about(table)}
        said["levels"] = [vars(each) for each in levels(table.game)]
        said["strongest"] = full_strength(table.game, 1)
        said["may_be_drawn"] = table.game.may_be_drawn
        said["hidden"], said["analysable"] = table.game.hidden, computer.can_analyse
        said["rolls"] = table.game.traits.lists_outcomes and not table.game.hidden
        said["format"] = FORMATS.get(table.what, "JSON")
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
        self.referee.watch(self._there(), stopped=self.is_paused or self.is_away)
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
        if self.referee.must_answer(table):
            return self._consider_draw
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
            if self.table is not None and self.referee.must_answer(self.table):
                self.table.offer = None

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
            seat = table.seat or 0
            words, turn = table.seats[seat], table.turn(token)
            pace = PACE if not table.people else 0.0
            self.say({"kind": "thinking", "who": words})
        began = time.monotonic()
        choice = computer.choose(words, turn, token)
        token.wait(max(began + pace - time.monotonic(), 0.0))
        with self.guard:
            require_wanted(token)
            table.choose(choice)
            self.referee.moved(table, seat)
            analysis = None if table.game.hidden else choice.analysis  # its value would tell what the player holds
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

    def _consider_draw(self, token: StopToken) -> None:
        """The computer's answer to the offer of a draw."""
        with self.guard:
            table, computer = self._at_work(token)
            turn = table.turn(token)
            self.say({"kind": "thinking", "who": "draw"})
        choice = computer.choose(f"{strongest(turn.game)}:seconds={HINTED:g}", turn, token)
        with self.guard:
            require_wanted(token)
            accepts = choice.analysis is not None and self.referee.accepts(table, choice.analysis)
            self.referee.answer_draw(table, accepts)
            if not accepts:
                self.say({"kind": "declined"})
            self._changed()

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


def _shown(fields: dict[str, Any]) -> int:
    """The number of the position that an address shows: by default the end of the main line."""
    at = fields.get("at")
    return len(fields.get("moves") or ()) if at is None else at


def _has(play: Play, moves: Sequence[str | None], variations: Sequence[dict[str, Any]]) -> bool:
    """Does a game begin with these moves, and have these variations?"""
    whole = Record.of(play, "")
    if variations:
        given = tuple(Variation(each["after"], tuple(each["moves"])) for each in variations)
        return (whole.moves, whole.variations) == (tuple(moves), given)
    return whole.moves[: len(moves)] == tuple(moves)


def _is_position(game: Game, text: str) -> bool:
    """Is a text a position in the game's notation, rather than moves?"""
    if not reads_positions(game) or not text:
        return False
    if game.offers("parameters_in"):
        return game.parameters_in(text) is not None
    return "/" in text or len(text.split()[0]) > 7


def _title(record: Record, number: int) -> str:
    """What a game of a file is called."""
    tags = record.tags
    who = " – ".join(tags[name] for name in ("White", "Black") if name in tags) or f"game {number + 1}"
    return ", ".join(filter(None, (who, tags.get("Event", "").strip("?"), tags.get("Date", "").strip("?."))))
