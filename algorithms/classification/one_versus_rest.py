"""One versus the rest: several classes with a linear machine that knows only two.

For every class k a machine learns w_k.x + b_k, positive for the points of class k and negative for
all others. Decision rule:

    k(x) = argmax_k  w_k.x + b_k

the largest output, so no region stays ambiguous. Each machine is trained on its own, so their
outputs need not have one scale, and each sees more points of the rest than of its class. With two
classes there is a single machine, for the second class.

Cost: that of K machines, and O(K d) to predict.

Source: CS725 18.2 (000:2839), which leaves the regions ambiguous that two machines or none claim.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest

Machine = Callable[[ndarray, ndarray], tuple[ndarray, float]]
"""Points (n, d) and labels, 1 for the class and 0 for the rest -> weights (d,) and bias."""


@dataclass(frozen=True, eq=False)
class OneVersusRestStep(Record):
    """The machines after training number `index`; machines not trained yet have output 0.

    `weights` has a row per class, a single one (for the second class) if there are two.
    """

    index: int
    classes: Int[ndarray, " k"]
    weights: Float[ndarray, "rows d"]
    intercepts: Float[ndarray, " rows"]
    event: str | None = None

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the outputs: (m,) for two classes, positive for the second, else (m, K)."""
        outputs = X @ self.weights.T + self.intercepts
        return outputs[:, 0] if len(self.classes) == 2 else outputs

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of the largest output for every row of `X`, the smaller in a tie."""
        return highest(self.decision_function(X), self.classes)


def one_versus_rest(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, machine: Machine
) -> Iterator[OneVersusRestStep]:
    """Train one machine per step, until every class has one.

    Raises ValueError, at the call, unless X is finite and y holds n integers of two or more
    classes; and what `machine` raises.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    return _run(X, classes, codes, machine)


def _run(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    machine: Machine,
) -> Iterator[OneVersusRestStep]:
    claimed = [1] if len(classes) == 2 else range(len(classes))
    weights, intercepts = np.zeros((len(claimed), X.shape[1])), np.zeros(len(claimed))
    for index, k in enumerate(claimed):
        weights[index], intercepts[index] = machine(X, (codes == k).astype(int))
        yield OneVersusRestStep(index, classes, weights, intercepts)
