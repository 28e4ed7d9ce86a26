"""Hold'em over buckets: the strength of hands, the tree of betting, training, and the player that comes of it."""

from __future__ import annotations

import itertools
import json
import re
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import games, match
from zermelo.app import solve_buckets
from zermelo.app.cli import main
from zermelo.arena.player import Turn
from zermelo.arena.roster import plainly, player_of, with_seconds
from zermelo.equilibria.betting import BettingTree
from zermelo.equilibria.bucket_strategy import SHARES, BucketStrategy, load_strategy, rounded
from zermelo.equilibria.bucketed import Trainer
from zermelo.equilibria.strategy import StrategyError
from zermelo.games.poker.buckets import Limits
from zermelo.games.poker.cards import card, cards_named
from zermelo.games.poker.hands import Hands, as_set
from zermelo.games.poker.strength import NO_GAME, SUM_UP, Canonical, OneHand
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random

LIMIT = games.load("limit_holdem")


# The strength of hands.


def sums(hand: str, board: str) -> list[int]:
    one, dealt = OneHand(), cards_named(board)
    own, table = (np.array([as_set(cards)], np.uint64) for cards in (cards_named(hand), dealt))
    SUM_UP.compiled(NO_GAME, one, own, table, 5 - len(dealt))(NO_GAME.initial())
    return [int(x) for x in one.sums]


def test_the_level_of_a_hand_is_its_equity_against_a_random_hand() -> None:
    hands, own, board = Hands(), cards_named("JhTh"), cards_named("9h 8c 2d Jc 3s")
    left = [c for c in range(52) if c not in own + board]
    mine = hands.value(as_set(own + board))
    others = [hands.value(as_set(pair + board)) for pair in itertools.combinations(left, 2)]
    points = sum(2 * (mine > other) + (mine == other) for other in others)
    level = points * 255 // (2 * len(others))
    assert sums("JhTh", "9h 8c 2d Jc 3s") == [level, level**2]
    assert sums("AsKs", "Qs Js Ts 2d 3d") == [255, 255**2]  # nothing beats it


def test_before_the_river_levels_are_added_up() -> None:
    turn = sums("JhTh", "9h 8c 2d Jc")
    rivers = [c for c in range(52) if c not in cards_named("JhTh9h8c2dJc")]
    each = [sums("JhTh", f"9h 8c 2d Jc {'23456789TJQKA'[c >> 2]}{'cdhs'[c & 3]}") for c in rivers]
    assert turn == [sum(level for level, _ in each), sum(square for _, square in each)]
    assert sums("7d6d", "Ad Kd 2c")[0] == sums("7h6h", "Ah Kh 2s")[0]  # names of suits do not matter


def test_a_draw_has_the_higher_mean_square_for_its_mean() -> None:
    draw, pair = sums("7d6d", "Ad Kd 2c"), sums("5c5h", "Ad Kd 9c")
    assert abs(draw[0] - pair[0]) < 0.25 * pair[0]
    assert draw[1] / draw[0] > pair[1] / pair[0]


def test_boards_that_differ_by_names_of_suits_are_one() -> None:
    flops = Canonical(3)
    assert len(flops.keys) == 1755
    assert flops.weights.sum() == 22100
    for board, hand in (((3, 7, 50), (4, 9)), ((0, 1, 2), (3, 40))):
        places = set()
        for suits in itertools.permutations(range(4)):
            renamed = [card(c >> 2, suits[c & 3]) for c in board + hand]
            place = flops.place_of(as_set(tuple(renamed[:3])))
            places.add((place, flops.hand_of(*renamed[3:])))
        assert len({place for place, _ in places}) == 1


# The tree of betting.


def test_the_betting_of_limit_holdem() -> None:
    tree = BettingTree(LIMIT)
    assert np.bincount(tree.street).tolist() == [8, 70, 630, 5670]
    assert tree.won.max() == 48
    s = LIMIT.play("As", "Kd", "Qh", "Jh", "raise", "call", "2c", "3c", "4c", "check")
    node = tree.node_of(s)
    assert (tree.mover[node], tree.street[node], tree.moves[node]) == (0, 1, LIMIT.legal(s))


def test_the_betting_of_no_limit_holdem() -> None:
    tree = BettingTree(games.load("no_limit_holdem", bets="1", stack=20))
    assert tree.won[tree.shown != 0].max() == 20


# Training, with a dealer whose hands have ranks from 0 to 4 that never change.


class Ranks(Part):
    """Deals a rank to each player; the higher one wins."""

    def deal(self, random: Random, buckets: Any) -> int:
        for p in range(2):
            rank = random.below(5)
            for street in range(4):
                buckets[p, street] = rank
        first, second = buckets[0, 0], buckets[1, 0]
        return 0 if first == second else 1 if first > second else -1


