"""`zermelo play`: an interactive game in the terminal, against any player of the arena."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from zermelo.app.coloured import coloured
from zermelo.app.options import GAME, LEVEL, MOVE, PLAYER, fen, setting
from zermelo.app.sitting import Sitting, fresh_file, from_anywhere, save, saved_in, unfinished
from zermelo.arena.levels import level, strongest
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.roster import player_of
from zermelo.game.errors import IllegalAction, UnknownName, ZermeloError
from zermelo.game.protocol import CHANCE
from zermelo.games.record import Record, seats_of
from zermelo.games.resolve import parse_parameters
from zermelo.pictures import squares_of
from zermelo.search.algorithm import suitable
from zermelo.search.analysis import Analysis

PERSON = "person"
HELP = "a move by its name, or: hint, moves, undo, flip, level NAME, save FILE, help, quit"


@click.command("play")
@click.argument("game", required=False, type=GAME)
@click.argument("moves", nargs=-1, type=MOVE)
@setting
@fen
@click.option(
    "--side", "side", help="Who you are: a player's number, 'all' or 'none'; by default the first one.  [default: 0]"
)
@click.option("--seconds", default=1.0, show_default=True, help="How long the computer may think about a move.")
@click.option("--level", type=LEVEL, help="A weaker opponent: see `zermelo levels GAME`.")
@click.option(
    "--against", type=PLAYER, metavar="PLAYER", help="Another opponent, in words: see `zermelo match --help`."
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the game is kept, move by move; one that exists is gone on with.",
)
@click.option("--resume", is_flag=True, help="Go on with the game that was left last.")
@click.option("--json", "as_json", is_flag=True, help="The game as one JSON object on standard output, when it ends.")
def play_command(
    game: str | None,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    side: str | None,
    seconds: float,
    level: str | None,
    against: str | None,
    file: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Play a game in the terminal, by default tic-tac-toe, after MOVES that have been made already.

    Nothing is lost when you leave: `--resume` goes on with the game.

    \b
    zermelo play
    zermelo play othello --level casual
    zermelo play connect_four --against alpha_beta:depth=4
    zermelo play connect_four 4 4 --side 1 --seconds 2
    zermelo play chess --fen "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    zermelo play tic_tac_toe --set m=4 --set n=4
    zermelo play chess --file evening.jsonl
    zermelo play --resume
    """
    if level is not None and against is not None:
        raise click.UsageError("--level and --against both name the opponent: give one of them")
    if resume and file is not None:
        raise click.UsageError("--resume goes on with the game that was left last, --file with the one in a file")
    if resume:
        file = unfinished(game)
        if file is None:
            raise UnknownName(f"no unfinished game{f' of {game}' if game else ''} was left")
    words = f"level:{level}" if level is not None else against
    if file is not None and file.exists():
        if moves or settings or fen:
            raise click.UsageError(f"the game in {file} has begun: --set, --fen and moves are for a new one")
        record = saved_in(file)
        if game is not None and from_anywhere(game) != from_anywhere(record.game):
            raise click.UsageError(f"the game in {file} is {record.game}, not {game}")
        sitting, seats = Sitting.of(record), list(record.players)
        words = words or next((each for each in seats if each != PERSON), None)
        people = _people(sitting, side, {p for p, each in _players(sitting, seats) if each == PERSON})
    else:
        sitting = Sitting(game or "tic_tac_toe", parse_parameters(settings), fen)
        for name in moves:
            sitting.move(name)
        people = _people(sitting, side, {0})
    console = Console(emoji=False, stderr=as_json)
    table = Table(sitting, people, seconds, console, _asker(as_json), words, file, is_kept=not resume)
    stopped = table.play()
    if as_json:
        click.echo(json.dumps(table.record().to_json()))
    if stopped:
        raise SystemExit(130)


def _asker(as_json: bool) -> Callable[[str], str]:
    """How a person is asked: on standard error where standard output is for JSON alone."""

    def ask(question: str) -> str:
        click.echo(question, nl=False, err=True)
        return input()

    return ask if as_json else input


