"""Gambit's files for extensive games (.efg): read as a game, and written from any small game.

The format is described at https://gambitproject.readthedocs.io/en/stable/formats.html: nodes in prefix order, each with
its player, information set and actions, and outcomes with payoffs, which add up along the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError, NotationError, TooDeep
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.extensive_form import NOBODY, ExtensiveForm, Point

MOST_NODES = 200_000
"""A game with more nodes is neither read nor written."""
MOST_PLAYERS = 64
LARGEST = 64 << 20
"""Bytes of a file that is read."""
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s{}",]+|\S', re.DOTALL)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?|[+-]?\d+/\d+", re.IGNORECASE)
"""The exponent is short: a fraction with many digits would take all memory."""
ROUNDED = Fraction(1, 10_000)
"""By how much the probabilities of a chance node may miss 1: decimals are rounded."""


class GambitGame(ExtensiveForm):
    """A game from a file."""

    def __init__(self, root: Point, names: tuple[str, ...], title: str):
        super().__init__(root, len(names), names)
        self._title = title

    @property
    def title(self) -> str:
        return self._title or "Gambit game"


@dataclass(frozen=True)
class Token:
    """A word, a string with its quotes, or a brace, and the line that it is in."""

    text: str
    line: int


@dataclass(frozen=True)
class Known:
    """What the file has said about an information set: a later node may leave it out."""

    label: str
    actions: tuple[str, ...]
    odds: tuple[Fraction, ...]


class Reader:
    """Reads a file, token by token."""

    def __init__(self, text: str):
        for _ in _tokens(text):  # a string without an end is an error at once: it shifts all quotes after it
            pass
        self.tokens = _tokens(text)
        self.last = Token("", 1)
        self.next = next(self.tokens, None)
        self.nodes = 0
        self.labels: dict[str, tuple[int, int]] = {}  # the information set that has a name
        self.players: tuple[str, ...] = ()
        self.sets: dict[tuple[int, int], Known] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {0: ()}

    def game(self) -> GambitGame:
        """The whole file."""
        for expected in ("EFG", "2"):
            if self.take("the header, EFG 2 R").text != expected:
                raise self.wrong('the file must begin with EFG 2 R "title" { "player" "player" }', back=1)
        self.take("R or D")
        title = self.string("the title")
        self.players = tuple(self.strings("the names of the players"))
        if not self.players:
            raise self.wrong("a game needs at least one player", back=1)
        if len(self.players) > MOST_PLAYERS:
            raise self.wrong(f"a game may have at most {MOST_PLAYERS} players, not {len(self.players)}", back=1)
        if self.peek().startswith('"'):
            self.string("the comment")
        root = self.node(tuple(Fraction(0) for _ in self.players))
        if self.next is not None:
            raise self.wrong(f"the tree is complete, and {self.peek()!r} follows")
        return GambitGame(root, self.players, title)

    def node(self, paid: tuple[Fraction, ...]) -> Point:
        """A node and all below it; `paid` is what the outcomes on the way to it are worth."""
        kind = self.take("a node: c, p or t").text
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.wrong(f"the tree has more than {MOST_NODES:,} nodes", back=1)
        if kind not in ("c", "p", "t"):
            raise self.wrong(f"a node begins with c (chance), p (player) or t (end), not {kind!r}", back=1)
        if self.peek().startswith('"'):
            self.string("the name of the node")
        if kind == "t":
            return Point(NOBODY, utilities=tuple(float(x) for x in self.outcome(paid)))
        player = CHANCE if kind == "c" else self.whole("the number of the player") - 1
        if kind == "p" and not 0 <= player < len(self.players):
            raise self.wrong(f"there is no player {player + 1}: the file names {len(self.players)}", back=1)
        known = self.information_set(player)
        paid = self.outcome(paid)
        moves = tuple((action, self.node(paid)) for action in known.actions)
        return Point(player, known.label, moves, tuple(float(x) for x in known.odds))

    def information_set(self, player: int) -> Known:
        """The number of an information set, and what is said about it here or was said before."""
        number = self.whole("the number of the information set")
        before = self.sets.get((player, number))
        label = self.string("its name") if self.peek().startswith('"') else ""
        if self.peek() != "{":
            if before is None:
                raise self.wrong(f"information set {number} is new, so its actions must follow")
            return before
        actions, odds = self.actions(player)
        if before is not None and (before.actions, before.odds) != (actions, odds):
            raise self.wrong(f"information set {number} has other actions here than before", back=1)
        # Two sets may have the same name, and a name may be missing: the number tells them apart.
        shown = label or f"set {player + 1}.{number}"
        while before is None and self.labels.setdefault(shown, (player, number)) != (player, number):
            shown += f" {player + 1}.{number}"
        known = before or Known(shown, actions, odds)
        self.sets[player, number] = known
        return known

    def actions(self, player: int) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        """The names of actions, and of chance their probabilities."""
        self.expect("{", "the actions")
        names, odds = [], []
        while self.peek() != "}":
            names.append(self.string("an action"))
            if player == CHANCE:
                odds.append(self.number("the probability"))
        self.expect("}", "the end of the actions")
        if not names:
            raise self.wrong("there are no actions", back=1)
        if len(set(names)) < len(names) or "" in names:  # Gambit allows it, but a move needs a name
            names = [f"{name}{'#' if name else ''}{i + 1}" for i, name in enumerate(names)]
        if player == CHANCE:
            total = sum(odds, Fraction(0))
            if any(x < 0 for x in odds) or abs(total - 1) > ROUNDED:
                raise self.wrong(f"the probabilities add up to {float(total):g}, not 1", back=1)
            odds = [x / total for x in odds]
        return tuple(names), tuple(odds)

    def outcome(self, paid: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The payoffs so far with those of the outcome at this node: 0 is none."""
        number = self.whole("the number of the outcome")
        if self.peek().startswith('"'):
            self.string("the name of the outcome")
        if self.peek() == "{":
            self.expect("{", "the payoffs")
            payoffs = []
            while self.peek() != "}":
                payoffs.append(self.number("a payoff"))
            self.expect("}", "the end of the payoffs")
            if len(payoffs) != len(self.players):
                raise self.wrong(f"there are {len(payoffs)} payoffs for {len(self.players)} players", back=1)
            if self.outcomes.setdefault(number, tuple(payoffs)) != tuple(payoffs):
                raise self.wrong(f"outcome {number} has other payoffs here than before", back=1)
        if number not in self.outcomes:
            raise self.wrong(f"outcome {number} is new, so its payoffs must follow", back=1)
        return tuple(a + b for a, b in zip(paid, self.outcomes[number] or [Fraction(0)] * len(paid), strict=True))

    def peek(self) -> str:
        """The next token; nothing at the end."""
        return "" if self.next is None else self.next.text

    def take(self, what: str) -> Token:
        """The next token."""
        if self.next is None:
            raise self.wrong(f"the file ends here, and {what} is missing")
        self.last, self.next = self.next, next(self.tokens, None)
        return self.last

    def expect(self, text: str, what: str) -> None:
        if self.take(what).text != text:
            raise self.wrong(f"{what} should be here: {text}", back=1)

    def string(self, what: str) -> str:
        token = self.take(what)
        if not token.text.startswith('"'):
            raise self.wrong(f"{what} must be in quotes, not {token.text!r}", back=1)
        return re.sub(r"\\(.)", r"\1", token.text[1:-1])

    def strings(self, what: str) -> Iterator[str]:
        self.expect("{", what)
        while self.peek() != "}":
            yield self.string(what)
        self.expect("}", f"the end of {what}")

    def whole(self, what: str) -> int:
        token = self.take(what)
        if not re.fullmatch(r"\d{1,9}", token.text):
            raise self.wrong(f"{what} must be a whole number, not {token.text!r}", back=1)
        return int(token.text)

    def number(self, what: str) -> Fraction:
        token = self.take(what)
        if not NUMBER.fullmatch(token.text) or len(token.text) > 40:
            raise self.wrong(f"{what} must be a number such as 2, -0.5 or 1/3, not {token.text!r}", back=1)
        try:
            return Fraction(token.text)
        except ZeroDivisionError:
            raise self.wrong(f"{what} divides by zero: {token.text}", back=1) from None

    def wrong(self, message: str, back: int = 0) -> NotationError:
        """An error about the next token, or the one before it."""
        token = self.last if back or self.next is None else self.next
        return NotationError(f"line {token.line}: {message}")


