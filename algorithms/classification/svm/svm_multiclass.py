"""Support vector machines for several classes: many for two classes, and how they disagree.

One-versus-rest trains a machine for each of the K classes, f_k > 0 where it claims x for class k.
One-versus-one trains a machine for each of the K (K - 1) / 2 pairs on the points of these two
classes, and every machine votes for one of its two. Both leave ambiguous places:

    one-versus-rest   x is ambiguous if no machine claims it, or if several do
    one-versus-one    x is ambiguous if several classes share the most votes

(CS725 draws both with '?'.) The way out, the update rule of `predict`:

    one-versus-rest   the class with the largest f_k, claimed or not
    one-versus-one    the first of the classes with the most votes, as libsvm

Two classes need one machine; trained as two in one-versus-rest these are mirror images.

Cost: K runs on n points, or K (K - 1) / 2 runs on about 2 n / K.

Source: CS725 18.2 (000:2853; with the K - 1 machines it trains for one-versus-rest the last class
has none of its own, here every class has one).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.svm.svm import svm
from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.core.record import Record, frozen, last

SCHEMES = ("one-versus-rest", "one-versus-one")
MOST_CLASSES = 10
REST = -1

Event = Literal["a machine stopped at max_iter", "all machines trained"]


@dataclass(frozen=True, eq=False)
class SvmMulticlassStep(Record):
    """The machines trained so far; also a model, since `predict` works at every step.

    `machines` has a row (k, l) for each: positive for class number k, against class number l or
    REST. So have `coefficients` (alpha_i y_i, 0 for points that do not take part), `biases`,
    `moves` (of pairs or of all free duals) and `violations`.

    Events: "a machine stopped at max_iter" (this one has not converged); "all machines trained".
    """

    index: int
    scheme: str
    classes: Int[ndarray, " k"]
    points: Float[ndarray, "n d"]
    kernel: Kernel
    machines: Int[ndarray, "machines 2"]
    coefficients: Float[ndarray, "machines n"]
    biases: Float[ndarray, " machines"]
    moves: Int[ndarray, " machines"]
    violations: Float[ndarray, " machines"]
    event: Event | None = None

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m machines"]:
        """Return f of every machine for every row of `X`."""
        used = np.flatnonzero(self.coefficients.any(axis=0))
        kernel = self.kernel(X, self.points[used])
        return kernel @ self.coefficients[:, used].T + self.biases

    def claims(self, scores: Float[ndarray, "m machines"]) -> Int[ndarray, "m k"]:
        """Return how many machines vote for every class, given their f."""
        claims = np.zeros((len(scores), len(self.classes)), int)
        for (k, other), f in zip(self.machines, scores.T, strict=True):
            claims[:, k] += f > 0
            if other != REST:
                claims[:, other] += f <= 0
        return claims

    def ambiguous(self, scores: Float[ndarray, "m machines"]) -> Bool[ndarray, " m"]:
        """Return where the machines do not agree on one class, given their f."""
        claims = self.claims(scores)
        if self.scheme == "one-versus-rest":
            return claims.sum(axis=1) != 1
        return (claims == claims.max(axis=1, keepdims=True)).sum(axis=1) > 1

    def winners(self, scores: Float[ndarray, "m machines"]) -> Int[ndarray, " m"]:
        """Return the index of the predicted class, given the f of the machines."""
        if self.scheme == "one-versus-rest":
            return self.machines[scores.argmax(axis=1), 0]
        return self.claims(scores).argmax(axis=1)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`."""
        return self.classes[self.winners(self.decision_function(X))]


def svm_multiclass(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    scheme: str = "one-versus-rest",
    C: float = 1.0,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-5,
    max_iter: int = 10_000,
) -> Iterator[SvmMulticlassStep]:
    """Train a machine for two classes per step, until every class or pair of classes has one.

    `scheme` is "one-versus-rest" or "one-versus-one"; the rest is as in `svm`.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, y holds n
    integers of 2 to 10 classes, C > 0, tol >= 0 and max_iter >= 1.
    """
    X = frozen(kernel_points(kernel, X))
    classes, codes = validate.labels(y, len(X))
    if len(classes) > MOST_CLASSES:
        raise ValueError(f"y must name at most {MOST_CLASSES} classes, got {len(classes)}")
    validate.choice("scheme", scheme, SCHEMES)
    how = {
        "C": validate.number("C", C, positive=True),
        "kernel": kernel,
        "tol": validate.number("tol", tol),
        "max_iter": validate.integer("max_iter", max_iter, 1),
    }
    return _run(X, codes, classes, scheme, how)


def _run(
    X: Float[ndarray, "n d"],
    codes: Int[ndarray, " n"],
    classes: Int[ndarray, " k"],
    scheme: str,
    how: dict,
) -> Iterator[SvmMulticlassStep]:
    numbers = range(len(classes))
    one = scheme == "one-versus-one"
    machines = np.array(list(combinations(numbers, 2)) if one else [(k, REST) for k in numbers])
    coefficients = np.zeros((len(machines), len(X)))
    biases, violations = np.zeros(len(machines)), np.zeros(len(machines))
    moves = np.zeros(len(machines), int)
    for index, (k, other) in enumerate(machines):
        taking_part = np.flatnonzero((codes == k) | (codes == other) | (other == REST))
        model = last(svm(X[taking_part], (codes[taking_part] == k).astype(int), **how))
        coefficients[index, taking_part] = model.coefficients
        biases[index], violations[index] = model.bias, model.violation
        moves[index] = model.index
        event: Event | None = None
        if model.event == "stopped at max_iter":
            event = "a machine stopped at max_iter"
        if index == len(machines) - 1 and (moves < how["max_iter"]).all():
            event = "all machines trained"
        so_far = slice(index + 1)
        yield SvmMulticlassStep(
            index=index,
            scheme=scheme,
            classes=classes,
            points=X,
            kernel=how["kernel"],
            machines=machines[so_far],
            coefficients=coefficients[so_far],
            biases=biases[so_far],
            moves=moves[so_far],
            violations=violations[so_far],
            event=event,
        )
