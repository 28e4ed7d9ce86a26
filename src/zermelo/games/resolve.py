"""From user input to a game: a registered name, or the user's own Python file."""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo import games
from zermelo.game.errors import GameError, IllegalAction, UnknownName, ZermeloError
from zermelo.game.protocol import CHANCE, Game

LISTED = 20
"""The most outcomes of chance that an error lists."""


def resolve(what: str, parameters: dict[str, Any]) -> Game:
    """The game for NAME, FILE.py or FILE.py:CLASS; FILE.efg is a game of Gambit's."""
    if what.casefold().endswith(".efg"):
        from zermelo.games.efg import read_efg

        if parameters:
            raise GameError(f"the game in {what} has no parameters, so there is nothing to --set")
        return read_efg(what)
    path, _, cls = what.partition(".py:") if ".py:" in what else (what.removesuffix(".py"), "", "")
    if what.endswith(".py") or ".py:" in what:
        return _made(_class_in(Path(path + ".py"), cls), parameters)
    try:
        return games.load(what, **parameters)
    except UnknownName as error:
        raise UnknownName(f"{error}; a game of your own is a file, such as mygame.py or mygame.py:MyGame") from None


def resolve_at(what: str, parameters: dict[str, Any], start: str | None) -> tuple[Game, dict[str, Any]]:
    """The game of a position, and its parameters: those that are given, and those that the text of the position has."""
    game = resolve(what, parameters)
    if start is None or not game.offers("parameters_in"):
        return game, parameters
    usual = {each.name: each.default for each in inspect.signature(type(game)).parameters.values()}
    found = game.parameters_in(start.strip()) or {}
    complete = {**{name: value for name, value in found.items() if value != usual[name]}, **parameters}
    return (game, parameters) if complete == parameters else (resolve(what, complete), complete)


def game_of(what: Game | str | Path) -> Game:
    """A game as functions take it: an instance, a registered name, or a file, as in mygame.py:MyGame."""
    if isinstance(what, str | Path):
        return resolve(str(what), {})
    if not isinstance(what, Game):
        raise GameError(f"{what!r} is not a Game: derive its class from zermelo.Game, and pass an instance")
    return what


def parse_parameters(settings: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE pairs as parameters: a value is a number, a tuple, true or false, or else a string."""
    found: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"{setting!r} is not of the form name=value, such as width=5")
        found[name] = parse_value(value)
    return found


def parse_value(text: str) -> Any:
    """A number, a tuple, true or false however it is written, or else the text itself."""
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def value_text(value: Any) -> str:
    """A value as people write it: the inverse of `parse_value`, except that None is empty."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(repr, value)) + "," * (len(value) == 1)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if parse_value(text) == value else repr(value)


def played(game: Game, moves: tuple[str, ...], start: Any = None) -> list[Any]:
    """All states along these moves, the last one last; at a chance node, a move is an outcome."""
    states = [game.initial() if start is None else start]
    done: list[Any] = []
    for move in moves:
        done.append(_as_outcome(game, states[-1], move))
        states.append(game.play(*done, state=start))
    return states


def reads_positions(game: Game) -> bool:
    """Is there a notation in which the game reads positions?"""
    return game.offers("from_text")


def position(game: Game, text: str) -> Any:
    """The position that a text describes, such as FEN at chess."""
    return game.checked(game.from_text(text.strip()))


def _as_outcome(game: Game, s: Any, move: str) -> Any:
    """A typed move; at a chance node, the outcome that prints like this or has this name."""
    if not game.is_terminal(s) and game.to_move(s) == CHANCE:
        outcomes = game.moves_at(s)
        for name in (str, functools.partial(game.action_name, s)):
            for a in outcomes:
                if name(a).casefold() == move.casefold():
                    return a
        if game.offers("action_named"):
            return game.action_named(s, move)  # reads more forms, or says what is wrong
        if outcomes:
            names = ", ".join(game.action_name(s, a) for a in outcomes[:LISTED])
            more = ", …" if len(outcomes) > LISTED else ""
            raise IllegalAction(f"{move!r} is not an outcome of chance here; the outcomes are {names}{more}")
    return move


def module_of(path: Path) -> ModuleType:
    """The module in a user's file."""
    if not path.is_file():
        raise UnknownName(f"there is no file {str(path)!r}")
    name = f"zermelo_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent.resolve()))  # so that the file can import its neighbours
    try:
        spec.loader.exec_module(module)
    except ZermeloError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        line = error.lineno if isinstance(error, SyntaxError) else last.lineno
        raise GameError(f"{path} cannot be loaded: line {line}: {type(error).__name__}: {error}") from error
    return module


def _class_in(path: Path, wanted: str) -> type[Game]:
    module = module_of(path)
    found = {
        n: c
        for n, c in vars(module).items()
        if inspect.isclass(c) and issubclass(c, Game) and c.__module__ == module.__name__
    }
    if wanted:
        if wanted not in found:
            raise UnknownName(f"{path} has no game {wanted!r}; it has {', '.join(found) or 'none'}")
        return found[wanted]
    if len(found) != 1:
        listed = ", ".join(f"{path}:{n}" for n in found)
        raise UnknownName(
            f"{path} has {len(found)} games: say which, {listed}" if found else f"{path} has no Game class"
        )
    return next(iter(found.values()))


def _made(cls: type[Game], parameters: dict[str, Any]) -> Game:
    own = inspect.signature(cls).parameters
    network = parameters.get("network") if "network" not in own else None
    if network is not None:
        return games.evaluated_by(_made(cls, {n: v for n, v in parameters.items() if n != "network"}), network)
    try:
        inspect.signature(cls).bind(**parameters)
    except TypeError as error:
        raise ValueError(
            f"{cls.__name__}{inspect.signature(cls)}: {error}; give parameters with --set name=value"
        ) from None
    return cls(**parameters)


def version_of(what: str) -> float:
    """The modification time of a user's file, so that a changed game is loaded again; 0 for other games."""
    try:
        return Path(what.partition(".py")[0] + ".py").stat().st_mtime if ".py" in what else 0.0
    except OSError:
        return 0.0
