"""What a network predicts at every place of the plane, and how sure it is."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron.network import Network
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.scene import Plane
from viz.core.theme import GREY

SIZE = 80  # cells along each axis of the picture
_NAMED, _SPELT = 8, 4  # lines that have numbers of units, and lines that have names
_TOP = 0.08  # of the picture: the legend's room
_ENDS = (0.04, 0.3)  # of the way from an end of a line to its middle: where a name may stand
_SIDES = ("top right", "top left", "bottom right", "bottom left")


def winners(data: Plane, features: PolynomialFeatures, model: Network) -> tuple[ndarray, ndarray]:
    """Return the class of every cell, (SIZE, SIZE), and the probabilities of the classes."""
    P = model.predict_proba(plane.on_grid(features, data.bounds, SIZE))
    return model.classes[P.argmax(axis=1)].reshape(SIZE, SIZE), P


def areas(data: Plane, features: PolynomialFeatures, model: Network) -> list[dict]:
    """Draw the classes' regions and borders."""
    x, y, _ = plane.grid(data.bounds, SIZE)
    winner, P = winners(data, features, model)
    sure = plane.certainty(P.max(axis=1), P.shape[1]).reshape(SIZE, SIZE)
    decided = _decided(P, data, features, model)
    return [
        plane.regions(winner, sure, data.bounds),
        plane.borders(x, y, decided.T.reshape(-1, SIZE, SIZE), line={"width": 2}),
    ]


def _decided(P: ndarray, data: Plane, features: PolynomialFeatures, model: Network) -> ndarray:
    """Return the probabilities, changed where both classes are tied because all ReLUs are 0.

    A tie has the first class, so the border is where the first ReLU begins that is for the second.
    There its sum z is 0: behind it, the margin goes on below 0 with z, and not as a plateau of 0.
    """
    tied = P[:, 0] == P[:, -1]
    if P.shape[1] != 2 or model.activation != "relu" or len(model.weights) == 1 or not tied.any():
        return P
    if not (P[:, 1] > P[:, 0]).any():
        return np.tile([1.0, 0.0], (len(P), 1))  # no border
    every = model.activations(plane.on_grid(features, data.bounds, SIZE))
    tied &= ~every[-2].any(axis=1)
    z = every[-3][tied] @ model.weights[-2] + model.biases[-2]
    w = model.weights[-1][:, 0]
    margin = np.where(w > 0, w * z, -1.0).max(axis=1).clip(-1.0, 0.0) / 4  # as in P
    decided = P.copy()
    decided[tied] += np.column_stack([-margin, margin])
    return decided


def regions(
    data: Plane, features: PolynomialFeatures, model: Network, units: slice = slice(None)
) -> list[dict]:
    """Draw the classes' regions and borders, and the lines on which z of a first-layer unit is 0.

    On its line the activation of a sigmoid is a half. A few lines have the names of their units.
    units : which ones have a line.
    """
    corners = plane.on_corners(features, data.bounds)
    scores = [] if len(model.weights) == 1 else list((corners @ model.weights[0]).T)[units]
    look = {"width": 1.5, "dash": "dot", "color": GREY}
    lines = [
        plane.straight_border(
            score + bias, data.bounds, line=look, name="z of a unit of layer 1 is 0"
        )
        for score, bias in zip(scores, model.biases[0][units], strict=False)
    ]
    names = _names(lines, units.start or 0, data) if len(lines) <= _NAMED else []
    return [*areas(data, features, model), *lines, *names]


def _names(lines: Sequence[dict], first: int, data: Plane) -> list[dict]:
    """Write a unit's name beside an end of its line, clear of points and other lines.

    Of many lines, only the numbers are written.
    """
    paths = [
        np.column_stack([plane.unpacked(line[axis]) for axis in "xy"]).astype(float)
        for line in lines
    ]
    paths = [path[np.isfinite(path[:, 0])] for path in paths]
    left, right, bottom, top = data.bounds
    box = (left, right, bottom, top - _TOP * (top - bottom))
    font = {"size": 14, "weight": 700}
    word = "unit " if len(lines) <= _SPELT else ""
    names = [
        naming.Name(f"{word}{first + i + 1}", _beside(path), font) for i, path in enumerate(paths)
    ]
    taken = np.concatenate([data.X, *map(naming.along, paths)]) if lines else data.X
    return naming.clear_names(names, box, taken)


def _beside(path: ndarray) -> list[tuple[ndarray, str]]:
    """Return places for a name beside a line: both sides of both of its ends."""
    if not len(path):
        return []
    middle = (path[0] + path[-1]) / 2
    ends = [end + far * (middle - end) for far in _ENDS for end in (path[-1], path[0])]
    return [(end, side) for end in ends for side in _SIDES]


def found(data: Plane, features: PolynomialFeatures, model: Network) -> Regions:
    """Return what Compare compares: the class of every cell."""
    return Regions(winners(data, features, model)[0])
