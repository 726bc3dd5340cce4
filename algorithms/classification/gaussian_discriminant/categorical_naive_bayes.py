"""Naive Bayes on binned features: tables of frequencies in place of curves.

Every column is cut at edges e_1 <= ... <= e_(bins-1) of equal distance over the range of the data.
A point is then a list of values phi_1, ..., phi_J, each from 0 to V - 1:

    categorical:  one a column, the bin it falls into             V = bins, J = d
    bernoulli:    one a column and edge, whether x_j > e          V = 2,    J = d (bins - 1)

Model, with priors pi_k and a table P(phi_j = v | k) for every class k and feature j:

    P(k | x) = pi_k prod_j P(phi_j(x) | k) / sum_l pi_l prod_j P(phi_j(x) | l)

Estimates of P(phi_j = v | k), where n_kjv of the n_k points of class k have phi_j = v:

    laplace:     (n_kjv + strength) / (n_k + strength V)
    m-estimate:  (n_kjv + strength p_jv) / (n_k + strength),     p_jv = (n_jv + 1) / (n + V)

The first adds `strength` points to every value; it is the mean of the posterior under a Dirichlet
prior. The second adds `strength` points in all, spread like the points of all classes (with p = 1/V
and `strength` V points it is the first again). With strength 0 both are the plain frequency, the
maximum of the likelihood, and a value never seen in a class has probability 0, which no other
feature can outweigh.

The score is a sum of one table entry a feature, so the surface is made of steps along the edges;
for two classes it is linear in the indicators [phi_j = v].

Cost: O(n J) for the whole run; a prediction O(K J).

Source: CS725 10.1, 10.2, 10.4 and 10.6 (000:1516, 000:1561, 000:1690, 000:1829), 20APC3316
(002:1588; m-estimate 002:1617), CIS787 (004:187). Slips not copied: the Bernoulli surface of CS725
10.6 leaves out the factor of a "no", and CIS787 calls the Laplace estimate the most probable one,
but it is the mean.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.gaussian_discriminant.bayes import Generative
from algorithms.core import validate
from algorithms.core.record import frozen, last

MODELS = ("categorical", "bernoulli")
ESTIMATES = ("laplace", "m-estimate")
MAX_BINS = 50
LOWEST = -1e4  # a score whose probability is 0

Event = Literal["zero frequency", "surface"]


def categorical_naive_bayes(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    model: str = "categorical",
    bins: int = 5,
    estimate: str = "laplace",
    strength: float = 1.0,
) -> Iterator["CategoricalNaiveBayesStep"]:
    """Cut every column into `bins`, then count one feature after the other, class by class.

    `model` is "categorical" or "bernoulli", `estimate` "laplace" or "m-estimate".

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    2 <= bins <= 50 and strength >= 0. A frequency of zero is an event, no error.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("model", model, MODELS)
    bins = validate.integer("bins", bins, 2, MAX_BINS)
    validate.choice("estimate", estimate, ESTIMATES)
    strength = validate.number("strength", strength)
    edges = np.linspace(X.min(axis=0), X.max(axis=0), bins + 1)[1:-1].T
    return _run(X, classes, codes, model, edges, estimate, strength)


def errors_by_bins(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held: Bool[ndarray, " n"],
    most: int,
    **how: Any,
) -> Int[ndarray, "b 2"]:
    """Return the mistakes with 2, 3, ..., `most` bins, on training points and `held`-out points.

    `how` holds the other arguments of `categorical_naive_bayes`.
    """
    models = (
        last(categorical_naive_bayes(X[~held], y[~held], bins=bins, **how))
        for bins in range(2, most + 1)
    )
    return np.array([model.mistakes_on_both(X, y, held) for model in models])


def n_parameters(d: int, k: int, values: int) -> tuple[int, int]:
    """Return how many numbers describe k classes of d features, priors aside: naive, full table.

    CS725 10.1 also counts the last entry of every table, which the others determine.
    """
    return k * d * (values - 1), k * (values**d - 1)


