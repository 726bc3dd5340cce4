r"""A curve out of sigmoids, by hand: two of them make a bump, and bumps side by side add up.

An interval of x is cut into k parts of width h. The bump on the part from a to b, with its middle
m, takes two hidden units, one that rises at a and one that is subtracted again at b:

    N <- N + f(m) [sigma(w (x - a)) - sigma(w (x - b))],    w = steepness / h

Neighbours share an edge. Where one bump falls the next one rises, so between their middles N goes
smoothly from f(m) to the next f(m). The first bump begins, and the last one ends, a whole part
outside the interval, where their edges do not matter.

A bump alone reaches only a share of its height, sigma(w h / 2) - sigma(-w h / 2) =
tanh(steepness / 4): if the edges are not steep, the bump is low and wide, and N is smeared. If they
are very steep, N is a staircase, which misses a smooth f by at most h/2 times its largest slope.
With k large enough this is as small as you like. So a network with one hidden layer can come near
any continuous f. At a jump within a part the largest miss stays, however large k is.

Nothing is learned here: all weights are written down. It takes 2 k hidden units.

Cost: O(m) a bump for m places at which N is compared with f.

Source: 20APC3316 (002:2380), which has the idea in any number of dimensions, with two hidden
layers: units that delimit a region, and a unit that is their AND. On a line a region is a part, and
the difference of two steps is its AND. Cybenko 1989, Hornik et al. 1989.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.data.truths import Truth
from algorithms.networks.universal_approximation.sigmoid_sum import Miss, SigmoidSum, miss, samples

Event = Literal["all bumps stand"]


@dataclass(frozen=True, eq=False)
class BumpStep(SigmoidSum):
    """The network with the first `bumps` bumps; also a model. At step 0 it has no hidden unit.

    `edges` and `middle` are those of the newest bump, at step 0 of the next one. `miss` is how far
    the network is from the truth on the whole interval.

    Events: "all bumps stand", at the end.
    """

    bumps: int
    edges: tuple[float, float]
    middle: float
    miss: Miss
    event: Event | None = None


def sigmoid_bumps(truth: Truth, *, bumps: int = 10, steepness: float = 20.0) -> Iterator[BumpStep]:
    """Put bumps side by side, from left to right, each as high as the truth in its middle.

    steepness : of an edge, times the width of a part. The last step is the whole network.

    Raises ValueError, at the call, unless bumps >= 1 and steepness > 0.
    """
    return _stand(truth, bump_network(truth, bumps=bumps, steepness=steepness))


def bump_network(truth: Truth, *, bumps: int, steepness: float) -> SigmoidSum:
    """Return the whole network: two hidden units for each bump, from left to right.

    Raises ValueError unless bumps >= 1 and steepness > 0.
    """
    bumps = validate.integer("bumps", bumps, 1)
    steepness = validate.number("steepness", steepness, positive=True)
    center, half = truth.low / 2 + truth.high / 2, truth.high / 2 - truth.low / 2
    width = 2 / bumps  # of a part, in u
    cuts = np.linspace(-1, 1, bumps + 1)
    values = truth(_middles(truth, bumps))
    cuts[[0, -1]] += [-width, width]
    weights = np.full(2 * bumps, steepness / width)
    edges = np.stack([cuts[:-1], cuts[1:]], axis=1).ravel()
    heights = np.stack([values, -values], axis=1).ravel()
    return SigmoidSum(center, half, weights, -weights * edges, heights, 0.0)


def _stand(truth: Truth, whole: SigmoidSum) -> Iterator[BumpStep]:
    bumps, known = len(whole.heights) // 2, samples(truth)
    edges = whole.center - whole.half * whole.biases / whole.weights
    middles = _middles(truth, bumps).tolist()
    for j in range(bumps + 1):
        first = replace(
            whole,
            weights=whole.weights[: 2 * j],
            biases=whole.biases[: 2 * j],
            heights=whole.heights[: 2 * j],
        )
        newest = max(j - 1, 0)
        yield BumpStep(
            **vars(first),
            bumps=j,
            edges=(float(edges[2 * newest]), float(edges[2 * newest + 1])),
            middle=middles[newest],
            miss=miss(known, first),
            event="all bumps stand" if j == bumps else None,
        )


def _middles(truth: Truth, bumps: int) -> Float[ndarray, " bumps"]:
    """Return the middles of the parts, from left to right."""
    return truth.low + (np.arange(bumps) + 0.5) * (truth.high - truth.low) / bumps


def by_number(truth: Truth, numbers: tuple[int, ...], steepness: float) -> Float[ndarray, "c 2"]:
    """Return rms and largest miss of the whole network with each of these numbers of bumps."""
    networks = (bump_network(truth, bumps=k, steepness=steepness) for k in numbers)
    known = samples(truth)
    return np.array([miss(known, network)[:2] for network in networks])
