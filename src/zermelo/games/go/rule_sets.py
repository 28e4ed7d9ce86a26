"""What differs between the rules of Go: suicide, repetition, and what White gets for handicap stones."""

from __future__ import annotations

from typing import NamedTuple


class RuleSet(NamedTuple):
    """One set of rules, all with area scoring.

    suicide  may a player remove their own stones?
    superko  "none": only the simple ko rule; "positional": no position of stones may recur; "situational": none may
             recur with the same player to move
    bonus    points for White per handicap stone, and how many stones do not count for it
    """

    suicide: bool
    superko: str
    bonus: int = 0
    free_stones: int = 0


RULE_SETS = {
    "tromp_taylor": RuleSet(suicide=True, superko="positional"),
    "chinese": RuleSet(suicide=False, superko="positional", bonus=1),
    "aga": RuleSet(suicide=False, superko="situational", bonus=1, free_stones=1),
    "new_zealand": RuleSet(suicide=True, superko="situational"),
    "simple_ko": RuleSet(suicide=False, superko="none"),
}
