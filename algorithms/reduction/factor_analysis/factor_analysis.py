"""Factor analysis by expectation-maximisation (EM): a few factors, and noise of each column's own.

Model: c hidden factors z make all d columns, and every column adds a noise of its own,

    x = mu + Lambda z + e,     z ~ N(0, I),     e_j ~ N(0, psi_j)
    so  x ~ N(mu, Lambda Lambda^T + Psi),     Psi = diag(psi_1, ..., psi_d)

Objective: the loadings Lambda and the noise variances psi with the largest log-likelihood,

    l = -n/2 ( d ln 2 pi + ln |Sigma| + tr(Sigma^-1 S) ),     Sigma = Lambda Lambda^T + Psi

where S is the covariance matrix of the points (divided by n) and mu their mean. Update rule:

    expectation:   G <- (I + Lambda^T Psi^-1 Lambda)^-1,   B <- G Lambda^T Psi^-1
                   z_i = B (x_i - mu),   C = mean of E[z z^T] = G + B S B^T
    maximization:  Lambda <- S B^T R^-T with R R^T = C,   psi_j <- s_jj - sum_k lambda_jk^2

The expectation estimates the factors of every point; a column with much noise counts little. The
maximization is a regression of the columns on these estimates: S B^T C^-1 are its slopes, and psi
is what they leave over. The estimates have the spread C and not I, so the slopes take the spread
along: S B^T C^-1 R = S B^T R^-T. (Without R this is plain EM, which needs more steps.) l never
falls. In other units of a column, its row of Lambda and the root of its psi change with the unit;
nothing else does. For any rotation R, Lambda R has the same Sigma, so l cannot choose R.

Start: given loadings, or the principal components of the standardised columns; the rest of every
column's variance is its noise.

The floor. A psi that becomes 0 says that a factor is this column, without noise (a Heywood case). l
can grow without bound if this happens to more than c columns. So no psi falls below FLOOR times the
column's variance; for a column that does not vary, the mean variance of all columns stands in. EM
gets near the floor slowly.

Cost: O(n d^2) once, then O(d^3) a step.

Source: 20APC3316 (002:1903, which writes psi as the mean of the noise: it is its variance); Rubin
and Thayer 1982; Liu, Rubin and Wu 1998 (R: parameter-expanded EM).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.reduction.pca.projection import centred_and_scaled, eigenvectors

FLOOR = 1e-6  # of a column's variance: no noise variance is smaller
START = 0.05  # of a column's variance: the least noise to start from

Phase = Literal["expectation", "maximization"]
Event = Literal["noise at the floor", "converged", "stopped at max_iter"]


def factor_analysis(
    X: Float[ndarray, "n d"],
    *,
    n_components: int,
    max_iter: int = 1000,
    tol: float = 1e-6,
    loadings: Float[ndarray, "d c"] | None = None,
) -> Iterator["FactorAnalysisStep"]:
    """Alternate expectation and maximization until l rises by at most `tol`.

    The first step is the expectation at the start, which `loadings` can give; at most `max_iter`
    pairs of a maximization and an expectation follow.

    Raises ValueError, at the call, unless X holds two different points, 1 <= n_components <= d,
    max_iter >= 1, tol >= 0, and the loadings have the shape (d, n_components).
    """
    T, scaling = centred_and_scaled(X, False)
    n, d = T.shape
    c = validate.integer("n_components", n_components, 1, d, high_name="d")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    S = T.T @ T / n
    Lambda = components(S, c) if loadings is None else loadings
    if Lambda.shape != (d, c):
        raise ValueError(f"loadings must have the shape {(d, c)}, got {Lambda.shape}")
    first = start(n, scaling.center, S, Lambda)
    return iterate(first, partial(advance, n, S, tol=tol), most=2 * max_iter)


def advance(
    n: int, S: Float[ndarray, "d d"], step: "FactorAnalysisStep", *, tol: float = 1e-6
) -> "FactorAnalysisStep":
    """Return the half-step that follows `step`."""
    spend(10.0 * len(S) ** 3)
    if step.phase == "maximization":
        B, C = expectation(S, step.loadings, step.noise_variances)
        event = "converged" if step.rise <= tol else None
        return replace(step, phase="expectation", regression=B, second_moment=C, event=event)
    Lambda, psi = maximization(S, step.regression, step.second_moment)
    at = np.maximum(psi, floor := least_noise(S))
    fell = ((at == floor) & (step.noise_variances > floor)).any()
    ln_p = log_likelihood(n, S, Lambda, at)
    return replace(
        step,
        phase="maximization",
        loadings=Lambda,
        noise_variances=at,
        log_likelihood=ln_p,
        rise=ln_p - step.log_likelihood,
        event="noise at the floor" if fell else None,
    )


def expectation(
    S: Float[ndarray, "d d"], Lambda: Float[ndarray, "d c"], psi: Float[ndarray, " d"]
) -> tuple[Float[ndarray, "c d"], Float[ndarray, "c c"]]:
    """B <- G Lambda^T Psi^-1 with G = (I + Lambda^T Psi^-1 Lambda)^-1;  C = G + B S B^T."""
    G = np.linalg.inv(np.eye(Lambda.shape[1]) + Lambda.T @ (Lambda / psi[:, None]))
    B = G @ (Lambda / psi[:, None]).T
    return B, G + B @ S @ B.T


def maximization(
    S: Float[ndarray, "d d"], B: Float[ndarray, "c d"], C: Float[ndarray, "c c"]
) -> tuple[Float[ndarray, "d c"], Float[ndarray, " d"]]:
    """Lambda <- S B^T R^-T with R R^T = C,  psi_j <- s_jj - sum_k lambda_jk^2."""
    R = np.linalg.cholesky(C)
    Lambda = solve_triangular(R, B @ S, lower=True).T
    return Lambda, S.diagonal() - np.square(Lambda).sum(axis=1)


def log_likelihood(
    n: int, S: Float[ndarray, "d d"], Lambda: Float[ndarray, "d c"], psi: Float[ndarray, " d"]
) -> float:
    """l = -n/2 ( d ln 2 pi + ln |Sigma| + tr(Sigma^-1 S) ),  Sigma = Lambda Lambda^T + Psi."""
    root, low = cho_factor(Lambda @ Lambda.T + np.diag(psi))
    ln_det = 2 * np.log(root.diagonal()).sum()
    trace = np.trace(cho_solve((root, low), S))
    return float(-n / 2 * (len(S) * np.log(2 * np.pi) + ln_det + trace))


def least_noise(S: Float[ndarray, "d d"]) -> Float[ndarray, " d"]:
    """Return the floor of every column's noise variance."""
    s = S.diagonal()
    return FLOOR * np.where(s > 0, s, s.mean())


