"""Options that many commands share, with shell completion for games, moves, algorithms and levels."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from zermelo import games
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, played, position, resolve_at
from zermelo.kernel.files import write_whole
from zermelo.kernel.tabular import Tabular

Complete = Callable[[click.Context, str], list[str]]


class Completed(StringParamType):
    """A string parameter with shell completion."""

    def __init__(self, complete: Complete, files: bool = False):
        self.complete, self.files = complete, files

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = []
        with contextlib.suppress(ZermeloError, ValueError, TypeError):  # errors are reported when the command runs
            found = [each for each in self.complete(ctx, incomplete) if each.startswith(incomplete)]
        if not found and self.files:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(each) for each in found]


def _registered(context: click.Context) -> Game:
    """The registered game on the command line. A user's file is not loaded, because that would run it."""
    name = context.params.get("game") or next(iter(context.args), "")  # not parsed yet if an option has no value
    return games.load(name, **parse_parameters(tuple(context.params.get("settings") or ())))


def _game_names(context: click.Context, incomplete: str) -> list[str]:
    return games.names()


def _legal_moves(context: click.Context, incomplete: str) -> list[str]:
    game = _registered(context)
    s = played(game, tuple(context.params.get("moves") or ()))[-1]
    return [game.action_name(s, a) for a in game.legal(s)]


def _algorithms(context: click.Context, incomplete: str) -> list[str]:
    from zermelo.search.registry import algorithms

    return sorted(each.name for each in algorithms())


def _levels(context: click.Context, incomplete: str) -> list[str]:
    from zermelo.arena.levels import levels

    return [each.name for each in levels(_registered(context))]


def _players(context: click.Context, incomplete: str) -> list[str]:
    levels = [f"level:{name}" for name in _levels(context, incomplete)]
    return ["random", "person", *_algorithms(context, incomplete), *levels]


def _trees(context: click.Context, incomplete: str) -> list[str]:
    from zermelo.trees import names

    return names()


def _exercises(context: click.Context, incomplete: str) -> list[str]:
    from zermelo.blackboard.practice import kinds

    return kinds()


GAME = Completed(_game_names, files=True)
MOVE = Completed(_legal_moves)
ALGORITHM = Completed(_algorithms, files=True)
LEVEL = Completed(_levels)
PLAYER = Completed(_players, files=True)
TREE = Completed(_trees, files=True)
EXERCISE = Completed(_exercises)

game_argument = click.argument("game", type=GAME)
moves_argument = click.argument("moves", nargs=-1, type=MOVE)


def setting(command: Any) -> Any:
    """The options for parameters of the game: --set, and --network, which is short for --set network=FILE."""
    for option in (
        click.option(
            "--network", type=click.Path(exists=True, dir_okay=False), is_eager=True, expose_value=False,
            callback=_keep_network, help="Evaluate with the network in this file, for games with features.",
        ),
        click.option(
            "--set", "settings", multiple=True, metavar="NAME=VALUE", callback=_with_network,
            help="Set a parameter of the game.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _keep_network(context: click.Context, parameter: click.Parameter, file: str | None) -> None:
    context.meta["zermelo.network"] = file


def _with_network(context: click.Context, parameter: click.Parameter, settings: tuple[str, ...]) -> tuple[str, ...]:
    file = context.meta.get("zermelo.network")
    return settings if file is None else (*settings, f"network={file}")


fen = click.option(
    "--position", "--fen", "fen", help="Starting position as text: FEN, XGID or the game's own notation."
)
weights = click.option(
    "--weights", type=click.Path(exists=True, dir_okay=False), help="Evaluation weights saved by `zermelo learn`."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def csv_option(help: str) -> Callable[..., Any]:
    """The option that writes a table to a file; `write_csv` writes it."""
    return click.option(
        "--csv", "csv_file", type=click.Path(dir_okay=False, writable=True), metavar="FILE", callback=in_a_folder,
        help=help,
    )  # fmt: skip


def in_a_folder(context: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """Report a missing folder before the work begins, not after."""
    if file is not None and not Path(file).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(Path(file).parent)!r}", context, parameter)
    return file


def write_csv(file: str | None, found: Tabular) -> None:
    """Write a table to a file, if there is one."""
    if file is not None:
        write_whole(Path(file), found.to_csv().encode())
        click.echo(f"written: {file}", err=True)


def chosen_game(what: str, settings: tuple[str, ...], weights: str | None = None, position: str | None = None) -> Game:
    """The game named on the command line, with its parameters and the weights of its evaluation."""
    game, _ = resolve_at(what, parse_parameters(settings), position)
    if weights is None:
        return game
    from zermelo.learn.learned import Learned

    return Learned.load(weights, game).apply(game)


def given(
    what: str, moves: tuple[str, ...], settings: tuple[str, ...], fen: str | None, weights: str | None = None
) -> tuple[Game, list[Any]]:
    """The game, and all states along the moves. GAME may be a file of a saved game: then MOVES follow its end."""
    from zermelo.app.saved import game_in, is_file_of_games

    if not is_file_of_games(what):
        game = chosen_game(what, settings, weights, fen)
        return game, reached(game, moves, fen)
    if settings or fen is not None or weights is not None:
        raise click.UsageError(
            f"the game in {what} has already started: --set, --network, --fen and --weights are for a new game"
        )
    record = game_in(Path(what))
    game = record.load()
    states = record.states(game)
    return game, [*states[:-1], *played(game, moves, states[-1])]


def with_a_move(what: str, game: Game, states: list[Any]) -> None:
    """Suggest a review if the saved game is over: its last position has no move to find."""
    from zermelo.app.saved import is_file_of_games

    if is_file_of_games(what) and game.remembering(states).is_terminal(states[-1]):
        raise click.ClickException(f"the game in {what} is over: grade its moves with `zermelo review {what}`")


def reached(game: Game, moves: tuple[str, ...], fen: str | None) -> list[Any]:
    """All states along the moves, from the initial state or from a position given as text."""
    return played(game, moves, None if fen is None else position(game, fen))
