"""Three games in which averaging over clairvoyance goes wrong, each small enough for one page."""

from __future__ import annotations

from zermelo.games.extensive_form import ExtensiveForm, Point, choice, end, lottery


class Roads(ExtensiveForm):
    """Road A leads to a pot of gold. Road B forks: one way leads to two pots, the other one under a bus.

    If you knew which way is which, B would be best on every day. You do not (Russell and Norvig, chapter 5).
    """

    def __init__(self) -> None:
        def roads(left: float, right: float) -> Point:
            fork = choice(0, "at the fork", left=end(left), right=end(right))
            return choice(0, "at home", A=end(1), B=fork)

        super().__init__(lottery(day1=(0.5, roads(2, -10)), day2=(0.5, roads(-10, 2))), players=1, names=("Traveller",))


class StrategyFusion(ExtensiveForm):
    """Take 1 for certain, or guess the colour of a card that only the opponent sees.

    The opponent may double the stake of 2 first. Someone who sees the card always guesses right, and so always prefers
    to guess. But one guess must do for both cards (Frank and Basin 1998 call the mistake strategy fusion).
    """

    def __init__(self) -> None:
        def guess(stake: float, knows: str, red: bool) -> Point:
            right = stake if red else -stake
            return choice(0, knows, red=end(right), black=end(-right))

        def card(red: bool) -> Point:
            opponent = choice(
                1,
                "red" if red else "black",
                keep=guess(2, "guess for 2", red),
                double=guess(4, "guess for 4", red),
            )
            return choice(0, "at the start", take=end(1), guess=opponent)

        super().__init__(lottery(red=(0.5, card(True)), black=(0.5, card(False))), names=("Guesser", "Opponent"))


class NonLocality(ExtensiveForm):
    """The dealer looks at a card and stops, or lets the guesser guess. What does it mean that the guesser may guess?

    A dealer with a high card wins 2 by stopping, and with a low card loses 2. So whoever is asked to guess knows that
    the card is low, though nothing below that node says so (Frank and Basin 1998 call the mistake non-locality).
    """

    def __init__(self) -> None:
        high = choice(0, "high", stop=end(2), go=choice(1, "asked to guess", low=end(1), high=end(-2)))
        low = choice(0, "low", stop=end(-2), go=choice(1, "asked to guess", low=end(-1), high=end(1)))
        super().__init__(lottery(high=(0.5, high), low=(0.5, low)), names=("Dealer", "Guesser"))

    @property
    def title(self) -> str:
        return "Non-locality"