def _tokens(text: str) -> Iterator[Token]:
    """Words, strings and braces, with their lines; commas count as spaces."""
    line, at = 1, 0
    for found in TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        if found[0] == '"':
            raise NotationError(f"line {line}: a string has no end: its second quote is missing")
        if found[0] != ",":
            yield Token(found[0], line)


def parse_efg(text: str) -> GambitGame:
    """The game that a text describes; raises a NotationError with the line that is wrong."""
    try:
        return Reader(text).game()
    except RecursionError:
        raise NotationError("the tree is too deep to be read") from None


def read_efg(path: str | Path) -> GambitGame:
    """The game in a file."""
    try:
        if Path(path).stat().st_size > LARGEST:
            raise GameError(f"{path} is larger than {LARGEST >> 20} MiB")
        return parse_efg(Path(path).read_text(encoding="utf-8-sig"))
    except (NotationError, UnicodeDecodeError) as error:
        raise GameError(f"{path} is not a Gambit game: {error}") from None
    except OSError as error:
        raise GameError(f"{path} cannot be read: {error.strerror or error}") from None


def write_efg(game: Game, state: Any = None, *, most_nodes: int = MOST_NODES) -> str:
    """A game as the text of a file, from its start or from a state."""
    return "".join(f"{line}\n" for line in Writer(game, most_nodes).lines(state))


