"""The desk for Kuhn poker: strategies judged by what they cost, and hands against the equilibrium."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.app.web.kuhn_steps import lesson
from zermelo.blackboard.information_sets import InformationTree
from zermelo.equilibria.judging import NEARLY
from zermelo.equilibria.kuhn import BET, HIGHEST, JACK, PASSED, QUEEN, Bets, Kuhn
from zermelo.games.kuhn_poker import NOTHING, RANKS, KuhnPokerState
from zermelo.kernel.random import Random
from zermelo.pictures import draw

ALPHA = 1 / 6
"""The computer plays this member of the family: each of them is as good."""
CARDS = {"J": "Jack", "Q": "Queen", "K": "King"}
ASKED = ("opening", "after check and bet", "after a check", "after a bet")
"""Groups of three situations, as the page names them."""


class KuhnDesk:
    """One game of Kuhn poker, judged. Everything takes a few milliseconds."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.kuhn = Kuhn()
        self.tree = InformationTree(self.kuhn.game)
        self.steps = lesson(self.kuhn)
        self.hands = Hands(self.kuhn, secrets.randbits(63))

    def do_kuhn(self, bets: list[float]) -> None:
        self._show([float(bet) for bet in bets] if bets else self.kuhn.equilibrium(float(HIGHEST)))

    def do_kuhn_family(self, alpha: float) -> None:
        self._show(self.kuhn.equilibrium(min(alpha, float(HIGHEST))))

    def _show(self, bets: Bets) -> None:
        kuhn = self.kuhn
        verdict = kuhn.verdict(bets)
        values = kuhn.move_values(bets)
        reach = kuhn.judge.reach(kuhn.strategy(bets))
        situations = []
        for place, (player, card, _) in enumerate(kuhn.order):
            told = kuhn.judge.situations[kuhn.numbers[place]]
            about = {"player": player, "card": CARDS[RANKS[card]], "when": ASKED[place // 3], "moves": told.moves}
            worth = {"values": values[place] if any(values[place]) else None, "reach": reach[kuhn.numbers[place]]}
            situations.append({**about, **worth, "bet": bets[place]})
        number = {which: self._place(each.nodes[0]) for which, each in enumerate(self.tree.sets)}
        self.say(
            {
                "kind": "kuhn",
                "bets": bets,
                "alpha": kuhn.alpha_of(bets),
                "most": float(HIGHEST),
                "game_value": kuhn.value,
                "situations": situations,
                "verdict": verdict,
                "curves": self._curves(bets),
                "steps": self.steps,
                "svg": self.tree.svg(self._policy(bets), "Kuhn poker with its information sets"),
                "places": number,
            }
        )

    def _place(self, node: int) -> int:
        """The place of a node's situation in the order of the lesson."""
        return self.kuhn.numbers.index(self.kuhn.judge.number_of(self.tree.points[node].state))

    def _policy(self, bets: Bets) -> Any:
        strategy = self.kuhn.strategy(bets)
        return lambda s: dict(enumerate(strategy[self.kuhn.judge.number_of(s)]))

    def _curves(self, bets: Bets) -> list[dict[str, Any]]:
        """What makes the opponent indifferent: the values of two moves as a bluff or a call becomes more frequent."""
        kuhn = self.kuhn
        found = []
        for changed, seen in (
            (kuhn.place(0, JACK, NOTHING), kuhn.place(1, QUEEN, BET)),
            (kuhn.place(1, QUEEN, BET), kuhn.place(0, JACK, NOTHING)),
            (kuhn.place(1, JACK, PASSED), kuhn.place(0, QUEEN, 0b101)),
        ):
            points = kuhn.curve(bets, changed, seen)
            found.append({"changed": changed, "seen": seen, "at": bets[changed], "points": points})
        return found

    def do_kuhn_deal(self, seat: int) -> None:
        self.hands.deal(seat)
        self.say({"kind": "hand", **self.hands.view()})

    def do_kuhn_move(self, bet: bool) -> None:
        self.hands.move(bet)
        self.say({"kind": "hand", **self.hands.view()})

    def do_kuhn_forget(self) -> None:
        self.hands = Hands(self.kuhn, secrets.randbits(63))
        self.say({"kind": "hand", **self.hands.view()})

    def leave(self) -> None:
        """There is no work to stop."""


class Hands:
    """Hands against the equilibrium. Every decision is judged by what it costs on average."""

    def __init__(self, kuhn: Kuhn, seed: int):
        self.kuhn, self.random = kuhn, Random(seed)
        self.fair = kuhn.equilibrium(ALPHA)
        self.values = kuhn.move_values(self.fair)
        self.counts = [[0, 0] for _ in kuhn.order]
        self.seat = 0
        self.state: KuhnPokerState | None = None
        self.judged: list[dict[str, Any]] = []
        self.hands, self.chips, self.cost, self.expected = 0, 0.0, 0.0, 0.0

    def deal(self, seat: int) -> None:
        """Deal new cards; a hand that is not over is abandoned."""
        self.seat, self.judged = seat, []
        self.state = self.kuhn.game.draw(self.kuhn.game.initial(), self.random)
        self._go_on()

    def move(self, bet: bool) -> None:
        """The person's move."""
        if self.state is None or self.is_over:
            raise ValueError("there is no hand to play: deal one")
        place = self.kuhn.numbers.index(self.kuhn.judge.number_of(self.state))
        self.counts[place][bet] += 1
        values = self.values[place]
        cost = max(values) - values[bet]
        cost = cost if cost > NEARLY else 0.0
        names = self.kuhn.judge.situations[self.kuhn.numbers[place]].moves
        self.judged.append({"move": names[bet], "moves": names, "values": values, "cost": cost, "place": place})
        self.cost += cost
        self.state = self.kuhn.game.result(self.state, int(bet))
        self._go_on()

    def _go_on(self) -> None:
        """The computer's moves, then the end of the hand."""
        game, kuhn, s = self.kuhn.game, self.kuhn, self.state
        assert s is not None
        while not game.is_terminal(s) and game.to_move(s) != self.seat:
            place = kuhn.numbers.index(kuhn.judge.number_of(s))
            s = game.result(s, int(self.random.uniform() < self.fair[place]))
        self.state = s
        if game.is_terminal(s):
            self.hands += 1
            self.chips += game.utility(s, self.seat)
            self.expected += kuhn.value_to(self.seat) - sum(each["cost"] for each in self.judged)

    @property
    def is_over(self) -> bool:
        return self.state is not None and self.kuhn.game.is_terminal(self.state)

    @property
    def observed(self) -> Bets:
        """The frequencies of the person's own moves; those of the equilibrium where there was nothing to decide yet."""
        return [
            counts[1] / sum(counts) if sum(counts) else fair
            for counts, fair in zip(self.counts, self.fair, strict=True)
        ]

    def view(self) -> dict[str, Any]:
        """What the person may see of the hand, and all verdicts so far."""
        seats = self.kuhn.verdict(self.observed)["seats"]
        sums = {"hands": self.hands, "chips": self.chips, "cost": self.cost, "expected": self.expected}
        about = {**sums, "counts": self.counts, "losses": [seat["loss"] for seat in seats]}
        if self.state is None:
            return {**about, "seat": self.seat, "svg": "", "moves": [], "judged": [], "over": True, "result": None}
        game, s = self.kuhn.game, self.state
        folded = self.is_over and game.has_bet(s, 0) != game.has_bet(s, 1)
        shown = s if self.is_over and not folded else game.seen_by(s, self.seat)
        moves: Sequence[str] = [] if self.is_over else [game.action_name(s, a) for a in game.actions(s)]
        result = game.utility(s, self.seat) if self.is_over else None
        picture = draw(game, shown, title=f"Kuhn poker, you are player {self.seat + 1}")
        more = {"judged": self.judged, "over": self.is_over, "result": result, "folded": folded}
        return {**about, "seat": self.seat, "svg": picture, "moves": moves, **more}
