"""Sequences of inputs to read, and the weights of a cell that keeps a marked input."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

NOISY = "one bit, then noise"
SEQUENCES = (
    "one bit, then silence",
    NOISY,
    "one bit, then the opposite",
    "silence",
    "to and fro",
)
OPEN = 8.0  # the weight of the mark in the sum of the input gate
LOUD = 2.0  # the weight of the input in the modified state
LOUDNESS = 0.7  # of the noise, at most; and of the opposite bit


def sequence(name: str, T: int, *, rng: np.random.Generator) -> Float[ndarray, " T"]:
    """Return T inputs from -1 to 1. Only the noise depends on `rng`."""
    x = np.zeros(T)
    if name == NOISY:
        x = rng.uniform(-LOUDNESS, LOUDNESS, T)
    elif name == "one bit, then the opposite":
        x[T // 2] = -LOUDNESS
    elif name == "to and fro":
        x = np.where(np.arange(T) % 2 == 0, 1.0, -1.0)
    if name != "silence":
        x[0] = 1.0
    return x


def marked(x: Float[ndarray, " T"]) -> Float[ndarray, "T 2"]:
    """Return the inputs with a second column, the mark: 1 at the first time, 0 later."""
    return np.column_stack([x, np.arange(len(x)) == 0]).astype(float)


def keeping(*, forget: float, let_in: float, output: float, through_h: float) -> ndarray:
    """Return the (4, 4) weights of a cell whose input gate opens at the mark.

    forget, let_in, output : the biases of the gates. through_h : the weight of h_(t-1) in the
    modified state.
    """
    return np.array([
        [0.0, 0.0, 0.0, forget],
        [0.0, OPEN, 0.0, let_in],
        [LOUD, 0.0, through_h, 0.0],
        [0.0, 0.0, 0.0, output],
    ])  # fmt: skip
