"""Support vector regression of y on x, for points of a plane in any units.

The run is on standard units, u = (x - mean x) / standard deviation of x and v likewise of y, so
that one C, one epsilon and one kernel suit any data: epsilon is a share of the spread of y.
"""

from collections.abc import Iterator

from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel
from algorithms.core.scaling import standard
from algorithms.regression.support_vector_regression import TubeStep, support_vector_regression


def tube_on_plane(
    plane: Float[ndarray, "n 2"],
    *,
    C: float = 1.0,
    epsilon: float = 0.1,
    kernel: Kernel = DEFAULT,
    max_iter: int = 5000,
) -> Iterator[TubeStep]:
    """Run `support_vector_regression` of the second column of `plane` on the first one.

    Raises ValueError, at the call, unless the plane is finite; and what it raises.
    """
    plane = validate.points(plane, name="plane")
    u, v = standard(plane).transform(plane).T
    return support_vector_regression(
        u[:, None], v, C=C, epsilon=epsilon, kernel=kernel, max_iter=max_iter
    )
