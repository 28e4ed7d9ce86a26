"""From the words for a player, such as `engine:seconds=0.1,table=64`, to the player."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.arena.fallible import Fallible
from zermelo.arena.levels import READERS, level
from zermelo.arena.player import Player
from zermelo.arena.players import (
    LIMITS,
    Always,
    Distracted,
    Person,
    RandomPlayer,
    Reader,
    Resigning,
    SearchPlayer,
    StrategyPlayer,
)
from zermelo.arena.program import Program, require_program
from zermelo.game.errors import UnknownName
from zermelo.game.presentation import OWN
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_value
from zermelo.learn.learned import Learned
from zermelo.lookup import OpeningBook, open_book
from zermelo.networks import with_network
from zermelo.search.by_equilibrium import is_quick_in_python
from zermelo.search.checks import time_limit, whole_number
from zermelo.search.registry import Algorithm, algorithms, choose, find
from zermelo.search.resolve import is_own, own

PLAIN_SECONDS, PLAIN_TABLE = 0.7, 8
"""The limits of a player in plain Python: seconds per move, and MiB for a table, since it visits few positions."""
EVERYBODYS = ("random", "resign", "book", "book_count", "book_best", "weights", "network")
HOW = "a player is a name with its options, such as engine:seconds=0.1,table=64 or alpha_beta:depth=6"


def player_of(words: str, game: Game) -> Player:
    """The player that these words describe, for this game; raises an error that says what is wrong with them.

    random                        any legal move
    always:raise,call             always the same move: the first of these that is legal
    engine, alpha_beta, …         any algorithm by name, with depth, nodes or seconds, and its own options
    auto                          the strongest algorithm that suits the game
    mine.py:my_search             an algorithm or a Player class in your own file, with its options
    level:beginner                one of the game's levels
    pimc:deals=50                 averaging over clairvoyance, for a game with hidden information
    equilibrium                   the strategy that comes with the game (limit_holdem), or a small game with hidden
                                  information, solved before the first move
    equilibrium:FILE              a strategy saved by `zermelo solve`, for a game with hidden information
    program:COMMAND               a program that reads turns and prints moves
    uci:stockfish?UCI_Elo=2000    a chess program that speaks UCI, with depth, nodes or seconds, and its own options
    gtp:gnugo --mode gtp          a Go program that speaks GTP; ?seconds=2 sets its time per move
    person                        a person at the terminal

    Those that search may have mistakes=0.2, how much they underrate the opponent's replies, from 0 to 1.
    Each may have random=0.1, the share of random moves; resign=0.02, the share of a win below which it gives up;
    weights=FILE or network=FILE, an evaluation saved by `zermelo learn`; and book=FILE, an opening book: saved games,
    for chess a Polyglot book, or "own", the book that comes with the game (book_count, how often a move must have been
    played, or its least weight; book_best=true, always the best move rather than a random one).
    """
    kind, options_text = _split(words)
    if kind == "level":
        kind, options_text = _split(words_of_level(options_text, game))
    if kind == "program":
        require_program(options_text)
        made: Player = Program(options_text)
        made.name = words
        return made
    if kind == "always":
        made = Always(options_text)
        made.name = words
        return made
    if _follows_strategy(kind, options_text, game):
        made = StrategyPlayer(game, options_text)
        made.name = words
        return made
    if kind in ("uci", "gtp"):
        command, _, options_text = options_text.partition("?")
        given = _given(words, options_text, "&")
        options = {name: given.pop(name) for name in (*LIMITS, *EVERYBODYS) if name in given}
    else:
        options = _given(words, options_text, ",")
    options = {name: parse_value(value) for name, value in options.items()}
    shared = {name: options.pop(name) for name in EVERYBODYS if name in options}
    share = shared.get("random", 0)
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ValueError(f"{words}: random is the share of random moves, 0 to 1, not {share!r}")
    if "weights" in shared:
        game = Learned.load(str(shared["weights"]), game).apply(game)
    if "network" in shared:
        game = with_network(game, str(shared["network"]))
    book = _book(words, shared, game)  # its errors are reported before any program is started
    if kind == "uci":
        from zermelo.arena.uci import UciPlayer  # which knows chess, whose tables take a while to load

        made = UciPlayer(command, game, _limits(words, options, LIMITS), given)
    elif kind == "gtp":
        from zermelo.arena.gtp import GtpPlayer

        _require_known(words, given, ())
        made = GtpPlayer(command, game, **_limits(words, options, ("seconds",)))
    else:
        made = _made(words, kind, options, game)
    if share:
        made = Distracted(made, share)
    if "resign" in shared:
        made = Resigning(made, _share(words, "resign", shared["resign"], game))
    if book is not None:
        how = {name.removeprefix("book_"): value for name, value in shared.items() if name.startswith("book_")}
        made = Reader(made, book, **how)
    made.name = words
    return made


def _follows_strategy(kind: str, text: str, game: Game) -> bool:
    """Does the player follow a file, or the game's own strategy, rather than solve the game by itself?"""
    if kind != "equilibrium":
        return False
    return ("=" not in text or Path(text).exists()) if text else game.own_strategy() is not None