def components(S: Float[ndarray, "d d"], c: int) -> Float[ndarray, "d c"]:
    """Return the loadings of the components of the standardised columns."""
    s = least_noise(S) / FLOOR
    values, U = eigenvectors(S / np.outer(np.sqrt(s), np.sqrt(s)))
    return np.sqrt(s)[:, None] * (np.sqrt(values[:c])[:, None] * U[:c]).T


def start(
    n: int, mean: Float[ndarray, " d"], S: Float[ndarray, "d d"], Lambda: Float[ndarray, "d c"]
) -> "FactorAnalysisStep":
    """Return the first expectation, from the loadings at the start."""
    s = least_noise(S) / FLOOR
    psi = np.maximum(s - np.square(Lambda).sum(axis=1), START * s)
    B, C = expectation(S, Lambda, psi)
    ln_p = log_likelihood(n, S, Lambda, psi)
    return FactorAnalysisStep("expectation", mean, S, Lambda, psi, B, C, ln_p, 0.0)


@dataclass(frozen=True, eq=False)
class FactorAnalysisStep(Record):
    """One half-step of EM; also a model, since it estimates the factors of any points.

    `covariance` is S. `regression` is B and `second_moment` C; after a maximization they are still
    those before it. `rise` is by how much the last maximization raised l.

    Events: "noise at the floor" (a noise variance would fall below its floor), "converged",
    "stopped at max_iter".
    """

    phase: Phase
    mean: Float[ndarray, " d"]
    covariance: Float[ndarray, "d d"]
    loadings: Float[ndarray, "d c"]
    noise_variances: Float[ndarray, " d"]
    regression: Float[ndarray, "c d"]
    second_moment: Float[ndarray, "c c"]
    log_likelihood: float
    rise: float
    event: Event | None = None

    @property
    def implied(self) -> Float[ndarray, "d d"]:
        """Return Sigma = Lambda Lambda^T + Psi."""
        return self.loadings @ self.loadings.T + np.diag(self.noise_variances)

    @property
    def common(self) -> Float[ndarray, " d"]:
        """Return the variance of every column that comes from the factors."""
        return np.square(self.loadings).sum(axis=1)

    def transform(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return the estimates z = B (x - mu) of the factors for every row of `X`."""
        B, _ = expectation(self.covariance, self.loadings, self.noise_variances)
        return (X - self.mean) @ B.T
