"""A table made ready for linear regression: features, target, and which points are held out.

The features are the chosen columns, or basis functions of a single one. What standardises them is
measured on the training points alone, so that the held-out points stay unseen. A point is held out
by a draw of its own, in the order of the table: adding points does not change the lots of the
others. The first two always stay for training.

Source: CS725 (000:2970) and CS337 (003:246-260) for basis functions and held-out data.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.record import Record
from algorithms.regression.paths.basis import fourier_features, gaussian_features

BASES: dict[str, Callable] = {
    "polynomial": polynomial_features,
    "Gaussian": gaussian_features,
    "Fourier": fourier_features,
}
LINE = 121  # places along the picture's x axis


@dataclass(frozen=True, eq=False)
class Regressors(Record):
    """Features and target of all points, the held-out ones marked.

    `line` holds the features along the x axis of the picture, at `line_x`: for a basis those of the
    curve itself (`curve` is true), for a table with all other columns at their training means.
    """

    names: tuple[str, ...]
    X: Float[ndarray, "n d"]
    y: Float[ndarray, " n"]
    held: Bool[ndarray, " n"]
    line_x: Float[ndarray, " m"]
    line: Float[ndarray, "m d"]
    curve: bool

    @property
    def title(self) -> str:
        """What the picture shows."""
        points = "Training ● and held-out ■ points" if self.held.any() else "Points"
        fit = "curve" if self.curve else "fitted values (dots), line with all else at its mean"
        return f"{points}, {fit}"

    @property
    def training(self) -> tuple[Float[ndarray, "k d"], Float[ndarray, " k"]]:
        """Features and target of the points to learn from."""
        return self.X[~self.held], self.y[~self.held]

    @property
    def validation(self) -> tuple[Float[ndarray, "k d"], Float[ndarray, " k"]]:
        """Features and target of the points that are held out; there may be none."""
        return self.X[self.held], self.y[self.held]


def regressors(
    table: Float[ndarray, "n c"],
    columns: tuple[str, ...],
    *,
    x: int,
    y: int,
    others: tuple[int, ...],
    basis: str,
    count: int,
    standardize: bool,
    share: float,
    rng: Generator,
    window: tuple[float, float],
) -> Regressors:
    """Return what a linear model needs to predict column `y`.

    Features: column `x` and those in `others`, in the order of the table; or, where `basis` is
    "polynomial", "Gaussian" or "Fourier" and not "", `count` such functions of column x alone.
    About `share` of the points are held out. `window` is the stretch of x that the picture shows.
    """
    table = validate.points(table, name="table")
    held = held_out(len(table), share, rng)
    if basis:
        chosen, make = [x], BASES[validate.choice("basis", basis, tuple(BASES))]
        features = make(table[~held][:, [x]], count, standardize=standardize)
    else:
        chosen = sorted({x, *others})
        names = [columns[j] for j in chosen]
        features = polynomial_features(
            table[~held][:, chosen], 1, standardize=standardize, columns=names
        )
    line_x = np.linspace(*window, LINE)
    line = np.tile(table[~held][:, chosen].mean(axis=0), (LINE, 1))
    line[:, chosen.index(x)] = line_x
    made, along = features(table[:, chosen]), features(line)
    target = validate.targets(table[:, y], len(table))
    return Regressors(features.names, made, target, held, line_x, along, curve=basis != "")


def held_out(n: int, share: float, rng: Generator) -> Bool[ndarray, " n"]:
    """Mark about `share` of n points, each by its own draw, never one of the first two."""
    held = rng.random(n) < share
    held[:2] = False
    return held
