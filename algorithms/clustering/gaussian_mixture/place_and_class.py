"""Mixtures of points that have a place and a class, by EM: two factors in every responsibility.

Point i has a place x_i and a class y_i. Model: it comes from component k with probability pi_k.
Then the component draws both, independently of each other: the place from its Gaussian, the class
from its table delta_k of probabilities,

    p(x, y) = sum_k pi_k N(x; mu_k, Sigma_k) delta_ky

The objective, the log-likelihood l = sum_i ln p(x_i, y_i), is the lower bound B plus KL as for any
EM:

    B = sum_ik q_ik ln( pi_k N(x_i; mu_k, Sigma_k) delta_k,y_i / q_ik ),       KL = l - B >= 0

Update rule, alternately:

    expectation:   q_ik <- pi_k N(x_i; mu_k, Sigma_k) delta_k,y_i / (the same, summed over k)
    maximization:  pi_k, mu_k and Sigma_k from these q_ik, as in gaussian_mixture.py, and
                   delta_kc <- sum_i q_ik [y_i = c] / sum_i q_ik

Neither can lower l, except for the floor under the variances (see gaussian_mixture.py), which is
1e-6 of s^2 here. A class that no point of a component has gets probability 0 there: the component
then rules out every point of that class, wherever it is.

Tied tables are one table for all components. Its maximum is delta_kc = n_c / n, the share of the
class among all points. It is the same factor for every k and cancels in q_ik: the run is that of
the places alone, and l is theirs plus sum_c n_c ln(n_c / n).

Start: the places as in gaussian_mixture.py. Half of each table has the classes that its component
starts from, those of its k-means cluster or that of the point nearest to its mean. The other half
has the classes of all points, so that no class starts with probability 0.

Cost of one of each: O(n k (d^2 + c)) for c classes.

Source: CPSC340, EM for multimodal data (001:302), an image's vector x and its text T. The class is
a text of one word: the product over the words of delta_w^T_w is then delta_y.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.gaussian_mixture import gaussian_mixture as places
from algorithms.clustering.gaussian_mixture._covariances import family
from algorithms.clustering.gaussian_mixture._starts import means_and_labels
from algorithms.clustering.gaussian_mixture.gaussian_mixture import expectation, lower_bound
from algorithms.core import validate
from algorithms.core.gaussians import FAR
from algorithms.core.iterate import iterate

FLOOR = 1e-6  # a share of s^2
RULED_OUT = -(FAR**2)  # stands in for the logarithm of a probability of 0


def place_and_class(
    X: Float[ndarray, "n d"],
    k: int,
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    tied: bool = False,
    init: str | Float[ndarray, "k d"] = "k-means",
    max_iter: int = 200,
    tol: float = 1e-6,
) -> Iterator["PlaceAndClassStep"]:
    """Alternate expectation and maximization until the log-likelihood changes by less than `tol`.

    The first step is the expectation at the start; at most `max_iter` pairs of a maximization and
    an expectation follow. `y` has the points' classes, any integers. `tied`: all components have
    one table. `init` and `tol` are as for `gaussian_mixture`.

    Raises ValueError, at the call, unless 1 <= k <= n, y has n integers of at most 50 classes,
    tol >= 0 and all is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    classes, codes = validate.categories(y, len(X))
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    means, labels = means_and_labels(X, k, init, rng)
    alone = places.start(X, means, labels, family(X, "full", FLOOR))  # without the classes
    y = classes[codes]
    tables = first_tables(one_hot(y, classes), started_from(X, means, labels), tied)
    step = PlaceAndClassStep(**vars(alone), categories=classes, tables=tables, tied=tied)
    first = _expected(X, y, step, alone.event)
    return iterate(first, partial(advance, X, y, tol=tol), most=2 * max_iter)


def advance(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    step: "PlaceAndClassStep",
    *,
    tol: float = 1e-6,
) -> "PlaceAndClassStep":
    """Return the half-step that follows `step`."""
    if step.phase == "maximization":
        return _expected(X, y, step, "converged" if abs(step.rise) < tol * len(X) else None)
    q, Y = step.responsibilities.T.copy(), one_hot(y, step.categories)
    after = places.fitted(X, step)  # pi, mu and Sigma
    after = replace(after, tables=maximization(Y, q, step.tables, tied=step.tied))
    s = scores(X, Y, after)
    likelihood = float(expectation(s)[1].sum())
    return replace(
        after,
        phase="maximization",
        log_likelihood=likelihood,
        lower_bound=lower_bound(q, s),
        rise=likelihood - step.log_likelihood,
    )


