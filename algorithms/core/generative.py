"""What every generative classifier shares: Bayes' rule, and the surface between two Gaussians.

A generative classifier has a prior P(k) = pi_k and a distribution p(x | k) for every class. With
the score of a class

    s_k(x) = ln pi_k + ln p(x | k)                  (any term common to the classes left out)

Bayes' rule is a softmax, P(k | x) = exp s_k(x) / sum_l exp s_l(x), and the class predicted is the
one with the highest score: that has the least risk when all mistakes cost the same.

Two Gaussian classes are equally probable where s_j(x) = s_l(x). With P = Sigma^-1 that is

    x^T A x + b.x + c = 0,      A = -1/2 (P_j - P_l)
                                b = P_j mu_j - P_l mu_l
                                c = -1/2 (mu_j^T P_j mu_j - mu_l^T P_l mu_l)
                                    + 1/2 ln(|P_j| / |P_l|) + ln(pi_j / pi_l)

a quadric; equal covariances cancel A and leave a plane.

Source: CS725 10.1 and 10.6 (000:1516, 000:1850), 11.1 (000:2025).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.special import expit

from algorithms.core.record import Record
from algorithms.core.softmax import softmax

FAR = 1e140  # standard deviations: beyond, squares could leave the floating-point numbers
ROUNDING = 1e-14  # of the largest coordinate: less spread than this is no spread
TINY = 1e-150  # squares of less than this vanish
DEPENDENT = 1e-13  # an eigenvalue of a correlation matrix that is rounding

Kind = Literal["line", "ellipse", "hyperbola", "parabola", "nowhere"]


@dataclass(frozen=True, eq=False)
class Generative(Record, ABC):
    """A model of every class: how frequent it is and, in `scores`, what its points look like."""

    classes: Int[ndarray, " k"]
    counts: Int[ndarray, " k"]
    priors: Float[ndarray, " k"]

    @abstractmethod
    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln p(x | k), less a term common to the classes."""

    def decision_function(
        self, X: Float[ndarray, "m d"]
    ) -> Float[ndarray, " m"] | Float[ndarray, "m k"]:
        """Return the scores; for two classes (m,) log-odds, positive for the second."""
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for every row of `X`."""
        odds = self.decision_function(X)
        if odds.ndim == 1:
            return np.stack([expit(-odds), expit(odds)], axis=1)
        return softmax(odds.T)[0].T

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the most probable class of every row of `X`, the smallest one in a tie."""
        return self.classes[self.scores(X).argmax(axis=1)]

    def mistakes(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> int:
        """Return how many rows of `X` are predicted another class than that of `y`."""
        return int(np.count_nonzero(self.predict(X) != y))


@dataclass(frozen=True, eq=False)
class Gaussians(Generative):
    """A Gaussian for every class.

    `roots` are the inverses of the Cholesky factors of the covariances: R_k (x - mu_k) has
    independent coordinates of variance 1, and R_k^T R_k = Sigma_k^-1.
    """

    means: Float[ndarray, "k d"]
    roots: Float[ndarray, "k d d"]

    @property
    def linear(self) -> bool:
        """Whether the classes have the same covariance, so that they part along planes."""
        return bool((self.roots == self.roots[0]).all())

    def log_densities(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln p(x | k) = -1/2 |R_k (x - mu_k)|^2 + ln |R_k| - d/2 ln 2 pi."""
        z = self._whitened(X, self.roots, self.means)
        z *= z
        found = z.sum(axis=1)
        found *= -0.5
        found += (self._log_volumes() - X.shape[1] / 2 * np.log(2 * np.pi))[:, None]
        return found.T

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln p(x | k); of equal covariances without the common -1/2 |R x|^2."""
        if not self.linear:
            scores = self.log_densities(X)
            scores += np.log(self.priors)
            return scores
        # |R (x - mu_k)|^2 = |R (x - m)|^2 - 2 R (mu_k - m) . R (x - m) + |R (mu_k - m)|^2
        root, middle = self.roots[:1], self._middle
        centers = np.clip((self.means - middle) @ root[0].T, -FAR, FAR)
        constants = np.log(self.priors) - 0.5 * (centers * centers).sum(axis=1)
        scores = centers @ self._whitened(X, root, middle[None])[0]
        scores += constants[:, None]
        return scores.T

    def surface(self, j: int, other: int) -> "Surface":
        """Return where the classes number j and `other` are equally probable."""
        pair = [j, other]
        means, roots = self.means[pair], self.roots[pair]
        precisions = np.swapaxes(roots, 1, 2) @ roots
        pulls = np.einsum("kij,kj->ki", precisions, means)
        constants = (
            np.log(self.priors[pair])
            + self._log_volumes()[pair]
            - 0.5 * np.einsum("ki,ki->k", pulls, means)
        )
        return Surface(
            quadratic=-0.5 * (precisions[0] - precisions[1]),
            linear=pulls[0] - pulls[1],
            constant=float(constants[0] - constants[1]),
        )

    def neighbors(self) -> list[tuple[int, int]]:
        """Return the pairs of classes one of which is the most probable half-way between the two.

        In a row of three, the outer ones are not neighbours: the middle one is between them. Of K
        classes at most K pairs are returned, those with the most points to expect half-way.
        """
        first, second = np.triu_indices(len(self.classes), 1)
        middles = (self.means[first] + self.means[second]) / 2
        scores = np.log(self.priors) + self.log_densities(middles)
        winner, height = scores.argmax(axis=1), scores.max(axis=1)
        meet = np.flatnonzero((winner == first) | (winner == second))
        most = np.sort(meet[np.argsort(-height[meet], kind="stable")[: len(self.classes)]])
        return list(zip(first[most].tolist(), second[most].tolist(), strict=True)) or [(0, 1)]

    @property
    def _middle(self) -> Float[ndarray, " d"]:
        return self.priors @ self.means

    def _whitened(
        self, X: Float[ndarray, "m d"], roots: Float[ndarray, "r d d"], means: Float[ndarray, "r d"]
    ) -> Float[ndarray, "r d m"]:
        """Return R (x - mu) for every root and its mean, within FAR; one row a coordinate."""
        r, d, _ = roots.shape
        offsets = (X - self._middle).T  # one product for all classes, accurate far from the origin
        z = roots.reshape(r * d, d) @ offsets
        z -= np.einsum("kij,kj->ki", roots, means - self._middle).reshape(r * d, 1)
        return np.clip(z, -FAR, FAR, out=z).reshape(r, d, len(X))

    def _log_volumes(self) -> Float[ndarray, " k"]:
        return np.log(np.diagonal(self.roots, axis1=1, axis2=2)).sum(axis=1)


@dataclass(frozen=True, eq=False)
class Surface(Record):
    """Where two classes are equally probable: x^T A x + b.x + c = 0, positive for the first."""

    quadratic: Float[ndarray, "d d"]
    linear: Float[ndarray, " d"]
    constant: float

    def __call__(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the log-odds of the first class against the second for every row of `X`."""
        return ((X @ self.quadratic) * X).sum(axis=1) + X @ self.linear + self.constant

    @property
    def kind(self) -> Kind:
        """What it is in the plane, and its like elsewhere; "nowhere" if one class always wins."""
        A, b = self.quadratic, self.linear
        if not A.any():
            return "line" if b.any() else "nowhere"
        bends = np.linalg.eigvalsh(A / np.abs(A).max())
        if (np.abs(bends) <= DEPENDENT).any():
            return "parabola"
        if bends[0] * bends[-1] < 0:
            return "hyperbola"
        center = -0.5 * np.linalg.solve(A, b)
        extreme = self.constant + 0.5 * float(b @ center)  # the log-odds at the centre
        return "ellipse" if extreme * bends[0] < 0 else "nowhere"


def group_sums(
    values: Float[ndarray, "n d"], codes: Int[ndarray, " n"], k: int
) -> Float[ndarray, "k d"]:
    """Return the sum of the rows of every class, the classes numbered by `codes`."""
    return np.array([np.bincount(codes, column, k) for column in values.T]).T


def rounding(X: Float[ndarray, "n d"]) -> Float[ndarray, " d"]:
    """Return the standard deviation below which a column does not vary."""
    return ROUNDING * np.abs(X).max(axis=0) + TINY


def stand_in(X: Float[ndarray, "n d"]) -> tuple[Float[ndarray, " d"], Float[ndarray, " d"]]:
    """Return mean and variance of all points together (1 for a column that does not vary).

    They stand for what is not known yet of a class. As they are the same for every class, they
    cancel out of Bayes' rule.
    """
    mean = X.mean(axis=0)
    offsets = X - mean
    variance = (offsets * offsets).mean(axis=0)
    return mean, np.where(np.sqrt(variance) > rounding(X), variance, 1.0)


def inverse_roots(
    covariances: Float[ndarray, "k d d"], least: Float[ndarray, " d"]
) -> tuple[Float[ndarray, "k d d"], Bool[ndarray, " k"]]:
    """Return the inverses of the Cholesky factors, and which covariances are singular.

    `least` is the standard deviation in each column that is no more than rounding. The root of a
    singular covariance means nothing.
    """
    d = len(least)
    spread = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    singular = (spread <= least).any(axis=1)
    spread[singular] = 1.0
    correlations = covariances / spread[:, None, :] / spread[:, :, None]
    correlations[singular] = np.eye(d)
    slack = d * DEPENDENT + np.square(least / spread).max(axis=1)
    dependent = np.linalg.eigvalsh(correlations)[:, 0] <= slack
    correlations[dependent] = np.eye(d)
    roots = np.linalg.inv(np.linalg.cholesky(correlations)) / spread[:, None, :]
    return roots, singular | dependent


def frozen(values: ndarray) -> ndarray:
    """Return a read-only array of its own, which the steps that do not change it can share."""
    values = values.copy()
    values.flags.writeable = False
    return values


def nothing(k: int) -> Bool[ndarray, " k"]:
    """Return k times no."""
    return frozen(np.zeros(k, bool))
