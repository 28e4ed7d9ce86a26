"""The errors that zermelo raises, in one family, each also a builtin so that it can be caught as one.

ZermeloError
├── GameError (ValueError)           the rules themselves are wrong
│   ├── CompileError                 the rules cannot be compiled; says where and what to do
│   └── trees.TreeError              a tree that cannot be read; says at which line and column
├── StateError (ValueError)          this is not a position of that game
├── NotationError (ValueError)       a text that cannot be read; says at which line and column
├── IllegalAction (ValueError)       this move is not legal here
├── UnknownName (LookupError)        no game, algorithm or tree of that name
├── Unsuitable (ValueError)          this algorithm cannot play that kind of game
└── TooDeep (RecursionError)         the game went on for more plies than a search may follow
"""


class ZermeloError(Exception):
    """Everything that zermelo raises on purpose."""


class GameError(ZermeloError, ValueError):
    """The rules of a game contradict themselves or its declared traits."""


class CompileError(GameError):
    """The rules cannot be compiled; the message names the method, the line and the usual cure."""


class StateError(ZermeloError, ValueError):
    """A value that is not a position of the game it was given to."""


class NotationError(ZermeloError, ValueError):
    """A text that is not in the notation it should be in; the message says where, and what would be right."""


class IllegalAction(ZermeloError, ValueError):
    """A move that the rules do not allow in this position."""


class UnknownName(ZermeloError, LookupError):
    """A name that is not in the registry, with the nearest that is."""


class Unsuitable(ZermeloError, ValueError):
    """An algorithm asked to play a kind of game that it is not made for; the message says which would suit."""


class TooDeep(ZermeloError, RecursionError):
    """The search went deeper than the ply limit: a game that does not end, or one that needs a depth limit."""
