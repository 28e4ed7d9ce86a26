"""The methods of regret minimisation, by name.

All of them are one algorithm with three exponents (Brown and Sandholm 2019): after iteration t, positive regrets are
multiplied by t^α / (t^α + 1), negative ones by t^β / (t^β + 1), and iteration t counts t^γ in the average strategy.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from zermelo.game.errors import UnknownName


class Method(NamedTuple):
    """A method of regret minimisation."""

    title: str
    alpha: float
    beta: float
    gamma: float
    alternating: bool = True


METHODS = {
    "cfr": Method("counterfactual regret minimisation (Zinkevich et al. 2007)", math.inf, math.inf, 0.0),
    "cfr-simultaneous": Method("CFR, both players updated at once", math.inf, math.inf, 0.0, alternating=False),
    "cfr+": Method("CFR+ (Tammelin 2014): no negative regrets, linear averaging", math.inf, -math.inf, 1.0),
    "linear-cfr": Method("linear CFR (Brown and Sandholm 2019)", 1.0, 1.0, 1.0),
    "dcfr": Method("discounted CFR (Brown and Sandholm 2019), with α = 1.5, β = 0, γ = 2", 1.5, 0.0, 2.0),
}

DEFAULT = "cfr+"


def method_named(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise UnknownName(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
