"""Chess and Chess960: rules, and the notations of positions, moves and games."""

from zermelo.games.chess.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, ChessState
from zermelo.games.chess.rules import Chess

__all__ = ["BISHOP", "KING", "KNIGHT", "PAWN", "QUEEN", "ROOK", "Chess", "ChessState"]
