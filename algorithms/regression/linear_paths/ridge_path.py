"""Ridge regression for a whole list of penalties, from one singular value decomposition.

Linear models y = w.x + b whose weights are held small. The objectives, with r = y - X w - b, the
intercept b never penalised:

    ridge:  ||r||^2 + penalty ||w||^2
    lasso:  1/2 ||r||^2 + penalty ||w||_1

The best b makes the residuals sum to 0, so both are solved for columns and targets about their
means, and then b = mean(y) - mean(x).w. The lasso is solved in two other modules: `lasso_path` has
the exact path, `lasso_descent` one penalty.

Ridge, with the gradient of its objective set to zero:

    w = (X^T X + penalty I)^-1 X^T y = sum_i  s_i / (s_i^2 + penalty) (u_i.y) v_i

for X = sum_i s_i u_i v_i^T. Along the direction v_i least squares has (u_i.y) / s_i, and ridge
keeps the share s_i^2 / (s_i^2 + penalty) of it: much where the data vary much, little where
they do not. The sum of the shares is the effective number of weights.

For penalty 0, if columns depend on each other, w is the least-squares solution of least norm.

Cost: O(n d min(n, d)) once, and O(d^2) for every penalty.

Read as MAP: ridge is the most probable w for Gaussian noise of variance sigma^2 and a Gaussian
prior of variance sigma^2 / penalty on every weight; lasso the same with a Laplace prior of scale
sigma^2 / penalty.

Source: CS725 19.3 (000:3032), CS337 (003:308), CIS787 (004:460). The gradient at 000:3070 has the
wrong sign at the penalty; its solution (32) is right. The lasso of 003:330 and 004:488 lacks the
factor 1/2: its penalty is twice ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.regression.linear_model import LinearModel
from algorithms.regression.linear_paths.centred import Centred, centred

RANK = 1e-13  # a singular value below this share of the largest is 0


def ridge_path(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], penalties: Any
) -> Iterator["RidgeStep"]:
    """Minimise ||y - X w - b||^2 + penalty ||w||^2 for each of the penalties, in their order.

    Raises ValueError, at the call, unless X and y are finite and penalties is a list of at least
    one number, none negative.
    """
    data = centred(X, y)
    return _ridge(data, _penalties(penalties))


def _ridge(data: Centred, penalties: Float[ndarray, " m"]) -> Iterator["RidgeStep"]:
    U, s, Vt = np.linalg.svd(data.X, full_matrices=False)
    varies = s > RANK * s[0]
    U, s, Vt = U[:, varies], s[varies], Vt[varies]
    kept = s * s / (s * s + penalties[:, None])  # s_i^2 / (s_i^2 + penalty), one row a penalty
    weights = kept * ((data.y @ U) / s) @ Vt  # sum_i kept_i (u_i.y) / s_i v_i
    intercepts = data.y_mean - weights @ data.x_mean
    variances = frozen(s * s)  # all steps share it
    each = (penalties.tolist(), weights, intercepts.tolist(), kept.sum(axis=1).tolist())
    for penalty, w, intercept, freedom in zip(*each, strict=True):
        yield RidgeStep(w, intercept, penalty, variances, freedom)


@dataclass(frozen=True, eq=False)
class RidgeStep(LinearModel):
    """The ridge solution for one penalty; also a model.

    `variances` holds s_i^2 of every direction in which the data vary, largest first, and `freedom`
    is the effective number of weights. `event` is None: nothing sudden happens on this path.
    """

    penalty: float
    variances: Float[ndarray, " r"]
    freedom: float
    event: None = None

    @property
    def active(self) -> Int[ndarray, " a"]:
        """Return the indices of the weights that are not 0; usually all of them."""
        return np.flatnonzero(self.weights)

    @property
    def correlations(self) -> Float[ndarray, " d"]:
        """x_j.(y - X w - b) of every column: where the gradient is 0 it is penalty w_j."""
        return self.penalty * self.weights

    @property
    def kept(self) -> Float[ndarray, " r"]:
        """Return the share of the least-squares solution that is left along every direction."""
        return self.variances / (self.variances + self.penalty)


def ridge_penalties(X: Float[ndarray, "n d"], count: int) -> Float[ndarray, " count"]:
    """Return `count` penalties, large to small, from nearly no weights to nearly least squares.

    They are evenly spaced on a log scale, from the power of ten above ten times the largest s_i^2
    to that below a tenth of the smallest, but span at most ten powers of ten.
    """
    X = validate.points(X)
    count = validate.integer("count", count, 2)
    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    variances = s[s > RANK * s[0]] ** 2 if s[0] > 0 else np.ones(1)
    high = np.ceil(np.log10(10 * variances[0]))
    low = np.floor(np.log10(variances[-1] / 10))
    return np.logspace(high, max(low, high - 10), count)


def _penalties(penalties: Any) -> Float[ndarray, " m"]:
    array = np.asarray(penalties)
    if array.ndim != 1 or len(array) == 0 or array.dtype.kind not in "fiu":
        raise ValueError(f"penalties must be a list of numbers, got {penalties!r}")
    validate.within(array, name="penalties", limit=validate.LIMIT**2.5)  # they are squares
    if array.min() < 0:
        raise ValueError(f"penalties must not be negative, got {array.min():g}")
    return array.astype(float)
