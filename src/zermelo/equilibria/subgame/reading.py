"""What to do at one decision of a subgame: how often each hand takes each action, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibria.subgame.betting import DEAL
from zermelo.equilibria.subgame.solver import Subgame
from zermelo.equilibria.subgame.walking import DEALT, FOLLOW
from zermelo.game.errors import GameError
from zermelo.games.poker.cards import card_named, name_of
from zermelo.games.poker.ranges import KINDS, combinations, kind_name, kinds
from zermelo.kernel.tabular import Tabular


@dataclass(frozen=True)
class Decision(Tabular):
    """A decision of the player to act, for all of its hands that can get here.

    line      the actions and the river card that lead here
    player    0 acts first on each street, 1 second
    board     the cards on the table
    pot       the chips in the middle
    actions   their names
    hands     [hand] the combination
    reach     [hand] how likely the player is to have this hand here, by its range and its earlier actions, from 0 to 1
    meets     [hand] the weight of the other player's hands that it can meet
    chances   [hand, action] how often it takes each action
    values    [hand, action] how many chips each action wins from here on, the pot included
    """

    line: tuple[str, ...]
    player: int
    board: tuple[int, ...]
    pot: float
    actions: tuple[str, ...]
    hands: Any
    reach: Any
    meets: Any
    chances: Any
    values: Any

    @property
    def likely(self) -> Any:
        """[hand] how likely each hand is, from all that is known: they add up to 1 unless nobody ever gets here."""
        weight = self.reach * self.meets
        return weight / weight.sum() if weight.sum() > 0 else weight

    @property
    def frequencies(self) -> Any:
        """[action] how often the player takes it with all of its hands."""
        return self.likely @ self.chances

    @property
    def value(self) -> float:
        """How many chips the player wins from here on, on average over its hands."""
        return float(self.likely @ (self.chances * self.values).sum(axis=1))

    def table(self) -> list[dict[str, Any]]:
        """One row for each hand; on the river, the strongest first."""
        cards = combinations()[self.hands[::-1]]
        names = [f"{name_of(int(high))}{name_of(int(low))}" for low, high in cards]
        return self._rows(names, self.reach[::-1], self.chances[::-1], self.values[::-1])

    def by_kind(self) -> list[dict[str, Any]]:
        """One row for each kind of hands, in the order of the usual chart: their mean."""
        of, likely = kinds()[self.hands], self.likely
        weight = np.bincount(of, likely, KINDS)
        share = np.divide(likely, weight[of], out=np.zeros(len(of)), where=weight[of] > 0)
        found = [kind for kind in range(KINDS) if weight[kind] > 0]
        means = [share[of == kind] @ np.hstack([self.chances, self.values])[of == kind] for kind in found]
        both = np.array(means).reshape(len(found), -1)
        n = len(self.actions)
        reach = [float(self.reach[of == kind].sum()) for kind in found]
        return self._rows([kind_name(kind) for kind in found], reach, both[:, :n], both[:, n:])

    def aggression(self) -> Any:
        """[kind] how often hands of each kind bet or raise; 0 for kinds that are not here."""
        rows = {row["hand"]: row for row in self.by_kind()}
        bets = [name for name in self.actions if name.split()[0] in ("bet", "raise", "all-in")]
        names = [kind_name(kind) for kind in range(KINDS)]
        return np.array([sum(rows[name][bet] for bet in bets) if name in rows else 0.0 for name in names])

    def _rows(self, names: Any, reach: Any, chances: Any, values: Any) -> list[dict[str, Any]]:
        rows = []
        for i, name in enumerate(names):
            row = {"hand": name, "reach": round(float(reach[i]), 6)}
            row |= {action: round(float(x), 6) for action, x in zip(self.actions, chances[i], strict=True)}
            row["value"] = round(float(chances[i] @ values[i]), 6)
            row |= {f"value of {action}": round(float(x), 6) for action, x in zip(self.actions, values[i], strict=True)}
            rows.append(row)
        return rows


def decision(subgame: Subgame, *line: str) -> Decision:
    """The decision after these actions; after a deal, name the river card: "check", "check", "7s"."""
    n, river, moved = _found(subgame, line)
    spot, boards = subgame.spot, subgame.boards
    player = int(spot.actor[n])
    subgame.walk(player, FOLLOW)
    desk, group = subgame.desk, 0
    if n >= spot.end[0]:
        group = int(np.searchsorted(spot.end, n, side="right"))
        desk = subgame.desks[0]
        where = (player, FOLLOW, river, river + 1, group, group + 1)
        subgame.run(DEALT, spot, subgame.desk, desk, subgame.memory, *where)
    k = len(boards.rivers) if group == 0 else river
    first, count = int(spot.begin[group]), int(spot.count[k])
    children = spot.child[n, : spot.width[n]]
    reach = [np.asarray(desk.reach[p, spot.row[p, n] - first, :count], np.float64) for p in range(2)]
    meets = _meets(reach[1 - player], spot.low[k, :count], spot.high[k, :count])
    here = (reach[player] > 0) & (meets > 1e-9 * max(meets.max(), 1e-30))
    node = subgame.nodes[n]
    # Values count from an equal share of the pot at the start: what is already put in belongs to the pot now.
    worth = np.asarray(desk.value[children - first][:, :count], np.float64)[:, here] / meets[here]
    hands = moved[spot.order[k, :count]] if moved is not None else spot.order[k, :count]
    cards = [card_named(word) for word in line if _is_card(word)]
    board = (*subgame.board, *cards)
    return Decision(
        tuple(line), player, board, subgame.betting.pot + sum(node.put),
        tuple(subgame.nodes[c].name for c in children), boards.hands[hands[here]], reach[player][here], meets[here],
        np.asarray(desk.play[children - first][:, :count], np.float64)[:, here].T,
        worth.T + subgame.betting.pot / 2 + node.put[player],
    )  # fmt: skip


def _meets(weights: Any, low: Any, high: Any) -> Any:
    """The weight of the hands that each hand can meet."""
    of_card = np.bincount(low, weights, 52) + np.bincount(high, weights, 52)
    return np.maximum(weights.sum() - of_card[low] - of_card[high] + weights, 0.0)


def _is_card(word: str) -> bool:
    return len(word) == 2 and word[1].lower() in "cdhs"


def _found(subgame: Subgame, line: tuple[str, ...]) -> tuple[int, int, Any]:
    """The node after a line, its river, and where hands go if another river was solved in its place."""
    spot = subgame.spot
    n, river, moved = 0, 0, None
    if subgame.board_is_full:
        n = int(spot.first[0])
    for word in line:
        if spot.actor[n] == DEAL:
            river, moved = _river(subgame, word)
            n = int(spot.first[n])
            continue
        names = {subgame.nodes[c].name: int(c) for c in spot.child[n, : spot.width[n]]}
        if word not in names:
            allowed = ", ".join(names) if names else "nothing: this line is over"
            raise GameError(f"{word!r} is not possible here; possible: {allowed}")
        n = names[word]
    if spot.actor[n] == DEAL:
        raise GameError(
            f"after {', '.join(line)!r} a river card is dealt: add one to the line, such as {_example(subgame)}"
        )
    if spot.actor[n] > 1:
        raise GameError(f"nobody has a decision after {', '.join(line)!r}: the hand is over")
    return n, river, moved


def _river(subgame: Subgame, word: str) -> tuple[int, Any]:
    """The number of the river that was solved for this card, and where its hands go."""
    card = card_named(word)
    for k, cards in enumerate(subgame.boards.cards):
        for each, moved in cards:
            if each == card:
                return k, moved
    raise GameError(f"the card {name_of(card)} is already on the board")


def _example(subgame: Subgame) -> str:
    return name_of(subgame.boards.rivers[0])
