"""The desk where games are played: the game on the table, whoever plays at it, hints, analysis and reviews."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.app.web.analyst import compare, copied, deepen
from zermelo.app.web.compiling import PLAIN_TABLE, Readiness
from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.findings import Finding, Findings, Judge
from zermelo.app.web.table import PERSON, GameTable, settings_of, version_of
from zermelo.arena.levels import level, levels, strongest
from zermelo.arena.player import Choice, Player
from zermelo.arena.roster import SIMPLE, player_of
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import reads_positions
from zermelo.play.record import Record
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine, Thinking
from zermelo.search.registry import algorithms

FIRST = "tic_tac_toe"
"""The game that is on the table before anybody has chosen one."""
TOLD = 0.1
"""How often, in seconds, an analysis that goes on tells what it has found."""
REVIEWED, HINTED = 0.7, 1.0
"""For how many seconds a review looks at each position, and a hint is thought about."""
PACE = 0.5
"""How many seconds a move takes at least where nobody but engines plays, so that one can watch."""
WAITED, PLAIN_SECONDS = 2.5, 1.0
"""For how long players wait for their compiled program, and how long they then think about a move without."""
AT_ONCE, AGAIN = 1e-6, 0.02
"""The seconds that a search is left which nobody wants any more; and after which a player is told so once more."""
NUMBERS = re.compile(r"(?<!\S)\d+\.+(?!\d)")
"""The numbers of moves, as in 1. e4 e5 2. Nf3."""


class Outdated(Exception):
    """Nobody wants to know any more what is being searched."""


class PlayDesk:
    """The tab's game, its players, and whatever thinks for it."""

    def __init__(self, say: Say):
        self.say = say
        self.table: GameTable | None = None
        self.readiness: Readiness | None = None
        self.key: Any = None  # which game that is
        self.judge: Judge | None = None
        self.players: dict[str, Player] = {}
        self.begun: set[str] = set()  # those of them who know that this is a new game
        self.is_analysing = self.is_reviewing = self.is_paused = self.is_away = self.wants_hint = False
        self.guard = threading.RLock()
        self.wake = threading.Condition(self.guard)
        self.asked = 0  # counts what makes a search that is under way pointless
        self.thinking: Thinking | None = None
        self.player: Player | None = None  # who is thinking about its move,
        self.playing = 0  # and what was asked for when it began
        self.failed = -1  # what was asked when something went wrong: it is not tried again
        self.news = threading.Event()
        threading.Thread(target=self._think_on, daemon=True).start()
        threading.Thread(target=self._tell_on, daemon=True).start()

    # What the page asks for.

    def do_look(self) -> None:
        """The page has come back to this desk."""
        self.is_away = False
        if self.table is None:
            self.do_new(FIRST)
        else:
            self._introduce(self.table)
            self._changed()

    def do_open(self, game: str, **fields: Any) -> None:
        """The page has come with an address: nothing is lost where that is a position of the game on the table."""
        if not self._is_on_the_table(game, **fields):
            self.do_new(game, **fields)
            return
        table = self._there()
        if table.viewer is None:  # otherwise the address does not tell the moves
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
        """Whether a position belongs to the game that is being played, so that nothing of that is lost."""
        table = self.table
        return (
            table is not None
            and self.key == (game, tuple(settings), version_of(game))
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
            self._require_player(words, table.game)
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
            self._require_player(words, table.game)
        table.seats, table.shown = list(seats), table.plies
        self._changed()

    def do_pause(self, on: bool) -> None:
        self._there()
        self.is_paused = on
        self._changed()

    def do_set_up(self, text: str) -> None:
        """Begin from a position: in the game's own notation, or by the moves that lead to it."""
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
        self._interrupt()

    def do_analyse(self, on: bool) -> None:
        self.is_analysing = on
        if self.table is not None:
            self._changed()

    def do_review(self, on: bool) -> None:
        self._there()
        self.is_reviewing = on
        self._interrupt()
        if not on:
            self.say({"kind": "review", "done": 0, "of": 0})

    def do_save(self) -> None:
        self.say({"kind": "saved", "record": self._there().record().to_json()})

    def do_load(self, record: dict[str, Any]) -> None:
        saved = Record.from_json(record)
        self._use(GameTable.of(saved, self._loaded(saved.game, settings_of(saved))))

    def leave(self) -> None:
        self.is_away = True
        self._interrupt()

    # The game.

    def _there(self) -> GameTable:
        if self.table is None:
            raise ValueError("there is no game on the table yet")
        return self.table

    def _loaded(self, what: str, settings: tuple[str, ...]) -> Game | None:
        """The game, where it is the one that is on the table: its engine knows the states of no other copy."""
        same = self.key == (what, settings, version_of(what))
        return self.readiness.game if self.readiness is not None and same else None

    def _require_player(self, words: str, game: Game) -> None:
        """Say at once what is wrong with a player."""
        if words != PERSON:
            player_of(_plainly(words, game), game).close()

    def _use(self, table: GameTable) -> None:
        if self.readiness is None or table.game is not self.readiness.game:
            if self.readiness is not None:
                self.readiness.close()
            for player in self.players.values():
                player.close()
            self.players.clear()
            self.key = (table.what, table.settings, version_of(table.what))
            self.judge = Judge(table.what, table.game)
            self.readiness = Readiness(table.what, table.settings, table.game, self._readiness_changed)
        self.table = table
        self.begun.clear()
        self.is_paused = self.is_reviewing = self.is_away = False
        self._introduce(table)
        self._changed()

    def _introduce(self, table: GameTable) -> None:
        traits = table.game.traits
        said: dict[str, Any] = {"kind": "game", "game": table.what, **table.about()}
        said["levels"] = [vars(each) for each in levels(table.game)]
        said["strongest"] = None if traits.hidden else f"{strongest(table.game)}:seconds=1"
        said["analysable"] = not traits.hidden
        self.say(said)
        self._tell_readiness()

    def _readiness_changed(self, readiness: Readiness) -> None:
        """Once it is compiled, whoever was thinking in plain Python begins again."""
        with self.guard:
            if readiness is not self.readiness:
                return
            self._tell_readiness()
            if readiness.ready.is_set():
                self.players.clear()
                self.begun.clear()
                for found in self._there().findings.values():
                    found.seconds = 0.0  # in which plain Python has not found out much
                    found.done = found.done and all(each.proven for each in found.moves.values())
                self._interrupt()

    def _tell_readiness(self) -> None:
        readiness = self.readiness
        if readiness is not None:
            seconds = time.monotonic() - readiness.began if readiness.state == "compiling" else readiness.seconds
            said = {"state": readiness.state, "seconds": seconds, "reason": readiness.reason}
            self.say({"kind": "readiness", **said})

    def _changed(self) -> None:
        self._interrupt()
        self.say(self._view())
        self.news.set()

    def _view(self) -> dict[str, Any]:
        return {**self._there().view(), "paused": self.is_paused, "analysing": self.is_analysing}

    def _interrupt(self) -> None:
        """Whatever is being searched is of no use any more."""
        self.asked += 1
        if self.thinking is not None:
            self.thinking.limit(AT_ONCE)
        self._stop_player()
        self.wake.notify_all()

    def _stop_player(self) -> None:
        """Again and again, for a stop that comes before a search has begun is none."""
        with self.guard:
            if self.player is None or self.playing == self.asked:
                return
            inner: Any = self.player
            while inner is not None:
                engine, inner = getattr(inner, "engine", None), getattr(inner, "player", None)
                if isinstance(engine, Engine):
                    engine.stop()
            threading.Timer(AGAIN, self._stop_player).start()

    # Whoever thinks.

    def _think_on(self) -> None:
        """The thread that plays for players who are not people, gives hints, reviews, and analyses."""
        while True:
            with self.guard:
                job, asked = self._next_job(), self.asked
                if job is None or asked == self.failed:
                    self.wake.wait()
                    continue
            try:
                job(asked)
            except Outdated:
                pass
            except Exception as error:
                self.say({"kind": "error", "error": in_words(error)})
                with self.guard:
                    self.wants_hint = self.is_reviewing = False
                    self.failed = asked

    def _next_job(self) -> Callable[[int], None] | None:
        table = self.table
        if table is None or self.is_away:
            return None
        seat = table.seat
        if seat is not None and table.seats[seat] != PERSON and not self.is_paused:
            return self._play
        if self.wants_hint:
            return self._give_hint
        if table.game.hidden:
            return None
        if self.is_reviewing:
            return self._review
        if self.is_analysing and not self._known(table.shown).done:
            return self._analyse
        return None

    def _tell_on(self) -> None:
        """The thread that tells what an analysis has found: often enough, and not too often."""
        while True:
            self.news.wait()
            self.news.clear()
            with self.guard:
                if self.table is None or self.judge is None:
                    continue
                table = self.table
                found = table.findings.get(table.shown)
                if found is not None:
                    self.say(self.judge.told(found, table.shown))
                if not table.game.hidden:
                    self.say(self.judge.graph(table.states, table.moves, table.findings, table.is_over))
            time.sleep(TOLD)

    def _known(self, ply: int) -> Findings:
        """What is known of the position at this ply; where there is nothing to find out, that."""
        table = self._there()
        if ply not in table.findings:
            if not table.legal_at(ply):
                return Findings(CHANCE, done=True)
            return Findings(table.game.to_move(table.states[ply]))
        return table.findings[ply]

    def _play(self, asked: int) -> None:
        """The turn of somebody who is not a person."""
        with self.guard:
            if self.asked != asked:
                return  # somebody else may sit there now
            table = self._there()
            words, turn = table.seats[table.seat or 0], table.turn()
            pace = PACE if not table.people else 0.0
            self.say({"kind": "thinking", "who": words})
        began = time.monotonic()
        analysis, action = self._chosen(words, turn, asked)
        with self.guard:
            while self.asked == asked and time.monotonic() - began < pace:
                self.wake.wait(pace)
            self._require_wanted(asked)
            table.choose(action)
            said = {} if analysis is None else {"verdict": self._verdict(analysis), "exact": analysis.exact}
            self.say({"kind": "played", "who": words, "seconds": time.monotonic() - began, **said})
            self._changed()

    def _give_hint(self, asked: int) -> None:
        with self.guard:
            table = self._there()
            self.wants_hint = False
            states = table.states[: table.shown + 1]
            if not table.legal_at(table.shown):
                raise ValueError("there is nothing to choose in this position")
            table.require_nothing_hidden("a hint")
            turn = table.turn()
            self.say({"kind": "thinking", "who": "hint"})
        turn = type(turn)(turn.game, states, turn.moves[: len(states) - 1], turn.game.to_move(states[-1]), turn.random)
        try:
            analysis, action = self._chosen(f"{strongest(turn.game)}:seconds={HINTED:g}", turn, asked)
            name = turn.game.action_name(turn.state, action)
            verdict = "" if analysis is None else self._verdict(analysis)
            with self.guard:
                self._require_wanted(asked)
                self.say({"kind": "hint", "move": name, "verdict": verdict, "ply": len(states) - 1})
        except Outdated:
            with self.guard:  # where the same position is shown, it was compiled meanwhile: the hint is still wanted
                self.wants_hint |= table is self.table and table.states[: table.shown + 1] == states
            raise

    def _verdict(self, analysis: Analysis) -> str:
        assert self.judge is not None
        return self.judge.verdict(Finding(analysis.value, analysis.distance, analysis.exact), analysis.player)

    def _wait_for(self, seconds: float, asked: int) -> None:
        """Until the search is compiled, or that has taken so long."""
        readiness = self.readiness
        assert readiness is not None
        readiness.begin()
        while not readiness.ready.wait(0.02) and time.monotonic() < readiness.began + seconds:
            with self.guard:
                self._require_wanted(asked)

    def _chosen(self, words: str, turn: Any, asked: int) -> tuple[Analysis | None, Any]:
        """What a player chooses: compiled, or where that takes long, in plain Python."""
        readiness = self.readiness
        assert readiness is not None
        if _plainly(words, turn.game) not in SIMPLE:
            self._wait_for(WAITED, asked)
        with self.guard:
            self._require_wanted(asked)
            if readiness.state != "compiled":
                words = _plainly(words, turn.game)
            player = self.players.get(words)
        if player is None or words not in self.begun:
            player = player or player_of(words, turn.game)
            player.begin(turn.game)
        with self.guard:
            self._require_wanted(asked)
            self.players[words] = self.player = player
            self.playing = asked
            self.begun.add(words)
        try:
            choice = player.choose(turn)
        finally:
            self.player = None
        return (choice.analysis, choice.action) if isinstance(choice, Choice) else (None, choice)

    def _review(self, asked: int) -> None:
        """Every position of the game, each for a while; in plain Python that would find little."""
        with self.guard:
            table = self._there()
            plies = [ply for ply in range(table.plies + 1) if table.legal_at(ply)]
            self._tell_review(asked, 0, len(plies))
        self._wait_for(float("inf"), asked)
        for count, ply in enumerate(plies):
            self._tell_review(asked, count, len(plies))
            if self._known(ply).seconds < REVIEWED:
                self._look_at(ply, asked, until=time.monotonic() + REVIEWED, reviewing=True)
        with self.guard:
            self._tell_review(asked, len(plies), len(plies))
            self.is_reviewing = False

    def _tell_review(self, asked: int, done: int, of: int) -> None:
        """How far a review is; nothing where it has been stopped, and the page was told so."""
        with self.guard:
            self._require_wanted(asked)
            self.say({"kind": "review", "done": done, "of": of})

    def _analyse(self, asked: int) -> None:
        """Deepen until something changes."""
        with self.guard:
            ply = self._there().shown
        self._look_at(ply, asked)

    def _look_at(self, ply: int, asked: int, until: float = float("inf"), reviewing: bool = False) -> None:
        """Find out more about a position, until nobody asks any more, or time is up.

        A review has little time, and asks for two moves alone where values are estimates: the best and the one played.
        """
        with self.guard:
            self._require_wanted(asked)
            table, readiness = self._there(), self.readiness
            assert readiness is not None
            readiness.begin()
            states, known = table.states[: ply + 1], copied(self._known(ply))
            engine, is_compiled = readiness.engine, readiness.state == "compiled"

        def ask(engine: Engine, state: Any, **limits: Any) -> Analysis:
            left = until - time.monotonic()
            with self.guard:
                self._require_wanted(asked)
                if left <= 0:
                    raise TimeoutError
                self.thinking = thinking = engine.start(state, seconds=left, **limits)
            analysis = thinking.result()
            with self.guard:
                self.thinking = None
                self._require_wanted(asked)
            if time.monotonic() >= until:
                raise TimeoutError
            return analysis

        if reviewing and engine is not None and engine.memories[0].has_evaluation:
            played = table.moves[ply] if ply < table.plies else None
            found = compare(engine, states, played, ask)
        else:
            found = deepen(table.game, engine, states, known, ask, is_compiled)
        try:
            for findings in found:
                with self.guard:
                    self._require_wanted(asked)
                    table.findings[ply] = copied(findings)
                    self.news.set()
                if time.monotonic() >= until:
                    break
        except TimeoutError:
            pass

    def _require_wanted(self, asked: int) -> None:
        if self.asked != asked:
            raise Outdated


def _plainly(words: str, game: Game) -> str:
    """The same player in plain Python, which does not think for long."""
    kind, _, name = words.partition(":")
    if kind == "level":
        words = level(game, name).player
    kind, _, options = words.partition(":")
    if kind in SIMPLE:
        return words
    more = ["compile=False"]
    more += [f"seconds={PLAIN_SECONDS}"] * ("seconds=" not in options)
    more += [f"table={PLAIN_TABLE}"] * ("table=" not in options and _has_table(kind))
    return f"{kind}:{','.join(filter(None, (options, *more)))}"


def _has_table(kind: str) -> bool:
    return any(each.name == kind and "table" in each.options for each in algorithms())