def scores(
    X: Float[ndarray, "n d"], Y: Float[ndarray, "n c"], step: "PlaceAndClassStep"
) -> Float[ndarray, "k n"]:
    """s_ik = ln( pi_k N(x_i; mu_k, Sigma_k) delta_k,y_i ). Y has [y_i = c]."""
    of_places = places.scores(X, step.weights, step.means, step.roots)
    return of_places + log(step.tables) @ Y.T


def maximization(
    Y: Float[ndarray, "n c"],
    q: Float[ndarray, "k n"],
    before: Float[ndarray, "k c"],
    *,
    tied: bool = False,
) -> Float[ndarray, "k c"]:
    """delta_kc <- sum_i q_ik [y_i = c] / sum_i q_ik; if tied, both sums are also over k.

    A component without points keeps its table.
    """
    counts = q @ Y
    if tied:
        counts = np.tile(counts.sum(axis=0), (len(q), 1))
    n_k = counts.sum(axis=1, keepdims=True)
    return np.where(n_k > 0, counts / np.where(n_k > 0, n_k, 1.0), before)


def by_hand(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    means: Float[ndarray, "k d"],
    step: "PlaceAndClassStep",
) -> "PlaceAndClassStep":
    """Return the step after `step` when the means are moved by hand: an expectation.

    Weights, covariances and tables stay. Raises ValueError unless there are k finite places.
    """
    there = places.by_hand(X, means, step)
    return _expected(X, y, there, there.event)


@dataclass(frozen=True, eq=False)
class PlaceAndClassStep(places.GaussianMixtureStep):
    """One half-step of EM; also a mixture of Gaussians, in which the classes are summed out.

    `log_likelihood`, `lower_bound` and `responsibilities` are those of places and classes. The
    methods of a mixture of Gaussians (`predict`, `predict_proba`, `score_samples`) know the place
    of a point alone; `from_class` knows its class alone, `from_both` knows both. `tables` are
    delta; their columns are the classes in `categories`.
    """

    categories: Int[ndarray, " c"] = field(kw_only=True)
    tables: Float[ndarray, "k c"] = field(kw_only=True)
    tied: bool = field(kw_only=True)

    def of_class(self, y: Int[ndarray, " m"]) -> Float[ndarray, "m k"]:
        """Return delta_ky, the probability of each class in every component; 0 for new classes."""
        return one_hot(y, self.categories) @ self.tables.T

    def from_class(self, y: Int[ndarray, " m"]) -> Float[ndarray, "m k"]:
        """Return P(k | y) = pi_k delta_ky / sum_l pi_l delta_ly."""
        return expectation(np.log(self.weights)[:, None] + log(self.of_class(y).T))[0].T

    def from_both(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> Float[ndarray, "m k"]:
        """Return P(k | x, y) = pi_k N(x; mu_k, Sigma_k) delta_ky / (the same, summed over k)."""
        return expectation(self.scores(X).T + log(self.of_class(y).T))[0].T

    def renumbered(self, order: Int[ndarray, " k"]) -> "PlaceAndClassStep":
        """Return the same step, with cluster `order[j]` as number j."""
        return replace(super().renumbered(order), tables=self.tables[order])


def one_hot(y: Int[ndarray, " n"], categories: Int[ndarray, " c"]) -> Float[ndarray, "n c"]:
    """Return [y_i = c]: 1 where point i has class c, 0 elsewhere."""
    return (y[:, None] == categories).astype(float)


def log(probabilities: ndarray) -> ndarray:
    """Return the logarithms, and a large negative number where a probability is 0."""
    ln = np.full_like(probabilities, RULED_OUT)
    return np.log(probabilities, out=ln, where=probabilities > 0)


def started_from(
    X: Float[ndarray, "n d"], means: Float[ndarray, "k d"], labels: Int[ndarray, " n"] | None
) -> Bool[ndarray, "k n"]:
    """Return the points a component starts from: its cluster, or the one nearest to its mean."""
    if labels is None:
        return np.arange(len(X)) == cdist(means, X).argmin(axis=1)[:, None]
    return labels == np.arange(len(means))[:, None]


def first_tables(
    Y: Float[ndarray, "n c"], members: Bool[ndarray, "k n"], tied: bool
) -> Float[ndarray, "k c"]:
    """Return the mean of the class shares of the members and of all points; if tied, of all."""
    every = np.tile(Y.mean(axis=0), (len(members), 1))
    return every if tied else (maximization(Y, members.astype(float), every) + every) / 2


def _expected(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    step: PlaceAndClassStep,
    event: places.Event | None,
) -> PlaceAndClassStep:
    return places.expected(scores(X, one_hot(y, step.categories), step), step, event)