def words_of_level(name: str, game: Game) -> str:
    """The player of a level: without endgame tables, which would make it stronger than its rating, up to the highest.

    The higher levels use the game's opening book.
    """
    chosen = level(game, name)
    words = chosen.player
    if words.startswith("engine:") and chosen.name != "full":
        words += ",endgames=False"
    if chosen.name in READERS and game.own_book() is not None:
        words += f",book={OWN}"
    return words


def _share(words: str, name: str, share: Any, game: Game) -> float:
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ValueError(f"{words}: {name} is a share of a win, 0 to 1, not {share!r}")
    if not math.isfinite(game.utility_range[1] - game.utility_range[0]):
        raise ValueError(f"{words}: {game.title} declares no utility range, which `resign` needs")
    return float(share)


def with_seconds(words: str, game: Game, seconds: float) -> str:
    """The same player with this thinking time per move, if it takes one and has no limit yet."""
    kind, options = _split(words)
    if kind == "level":
        words = words_of_level(options, game)
        kind, options = _split(words)
    if _follows_strategy(kind, options, game):
        return words
    if kind == "uci":
        _, mark, options = options.partition("?")
        separator = "&" if options else "" if mark else "?"
        given = _given(words, options, "&")
    else:
        separator = "," if options else ":"
        given = {} if kind in ("program", "gtp") else _given(words, options, ",")
    if not _takes_seconds(kind) or {*LIMITS, "simulations"} & set(given):
        return words
    return f"{words.rstrip(':')}{separator}seconds={seconds:g}"


def plainly(words: str, game: Game, most: float = PLAIN_SECONDS) -> str | None:
    """The same player in plain Python, with at most so many seconds per move; None for players that compile nothing."""
    kind, options = _split(words)
    if kind == "level":
        words = words_of_level(options, game)
        kind, options = _split(words)
    chosen = None if _follows_strategy(kind, options, game) else _algorithm_of(kind, game)
    given = {} if chosen is None else _given(words, options, ",")
    if chosen is None or given.get("compile", "").casefold() == "false":
        return None
    if chosen.name == "equilibrium" and most < math.inf and not is_quick_in_python(game):
        return plainly("mcts", game, most)  # which has an answer at any time
    given["compile"] = "False"
    if "seconds" in chosen.limits and most < math.inf:
        seconds = parse_value(given.get("seconds", str(most)))
        given["seconds"] = str(min(seconds, most) if isinstance(seconds, int | float) else seconds)
        if chosen.observable and chosen.deepens:
            given.setdefault("deepening", "True")  # so that there is a good answer when time is up
    if "table" in chosen.options:
        given.setdefault("table", str(PLAIN_TABLE))
    given.pop("threads", None)
    return f"{kind}:{','.join(f'{name}={value}' for name, value in given.items())}"


def _algorithm_of(kind: str, game: Game) -> Algorithm | None:
    """The algorithm that a player of this kind uses; None for other players."""
    if kind == "auto":
        return choose(game)[0]
    if is_own(kind):
        found = own(kind)
        return None if isinstance(found, type) and issubclass(found, Player) else find(found)
    return next((each for each in algorithms() if each.name == kind), None)


def _takes_seconds(kind: str) -> bool:
    if kind in ("auto", "uci"):
        return True
    if is_own(kind):
        found = own(kind)
        return not (isinstance(found, type) and issubclass(found, Player)) and "seconds" in find(found).limits
    return any(each.name == kind and "seconds" in each.limits for each in algorithms())


