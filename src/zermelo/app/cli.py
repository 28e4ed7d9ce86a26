"""`zermelo` on the command line."""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from zermelo import __version__, games
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, played, resolve


class _Group(click.Group):
    """Commands whose expected errors are one line on standard error: exit code 2, or 1 for an error in a game."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            context.exit(130)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            if isinstance(error, ZermeloError) or (
                _is_own(place.filename) and isinstance(error, ValueError | TypeError)
            ):
                click.echo(f"zermelo: {error}", err=True)
                context.exit(2)
            if _is_own(place.filename):
                raise  # a mistake of zermelo's own: show all of it
            where = f"{place.filename}, line {place.lineno}, in {place.name}"
            click.echo(f"zermelo: {where}: {type(error).__name__}: {error}", err=True)
            context.exit(1)


def _is_own(file: str) -> bool:
    return Path(file).is_relative_to(Path(__file__).parent.parent)


setting = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")


def _game(what: str, settings: tuple[str, ...]) -> Game:
    return resolve(what, parse_parameters(settings))


@click.group(cls=_Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="zermelo")
@click.pass_context
def main(context: click.Context) -> None:
    """Find the best move in any game that somebody can write down. Without a command it opens the app in the browser.

    GAME is a registered game (see `zermelo games`), or a file of your own: mygame.py or mygame.py:MyGame.
    """
    if context.invoked_subcommand is None:
        context.invoke(_Later("serve", "zermelo.app.serve", "")._loaded())


@main.command("games")
@click.option("--json", "as_json", is_flag=True, help="One JSON list on standard output.")
def list_games(as_json: bool) -> None:
    """List the registered games.

    \b
    zermelo games
    """
    rows = [(name, str(games.load(name).traits)) for name in games.names()]
    if as_json:
        click.echo(json.dumps([{"name": name, "traits": traits} for name, traits in rows]))
        return
    for name, traits in rows:
        click.echo(f"{name:<22}{traits}")


@main.command()
@click.argument("game", default="tic_tac_toe")
@setting
@click.option("--side", "side", default="0", show_default=True, help="Who you are: a player's number, 'all' or 'none'.")
@click.option("--seconds", default=1.0, show_default=True, help="How long the computer may think about a move.")
@click.option("--level", help="A weaker opponent: see `zermelo levels GAME`.")
@click.option("--against", metavar="PLAYER", help="Another opponent, in words: see `zermelo match --help`.")
def play(
    game: str, settings: tuple[str, ...], side: str, seconds: float, level: str | None, against: str | None
) -> None:
    """Play a game in the terminal.

    \b
    zermelo play
    zermelo play othello --level casual
    zermelo play connect_four --against alpha_beta:depth=4
    zermelo play connect_four --side 1 --seconds 2
    zermelo play tic_tac_toe --set m=4 --set n=4
    """
    from zermelo.app.play import Table

    chosen = _game(game, settings)
    everyone = {str(p): {p} for p in range(chosen.players)} | {"all": set(range(chosen.players)), "none": set()}
    if side not in everyone:
        raise click.BadParameter(f"{side!r} is none of {', '.join(everyone)}", param_hint="--side")
    if level is not None and against is not None:
        raise click.UsageError("--level and --against both name the opponent: give one of them")
    opponent = f"level:{level}" if level is not None else against
    Table(chosen, everyone[side], seconds, Console(emoji=False), input, opponent).play()


@main.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@setting
@click.option("--algorithm", help="Which algorithm; by default what suits the game.")
@click.option("--depth", type=int, help="How many plies to look ahead.")
@click.option("--nodes", type=int, help="How many states to visit at most.")
@click.option("--seconds", type=float, help="How long to search at most.")
@click.option("--all-moves", is_flag=True, help="Give every move its exact value.")
@click.option("--lines", type=int, help="How many of the best lines to give, with --algorithm engine or mtdf.")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def analyse(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    lines: int | None,
    as_json: bool,
    compile_: bool | None,
    **limits: Any,
) -> None:
    """Find the best move after MOVES.

    \b
    zermelo analyse tic_tac_toe
    zermelo analyse connect_four 4 4 4 --depth 12 --json
    zermelo analyse mygame.py:MyGame --seconds 5
    zermelo analyse othello f5 --algorithm engine --lines 3 --seconds 2
    """
    from zermelo.search.algorithm import ENGINES
    from zermelo.search.driver import analyse as find

    chosen = _game(game, settings)
    states = played(chosen, moves)
    if limits["algorithm"] in ENGINES:
        _analyse_by_engine(chosen, states, compile_, lines, as_json, **limits)
        return
    if lines is not None:
        raise ValueError(f"lines are for --algorithm {' or '.join(ENGINES)}; --all-moves gives every move its value")
    analysis = find(chosen, states[-1], history=states[:-1], compile=compile_, **limits)
    if as_json:
        click.echo(json.dumps(analysis.to_json()))
        return
    click.echo(chosen.text(states[-1]))
    click.echo(str(analysis))
    if analysis.strategy is not None:
        click.echo(str(analysis.strategy))


def _analyse_by_engine(
    game: Game,
    states: list[Any],
    compile_: bool | None,
    lines: int | None,
    as_json: bool,
    algorithm: str,
    all_moves: bool,
    **limits: Any,
) -> None:
    from zermelo.app.solve import report, with_lines
    from zermelo.search.engine import Engine

    engine = Engine(game, compile=compile_, mtdf=algorithm == "mtdf")
    if lines is None:
        lines = max(len(game.legal(states[-1])), 1) if all_moves else 1
    analysis = engine.think(states[-1], lines=lines, history=states[:-1], **limits)
    if as_json:
        click.echo(json.dumps(with_lines(analysis)))
        return
    click.echo(game.text(states[-1]))
    click.echo(report(analysis))


@main.command()
@click.argument("game")
@setting
@click.option("--plays", default=100, show_default=True, help="How many games to play at random.")
@click.option("--seed", default=0, show_default=True, help="The seed of the random play.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def check(game: str, settings: tuple[str, ...], plays: int, seed: int, as_json: bool) -> None:
    """Check the rules of a game, and whether they compile.

    Exit code 0: nothing found; 1: something is wrong with the game; 2: it could not be loaded.

    \b
    zermelo check mygame.py
    zermelo check mygame.py:MyGame --plays 1000 --json
    """
    from zermelo.conformance import check as examine

    report = examine(_game(game, settings), plays=plays, seed=seed)
    click.echo(json.dumps(report.to_json()) if as_json else str(report))
    sys.exit(0 if report.ok else 1)


class _Later(click.Command):
    """A command of another file, which is loaded when it is used, so that the others start quickly."""

    def __init__(self, name: str, module: str, short_help: str):
        super().__init__(name, short_help=short_help)
        self.module = module

    def _loaded(self) -> click.Command:
        command: click.Command = getattr(importlib.import_module(self.module), f"{self.name}_command")
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        return self._loaded().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        return self._loaded().invoke(context)


for _name, _module, _help in (
    ("tree", "zermelo.app.blackboard", "Watch an algorithm on a tree: a named one, a file, or nested lists."),
    ("practice", "zermelo.app.blackboard", "Do an exercise and have it graded."),
    ("learn", "zermelo.app.learn", "Learn an evaluation from play."),
    ("solve", "zermelo.app.solve", "Prove what a position is worth."),
    ("explain", "zermelo.app.explain", "Explain a position: what it is worth, feature by feature, and the best move."),
    ("race", "zermelo.app.race", "Count the nodes of one technique of search after the other."),
    ("match", "zermelo.app.arena", "Let two players meet, and say who is stronger."),
    ("tournament", "zermelo.app.arena", "Let many players meet, and rate them."),
    ("levels", "zermelo.app.arena", "List a game's levels, from beginner to full strength."),
    ("book", "zermelo.app.arena", "Look up what was played in a file of games."),
    ("bench", "zermelo.app.race", "Print the engine's signature, in nodes, and its speed."),
    ("serve", "zermelo.app.serve", "Open the app in the browser: play, analyse, learn."),
    ("uci", "zermelo.app.uci", "Play chess for programs that speak the Universal Chess Interface."),
):
    main.add_command(_Later(_name, _module, _help))


if __name__ == "__main__":
    main()
