"""Learning the tables, against the expected counts over all paths."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.sequences.hidden_markov_model.baum_welch import baum_welch
from algorithms.sequences.hidden_markov_model.forward_backward import forward_backward
from algorithms.sequences.hidden_markov_model.model import sample
from tests.house.check_steps import check_steps
from tests.house.checked import Checked
from tests.sequences.hidden_markov_model.every_path import every_path, some_model
from tests.sequences.hidden_markov_model.test_forward_backward import ARGUMENTS  # noqa: F401

EXPECTED_COUNTS = Checked(
    "hidden_markov_model",
    "The expected counts over all paths, for the M-step of Baum-Welch",
    20,
    "random models",
    within=1e-12,
)


@pytest.mark.parametrize("seed", range(20))
def test_baum_welch_never_lowers_the_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth, start = (some_model(rng, 1 + seed % 3, 2 + seed % 3) for _ in range(2))
    o = sample(truth, 5 + 10 * (seed % 4), rng=rng)[1]
    steps = check_steps(baum_welch(o, *start, max_iter=60))
    likelihoods = [step.log_likelihood for step in steps if step.phase == "expectation"]
    assert (np.diff(likelihoods) > -1e-9).all()
    assert steps[-1].event in ("converged", "stopped at max_iter")
    for step in steps:
        for table in (step.start[None], step.transitions, step.emissions):
            np.testing.assert_allclose(table.sum(axis=1), 1)
        if step.phase == "expectation":
            model = step.start, step.transitions, step.emissions
            end = last(forward_backward(o, *model))
            np.testing.assert_allclose(step.posteriors, end.posteriors, atol=1e-10)
            assert step.log_likelihood == pytest.approx(end.log_likelihood)


@pytest.mark.parametrize("seed", range(EXPECTED_COUNTS.cases))
def test_a_maximization_is_the_expected_counts_of_all_paths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(rng, 2, 3)
    o = np.array([0, 2, 1, 1, 0])
    paths = every_path(model, o)
    total = sum(paths.values())
    moves, seen = np.zeros((2, 2)), np.zeros((2, 3))
    for path, p in paths.items():
        for t in range(5):
            seen[path[t], o[t]] += p / total
            if t:
                moves[path[t - 1], path[t]] += p / total
    step = list(baum_welch(o, *model))[1]
    assert step.phase == "maximization"
    for found, counted in ((step.transitions, moves), (step.emissions, seen)):
        shares = counted / counted.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found, shares, rtol=0, atol=EXPECTED_COUNTS.within)


def test_equal_states_stay_equal_and_a_state_without_points_keeps_its_rows() -> None:
    o = np.array([0, 1, 0, 0, 1])
    even = last(baum_welch(o, [0.5, 0.5], np.full((2, 2), 0.5), np.full((2, 2), 0.5)))
    np.testing.assert_allclose(even.emissions, [[0.6, 0.4], [0.6, 0.4]])
    never = last(baum_welch(o, [1, 0], [[1, 0], [0.3, 0.7]], [[0.5, 0.5], [0.2, 0.8]]))
    np.testing.assert_allclose(never.emissions[1], [0.2, 0.8])
    np.testing.assert_allclose(never.transitions[1], [0.3, 0.7])
