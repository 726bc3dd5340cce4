"""When the perceptron stops: is there a separator, and how many mistakes can there be?

Write a_i = (x_i, 1), t = (w, b) and z_i = y_i a_i with y_i = -1, +1: t separates if all z_i.t > 0.
Linear programming decides, over mixtures (non-negative l_i of sum 1) of the z_i:

    min over mixtures l of || sum_i l_i z_i ||_1  =  max over t with all |t_j| <= 1 of min_i z_i.t

If that is positive, the right side has a separator. If it is 0, the left side proves that there is
none: with the weights 2 l both classes have the same weighted mean, and no line has one place on
both of its sides. (Columns are first shifted and scaled to [-1, 1], which changes nothing; 1e-9
counts as 0.)

The best separator is the unit vector u in the space of the a_i with the widest margin,

    gamma = max over ||u|| = 1 of min_i z_i.u

It goes through the origin of that space: the bias is one of the d + 1 components of u. u points to
the mixture of the z_i nearest to the origin, and so (in any units) does sum_i l_i z_i for

    min over l >= 0 of || sum_i l_i z_i ||^2 + (1 - sum_i l_i)^2      (non-negative least squares)

The bound, for k mistakes of a perceptron started at t_0, with R = max ||a_i||:

    t_k.u        >=  t_0.u + k learning_rate gamma              (each adds learning_rate z.u)
    ||t_k||^2    <=  ||t_0||^2 + k learning_rate^2 R^2          (z.t <= 0 at a mistake, so drop it)

and t_k.u <= ||t_k||, so k is at most where the two meet: (R / gamma)^2 for t_0 = 0, whatever the
learning rate.

Cost: a linear program of n + 2 d + 2 variables and d + 2 equations; O(n d) for the curves.

Source: CS337 (003:940), with R = 1 and t_0 = 0; CS725 20.2 (000:3300) argues by ||t - rho t*||^2
instead. Block 1962, Novikoff 1962. Least distance by non-negative least squares: Lawson and Hanson
1974, 23.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.optimize import linprog, nnls

from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.core import validate
from algorithms.core.record import Record

ROUNDING = 1e-9
SHARE = 1e-12  # of the radius: a smaller margin may be rounding


@dataclass(frozen=True, eq=False)
class Separator(Record):
    """The best separator: u = (weights, bias) of norm 1, its margin gamma, and the radius R."""

    weights: Float[ndarray, " d"]
    bias: float
    margin: float
    radius: float


@dataclass(frozen=True, eq=False)
class Overlap(Record):
    """Proof that no separator exists: weighted by `mixture`, both classes have the same mean."""

    mixture: Float[ndarray, " n"]

    def place(self, X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Float[ndarray, " d"]:
        """Return the place that is a weighted mean of either class."""
        used = np.flatnonzero(self.mixture > 0)
        own = used[y[used] == y[used[0]]]
        return self.mixture[own] @ X[own] / self.mixture[own].sum()


@dataclass(frozen=True, eq=False)
class Proof(Record):
    """The proof's four curves against the number of mistakes k, and where its bounds meet.

    floor(k) <= progress t_k.u <= length ||t_k|| <= ceiling(k), and k <= bound.
    """

    mistakes: Int[ndarray, " k"]
    progress: Float[ndarray, " k"]
    length: Float[ndarray, " k"]
    bound: float
    floor: tuple[float, float]  # start and slope of the line that t.u stays above
    ceiling: tuple[float, float]  # start and slope of the line that ||t||^2 stays below


def separate(X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Separator | Overlap:
    """Return the best separator of two classes, or the proof that there is none.

    The second of the two classes is y = +1. Raises ValueError unless X is finite and y holds n
    integers of two classes.
    """
    X = validate.points(X)
    _, signs = validate.two_labels(y, len(X))
    separator, mixture = _linear_program(X, signs)
    if separator is None:
        return Overlap(mixture)
    A = np.column_stack([X, np.ones(len(X))])
    radius = float(np.sqrt((A * A).sum(axis=1)).max())
    Z = signs[:, None] * A / radius
    near, _ = nnls(np.vstack([Z.T, np.ones(len(Z))]), np.append(np.zeros(Z.shape[1]), 1.0))
    units = [t / np.sqrt(t @ t) for t in (near @ Z, separator)]
    u = max(units, key=lambda t: (Z @ t).min())
    margin = max(float((Z @ u).min()), SHARE) * radius
    return Separator(u[:-1], float(u[-1]), margin, radius)


def _linear_program(
    X: Float[ndarray, "n d"], signs: Float[ndarray, " n"]
) -> tuple[Float[ndarray, " p"] | None, Float[ndarray, " n"]]:
    """Return a separator (w, b) or None, and the mixture, of sum 1 per class."""
    low, high = X.min(axis=0), X.max(axis=0)
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    half[half == 0] = 1.0
    n, p = len(X), X.shape[1] + 1
    Z = signs[:, None] * np.column_stack([(X - middle) / half, np.ones(n)])
    # The 1-norm is the sum of what is above and what is below zero, each with its own variable.
    equations = np.block([[Z.T, np.eye(p), -np.eye(p)], [np.ones((1, n)), np.zeros((1, 2 * p))]])
    cost, right = np.append(np.zeros(n), np.ones(2 * p)), np.append(np.zeros(p), 1.0)
    solved = linprog(cost, A_eq=equations, b_eq=right, method="highs-ds")
    t = -solved.eqlin.marginals[:p]
    if solved.fun <= ROUNDING or (Z @ t).min() <= 0:
        return None, 2 * solved.x[:n]
    w = t[:-1] / half
    return np.append(w, t[-1] - w @ middle), 2 * solved.x[:n]


def proof(steps: Sequence[PerceptronStep], separator: Separator, *, learning_rate: float) -> Proof:
    """Return the curves of a run of the perceptron on the data that `separator` separates."""
    chosen = [step for step in steps if step.mistake or step.index < 0]
    thetas = np.array([(*step.w, step.bias) for step in chosen])
    u = np.append(separator.weights, separator.bias)
    progress, length = thetas @ u, np.sqrt((thetas * thetas).sum(axis=1))
    # The larger root of (progress_0 + k rise)^2 = length_0^2 + k growth.
    rise, growth = learning_rate * separator.margin, (learning_rate * separator.radius) ** 2
    first, start = float(progress[0]), float(length[0]) ** 2
    half = growth / 2 - first * rise
    bound = (half + sqrt(max(half * half + rise * rise * (start - first * first), 0))) / rise**2
    return Proof(
        np.array([step.mistakes for step in chosen]),
        progress,
        length,
        bound,
        (first, rise),
        (start, growth),
    )
