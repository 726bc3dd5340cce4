"""Principal components one after the other, by power iteration and deflation.

With S the covariance matrix of the centred (and, if wanted, scaled) points, from a random u,
orthogonal to the components before,

    u <- S u / |S u|

S u = sum_j lambda_j (u_j.u) u_j stretches u most along the first eigenvector u_1, so the tangent of
its angle to u shrinks at least by the factor lambda_2 / lambda_1 in every step. The Rayleigh
quotient u^T S u never falls, and its error shrinks with the square of that factor. If lambda_1 =
lambda_2 every unit vector of their plane is an answer. Deflation removes the component,

    S <- (I - u u^T) S (I - u u^T)                      for an eigenvector this is S - lambda u u^T

and the next eigenvalue is then the largest. (The first form stays positive semi-definite if u is
only nearly an eigenvector, so that the quotient cannot fall.)

Cost: O(n d^2) for S, then O(d^2) a step.

Source: 20APC3316 (002:1856), CS337 (003:1892); von Mises and Pollaczek-Geiringer 1929.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.reduction.pca._power_account import Account
from algorithms.reduction.pca.projection import FLOOR, Projection, centred_and_scaled, covariance

Event = Literal["next component", "converged", "stopped at max_iter"]


def power_iteration(
    X: Float[ndarray, "n d"],
    *,
    rng: Generator,
    n_components: int = 1,
    standardize: bool = False,
    max_iter: int = 200,
    tol: float = 1e-6,
) -> Iterator["PowerStep"]:
    """Repeat u <- S u / |S u| until |S u - (u^T S u) u| <= tol u^T S u, for each component in turn.

    There are at most `max_iter` steps a component, and fewer components if no variance is left.
    If one is not found in these steps, the run ends with "stopped at max_iter".

    Raises ValueError, at the call, unless X holds two different points, 1 <= n_components <= d,
    max_iter >= 1 and tol >= 0.
    """
    Z, scaling = centred_and_scaled(X, standardize)
    q = validate.integer("n_components", n_components, 1, Z.shape[1], high_name="d")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    S = covariance(Z)
    return _power(S, Account(S, scaling), rng, q, max_iter, tol)


def _power(
    S: Float[ndarray, "d d"],
    account: Account,
    rng: Generator,
    q: int,
    max_iter: int,
    tol: float,
) -> Iterator["PowerStep"]:
    d, event = len(S), None
    left = S / np.trace(S)  # so that squares cannot overflow
    for index in range(q):
        u, product = _unit(account.orthogonal(rng.normal(size=d))), np.zeros(d)
        for iteration in range(max_iter + 1):
            image = left @ u
            rayleigh = float(u @ image)
            event = "next component" if index > 0 and iteration == 0 else None
            if np.linalg.norm(image - rayleigh * u) <= tol * rayleigh + FLOOR:
                event = "converged"
            elif iteration == max_iter:
                event = "stopped at max_iter"
            yield _step(account, iteration, u, product, rayleigh, event)
            if event in ("converged", "stopped at max_iter"):
                break
            u, product = _unit(image), image
        account.keep(u, float(u @ S @ u))
        keep = np.eye(d) - np.outer(u, u)
        left = keep @ left @ keep
        if event == "stopped at max_iter" or np.trace(left) <= FLOOR * d:
            return


def _unit(u: Float[ndarray, " d"]) -> Float[ndarray, " d"]:
    return u / np.linalg.norm(u)


@dataclass(frozen=True, eq=False)
class PowerStep(Projection):
    """The components so far and, as the last row, the vector of this step.

    `index` counts the components from 0, `iteration` the steps for this one. `product` is S u for
    the vector u of the step before, and `norm` is its length (both 0 at the start of a component).
    The vector has Rayleigh quotient `rayleigh`, the last one of `variances`. Its angle to the exact
    eigenvector is `angle` degrees, and `rate` is lambda_2 / lambda_1 of what is left. `shares` are
    the squares of its coordinates along all exact eigenvectors; they sum to 1. `eigenvalues` are
    the exact ones.
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
    event: Event | None = None


def _step(
    account: Account,
    iteration: int,
    u: Float[ndarray, " d"],
    product: Float[ndarray, " d"],
    rayleigh: float,
    event: Event | None,
) -> PowerStep:
    total, index = account.total, len(account.components)
    variances = np.append(account.variances, total * rayleigh)
    angle, rate, shares = account.progress(u, index)
    return PowerStep(
        scaling=account.scaling,
        components=np.vstack([account.components, u]),
        variances=variances,
        explained=variances / total,
        error=max(total - float(variances.sum()), 0.0),
        total=total,
        index=index,
        iteration=iteration,
        product=total * product,
        norm=total * float(np.linalg.norm(product)),
        rayleigh=total * rayleigh,
        angle=angle,
        rate=rate,
        shares=shares,
        eigenvalues=account.eigenvalues,
        event=event,
    )
