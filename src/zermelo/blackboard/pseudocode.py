"""Each algorithm in a dozen lines, and the line for each step of a trace.

The lines follow the functions in `zermelo.search` one by one; a line's tag names the steps that light it, such as
"cut" or, if MAX, MIN and chance have separate lines, "max.cut".
"""

from __future__ import annotations

import functools

Line = tuple[str, str]

_TOP: list[Line] = [
    ("  if s is terminal: return utility(s)", "leaf"),
    ("  if the depth limit is reached: return evaluate(s)", "estimate"),
]


def _plain(name: str) -> list[Line]:
    return [
        ("  if MAX is to move:", ""),
        (f"    best ← the greatest {name}(result(s, a)) over all moves a", "max.value"),
        ("  else:", ""),
        (f"    best ← the least {name}(result(s, a)) over all moves a", "min.value"),
    ]


def _windowed(name: str, reaches: str = "≥", undercuts: str = "≤", moves: str = "each move a") -> list[Line]:
    return [
        ("  if MAX is to move:", ""),
        (f"    best ← −∞; for {moves}:", ""),
        (f"      best ← max(best, {name}(result(s, a), α, β))", ""),
        (f"      if best {reaches} β: stop, the rest is pruned", "max.cut"),
        ("      α ← max(α, best)", "max.window"),
        ("  else:", ""),
        (f"    best ← +∞; for {moves}:", ""),
        (f"      best ← min(best, {name}(result(s, a), α, β))", ""),
        (f"      if best {undercuts} α: stop, the rest is pruned", "min.cut"),
        ("      β ← min(β, best)", "min.window"),
    ]


_AVERAGE: list[Line] = [
    ("    for each outcome:", ""),
    ("      low, high ← the average, the unknown outcomes as low and as high as can be", "chance.range"),
    ("      if high ≤ α: return high; if low ≥ β: return low", "chance.cut"),
]


def _lines(algorithm: str, cut: str, fail: str) -> list[Line]:
    if algorithm == "minimax":
        return [("minimax(s)", "visit"), *_TOP, *_plain("minimax"), ("  return best", "value")]
    if algorithm == "alpha_beta":
        strict = cut == "<"
        body = _windowed("alpha_beta", ">" if strict else "≥", "<" if strict else "≤")
        last = "  return best" if fail == "soft" else "  return best, clipped to the first [α, β]"
        return [("alpha_beta(s, α, β)", "visit"), *_TOP, *body, (last, "value")]
    if algorithm == "expectiminimax":
        return [
            ("expectiminimax(s)", "visit"),
            *_TOP,
            ("  if chance is to move:", ""),
            ("    best ← the sum of probability · expectiminimax(outcome)", "chance.value"),
            *_plain("expectiminimax"),
            ("  return best", "value"),
        ]
    if algorithm == "star1":
        return [
            ("star1(s, α, β)", "visit"),
            *_TOP,
            ("  if chance is to move:", ""),
            *_AVERAGE,
            ("      add probability · star1(outcome, α′, β′), the window that could matter", ""),
            *_windowed("star1"),
            ("  return best", "value"),
        ]
    if algorithm == "star2":
        return [
            ("star2(s, α, β)", "visit"),
            *_TOP,
            ("  if chance is to move:", ""),
            ("    for each outcome: search one move below it, which bounds it", "probe"),
            *_AVERAGE,
            ("      add probability · star2(outcome, α′, β′), the window that could matter", ""),
            *_windowed("star2"),
            ("  return best", "value"),
        ]
    if algorithm == "maxn":
        return [
            ("maxn(s)", "visit"),
            ("  if s is terminal: return the utility of every player", "leaf"),
            ("  if the depth limit is reached: return the evaluation for every player", "estimate"),
            ("  if chance is to move: return the average of the vectors", "chance.value"),
            ("  p ← the player to move", ""),
            ("  return the first maxn(result(s, a)) that is best in component p", "value"),
        ]
    if algorithm == "beam":
        narrow: Line = ("  keep only the most promising moves", "beam")
        return [
            ("beam(s, α, β)", "visit"),
            *_TOP,
            narrow,
            *_windowed("beam", moves="each move a kept"),
            ("  return best", "value"),
        ]
    if algorithm == "greedy":
        return [
            ("greedy(s)", "visit"),
            ("  for each move a:", ""),
            ("    value ← utility(result(s, a)) if that is the end,", "leaf"),
            ("            else evaluate(result(s, a))", "estimate"),
            ("  return the best of these values", "value"),
        ]
    if algorithm == "and_or":
        return [
            ("and_or(s)", "visit"),
            ("  if s is terminal: return whether it is a win", "leaf"),
            ("  if the depth limit is reached: return no win", "estimate"),
            ("  if it is my move: is there a move that wins?", "max.cut"),
            ("  else: do all replies, and all outcomes, still win?", "cut"),
            ("  return the answer", "value"),
        ]
    if algorithm == "engine":
        return [
            ("engine(s, depth, α, β)", "visit"),
            ("  if s is terminal, or has come back: return its utility", "over"),
            ("  if the game's own bounds settle it: return them", "known"),
            ("  if the table knows s deeply enough: return what it says", "table"),
            ("  if depth ≤ 0: return evaluate(s), or search noisy moves only", "horizon"),
            ("  if evaluate(s) is far beyond β: return it", "given up"),
            ("  if even passing reaches β: return that", "passed"),
            ("  for each move a, the most promising first:", ""),
            ("    late moves: reduced depth, null window first", ""),
            ("    best ← max(best, −engine(result(s, a), depth − 1, −β, −α))", ""),
            ("    if best ≥ β: stop, the rest is cut", "cut"),
            ("  keep it in the table; return best", "value"),
        ]
    if algorithm == "mcts":
        return [
            ("mcts(root): repeat, for each simulation", "begin"),
            ("  s ← root", ""),
            ("  while every move of s was tried:", ""),
            ("    s ← the child with the greatest mean + c·σ·√(ln N / n)", "select"),
            ("    at a chance node: an outcome, drawn", "outcome"),
            ("  s ← a child that was not tried yet: a new node", "expand"),
            ("  r ← the result of random moves from s to the end", "rollout"),
            ("  from s up to the root: n ← n + 1, sum ← sum + r", "backup"),
            ("    keep what is proven: the end of the game proves itself", "proof"),
            ("return the most visited move", "answer"),
        ]
    return []


def pseudocode(algorithm: str, cut: str = "<=", fail: str = "soft") -> list[str]:
    """The lines of an algorithm; empty for a user's own algorithm."""
    return [text for text, _ in _lines(algorithm, cut, fail)]


@functools.cache
def line_of(algorithm: str, kind: str, side: str) -> int:
    """The number, from 1, of the line for a kind of step at a node of this side; 0 if there is none."""
    tags = [tag for _, tag in _lines(algorithm, "<=", "soft")]
    for wanted in (f"{side}.{kind}", kind):
        if wanted in tags:
            return tags.index(wanted) + 1
    return 0
