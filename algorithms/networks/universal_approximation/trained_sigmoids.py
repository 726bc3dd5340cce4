r"""The same network of sigmoids as in sigmoid_bumps.py, found by gradient descent instead.

Objective, over 100 places x_i, evenly spaced on the interval of the truth, with f in units of its
own standard deviation:

    L = 1/(2n) sum_i (N(x_i) - f(x_i))^2
    N(x) = offset + sum_j v_j sigma(z_j),      z_j = w_j u + b_j

Backpropagation, with the error e_i = N(x_i) - f(x_i):

    dL/dv_j = 1/n sum_i e_i sigma(z_ij),       dL/d offset = 1/n sum_i e_i
    delta_ij = e_i v_j sigma(z_ij) (1 - sigma(z_ij)),
    dL/dw_j = 1/n sum_i delta_ij u_i,          dL/db_j = 1/n sum_i delta_ij

Update rule: Adam, on all places at once (algorithms/core/optimizers.py). With g the gradient by all
parameters θ = (w, b, v, offset), entry by entry,

    s <- .9 s + .1 g,   q <- .999 q + .001 g²,   θ <- θ - η ŝ / (√q̂ + ε)     (hats: corrected)

Start: w_j drawn evenly from -k to k for k bumps, that is 2 k units, each at a place drawn evenly
from the interval; v_j and offset 0.

Cost: O(n k) an epoch.

Source: 20APC3316 (002:2590, nonlinear regression).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.optimizers import Adam, Memory, usable
from algorithms.core.scaling import mean_and_variance
from algorithms.data.truths import Truth
from algorithms.networks.universal_approximation.sigmoid_bumps import bump_network
from algorithms.networks.universal_approximation.sigmoid_sum import (
    Miss,
    Samples,
    SigmoidSum,
    miss,
    samples,
)

LEARNED = 100  # places

Event = Literal["nearer than the bumps", "diverged"]


def trained_sigmoids(
    truth: Truth,
    *,
    bumps: int = 10,
    steepness: float = 20.0,
    learning_rate: float = 0.05,
    epochs: int = 300,
    rng: Generator,
) -> Iterator["TrainedStep"]:
    """Train as many hidden units as these bumps take; a step is an epoch, step 0 the start.

    Raises ValueError, at the call, unless bumps and epochs >= 1 and the other numbers are positive.
    """
    goal = miss(samples(truth), bump_network(truth, bumps=bumps, steepness=steepness))
    rule = Adam(learning_rate)
    epochs = validate.integer("epochs", epochs, 1)
    task = _task(truth, goal, rule)
    theta = _drawn_start(bumps, rng)
    first = _step(task, 0, theta, rule.init(len(theta)), goal.rms)
    return iterate(first, partial(advance, task), most=epochs, stopped=None)


def advance(task: "Task", step: "TrainedStep") -> "TrainedStep":
    """Return the network after one more epoch."""
    memory = Memory(step.epoch, step.velocity, step.squares)
    with np.errstate(over="ignore", invalid="ignore"):
        g = gradient(task.u, task.target, step.theta)
        change, memory = task.rule.update(g, memory)
        theta = step.theta + change
    if not usable(theta, g, memory):
        return replace(step, epoch=step.epoch + 1, event="diverged")
    return _step(task, step.epoch + 1, theta, memory, step.least)


def gradient(
    u: Float[ndarray, " n"], target: Float[ndarray, " n"], theta: Float[ndarray, " p"]
) -> Float[ndarray, " p"]:
    """Return dL/dw, dL/db, dL/dv and dL/d offset, one after another."""
    w, b, v = theta[:-1].reshape(3, -1)
    units = expit(u[:, None] * w + b)  # sigma(z_ij)
    error = (units @ v + theta[-1] - target) / len(u)  # e_i / n
    deltas = error[:, None] * v * units * (1 - units)
    return np.concatenate([u @ deltas, deltas.sum(axis=0), error @ units, [error.sum()]])


@dataclass(frozen=True, eq=False)
class TrainedStep(SigmoidSum):
    """The network after `epoch` epochs; also a model.

    `theta` has w, b, v and offset in units of the truth's standard deviation, `velocity` and
    `squares` what Adam keeps of them. `miss` is how far the network is from the truth, `bumps_miss`
    how far the bumps by hand are, `least` the smallest root mean square so far, theirs included.

    Events: "nearer than the bumps" (for the first time, by the root mean square), "diverged".
    """

    epoch: int
    theta: Float[ndarray, " p"]
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    miss: Miss
    bumps_miss: Miss
    least: float
    event: Event | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """What no epoch changes. u, target : the places, from -1 to 1, and the truth there.

    level, spread : mean and standard deviation of the truth. known : what the miss is measured on.
    """

    truth: Truth
    goal: Miss
    rule: Adam
    u: Float[ndarray, " n"]
    target: Float[ndarray, " n"]
    level: float
    spread: float
    known: Samples


def _task(truth: Truth, goal: Miss, rule: Adam) -> Task:
    u, f = np.linspace(-1, 1, LEARNED), samples(truth, LEARNED).f
    mean, variance = mean_and_variance(f[:, None])
    level, spread = float(mean[0]), float(np.sqrt(variance[0]))
    return Task(truth, goal, rule, u, (f - level) / spread, level, spread, samples(truth))


def _drawn_start(bumps: int, rng: Generator) -> Float[ndarray, " p"]:
    """Draw w and b of every unit; v and the offset are 0."""
    weights = rng.uniform(-bumps, bumps, 2 * bumps)
    biases = -weights * rng.uniform(-1, 1, 2 * bumps)
    return np.concatenate([weights, biases, np.zeros(2 * bumps + 1)])


def _step(
    task: Task,
    epoch: int,
    theta: Float[ndarray, " p"],
    memory: Memory,
    least: float,
) -> TrainedStep:
    """Return the step with these parameters. least : of the steps before it."""
    w, b, v = theta[:-1].reshape(3, -1)
    low, high = task.truth.low, task.truth.high
    offset = task.level + task.spread * float(theta[-1])
    network = SigmoidSum(low / 2 + high / 2, high / 2 - low / 2, w, b, task.spread * v, offset)
    now = miss(task.known, network)
    nearer = now.rms < task.goal.rms <= least
    return TrainedStep(
        **vars(network),
        epoch=epoch,
        theta=theta,
        velocity=memory.velocity,
        squares=memory.squares,
        miss=now,
        bumps_miss=task.goal,
        least=min(least, now.rms),
        event="nearer than the bumps" if nearer else None,
    )
