"""Go on boards of 2 × 2 to 19 × 19 points."""

from zermelo.games.go.rule_sets import RULE_SETS, RuleSet
from zermelo.games.go.rules import Go
from zermelo.games.go.scoring import Score, territory
from zermelo.games.go.state import GoState

__all__ = ["RULE_SETS", "Go", "GoState", "RuleSet", "Score", "territory"]
