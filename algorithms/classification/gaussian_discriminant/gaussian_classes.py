"""A Gaussian for every class, and the surfaces where two classes are equally probable.

Two Gaussian classes k and l are equally probable where

    x^T A x + b.x + c = 0,    A = -1/2 (Sigma_k^-1 - Sigma_l^-1)
                              b = Sigma_k^-1 mu_k - Sigma_l^-1 mu_l
                              c = -1/2 (mu_k^T Sigma_k^-1 mu_k - mu_l^T Sigma_l^-1 mu_l)
                                  - 1/2 ln(|Sigma_k| / |Sigma_l|) + ln(pi_k / pi_l)

a quadric; equal covariances cancel A and leave a plane.

Cost: O(K d^2) for the scores of a point.

Source: CS725 10.6 and 11.1 (000:1850, 000:2025).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.classification.gaussian_discriminant.bayes import Generative
from algorithms.core.gaussians import DEPENDENT, FAR
from algorithms.core.record import Record

Kind = Literal["line", "ellipse", "hyperbola", "parabola", "nowhere"]


@dataclass(frozen=True, eq=False)
class GaussianClasses(Generative):
    """A Gaussian for every class.

    `roots` are the inverses of the Cholesky factors of the covariances: R_k (x - mu_k) has
    independent coordinates of variance 1, and R_k^T R_k = Sigma_k^-1.
    """

    means: Float[ndarray, "k d"]
    roots: Float[ndarray, "k d d"]

    @property
    def linear(self) -> bool:
        """Return whether the classes have the same covariance, so that the borders are linear."""
        return bool((self.roots == self.roots[0]).all())

    def log_densities(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln p(x | k) = -1/2 |R_k (x - mu_k)|^2 + ln |R_k| - d/2 ln 2 pi."""
        z = self._whitened(X, self.roots, self.means)
        z *= z
        densities = z.sum(axis=1)
        densities *= -0.5
        densities += (self._log_volumes() - X.shape[1] / 2 * np.log(2 * np.pi))[:, None]
        return densities.T

    def joint(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return pi_k p(x | k), prior times density."""
        return np.exp(self.log_densities(X)) * self.priors

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
        """Return the pairs of classes with one of them the most probable half-way between.

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
        """Return the kind of curve (or quadric); "nowhere" if one class always wins."""
        A, b = self.quadratic, self.linear
        if not A.any():
            return "line" if b.any() else "nowhere"
        bends = np.linalg.eigvalsh(A / np.abs(A).max())
        if (np.abs(bends) <= DEPENDENT).any():
            return "parabola"
        if bends[0] * bends[-1] < 0:
            return "hyperbola"
        _, extreme = self._center()
        return "ellipse" if extreme * bends[0] < 0 else "nowhere"

    def box(self) -> Float[ndarray, "d 2"]:
        """Return the lowest and the highest value of each column on an ellipse."""
        center, extreme = self._center()
        reach = np.sqrt(-extreme * np.diagonal(np.linalg.inv(self.quadratic)))
        return np.column_stack([center - reach, center + reach])

    def _center(self) -> tuple[Float[ndarray, " d"], float]:
        """Return the centre of an ellipse or hyperbola, and the log-odds there."""
        center = -0.5 * np.linalg.solve(self.quadratic, self.linear)
        return center, self.constant + 0.5 * float(self.linear @ center)
