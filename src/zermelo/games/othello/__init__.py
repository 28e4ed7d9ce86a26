"""Othello: rules, evaluation by patterns, and what it has learned."""

from zermelo.games.othello.game import PASS, Othello, OthelloState

__all__ = ["PASS", "Othello", "OthelloState"]
