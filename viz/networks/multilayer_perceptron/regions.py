"""What a network predicts at every place of the plane, and how sure it is."""

from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.multilayer_perceptron.network import Network
from viz.core import plane
from viz.core.found import Regions
from viz.core.scene import Plane
from viz.core.theme import GREY

SIZE = 80  # cells along each axis of the picture


def winners(data: Plane, features: PolynomialFeatures, model: Network) -> tuple[ndarray, ndarray]:
    """Return the class of every cell, (SIZE, SIZE), and the probabilities of the classes."""
    P = model.predict_proba(plane.on_grid(features, data.bounds, SIZE))
    return model.classes[P.argmax(axis=1)].reshape(SIZE, SIZE), P


def areas(data: Plane, features: PolynomialFeatures, model: Network) -> list[dict]:
    """Draw the classes' regions and borders."""
    x, y, _ = plane.grid(data.bounds, SIZE)
    winner, P = winners(data, features, model)
    sure = plane.certainty(P.max(axis=1), P.shape[1]).reshape(SIZE, SIZE)
    return [
        plane.regions(winner, sure, data.bounds),
        plane.borders(x, y, P.T.reshape(-1, SIZE, SIZE), line={"width": 2}),
    ]


def regions(
    data: Plane, features: PolynomialFeatures, model: Network, units: slice = slice(None)
) -> list[dict]:
    """Draw the classes' regions and borders, and the lines on which z of a first-layer unit is 0.

    On its line the activation of a sigmoid is a half. units : which ones have a line.
    """
    corners = plane.on_corners(features, data.bounds)
    lines = [] if len(model.weights) == 1 else list((corners @ model.weights[0]).T)[units]
    look = {"width": 1.5, "dash": "dot", "color": GREY}
    return [
        *areas(data, features, model),
        *(
            plane.straight_border(
                line + bias, data.bounds, line=look, name="z of a unit of layer 1 is 0"
            )
            for line, bias in zip(lines, model.biases[0][units], strict=False)
        ),
    ]


def found(data: Plane, features: PolynomialFeatures, model: Network) -> Regions:
    """Return what Compare compares: the class of every cell."""
    return Regions(winners(data, features, model)[0])
