"""Texas hold'em for two players: the deal, what each player knows, and the showdown. Subclasses add the betting.

The first player has the button: it posts the small blind, acts first before the flop, and last after it. One game is
one hand. Chance deals one card at a time, so a chance node has at most 52 outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import FACE_DOWN, Board
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i64, u8, u16, u32
from zermelo.game.unit import Unit
from zermelo.games.poker.cards import CARDS, RANKS, bit_of, card_named
from zermelo.games.poker.hands import Hands, class_of

FOLD, CALL = 1, 2
"""Moves; CALL is also a check. The moves of a street are digits of a number. No digit is 0."""
DIGIT = 4
"""Bits of a move in the record of a street."""
MOST_MOVES = 15
"""The most moves that the record of a street can hold."""
SLOT = 6
"""Bits of a card, which is stored as its number plus 1; 0 is no card."""
UNSEEN = 63 << SLOT | 63
"""Two cards that are face down."""
STREETS = ("preflop", "flop", "turn", "river")
SHOWDOWN = 4
"""The street after the river. It begins early if both players are all-in; the rest of the board is dealt then."""
SYMBOLS = "♣♦♥♠"
LETTERS = {"f": "fold", "k": "check", "x": "check", "c": "call", "allin": "all-in", "all in": "all-in", "a": "all-in"}
"""What people type instead of the name of a move."""


class HoldemState(NamedTuple):
    """A hand in progress.

    first, second              the players' cards, the lower one first, six bits each
    board                      the common cards, six bits each: the flop in ascending order, the turn, the river
    street                     0 to 3, or SHOWDOWN
    mover                      who acts next
    folded                     1 more than the player who folded; 0 if nobody did
    first_paid, second_paid    the chips that each has put into the pot
    before                     the chips that each had put in before this street
    raised                     the last raise of this street in chips, or the big blind
    preflop, flop, turn, river the moves of each street, four bits each
    """

    first: u16
    second: u16
    board: u32
    street: u8
    mover: u8
    folded: u8
    first_paid: u32
    second_paid: u32
    before: u32
    raised: u32
    preflop: i64
    flop: i64
    turn: i64
    river: i64


def with_card(cards: int, card: int) -> int:
    """A list of cards in ascending order with one more."""
    lower, shift = 0, 0
    while cards != 0 and cards & 63 < card:
        lower |= (cards & 63) << shift
        cards >>= SLOT
        shift += SLOT
    return lower | card << shift | cards << (shift + SLOT)


def count_cards(cards: int) -> int:
    """The number of cards in a list."""
    count = 0
    while cards != 0:
        cards >>= SLOT
        count += 1
    return count


def as_bits(cards: int) -> int:
    """A list of cards as a set for the evaluator."""
    found = i64(0)
    while cards != 0:
        found |= bit_of(i64(cards & 63) - 1)
        cards >>= SLOT
    return found


def holds(cards: int, card: int) -> bool:
    """Is a card in a list?"""
    while cards != 0:
        if cards & 63 == card:
            return True
        cards >>= SLOT
    return False


def record(s: HoldemState) -> int:
    """The moves of the present street."""
    if s.street == 0:
        return s.preflop
    if s.street == 1:
        return s.flop
    return s.turn if s.street == 2 else s.river


class Holdem(Game):
    """Hold'em without the betting. A subclass defines `actions`, `chips_for` and `stack`.

    Outcomes are cards from 0 to 51: first the two of the first player, then those of the second, then the board.
    """

    chance = True
    hidden = True
    max_actions = CARDS
    decisive = False
    small_blind: int
    big_blind: int
    stack: int

    def __init__(self) -> None:
        self.hands = Hands()

    def initial(self) -> HoldemState:
        return HoldemState(0, 0, 0, 0, 0, 0, self.small_blind, self.big_blind, 0, self.big_blind, 0, 0, 0, 0)

    def chips_for(self, s: HoldemState, a: int) -> int:
        """What the mover will have put in altogether after a bet or raise."""
        raise NotImplementedError

    # Rules.

    def to_move(self, s: HoldemState) -> int:
        if s.second < 64 or s.board < self.full(s.street):
            return CHANCE
        return s.mover

    def full(self, street: int) -> int:
        """The least number that is a complete board on this street."""
        if street == 0:
            return 0
        return 1 << SLOT * (street + 1 if street < SHOWDOWN else SHOWDOWN)

    def is_terminal(self, s: HoldemState) -> bool:
        return s.folded != 0 or (s.street == SHOWDOWN and s.board >= self.full(SHOWDOWN))

    def outcomes(self, s: HoldemState) -> Iterator[tuple[int, float]]:
        left = CARDS - count_cards(s.first) - count_cards(s.second) - count_cards(s.board)
        for card in range(CARDS):
            if not self.is_dealt(s, card):
                yield card, 1.0 / left

    def draw(self, s: HoldemState, random: Any) -> HoldemState:
        card = random.below(CARDS)
        while self.is_dealt(s, card):
            card = random.below(CARDS)
        return self.dealt(s, card)

    def is_dealt(self, s: HoldemState, card: int) -> bool:
        """Is a card in a hand or on the board?"""
        return holds(s.first, card + 1) or holds(s.second, card + 1) or holds(s.board, card + 1)

    def dealt(self, s: HoldemState, card: int) -> HoldemState:
        """The state with one more card."""
        first, second, board = i64(s.first), i64(s.second), i64(s.board)
        if first < 64:
            first = with_card(first, card + 1)
        elif second < 64:
            second = with_card(second, card + 1)
        elif board < self.full(1):
            board = with_card(board, card + 1)
        else:
            board |= (card + 1) << SLOT * count_cards(board)
        return HoldemState(
            first, second, board, s.street, s.mover, s.folded, s.first_paid, s.second_paid, s.before, s.raised,
            s.preflop, s.flop, s.turn, s.river,
        )  # fmt: skip

    def result(self, s: HoldemState, a: int) -> HoldemState:
        if s.second < 64 or s.board < self.full(s.street):
            return self.dealt(s, a)
        done = record(s)
        own, other = self.paid(s, s.mover), self.paid(s, 1 - s.mover)
        street, mover, before, raised, folded = i64(s.street), 1 - i64(s.mover), i64(s.before), i64(s.raised), 0
        if a == FOLD:
            folded = i64(s.mover) + 1
        elif a == CALL:
            own = other
            if own == self.stack:
                street = i64(SHOWDOWN)
            elif done != 0:
                street, mover, before, raised = street + 1, i64(1), other, i64(self.big_blind)
        else:
            own = self.chips_for(s, a)
            raised = max(own - other, raised)
        moves = done << DIGIT | a
        return HoldemState(
            s.first, s.second, s.board, street, mover, folded,
            own if s.mover == 0 else other, other if s.mover == 0 else own, before, raised,
            moves if s.street == 0 else s.preflop,
            moves if s.street == 1 else s.flop,
            moves if s.street == 2 else s.turn,
            moves if s.street == 3 else s.river,
        )  # fmt: skip

    def paid(self, s: HoldemState, p: int) -> int:
        """The chips that a player has put in."""
        return i64(s.first_paid) if p == 0 else i64(s.second_paid)

    def utility(self, s: HoldemState, p: int) -> float:
        """The chips won: what the loser has put in. A bet that was not called goes back.

        At a showdown both have put in the same, so a split pot has no odd chip.
        """
        if s.folded != 0:
            lost = 1.0 * self.paid(s, s.folded - 1)
            return -lost if p == s.folded - 1 else lost
        board = as_bits(s.board)
        first, second = self.hands.value(as_bits(s.first) | board), self.hands.value(as_bits(s.second) | board)
        if first == second:
            return 0.0
        won = 1.0 * i64(s.first_paid)
        return won if (first > second) == (p == 0) else -won

    # What a player knows.

    def information(self, s: HoldemState, p: int) -> tuple[int, int, int, int, int, int]:
        """The player's own cards, the board, and the moves of each street."""
        return i64(s.first if p == 0 else s.second), i64(s.board), s.preflop, s.flop, s.turn, s.river

    def resample(self, s: HoldemState, p: int, random: Any) -> HoldemState:
        """The opponent's cards drawn from the unseen ones, as if its moves revealed nothing."""
        own, other = (i64(s.first), i64(s.second)) if p == 0 else (i64(s.second), i64(s.first))
        drawn = i64(0)
        for _ in range(count_cards(other)):
            card = 1 + random.below(CARDS)
            while holds(own, card) or holds(s.board, card) or holds(drawn, card):
                card = 1 + random.below(CARDS)
            drawn = with_card(drawn, card)
        return HoldemState(
            own if p == 0 else drawn, drawn if p == 0 else own, s.board, s.street, s.mover, s.folded, s.first_paid,
            s.second_paid, s.before, s.raised, s.preflop, s.flop, s.turn, s.river,
        )  # fmt: skip

    # For people.

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Button", "Big blind")[p]

    def unit(self) -> Unit:
        return Unit("big blinds", 1.0 / self.big_blind)

    def action_name(self, s: HoldemState, a: int) -> str:
        if s.second < 64 or s.board < self.full(s.street):
            return name_of(a + 1)
        own, other = self.paid(s, s.mover), self.paid(s, 1 - s.mover)
        if a == FOLD:
            return "fold"
        if a == CALL:
            return "check" if own == other else "call"
        chips = self.chips_for(s, a)
        if chips == self.stack:
            return "all-in"
        bet = chips - s.before
        return f"bet {bet}" if other == s.before else f"raise to {bet}"

    def action_named(self, s: HoldemState, name: str) -> int:
        """A card such as As, A♠ or 10h; or a move such as fold, check, call, bet, raise to 8, or 8."""
        legal: list[int] = self.moves_at(s)
        wanted = " ".join(name.casefold().split())
        if legal and self.to_move(s) == CHANCE:
            return self._card_named(s, name)
        wanted = LETTERS.get(wanted, wanted)
        names = {self.action_name(s, a): a for a in legal}
        if wanted in names:
            return names[wanted]
        bets = {"bet": ("bet", "raise"), "b": ("bet", "raise"), "r": ("raise", "bet"), "raise": ("raise", "bet")}
        words = wanted.split()
        found = [
            a for each, a in names.items()
            if (each.split()[0] in bets.get(words[0] if words else "", ()) and words[1:] in ([], each.split()[-1:]))
            or each.split()[1:][-1:] == words
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        raise IllegalAction(f"{name.strip()!r} is not a legal move of {self.title}; {self._listed(s, legal)}")

    def _card_named(self, s: HoldemState, name: str) -> int:
        text = name.strip()
        for symbol, letter in zip(SYMBOLS, "cdhs", strict=True):
            text = text.replace(symbol, letter)
        try:
            card = card_named(text)
        except GameError as error:
            raise IllegalAction(f"chance deals a card: {error}") from None
        if self.is_dealt(s, card):
            raise IllegalAction(f"the card {name_of(card + 1)} is dealt already")
        return card

    def information_name(self, s: HoldemState, p: int) -> str:
        own = cards_text(s.first if p == 0 else s.second)
        board = f" on {cards_text(s.board)}" if s.board else ""
        return f"{own}{board}: {'; '.join(self._moves_text(s)) or 'no moves yet'}"

    def seen_by(self, s: HoldemState, p: int) -> HoldemState:
        """The opponent's cards are shown only at a showdown, or if both are all-in."""
        if s.street == SHOWDOWN and s.folded == 0:
            return s
        field = "second" if p == 0 else "first"
        return s._replace(**{field: UNSEEN >> SLOT * (2 - count_cards(getattr(s, field)))})

    def picture(self, s: HoldemState) -> Board:
        hands = tuple((self.player_name(p), names_of(cards)) for p, cards in enumerate((s.first, s.second)))
        table = (("Board", names_of(s.board)),) if s.board else ()
        bets = ((self.player_name(p), self.paid(s, p) - s.before) for p in range(2))
        chips = (("pot", s.first_paid + s.second_paid), *((f"{name} bet", bet) for name, bet in bets if bet))
        return Board(hands=hands + table, chips=chips, lines=(*self._moves_text(s), *self._showdown_text(s)))

    def _moves_text(self, s: HoldemState) -> list[str]:
        """The moves of each street in words."""
        lines = []
        at = self.initial()._replace(first=2 << SLOT | 1, second=4 << SLOT | 3)
        for street, moves in enumerate((s.preflop, s.flop, s.turn, s.river)):
            names = []
            at = at._replace(board=0 if street == 0 else self.full(street))
            for place in range(count_moves(moves) - 1, -1, -1):
                a = moves >> DIGIT * place & 15
                names.append(self.action_name(at, a))
                at = self.result(at, a)
            if names:
                lines.append(f"{STREETS[street]}: {', '.join(names)}")
        return lines

    def _showdown_text(self, s: HoldemState) -> list[str]:
        """What both have at a showdown."""
        if s.folded or not self.is_terminal(s) or UNSEEN in (s.first, s.second):
            return []
        board = as_bits(s.board)
        have = [class_of(self.hands.value(as_bits(cards) | board)) for cards in (s.first, s.second)]
        return [f"{self.player_name(p)}: {each}" for p, each in enumerate(have)]

    def ending(self, s: HoldemState) -> str | None:
        if not self.is_terminal(s):
            return None
        return None if s.folded else "showdown"


def count_moves(moves: int) -> int:
    """The number of moves in the record of a street."""
    count = 0
    while moves != 0:
        moves >>= DIGIT
        count += 1
    return count


def name_of(card: int) -> str:
    """A card as it is drawn: A♠; "?" if it is face down."""
    return FACE_DOWN if card == 63 else f"{RANKS[(card - 1) >> 2]}{SYMBOLS[(card - 1) & 3]}"


def names_of(cards: int) -> tuple[str, ...]:
    """The names of a list of cards."""
    return tuple(name_of(cards >> SLOT * i & 63) for i in range(count_cards(cards)))


def cards_text(cards: int) -> str:
    """A list of cards in one word."""
    return "".join(names_of(cards))
