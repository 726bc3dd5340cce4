"""Hidden Markov models with names for their states and symbols.

Sources: a fair and a loaded die, Durbin et al. 1998; ice creams and weather, Eisner 2002 with the
tables of Jurafsky and Martin; the three rooms are our own.
"""

from typing import NamedTuple

import numpy as np

from algorithms.sequences.hidden_markov_model.model import Model


class NamedModel(NamedTuple):
    """A model with the names of its states and of its symbols."""

    model: Model
    states: tuple[str, ...]
    symbols: tuple[str, ...]


def _model(start: list, transitions: list, emissions: list) -> Model:
    return Model(np.array(start), np.array(transitions), np.array(emissions))


HIDDEN_MODELS = {
    "fair and loaded die": NamedModel(
        _model(
            [0.5, 0.5],
            [[0.95, 0.05], [0.10, 0.90]],
            [[1 / 6] * 6, [0.1, 0.1, 0.1, 0.1, 0.1, 0.5]],
        ),
        ("fair", "loaded"),
        ("1", "2", "3", "4", "5", "6"),
    ),
    "weather and ice creams": NamedModel(
        _model([0.8, 0.2], [[0.6, 0.4], [0.5, 0.5]], [[0.2, 0.4, 0.4], [0.5, 0.4, 0.1]]),
        ("hot", "cold"),
        ("1", "2", "3"),
    ),
    "three rooms in a row": NamedModel(
        _model(
            [0.5, 0.2, 0.3],
            [[0.8, 0.2, 0.0], [0.4, 0.1, 0.5], [0.0, 0.1, 0.9]],
            [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
        ),
        ("hall", "corridor", "kitchen"),
        ("hall", "corridor", "kitchen"),
    ),
}