def _players(sitting: Sitting, seats: list[str]) -> list[tuple[int, str]]:
    """Every player, with who sits on the seat."""
    return [(p, words) for players, words in zip(seats_of(sitting.game), seats, strict=False) for p in players]


def _people(sitting: Sitting, side: str | None, otherwise: set[int]) -> set[int]:
    count = sitting.game.players
    everyone = {str(p): {p} for p in range(count)} | {"all": set(range(count)), "none": set()}
    if side is not None and side not in everyone:
        raise click.BadParameter(f"{side!r} is none of {', '.join(everyone)}", param_hint="--side")
    return otherwise if side is None else everyone[side]


class Quit(Exception):
    """The user has had enough."""


class Table:
    """A game in progress, who of the players is a person, and a console to show it on.

    file      where the game is kept, move by move; None: where `--resume` finds it
    is_kept   is it kept there also when it is over?
    """

    def __init__(
        self,
        sitting: Sitting,
        people: set[int],
        seconds: float,
        console: Console,
        ask: Callable[[str], str],
        opponent: str | None = None,
        file: Path | None = None,
        is_kept: bool = True,
    ):
        self.sitting, self.game, self.people = sitting, sitting.game, people
        self.console, self.ask = console, ask
        best = f"{strongest(self.game)}:seconds={seconds}"
        self.adviser = player_of(best, self.game) if suitable(self.game.traits) else None
        self.words = opponent or ("random" if self.adviser is None else best)
        self.opponent = self._player(self.words)
        self.ready: set[Player] = set()
        self.file, self.is_kept = file or fresh_file(), is_kept and file is not None
        self.flipped = False

    def _player(self, words: str) -> Player:
        return self.adviser if self.adviser is not None and self.adviser.name == words else player_of(words, self.game)

    def play(self) -> bool:
        """Play until the end, or until the user leaves: True where that was by Ctrl-C."""
        self._say(f"{self.game.name}: {HELP}")
        self._remind()
        try:
            while not self.sitting.is_over:
                self._turn()
            self._show(None)
            self._say(self.sitting.result(), "bold")
            if not self.is_kept:
                self.file.unlink(missing_ok=True)
        except (Quit, EOFError, KeyboardInterrupt) as left:
            self._say("\nGoodbye.")
            if self.file.exists():
                how = f"--file {self.file}" if self.is_kept else "--resume"
                self._say(f"`zermelo play {how}` goes on with this game.")
            return isinstance(left, KeyboardInterrupt)
        finally:
            for player in self.ready:
                player.close()
        return False

    def record(self) -> Record:
        """The game, with who sits where."""
        seats = seats_of(self.game)
        return self.sitting.record([PERSON if self.people & {*players} else self.words for players in seats])

    def _remind(self) -> None:
        left = None if self.sitting.moves else unfinished(self.sitting.what)
        if left is not None and self.console.is_terminal:
            self._say(f"(an earlier game is not finished: `zermelo play {self.sitting.what} --resume` goes on with it)")

    def _say(self, words: str, style: str | None = None) -> None:
        self.console.print(words, style=style, highlight=False, markup=False, soft_wrap=True)

    def _turn(self) -> None:
        if self.sitting.is_chance:
            outcome = self.sitting.roll()
            if outcome is not None and not self.game.hidden:
                self._say(f"chance: {outcome}")
            return
        mover = self.game.to_move(self.sitting.state)
        if mover in self.people:
            self._persons_turn(mover)
        else:
            self._opponents_turn(mover)

    def _opponents_turn(self, mover: int) -> None:
        s, who = self.sitting.state, self.game.player_name(mover)
        choice = self._asked(self.opponent)
        if choice.action not in self.sitting.rules.legal(s):
            raise IllegalAction(f"{self.opponent.name} wants to play {choice.action!r}, which is not legal")
        name = self.game.action_name(s, choice.action)
        told = f"plays [bold]{escape(name)}[/bold]{self._verdict(choice)}"
        if self.game.hidden and self.people:
            told = "has moved"
        self.console.print(f"{escape(who)} {told}", highlight=False)
        self.sitting.play(choice.action)
        self._save()

    def _asked(self, player: Player) -> Choice:
        """What a player would do here."""
        sitting = self.sitting
        if player not in self.ready:
            with self.console.status("getting ready"):
                player.begin(self.game)
            self.ready.add(player)
        mover = self.game.to_move(sitting.state)
        states, moves = sitting.seen_by(mover)
        with self.console.status("thinking"):
            chosen = player.choose(Turn(self.game, states, moves, mover, sitting.random))
        return chosen if isinstance(chosen, Choice) else Choice(chosen)

    def _verdict(self, choice: Choice) -> str:
        analysis: Analysis | None = choice.analysis
        if analysis is None:
            return ""
        certainty = "proven" if analysis.exact else f"estimated at depth {analysis.depth}"
        return f"  ({analysis.verdict}, {certainty})"

    def _persons_turn(self, mover: int) -> None:
        if self.game.hidden and len(self.people) > 1:
            self.ask(f"{self.game.player_name(mover)}, when nobody else is looking, press Enter")
        self._show(mover)
        word = self.ask(f"{self.game.player_name(mover)}> ").strip()
        command, _, rest = word.partition(" ")
        command = command.casefold()
        try:
            if command in ("quit", "exit", "q") and not rest:
                raise Quit
            if command in ("level", "save"):
                getattr(self, f"_{command}")(rest.strip())
            elif command in ("hint", "moves", "undo", "flip") and not rest:
                getattr(self, f"_{command}")()
            elif command in ("help", "?", ""):
                self._say(HELP)
            else:
                self.sitting.move(word)
                self._save()
                if self.game.hidden and len(self.people) > 1:
                    self.console.clear()
        except (ZermeloError, ValueError) as error:
            self._say(str(error))

    def _hint(self) -> None:
        if self.adviser is None:
            self._say("Hints are not available for this game: no algorithm can play it.")
            return
        choice = self._asked(self.adviser)
        self._say(f"{self.game.action_name(self.sitting.state, choice.action)}{self._verdict(choice)}")

    def _moves(self) -> None:
        s = self.sitting.state
        self._say("  ".join(self.game.action_name(s, a) for a in self.sitting.rules.legal(s)))

    def _undo(self) -> None:
        self.sitting.undo(self.people)
        self._save()

    def _flip(self) -> None:
        self.flipped = not self.flipped

    def _level(self, name: str) -> None:
        chosen = level(self.game, name)
        self.words = f"level:{chosen.name}"
        self.opponent = self._player(self.words)
        self._say(f"from now on you play against {str(chosen).strip()}")

    def _save(self, name: str = "") -> None:
        """Keep the game where it is kept, or write it to a file as well."""
        path = Path(name) if name else self.file
        record = self.record()
        if not name and not self.is_kept:
            record = replace(record, game=from_anywhere(record.game))
        try:
            save(path, record)
        except OSError as error:
            if name:
                raise ValueError(f"{path} cannot be written: {error.strerror}") from None
            return  # a home that cannot be written to is no reason not to play
        if name:
            self._say(f"saved in {path}")

    def _show(self, viewer: int | None) -> None:
        """The board as a player sees it; None: all of it."""
        s = self.sitting.state
        self.console.print()
        if viewer is not None:
            if self.game.hidden and not self.game.offers("seen_by"):
                self._say(f"what {self.game.player_name(viewer)} knows: {self.game.information(s, viewer)}")
                return  # the whole state would tell more
            s = self.game.seen_by(s, viewer)
        board = self.game.picture(s)
        if board is not None and board.squares and self.console.is_terminal and not self.console.no_color:
            self.console.print(coloured(board, self._last_move(), self.flipped))
        else:
            self._say(self.game.text(s))

    def _last_move(self) -> tuple[str, ...]:
        """The squares of the move that led here, where everybody may know it."""
        sitting = self.sitting
        if not sitting.moves or sitting.moves[-1] is None or self.game.hidden:
            return ()
        s, before = sitting.states[-2], self.game.remembering(sitting.states[:-1])
        if before.to_move(s) == CHANCE:
            return ()
        return squares_of(self.game, s, before.action_named(s, sitting.moves[-1]))
