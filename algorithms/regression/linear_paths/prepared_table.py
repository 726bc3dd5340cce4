"""A table made ready for linear regression: features, target, and which points are held out.

The features are the chosen columns, or basis functions of a single one. What standardises them is
measured on the training points alone, so that the held-out points stay unseen. The first two points
always stay for training.

Source: CS725 (000:2970) and CS337 (003:246-260) for basis functions and held-out data.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.record import Record
from algorithms.core.splits import held_out
from algorithms.data.presets import Dataset
from algorithms.regression.basis import fourier_features, gaussian_features

BASES: dict[str, Callable] = {
    "polynomial": polynomial_features,
    "Gaussian": gaussian_features,
    "Fourier": fourier_features,
}
LINE = 121  # places along the picture's x axis


@dataclass(frozen=True)
class FeatureChoice:
    """Which features predict the target: columns of the table, or functions of a single one.

    The columns are the one on the x axis and the `others`, in the order of the table. With a
    `basis` ("polynomial", "Gaussian" or "Fourier") the features are `count` such functions of the
    column on the x axis instead.
    """

    others: tuple[int, ...] = ()
    basis: str = ""
    count: int = 2
    standardize: bool = True


@dataclass(frozen=True, eq=False)
class PreparedTable(Record):
    """Features and target of all points, and which of them are held out.

    `line` holds the features along the x axis of the picture, at `line_x`: for a basis those of the
    curve itself (`curve` is true), for a table with all other columns at their training means.
    `columns` are the indices of the features in the table; those of a basis are counted.
    """

    names: tuple[str, ...]
    columns: tuple[int, ...]
    X: Float[ndarray, "n d"]
    y: Float[ndarray, " n"]
    held_out: Bool[ndarray, " n"]
    line_x: Float[ndarray, " m"]
    line: Float[ndarray, "m d"]
    curve: bool

    @property
    def training(self) -> tuple[Float[ndarray, "k d"], Float[ndarray, " k"]]:
        """Features and target of the points to learn from."""
        return self.X[~self.held_out], self.y[~self.held_out]

    @property
    def validation(self) -> tuple[Float[ndarray, "k d"], Float[ndarray, " k"]]:
        """Features and target of the points that are held out; there may be none."""
        return self.X[self.held_out], self.y[self.held_out]


def prepared_table(
    data: Dataset,
    choice: FeatureChoice,
    *,
    share: float,
    rng: Generator,
    window: tuple[float, float],
) -> PreparedTable:
    """Return what a linear model needs to predict the column `data.y`.

    About `share` of the points are held out. `window` is the stretch of x that the picture shows.
    """
    table = validate.points(data.table, name="table")
    out = held_out(len(table), share, rng=rng, at_least=2)
    return features_of(data, choice, out, np.linspace(*window, LINE))


def features_of(
    data: Dataset,
    choice: FeatureChoice,
    out: Bool[ndarray, " n"],
    line_x: Float[ndarray, " m"],
) -> PreparedTable:
    """Return the chosen features, scaled by the points that are not held `out`."""
    table, x = data.table, data.x
    if choice.basis:
        chosen, make = [x], BASES[validate.choice("basis", choice.basis, tuple(BASES))]
        features = make(table[~out][:, [x]], choice.count, standardize=choice.standardize)
    else:
        chosen = sorted({x, *choice.others})
        names = [data.columns[j] for j in chosen]
        features = polynomial_features(
            table[~out][:, chosen], 1, standardize=choice.standardize, columns=names
        )
    line = np.tile(table[~out][:, chosen].mean(axis=0), (len(line_x), 1))
    line[:, chosen.index(x)] = line_x
    X, along = features(table[:, chosen]), features(line)
    target = validate.targets(table[:, data.y], len(table))
    columns = tuple(range(len(features.names)) if choice.basis else chosen)
    curve = choice.basis != ""
    return PreparedTable(features.names, columns, X, target, out, line_x, along, curve)


def with_optimum_moved(data: PreparedTable, by: Float[ndarray, " d"]) -> PreparedTable:
    """Return the table with targets whose least-squares weights are larger `by` some.

    The residuals of least squares and the mean of the training targets stay.
    """
    X = data.X - data.training[0].mean(axis=0)
    return replace(data, y=data.y + X @ by)
