from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from scipy.special import expit

from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.backpropagation import backpropagation, nearest_row
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_perceptron
from algorithms.networks.multilayer_perceptron.network import Activation
from algorithms.networks.multilayer_perceptron.start import drawn_start
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"hidden": (2,)}
SHAPES = [(2,), (3, 2), ()]


def data(name: str) -> tuple[ndarray, ndarray]:
    made = dataset(name, 40, noise=0.2)
    return standard(made.X).transform(made.X), made.labels


@pytest.mark.parametrize("hidden", SHAPES)
def test_the_phases_follow_each_other(hidden: tuple[int, ...]) -> None:
    X, y = data("blobs")
    steps = check_steps(backpropagation(X, y, hidden=hidden, rng=rng()))
    m = len(hidden) + 1
    assert [(step.phase, step.layer) for step in steps] == [
        ("input", 0),
        *(("forward", layer) for layer in range(1, m + 1)),
        ("loss", 0),
        *(("backward", layer) for layer in range(m, 0, -1)),
        *(("update", layer) for layer in range(m, 0, -1)),
        ("again", 0),
    ]
    for step in steps:
        check_model(step, X)


CENTRAL = Checked(
    "multilayer_perceptron",
    "Central differences of the loss, for every weight and bias of a step of backpropagation",
    18,
    "networks",
    within=1e-7,
)
assert CENTRAL.cases == 2 * 3 * len(SHAPES)


@pytest.mark.parametrize("name", ["moons", "blobs"])
@pytest.mark.parametrize("kind", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("hidden", SHAPES)
def test_gradients_are_central_differences_and_the_update_follows_them(
    name: str, kind: Activation, hidden: tuple[int, ...]
) -> None:
    X, y = data(name)
    row = 7
    *_, end = backpropagation(
        X, y, hidden=hidden, activation=kind, learning_rate=0.4, row=row, rng=rng(3)
    )
    layers = drawn_start(2, hidden, len(np.unique(y)), rng=rng(3))

    def loss() -> float:
        """Return the loss of one point, computed by the other algorithm."""
        run = multilayer_perceptron(
            X, y, hidden=hidden, activation=kind, epochs=0, start=layers, rng=rng()
        )
        return -np.log(next(iter(run)).predict_proba(X[[row]])[0, y[row]])

    assert end.loss == pytest.approx(loss())
    for layer, (W, b) in enumerate(layers):
        for part, gradient in ((W, end.gradients[layer]), (b, end.deltas[layer])):
            for place in np.ndindex(part.shape):
                sides = []
                for change in (1e-5, -1e-5):
                    part[place] += change
                    sides.append(loss())
                    part[place] -= change
                assert gradient[place] == pytest.approx(
                    (sides[0] - sides[1]) / 2e-5, abs=CENTRAL.within
                )
        np.testing.assert_allclose(end.weights[layer], W - 0.4 * end.gradients[layer])
        np.testing.assert_allclose(end.biases[layer], b - 0.4 * end.deltas[layer])
    layers = list(zip(end.weights, end.biases, strict=True))
    layers = [(np.array(W), np.array(b)) for W, b in layers]
    assert end.loss_after == pytest.approx(loss())


def test_two_sigmoids_and_an_output_by_hand() -> None:
    X, y = data("moons")
    steps = list(backpropagation(X, y, hidden=(2,), activation="sigmoid", row=4, rng=rng(1)))
    (W, _), (V, _) = drawn_start(2, (2,), 2, rng=rng(1))
    a = expit(X[4] @ W)
    P = expit(float(a @ V[:, 0]))
    np.testing.assert_allclose(steps[1].activations_known[1], a)
    assert steps[3].probabilities is not None
    np.testing.assert_allclose(steps[3].probabilities, [1 - P, P])
    np.testing.assert_allclose(steps[4].deltas[0], [P - y[4]])
    np.testing.assert_allclose(steps[5].deltas[0], (P - y[4]) * V[:, 0] * a * (1 - a))
    np.testing.assert_array_equal(steps[5].weights[0], W)
    np.testing.assert_allclose(steps[6].weights[1], V - np.outer(a, P - y[4]))
    np.testing.assert_array_equal(steps[6].weights[0], W)


def test_weights_of_zero_pass_no_blame_back() -> None:
    X, y = data("moons")
    *_, end = backpropagation(X, y, hidden=(2,), activation="sigmoid", rng=rng(), spread=0.0)
    assert not end.deltas[0].any()
    assert not end.weights[0].any()
    sign = 2 * int(y[0]) - 1
    assert end.weights[1].tolist() == [[0.25 * sign], [0.25 * sign]]
    assert end.biases[1].tolist() == [0.5 * sign]


def test_too_long_a_step_raises_the_loss() -> None:
    X, y = data("blobs")
    how: dict[str, Any] = {"hidden": (2,), "activation": "tanh"}
    ends = [
        list(backpropagation(X, y, learning_rate=rate, row=row, rng=rng(2), **how))[-1]
        for rate in (0.01, 30.0)
        for row in range(40)
    ]
    for end in ends:
        assert end.loss is not None
        assert end.loss_after is not None
        assert (end.event == "loss rises") == (end.loss_after > end.loss)
    assert not any(end.event for end in ends[:40])
    assert any(end.event for end in ends[40:])


def test_a_row_that_is_not_there_is_refused() -> None:
    X, y = data("moons")
    with AsInTheApp(), pytest.raises(ValueError, match="row must be between 0 and n - 1=39"):
        backpropagation(X, y, hidden=(2,), row=40, rng=rng())


def test_the_nearest_row_is_measured_by_the_spread_of_each_axis() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1000.0], [0.0, 1000.0]])
    assert nearest_row(X, np.array([0.9, 600.0])) == 1
    assert nearest_row(X, np.array([0.1, 400.0])) == 0
    assert nearest_row(np.ones((3, 2)), np.zeros(2)) == 0
