"""Averaging over clairvoyance as an algorithm of the registry: `pimc`, perfect-information Monte Carlo."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.search.analysis import Analysis, Move
from zermelo.search.checks import should_compile
from zermelo.search.clairvoyance import Deal, all_deals, knowledge_in, size_of, why_not_solved, with_open_cards
from zermelo.search.engine.answers import Progress
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, find, register, require_suitable, suitable

DEFAULT_SECONDS = 10.0
DEALS = 1000
"""How many deals are sampled at most, unless the options say."""
TINY = 1.5
"""The logarithm of the number of lines of play up to which a deal is searched in plain Python: nothing to compile."""
RATE, PLAIN_RATE = 1e6, 2e4
"""Nodes per second, compiled and in plain Python, with which the cost of a deal is estimated."""
WANTED = 10
"""So many deals should be solved in the time there is."""
CHANCY = ("star2", "expectiminimax", "maxn")
"""Algorithms for open cards with chance or several players, the best first."""
NODES, SIMULATIONS = 20_000, 1_000
"""Of one deal that cannot be searched to the end: nodes with an evaluation, or simulations of mcts."""
MOST_KEPT = 1 << 16
"""Solved deals that are kept, for when they are drawn again."""
MEMORY = 4
"""MiB for the tree of mcts over one deal."""
TOLD_EVERY = 0.1
"""Seconds between two reports of progress."""
OPTIONS: dict[str, Any] = {"deals": None, "under": None, "per_deal": None, "seed": None, "enumerate": True}


class Under(NamedTuple):
    """What solves a deal with open cards: an algorithm; compiled or not; nodes per deal, None to search to the end."""

    name: str
    compile: bool | None
    nodes: int | None


class ClairvoyantSearcher(Searcher):
    """Averaging over clairvoyance for one game.

    deals      how many to sample at most, by default 1,000; small games have all their deals listed instead
    under      the algorithm that solves a deal with open cards; by default chosen by the size of the deal
    per_deal   nodes (for mcts, simulations) for each deal that cannot be searched to the end
    seed       of the random numbers: the same seed, the same deals; by default the question's, or 0
    enumerate  False to sample deals even if they can be listed
    """

    def __init__(self, algorithm: Algorithm, game: Game, compile: bool | None, options: dict[str, Any]):
        super().__init__(algorithm, game, compile, options)
        missing = [name for name in ("information", "resample") if not game.offers(name)]
        if missing:
            raise Unsuitable(f"pimc does not suit {game.title}: it does not define {' and '.join(missing)}")
        _check({**OPTIONS, **options})
        self.opened = with_open_cards(game)
        under = options.get("under")
        if under is not None:
            require_suitable(find(under), self.opened)
        self.searchers: dict[Any, Searcher] = {}
        self.solved: dict[Any, Any] = {}  # the values of deals that were searched to the end, or to a fixed depth

    def analyse(self, question: Question) -> Analysis:
        return _Run(self, question).analyse()

    def searcher(self, under: Under) -> Searcher:
        """The search for open cards, which may keep what it learns from one deal for the next."""
        key = under.name, under.compile
        if key not in self.searchers:
            chosen = find(under.name)
            options = {"memory": MEMORY} if under.name == "mcts" else {}
            self.searchers[key] = chosen.make(chosen, self.opened, under.compile, options)
        return self.searchers[key]

    def clear(self) -> None:
        """Solved deals are kept: they are the same in every game."""
        for searcher in self.searchers.values():
            searcher.clear()


class _Run:
    """One question: deals are solved until a limit is reached, and their values added up."""

    def __init__(self, searcher: ClairvoyantSearcher, question: Question):
        self.searcher, self.question, self.game = searcher, question, searcher.game
        self.options = {**OPTIONS, **searcher.options}
        seeds = (self.options["seed"], question.seed, 0)
        self.random = Random(next(seed for seed in seeds if seed is not None))
        self.actions = question.actions
        self.began = self.told = time.perf_counter()
        self.compile_seconds, self.nodes, self.depth, self.compiled = 0.0, 0, 0, False
        seconds = question.seconds
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        if seconds is None and question.nodes is None and self.options["deals"] is None:
            seconds = DEFAULT_SECONDS
        self.seconds = math.inf if seconds is None else seconds
        self.under = self._under(self._drawn())
        self.chosen = find(self.under.name)
        self.player = question.player
        columns = self.game.players if self.chosen.vector else 1
        self.sums = np.zeros((max(len(self.actions), 1), columns))
        self.squares = np.zeros(max(len(self.actions), 1))
        self.weight, self.deals, self.distinct = 0.0, 0, 0
        self.is_complete = False

    def analyse(self) -> Analysis:
        listed = self._listed()
        for deal in self._sampled() if listed is None else listed:
            if self.deals and self._is_over():
                break
            values = self._values_of(deal.state)
            if values is None and self.deals:
                break  # cut off in the middle: the deals before count
            self._add(deal, np.zeros_like(self.sums) if values is None else values)
            if values is None:
                break
            self._tell()
        else:
            self.is_complete = listed is not None
        return self._answer()

    # The deals.

    def _drawn(self) -> Any:
        """A deal that the player thinks possible; if chance is to move, one after it has."""
        question = self.question
        s = self.game.resample(question.state, question.player, self.random)
        while not self.game.is_terminal(s) and self.game.to_move(s) == CHANCE:
            s = self.game.draw(s, self.random)
        return s

    def _sampled(self) -> Iterator[Deal]:
        for _ in range(self.options["deals"] or DEALS):
            yield Deal(self._drawn(), 1.0)

    def _listed(self) -> list[Deal] | None:
        """All deals in random order, so that a part of them is a sample; None if they must be sampled.

        A deal that mcts judges is drawn again and again instead: its values are uncertain themselves.
        """
        most = self.options["deals"] or DEALS
        if not self.options["enumerate"] or self.question.mover == CHANCE or self.chosen.randomised:
            return None
        deals = all_deals(self.game, self.question.state, self.question.player)
        if deals is None or len(deals) > most:
            return None
        for i in range(len(deals) - 1, 0, -1):
            j = self.random.below(i + 1)
            deals[i], deals[j] = deals[j], deals[i]
        return deals

    def _is_over(self) -> bool:
        question = self.question
        if question.stop is not None and question.stop.is_set:
            return True
        if question.nodes is not None and self.nodes >= question.nodes:
            return True
        return self._left() <= 0

    def _left(self) -> float:
        """Seconds; compiling does not count."""
        return self.seconds - (time.perf_counter() - self.began - self.compile_seconds)

    # One deal.

    def _under(self, deal: Any) -> Under:
        """What solves the deals: by the size of one of them, the time there is, and what the question asks."""
        opened, compile, depth = self.searcher.opened, self.searcher.compile, self.question.depth
        named, nodes = self.options["under"], self.options["per_deal"]
        names = {each.name for each in suitable(opened.traits)}
        if named is None:
            size, cost = size_of(opened, deal, Random(0)), self._affordable()
            # Alpha-beta visits about the square root of all lines (Knuth and Moore 1975), the engine still fewer.
            for name, most in (("alpha_beta", 2 * cost), ("engine", 2 * cost + 2), *((name, cost) for name in CHANCY)):
                if name in names and size <= most:
                    is_tiny = compile is None and size <= TINY and knowledge_in(self.game) is not None
                    return Under(name, False if is_tiny else compile, nodes)
            deep = next((name for name in ("engine", *CHANCY) if name in names), None)
            named = deep if deep is not None and (depth is not None or opened.offers("evaluate")) else "mcts"
        found = find(named)
        usual = SIMULATIONS if found.name == "mcts" else None if depth is not None else NODES
        return Under(found.name, compile, nodes or usual)

    def _affordable(self) -> float:
        """The logarithm of the nodes that one deal may take."""
        compiled = should_compile(self.searcher.opened, self.question.state, self.searcher.compile)
        rate = RATE if compiled else PLAIN_RATE
        return math.log10(max(rate * min(self.seconds, DEFAULT_SECONDS) / WANTED, 10.0))

    def _values_of(self, deal: Any) -> Any:
        """What each move is worth if the cards are open, a row for each; None if there was no time to find out."""
        question, chosen = self.question, self.chosen
        keeps = not chosen.randomised
        key = (deal, self.under, question.depth)
        if keeps and key in self.searcher.solved:
            return self.searcher.solved[key]
        self.distinct += 1
        nodes = self.under.nodes
        if question.nodes is not None:
            nodes = max(min(nodes or question.nodes, question.nodes - self.nodes), 1)
        left = self._left()
        found = self.searcher.searcher(self.under).analyse(
            Question(
                self.searcher.opened,
                deal,
                depth=question.depth if "depth" in chosen.limits else None,
                nodes=nodes,
                seconds=None if left == math.inf else max(left, 1e-3),
                all_moves=True,
                deepening=(nodes is not None and question.depth is None) if chosen.observable else None,
                stop=question.stop,
                seed=self.random.bits() if chosen.randomised else None,
            )
        )
        self.nodes += found.nodes
        self.depth = max(self.depth, found.depth)
        self.compile_seconds += found.compile_seconds
        self.compiled = found.compiled
        values = self._rows(found)
        is_whole = values is not None and (chosen.randomised or self._left() > 0)
        if keeps and is_whole and nodes is None:
            if len(self.searcher.solved) >= MOST_KEPT:
                self.searcher.solved.clear()
            self.searcher.solved[key] = values
        return values if is_whole or not self.deals else None

    def _rows(self, found: Analysis) -> Any:
        """The values as rows, in the order of the legal moves; at a chance node one row; None if one is missing."""
        if not self.actions:  # chance moves: what the deal is worth to player 0
            game, value = self.game, found.value
            if isinstance(value, tuple):
                return np.array([value])
            same = game.side(found.player) == game.side(self.player)
            return np.array([[value if same else sum(game.utility_bounds(0)) - value]])
        values = {move.action: move.value for move in found.moves if move.value is not None and move.exact}
        if any(a not in values for a in self.actions):
            return None
        rows = [values[a] for a in self.actions]
        return np.array([row if isinstance(row, tuple) else (row,) for row in rows])

    def _add(self, deal: Deal, values: Any) -> None:
        own = self._own(values)
        self.sums += deal.probability * values
        self.squares += deal.probability * own * own
        self.weight += deal.probability
        self.deals += 1

    def _own(self, values: Any) -> Any:
        """The player's own values."""
        return values[:, self.player if values.shape[1] > 1 else 0]

    # The answer.

    def _means(self) -> tuple[Any, Any]:
        """The mean of each move, and its standard error; 0 if all deals were counted, NaN after a single one."""
        means = self.sums / self.weight
        if self.is_complete:
            return means, np.zeros(len(means))
        if self.deals < 2:
            return means, np.full(len(means), math.nan)
        variance = np.maximum(self.squares / self.weight - self._own(means) ** 2, 0.0)
        return means, np.sqrt(variance / (self.deals - 1))

    def _tell(self) -> None:
        question, now = self.question, time.perf_counter()
        if question.on_progress is None or now - self.told < TOLD_EVERY:
            return
        self.told = now
        means, _ = self._means()
        own = self._own(means)
        line = (self.actions[int(own.argmax())],) if self.actions else ()
        spent = max(now - self.began - self.compile_seconds, 1e-9)
        question.on_progress(
            Progress(self.deals, float(own.max()), None, False, line, self.nodes, spent, counted="deals")
        )

    def _answer(self) -> Analysis:
        question, game = self.question, self.game
        means, errors = self._means()
        own = self._own(means)
        order = sorted(range(len(self.actions)), key=lambda i: -own[i])
        error = [None if math.isnan(e) or (self.is_complete and e == 0.0) else float(e) for e in errors]
        moves = tuple(
            Move(
                self.actions[i],
                game.action_name(question.state, self.actions[i]),
                _value(means[i]),
                True,
                (self.actions[i],),
                visits=self.deals,
                error=error[i],
            )
            for i in order
        )
        best = moves[0] if moves else None
        return Analysis(
            game=game,
            state=question.state,
            player=self.player,
            action=None if best is None else best.action,
            value=_value(means[0]) if best is None or best.value is None else best.value,
            exact=False,
            line=() if best is None else best.line,
            moves=moves,
            nodes=self.nodes,
            depth=self.depth,
            seconds=max(time.perf_counter() - self.began - self.compile_seconds, 1e-9),
            compile_seconds=self.compile_seconds,
            algorithm=self.searcher.algorithm.name,
            reason="",
            compiled=self.compiled,
            error=error[0] if best is None else best.error,
            remarks=tuple(self._remarks()),
            deals=self.deals,
        )

    def _remarks(self) -> Iterator[str]:
        how, nodes = self.under.name, self.under.nodes
        how += "" if nodes is None else f", at most {nodes:,} {'simulations' if how == 'mcts' else 'nodes'} each"
        if self.is_complete:
            yield f"all {self.deals:,} possible deals, each solved with open cards ({how})"
        else:
            yield (
                f"{self.deals:,} sampled deals, {self.distinct:,} solved with open cards ({how}); "
                "± is the standard error over deals"
            )
        yield "averaging over clairvoyance assumes that everyone will see all cards after this move"


def _value(row: Any) -> Any:
    """One number, or a number for each player."""
    return float(row[0]) if len(row) == 1 else tuple(row.tolist())


def _check(options: dict[str, Any]) -> None:
    for name, least in (("deals", 1), ("per_deal", 1), ("seed", 0)):
        value = options[name]
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
            raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    if not isinstance(options["enumerate"], bool):
        raise ValueError(f"enumerate must be True or False, not {options['enumerate']!r}")


def _strength(game: Game) -> int:
    """Stronger than mcts if a deal can be searched well: no chance after the deal, and an evaluation."""
    if not game.offers("resample"):
        return 0
    return 115 if (game.deals_once or not game.chance) and game.offers("evaluate") else 50


register(
    Algorithm(
        "pimc",
        "Averaging over clairvoyance: deals are sampled, solved with open cards, and their values averaged.",
        ClairvoyantSearcher,
        sides=None,
        zero_sum=False,
        chance=True,
        samples=True,
        hidden=True,
        needs_hidden=True,
        history=False,
        deepens=False,
        randomised=True,
        options=OPTIONS,
        lines=True,
        strength=_strength,
        because=lambda game: f"hidden information, and {why_not_solved(game)}: each deal is searched with open cards",
    )
)
