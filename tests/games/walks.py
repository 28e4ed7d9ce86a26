"""What the tests of all games share: walks through every position and every line of play, in both modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo import CHANCE, Game, Random, u64
from zermelo.game.hashing import SEED, mix, mixed
from zermelo.kernel.routine import Routine


def positions_by_ply(game: Game, plies: int) -> Iterator[set[Any]]:
    """The sets of distinct states after 0, 1, 2 … moves."""
    layer = {game.initial()}
    for _ in range(plies + 1):
        yield layer
        layer = {game.result(s, a) for s in layer for a in game.moves_at(s)}


def states_of_random_play(game: Game, games: int, seed: int = 1) -> list[Any]:
    """All states of so many games of random play, each once and in the order in which they came."""
    random = Random(seed)
    found: dict[Any, None] = {}
    for _ in range(games):
        s = game.initial()
        found[s] = None
        while not game.is_terminal(s):
            if game.to_move(s) == CHANCE:
                s = game.draw(s, random)
            else:
                legal = list(game.actions(s))
                s = game.result(s, legal[random.below(len(legal))])
            found[s] = None
    return list(found)


def perft(game: Any, s: Any, depth: int) -> int:
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    count = 0
    if not game.is_terminal(s):
        for a in game.actions(s):
            count += perft(game, game.result(s, a), depth - 1)
    return count


def count_ends(game: Any, s: Any, worth: int) -> int:
    """How many games end with this utility for player 0."""
    if game.is_terminal(s):
        return 1 if game.utility(s, 0) == worth else 0
    count = 0
    for a in game.actions(s):
        count += count_ends(game, game.result(s, a), worth)
    return count


def digest(game: Any, s: Any) -> int:
    """A number mixed from what every visible method of the rules says about a state."""
    key = mix(mix(SEED, game.to_move(s)), game.key(s))
    if game.is_terminal(s):
        for p in range(game.players):
            key = mix(key, int(game.utility(s, p) * 1048576.0))
        return key
    for p in range(game.players):
        key = mix(key, int(game.evaluate(s, p) * 1048576.0))
    if game.to_move(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
            key = mix(mix(key, outcome), int(probability * 1048576.0))
            key = mix(key, game.key(game.result(s, outcome)))
    else:
        for a in game.actions(s):
            key = mix(mix(key, a), int(game.promise(s, a) * 1048576.0))
            key = mix(key, game.key(game.result(s, a)))
    return key


def hidden_digest(game: Any, s: Any, p: int, random: Any) -> int:
    """A number mixed from what player p knows in a state, and from one that p cannot tell from it."""
    return mix(mixed(game.information(s, p)), game.key(game.resample(s, p, random)))


def drawn_key(game: Any, s: Any, random: Any) -> int:
    """The key of a state that chance leads to."""
    return int(game.key(game.draw(s, random)))


_perft, _count_ends, _digest = Routine(perft), Routine(count_ends), Routine(digest)
_hidden_digest, _drawn_key = Routine(hidden_digest), Routine(drawn_key)


def compiled_perft(game: Game, depth: int) -> int:
    return int(_perft.compiled(game, depth)(game.initial()))


def compiled_count_ends(game: Game, worth: int) -> int:
    return int(_count_ends.compiled(game, worth)(game.initial()))


def check_both_modes(game: Game, states: list[Any]) -> None:
    """Assert that compiled rules say of each state what plain ones say."""
    program = _digest.compiled(game)
    for s in states:
        assert program(s) == digest(game, s), s
    for number, s in enumerate(states):
        if game.chance and game.to_move(s) == CHANCE:
            plain = drawn_key(game, s, Random(number))
            assert u64(_drawn_key.compiled(game, Random(number))(s)) == u64(plain), s
        for p in range(game.players if game.hidden else 0):
            plain = hidden_digest(game, s, p, Random(number))
            assert _hidden_digest.compiled(game, p, Random(number))(s) == plain, (s, p)


def check_names(game: Game, states: list[Any]) -> None:
    """Assert that every legal move of each state has a name of its own, which reads back as the move."""
    for s in states:
        legal = game.legal(s)
        assert [game.action_named(s, game.action_name(s, a)) for a in legal] == legal
        assert game.text(s)
