"""The `zermelo` command: all subcommands, in groups. A subcommand in another file is imported when it is used."""

from __future__ import annotations

import difflib
import importlib
import json
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import Any

import click

from zermelo import __version__, games
from zermelo.app.interrupts import STOPPED, watching_ctrl_c
from zermelo.app.options import as_json, chosen_game, game_argument, setting
from zermelo.game.errors import ZermeloError

COMMANDS: dict[str, dict[str, tuple[str | None, str]]] = {
    "Play": {
        "serve": ("serve", "Open the app in the browser: play, analyse, learn."),
        "play": ("play", "Play a game in the terminal."),
        "games": (None, "List the registered games."),
        "levels": ("arena", "List the levels of a game, from beginner to full strength."),
    },
    "One position": {
        "analyse": ("analyse", "Find the best move."),
        "rollout": ("rollout", "Play a position or its moves out many times."),
        "solve": ("solve", "Prove the value of a position."),
        "review": ("review", "Grade every move of a saved game."),
        "explain": ("explain", "Explain the evaluation of a position and the best move."),
        "race": ("race", "Compare search techniques by the nodes they need."),
        "table": ("table", "Build endgame tables, which the evaluation then uses."),
    },
    "Poker": {
        "equity": ("poker", "Compare two hands or ranges at hold'em."),
        "subgame": ("subgame", "Solve a spot on the turn or the river, for given ranges and bets."),
        "pushfold": ("poker", "All in or fold, heads up: the equilibrium for a stack."),
    },
    "The blackboard": {
        "tree": ("blackboard", "Watch an algorithm on a tree, step by step."),
        "practice": ("practice", "Do an exercise and get it graded."),
    },
    "The arena": {
        "match": ("arena", "Play a match between two players and measure who is stronger."),
        "tournament": ("arena", "Play a round-robin tournament and rate the players."),
        "book": ("arena", "Look up moves in an opening book or a file of games."),
    },
    "Your own game": {
        "new": ("new", "Create a small game to start from, with tests."),
        "check": (None, "Check the rules of a game and whether they compile."),
        "learn": ("learn", "Learn an evaluation from self-play."),
    },
    "For programs": {
        "uci": ("uci", "Run a chess engine that speaks UCI."),
        "gtp": ("gtp", "Run a Go program that speaks GTP."),
        "bench": ("bench", "Measure the speed of a game; print the engine's signature."),
        "completion": ("completion", "Print the completion script for a shell."),
    },
}
"""The commands in the order of `zermelo --help`, each with its file in this folder (None: this file)."""

USAGE, GAMES_OWN, OURS = 2, 3, 4
"""Exit codes: see docs/command_line.md."""


class _Group(click.Group):
    """A group that prints expected errors as one line on standard error; the exit code says whose error it is."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], self.commands, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **options)
        except click.UsageError as error:
            _say(error)
            raise SystemExit(USAGE) from None

    def invoke(self, context: click.Context) -> Any:
        try:
            with watching_ctrl_c():
                return super().invoke(context)
        except (KeyboardInterrupt, click.Abort):
            click.echo("stopped", err=True)
            context.exit(STOPPED)
        except click.ClickException as error:
            _say(error)
            context.exit(USAGE)
        except (click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            place = frames[-1]
            if isinstance(error, OSError) and error.strerror and _is_own(_calling(frames)):
                file = "" if error.filename is None else f"{error.filename}: "
                click.echo(f"zermelo: {file}{error.strerror}", err=True)
                context.exit(USAGE)
            if isinstance(error, ZermeloError) or (
                _is_own(place.filename) and isinstance(error, ValueError | TypeError)
            ):
                click.echo(f"zermelo: {error}", err=True)
                context.exit(USAGE)
            if _is_own(place.filename):
                click.echo(traceback.format_exc(), err=True)
                context.exit(OURS)
            where = f"{place.filename}, line {place.lineno}, in {place.name}"
            click.echo(f"zermelo: {where}: {type(error).__name__}: {error}", err=True)
            context.exit(GAMES_OWN)


def _say(error: click.ClickException) -> None:
    """Print one line: what is wrong, and which help text to read."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    more = f"; see {context.command_path} --help" if context is not None else ""
    click.echo(f"zermelo: {message}{more}", err=True)


def _is_own(file: str) -> bool:
    return Path(file).is_relative_to(Path(__file__).parent.parent)


def _calling(frames: traceback.StackSummary) -> str:
    """The file of the last frame that is not in Python's library."""
    library = sysconfig.get_path("stdlib")
    files = (each.filename for each in reversed(frames))
    return next((file for file in files if _is_own(file) or not Path(file).is_relative_to(library)), "")


class _Later(click.Command):
    """A command in another file, which is imported only when the command is used, so that other commands start fast."""

    def __init__(self, name: str, file: str, short_help: str):
        super().__init__(name, short_help=short_help)
        self.module = f"zermelo.app.{file}"

    def loaded(self) -> click.Command:
        command: click.Command = getattr(importlib.import_module(self.module), f"{self.name}_command")
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        return self.loaded().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        return self.loaded().invoke(context)


@click.group(cls=_Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="zermelo")
@click.pass_context
def main(context: click.Context) -> None:
    """Find the best move in any game that you can write down. Without a command, open the app in the browser.

    GAME is a registered game (see `zermelo games`) or your own file: mygame.py or mygame.py:MyGame. For examples, run
    `zermelo COMMAND --help`.
    """
    if context.invoked_subcommand is None:
        context.invoke(_Later("serve", "serve", "").loaded())


@main.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def games_command(as_json: bool) -> None:
    """List the registered games.

    \b
    zermelo games
    zermelo games --json
    """
    rows = [(name, str(games.load(name).traits)) for name in games.names()]
    if as_json:
        click.echo(json.dumps([{"name": name, "traits": traits} for name, traits in rows]))
        return
    for name, traits in rows:
        click.echo(f"{name:<22}{traits}")


@main.command("check")
@game_argument
@setting
@click.option("--plays", default=100, show_default=True, help="Number of random games to play.")
@click.option("--seed", default=0, show_default=True, help="Random seed.")
@as_json
def check_command(game: str, settings: tuple[str, ...], plays: int, seed: int, as_json: bool) -> None:
    """Check the rules of a game and whether they compile.

    Exit codes: 0 if nothing is wrong, 1 if there is a problem with the game, 2 if it cannot be loaded.

    \b
    zermelo check mygame.py
    zermelo check mygame.py:MyGame --plays 1000 --json
    """
    from zermelo.conformance import check as examine

    report = examine(chosen_game(game, settings), plays=plays, seed=seed)
    click.echo(json.dumps(report.to_json()) if as_json else str(report))
    sys.exit(0 if report.ok else 1)


for _commands in COMMANDS.values():
    for _name, (_file, _help) in _commands.items():
        if _file is not None:
            main.add_command(_Later(_name, _file, _help))
