"""Convolution: a small window of weights, the kernel, at one place of a drawing after the other.

    Z_rc = sum_ij W_ij x_(s r + i, s c + j),   row by row                   `advance`

with the stride s. x is the drawing with `padding` rows and columns of zeros on every side, W is the
kernel. Of h rows with k in the kernel, floor((h + 2 padding - k) / s) + 1 are left; columns alike.

Strictly, this is the cross-correlation. The convolution turns the kernel by half a turn first:
W_ij stands where W_(k-1-i, k-1-j) does. For a kernel that half a turn does not change, both are the
same; a network that learns its kernel learns the turned one in place of the other.

All places share the weights. So where all cells of a window are a, Z = a sum W, and a drawing that
is shifted by s cells has the same map, shifted by one cell, except near its edges.

Pooling keeps the largest, or the mean, of every block of cells of the map.

Cost: O(k^2) a place.

Source: CS337 (003:1476), which says itself that it calls the cross-correlation convolution. Slips
not copied: its mean kernel has nine weights of 1/4, which add up to 9/4; here they are 1/9. Where
all cells are the same, its edge kernel gives 0, and its mean kernel changes nothing: that holds for
sum 0 and sum 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Pooling = Literal["max", "mean"]


def convolve(
    image: Float[ndarray, "h w"],
    kernel: Float[ndarray, "a b"],
    *,
    stride: int = 1,
    padding: int = 0,
) -> Iterator["ConvolveStep"]:
    """Put the kernel on one place after the other; the first step is the first place.

    Raises ValueError, at the call, unless both are finite tables, stride >= 1, padding >= 0, and
    the kernel fits into the padded image.
    """
    image, kernel = validate.points(image, name="image"), validate.points(kernel, name="kernel")
    stride = validate.integer("stride", stride, 1)
    padding = validate.integer("padding", padding, 0)
    x = np.pad(image, padding)
    left = np.subtract(x.shape, kernel.shape)
    if (left < 0).any():
        raise ValueError(f"kernel must fit into the padded image {x.shape}, got {kernel.shape}")
    height, width = (left // stride + 1).tolist()
    put = partial(at_place, x, kernel, stride)
    first = put(np.zeros((height, width)), 0)
    return iterate(first, partial(advance, put), most=height * width - 1, stopped=None)


def advance(put: "partial[ConvolveStep]", step: "ConvolveStep") -> "ConvolveStep":
    """Put the kernel on the next place, row by row."""
    return put(step.output, step.places)


def at_place(
    x: Float[ndarray, "h w"],
    kernel: Float[ndarray, "a b"],
    stride: int,
    output: Float[ndarray, "p q"],
    place: int,
) -> "ConvolveStep":
    """Z_rc = sum_ij W_ij x_(s r + i, s c + j), at the place with this number."""
    r, c = divmod(place, output.shape[1])
    (a, b), top, left = kernel.shape, stride * r, stride * c
    window = x[top : top + a, left : left + b]
    products = kernel * window
    output = output.copy()
    output[r, c] = products.sum()
    event = "row finished" if c + 1 == output.shape[1] else None
    if place + 1 == output.size:
        event = "finished"
    return ConvolveStep(r, c, float(output[r, c]), window, products, output, event)


@dataclass(frozen=True, eq=False)
class ConvolveStep(Record):
    """One place of the window: its cells, their products with the weights, and their sum `value`.

    `output` is the map so far, 0 where the window has not been.
    """

    is_model = False

    row: int
    column: int
    value: float
    window: Float[ndarray, "a b"]
    products: Float[ndarray, "a b"]
    output: Float[ndarray, "p q"]
    event: Literal["row finished", "finished"] | None = None

    @property
    def places(self) -> int:
        """Return the number of places where the window has been."""
        return self.row * self.output.shape[1] + self.column + 1


def pooled(output: Float[ndarray, "p q"], how: Pooling, size: int = 2) -> Float[ndarray, "u v"]:
    """Return the largest or the mean of every block of size x size cells; what is left over goes.

    Raises ValueError unless a block fits.
    """
    size = validate.integer("size", size, 1, min(output.shape), high_name="the side of the map")
    u, v = np.array(output.shape) // size
    blocks = output[: u * size, : v * size].reshape(u, size, v, size)
    return blocks.max(axis=(1, 3)) if how == "max" else blocks.mean(axis=(1, 3))
