"""Games that break the protocol, each in one way: the check must find just that. Beside them, some that keep it."""

from broken import chance, compiled, engine, evaluation, hidden, pictures, pruning, rules, sampling, states
from broken.race import BROKEN

__all__ = [
    "BROKEN",
    "chance",
    "compiled",
    "engine",
    "evaluation",
    "hidden",
    "pictures",
    "pruning",
    "rules",
    "sampling",
    "states",
]
