"""Go programs as players, by the Go Text Protocol, version 2 (Farnebäck 2002): GNU Go and the like."""

from __future__ import annotations

import time

from zermelo.arena.player import Choice, Player, PlayerError, Resigned, Turn
from zermelo.arena.program import GRACE, Lines
from zermelo.game.errors import IllegalAction, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.go import Go, GoState
from zermelo.games.go.names import point_name
from zermelo.kernel.words import contains

READY = 300.0
"""Seconds that a program may take for anything but a move: many prepare when the board is cleared."""
CLEANUP = "kgs-genmove_cleanup"
"""A move that captures dead stones before it passes; many programs know this command of the server KGS."""


class GtpPlayer(Player):
    """A GTP program. It thinks for its own time, or `seconds` per move, or by the clock.

    A program that crashes, does not answer, or refuses a legal move loses the game, and is restarted for the next.

    At the end all stones on the board count as alive. Most programs pass while there are still dead stones. So when a
    program passes, it is asked to capture dead stones first, if it can do so, and passes when there are none left.
    """

    def __init__(self, command: str, game: Game, seconds: float | None = None):
        if not isinstance(game, Go):
            raise Unsuitable(f"GTP programs play Go, not {game.title}")
        self.command, self.game, self.seconds = command, game, seconds
        self.lines: Lines | None = None
        self.known: list[str | None] = []  # the moves that the program knows of
        self.start: GoState | None = None  # and where they began
        self.cleans_up = False
        self.launch()  # reports at once that there is no such program

    def launch(self) -> None:
        """Start the program, and set up what is the same in all games."""
        self.lines = Lines(self.command)
        self.start = None
        try:
            self.cleans_up = CLEANUP in self.ask("list_commands").split()
            self.ask(f"boardsize {self.game.size}")
            self.ask(f"komi {self.game.compensation:g}")
            if self.seconds is not None:
                self.ask(f"time_settings 0 {max(round(self.seconds), 1)} 1")
        except BaseException:
            self.close()
            raise

    def begin(self, game: Game) -> None:
        if self.lines is not None and self.lines.process.poll() is not None:
            self.close()
        if self.lines is None:
            self.launch()
        try:
            self.set_up(self.game.initial())  # before the clock runs
        except PlayerError:
            self.close()
            raise

    def choose(self, turn: Turn) -> Choice:
        try:
            self.catch_up(turn)
            name = self.move(turn)
        except PlayerError:
            self.close()
            raise
        if name.casefold() == "resign":
            self.start = None  # what the program thinks of the game now is unknown
            raise Resigned(f"{self.command} resigns")
        try:
            action = self.game.remembering(turn.states).action_named(turn.state, name)
        except IllegalAction as error:
            self.start = None
            raise IllegalAction(f"{self.command}: {error}") from None
        self.known.append(self.game.action_name(turn.state, action))
        return Choice(action)

    def catch_up(self, turn: Turn) -> None:
        """Tell the program the moves that it does not know yet, or the whole game if it knows another one."""
        moves = list(turn.moves)
        if self.start != turn.states[0] or self.known != moves[: len(self.known)]:
            self.set_up(turn.states[0])
        for s, name in list(zip(turn.states, moves, strict=False))[len(self.known) :]:
            self.ask(f"play {'bw'[s.mover]} {name}")
            self.known.append(name)

    def set_up(self, s: GoState) -> None:
        """A new game from this position."""
        self.ask("clear_board")
        for colour, stones in zip("bw", self.game.colours(s), strict=True):
            for p in range(self.game.points):
                if contains(stones, p):
                    self.ask(f"play {colour} {point_name(self.game, p)}")
        self.start, self.known = s, []

    def move(self, turn: Turn) -> str:
        """The program's move; dead stones are captured before it passes."""
        colour, patience = "bw"[turn.player], turn.patience
        if turn.clock is not None:
            patience = turn.clock.remaining
            self.ask(f"time_left {colour} {int(turn.clock.remaining)} 0", optional=True)
        deadline = time.monotonic() + patience + GRACE
        name = self.ask(f"genmove {colour}", deadline - time.monotonic())
        if name.casefold() == "pass" and self.cleans_up:
            self.ask("undo")
            name = self.ask(f"{CLEANUP} {colour}", deadline - time.monotonic())
        return name

    def ask(self, command: str, seconds: float = READY, optional: bool = False) -> str:
        """The answer to a command; raises PlayerError if it is late, or a refusal that matters."""
        assert self.lines is not None
        self.lines.send(command)
        deadline = time.monotonic() + seconds
        answer: list[str] = []
        while True:
            line = self.lines.receive(max(deadline - time.monotonic(), 0.0)).strip()
            if answer and not line:
                break
            if answer or line[:1] in ("=", "?"):  # anything else before an answer is noise
                answer.append(line)
        sign, text = answer[0][0], "\n".join([answer[0][1:].strip(), *answer[1:]]).strip()
        if sign == "?" and not optional:
            raise PlayerError(f"{self.command} refuses {command!r}: {text or 'without a reason'}")
        return text

    def close(self) -> None:
        if self.lines is not None:
            self.lines.close()
            self.lines = None
