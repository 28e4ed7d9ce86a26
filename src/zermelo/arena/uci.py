"""Chess programs as players, by the Universal Chess Interface (Meyer-Kahlen and Huber 2000): Stockfish and the like."""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Iterator
from typing import Any

from zermelo.arena.player import Choice, Player, PlayerError, Turn
from zermelo.arena.players import DEFAULT_SECONDS
from zermelo.arena.program import GRACE, LONGEST_WAIT, Lines
from zermelo.arena.uci_option import Option
from zermelo.game.errors import IllegalAction, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.chess import Chess

READY = 60.0
"""Seconds that a program may take to start, or to get ready for a game."""

SCORE = re.compile(r"\bscore\s+(cp|mate)\s+(-?\d+)(?!\s+(?:lower|upper)bound)\b")
OTHER_LINE = re.compile(r"\bmultipv\s+(?!1\b)\d+")


class UciPlayer(Player):
    """A UCI program with the given options.

    It thinks within its own limits (depth, nodes, seconds), or by the clock. A program that crashes, does not answer,
    or has no move loses the game, and is restarted for the next.
    """

    def __init__(self, command: str, game: Game, limits: dict[str, Any], options: dict[str, str]):
        if not isinstance(game, Chess):
            raise Unsuitable(f"UCI programs play chess, not {game.title}")
        self.command, self.game, self.limits, self.options = command, game, limits, options
        self.lines: Lines | None = None
        self.moves: list[str] = []  # of this game, as the program writes them
        self.known: list[str | None] = []  # and as the arena does
        self.start()  # reports wrong options at once

    def start(self) -> None:
        """Start the program, and set its options."""
        self.lines = Lines(self.command)
        try:
            self.lines.send("uci")
            offers: dict[str, Option] = {}
            for line in self.until("uciok", READY):
                offer = Option.read(line)
                if offer is not None:
                    offers[offer.name.casefold()] = offer
            for command in self.settings(offers):
                self.lines.send(command)
            self.wait_until_ready()
        except BaseException:
            self.close()
            raise

    def settings(self, offers: dict[str, Option]) -> list[str]:
        wanted = dict(self.options)
        given = {name.casefold() for name in wanted}
        if "uci_elo" in given and "uci_limitstrength" not in given:
            wanted["UCI_LimitStrength"] = "true"
        if self.game.chess960 is not None:
            wanted["UCI_Chess960"] = "true"
        commands = []
        for name, value in wanted.items():
            offer = offers.get(name.casefold())
            if offer is None:
                near = difflib.get_close_matches(name.casefold(), offers, 3, 0.4)
                hint = f"did you mean {' or '.join(offers[each].name for each in near)}? " if near else ""
                there = ", ".join(each.name for each in offers.values()) or "no options"
                raise ValueError(f"{self.command} has no option {name!r}; {hint}it has {there}")
            try:
                commands.append(offer.command(value))
            except ValueError as error:
                raise ValueError(f"{self.command}: {error}") from None
        return commands

    def wait_until_ready(self) -> None:
        assert self.lines is not None
        self.lines.send("isready")
        for _ in self.until("readyok", READY):
            pass

    def until(self, word: str, seconds: float) -> Iterator[str]:
        """The program's output up to the line that begins with this word; raises PlayerError if it is late."""
        assert self.lines is not None
        deadline = time.monotonic() + seconds
        while True:
            line = self.lines.receive(seconds).strip()
            yield line
            if line.split()[:1] == [word]:
                return
            if time.monotonic() > deadline:
                raise PlayerError(f"{self.command} did not answer {word} within {seconds:g} s")

    def begin(self, game: Game) -> None:
        self.moves, self.known = [], []
        if self.lines is not None and self.lines.process.poll() is not None:
            self.close()
        if self.lines is None:
            self.start()
        assert self.lines is not None
        try:
            self.lines.send("ucinewgame")
            self.wait_until_ready()
        except PlayerError:
            self.close()
            raise

    def choose(self, turn: Turn) -> Choice:
        assert self.lines is not None
        try:
            self.lines.send(self.position(turn))
            self.lines.send(self.go(turn))
            word, value = self.answer(self.patience(turn))
        except PlayerError:
            self.close()
            raise
        if word in ("", "(none)", "0000"):
            self.close()
            raise PlayerError(f"{self.command} has no move in {self.game.fen(turn.state)}")
        for a in turn.legal():
            if word == self.game.long_name(turn.state, a):
                return Choice(a, value)
        raise IllegalAction(f"{self.command}: {word!r} is not a legal move in {self.game.fen(turn.state)}")

    def position(self, turn: Turn) -> str:
        """The `position` command for this game. Earlier moves are not translated again."""
        game = self.game
        if self.known != list(turn.moves[: len(self.known)]):
            self.moves, self.known = [], []
        for s, name in list(zip(turn.states, turn.moves, strict=False))[len(self.known) :]:
            assert name is not None
            self.moves.append(game.long_name(s, game.action_named(s, name)))
            self.known.append(name)
        is_usual = game.chess960 is None and turn.states[0] == game.initial()
        start = "startpos" if is_usual else f"fen {game.fen(turn.states[0])}"
        return f"position {start}" + (f" moves {' '.join(self.moves)}" if self.moves else "")

    def go(self, turn: Turn) -> str:
        limits = dict(self.limits)
        words = ["go"]
        if turn.clock is None and not limits:
            limits["seconds"] = DEFAULT_SECONDS
        if "seconds" in limits:
            most = limits.pop("seconds")
            seconds = most if turn.clock is None else min(most, turn.clock.limits()[1])
            words.append(f"movetime {milliseconds(seconds)}")
        elif turn.clock is not None:
            for colour, clock in zip("wb", turn.clocks or (turn.clock, turn.clock), strict=True):
                words.append(f"{colour}time {milliseconds(clock.remaining)} {colour}inc {int(1000 * clock.increment)}")
        words += [f"{name} {int(limit)}" for name, limit in limits.items()]
        return " ".join(words)

    def patience(self, turn: Turn) -> float:
        if turn.clock is not None:
            return turn.clock.remaining + GRACE
        seconds: float = self.limits.get("seconds", DEFAULT_SECONDS)
        return turn.patience + seconds

    def answer(self, seconds: float) -> tuple[str, float | None]:
        """The program's move and its value of the position."""
        value = None
        for line in self.until("bestmove", seconds):
            if line.startswith("info") and " string " not in line:
                score = SCORE.search(line)
                if score is not None and OTHER_LINE.search(line) is None:
                    value = self.value(score[1], int(score[2]))
        return " ".join(line.split()[1:2]), value

    def value(self, unit: str, number: int) -> float:
        if unit == "mate":
            return 1.0 if number > 0 else -1.0
        return self.game.value_of_centipawns(number)

    def close(self) -> None:
        if self.lines is not None:
            self.lines.close()
            self.lines = None


def milliseconds(seconds: float) -> int:
    """Whole milliseconds; at least one, because some programs take zero for no limit."""
    return max(int(1000 * min(seconds, LONGEST_WAIT)), 1)
