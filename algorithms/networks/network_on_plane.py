"""A network that predicts y from x, for points of a plane in any units.

The run is on standard units, u = (x - mean x) / standard deviation of x and v likewise of y, so
that one start, one learning rate and one penalty suit any data: a loss of 1/2 is that of the mean.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron import (
    MultilayerRegressionStep,
    multilayer_regression,
)


def network_on_plane(
    plane: Float[ndarray, "n 2"], *, hidden: Sequence[int], rng: Generator, **how: Any
) -> Iterator[MultilayerRegressionStep]:
    """Run `multilayer_regression` of the second column of `plane` on the first one.

    Its steps predict v from u. The other parameters are those of `multilayer_regression`.

    Raises ValueError, at the call, unless the plane is finite; and what it raises.
    """
    plane = validate.points(plane, name="plane")
    u, v = standard(plane).transform(plane).T
    return multilayer_regression(u[:, None], v, hidden=hidden, rng=rng, **how)
