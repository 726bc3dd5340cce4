"""Forward and backward against all paths, one by one."""

from itertools import product

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.sequences.hidden_markov_model.baum_welch import baum_welch
from algorithms.sequences.hidden_markov_model.forward_backward import forward_backward, passages
from algorithms.sequences.hidden_markov_model.model import sample
from algorithms.sequences.hidden_markov_model.viterbi import viterbi
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from tests.sequences.hidden_markov_model.every_path import every_path, some_model
from tests.sequences.hidden_markov_model.joint import log_joint

ARGUMENTS = {
    "observations": np.array([0, 1, 1, 0, 1]),
    "start": [0.5, 0.5],
    "transitions": [[0.7, 0.3], [0.4, 0.6]],
    "emissions": [[0.8, 0.2], [0.3, 0.7]],
}

ALL_PATHS = Checked(
    "hidden_markov_model",
    "All paths, one by one, for forward-backward and Viterbi",
    60,
    "random models with up to four states and six times",
    within=1e-10,
)
PROBLEMS = [
    (seed, 1 + seed % 4, 1 + seed % 3, 1 + seed % 6, seed % 2 == 1)
    for seed in range(ALL_PATHS.cases)
]


@pytest.mark.parametrize(("seed", "k", "s", "T", "zeros"), PROBLEMS)
def test_against_all_paths(seed: int, k: int, s: int, T: int, zeros: bool) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(rng, k, s, zeros)
    states, o = sample(model, T, rng=rng)  # so it is possible
    paths = every_path(model, o)
    total = sum(paths.values())
    assert paths[tuple(states.tolist())] > 0

    steps = check_steps(forward_backward(o, *model))
    assert len(steps) == 2 * T - 1
    end = steps[-1]
    assert end.log_likelihood == pytest.approx(np.log(total), abs=ALL_PATHS.within)
    for t, i in product(range(T), range(k)):
        there = sum(p for path, p in paths.items() if path[t] == i)
        assert end.posteriors[t, i] == pytest.approx(there / total, abs=ALL_PATHS.within)
        past = every_path(model, o[: t + 1])
        filtered = sum(p for path, p in past.items() if path[t] == i) / sum(past.values())
        assert end.filtered[t, i] == pytest.approx(filtered, abs=ALL_PATHS.within)

    best = last(viterbi(o, *model))
    assert len(list(viterbi(o, *model))) == 2 * T
    assert best.log_probability == pytest.approx(np.log(max(paths.values())), abs=ALL_PATHS.within)
    assert log_joint(model, best.path, o) == pytest.approx(best.log_probability)


def test_a_step_is_one_column_and_what_is_known_grows() -> None:
    model = some_model(np.random.default_rng(5), 3, 2)
    o = np.array([0, 1, 1, 0])
    steps = list(forward_backward(o, *model))
    assert [(step.phase[0], step.t) for step in steps] == [
        ("f", 0), ("f", 1), ("f", 2), ("f", 3), ("b", 2), ("b", 1), ("b", 0),
    ]  # fmt: skip
    for t in range(4):
        np.testing.assert_allclose(steps[t].filtered, steps[-1].filtered[: t + 1])
        assert len(steps[3 + t].posteriors) == t + 1 if t < 4 else True
        np.testing.assert_allclose(steps[3 + t].posteriors, steps[-1].posteriors[3 - t :])
    assert steps[3].event == "last observation" and steps[-1].event == "finished"
    back = list(viterbi(o, *model))[4:]
    assert [step.t for step in back] == [3, 2, 1, 0]
    for step in back:
        np.testing.assert_array_equal(step.path, back[-1].path[step.t :])


@pytest.mark.parametrize("T", [1_000, 20_000])
def test_long_sequences_do_not_underflow(T: int) -> None:
    model = some_model(np.random.default_rng(1), 3, 4)
    states, o = sample(model, T, rng=np.random.default_rng(2))
    end = last(forward_backward(o, *model))
    assert -T * np.log(4) * 2 < end.log_likelihood < 0
    np.testing.assert_allclose(end.posteriors.sum(axis=1), 1)
    best = last(viterbi(o, *model))
    assert np.isfinite(best.log_probability) and len(best.path) == T
    assert log_joint(model, best.path, o) == pytest.approx(best.log_probability)
    assert best.log_probability >= log_joint(model, states, o)


def test_passages_are_those_of_all_paths() -> None:
    model = some_model(np.random.default_rng(3), 2, 3)
    o = np.array([0, 2, 1, 1])
    paths = every_path(model, o)
    end = last(forward_backward(o, *model))
    found = passages(model, o, end)
    for t, i, j in product(range(3), range(2), range(2)):
        there = sum(p for path, p in paths.items() if path[t : t + 2] == (i, j))
        assert found[t, i, j] == pytest.approx(there / sum(paths.values()))
    half = list(forward_backward(o, *model))[1]
    np.testing.assert_allclose(passages(model, o, half).sum(axis=(1, 2)), [1, 0, 0])


@pytest.mark.parametrize("algorithm", [forward_backward, viterbi, baum_welch])
def test_what_does_not_fit_is_refused_at_the_call(algorithm) -> None:
    fit = {"start": [0.5, 0.5], "transitions": np.full((2, 2), 0.5), "emissions": np.eye(2)}
    for change, sentence in [
        ({"start": [0.5, 0.6]}, "start must hold probabilities"),
        ({"transitions": np.full((3, 3), 1 / 3)}, "transitions must have shape"),
        ({"emissions": np.eye(3)}, "transitions must have shape"),
        ({"observations": np.zeros(0, int)}, "observations must hold at least one"),
        ({"observations": np.array([0, 2])}, "observations must be between 0 and"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            algorithm(**({"observations": np.array([0, 1])} | fit | change))


@pytest.mark.parametrize("algorithm", [forward_backward, viterbi, baum_welch])
def test_an_impossible_observation_is_named(algorithm) -> None:
    with pytest.raises(ValueError, match="observation 2"):
        list(algorithm(np.array([0, 1]), [1, 0], np.eye(2), np.eye(2)))
