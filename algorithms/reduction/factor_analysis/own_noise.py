"""What noise and units of one column do to factors, and to principal components.

One column j gets noise of its own, and other units:

    x_ij <- unit ( x_ij + amount s_j e_ij ),     e_ij ~ N(0, 1),  s_j the column's deviation

The factors and the components of the changed columns are compared with those of the columns before.
Both are directions in the old units of the columns, each divided by its old deviation. They turn by
the largest angle between the spaces that they span; with one factor, the angle between two axes.

Factor analysis has a variance for the noise of every column, so the noise goes there. Principal
components have none, so they turn to the column.

Cost: 14 runs of factor analysis or PCA.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.linalg import subspace_angles

from algorithms.core import validate
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.reduction.factor_analysis.factor_analysis import factor_analysis
from algorithms.reduction.pca.pca import PcaStep, pca

AMOUNTS = np.linspace(0.0, 3.0, 7)  # deviations of the noise
MAX_ITER = 200  # a run shown with more would hardly differ by a degree


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
    X: Float[ndarray, "n d"], column: int, unit: float, n_components: int, *, rng: Generator
) -> Turned:
    """Return by how much factors and components turn with more and more noise in a column."""
    e = rng.normal(size=len(X))
    before = directions(X, np.ones(X.shape[1]), n_components)
    units = np.where(np.arange(X.shape[1]) == column, unit, 1.0)
    angles = np.zeros((len(AMOUNTS), 2))
    for i, amount in enumerate(AMOUNTS):
        changed = X.copy()
        changed[:, column] += amount * X[:, column].std() * e
        after = directions(changed * units, units, n_components)
        for k in (0, 1):
            spans = [each[k] / standard(X).spread[:, None] for each in (before, after)]
            angles[i, k] = np.degrees(subspace_angles(*spans)[0])
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


def directions(
    X: Float[ndarray, "n d"], units: Float[ndarray, " d"], c: int
) -> tuple[Float[ndarray, "d c"], Float[ndarray, "d c"]]:
    """Return the loadings of the factors and the components, in the units before."""
    end = last(factor_analysis(X, n_components=c, max_iter=MAX_ITER))
    return end.loadings / units[:, None], last(pca(X, n_components=c)).components.T / units[:, None]
