"""Well-known kernels of 3 x 3 weights."""

import numpy as np

KERNELS = {
    "vertical edges": np.array([[1.0, 0, -1], [2, 0, -2], [1, 0, -1]]),
    "horizontal edges": np.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]]),
    "outline": np.array([[0.0, -1, 0], [-1, 4, -1], [0, -1, 0]]),
    "blur": np.full((3, 3), 1 / 9),
    "sharpen": np.array([[0.0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
    "emboss": np.array([[-2.0, -1, 0], [-1, 1, 1], [0, 1, 2]]),
    "identity": np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]]),
}
