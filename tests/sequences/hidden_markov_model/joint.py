"""The joint probability of a path and the observations, factor by factor."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from algorithms.sequences.hidden_markov_model.model import Model


def log_joint(model: Model, path: Int[ndarray, " T"], observations: Int[ndarray, " T"]) -> float:
    """Return ln P(q, o); minus infinity for a path that the model forbids."""
    pi, A, B = model
    with np.errstate(divide="ignore"):
        chances = [np.log(pi[path[0]]), *np.log(A[path[:-1], path[1:]])]
        return float(np.sum(chances) + np.log(B[path, observations]).sum())
