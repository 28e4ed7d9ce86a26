"""`zermelo` on the command line."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from zermelo import __version__, games
from zermelo.app.resolve import parse_parameters, resolve
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game


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


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="zermelo")
def main() -> None:
    """Find the best move in any game that somebody can write down.

    GAME is a registered game (see `zermelo games`), or a file of your own: mygame.py or mygame.py:MyGame.
    """


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
def play(game: str, settings: tuple[str, ...], side: str, seconds: float) -> None:
    """Play a game in the terminal.

    \b
    zermelo play
    zermelo play connect_four --side 1 --seconds 2
    zermelo play tic_tac_toe --set m=4 --set n=4
    """
    from zermelo.app.play import Table

    chosen = _game(game, settings)
    everyone = {str(p): {p} for p in range(chosen.players)} | {"all": set(range(chosen.players)), "none": set()}
    if side not in everyone:
        raise click.BadParameter(f"{side!r} is none of {', '.join(everyone)}", param_hint="--side")
    Table(chosen, everyone[side], seconds, Console(), input).play()


@main.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@setting
@click.option("--algorithm", help="Which algorithm; by default what suits the game.")
@click.option("--depth", type=int, help="How many plies to look ahead.")
@click.option("--nodes", type=int, help="How many states to visit at most.")
@click.option("--seconds", type=float, help="How long to search at most.")
@click.option("--all-moves", is_flag=True, help="Give every move its exact value.")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def analyse(
    game: str, moves: tuple[str, ...], settings: tuple[str, ...], as_json: bool, compile_: bool | None, **limits: Any
) -> None:
    """Find the best move after MOVES.

    \b
    zermelo analyse tic_tac_toe
    zermelo analyse connect_four 4 4 4 --depth 12 --json
    zermelo analyse mygame.py:MyGame --seconds 5
    """
    from zermelo.search.driver import analyse as find

    chosen = _game(game, settings)
    states = [chosen.initial()]
    played: list[Any] = []
    for move in moves:
        played.append(_as_outcome(chosen, states[-1], move))
        states.append(chosen.play(*played))
    analysis = find(chosen, states[-1], history=states[:-1], compile=compile_, **limits)
    if as_json:
        click.echo(json.dumps(analysis.to_json()))
        return
    click.echo(chosen.text(states[-1]))
    click.echo(str(analysis))
    if analysis.strategy is not None:
        click.echo(str(analysis.strategy))


def _as_outcome(game: Game, s: Any, move: str) -> Any:
    """A typed move; where chance moves, the outcome that is written so."""
    from zermelo.game.protocol import CHANCE

    if not game.is_terminal(s) and game.to_move(s) == CHANCE:
        return next((a for a in game.moves_at(s) if str(a) == move), move)
    return move


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


def _register() -> None:
    """Commands of other files, whose imports wait until one of them is asked for."""
    for name in _SHORT_HELP:
        main.add_command(_Later(name))


class _Later(click.Command):
    """A command that is loaded when it is used, so that the others start quickly."""

    def __init__(self, name: str):
        super().__init__(name, short_help=_SHORT_HELP[name])

    def _loaded(self) -> click.Command:
        if self.name == "learn":
            from zermelo.app import learn

            return learn.learn_command
        from zermelo.app import blackboard

        return blackboard.tree_command if self.name == "tree" else blackboard.practice_command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        return self._loaded().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        return self._loaded().invoke(context)


_SHORT_HELP = {
    "tree": "Watch an algorithm on a tree: a named one, a file, or nested lists.",
    "practice": "Do an exercise and have it graded.",
    "learn": "Learn an evaluation from play.",
}
_register()


if __name__ == "__main__":
    main()
