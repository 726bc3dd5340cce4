"""A network for curves: one hidden layer of sigmoids, and an output that adds them up.

    N(x) = offset + sum_j v_j sigma(w_j u + b_j),   u = (x - center) / half,   sigma(z) = 1/(1+e^-z)

where u runs from -1 to 1 on the interval of the truth. Each hidden unit is a smooth step, the
steeper the larger |w_j|; its height is the output's weight v_j.

How far N is from a function f is measured at 400 places, evenly spaced on the interval: by the root
of the mean square of f - N, and by the largest |f - N|. Where f jumps, the largest is also taken on
both sides of the jump, so that no jump is between two places: N is continuous, so it misses f by at
least half the jump on one of the sides.

Source: 20APC3316 (002:2342).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.special import expit

from algorithms.core.record import Record
from algorithms.data.truths import Truth

PLACES = 400


@dataclass(frozen=True, eq=False)
class SigmoidSum(Record):
    """The network: `weights`, `biases` and `heights` of its hidden units, and the `offset`."""

    center: float
    half: float
    weights: Float[ndarray, " h"]
    biases: Float[ndarray, " h"]
    heights: Float[ndarray, " h"]
    offset: float

    def predict(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, " m"]:
        """Return N for every row of `X`."""
        return self.units(X[:, 0]) @ self.heights + self.offset

    def units(self, x: Float[ndarray, " m"]) -> Float[ndarray, "m h"]:
        """Return the activation of every hidden unit at every x."""
        u = (x - self.center) / self.half
        return expit(u[:, None] * self.weights + self.biases)


class Miss(NamedTuple):
    """How far a network is from a function: root mean square, the largest, and the x of that."""

    rms: float
    largest: float
    at: float


class Samples(NamedTuple):
    """A truth at the places where networks are compared with it, and on both sides of its jumps."""

    x: Float[ndarray, " m"]
    f: Float[ndarray, " m"]
    beside: Float[ndarray, " j"]
    f_beside: Float[ndarray, " j"]


def samples(truth: Truth, count: int = PLACES) -> Samples:
    """Return the truth at `count` places, evenly spaced on its interval."""
    x = np.linspace(truth.low, truth.high, count)
    jumps = np.array(truth.jumps, float)
    beside = np.concatenate([np.nextafter(jumps, -np.inf), jumps])
    return Samples(x, truth(x), beside, truth(beside))


def miss(known: Samples, network: SigmoidSum) -> Miss:
    """Return how far the network is from a truth."""
    size = np.abs(known.f - network.predict(known.x[:, None]))
    rms = float(np.sqrt(np.mean(size * size)))
    x = np.concatenate([known.x, known.beside])
    size = np.append(size, np.abs(known.f_beside - network.predict(known.beside[:, None])))
    worst = int(size.argmax())
    return Miss(rms, float(size[worst]), float(x[worst]))
