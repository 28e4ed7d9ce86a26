"""`zermelo play`: an interactive game in the terminal, against any player of the arena."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from zermelo import __version__
from zermelo.app.coloured import coloured
from zermelo.app.options import GAME, LEVEL, MOVE, PLAYER, fen, setting
from zermelo.app.prompt import PromptPlayer
from zermelo.app.saved import games_in, require_format, write_to
from zermelo.app.unfinished import fresh_file, from_anywhere, saved_in, unfinished
from zermelo.app.waiting import waiting
from zermelo.arena.levels import full_strength, level, strongest
from zermelo.arena.player import Choice, Turn
from zermelo.game.errors import IllegalAction, UnknownName, ZermeloError
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import parse_parameters, resolve_at
from zermelo.kernel.random import Random
from zermelo.pictures import squares_of
from zermelo.play.play import Play
from zermelo.play.record import Record
from zermelo.play.seats import seats_of
from zermelo.search.analysis import Analysis
from zermelo.search.registry import suitable

PERSON = "person"
HELP = "type a move, or: hint, moves, undo, flip, level NAME, save FILE, help, quit"


@click.command("play")
@click.argument("game", required=False, type=GAME)
@click.argument("moves", nargs=-1, type=MOVE)
@setting
@fen
@click.option("--side", "side", help="The side you play: a player's number, 'all' or 'none'.  [default: 0]")
@click.option("--seconds", default=1.0, show_default=True, help="The computer's thinking time per move.")
@click.option("--level", type=LEVEL, help="Play against a weaker opponent: see `zermelo levels GAME`.")
@click.option(
    "--against", type=PLAYER, metavar="PLAYER", help="Play against another opponent: see `zermelo match --help`."
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save the game to this file (.jsonl, .pgn, .pdn, .sgf or .mat) after every move; an existing file is resumed.",
)
@click.option(
    "--dice", type=click.Choice(["app", "hand"]), default="app", show_default=True,
    help="Who rolls: the app, or you, who enter what real dice show.",
)  # fmt: skip
@click.option("--book/--no-book", default=True, help="Let the computer play openings from the game's own book.")
@click.option("--resume", is_flag=True, help="Resume the last unfinished game.")
@click.option("--json", "as_json", is_flag=True, help="Print the finished game as one JSON object on standard output.")
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
    dice: str,
    book: bool,
    resume: bool,
    as_json: bool,
) -> None:
    """Play a game in the terminal: tic-tac-toe by default. MOVES are played before the game starts.

    The game is saved after every move; resume it with `--resume`.

    \b
    zermelo play
    zermelo play othello --level casual
    zermelo play connect_four --against alpha_beta:depth=4
    zermelo play connect_four 4 4 --side 1 --seconds 2
    zermelo play chess --fen "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    zermelo play tic_tac_toe --set m=4 --set n=4
    zermelo play chess --file evening.pgn
    zermelo play backgammon --set cube=true --set points=5 --dice hand
    zermelo play --resume
    """
    if level is not None and against is not None:
        raise click.UsageError("--level and --against both name the opponent: give one of them")
    if resume and file is not None:
        raise click.UsageError("--resume resumes the last unfinished game, --file the one in a file: give one of them")
    if resume:
        file = unfinished(game)
        if file is None:
            raise UnknownName(f"there is no unfinished game{f' of {game}' if game else ''} to resume")
    words = f"level:{level}" if level is not None else against
    if file is not None and file.exists():
        if moves or settings or fen:
            raise click.UsageError(f"the game in {file} has already started: --set, --fen and moves are for a new game")
        record = saved_in(file)
        if game is not None and from_anywhere(game) != from_anywhere(record.game):
            raise click.UsageError(f"the game in {file} is {record.game}, not {game}")
        what, parameters, play = record.game, record.parameters, record.play()
        words = words or next((each for each in record.players if each != PERSON), None)
        seated = {p for p, each in _players(play.game, record.players) if each == PERSON}
        people = _people(play.game, side, seated or (set() if record.players else {0}))
    else:
        what = game or "tic_tac_toe"
        rules, parameters = resolve_at(what, parse_parameters(settings), fen)
        play = Play(rules, start=fen)
        play.follow(moves)
        people = _people(play.game, side, {0})
    if file is not None:
        require_format(file, play.game)
    console = Console(emoji=False, stderr=as_json)
    about: dict[str, Any] = {
        "what": what,
        "parameters": parameters,
        "opponent": words,
        "file": file,
        "is_kept": not resume,
        "by_hand": dice == "hand",
        "with_book": book,
    }
    table = Table(play, people, seconds, console, _asker(as_json), **about)
    stopped = table.run()
    if as_json:
        click.echo(json.dumps(table.record().to_json()))
    if stopped:
        raise SystemExit(130)


def _asker(as_json: bool) -> Callable[[str], str]:
    """A function that asks the user: on standard error if standard output is reserved for JSON."""

    def ask(question: str) -> str:
        click.echo(question, nl=False, err=True)
        return input()

    return ask if as_json else input


def _players(game: Game, seats: Sequence[str]) -> list[tuple[int, str]]:
    """Every player, with the words for who plays it."""
    return [(p, words) for players, words in zip(seats_of(game), seats, strict=False) for p in players]


def _people(game: Game, side: str | None, otherwise: set[int]) -> set[int]:
    everyone = {str(p): {p} for p in range(game.players)} | {"all": set(range(game.players)), "none": set()}
    if side is not None and side not in everyone:
        raise click.BadParameter(f"{side!r} is not one of {', '.join(everyone)}", param_hint="--side")
    return otherwise if side is None else everyone[side]


class Quit(Exception):
    """The user leaves."""


class Table:
    """A game in the terminal.

    play         the game in progress
    people       the players that are people; the others are played by the opponent
    what         the game as it is named on the command line, with its parameters
    opponent     a player in words, as for `zermelo match`; by default the strongest
    file         where the game is saved after every move; None: where `--resume` finds it
    is_kept      keep the file when the game is over
    with_book    the default opponent plays openings from the game's own book, if there is one
    by_hand      the user enters what chance brings, such as the roll of real dice
    """

    def __init__(
        self,
        play: Play,
        people: set[int],
        seconds: float,
        console: Console,
        ask: Callable[[str], str],
        *,
        what: str,
        parameters: dict[str, Any] | None = None,
        opponent: str | None = None,
        file: Path | None = None,
        is_kept: bool = True,
        by_hand: bool = False,
        with_book: bool = True,
    ):
        self.play, self.game, self.people = play, play.game, people
        self.what, self.parameters = what, parameters or {}
        self.console, self.ask = console, ask
        self.random = Random(int.from_bytes(os.urandom(8), "big"))  # the computer players', not of chance
        self.players: dict[str, PromptPlayer] = {}
        self.adviser = f"{strongest(self.game)}:seconds={seconds}" if suitable(self.game.traits) else None
        strong = full_strength(self.game, seconds, book=with_book) if self.adviser else "random"
        self.words = opponent or strong
        self._player(self.words)  # reports errors in its words
        self.file, self.is_kept = file or fresh_file(), is_kept and file is not None
        if by_hand and (self.game.hidden or not self.game.traits.lists_outcomes):
            raise ValueError(f"--dice hand is not for {self.game.title}: there is nothing to roll that everybody sees")
        self.by_hand = by_hand
        self.flipped = self.has_warned = False
        self.opening = ""  # the name that was shown last

    def _player(self, words: str) -> PromptPlayer:
        """The computer player with this name."""
        if words not in self.players:
            settings = tuple(f"{name}={value!r}" for name, value in self.parameters.items())
            self.players[words] = PromptPlayer(words, self.game, self.what, settings)
        return self.players[words]

    def run(self) -> bool:
        """Play until the end, or until the user leaves; returns whether that was by Ctrl-C."""
        self._say(f"{self.game.title}: {HELP}")
        self._remind()
        if self.people != set(range(self.game.players)):
            self._player(self.words).prepare()
        try:
            while not self.play.is_over:
                self._turn()
            self._show(None)
            self._say(self.play.result(), "bold")
            if not self.is_kept:
                self.file.unlink(missing_ok=True)
        except (Quit, EOFError, KeyboardInterrupt) as left:
            self._say("\nGoodbye.")
            if self.file.exists():
                how = f"--file {self.file}" if self.is_kept else "--resume"
                self._say(f"Resume this game with `zermelo play {how}`.")
            return isinstance(left, KeyboardInterrupt)
        finally:
            for player in self.players.values():
                player.close()
        return False

    def record(self) -> Record:
        """The game, to be saved."""
        seats = tuple(PERSON if self.people & {*players} else self.words for players in seats_of(self.game))
        about = {"parameters": self.parameters, "players": seats, "version": __version__}
        return Record.of(self.play, self.what, **about)

    def _remind(self) -> None:
        left = unfinished(self.what) if self.play.here is self.play.root else None
        if left is not None and self.console.is_terminal:
            self._say(f"(There is an unfinished game: resume it with `zermelo play {self.what} --resume`.)")

    def _say(self, words: str, style: str | None = None) -> None:
        self.console.print(words, style=style, highlight=False, markup=False, soft_wrap=True)

    def _turn(self) -> None:
        mover = self.play.mover
        news = self.play.news(self.play.here)
        if mover == CHANCE and news:  # a game of a match has ended, and the next one begins
            self._say(news, "bold")
        if mover == CHANCE and self.by_hand:
            self._persons_roll()
        elif mover == CHANCE:
            s, drawn = self.play.state, self.play.draw()
            if drawn.action is not None and not self.game.hidden:
                self._say(f"{self.game.player_name(CHANCE)}: {self.game.action_name(s, drawn.action)}")
        elif mover in self.people:
            self._persons_turn(mover)
        elif mover is not None:
            self._opponents_turn(mover)

    def _opponents_turn(self, mover: int) -> None:
        s, who = self.play.state, self.game.player_name(mover)
        choice = self._asked(self.words)
        if choice.action not in self.play.legal():
            raise IllegalAction(f"{self.words} wants to play {choice.action!r}, which is not legal")
        name = self.game.action_name(s, choice.action)
        self.play.move(choice.action)
        self._save()
        if not self.game.hidden or not self.people:
            played = f"plays [bold]{escape(name)}[/bold]{self._verdict(choice)}"
            self.console.print(f"{escape(who)} {played}", highlight=False)
        elif self.play.mover != mover:  # not how many moves it took: a try that was blocked is hidden too
            self.console.print(f"{escape(who)} has moved", highlight=False)

    def _asked(self, words: str) -> Choice:
        """What a player would do here."""
        player = self._player(words)
        with waiting("thinking", self.console, player.preparation):
            return player.choose(Turn.of(self.play, self.random))

    def _verdict(self, choice: Choice) -> str:
        analysis: Analysis | None = choice.analysis
        if analysis is None:
            return f"  ({choice.source})" if choice.source else ""
        certainty = "proven" if analysis.exact else f"estimated at depth {analysis.depth}"
        return f"  ({analysis.verdict}, {certainty})"

    def _persons_turn(self, mover: int) -> None:
        if self.game.hidden and len(self.people) > 1:
            self.ask(f"{self.game.player_name(mover)}: press Enter when nobody else is looking")
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
                self.play.move_named(word)
                self._save()
                if self.game.hidden and len(self.people) > 1:
                    self.console.clear()
        except (ZermeloError, ValueError) as error:
            self._say(str(error))

    def _persons_roll(self) -> None:
        """Ask what chance brings."""
        names = [self.game.action_name(self.play.state, outcome) for outcome, _ in self.game.outcomes(self.play.state)]
        word = self.ask(f"{self.game.player_name(CHANCE)} ({names[0]} … {names[-1]}, Enter rolls)> ").strip()
        try:
            if word.casefold() in ("quit", "exit", "q"):
                raise Quit
            if word.casefold() == "undo":
                self._undo()
            elif word:
                self.play.follow([word])
            else:
                s, drawn = self.play.state, self.play.draw()
                self._say(f"{self.game.player_name(CHANCE)}: {self.game.action_name(s, drawn.action)}")
        except (ZermeloError, ValueError) as error:
            self._say(str(error))

    def _hint(self) -> None:
        if self.adviser is None:
            self._say("Hints are not available for this game: no algorithm can play it.")
            return
        choice = self._asked(self.adviser)
        self._say(f"{self.game.action_name(self.play.state, choice.action)}{self._verdict(choice)}")

    def _moves(self) -> None:
        self._say("  ".join(self.game.action_name(self.play.state, a) for a in self.play.legal()))

    def _undo(self) -> None:
        if self.game.hidden:
            raise ValueError("Undo is not available in games with hidden information: what was seen stays seen.")
        self.play.take_back(self.people)
        self._save()

    def _flip(self) -> None:
        self.flipped = not self.flipped

    def _level(self, name: str) -> None:
        chosen = level(self.game, name)
        self.words = f"level:{chosen.name}"
        self._player(self.words).prepare()
        self._say(f"You now play against {' '.join(str(chosen).split())}.")

    def _save(self, name: str = "") -> None:
        """Save the game where it is kept, or to a file that the user names."""
        path = Path(name) if name else self.file
        if name and path.exists() and not _is_saved_game(path):
            raise ValueError(f"{path} exists and is not a saved game: choose another name")
        record = self.record()
        if not name and not self.is_kept:
            record = replace(record, game=from_anywhere(record.game))
        try:
            write_to(path, record, self.play)
        except OSError as error:
            if name:
                raise ValueError(f"{path} cannot be written: {error.strerror}") from None
            if not self.has_warned:  # the game can be played even if it cannot be saved
                self._say(f"This game cannot be saved: {path}: {error.strerror}.")
            self.has_warned = True
            return
        if name:
            reveals = self.game.hidden and not self.play.is_over
            self._say(f"saved in {path}{'; the file contains what is hidden from you' if reveals else ''}")

    def _show(self, viewer: int | None) -> None:
        """Show the board as a player sees it; None: all of it."""
        self.console.print()
        s = self.play.state if viewer is None else self.play.visible_state(viewer)
        if s is None:
            assert viewer is not None
            knows = self.game.information(self.play.state, viewer)
            self._say(f"what {self.game.player_name(viewer)} knows: {knows}")
            return
        board = self.game.picture(s)
        if board is not None and board.squares and self.console.is_terminal and not self.console.no_color:
            self.console.print(coloured(board, self._last_move(), self.flipped))
        else:
            self._say(self.game.text(s))
        opening = self.game.opening(self.play.states)
        if opening != self.opening:
            self.opening = opening
            self._say(opening)

    def _last_move(self) -> tuple[str, ...]:
        """The squares of the last move, if everybody may see it."""
        here = self.play.here
        if here.before is None or self.game.hidden or self.game.to_move(here.before.state) == CHANCE:
            return ()
        return squares_of(self.game, here.before.state, here.action)


def _is_saved_game(path: Path) -> bool:
    """Is this a file of saved games, or an empty one?"""
    try:
        return path.stat().st_size == 0 or bool(games_in(path))
    except (OSError, ValueError, ZermeloError):
        return False