FIVE = Limits(np.zeros((1, 5), np.int64), np.zeros((1, 5), np.int64), np.arange(256) // 52)
"""Room for five ranks on every street."""


def trainer(seed: int = 3) -> Trainer:
    return Trainer(LIMIT, Ranks(), FIVE, seed=seed, block=2000)  # type: ignore[arg-type]


def blocks(made: Trainer, count: int) -> Trainer:
    """Train for so many blocks."""
    made.train(iterations=count * made.block)
    return made


@pytest.fixture(scope="module")
def trained() -> Trainer:
    return blocks(trainer(), 10)


def chances(strategy: BucketStrategy, rank: int, *moves: str) -> dict[str, float]:
    """How often a rank plays each move after these, without the cards."""
    s = LIMIT.play("As", "Kd", "Qh", "Jh", *moves)
    node = strategy.tree.node_of(s)
    start = strategy.tree.start[node]
    shares = strategy.shares[s.street][start : start + strategy.tree.count[node], rank] / SHARES
    return {LIMIT.action_name(s, a): float(p) for a, p in zip(strategy.tree.moves[node], shares, strict=True)}


def test_it_learns_to_fold_the_worst_and_bet_the_best(trained: Trainer) -> None:
    strategy, quiet = trained.strategy(), ("check", "check")
    assert chances(strategy, 4, "raise")["fold"] == 0
    assert chances(strategy, 0, "raise")["fold"] > 0.8
    river = ("call", "check", "2c", "3c", "4c", *quiet, "5c", *quiet, "6c", "check")
    assert chances(strategy, 4, *river)["bet 4"] > 0.9


def best_response(strategy: BucketStrategy, player: int, node: int, reach: Any) -> Any:
    """For each rank of a player, what it wins at best if the ranks of the other come with these weights."""
    tree = strategy.tree
    if node < 0:
        won, ranks = tree.won[-1 - node] * (1 if player == 0 else -1), np.arange(5)
        if tree.shown[-1 - node]:
            return abs(won) * np.sign(ranks[:, None] - ranks[None, :]) @ reach
        return np.full(5, won) * reach.sum()
    count, start = tree.count[node], tree.start[node]
    after = tree.child[node, :count]
    if tree.mover[node] == player:
        return np.max([best_response(strategy, player, child, reach) for child in after], axis=0)
    shares = strategy.shares[tree.street[node]][start : start + count, :5] / SHARES
    return sum(best_response(strategy, player, child, reach * p) for child, p in zip(after, shares, strict=True))


def exploitability(strategy: BucketStrategy) -> float:
    return float(sum(best_response(strategy, p, 0, np.full(5, 1 / 25)).sum() for p in range(2)) / 2)


@pytest.mark.slow
def test_it_comes_near_an_equilibrium(trained: Trainer) -> None:
    after, before = (exploitability(each.strategy()) for each in (trained, trainer()))
    assert before > 3  # chips for each hand
    assert after < 0.1 * before


def test_training_continues_where_it_was_saved(trained: Trainer, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.npz"
    blocks(trainer(), 4).save(file)
    resumed = trainer(seed=99)
    resumed.resume(file)
    blocks(resumed, 6)
    assert resumed.iterations == trained.iterations
    assert np.array_equal(resumed.table.regret, trained.table.regret)
    assert np.array_equal(resumed.table.total, trained.table.total)
    other = Trainer(games.load("no_limit_holdem", bets="1", stack=20), Ranks(), FIVE)  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="is for LimitHoldem"):
        other.resume(file)


def test_the_script_trains_and_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script that makes the strategy of the library, with a dealer of ranks."""
    monkeypatch.setattr(solve_buckets, "all_boards", lambda tell: None)
    monkeypatch.setattr(Limits, "of", lambda boards: FIVE)
    monkeypatch.setattr(solve_buckets, "Dealer", lambda boards, limits: Ranks())
    script = Path(__file__).parents[2] / "scripts" / "train_limit_holdem.py"
    checkpoint, made = tmp_path / "checkpoint.npz", tmp_path / "strategy.npz"
    given = ["--minutes", "0.002", "--checkpoint", str(checkpoint), "--save", str(made)]
    monkeypatch.setattr(sys, "argv", [script.name, *given])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    iterations = [0]
    for _ in range(2):
        runpy.run_path(str(script), run_name="__main__")
        iterations.append(BucketStrategy.load(made, LIMIT).about["iterations"])
    assert iterations == sorted(set(iterations))
    assert "regret" in np.load(checkpoint)
    assert "regret" not in np.load(made)


def test_a_strategy_is_saved_and_read(trained: Trainer, tmp_path: Path) -> None:
    made, file = trained.strategy(), tmp_path / "strategy.npz"
    made.save(file)
    assert np.load(file)["shares_3"].shape == made.shares[3].shape
    with pytest.raises(StrategyError, match="has only a strategy"):
        trainer().resume(file)
    with pytest.raises(StrategyError, match=f"^the strategy in {re.escape(str(file))} is for LimitHoldem"):
        load_strategy(str(file), games.load("no_limit_holdem"))
    broken = tmp_path / "broken.npz"
    broken.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(StrategyError):
        load_strategy(str(broken), LIMIT)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("about", np.frombuffer(b"[]", np.uint8), "says nothing about a strategy"),
        ("about", np.frombuffer(b'{"format": 9}', np.uint8), "reads formats up to 1"),
        ("flop_limits", np.zeros(5, np.int64), "are no table"),
        ("river_limits", np.zeros(3, np.int64), "are no list"),
        ("shares_0", np.zeros((16, 169), np.uint8), "do not fit its buckets"),
        ("shares_3", None, "do not add up to 1"),
    ],
)
def test_damaged_files_are_refused(trained: Trainer, tmp_path: Path, name: str, content: Any, words: str) -> None:
    file = tmp_path / "strategy.npz"
    trained.strategy().save(file)
    arrays = dict(np.load(file))
    arrays[name] = np.zeros_like(arrays[name]) if content is None else content
    np.savez(file, **arrays)
    with pytest.raises(StrategyError, match=words):
        BucketStrategy.load(file, LIMIT)


def test_probabilities_are_rounded_to_parts_that_add_up() -> None:
    parts = rounded(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [99.0, 0.5, 0.5], [1.0, 0.0, 2.0]]))
    assert parts.sum(axis=1).tolist() == [SHARES] * 4
    assert parts[2].tolist() == [SHARES, 0, 0]


# The player that comes with the game.


@pytest.fixture(scope="module")
def own() -> Any:
    return load_strategy("", LIMIT)


@pytest.mark.parametrize(
    ("moves", "move", "low", "high"),
    [
        (("As", "Ad", "Qh", "Jh"), "raise to 4", 0.8, 1.0),
        (("Qh", "Jh", "2c", "7d", "raise"), "raise to 6", 0.0, 0.1),
        (("Qh", "Jh", "2c", "7d", "raise"), "fold", 0.1, 1.0),
        (("Qh", "Jh", "As", "Ad", "raise"), "fold", 0.0, 0.0),
        (("As", "Ks", "2c", "7d", "call", "check", "Qs", "Js", "Ts", "bet"), "fold", 0.0, 0.0),
    ],
)
def test_it_plays_sensibly(own: Any, moves: tuple[str, ...], move: str, low: float, high: float) -> None:
    s = LIMIT.play(*moves)
    policy = own.policy(s)
    assert sum(policy.values()) == pytest.approx(1.0)
    assert low <= policy[LIMIT.action_named(s, move)] <= high


def test_its_move_does_not_depend_on_what_is_hidden() -> None:
    player = player_of("equilibrium", LIMIT)
    chosen = set()
    for hidden in (("Qh", "Jh"), ("2c", "7d"), ("As", "Ac")):
        s = LIMIT.play("Ks", "Kd", *hidden, "raise", "call", "9c", "9d", "4h", "bet")
        chosen.add(player.choose(Turn(LIMIT, [s], [], 0, Random(7))))
    assert len(chosen) == 1


def test_its_words_stay_as_they_are() -> None:
    assert with_seconds("equilibrium", LIMIT, 2.0) == "equilibrium"
    assert plainly("equilibrium", LIMIT) is None


def test_it_plays_matches() -> None:
    standings = match("limit_holdem", "equilibrium", "always:raise,call", games=60, workers=0, seed=1)
    assert not any(tally.faults for tally in standings.tallies)
    assert "Limit hold'em: 60 games" in str(standings)


def test_a_game_without_its_own_strategy_says_so() -> None:
    with pytest.raises(ValueError, match="comes with no strategy"):
        load_strategy("", games.load("no_limit_holdem"))


def test_the_trained_strategy_is_shown() -> None:
    words = ["solve", "limit_holdem", "As", "Ad", "Qh", "Jh"]
    done = CliRunner().invoke(main, words, prog_name="zermelo")
    assert done.exit_code == 0, done.output
    assert "by mccfr over buckets, " in done.output
    assert "Q♥" not in done.output
    found = json.loads(CliRunner().invoke(main, [*words, "--json"], prog_name="zermelo").stdout)
    assert found["player"] == "Button"
    assert found["moves"]["raise to 4"] > 0.8


def test_solve_says_how_to_solve_holdem() -> None:
    done = CliRunner().invoke(main, ["solve", "limit_holdem"], prog_name="zermelo")
    assert done.exit_code == 2
    assert "too large to write down: --method mccfr" in " ".join(done.output.split())
