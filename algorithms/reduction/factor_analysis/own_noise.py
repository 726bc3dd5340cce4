"""What noise and units of one column do to factors, and to principal components.

One column j gets noise of its own, and other units:

    x_ij <- unit ( x_ij + amount s_j e_ij ),     e_ij ~ N(0, 1),  s_j the column's deviation

The factors and the components of the changed columns are compared with those of the columns before.
Both are directions in the old units of the columns, each divided by its old deviation. They turn by
the largest angle between the spaces that they span; with one factor, the angle between two axes. In
two of the columns only, this is the angle in a picture in which their deviations are equally long.

Factor analysis has a variance for the noise of every column, so the noise goes there. Principal
components have none, so they turn to the column.

Cost: 28 runs of factor analysis or PCA.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.linalg import subspace_angles

from algorithms.core import validate
from algorithms.core.record import Record, last
from algorithms.core.scaling import standard
from algorithms.reduction.factor_analysis.factor_analysis import (
    FactorAnalysisStep,
    factor_analysis,
)
from algorithms.reduction.pca.pca import PcaStep, pca
from algorithms.reduction.pca.projection import centred_and_scaled

AMOUNTS = np.linspace(0.0, 3.0, 13)  # deviations of the noise
MAX_ITER = 200  # a run shown with more would hardly differ by a degree


def more_noise(
    X: Float[ndarray, "n d"],
    column: int,
    *,
    unit: float = 1.0,
    n_components: int = 1,
    seen: tuple[int, ...] | None = None,
    most: float = 3.0,
    rng: Generator,
) -> Iterator["NoiseStep"]:
    """Fit factors and components to the columns with more and more noise in one of them.

    seen : the columns in which the angles are measured, by default all. most : the amount to end
    with, among `AMOUNTS`.

    Raises ValueError, at the call, unless X holds two different points, 0 <= column < d and
    1 <= n_components <= d.
    """
    centred_and_scaled(X, False)
    X = validate.points(X)
    d = X.shape[1]
    column = validate.integer("column", column, 0, d - 1, high_name="d - 1")
    c = validate.integer("n_components", n_components, 1, d, high_name="d")
    measured = list(range(d)) if seen is None else list(seen)
    return _fits(X, column, unit, c, measured, most, rng.normal(size=len(X)))


def _fits(
    X: Float[ndarray, "n d"],
    j: int,
    unit: float,
    c: int,
    measured: list[int],
    most: float,
    e: Float[ndarray, " n"],
) -> Iterator["NoiseStep"]:
    units = np.where(np.arange(X.shape[1]) == j, unit, 1.0)
    spread = standard(X).spread[:, None]
    before = [
        each[measured] / spread[measured]
        for each in (
            last(factor_analysis(X, n_components=c, max_iter=MAX_ITER)).loadings,
            last(pca(X, n_components=c)).components.T,
        )
    ]
    heaviest = True  # at the first amount it is no news
    for amount in AMOUNTS[most >= AMOUNTS]:
        table = X.copy()
        table[:, j] += amount * X[:, j].std() * e
        table *= units
        factors = last(factor_analysis(table, n_components=c, max_iter=MAX_ITER))
        components = last(pca(table, n_components=c))
        spans = [
            (each / units[:, None] / spread)[measured]
            for each in (factors.loadings, components.components.T)
        ]
        turned = [_angle(*pair) for pair in zip(before, spans, strict=True)]
        was, heaviest = heaviest, int(np.abs(components.components[0]).argmax()) == j
        event = "heaviest in PCA" if heaviest and not was else None
        yield NoiseStep(float(amount), table, factors, components, turned[0], turned[1], event)


def _angle(A: Float[ndarray, "m c"], B: Float[ndarray, "m c"]) -> float:
    """Return the largest angle between two spans in degrees; 0 if one of them is only 0."""
    if not (A.any() and B.any()):
        return 0.0
    return float(np.degrees(subspace_angles(A, B)[0]))


@dataclass(frozen=True, eq=False)
class NoiseStep(Record):
    """What factor analysis and PCA find with one amount of noise, in deviations.

    turned_factors, turned_components : in degrees, from the columns without noise, in the old unit.

    Event: "heaviest in PCA" (from here on, the column has the largest entry in the component).
    """

    is_model = False

    amount: float
    table: Float[ndarray, "n d"]
    factors: FactorAnalysisStep
    components: PcaStep
    turned_factors: float
    turned_components: float
    event: Literal["heaviest in PCA"] | None = None


class Turned(NamedTuple):
    """The angles in degrees by which the factors and the components turn, for every amount."""

    amounts: Float[ndarray, " m"]
    factors: Float[ndarray, " m"]
    components: Float[ndarray, " m"]


def with_noise(
    X: Float[ndarray, "n d"], column: int, amount: float, unit: float, *, rng: Generator
) -> Float[ndarray, "n d"]:
    """x_ij <- unit ( x_ij + amount s_j e_ij ) in one column."""
    X = validate.points(X).copy()
    noise = rng.normal(size=len(X))
    X[:, column] = unit * (X[:, column] + amount * X[:, column].std() * noise)
    return X


def turns(
    X: Float[ndarray, "n d"],
    column: int,
    unit: float,
    n_components: int,
    *,
    seen: tuple[int, ...] | None = None,
    rng: Generator,
) -> Turned:
    """Return by how much factors and components turn with more and more noise in a column.

    seen : as in `more_noise`.
    """
    steps = list(more_noise(X, column, unit=unit, n_components=n_components, seen=seen, rng=rng))
    angles = np.array([[step.turned_factors, step.turned_components] for step in steps])
    return Turned(AMOUNTS, *angles.T)


def first_component(X: Float[ndarray, "n d"]) -> PcaStep:
    """Return the first principal component of the columns as they are."""
    return last(pca(X, n_components=1))


def component_loadings(
    X: Float[ndarray, "n d"], column: int, unit: float, c: int
) -> Float[ndarray, "d c"]:
    """Return the loadings of the principal components in the old unit, to start from.

    They are given in the new unit.
    """
    units = np.where(np.arange(X.shape[1]) == column, unit, 1.0)
    end = last(pca(X / units, n_components=c))
    return units[:, None] * (np.sqrt(end.variances)[:, None] * end.components).T
