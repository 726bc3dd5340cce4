"""Principal component analysis: the directions in which the points vary most.

Objective: orthonormal u_1, ..., u_k such that the scores z_j = u_j.t of the centred (and, if
wanted, scaled) points t have the largest variance together; which is the same as the smallest error
of the reconstruction, since variance + error = total (_projection.py). With S the covariance
matrix, dividing by n - 1,

    maximise u^T S u  with |u| = 1  and u orthogonal to the ones before:   S u_j = lambda_j u_j

the eigenvectors of S, the largest eigenvalue first; z_j has variance lambda_j. The share

    (lambda_1 + ... + lambda_k) / (lambda_1 + ... + lambda_d)

says how much k components keep. A usual choice is the first k that keeps 90 %.

`pca` solves for all eigenvectors at once: O(n d^2 + d^3), and a step per component adds nothing.
`power_iteration` finds them one after the other. From a random u, orthogonal to those found,

    u <- S u / |S u|                                                    O(d^2) a step

S u = sum_i lambda_i (v_i.u) v_i stretches u most along the first eigenvector v_1, so the tangent of
its angle to u shrinks at least by the factor lambda_2 / lambda_1 in every step. The Rayleigh
quotient u^T S u never falls, and its error shrinks with the square of that factor. If lambda_1 =
lambda_2 every unit vector of their plane is an answer. Deflation removes what was found,

    S <- (I - u u^T) S (I - u u^T)                      for an eigenvector this is S - lambda u u^T

and the next eigenvalue is then the largest. (The first form stays positive semi-definite if u is
only nearly an eigenvector, so that the quotient cannot fall.)

Without scaling, the column in the smallest units has the largest variance and wins; with it, every
column has variance 1 and S is the correlation matrix.

Source: 20APC3316 (002:1856), CS337 (003:1892), CIS787 (004:23-86); power iteration: von Mises and
Pollaczek-Geiringer 1929.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.reduction.projection import Projection, centred, covariance, eigenvectors

TIED = 1e-9  # relative: eigenvalues as near as this are the same
FLOOR = 1e-14  # times the total variance: what rounding leaves of S after deflation

PowerEvent = Literal["next component", "converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class PcaStep(Projection):
    """The first `index` components; also a model, since it projects and reconstructs any points.

    Event "enough variance": the first step that keeps the target share of it.
    """

    index: int
    event: Literal["enough variance"] | None = None


@dataclass(frozen=True, eq=False)
class PowerStep(Projection):
    """The components found so far and, as the last row, the vector of this step.

    `index` counts the components from 0, `iteration` the steps for this one. `product` is S u for
    the vector u of the step before, `norm` its length (both 0 at the start of a component). The
    vector has Rayleigh quotient `rayleigh`, the last one of `variances`; it stands at `angle`
    degrees to the exact eigenvector, and `rate` is lambda_2 / lambda_1 of what is left. `shares`
    are the squares of its coordinates along all exact eigenvectors; they sum to 1. `eigenvalues`
    are the exact ones.
    """

    index: int
    iteration: int
    product: Float[ndarray, " d"]
    norm: float
    rayleigh: float
    angle: float
    rate: float
    shares: Float[ndarray, " d"]
    eigenvalues: Float[ndarray, " d"]
    event: PowerEvent | None = None


def pca(
    X: Float[ndarray, "n d"],
    *,
    n_components: int | None = None,
    standardize: bool = False,
    target: float = 0.9,
) -> Iterator[PcaStep]:
    """Add one component a step, from none (every point is replaced by the mean) to `n_components`.

    Raises ValueError, at the call, unless X holds two different points, 1 <= n_components <= d
    (None: all d) and target <= 1.
    """
    Z, mean, scale = centred(X, standardize)
    d = Z.shape[1]
    k = d if n_components is None else n_components
    k = validate.integer("n_components", k, 1, d, high_name="d")
    if (target := validate.number("target", target)) > 1:
        raise ValueError(f"target must be a share from 0 to 1, got target={target:g}")
    return _components(Z, mean, scale, k, target)


def _components(
    Z: Float[ndarray, "n d"],
    mean: Float[ndarray, " d"],
    scale: Float[ndarray, " d"],
    k: int,
    target: float,
) -> Iterator[PcaStep]:
    variances, U = eigenvectors(covariance(Z))
    total = float(variances.sum())
    explained = variances / total
    kept = np.concatenate([[0.0], np.cumsum(explained)])
    enough = int(np.argmax(kept >= target - FLOOR * len(U)))
    for index in range(k + 1):
        yield PcaStep(
            mean=mean,
            scale=scale,
            components=U[:index],
            variances=variances[:index],
            explained=explained[:index],
            error=float(variances[index:].sum()),
            total=total,
            index=index,
            event="enough variance" if index == enough else None,
        )


def power_iteration(
    X: Float[ndarray, "n d"],
    *,
    rng: Generator,
    n_components: int = 1,
    standardize: bool = False,
    max_iter: int = 200,
    tol: float = 1e-6,
) -> Iterator[PowerStep]:
    """Repeat u <- S u / |S u| until |S u - (u^T S u) u| <= tol u^T S u, for each component in turn.

    There are at most `max_iter` steps a component, and fewer components if no variance is left.
    If one is not found in these steps, the run ends with "stopped at max_iter".

    Raises ValueError, at the call, unless X holds two different points, 1 <= n_components <= d,
    max_iter >= 1 and tol >= 0.
    """
    Z, mean, scale = centred(X, standardize)
    k = validate.integer("n_components", n_components, 1, Z.shape[1], high_name="d")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    return _power(covariance(Z), mean, scale, rng, k, max_iter, tol)


def _power(
    S: Float[ndarray, "d d"],
    mean: Float[ndarray, " d"],
    scale: Float[ndarray, " d"],
    rng: Generator,
    k: int,
    max_iter: int,
    tol: float,
) -> Iterator[PowerStep]:
    d, total = len(S), float(np.trace(S))
    exact, V = eigenvectors(S)  # only to say how far the vector has come
    left = S / total  # so that squares cannot overflow
    found, variances = np.empty((0, d)), np.empty(0)
    for index in range(k):
        u, event = _unit(_without(found, rng.normal(size=d))), None
        search = _search(left, u, max_iter, tol)
        for iteration, (u, product, quotient, event) in enumerate(search):
            angle, rate, shares = _progress(u, index, exact, V)
            rayleigh = total * quotient
            now = np.append(variances, rayleigh)
            yield PowerStep(
                mean=mean,
                scale=scale,
                components=np.vstack([found, u]),
                variances=now,
                explained=now / total,
                error=max(total - float(now.sum()), 0.0),
                total=total,
                index=index,
                iteration=iteration,
                product=total * product,
                norm=total * float(np.linalg.norm(product)),
                rayleigh=rayleigh,
                angle=angle,
                rate=rate,
                shares=shares,
                eigenvalues=exact,
                event=event or ("next component" if index > 0 and iteration == 0 else None),
            )
        found, variances = np.vstack([found, u]), np.append(variances, u @ S @ u)
        keep = np.eye(d) - np.outer(u, u)
        left = keep @ left @ keep
        if event == "stopped at max_iter" or np.trace(left) <= FLOOR * d:
            return


def _search(
    S: Float[ndarray, "d d"], u: Float[ndarray, " d"], max_iter: int, tol: float
) -> Iterator[tuple[Float[ndarray, " d"], Float[ndarray, " d"], float, PowerEvent | None]]:
    """Give u, the S u it was made from (0 at the start), its Rayleigh quotient and event."""
    product = np.zeros(len(u))
    for iteration in range(max_iter + 1):
        image = S @ u
        rayleigh = float(u @ image)
        if np.linalg.norm(image - rayleigh * u) <= tol * rayleigh + FLOOR:
            yield u, product, rayleigh, "converged"
            return
        yield u, product, rayleigh, "stopped at max_iter" if iteration == max_iter else None
        u, product = _unit(image), image


def _progress(
    u: Float[ndarray, " d"], index: int, exact: Float[ndarray, " d"], V: Float[ndarray, "d d"]
) -> tuple[float, float, Float[ndarray, " d"]]:
    """Return the angle to the answer in degrees, the rate and the shares along all eigenvectors."""
    shares = (V @ u) ** 2
    answer = np.abs(exact - exact[index]) <= TIED * exact[0]  # a plane if two are equal
    beyond = exact[(exact < exact[index]) & ~answer]
    rate = float(beyond[0] / exact[index]) if len(beyond) and exact[index] > 0 else 0.0
    away, towards = np.sqrt(shares[~answer].sum()), np.sqrt(shares[answer].sum())
    return float(np.degrees(np.arctan2(away, towards))), rate, shares


def _without(found: Float[ndarray, "k d"], u: Float[ndarray, " d"]) -> Float[ndarray, " d"]:
    return u - (found @ u) @ found


def _unit(u: Float[ndarray, " d"]) -> Float[ndarray, " d"]:
    return u / np.linalg.norm(u)
