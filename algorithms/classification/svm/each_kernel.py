"""Each kernel alone, their even mixture and the learned one: the objective, and errors held out.

With K_m divided by its spread (kernel_weights.py), J(e_m) is the optimum of the SVM with K_m alone.
For the held-out errors the points are dealt into folds, class by class. Machines are trained on the
other folds; the learned weights are learned there, too. So every point is judged once by a machine
of each kind that has not seen it.

Cost: for every fold a machine for each kernel and each update of the weights. Of more than `most`
points, some are drawn for the held-out errors.

Source: Goenen and Alpaydin 2011 (the even mixture is hard to beat).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.kernel_weights import Mixture, kernel_weights, spread, trained
from algorithms.core import validate
from algorithms.core.kernels import Kernel
from algorithms.core.record import Record, last
from algorithms.core.splits import deal, some_of

MOST = 120  # points whose errors are counted


@dataclass(frozen=True, eq=False)
class EachKernel(Record):
    """J of every kernel alone, and the errors of `n` points held out.

    `wrong` has a number for every kernel alone, for the even mixture and for the learned one.
    """

    objectives: Float[ndarray, " m"]
    wrong: Int[ndarray, " m_and_2"]
    n: int


def each_kernel(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    kernels: Sequence[Kernel],
    C: float = 1.0,
    folds: int = 5,
    most: int = MOST,
    rng: Generator,
) -> EachKernel:
    """Return J of every kernel alone, and how many held-out points each kind of machine gets wrong.

    Raises ValueError where `kernel_weights` does, for folds < 2 and for most < 4.
    """
    first = next(iter(kernel_weights(X, y, kernels=kernels, C=C)))
    folds, most = validate.integer("folds", folds, 2), validate.integer("most", most, 4)
    every = np.eye(len(first.task.kernels))
    objectives = [
        trained(first.task, weights, np.zeros(len(X))).dual_objective for weights in every
    ]
    codes = validate.labels(y, len(X))[1]
    chosen = some_of(np.ones(len(X), bool), most, rng=rng, codes=codes)
    X, y, codes = X[chosen], y[chosen], codes[chosen]
    fold = deal(codes, min(folds, len(X)), True, rng)
    wrong = np.zeros(len(every) + 2, int)
    for out in (fold == f for f in range(int(fold.max()) + 1)):
        wrong += _wrong(X[~out], y[~out], X[out], y[out], first.task)
    return EachKernel(np.array(objectives), wrong, len(X))


def _wrong(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held: Float[ndarray, "m d"],
    truth: Int[ndarray, " m"],
    whole: Mixture,
) -> Int[ndarray, " kinds"]:
    """Count the errors on held points of machines that are trained on X and y."""
    kernels, C = whole.kernels, whole.C
    scales = [spread(kernel, X) for kernel in kernels]
    count = len(kernels)
    if len(np.unique(y)) < 2 or min(scales) <= 0:
        return np.full(count + 2, np.count_nonzero(truth != y[0]))
    task = Mixture(X, y, kernels, tuple(scales), C)
    found = []
    for weights in (*np.eye(count), np.full(count, 1 / count)):
        machine = trained(task, weights, np.zeros(len(X)))
        found.append(np.count_nonzero(machine.predict(held) != truth))
    learned = last(kernel_weights(X, y, kernels=kernels, C=C)).predict(held)
    return np.array([*found, np.count_nonzero(learned != truth)])
