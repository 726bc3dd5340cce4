r"""The same network of sigmoids as in sigmoid_bumps.py, found by gradient descent instead.

Objective, over 100 places x_i, evenly spaced on the truth's stretch, and in units v of f's own
standard deviation:

    L = 1/(2n) sum_i (N(x_i) - f(x_i))^2
    N(x) = offset + sum_j v_j sigma(z_j),      z_j = w_j u + b_j

Backpropagation, with the error e_i = N(x_i) - f(x_i):

    dL/dv_j = 1/n sum_i e_i sigma(z_ij),       dL/d offset = 1/n sum_i e_i
    delta_ij = e_i v_j sigma(z_ij) (1 - sigma(z_ij)),
    dL/dw_j = 1/n sum_i delta_ij u_i,          dL/db_j = 1/n sum_i delta_ij

Update rule: Adam, on all places at once (algorithms/regression/least_squares/optimizers.py).

Start: w_j drawn evenly from -k to k for k bumps, that is 2 k units, each at a place drawn evenly
from the stretch; v_j and offset 0.

Cost: O(n k) an epoch.

Source: 20APC3316 (002:2590, nonlinear regression).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.scaling import mean_and_variance
from algorithms.data.truths import Truth
from algorithms.networks.sigmoid_bumps import bump_network
from algorithms.networks.sigmoid_sum import Miss, SigmoidSum, miss, samples
from algorithms.regression.least_squares.optimizers import Adam, descend

LEARNED = 100  # places

Event = Literal["nearer than the bumps", "diverged"]


@dataclass(frozen=True, eq=False)
class TrainedStep(SigmoidSum):
    """The network after so many epochs; also a model.

    `miss` tells how far it is from the truth, `bumps_miss` how far as many bumps by hand are.

    Events: "nearer than the bumps" (for the first time, by the root mean square), "diverged".
    """

    epoch: int
    miss: Miss
    bumps_miss: Miss
    event: Event | None = None


def trained_sigmoids(
    truth: Truth,
    *,
    bumps: int = 10,
    steepness: float = 20.0,
    learning_rate: float = 0.05,
    epochs: int = 300,
    rng: Generator,
) -> Iterator[TrainedStep]:
    """Train as many hidden units as so many bumps take; a step is an epoch, the first the start.

    Raises ValueError, at the call, unless bumps and epochs >= 1 and the other numbers are positive.
    """
    goal = miss(samples(truth), bump_network(truth, bumps=bumps, steepness=steepness))
    rule = Adam(learning_rate)
    epochs = validate.integer("epochs", epochs, 1)
    return _train(truth, goal, rule, epochs, _drawn_start(bumps, rng))


def _drawn_start(bumps: int, rng: Generator) -> Float[ndarray, " p"]:
    """Draw w and b of every unit; v and the offset are 0."""
    weights = rng.uniform(-bumps, bumps, 2 * bumps)
    biases = -weights * rng.uniform(-1, 1, 2 * bumps)
    return np.concatenate([weights, biases, np.zeros(2 * bumps + 1)])


def _train(
    truth: Truth, goal: Miss, rule: Adam, epochs: int, start: Float[ndarray, " p"]
) -> Iterator[TrainedStep]:
    u, f = np.linspace(-1, 1, LEARNED), samples(truth, LEARNED).f
    mean, variance = mean_and_variance(f[:, None])
    level, spread = float(mean[0]), float(np.sqrt(variance[0]))
    target = (f - level) / spread

    def gradient(theta: Float[ndarray, " p"], _: int) -> Float[ndarray, " p"]:
        w, b, v = theta[:-1].reshape(3, -1)
        units = expit(u[:, None] * w + b)
        error = (units @ v + theta[-1] - target) / LEARNED
        deltas = error[:, None] * v * units * (1 - units)
        return np.concatenate([u @ deltas, deltas.sum(axis=0), error @ units, [error.sum()]])

    beaten, known = False, samples(truth)
    for at in descend(gradient, start, rule, max_iter=epochs):
        w, b, v = at.point[:-1].reshape(3, -1)
        network = SigmoidSum(
            truth.low / 2 + truth.high / 2, truth.high / 2 - truth.low / 2,
            w, b, spread * v, level + spread * float(at.point[-1]),
        )  # fmt: skip
        now = miss(known, network)
        first = now.rms < goal.rms and not beaten
        beaten |= first
        event: Event | None = "nearer than the bumps" if first else None
        if at.event == "diverged":
            event = "diverged"
        yield TrainedStep(**vars(network), epoch=at.index, miss=now, bumps_miss=goal, event=event)
