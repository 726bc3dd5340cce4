"""All boxes with sides on the lines of a grid: how many are left, and what they vote.

Between g + 1 lines there are g (g + 1) / 2 intervals on each axis, and their square many boxes. A
box is left after some samples if it holds the positives and no negative. The vote of a cell is the
share of the boxes left that hold it. A learner without a bias takes any set of cells for possible:
then exactly half of what is left holds a cell, for every cell without a sample.

Cost: O(b) per sample for b boxes.

Source: CS725 1.5 (bias: "for any new example, exactly half the hypotheses will cover it").
"""

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core.record import frozen

CELLS = 12  # along each axis
Square = tuple[float, float, float, float]  # left, right, bottom, top


def intervals() -> Int[ndarray, "p 2"]:
    """Return the first and the last line of every interval, as indices."""
    return np.argwhere(np.triu(np.ones((CELLS + 1, CELLS + 1), bool), 1))


def boxes_left(
    X: Float[ndarray, "n 2"], positive: Bool[ndarray, " n"], square: Square
) -> Bool[ndarray, "steps p p"]:
    """Return which boxes are left after 0, 1, ..., n samples; p intervals along y and along x."""
    across, up = _inside(X, square)
    held = up[:, :, None] & across[:, None, :]
    agree = held == positive[:, None, None]
    every = np.ones((1, *held.shape[1:]), bool)
    return frozen(np.logical_and.accumulate(np.concatenate([every, agree])))


def _inside(X: ndarray, square: Square) -> tuple[ndarray, ndarray]:
    """Return for each sample which intervals hold its x, and which its y."""
    left, right, bottom, top = square
    inside = []
    for low, high, values in ((left, right, X[:, 0]), (bottom, top, X[:, 1])):
        lines = np.linspace(low, high, CELLS + 1)[intervals()]
        inside.append((lines[:, 0] <= values[:, None]) & (values[:, None] <= lines[:, 1]))
    return inside[0], inside[1]


def votes(left: Bool[ndarray, "p p"]) -> Float[ndarray, "g g"]:
    """Return the share of the boxes left that hold each cell; 0 everywhere if none is left."""
    first, last = intervals().T
    cell = np.arange(CELLS)
    covers = ((first[:, None] <= cell) & (cell < last[:, None])).astype(float)
    return covers.T @ left @ covers / max(int(left.sum()), 1)
