"""`zermelo gtp`: the Go Text Protocol, version 2 (Farnebäck 2002), over any player of the arena.

Commands are methods whose names begin with `do_`. A command answers with text, or raises `Refused` with the message
that the protocol prescribes. Whatever else goes wrong is reported in the same form, so no line ends the program.
Analysis goes beyond version 2, and is in the form that Leela Zero introduced: `lz-analyze` answers line by line until
the next command arrives.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.players import SearchPlayer
from zermelo.arena.roster import player_of, with_seconds
from zermelo.game.errors import GameError, IllegalAction, ZermeloError
from zermelo.games.go import Go, territory
from zermelo.games.go.handicap import handicap_points, most_handicap
from zermelo.games.go.names import point_name, point_named
from zermelo.games.go.playouts import dead_stones
from zermelo.games.go.rules import BLACK, WHITE
from zermelo.games.go.sgf import read
from zermelo.games.go.sgf_game import replay
from zermelo.games.go.state import GoState
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.words import contains
from zermelo.protocols.incoming import Incoming
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Clock

DASHED = {"lz_analyze": "lz-analyze", "lz_genmove_analyze": "lz-genmove_analyze"}
"""Commands that are not names of methods."""
INTERVAL = 1.0
"""Seconds between two lines of an analysis, unless the other program says."""
COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class Refused(Exception):
    """A command that cannot be carried out; the message is the answer."""


class Gtp:
    """One session: a game, its positions so far, and the clocks."""

    def __init__(
        self,
        say: Callable[[str], None],
        player: str = "mcts",
        seconds: float = 1.0,
        size: int = 19,
        rules: str = "tromp_taylor",
    ):
        """
        say      writes an answer
        player   who plays, in the words of `zermelo match`
        seconds  per move, if the other program sets no clock
        """
        self.say, self.words, self.seconds = say, player, seconds
        self.players: dict[bool, Player] = {}  # with a clock, and without
        self.clocks: dict[int, Clock] = {}
        self.settings: tuple[float, float, int] | None = None  # main time, byo-yomi time, byo-yomi stones
        self.analyst: tuple[float, SearchPlayer] | None = None  # its interval, and who analyses
        self.incoming: Incoming | None = None
        self.random = Random(1)
        self.number = ""  # of the present command
        self.is_over = False
        self.start(Go(size, rules=rules))

    def start(self, game: Go) -> None:
        """An empty board."""
        self.game, self.states = game, [game.initial()]
        self.dismiss()
        self.clocks.clear()

    def dismiss(self) -> None:
        """End the players, and the programs that they started."""
        for player in self.players.values():
            player.close()
        self.players.clear()
        if self.analyst is not None:
            self.analyst[1].close()
            self.analyst = None

    @property
    def state(self) -> GoState:
        return self.states[-1]

    def run(self, lines: Iterable[str]) -> None:
        """Answer all commands until `quit`."""
        self.incoming = Incoming(lines)
        try:
            for line in self.incoming:
                self.answer(line)
                if self.is_over:
                    break
        finally:
            self.dismiss()

    def answer(self, line: str) -> None:
        """Answer one line; a line without a command has no answer."""
        line = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        found = re.match(r"\s*([0-9]+(?=\s|$))?\s*(\S+)?\s*(.*?)\s*$", line, re.ASCII | re.DOTALL)
        number, command, rest = found.groups() if found else (None, None, "")
        if command is None:
            return
        sign, text = "=", ""
        self.number = number or ""
        try:
            method = self.commands().get(command)
            if method is None:
                raise Refused("unknown command")
            answer = method(rest.split())
            if answer is None:
                return  # it has answered line by line
            text = answer
        except Refused as error:
            sign, text = "?", str(error)
        except Exception as error:
            sign, text = "?", f"{type(error).__name__}: {error}"
        lines = [line for line in text.splitlines() if line.strip()]  # an empty line would end the answer
        first = "\n" if text.startswith("\n") else ""
        self.say(f"{sign}{number or ''} {first}{chr(10).join(lines)}".rstrip() + "\n")

    def commands(self) -> dict[str, Callable[[list[str]], str | None]]:
        names = [name.removeprefix("do_") for name in dir(self) if name.startswith("do_")]
        return {DASHED.get(name, name): getattr(self, f"do_{name}") for name in names}

    # About the program.

    def do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def do_name(self, words: list[str]) -> str:
        return "zermelo"

    def do_version(self, words: list[str]) -> str:
        return __version__

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self.commands()))

    def do_known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self.commands() else "false"

    def do_quit(self, words: list[str]) -> str:
        self.is_over = True
        return ""

    # The board.

    def do_boardsize(self, words: list[str]) -> str:
        size = _whole(words, 0, "boardsize not an integer")
        if not 2 <= size <= 19:
            raise Refused("unacceptable size")
        self.start(Go(size, self.game.komi, self.game.rules))
        return ""

    def do_clear_board(self, words: list[str]) -> str:
        self.start(Go(self.game.size, self.game.komi, self.game.rules))
        self.player(self.settings is not None)  # compiles it, before a clock runs
        return ""

    def do_komi(self, words: list[str]) -> str:
        komi = _number(words, 0, "komi not a float")
        try:
            self.game = Go(self.game.size, round(2 * komi) / 2, self.game.rules)
        except (GameError, OverflowError, ValueError):
            raise Refused("komi not a float") from None
        self.dismiss()
        return ""

    def do_play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Refused("syntax error")
        self.play(_colour(words), self.vertex(words[1]))
        return ""

    def do_undo(self, words: list[str]) -> str:
        if len(self.states) < 2:
            raise Refused("cannot undo")
        self.states.pop()
        return ""

    def do_showboard(self, words: list[str]) -> str:
        return "\n" + self.game.text(self.state)

    def do_loadsgf(self, words: list[str]) -> str:
        if not words:
            raise Refused("syntax error")
        try:
            replayed = replay(read(Path(words[0]).read_text(errors="replace"))[0])
        except (OSError, ZermeloError) as error:
            raise Refused(f"cannot load file: {error}") from None
        until = _whole(words, 1, "syntax error") if len(words) > 1 else len(replayed.states)
        game = replayed.game
        self.start(Go(game.size, game.komi, game.rules))
        self.states = [self.bounded(s) for s in replayed.states[: max(until, 1)]]
        return ""

    # Handicap.

    def do_fixed_handicap(self, words: list[str]) -> str:
        stones = _whole(words, 0, "handicap not an integer")
        if not 2 <= stones <= most_handicap(self.game.size):
            raise Refused("invalid number of stones")
        return self.place([self.game.number(*point) for point in handicap_points(self.game.size, stones)])

    def do_place_free_handicap(self, words: list[str]) -> str:
        stones = _whole(words, 0, "handicap not an integer")
        most = most_handicap(self.game.size)
        if stones < 2 or most == 0:
            raise Refused("invalid number of stones")
        return self.do_fixed_handicap([str(min(stones, most))])

    def do_set_free_handicap(self, words: list[str]) -> str:
        points = [self.vertex(word) for word in words]
        if len(points) < 2 or len(set(points)) < len(points) or self.game.points in points:
            raise Refused("bad vertex list")
        if len(points) >= self.game.size**2:
            raise Refused("bad vertex list")
        self.place(points)
        return ""

    def place(self, points: list[int]) -> str:
        """Black stones on an empty board; White moves first."""
        if len(self.states) > 1 or self.state.stones != 0:
            raise Refused("board not empty")
        self.states = [self.game.position(points, (), WHITE)]
        return " ".join(point_name(self.game, p) for p in points)

    # Moves and time.

    def do_genmove(self, words: list[str]) -> str:
        colour = _colour(words)
        action, _ = self.think(colour)
        self.play(colour, action)
        return self.game.action_name(self.state, action)

    def do_reg_genmove(self, words: list[str]) -> str:
        action, _ = self.think(_colour(words))
        return self.game.action_name(self.state, action)

    def think(self, colour: int) -> tuple[int, Analysis | None]:
        """The move of a colour, and the analysis that it comes from, if there is one."""
        clock = self.clocks.get(colour) or self.first_clock()
        player, began = self.player(clock is not None), time.monotonic()
        chosen = player.choose(self.turn(colour, clock))
        if clock is not None:
            self.clocks[colour] = self.clock_after(clock, time.monotonic() - began)
        choice = chosen if isinstance(chosen, Choice) else Choice(chosen)
        return choice.action, choice.analysis

    def turn(self, colour: int, clock: Clock | None = None, stop: StopToken | None = None) -> Turn:
        """The present position with this colour to move."""
        s = self.game.with_mover(self.state, colour)
        if self.game.is_terminal(s):  # after two passes, the other program asks to go on
            s = s._replace(passes=0)
        states = [*self.states[:-1], s]
        return Turn(self.game, states, [None] * (len(states) - 1), colour, self.random, clock, stop=stop)

    def player(self, has_clock: bool) -> Player:
        """The player for this game; without a clock it thinks for a fixed time."""
        if has_clock not in self.players:
            words = self.words if has_clock else with_seconds(self.words, self.game, self.seconds)
            made = player_of(words, self.game)
            made.begin(self.game)
            self.players[has_clock] = made
        return self.players[has_clock]

    def do_time_settings(self, words: list[str]) -> str:
        if len(words) < 3:
            raise Refused("syntax error")
        main, extra, stones = (_number(words, i, "syntax error") for i in range(3))
        if min(main, extra, stones) < 0:
            raise Refused("syntax error")
        self.clocks.clear()
        unlimited = stones == 0 and extra > 0  # so the protocol says that there is no limit
        self.settings = None if unlimited else (main, extra, int(stones))
        return ""

    def do_time_left(self, words: list[str]) -> str:
        colour = _colour(words)
        left, stones = max(_number(words, 1, "syntax error"), 0.0), _whole(words, 2, "syntax error")
        self.clocks[colour] = Clock(left, moves_to_go=stones if stones > 0 else None)
        return ""

    def first_clock(self) -> Clock | None:
        """The clock before any `time_left`; None if there is no time limit."""
        if self.settings is None:
            return None
        main, extra, stones = self.settings
        return Clock(main) if main > 0 else Clock(extra, moves_to_go=max(stones, 1))

    def clock_after(self, clock: Clock, used: float) -> Clock:
        """The clock after a move, until `time_left` says otherwise: main time, then periods of byo-yomi."""
        _, extra, stones = self.settings or (0.0, 0.0, 0)
        left, to_go = clock.remaining - used, clock.moves_to_go
        if to_go is None and (left > 0 or extra == 0):
            return Clock(max(left, 0.0))
        if to_go is None:  # the main time is over
            return Clock(max(extra + left, 0.0), moves_to_go=max(stones, 1))
        if to_go == 1 and extra > 0:
            return Clock(extra, moves_to_go=max(stones, 1))
        return Clock(max(left, 0.0), moves_to_go=max(to_go - 1, 1))

    # Analysis.

    def do_lz_analyze(self, words: list[str]) -> None:
        """Analyse until the next command: [colour] [interval in hundredths of a second]."""
        colour, interval = self.about_analysis(words)
        analyst = self.analyst_for(interval)
        self.say(f"={self.number}")
        with StopToken() if self.incoming is None else self.incoming.interrupting() as token:
            is_over = False
            while not is_over:
                began = time.monotonic()
                stop = None if token.is_set else token  # there is one line even if a command waits already
                self.say(described(analyst.think(self.turn(colour, stop=stop))))
                left = interval - (time.monotonic() - began)  # exact answers come before the interval is over
                is_over = self.incoming is None or token.is_set or token.wait(max(left, 0.0))
        self.say("")

    def do_lz_genmove_analyze(self, words: list[str]) -> None:
        """A move with the analysis that it comes from."""
        colour, _ = self.about_analysis(words)
        action, found = self.think(colour)
        self.play(colour, action)
        info = [] if found is None else [described(found)]
        self.say("\n".join([f"={self.number}", *info, f"play {self.game.action_name(self.state, action)}\n"]))

    def about_analysis(self, words: list[str]) -> tuple[int, float]:
        """The colour and the seconds between two lines that a command asks for."""
        colour, interval = int(self.state.mover), INTERVAL
        for word in words:
            if word.casefold() in COLOURS:
                colour = COLOURS[word.casefold()]
            elif word != "interval":
                interval = _number([word], 0, "syntax error") / 100
        return colour, min(max(interval, 0.05), 60.0)

    def analyst_for(self, interval: float) -> SearchPlayer:
        """Who analyses; its search tree is kept from one interval to the next."""
        if self.analyst is None or self.analyst[0] != interval:
            made = player_of(with_seconds(self.words, self.game, interval), self.game)
            if not isinstance(made, SearchPlayer):
                made.close()
                raise Refused(f"{self.words} cannot analyse")
            made.begin(self.game)
            if self.analyst is not None:
                self.analyst[1].close()
            self.analyst = interval, made
        return self.analyst[1]

    # The score.

    def do_final_score(self, words: list[str]) -> str:
        return territory(self.game, self.state, [point_name(self.game, p) for p in self.dead()]).result

    def do_final_status_list(self, words: list[str]) -> str:
        if not words or words[0] not in ("alive", "seki", "dead"):
            raise Refused("syntax error")
        dead = set(self.dead())
        black, white = self.game.colours(self.state)
        stones = {p for p in range(self.game.points) if contains(black, p) or contains(white, p)}
        listed = {"alive": stones - dead, "dead": dead, "seki": set()}[words[0]]
        return "\n".join(point_name(self.game, p) for p in sorted(listed))

    def dead(self) -> list[int]:
        """Stones that are probably dead; by the rules of Tromp and Taylor none, as players have to capture them."""
        return [] if self.game.rules == "tromp_taylor" else dead_stones(self.game, self.state)

    # Common to several commands.

    def play(self, colour: int, action: int) -> None:
        """Make a move, if it is legal."""
        s = self.game.with_mover(self.state, colour)
        if action != self.game.points:
            if self.game.is_terminal(s):
                s = s._replace(passes=0)
            if self.game.remembering([*self.states[:-1], s]).why_illegal(s, action) is not None:
                raise Refused("illegal move")
        elif s.passes >= 2:
            s = s._replace(passes=1)
        self.states.append(self.bounded(self.game.result(s, action)))

    def bounded(self, s: GoState) -> GoState:
        """The state with at most half of the limit's moves: here only passes end a game, and superko cycles."""
        return s._replace(moves=min(s.moves, self.game.limit // 2))

    def vertex(self, word: str) -> int:
        try:
            return point_named(self.game, word)
        except IllegalAction:
            raise Refused("invalid coordinate") from None


def described(found: Analysis) -> str:
    """An analysis in one line, as Leela Zero writes it: values and priors in hundredths of a percent."""
    low, high = found.game.utility_range
    shown: list[str] = []
    for move in found.moves:
        if move.visits and isinstance(move.value, float | int):
            winrate = round(10_000 * (move.value - low) / (high - low))
            line = " ".join(found.game.action_name(found.state, a) for a in move.line or (move.action,))
            prior = round(10_000 * (move.prior if move.prior is not None else move.share or 0.0))
            about = f"visits {move.visits} winrate {winrate} prior {prior} order {len(shown)}"
            shown.append(f"info move {move.name} {about} pv {line}")
    return " ".join(shown)


def _colour(words: list[str]) -> int:
    colour = COLOURS.get(words[0].casefold()) if words else None
    if colour is None:
        raise Refused("invalid color")
    return colour


def _number(words: list[str], index: int, message: str) -> float:
    try:
        number = float(words[index])
    except (IndexError, ValueError):
        raise Refused(message) from None
    if not abs(number) < 1e9:
        raise Refused(message)
    return number


def _whole(words: list[str], index: int, message: str) -> int:
    number: Any = _number(words, index, message)
    if number != int(number):
        raise Refused(message)
    return int(number)
