"""Logistic regression on sparse rows: the chance of a win from a weighted sum of features.

`fit` is fast; `fit_by_gradient` is simple, and `fit` is tested against it. Both minimise

    sum of the rows' log losses + ½ · sum of penalty · (weight - prior)²

with a prior of 0 by default. There is only one minimum. A target can be any number from 0 to 1: a draw is ½.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

CHUNK = 1 << 19
"""Amounts to process at a time, so that intermediate results stay in the processor's cache."""

MOST_ROWS, MOST_COLUMNS = 20_000, 500
"""For standard errors: the rows that are looked at, and the columns up to which the whole curvature is."""

NEWTON_STEPS, CONJUGATE_STEPS, HALVINGS = 60, 60, 30


class Rows:
    """Rows of a matrix of which most is 0.

    Row i has amounts[starts[i] : starts[i + 1]] in the columns numbers[starts[i] : starts[i + 1]]. A number may
    come twice in a row; then the amounts add up.
    """

    def __init__(self, numbers: Any, amounts: Any, starts: Any, columns: int):
        self.numbers, self.amounts, self.starts, self.columns = numbers, amounts, starts, columns
        self.count = len(starts) - 1

    def times(self, weights: Any) -> Any:
        """For each row the sum of its amounts, each times its column's weight."""
        sums = np.zeros(self.count)
        for begin, end, lengths in self._chunks():
            filled = np.flatnonzero(lengths)  # reduceat would make something of rows that have nothing
            if len(filled):
                low, high = self.starts[begin], self.starts[end]
                products = weights[self.numbers[low:high]] * self.amounts[low:high]
                sums[begin + filled] = np.add.reduceat(products, self.starts[begin + filled] - low)
        return sums

    def transposed_times(self, values: Any, *, squared: bool = False) -> Any:
        """For each column the sum of its amounts (or of their squares), each times its row's value."""
        sums = np.zeros(self.columns)
        for begin, end, lengths in self._chunks():
            low, high = self.starts[begin], self.starts[end]
            amounts = self.amounts[low:high]
            products = np.repeat(values[begin:end], lengths) * amounts
            if squared:
                products *= amounts
            sums += np.bincount(self.numbers[low:high], products, self.columns)
        return sums

    def mean_squares(self) -> Any:
        """For each column the mean square of its amounts; 1 for an empty column."""
        counts = np.bincount(self.numbers, minlength=self.columns)
        sums = self.transposed_times(np.ones(self.count), squared=True)
        return np.where(counts > 0, sums / np.maximum(counts, 1), 1.0)

    def chosen(self, wanted: Any) -> Rows:
        """Those of the rows for which `wanted` is true."""
        lengths = np.diff(self.starts)
        amounts = np.repeat(wanted, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[wanted])])
        return Rows(self.numbers[amounts], self.amounts[amounts], starts, self.columns)

    def _chunks(self) -> Iterator[tuple[int, int, Any]]:
        """A range of rows, and the number of amounts in each."""
        most = max(CHUNK, 4 * self.columns)  # each chunk makes a whole row of sums
        begin = 0
        while begin < self.count:
            end = int(np.searchsorted(self.starts, self.starts[begin] + most, "right")) - 1
            end = min(max(end, begin + 1), self.count)
            yield begin, end, np.diff(self.starts[begin : end + 1])
            begin = end


def joined(parts: Iterable[Rows]) -> Rows:
    """Rows below one another."""
    parts = list(parts)
    numbers, amounts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("numbers", "amounts"))
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return Rows(numbers, amounts, np.concatenate([[0], np.cumsum(lengths)]), parts[0].columns)


def column(values: Any) -> Rows:
    """Numbers as the rows of a matrix of one column."""
    return Rows(np.zeros(len(values), np.int32), np.asarray(values, float), np.arange(len(values) + 1), 1)


def chances(logits: Any) -> Any:
    """The logistic function: from a logit, the logarithm of the odds, to the chance of winning."""
    return 0.5 + 0.5 * np.tanh(0.5 * np.asarray(logits, float))  # which never overflows


def log_losses(logits: Any, targets: Any) -> Any:
    """The log loss of each prediction."""
    return np.logaddexp(0.0, logits) - targets * logits


def fit(
    rows: Rows,
    targets: Any,
    penalty: Any,
    *,
    intercept_penalty: float | None = None,
    prior: Any = None,
    start: tuple[Any, float] | None = None,
    tolerance: float = 1e-6,
    on_step: Callable[[int, float], Any] | None = None,
    on_interrupt: Callable[[], Any] | None = None,
) -> tuple[Any, float]:
    """The weights and the intercept, by Newton's method, each step by conjugate gradients (Lin, Weng and Keerthi 2008).

    penalty             one for all weights, or an array of one for each
    intercept_penalty   the penalty of the intercept; by default the mean of the weights'. If a feature is always 1,
                        the two share the effect in inverse proportion to their penalties
    prior               the weights towards which they are held back; by default 0. The intercept's is 0
    start               the starting point; by default the prior
    tolerance           stop when the gradient is this small, relative to the one at zero weights
    on_step             called with the number of each step and the loss
    on_interrupt        is called on Ctrl-C, which then ends it with the weights of the last step
    """
    own = np.mean(penalty) if intercept_penalty is None else intercept_penalty
    penalties = np.append(np.broadcast_to(np.asarray(penalty, float), rows.columns), own)
    centre = _centre(rows, prior)
    weights = centre.copy()
    if start is not None:
        weights[:-1], weights[-1] = start
    try:
        _newton(rows, np.asarray(targets, float), penalties, centre, weights, tolerance, on_step)
    except KeyboardInterrupt:
        if on_interrupt is None:
            raise
        on_interrupt()
    return weights[:-1], float(weights[-1])


