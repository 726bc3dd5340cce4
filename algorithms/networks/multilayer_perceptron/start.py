"""The first weights of a network, and all weights and biases as one vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.networks.multilayer_perceptron.network import Layers

MOST_LAYERS = 5  # hidden ones
LARGEST = 1e15  # a weight beyond it ends the run: so no gradient can overflow

Start = Sequence[tuple[Float[ndarray, "_ _"], Float[ndarray, " _"]]]
Parts = tuple[tuple[ndarray, ...], tuple[ndarray, ...]]


def drawn_layers(
    inputs: int, hidden: Sequence[int], outputs: int, *, rng: Generator, spread: float = 1.0
) -> Start:
    """Draw the weights of every layer evenly from -r to r, r = spread sqrt(6 / (in + out))."""
    spread = min(validate.number("spread", spread), LARGEST / 10)
    layers = []
    for before, width in pairwise([inputs, *_hidden(hidden), outputs]):
        r = spread * sqrt(6 / (before + width))
        layers.append((rng.uniform(-r, r, size=(before, width)), np.zeros(width)))
    return layers


def drawn_start(
    d: int, hidden: Sequence[int], classes: int, *, rng: Generator, spread: float = 1.0
) -> Start:
    """Draw the first weights of a network for classes; two classes get one output unit."""
    return drawn_layers(d, hidden, classes if classes > 2 else 1, rng=rng, spread=spread)


def fitting(start: Start, inputs: int, hidden: Sequence[int], outputs: int) -> Start:
    """Return a copy of the start; raises ValueError unless its shapes fit."""
    layers = [(np.array(W, dtype=float), np.array(b, dtype=float)) for W, b in start]
    wanted = [((a, b), (b,)) for a, b in pairwise([inputs, *_hidden(hidden), outputs])]
    found = [(W.shape, b.shape) for W, b in layers]
    if found != wanted:
        raise ValueError(f"start must have the shapes {wanted}, got {found}")
    for part in (part for layer in layers for part in layer):
        validate.within(part, name="start", limit=LARGEST)
    return layers


def fitting_classes(start: Start, inputs: int, hidden: Sequence[int], classes: int) -> Start:
    """Return a copy of the start of a network for classes; two classes may have one output unit."""
    last = np.size(start[-1][1]) if len(start) else 0
    return fitting(start, inputs, hidden, 1 if classes == 2 and last == 1 else classes)


def units_alike(start: Start) -> bool:
    """Return whether all units of some hidden layer are the same, coming in and going out."""
    return any(
        len(b) > 1 and np.ptp(W, axis=1).max() == np.ptp(b) == np.ptp(V, axis=0).max() == 0
        for (W, b), (V, _) in pairwise(start)
    )


def _hidden(hidden: Sequence[int]) -> list[int]:
    if len(hidden) > MOST_LAYERS:
        raise ValueError(f"hidden must name at most {MOST_LAYERS} layers, got {len(hidden)}")
    return [validate.integer("hidden", units, 1) for units in hidden]


@dataclass(frozen=True)
class Shapes:
    """Where every part is in theta: the weights of all layers, then their biases.

    pieces : first entry, end and shape of each part.
    """

    pieces: tuple[tuple[int, int, tuple[int, ...]], ...]

    @classmethod
    def of(cls, start: Start) -> "Shapes":
        """Return the shapes of these layers."""
        parts = [*(W for W, _ in start), *(b for _, b in start)]
        ends = np.cumsum([part.size for part in parts]).tolist()
        shapes = [part.shape for part in parts]
        return cls(tuple(zip([0, *ends[:-1]], ends, shapes, strict=True)))

    @property
    def weights(self) -> int:
        """Return the number of weights; the biases come after them."""
        return self.pieces[len(self.pieces) // 2 - 1][1]

    def parts(self, theta: Float[ndarray, " p"]) -> Parts:
        """Return the weights and the biases in theta, and make theta read-only."""
        theta.flags.writeable = False
        parts = [theta[first:end].reshape(shape) for first, end, shape in self.pieces]
        layers = len(parts) // 2
        return tuple(parts[:layers]), tuple(parts[layers:])


def flat(parts: Layers) -> Float[ndarray, " p"]:
    """Return all numbers, one part after another."""
    return np.concatenate([part.ravel() for part in parts])
