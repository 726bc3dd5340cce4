"""The penalty read as a prior, and the error as ellipses over two weights.

MAP: with Gaussian noise of variance sigma^2 and a prior p(w) for every weight, the most probable
weights minimise ||y - X w - b||^2 / (2 sigma^2) - sum_j ln p(w_j). Multiplied by 2 sigma^2 or by
sigma^2 that is

    ridge:  p(w_j) = Gaussian of variance sigma^2 / penalty   ~ exp(-penalty w_j^2 / (2 sigma^2))
    lasso:  p(w_j) = Laplace of scale sigma^2 / penalty       ~ exp(-penalty |w_j| / sigma^2)

Only the ratio of sigma^2 to the penalty matters for w. To draw the prior, sigma^2 is estimated by
the residual variance of least squares, ||r||^2 / (n - 1 - rank), on the training points. Where
these are fitted exactly, they tell nothing about the noise, and the variance of y is used.

Over two weights ||r||^2 is a quadratic: all w with the same error form an ellipse about the
least-squares weights. The solution for a penalty is where an ellipse touches the ball of all
weights whose norm is no larger: a disc for ridge, a diamond for the lasso, which has corners.

Source: CS337 (003:298-345 for the pictures; 003:614-630 for MAP, where the prior's variance is
1/lambda, so that its lambda is our penalty / sigma^2).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.regression.linear_paths.centred import centred

EXACT = 1e-20  # residuals this small, against y and both squared, are rounding
FLAT = 1e-12  # the least curvature, against the largest, that still counts
TURN = 73  # places along an ellipse


def noise_variance(X: Float[ndarray, "n d"], y: Float[ndarray, " n"]) -> float:
    """Return the residual variance of least squares, or that of y where it leaves no residual."""
    data = centred(X, y)
    weights, _, rank, _ = np.linalg.lstsq(data.X, data.y, rcond=None)
    residuals, freedom = data.y - data.X @ weights, len(data.y) - 1 - int(rank)
    left, whole = float(residuals @ residuals), float(data.y @ data.y)
    if freedom < 1 or left <= EXACT * whole:
        return whole / len(data.y)
    return left / freedom


def relative_density(
    weights: Float[ndarray, " m"], penalty: float, variance: float, *, order: int
) -> Float[ndarray, " m"]:
    """Return the prior density against that at 0. order : 1 for Laplace, 2 for Gaussian."""
    if penalty == 0:
        return np.ones(len(weights))
    with np.errstate(over="ignore"):
        power = np.abs(weights) ** order / order / max(variance, np.finfo(float).tiny)
        return np.exp(-penalty * power)


def prior_width(penalty: float, variance: float, *, order: int) -> float:
    """Return the Laplace scale (order 1) or the Gaussian standard deviation (order 2)."""
    if penalty == 0:
        return np.inf
    return variance / penalty if order == 1 else float(np.sqrt(variance / penalty))


def error_ellipses(
    X: Float[ndarray, "n 2"], y: Float[ndarray, " n"], through: Float[ndarray, "m 2"]
) -> Float[ndarray, "m t 2"]:
    """Return the ellipse of equal error through every weight vector, as a closed line."""
    data = centred(X, y)
    least = np.linalg.lstsq(data.X, data.y, rcond=None)[0]
    curvatures, axes = np.linalg.eigh(data.X.T @ data.X)
    scale = np.sqrt(np.maximum(curvatures, FLAT * curvatures[-1]))
    scale = np.where(scale > 0, scale, 1.0)  # no column varies: every w is as good
    radii = np.linalg.norm((through - least) @ axes * scale, axis=1)
    turn = np.linspace(0, 2 * np.pi, TURN)
    circle = np.column_stack([np.cos(turn), np.sin(turn)]) / scale @ axes.T
    return least + radii[:, None, None] * circle