def _book(words: str, options: dict[str, Any], game: Game) -> OpeningBook | None:
    """The book that the options name; raises an error if its options are wrong."""
    if "book" in options:
        _require_switches(words, options, ("book_best",))
        if "book_count" in options:
            _checked(words, whole_number, "book_count", options["book_count"])
        return open_book(str(options["book"]), game)
    for name in ("book_count", "book_best"):
        if name in options:
            example = f"book=games.jsonl,{name}={options[name]}"
            raise ValueError(f"{words}: {name} is for a player with a book, as in {example}")
    return None


def _split(words: str) -> tuple[str, str]:
    """The kind of player, and the text of its options; a file keeps its colon."""
    if ".py:" in words and not words.startswith("program:"):
        path, _, rest = words.partition(".py:")
        name, _, options = rest.partition(":")
        return f"{path}.py:{name}", options
    kind, _, options = words.strip().partition(":")
    return kind.strip().casefold().replace("-", "_"), options


def _given(words: str, text: str, separator: str) -> dict[str, str]:
    """The options as they are written."""
    found: dict[str, str] = {}
    for each in filter(None, (part.strip() for part in text.split(separator))):
        name, equals, value = each.partition("=")
        if not equals or not name.strip().replace(" ", "_").isidentifier():
            raise ValueError(f"{words}: {each!r} is not of the form name=value; {HOW}")
        if name.strip() in found:
            raise ValueError(f"{words}: {name.strip()} is given twice")
        found[name.strip()] = value.strip()
    return found


def _made(words: str, kind: str, options: dict[str, Any], game: Game) -> Player:
    if is_own(kind):
        return _own(words, kind, options, game)
    if kind in SIMPLE:
        _require_known(words, options, ())
        return SIMPLE[kind]()
    there = [each.name for each in algorithms()]
    if kind != "auto" and kind not in there:
        names = [*SIMPLE, *there, "auto", "level", "always", "program", "uci", "gtp"]
        near = difflib.get_close_matches(kind, names, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        if kind.endswith(".py"):
            hint = f"name what plays in the file, as in {kind}:my_search; "
        raise UnknownName(f"there is no player {kind!r}; {hint}there are {', '.join(names)}; {HOW}")
    return _by_algorithm(words, None if kind == "auto" else kind, options, game)


SIMPLE: dict[str, Callable[[], Player]] = {"random": RandomPlayer, "person": Person}


def _by_algorithm(words: str, algorithm: Any, options: dict[str, Any], game: Game) -> Player:
    chosen = choose(game, limits=set(LIMITS) & set(options))[0] if algorithm is None else find(algorithm)
    switches = ("compile", "deepening") if chosen.observable else ("compile",)
    limits = _limits(words, options, (*chosen.limits, "mistakes", *switches, *chosen.options))
    mistakes = options.pop("mistakes", 0)
    if isinstance(mistakes, bool) or not isinstance(mistakes, int | float) or not 0 <= mistakes <= 1:
        raise ValueError(f"{words}: mistakes is how much it underrates replies, 0 to 1, not {mistakes!r}")
    if mistakes:
        return Fallible(game, chosen, limits, options, mistakes)
    return SearchPlayer(game, chosen, limits, options)


def _own(words: str, kind: str, options: dict[str, Any], game: Game) -> Player:
    found = own(kind)
    if isinstance(found, type) and issubclass(found, Player):
        try:
            return found(**options)
        except TypeError as error:
            raise ValueError(f"{words}: {error}") from None
    return _by_algorithm(words, found, options, game)


def _limits(words: str, options: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The limits among the options, which keep the rest."""
    _require_known(words, options, known)
    limits = {name: options.pop(name) for name in LIMITS if name in options}
    for name, limit in limits.items():
        if name == "seconds":
            _checked(words, time_limit, limit)
        else:
            _checked(words, whole_number, name, limit)
    _require_switches(words, options, ("compile", "deepening"))
    return limits


def _require_switches(words: str, options: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if not isinstance(options.get(name, True), bool):
            raise ValueError(f"{words}: {name} is true or false, not {options[name]!r}")


def _checked(words: str, check: Callable[..., Any], *about: Any) -> Any:
    try:
        return check(*about)
    except ValueError as error:
        raise ValueError(f"{words}: {error}") from None


def _require_known(words: str, options: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, [*known, *EVERYBODYS], 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"{words}: there is no option {name!r} here; {hint}there are {', '.join(known) or 'none'}")
