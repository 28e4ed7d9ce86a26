"""Rollouts: positions and moves judged by playing them out many times, with dice of equal luck."""

from zermelo.search.rollout.result import Rolled, Rollout
from zermelo.search.rollout.rolling import rollout

__all__ = ["Rolled", "Rollout", "rollout"]
