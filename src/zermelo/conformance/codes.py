"""The table of what the conformance check can find: a stable code for each, how grave it is, and the usual cure."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One kind of finding."""

    kind: str  # "error" or "warning"
    cure: str


def _error(cure: str) -> Code:
    return Code("error", cure)


def _warning(cure: str) -> Code:
    return Code("warning", cure)


CODES: dict[str, Code] = {
    # What the class declares.
    "missing-method": _error("write the method: every game needs all six of the textbook's"),
    "bad-declaration": _error("correct the class attribute that the message names"),
    "player-names": _error("let `player_name` give every player a name of its own"),
    # Anything at all.
    "raises": _error("mend the line that the message names; no method may raise in a state that play reaches"),
    "never-returns": _error("look for a loop whose condition never changes, or make the method faster"),
    "wrong-type": _error("return what the protocol says; a missing `return` gives None"),
    # States.
    "initial-differs": _error("begin in one fixed state, and let CHANCE draw what is drawn"),
    "state-type": _error("let `initial` and `result` return states of one class"),
    "state-unhashable": _error("make the state of tuples and frozensets, not of lists, dicts, sets or arrays"),
    "state-equality": _error("use a NamedTuple or a frozen dataclass, or give the class `__eq__` and `__hash__`"),
    "state-mutated": _error("build a new state; a state is a value and is never changed"),
    "field-width": _error("choose a wider field, or wrap the number yourself (such as `u8(n)`) if that is intended"),
    "result-differs": _error("let `result` depend on the state and the move alone, not on `self` or on random numbers"),
    "key-differs": _error("compute the key from the state alone: equal states have equal keys"),
    "key-collision": _error("put all that matters into the key: who is to move, rights, counters"),
    "key-width": _error("wrap the key: `u64(key)`"),
    # Turns and moves.
    "illegal-to-move": _error("return 0 … players - 1, or CHANCE"),
    "no-moves": _error("yield a pass if a player must pass, or let `is_terminal` end the game"),
    "actions-after-end": _error(
        "begin `actions` with `if self.is_terminal(s): return`, or test there what ends the game"
    ),
    "actions-differ": _error("let `actions` depend on the state alone, and yield in a fixed order"),
    "repeated-actions": _error("yield each move once"),
    "too-many-actions": _error("declare a greater `max_actions`"),
    "endless-actions": _error("look for a loop in `actions` that never ends"),
    "action-type": _error("use hashable moves; if states have fixed widths, whole numbers of at most 64 bits"),
    "name-ambiguous": _error("give each legal move a name of its own; by default capital letters do not count"),
    "name-unreadable": _error("let `action_named` read what `action_name` writes"),
    # The end.
    "utility-not-finite": _error("return a finite number from `utility`"),
    "utility-out-of-range": _error("widen `utility_range`, or correct `utility`"),
    "side-utilities-differ": _error("give all players of a side the same utility"),
    "not-zero-sum": _error("declare `zero_sum = False`, or correct `utility`"),
    "initial-is-terminal": _warning("begin with a state in which a player can move"),
    "out-of-time": _warning("give the check more `seconds`; in random games that do not end, not all can be seen"),
    "long-game": _warning("nothing, if the game may be long; otherwise limit the moves or count repetitions"),
    # Chance.
    "chance-not-declared": _error("declare `chance = True`"),
    "chance-never-seen": _warning("declare `chance = False`, unless the dice come later than random play gets"),
    "chance-after-deal": _error("declare `deals_once = False`: open deals are searched without chance"),
    "no-outcomes": _error("yield the outcomes of each CHANCE state, or write `draw`"),
    "bad-outcome": _error("yield pairs of an outcome and its probability, a number from 0 to 1"),
    "probabilities-sum": _error("let the probabilities of a state's outcomes add up to 1"),
    "repeated-outcomes": _warning("yield each outcome once, with its whole probability"),
    "draw-differs": _error("draw with the generator that is passed in, and with nothing else"),
    "draw-not-an-outcome": _error("draw only states that an outcome with a probability above 0 leads to"),
    "draw-frequencies": _error("draw each outcome with the probability that `outcomes` gives it"),
    # Hidden information.
    "hidden-not-declared": _error("declare `hidden = True`, or let `information` tell every two states apart"),
    "hidden-never-seen": _warning(
        "declare `hidden = False`, or let `information` leave out what the player cannot see"
    ),
    "no-resample": _warning("write `resample`, which playing with hidden information by sampling needs"),
    "information-unhashable": _error("return a tuple, a number or a string from `information`"),
    "information-differs": _error("let `information` depend on the state and the player alone"),
    "information-actions": _error("put into `information` what decides which moves are legal"),
    "resample-differs": _error("draw with the generator that is passed in, and with nothing else"),
    "resample-distinguishable": _error("change only what `information` does not show, and keep whose turn it is"),
    # What search uses.
    "evaluation-not-finite": _error("return a finite number from `evaluate`"),
    "evaluation-out-of-range": _error("scale the evaluation into `utility_range`, of which pruning makes use"),
    "evaluation-not-zero-sum": _warning("let the two sides' evaluations add up to what their utilities add up to"),
    "evaluation-order": _warning("look for a wrong sign, or for the wrong player's view"),
    "evaluation-against-outcome": _warning("look for a wrong sign, or for the wrong player's view"),
    "promise-not-a-number": _error("return a number from `promise`"),
    # What an engine uses.
    "safe-actions": _error("yield just the legal moves after which the opponent has no move that wins at once"),
    "noisy-actions": _error("yield legal moves only, and each once"),
    "forcing-actions": _error("yield legal moves that are not noisy, and after which `may_stand` gives False"),
    "moves-disagree": _error("let the method that is named say of each move what the generator of moves says"),
    "gain-not-a-number": _error("return a number from `gain`"),
    "gain-against-evaluation": _warning("look for a wrong sign, or for the wrong player's view"),
    "bad-probcut": _error("return a depth below the one asked for (0: none), a slope above 0, an offset and an error"),
    "after-pass": _error("return the same position with the opponent to move, or let `may_pass` give False"),
    "may-pass": _warning('let `may_pass` give False there, or leave "null_move" out of `forward_pruning`'),
    "recurs": _error("let `recurs` be true only of positions that have occurred before"),
    "bounds-no-range": _error("return two numbers within `utility_range`, the lesser first"),
    "bounds-wrong": _error("claim no more than is certain, and let `bounds` be those of the player to move"),
    "mirror-image": _error("mirror all of the position, and keep the player to move"),
    "canonical-key": _error("put all that matters into the key: only positions that are worth the same may share one"),
    "bad-features": _error("number the features as `weights` does, and give them finite amounts"),
    # What a network uses.
    "bad-phase": _error("return a number from 0 for which `phase_names` has a name, and from `viewer` a player"),
    "features-disagree": _error("let `list_features` and `list_changes` say what `features` says"),
    "bad-outcomes": _error("let the outputs be from 0 to 1, and `turned` give what the opponent sees"),
    # What Monte Carlo tree search uses.
    "bad-rollout": _error("let `rollout` and `playout` draw from `random` alone, and `rollout` return a legal move"),
    "playout-not-over": _warning("play on until `is_terminal` is true; otherwise `evaluate` has to answer"),
    "bad-prior": _error("return a finite number of at least 0 from `prior`"),
    # What people see.
    "bad-paths": _error("yield tuples of squares that `picture` shows"),
    "paths-ambiguous": _error("give each move a path of its own, by all squares that tell it from the others"),
    # Compiled and plain.
    "does-not-compile": _error("do what the message says, or leave out the widths of the fields to stay plain"),
    "hidden-not-compiled": _warning("make `information` of whole numbers and tuples, and compile `resample` too"),
    "modes-differ": _error("wrap numbers that may outgrow 64 bits, and keep whole numbers apart from fractions"),
}
"""Every code, in the order in which the documentation lists them."""
