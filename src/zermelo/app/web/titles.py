"""Titles and short rules of the registered games."""

from __future__ import annotations

from pathlib import Path

TITLES = {
    "connect_four": "Connect Four",
    "kuhn_poker": "Kuhn poker",
    "leduc_poker": "Leduc poker",
    "liars_dice": "Liar's dice",
    "limit_holdem": "Limit hold'em",
    "no_limit_holdem": "No-limit hold'em",
    "non_locality": "Non-locality",
    "phantom_tic_tac_toe": "Phantom tic-tac-toe",
    "tic_tac_toe": "Tic-tac-toe",
}
RULES = {
    "backgammon": "Roll two dice and move your checkers home by these numbers, then off the board. A single checker "
    "can be hit and must start again from the bar. The first to bear off all fifteen wins; a gammon counts double.",
    "breakthrough": "A piece moves one row forward, straight or diagonally, and captures diagonally. The first to "
    "reach the far row wins.",
    "checkers": "English draughts. Men move and capture diagonally forwards, kings also backwards. A player who can "
    "capture must. A man that reaches the last row becomes a king. A player who cannot move loses.",
    "chess": "The laws of chess. A position that occurs for the third time, and fifty moves without progress, are "
    "draws.",
    "coalition": "In turn, each player destroys one army of another's. After the last turn, or when only one "
    "player has armies, the player with the most wins; ties share.",
    "connect_four": "A stone falls to the bottom of its column. Four in a row, in any direction, win.",
    "go": "Put a stone on a point. Stones without an empty point next to their group are captured. No earlier "
    "position may recur. After two passes, the larger area wins: stones and the points that they surround.",
    "goofspiel": "A prize is turned over, and both bid a card from 1 to 4 in secret. The higher card takes the prize; "
    "on a tie nobody does. Each card is used once, and the most points win.",
    "hex": "Place a stone on an empty cell. Red wins with a chain of stones from top to bottom, Blue with a chain from "
    "left to right. On its first turn, Blue may swap: it takes over the first stone, mirrored.",
    "kalah": "Sow the seeds of one of your houses, one by one, into your store too. A last seed there earns another "
    "move; one in an empty house of yours goes to your store with the seeds opposite. The fuller store wins.",
    "kuhn_poker": "Both put in a chip and get one of three cards. A player may bet another chip, which the other "
    "calls or folds. If nobody folds, the higher card wins.",
    "leduc_poker": "Two Jacks, two Queens, two Kings. Each player puts in a chip and gets a card; after a round of "
    "betting a card for both is turned over, and a second round follows. A pair wins, otherwise the higher card.",
    "liars_dice": "Each rolls a die in secret. A bid says how many of both dice show a face; sixes count as any. Bid "
    "higher, or call the last bid a lie: then the dice are shown.",
    "limit_holdem": "Texas hold'em for two. Each gets two cards, and five are turned over for both: three, then one, "
    "then one, with a round of betting before and after each. Bets are 2 chips, later 4. The best five "
    "of seven cards win.",
    "matrix": "Rock, paper, scissors, or any table: both choose at once, and the table says what each gets.",
    "nim": "Take one or more counters from one heap. The player who takes the last one wins; in misère play, loses.",
    "no_limit_holdem": "Texas hold'em for two, with 200 chips each. A player may bet half the pot, the pot, twice the "
    "pot, or all its chips. Fold, and the other wins the pot; otherwise the best five of seven cards win.",
    "non_locality": "The dealer sees a card, then stops or asks the guesser. Stopping wins 2 with a high card and "
    "loses 2 with a low one. A right guess wins 1 if the card is low and 2 if it is high; a wrong one loses 1.",
    "othello": "A disc turns the opponent's discs that lie between it and another disc of yours. A move must turn at "
    "least one; a player without a move passes. In the end the most discs win.",
    "phantom_tic_tac_toe": "Tic-tac-toe, but you do not see the opponent's stones. If you try a cell that is taken, "
    "you learn that, and try another one.",
    "pig": "Roll as often as you dare, then hold and keep the turn's total; a 1 loses it, and the turn. The "
    "first to reach the target, 100, wins.",
    "roads": "Road A leads to a pot of gold. Road B forks: one way leads to two pots, the other one under a bus, and "
    "you do not know which is which.",
    "strategy_fusion": "Take 1 for certain, or guess the colour of a card that only the opponent sees, for 2. The "
    "opponent may double the stake first.",
    "tic_tac_toe": "Put a stone on an empty cell. Three in a row, column or diagonal win.",
}
"""The rules of the registered games with default parameters, for beginners."""


def title_of(what: str) -> str:
    """The title of a game; for a user's file, its class or its name."""
    path, is_file, cls = what.partition(".py")
    if is_file:
        return cls.removeprefix(":") or Path(path).name
    return TITLES.get(what, what.replace("_", " ").capitalize())
