"""Newton's direction H^-1 g for logistic regression.

With a row t_k = (w_k, b_k) per class, a_i = (x_i, 1) and P(k | x_i) the softmax of t_k.a_i:

    H = 1/n sum over pairs of classes k < l of
            (e_k - e_l)(e_k - e_l)^T  (x)  sum_i P(k | x_i) P(l | x_i) a_i a_i^T  +  penalty

Two classes are the same with the first class's row held at zero. Cost: O(n d^2 K^2) for H and
O((d K)^3) for solving with it.

Source: CS725 16.1 (000:2717), CS337 (003:688); the pairs are those of a graph Laplacian.
"""

from itertools import combinations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.classification.linear.logistic_regression.task import Task

# Of the Hessian's diagonal. A larger one slows Newton down on nearly collinear features; a smaller
# one magnifies rounding: where H is singular, weights miss the minimum norm by about 1e-16 / RIDGE.
RIDGE = 1e-12


def newton_direction(
    task: Task, P: Float[ndarray, "k n"], g: Float[ndarray, "rows p"]
) -> Float[ndarray, "rows p"]:
    """Return H^-1 g at the probabilities P; where H is singular, nearly that of minimum norm."""
    k, p = len(P), task.A.shape[1]
    H = np.zeros((k, p, k, p))
    # A sum over pairs of classes of positive semidefinite blocks: nothing cancels.
    for a, b in combinations(range(k), 2):
        block = (task.AT * (P[a] * P[b])) @ task.A
        H[a, :, a] += block
        H[b, :, b] += block
        H[a, :, b] = H[b, :, a] = -block
    rows = len(g)
    H = H[task.free, :, task.free].reshape(rows * p, rows * p) / len(task.A)
    diagonal = np.einsum("ii->i", H)
    diagonal += np.tile(task.ridge, rows)
    with np.errstate(over="ignore", invalid="ignore"):
        # Scaled to a unit diagonal, so that the units of the features do not matter.
        scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        H *= np.outer(scale, scale)
        diagonal += RIDGE
        step = scale * np.linalg.solve(H, scale * g.ravel())
    step = step.reshape(g.shape)
    return step if k == 2 else step - step.mean(axis=0)
