"""Cross-validation of C and gamma: how many points each pair of settings gets wrong, held out.

The n points are dealt into m folds, class by class, the same folds for all pairs. For every pair
(C, gamma) and every fold f, a machine with the kernel exp(-gamma ||a - b||^2) is fitted to the
other folds, whose own means and standard deviations scale the columns. It is judged on fold f, and
gets E_f(C, gamma) of its points wrong:

    wrong(C, gamma) = sum_f E_f(C, gamma)

So every point is judged once by each pair, by a machine that has not seen it. (If only one class is
left outside the fold, this class is predicted.) The pair with the
lowest number was chosen on the very points that judge it, so its number is optimistic.

Where no dual has reached C, no larger C changes anything: the box does not bind, and the machine
keeps all its conditions. So the prices rise, and from there on one machine stands for all.

Cost: at most a machine for every pair and fold. Of more than `most` points, some are drawn.

Source: CS337 (003:2033), k-fold cross-validation; Hsu, Chang and Lin 2003, the grid of powers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.svm import SvmStep, svm
from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import rbf
from algorithms.core.record import Record, last
from algorithms.core.splits import deal, some_of

MOST = 200  # points that are dealt: all machines then take about three seconds
MOVES = 1000  # of duals by one machine
TOL = 1e-4  # of its conditions: a smaller violation turns hardly any prediction


@dataclass(frozen=True, eq=False)
class ErrorBySettings(Record):
    """How many of `n` points every pair of settings gets wrong when they are held out."""

    prices: Float[ndarray, " c"]
    gammas: Float[ndarray, " g"]
    wrong: Int[ndarray, "g c"]
    n: int

    @property
    def best(self) -> tuple[int, int]:
        """Return the indices of gamma and C with the lowest number; in a tie the smallest ones."""
        row, column = np.unravel_index(self.wrong.argmin(), self.wrong.shape)
        return int(row), int(column)

    def of(self, C: float, gamma: float) -> tuple[int, int]:
        """Return the indices of gamma and C of the pair nearest to these."""
        near = [
            np.abs(np.log(every / value))
            for every, value in ((self.gammas, gamma), (self.prices, C))
        ]
        return int(near[0].argmin()), int(near[1].argmin())


def error_by_settings(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    prices: Sequence[float],
    gammas: Sequence[float],
    folds: int = 5,
    standardize: bool = True,
    most: int = MOST,
    rng: Generator,
) -> ErrorBySettings:
    """Return the number of wrong held-out points for every pair of a price C and a gamma.

    Raises ValueError unless X is finite, y holds n integers of two classes, and for numbers out of
    range.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    if len(classes) > 2:
        raise validate.TooManyClasses(len(classes))
    most = validate.integer("most", most, 4)
    chosen = some_of(np.ones(len(X), bool), most, rng=rng, codes=codes)
    X, codes = X[chosen], codes[chosen]
    folds = min(validate.integer("folds", folds, 2), len(X))
    ways = np.array(sorted(prices), float), np.array(sorted(gammas), float)
    wrong = np.zeros((len(gammas), len(prices)), int)
    fold = deal(codes, folds, True, rng)
    for out in (fold == f for f in range(folds)):
        if len(np.unique(codes[~out])) == 1:
            wrong += np.count_nonzero(codes[out] != codes[~out][0])
            continue
        features = polynomial_features(X[~out], 1, standardize=standardize)
        machine = partial(svm, features(X[~out]), codes[~out], tol=TOL, max_iter=MOVES)
        held = features(X[out])
        for row, gamma in enumerate(ways[1]):
            models = by_price(partial(machine, kernel=rbf(gamma)), ways[0])
            predicted = np.array([model.predict(held) for model in models])
            wrong[row] += np.count_nonzero(predicted != codes[out], axis=1)
    return ErrorBySettings(*ways, wrong, len(X))


def by_price(
    machine: Callable[..., Iterator[SvmStep]], prices: Float[ndarray, " c"]
) -> list[SvmStep]:
    """Return the machine for every price; they rise, and one that does not bind serves the rest."""
    models: list[SvmStep] = []
    for C in prices:
        final = models[-1] if models else None
        free = final and final.event == "converged" and (final.duals < final.C).all()
        models.append(final if final and free else last(machine(C=C)))
    return models