def estimated(
    counts: Int[ndarray, "k values"], estimate: str, strength: float
) -> Float[ndarray, "k values"]:
    """Return P(value | class) from how often every class has every value."""
    size, total = counts.shape[1], counts.sum(axis=1, keepdims=True)
    if estimate == "laplace":
        return (counts + strength) / (total + strength * size)
    shares = (counts.sum(axis=0) + 1) / (counts.sum() + size)
    return (counts + strength * shares) / (total + strength)


def _run(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    model: str,
    edges: Float[ndarray, "d edges"],
    estimate: str,
    strength: float,
) -> Iterator["CategoricalNaiveBayesStep"]:
    k = len(classes)
    counts = np.bincount(codes, minlength=k)
    features = _values(X, edges, model)
    size = 2 if model == "bernoulli" else edges.shape[1] + 1
    value_counts = np.zeros((k, len(features), size), int)
    tables = np.full((k, len(features), size), 1 / size)
    step = CategoricalNaiveBayesStep(
        classes=frozen(classes),
        counts=frozen(counts),
        priors=frozen(counts / len(X)),
        model=model,
        edges=frozen(edges),
        value_counts=frozen(value_counts),
        tables=frozen(tables),
        phase="priors",
    )
    yield step
    for index, values in enumerate(features):
        frequencies = np.bincount(codes * size + values, minlength=k * size).reshape(k, size)
        value_counts[:, index] = frequencies
        tables[:, index] = table = estimated(frequencies, estimate, strength)
        step = replace(
            step,
            value_counts=value_counts,
            tables=tables,
            phase="feature",
            index=index,
            event=None if table.all() else "zero frequency",
        )
        yield step
    yield replace(step, phase="surface", index=None, event="surface")


def _values(
    X: Float[ndarray, "m d"], edges: Float[ndarray, "d edges"], model: str
) -> Int[ndarray, "features m"]:
    if model == "bernoulli":
        above = X.T[:, None, :] > edges[:, :, None]
        return above.reshape(edges.size, len(X)).astype(int)
    columns = zip(X.T, edges, strict=True)
    return np.array([cuts.searchsorted(column) for column, cuts in columns])


@dataclass(frozen=True, eq=False)
class CategoricalNaiveBayesStep(Generative):
    """What is known after one more feature; also a model, since `predict` works at every step.

    Phases: "priors"; "feature", its number in `index`, for every feature; "surface". The table of a
    feature not counted yet is even, the same for every class, so it changes nothing.

    Where every class has probability 0, Bayes' rule gives 0/0 and the priors decide.

    Events: "zero frequency" (a class has probability 0 for a value), "surface".
    """

    model: str
    edges: Float[ndarray, "d edges"]
    value_counts: Int[ndarray, "k features values"]
    tables: Float[ndarray, "k features values"]
    phase: Literal["priors", "feature", "surface"]
    index: int | None = None
    event: Event | None = None

    def values(self, X: Float[ndarray, "m d"]) -> Int[ndarray, "features m"]:
        """Return the value of every feature, a row each, for every row of `X`."""
        return _values(X, self.edges, self.model)

    def log_factors(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k d"]:
        """Return sum_j ln P(phi_j | k) over the features of each column, or -inf."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.tables)
        d = len(self.edges)
        factors = np.zeros((d, len(self.classes), len(X)))
        per_column = logs.shape[1] // d
        for feature, values in enumerate(self.values(X)):
            factors[feature // per_column] += logs[:, feature].take(values, axis=1)
        return factors.transpose(2, 1, 0)

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + sum_j ln P(phi_j | k), at least -1e4; ln pi_k where all are less."""
        priors = np.log(self.priors)
        scores = priors + self.log_factors(X).sum(axis=2)
        hopeless = scores.max(axis=1, keepdims=True) < LOWEST
        return np.where(hopeless, priors, np.maximum(scores, LOWEST))
