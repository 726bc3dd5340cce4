"""Names of the units and weights of a network."""

from algorithms.networks.multilayer_perceptron.network import Layered, Network
from viz.core.scene import Plane

G = {"tanh": "tanh z", "sigmoid": "1/(1 + e⁻ᶻ)", "relu": "max(0, z)"}


def weight_name(model: Layered, layer: int, i: int, j: int, data: Plane) -> str:
    """Name a weight by the units at its ends; `layer` is counted from 0."""
    start = data.names[i] if layer == 0 else unit_name(model, layer - 1, i, data)
    return f"{start} to {unit_name(model, layer, j, data)}"


def unit_name(model: Layered, layer: int, j: int, data: Plane) -> str:
    """Name a unit of a layer with weights, counted from 0; a single hidden layer has no number."""
    if layer < len(model.weights) - 1:
        if len(model.weights) == 2:
            return f"unit {j + 1}"
        return f"unit {j + 1} of layer {layer + 1}"
    if model.weights[-1].shape[1] == 1 or not isinstance(model, Network):
        return "the output"
    return f"the output of “{data.classes[int(model.classes[j])]}”"
