"""`zermelo uci`: chess by the Universal Chess Interface (Meyer-Kahlen and Huber 2000).

One thread reads commands, another carries them out in order. Only compiling takes long there: searches run in the
background, so that `stop` and `isready` are answered meanwhile. The reading thread handles `quit` at once.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import math
import queue
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import __version__
from zermelo.arena.uci_option import EMPTY, Option
from zermelo.game.errors import IllegalAction
from zermelo.game.presentation import OWN
from zermelo.kernel.compilations import telling
from zermelo.protocols.strength import Strength, strength, strengths
from zermelo.protocols.uci_search import Search
from zermelo.protocols.uci_words import Go, command_of, position, setting

if TYPE_CHECKING:  # slow imports happen on demand, after `uciok`
    from zermelo.arena.player import Player
    from zermelo.games.chess import Chess, ChessState
    from zermelo.kernel.random import Random
    from zermelo.lookup import OpeningBook
    from zermelo.lookup.probing import Tables
    from zermelo.play.play import Play
    from zermelo.search.engine import Clock, Engine

BUILT, NO_TABLES = "built", "none"
"""Values of the option EndgameTables: the tables in the default folder, if any; or no tables. Others are folders."""
LEAST, MOST = strengths()[0].elo, strengths()[-1].elo
OPTIONS = (
    Option("Hash", "spin", "64", 1, 32768),
    Option("Clear Hash", "button"),
    Option("Threads", "spin", "1", 1, 256),
    Option("MultiPV", "spin", "1", 1, 256),
    Option("Ponder", "check", "false"),
    Option("OwnBook", "check", "false"),
    Option("Book File", "string", EMPTY),
    Option("EndgameTables", "string", BUILT),
    Option("Move Overhead", "spin", "60", 0, 5000),
    Option("UCI_Chess960", "check", "false"),
    Option("UCI_ShowWDL", "check", "false"),
    Option("UCI_LimitStrength", "check", "false"),
    Option("UCI_Elo", "spin", str(MOST), LEAST, MOST),
)
REBUILDING = ("Hash", "Threads", "EndgameTables", "UCI_Chess960", "UCI_LimitStrength")
"""Options that need a new engine."""
PARTING = 0.7
"""Seconds that a running command has to finish on `quit`."""
LONGEST = 1e6
"""The longest time limit in seconds."""


class Uci:
    """The UCI program: reads commands and writes answers."""

    def __init__(self, say: Callable[[str], Any]):
        self.say = say
        self.values = {option.name: option.default for option in OPTIONS}
        self.commands: dict[str, Callable[[list[str]], Any]] = {
            "uci": self.uci,
            "isready": self.isready,
            "ucinewgame": self.ucinewgame,
            "setoption": self.setoption,
            "position": self.position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
            "debug": lambda words: None,
            "register": lambda words: None,
            "d": self.show,
            "help": self.help,
            "quit": lambda words: None,
        }
        self.engine: Engine | None = None
        self.book: OpeningBook | None = None
        self.weak: Player | None = None
        self.play: Play | None = None
        self.words: list[str] = []  # the moves of the game as the interface writes them
        self.search: Search | None = None
        self.work: queue.SimpleQueue[tuple[str, list[str], float]] = queue.SimpleQueue()
        self.asked = 0.0

    def run(self, lines: Iterable[str]) -> None:
        """Carry out commands until `quit` or the end of the input."""
        worker = threading.Thread(target=self._carry_out, name="zermelo-uci", daemon=True)
        worker.start()
        for line in lines:
            name, words = command_of(line, self.commands)
            if name == "quit":
                break
            if name:
                self.work.put((name, words, time.perf_counter()))
        self.work.put(("quit", [], 0.0))
        worker.join(PARTING)

    def _carry_out(self) -> None:
        while True:
            name, words, self.asked = self.work.get()
            if name == "quit":
                self.stop([])
                return
            try:
                self.commands[name](words)
            except Exception as error:
                self.tell(f"{name}: {error}")
                if name == "go":  # the interface waits for a move
                    self.give_up()

    def tell(self, text: str) -> None:
        """Print a message for people on one line."""
        self.say(f"info string {' '.join(text.split())[:500]}")

    # Commands.

    def uci(self, words: list[str]) -> None:
        self.say(f"id name zermelo {__version__}")
        self.say("id author the zermelo authors")
        for option in OPTIONS:
            self.say(option.line())
        self.say("uciok")

    def isready(self, words: list[str]) -> None:
        try:
            self.prepared()
        finally:
            self.say("readyok")

    def ucinewgame(self, words: list[str]) -> None:
        self.stop([])
        if self.engine is not None:
            self.engine.clear()

    def setoption(self, words: list[str]) -> None:
        read = setting(words)
        names = {option.name.casefold(): option for option in OPTIONS}
        if read is None or read[0].casefold() not in names:
            name = "" if read is None else read[0]
            near = difflib.get_close_matches(name.casefold(), names, 1)
            hint = f"did you mean {names[near[0]].name}?" if near else f"there are {', '.join(self.values)}"
            self.tell(f"there is no option {name!r}; {hint}")
            return
        option, value = names[read[0].casefold()], read[1]
        if option.name == "Clear Hash":
            self.ucinewgame([])
            return
        value = option.checked(value)
        if option.name == "Book File":
            from zermelo.lookup import open_book

            self.book = None if value in ("", EMPTY) else open_book(value, self.rules)
        if option.name in REBUILDING and value != self.values[option.name]:
            self.stop([])
            self.engine = None
            if option.name == "UCI_Chess960":
                self.play = None  # it was read by other rules
        self.values[option.name] = value

    def position(self, words: list[str]) -> None:
        """Set the position. Moves that were there the last time are not played again."""
        read = position(words)
        if read is None:
            self.tell("a position is startpos or fen FEN, followed by moves if there are any")
            return
        from zermelo.play.play import Play

        start, moves = read
        play = self.play
        if play is None or start != play.start or moves[: len(self.words)] != self.words:
            play, self.words = Play(self.rules, start=start, seed=0), []
        for word in moves[len(self.words) :]:
            try:
                play.move_named(word)
            except IllegalAction as error:
                self.tell(f"position, move {len(self.words) + 1}: {error}; the moves before it are played")
                break
            self.words.append(word)
        self.play = play

    def playing(self) -> Play:
        """The game; the start position if none has been set."""
        if self.play is None:
            self.position(["startpos"])
        assert self.play is not None
        return self.play

    def go(self, words: list[str]) -> None:
        self.stop([])
        go = Go.read(words)
        rules, engine = self.rules, self.prepared()
        states = self.playing().states
        s: ChessState = states[-1]
        legal = [int(a) for a in rules.actions(s)]
        wanted = self.wanted(go, legal)
        at_once = self.at_once(go, wanted or legal) if legal else None
        if at_once is not None:
            self.say(f"bestmove {rules.long_name(s, at_once)}")
            return
        root, history = s, states[-1 - s.clock : -1]
        if engine.game.remembering([*history, s]).is_terminal(s):  # a draw could be claimed, but the interface plays on
            root, history = s._replace(clock=0), []
        search = Search(self, rules, engine, root, go, self.limits(go, s.mover))
        if not legal:
            self.tell("there is no move: the game is over")
            search.settle()
        elif engine.game.is_terminal(root):  # no side can win
            search.settle((wanted or legal)[0])
        else:
            lines = min(int(self.values["MultiPV"]), len(wanted or legal))
            search.begin(history=history, lines=lines, moves=wanted)
        self.search = search

    def give_up(self) -> None:
        """Answer with any legal move, if there is one."""
        s: Any = None if self.play is None else self.play.state
        a = None if s is None else next(iter(self.rules.actions(s)), None)
        self.say(f"bestmove {'(none)' if a is None else self.rules.long_name(s, a)}")

    def wanted(self, go: Go, legal: list[int]) -> list[int] | None:
        """The moves that `searchmoves` names; None for all."""
        rules, s = self.rules, self.playing().state
        found: list[int] = []
        for word in go.searchmoves:
            with contextlib.suppress(IllegalAction):
                a = rules.action_named(s, word)
                if a not in found:
                    found.append(a)
        return found if 0 < len(found) < len(legal) else None

    def at_once(self, go: Go, moves: list[int]) -> int | None:
        """A move without a search in the background: from the book, or with mistakes at reduced strength."""
        if go.infinite or go.ponder or go.mate is not None or self.values["MultiPV"] != "1":
            return None
        from zermelo.kernel.random import Random

        random = Random(time.time_ns())
        if self.values["OwnBook"] == "true" and self.values["UCI_Chess960"] == "false":
            if self.book is None:
                from zermelo.lookup import open_book

                self.book = open_book(OWN, self.rules)
            a = self.book.choose(self.playing().state, random)
            if a in moves:
                self.tell("book move")
                return int(a)
        weakened = self.weakened
        return (
            None if weakened is None or "mistakes" not in weakened.options else self.mistaken(weakened, random, moves)
        )

    def mistaken(self, weakened: Strength, random: Random, moves: list[int]) -> int | None:
        """The move of a player that makes mistakes; None if it is not among these moves."""
        from zermelo.arena.player import Turn
        from zermelo.arena.roster import player_of

        game, states = self.prepared().game, self.playing().states
        if game.remembering(states).is_terminal(states[-1]):  # a draw could be claimed
            return None
        if self.weak is None or self.weak.name != weakened.player:
            self.weak = player_of(f"{weakened.player},endgames=False", game)
            self.weak.name = weakened.player
        a = self.weak.choose(Turn.of(self.playing(), random)).action
        return a if a in moves else None

    def limits(self, go: Go, mover: int) -> dict[str, Any]:
        """The limits of `go`, for the engine."""
        limits: dict[str, Any] = {"seconds": math.inf}
        if go.depth is not None:
            limits["depth"] = max(go.depth, 1)
        if go.mate is not None:  # because of pruning, a mate may be found later than at its length
            limits["depth"] = min(limits.get("depth", math.inf), 2 * max(abs(go.mate), 1) + 3)
        if go.nodes is not None:
            limits["nodes"] = max(go.nodes, 1)
        if self.weakened is not None:
            for name in ("nodes", "depth"):
                if name in self.weakened.options:
                    limits[name] = int(min(limits.get(name, math.inf), self.weakened.options[name]))
        overhead = int(self.values["Move Overhead"]) + 1000 * (time.perf_counter() - self.asked)
        if go.infinite:
            return limits
        if go.movetime is not None:
            limits["seconds"] = min(max(go.movetime - min(overhead, go.movetime / 10), 1.0) / 1000, LONGEST)
        clocks = (go.wtime, go.winc), (go.btime, go.binc)
        left, added = clocks[mover if clocks[mover][0] is not None else 1 - mover]  # one clock counts for both sides
        if left is not None:
            limits["clock"] = _clock(left - overhead, added or 0, go.movestogo)
        return limits

    def stop(self, words: list[str]) -> None:
        if self.search is not None:
            self.search.stop()
            self.search = None

    def ponderhit(self, words: list[str]) -> None:
        if self.search is not None:
            self.search.hit()

    def show(self, words: list[str]) -> None:
        """Print the position for people."""
        rules, s = self.rules, self.playing().state
        for line in [*rules.text(s).splitlines(), f"key {rules.key(s):016x}", f"FEN {rules.fen(s)}"]:
            self.say(line)

    def help(self, words: list[str]) -> None:
        self.say("This is a UCI engine for chess interfaces such as Cute Chess and lichess-bot. By hand:")
        self.say("  position startpos moves e2e4   then   go movetime 1000   or   go depth 8   or   go infinite, stop")
        self.say(f"commands: {', '.join(self.commands)}")

    # State.

    @property
    def rules(self) -> Chess:
        """The rules for reading positions and moves: a draw that was not claimed does not end the game."""
        return _chess(self.values["UCI_Chess960"] == "true", "never")

    @property
    def weakened(self) -> Strength | None:
        """The reduced strength; None: full strength."""
        return strength(int(self.values["UCI_Elo"])) if self.values["UCI_LimitStrength"] == "true" else None

    def prepared(self) -> Engine:
        """The engine, compiled."""
        if self.engine is None:
            from zermelo.search.engine import Engine

            game = _chess(self.values["UCI_Chess960"] == "true", "claimed")
            threads, endgames = int(self.values["Threads"]), self.endgames(game)
            try:
                engine = Engine(game, table=int(self.values["Hash"]), threads=threads, endgames=endgames)
            except ValueError as error:  # not enough memory for the table
                self.tell(str(error))
                self.values["Hash"] = OPTIONS[0].default
                engine = Engine(game, table=int(self.values["Hash"]), threads=threads, endgames=endgames)
            with telling(self.tell):
                engine.think(nodes=1)  # compiles it
            engine.clear()
            self.engine = engine
        return self.engine

    def endgames(self, game: Chess) -> Tables | bool:
        """The endgame tables to use. Tables that cannot be used are reported, and the engine plays without."""
        from zermelo.kernel.table_files import DamagedTable
        from zermelo.lookup.probing import Tables, open_tables

        wanted = self.values["EndgameTables"]
        if wanted in (NO_TABLES, "", EMPTY) or self.weakened is not None:
            return False
        try:
            tables = open_tables(game) if wanted == BUILT else Tables(game, Path(wanted).expanduser())
        except DamagedTable as error:
            self.tell(f"{error}. No endgame tables are used")
            return False
        if tables is None:
            return False
        if not tables.names:
            self.tell(f"there are no tables of chess in {wanted}: build them with `zermelo table chess`")
            return False
        self.tell(f"{len(tables.names)} endgame tables in {tables.folder}")
        return tables

    def without_endgames(self) -> None:
        """Play on without endgame tables, from the next search on."""
        self.values["EndgameTables"] = NO_TABLES
        self.engine = None


@functools.cache
def _chess(is_960: bool, draws: str) -> Chess:
    """Chess with UCI's notation of moves: Chess960 writes castling differently."""
    from zermelo.games.chess import Chess

    return Chess(518 if is_960 else None, draws)


def _clock(left: float, added: int, moves_to_go: int | None) -> Clock:
    """A clock from milliseconds; some interfaces send negative times."""
    from zermelo.search.engine import Clock

    seconds, increment = (min(max(each, 0) / 1000, LONGEST) for each in (left, added))
    return Clock(seconds, increment, moves_to_go if moves_to_go is not None and moves_to_go > 0 else None)