def standard_errors(rows: Rows, weights: Any, intercept: float, penalty: Any, observations: int) -> Any:
    """The standard errors of fitted weights, from the curvature of the loss at its minimum.

    Positions of one game share its result, so their number says little: the errors are those of this many independent
    observations, such as games, which is on the safe side. With many features only the diagonal of the curvature is
    used, which ignores that features go together.
    """
    if rows.count > MOST_ROWS:
        every = -(-rows.count // MOST_ROWS)
        chosen = rows.chosen(np.arange(rows.count) % every == 0)
        return standard_errors(chosen, weights, intercept, np.asarray(penalty, float) / every, observations)
    p = chances(rows.times(weights) + intercept)
    curvature = p * (1 - p)
    penalties = np.broadcast_to(np.asarray(penalty, float), rows.columns)
    if rows.columns > MOST_COLUMNS:
        variances = 1 / (rows.transposed_times(curvature, squared=True) + penalties)
    else:
        dense = np.zeros((rows.count, rows.columns))
        np.add.at(dense, (np.repeat(np.arange(rows.count), np.diff(rows.starts)), rows.numbers), rows.amounts)
        variances = np.diag(np.linalg.pinv(dense.T @ (curvature[:, None] * dense) + np.diag(penalties)))
    return np.sqrt(np.maximum(variances, 0.0) * rows.count / max(observations, 1))


def _centre(rows: Rows, prior: Any) -> Any:
    """The weights that cost nothing, the intercept last."""
    return np.zeros(rows.columns + 1) if prior is None else np.append(np.asarray(prior, float), 0.0)


def _newton(
    rows: Rows, targets: Any, penalties: Any, centre: Any, weights: Any, tolerance: float, on_step: Any
) -> None:
    """Improve the weights, the intercept last, in place."""

    def back(values: Any, squared: bool = False) -> Any:
        return np.append(rows.transposed_times(values, squared=squared), values.sum())

    def loss(logits: Any, weights: Any) -> float:
        off = weights - centre
        return float(log_losses(logits, targets).sum() + 0.5 * (penalties * off) @ off)

    first = max(float(np.linalg.norm(back(0.5 - targets))), 1e-300)
    enough = tolerance * first
    logits = rows.times(weights[:-1]) + weights[-1]
    now = loss(logits, weights)
    for step in range(NEWTON_STEPS):
        if on_step is not None:
            on_step(step, now)
        p = chances(logits)
        gradient = back(p - targets) + penalties * (weights - centre)
        size = float(np.linalg.norm(gradient))
        if size <= enough:
            return
        curvature = p * (1 - p)

        def curved(direction: Any, curvature: Any = curvature) -> Any:
            along = rows.times(direction[:-1]) + direction[-1]
            return back(curvature * along) + penalties * direction

        diagonal = back(curvature, squared=True) + penalties
        exactness = min(0.1, float(np.sqrt(size / first)))
        direction = _conjugate_gradients(curved, -gradient, np.maximum(diagonal, 1e-300), exactness)
        along = rows.times(direction[:-1]) + direction[-1]
        slope = float(gradient @ direction)
        length = 1.0
        for _ in range(HALVINGS):
            then = loss(logits + length * along, weights + length * direction)
            if then <= now + 1e-4 * length * slope:
                break
            length /= 2
        else:
            return  # as good as the arithmetic can make it
        weights += length * direction
        logits += length * along
        now = then


def _conjugate_gradients(matrix: Callable[[Any], Any], wanted: Any, diagonal: Any, exactness: float) -> Any:
    """About x with matrix(x) = wanted, scaled by the matrix's diagonal (Hestenes and Stiefel 1952)."""
    x = np.zeros_like(wanted)
    left = wanted.copy()
    scaled = left / diagonal
    direction = scaled.copy()
    size = first = float(left @ scaled)
    for _ in range(CONJUGATE_STEPS):
        turned = matrix(direction)
        length = size / max(float(direction @ turned), 1e-300)
        x += length * direction
        left -= length * turned
        scaled = left / diagonal
        before, size = size, float(left @ scaled)
        if size <= exactness * exactness * first:
            break
        direction = scaled + (size / before) * direction
    return x


def fit_by_gradient(
    rows: Rows,
    targets: Any,
    penalty: float,
    *,
    intercept_penalty: float | None = None,
    prior: Any = None,
    steps: int = 20_000,
) -> tuple[Any, float]:
    """The same weights and intercept by going downhill, step after step: slow, and simple enough to be believed."""
    matrix = np.zeros((rows.count, rows.columns + 1))
    for i in range(rows.count):
        for k in range(rows.starts[i], rows.starts[i + 1]):
            matrix[i, rows.numbers[k]] += rows.amounts[k]
        matrix[i, -1] = 1.0
    penalties = np.full(rows.columns + 1, float(penalty))
    penalties[-1] = penalty if intercept_penalty is None else intercept_penalty
    centre = _centre(rows, prior)
    weights = centre.copy()
    step = 1 / (0.25 * np.linalg.norm(matrix, 2) ** 2 + penalties.max())  # no curvature is greater than its inverse
    for _ in range(steps):
        weights -= step * (matrix.T @ (chances(matrix @ weights) - targets) + penalties * (weights - centre))
    return weights[:-1], float(weights[-1])
