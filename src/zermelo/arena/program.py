"""External programs as players: a process is started, exchanges lines, and is supervised and ended.

`Program` speaks the simplest protocol that works: for every turn the program reads one line of JSON and prints one
line, its move. Players for other protocols, such as UCI, use the same `Lines`.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import shutil
import subprocess
import time
from typing import Any

from zermelo.arena.player import Player, PlayerError, Turn
from zermelo.game.errors import IllegalAction
from zermelo.game.protocol import Game

GRACE = 1.0
"""Seconds after its time is up before a program is given up; and seconds that it has to exit."""
DYING = 10.0
"""Seconds to wait for the exit code of a program that has closed its output."""
LONGEST_LINE = 1 << 20
LONGEST_WAIT = 1e6
"""The longest wait for a program, in seconds."""
ELSEWHERE = "/usr/games:/usr/local/games"
"""Where Debian and others install game programs; often not on the path."""


def require_program(command: str | list[str]) -> list[str]:
    """The words of a command; raises an error if its program cannot be found."""
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise PlayerError(f"{command} is not a command: {error}") from None
    if not words:
        raise PlayerError("a program needs a command to start it, such as program:./mybot or uci:stockfish")
    program = shutil.which(words[0]) or shutil.which(words[0], path=ELSEWHERE)
    if program is None:
        raise PlayerError(f"there is no program {words[0]!r} here or on the path")
    return [program, *words[1:]]


class Lines:
    """A process, and the lines exchanged with it."""

    def __init__(self, command: str | list[str]):
        words = require_program(command)
        self.command = " ".join(words)
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.stdout, selectors.EVENT_READ)
        self.buffer = b""

    def send(self, line: str) -> None:
        try:
            self.stdin.write(line.encode() + b"\n")
        except OSError as error:
            raise PlayerError(f"{self.command} has ended ({self._end()}): {error}") from None

    def receive(self, seconds: float) -> str:
        """The next line; raises PlayerError if it does not come in time."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not self.selector.select(min(left, LONGEST_WAIT)):
                raise PlayerError(f"{self.command} gave no answer within {seconds:g} s")
            chunk = os.read(self.stdout.fileno(), 65536)
            if not chunk:
                raise PlayerError(f"{self.command} has ended ({self._end()})")
            self.buffer += chunk
            if len(self.buffer) > LONGEST_LINE:
                raise PlayerError(f"{self.command} wrote a line of more than {LONGEST_LINE:,} bytes")
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def _end(self) -> str:
        try:
            return f"exit code {self.process.wait(DYING)}"
        except subprocess.TimeoutExpired:
            return "still running"

    def close(self) -> None:
        """End the process: close its input, and kill it if that does not help."""
        self.selector.close()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Program(Player):
    """A program that reads a turn as one line of JSON, and prints the name of its move.

    The line has the game and its parameters, the names of the moves so far and of the legal moves, the number of the
    player to move, and with a clock the seconds left and the increment.
    """

    def __init__(self, command: str):
        self.command = command
        self.lines: Lines | None = None

    def begin(self, game: Game) -> None:
        if self.lines is None or self.lines.process.poll() is not None:
            self.close()
            self.lines = Lines(self.command)

    def choose(self, turn: Turn) -> Any:
        assert self.lines is not None
        game, s = turn.game, turn.state
        asked: dict[str, Any] = {
            "game": game.name,
            "moves": list(turn.moves),
            "player": turn.player,
            "legal": [game.action_name(s, a) for a in turn.legal()],
        }
        patience = turn.patience + GRACE
        if turn.clock is not None:
            asked["seconds"], asked["increment"] = turn.clock.remaining, turn.clock.increment
            patience = turn.clock.remaining + GRACE
        try:
            self.lines.send(json.dumps(asked))
            word = self.lines.receive(patience)
        except PlayerError:
            self.close()
            raise
        try:
            return game.remembering(turn.states).action_named(s, word)
        except IllegalAction as error:
            raise IllegalAction(f"{self.command}: {error}") from None

    def close(self) -> None:
        if self.lines is not None:
            self.lines.close()
            self.lines = None
