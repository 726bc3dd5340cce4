from typing import Any

import numpy as np
import pytest
from sklearn.neural_network import MLPRegressor

from algorithms.data.truths import TRUTHS
from algorithms.networks.universal_approximation.sigmoid_bumps import bump_network
from algorithms.networks.universal_approximation.sigmoid_sum import miss, samples
from algorithms.networks.universal_approximation.trained_sigmoids import trained_sigmoids
from tests.house.checked import Checked

ARGUMENTS = {"truth": TRUTHS["sine"]}


SCIKIT_LEARN = Checked(
    "universal_approximation",
    "scikit-learn's `MLPRegressor` from the same start, the curve after 15 epochs of Adam",
    3,
    "curves",
    within=1e-3,
)
CURVES = ["sine", "cubic", "step"]
assert SCIKIT_LEARN.cases == len(CURVES)


@pytest.mark.parametrize("name", CURVES)
def test_it_learns_as_scikit_learns_network_does(name: str) -> None:
    truth, rng = TRUTHS[name], np.random.default_rng(4)
    steps = list(trained_sigmoids(truth, bumps=3, epochs=15, learning_rate=0.05, rng=rng))
    u = np.linspace(-1, 1, 100)[:, None]
    f = truth(3 * u[:, 0])
    target = (f - f.mean()) / f.std()
    batch: Any = {"batch_size": 100}  # their stubs know the default only, which is text
    theirs: Any = MLPRegressor(
        hidden_layer_sizes=(6,),
        activation="logistic",
        alpha=0.0,
        shuffle=False,
        learning_rate_init=0.05,
        **batch,
    ).partial_fit(u, target)
    for i, (W, b) in enumerate([(steps[0].weights[None], steps[0].biases), (np.zeros((6, 1)), 0)]):
        theirs.coefs_[i][:], theirs.intercepts_[i][:] = W, b
    del theirs._optimizer  # which remembers that first update
    for _ in range(15):
        theirs.partial_fit(u, target)
    predicted = f.mean() + f.std() * theirs.predict(u)
    # Their Adam has its epsilon at another place, which counts where a gradient nearly vanishes.
    np.testing.assert_allclose(
        steps[15].predict(3 * u), predicted, rtol=0, atol=SCIKIT_LEARN.within
    )


def test_the_start_is_flat_and_the_bumps_are_the_goal() -> None:
    truth = TRUTHS["sine"]
    steps = list(trained_sigmoids(truth, bumps=4, steepness=8.0, rng=np.random.default_rng(0)))
    goal = miss(samples(truth), bump_network(truth, bumps=4, steepness=8.0))
    assert len(steps) == 301 and all(step.bumps_miss == goal for step in steps)
    x = np.linspace(-3, 3, 50)[:, None]
    mean = truth(np.linspace(-3, 3, 100)).mean()
    np.testing.assert_allclose(steps[0].predict(x), mean, atol=1e-12)
    assert len(steps[0].weights) == 8 and np.abs(steps[0].weights).max() <= 4
    nearer = [step.epoch for step in steps if step.miss.rms < goal.rms]
    assert [s.epoch for s in steps if s.event == "nearer than the bumps"] == nearer[:1] != []
    for step in (steps[0], steps[77]):
        assert step.miss == miss(samples(truth), step)


@pytest.mark.parametrize(
    ("how", "words"),
    [({"epochs": 0}, "epochs"), ({"learning_rate": 0.0}, "rate"), ({"bumps": 0}, "bumps")],
)
def test_bad_arguments_are_refused_at_the_call(how: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        trained_sigmoids(TRUTHS["sine"], rng=np.random.default_rng(0), **how)
