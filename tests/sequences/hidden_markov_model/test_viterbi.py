"""The best path against all paths: see also test_forward_backward.py."""

import numpy as np

from algorithms.core.record import last
from algorithms.sequences.hidden_markov_model.forward_backward import forward_backward
from algorithms.sequences.hidden_markov_model.model import Model
from algorithms.sequences.hidden_markov_model.viterbi import viterbi
from tests.sequences.hidden_markov_model.joint import log_joint
from tests.sequences.hidden_markov_model.test_forward_backward import ARGUMENTS  # noqa: F401


def test_the_states_one_by_one_need_not_be_a_path() -> None:
    """Three rooms in a row, without a door from the first to the third."""
    start = [0.5, 0.2, 0.3]
    transitions = [[0.8, 0.2, 0.0], [0.4, 0.1, 0.5], [0.0, 0.1, 0.9]]
    emissions = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    o = np.array([0, 0, 2, 2])
    singly = last(forward_backward(o, start, transitions, emissions)).posteriors.argmax(axis=1)
    path = last(viterbi(o, start, transitions, emissions)).path
    assert singly.tolist() == [0, 0, 2, 2] and path.tolist() == [0, 1, 2, 2]
    model = Model(*map(np.array, (start, transitions, emissions)))
    assert log_joint(model, singly, o) == -np.inf
