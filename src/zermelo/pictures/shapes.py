"""Drawings that would otherwise depend on installed fonts: chessmen, card suits, pips of dice.

Chessmen are drawn around their middle in a square of 48 units, suits in one of 16.
"""

from __future__ import annotations

CHESSMEN = {
    "pawn": '<path d="M-10 17V14.5C-10 10-4.5 9-4 1.5H-6.5V-1.5H-3.8A7 7 0 1 1 3.8-1.5H6.5V1.5H4'
    'C4.5 9 10 10 10 14.5V17Z"/>',
    "rook": '<path d="M-12 17V13L-9 10V-6L-12-9V-17H-7.2V-13.5H-2.4V-17H2.4V-13.5H7.2V-17H12V-9L9-6V10L12 13V17Z"/>'
    '<path class="zb-inner" d="M-9-6H9M-9 10H9"/>',
    "knight": '<path d="M-9 17V14C-9 8 1 5 0-3C-3 0-7 0-9 4C-11 5.5-13.5 4.5-13.5 1.5'
    'C-13.5-3-9.5-6-8.5-11L-8-17L-3.5-13C7-13 13-4 12 17Z"/>'
    '<circle class="zb-eye" cx="-4.6" cy="-7.5" r="1.5"/><path class="zb-inner" d="M-10.8 2.2L-9.6 1.2"/>',
    "bishop": '<circle cx="0" cy="-17" r="2.8"/>'
    '<path d="M-12 17V14.5C-8 13.5-5 13-4.5 9H-7V6H-4.5C-13 0-8.5-9.5 0-14.5C8.5-9.5 13 0 4.5 6H7V9H4.5'
    'C5 13 8 13.5 12 14.5V17Z"/><path class="zb-inner" d="M0-6.5V.5M-3.5-3H3.5"/>',
    "queen": '<path d="M-11 17V13.5L-9 9L-15-7L-8 0L-8-12L-3-1.5L0-13.5L3-1.5L8-12L8 0L15-7L9 9L11 13.5V17Z"/>'
    '<circle cx="-15" cy="-8.5" r="2.2"/><circle cx="-8" cy="-13.8" r="2.2"/><circle cx="0" cy="-15.5" r="2.2"/>'
    '<circle cx="8" cy="-13.8" r="2.2"/><circle cx="15" cy="-8.5" r="2.2"/>'
    '<path class="zb-inner" d="M-9 9H9M-10 13H10"/>',
    "king": '<path d="M-1.7-20.5H1.7V-17H5V-13.6H1.7V-8H-1.7V-13.6H-5V-17H-1.7Z"/>'
    '<path d="M-11 17V13.5L-9 9C-20-1-13.5-10-6.5-9C-3-8.5-1-6 0-2.5C1-6 3-8.5 6.5-9C13.5-10 20-1 9 9L11 13.5V17Z"/>'
    '<path class="zb-inner" d="M-9 9H9M-10 13H10M0-2.5V9"/>',
}
"""Names and drawings: outlines, and lines within them."""

CROWN = "M-10 8L-12-6L-5.5 0L0-10L5.5 0L12-6L10 8Z"
"""The crown of a king in checkers."""

SUITS = {
    "♥": "M0 6.5C-9-.5-7.5-7-3.6-7C-1.6-7-.4-5.6 0-4.2C.4-5.6 1.6-7 3.6-7C7.5-7 9-.5 0 6.5Z",
    "♦": "M0-8L5.6 0L0 8L-5.6 0Z",
    "♠": "M0-8C8.5-1 7.5 4.5 4 4.5C2.3 4.5 1.2 3.6.7 2.6C.9 5 1.8 6.3 3 7.5H-3C-1.8 6.3-.9 5-.7 2.6"
    "C-1.2 3.6-2.3 4.5-4 4.5C-7.5 4.5-8.5-1 0-8Z",
    "♣": "M0-7.5A3.5 3.5 0 0 1 2.9-2A3.5 3.5 0 1 1 .7 2.9C.9 5 1.8 6.3 3 7.5H-3C-1.8 6.3-.9 5-.7 2.9"
    "A3.5 3.5 0 1 1-2.9-2A3.5 3.5 0 0 1 0-7.5Z",
}

PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""The pips of each face, in a 3 × 3 grid."""
