"""Fit the chances of a win, a draw and a loss at chess to the results of the engine's own games.

    python scripts/fit_chances.py FOLDER

FOLDER has positions made by `zermelo learn chess --generate`. Prints the numbers for games/chess/chances.py,
and how well they predict: of positions by value, the share won, drawn and lost beside what the curve says.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from zermelo.games.chess import Chess
from zermelo.games.chess.chances import MOST_PAWNS, PIECES
from zermelo.learn.positions import RANDOM, WON, load

STEPS, RATE, SOME = 3000, 0.02, 20_000
"""Of the descent; each step looks at some positions."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="+")
    given = parser.parse_args()
    game = Chess()
    pawns, pieces, result = (np.concatenate(each) for each in zip(*(read(game, f) for f in given.folder), strict=True))
    print(f"{len(pawns):,} positions")
    numbers = np.array([1.0, 0.0, 0.8, 0.0])
    speed, size = np.zeros(4), np.zeros(4)
    draw = np.random.default_rng(0)
    for step in range(1, STEPS + 1):  # Adam (Kingma and Ba 2015)
        chosen = draw.integers(0, len(pawns), SOME)
        slope = gradient(numbers, pawns[chosen], pieces[chosen], result[chosen])
        speed, size = 0.9 * speed + 0.1 * slope, 0.999 * size + 0.001 * slope**2
        numbers -= RATE * speed / (1 - 0.9**step) / (np.sqrt(size / (1 - 0.999**step)) + 1e-9)
    print("STEEPNESS, BORDER =", tuple(numbers[:2].round(3)), tuple(numbers[2:].round(3)))
    win, loss = chances(numbers, pawns, pieces)
    for low in range(-4, 4):
        here = (pawns >= low) & (pawns < low + 1)
        seen = [float(np.mean(result[here] == each)) for each in (1, 0, -1)]
        said = [float(win[here].mean()), float(1 - win[here].mean() - loss[here].mean()), float(loss[here].mean())]
        print(f"{low:+d} to {low + 1:+d} pawns: {np.round(seen, 3)} seen, {np.round(said, 3)} said")


def read(game: Chess, folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The value in pawns, the share of pieces left, and the result, each to the player to move."""
    records = load(folder, game)
    records = records[(records["flags"] & (RANDOM | WON)) == 0][::4]
    occupied = records["white"] | records["black"]
    pieces = np.array([int(each).bit_count() for each in occupied.tolist()]) / PIECES
    pawns = np.array([game.centipawns(value) / 100 for value in records["score"].tolist()])
    return np.clip(pawns, -MOST_PAWNS, MOST_PAWNS), pieces, np.sign(records["result"])


def chances(numbers: np.ndarray, pawns: np.ndarray, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    steep, border = numbers[0] + numbers[1] * pieces, numbers[2] + numbers[3] * pieces
    return 1 / (1 + np.exp(-steep * (pawns - border))), 1 / (1 + np.exp(-steep * (-pawns - border)))


def loss_of(numbers: np.ndarray, pawns: np.ndarray, pieces: np.ndarray, result: np.ndarray) -> float:
    win, lost = chances(numbers, pawns, pieces)
    said = np.where(result > 0, win, np.where(result < 0, lost, 1 - win - lost))
    return float(-np.log(np.maximum(said, 1e-6)).mean())


def gradient(numbers: np.ndarray, pawns: np.ndarray, pieces: np.ndarray, result: np.ndarray) -> np.ndarray:
    data = pawns, pieces, result
    steps = 1e-3 * np.eye(4)
    return np.array([(loss_of(numbers + step, *data) - loss_of(numbers - step, *data)) / 2e-3 for step in steps])


if __name__ == "__main__":
    main()
