"""Connect Four, any width, height and k."""
from typing import NamedTuple
from collections.abc import Iterator
from zermelo.game.protocol import Game
from zermelo.game.state import u64
from zermelo.kernel.bits import count_bits

class ConnectFourState(NamedTuple):
    own: u64  # stones of the player to move
    mask: u64  # all stones
    
class ConnectFour(Game):
    utility_range = (-1, 1)
    def __init__(self, width=7, height=6):
        self.width, self.height = width, height
        self.bottom = sum(1 << c * (height + 1) for c in range(width))
        self.full = sum(((1 << height) - 1) << c * (height + 1) for c in range(width))

    def initial(self):
        return ConnectFourState(0, 0)

    def to_move(self, s):
        from_bits = s.mask
        return count_bits(s.mask) & 1

    def actions(self, s):
        free = (s.mask + self.bottom) & self.full
        column = (1 << self.height) - 1
        for c in range(self.width):
            if (free >> (c * (self.height + 1))) & column:
                yield c

    def result(self, s, a):
        column = ((1 << self.height) - 1) << (a * (self.height + 1))
        return ConnectFourState(s.own ^ s.mask, s.mask | ((s.mask + self.bottom) & column))

    def is_terminal(self, s):
        return self.has_won(s.own ^ s.mask) or s.mask == self.full

    def has_won(self, b):
        for d in (1, self.height, self.height + 1, self.height + 2):
            pair = b & (b >> d)
            if pair & (pair >> 2 * d):
                return True
        return False
    def utility(self, s, p): 
        if not self.has_won(s.own^s.mask):
            return 0
        return -1 if self.to_move(s) == p else 1