class Writer:
    """Writes the nodes of a game, in prefix order."""

    def __init__(self, game: Game, most_nodes: int):
        self.game, self.left, self.most = game, most_nodes, most_nodes
        self.sets: list[dict[Any, int]] = [{} for _ in range(game.players)]
        self.lotteries = 0
        self.outcomes: dict[tuple[float, ...], int] = {}

    def lines(self, state: Any) -> Iterator[str]:
        game = self.game
        names = " ".join(_quoted(game.player_name(p)) for p in range(game.players))
        yield f"EFG 2 R {_quoted(game.title)} {{ {names} }}"
        yield '""'
        yield ""
        start = game.initial() if state is None else game.checked(state)
        waiting = [start]
        while waiting:
            s = waiting.pop()
            self.left -= 1
            if self.left < 0:
                raise TooDeep(f"{game.title} has more than {self.most:,} nodes, too many for a file")
            moves = [] if game.is_terminal(s) else game.moves_at(s)
            yield self.node(s, moves)
            waiting += [game.result(s, a) for a in reversed(moves)]

    def node(self, s: Any, moves: list[int]) -> str:
        """One line."""
        game = self.game
        if not moves:
            worth = tuple(float(game.utility(s, p)) for p in range(game.players))
            number = self.outcomes.setdefault(worth, len(self.outcomes) + 1)
            return f't "" {number} "" {{ {", ".join(f"{x:.17g}" for x in worth)} }}'
        names = [_quoted(game.action_name(s, a)) for a in moves]
        mover = game.to_move(s)
        if mover == CHANCE:
            self.lotteries += 1
            odds = dict(game.outcomes(s))
            both = " ".join(f"{n} {p}" for n, p in zip(names, exact([odds[a] for a in moves]), strict=True))
            return f'c "" {self.lotteries} "" {{ {both} }} 0'
        key = game.information(s, mover) if game.hidden else self.left  # without hidden information, a set of one
        sets = self.sets[mover]
        number = sets.setdefault(key, len(sets) + 1)
        label = _quoted(game.information_name(s, mover) if game.hidden else "")
        return f'p "" {mover + 1} {number} {label} {{ {" ".join(names)} }} 0'


def exact(odds: list[float]) -> list[Fraction]:
    """Probabilities as fractions that add up to 1: small ones if they exist, as in 1/6."""
    small = [Fraction(p).limit_denominator(100_000) for p in odds]
    if sum(small) == 1 and all(abs(float(x) - p) < 1e-12 for x, p in zip(small, odds, strict=True)):
        return small
    all_but_one = [Fraction(p) for p in odds[:-1]]
    return [*all_but_one, Fraction(1) - sum(all_but_one, Fraction(0))]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
