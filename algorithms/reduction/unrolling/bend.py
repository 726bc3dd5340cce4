"""Whether the second axis of a map is only the first one, bent.

A line needs one axis. Methods that ask for a second axis without correlation with the first one get
the same line again, bent to a parabola or an arch. The bend is the share of the second axis that
the first one explains by a parabola:

    1 - min_(a, b, c) || z_2 - a - b z_1 - c z_1^2 ||^2 / || z_2 - mean(z_2) ||^2

Cost: O(n).

Source: Gerber, Tasdizen and Whitaker 2007 (repeated axes).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def bend(Z: Float[ndarray, "n c"]) -> float:
    """Return the share of the second axis that a parabola of the first explains; 0 without one."""
    if Z.shape[1] < 2:
        return 0.0
    first, second = (Z[:, j] / (np.abs(Z[:, j]).max() or 1.0) for j in (0, 1))
    about = second - second.mean()
    if not about.any():
        return 0.0
    A = np.column_stack([np.ones(len(Z)), first, np.square(first)])
    missed = second - A @ np.linalg.lstsq(A, second)[0]
    return float(1 - missed @ missed / (about @ about))
