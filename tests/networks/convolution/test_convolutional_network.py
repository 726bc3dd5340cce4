import itertools

import numpy as np
import pytest

from algorithms.networks.convolution.bars_and_dots import bars_and_dots, kinds
from algorithms.networks.convolution.convolutional_network import (
    Shape,
    Weights,
    convolutional_network,
    forward,
    gradient,
    loss,
)
from algorithms.networks.convolution.convolve import convolve
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

SHAPES = [Shape(f, pool) for f in ("relu", "tanh") for pool in ("max", "mean")]
IMAGES = bars_and_dots(40, rng=np.random.default_rng(0))
ARGUMENTS = {"images": IMAGES}

DIFFERENCES = Checked(
    "convolution",
    "central differences, the gradient of every weight",
    20,
    "random networks of each kind",
    within=1e-6,
)


def network(seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    return Weights(rng.normal(size=(2, 3, 3)), rng.normal(size=2), rng.normal(size=2), 0.3)


def packed(weights: Weights) -> np.ndarray:
    return np.concatenate([np.ravel(part) for part in weights])


def unpacked(theta: np.ndarray) -> Weights:
    return Weights(theta[:18].reshape(2, 3, 3), theta[18:20], theta[20:22], float(theta[22]))


@pytest.mark.parametrize("seed", range(DIFFERENCES.cases))
def test_the_gradient_is_that_of_central_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    images, y = rng.normal(size=(10, 6, 7)), (np.arange(10) < 4).astype(float)
    theta = packed(network(seed))
    for shape in SHAPES:
        found = packed(gradient(images, y, shape, unpacked(theta)))
        for i, direction in enumerate(1e-6 * np.eye(len(theta))):
            up, down = (
                loss(y, forward(images, shape, unpacked(theta + way * direction)).s)
                for way in (1, -1)
            )
            assert abs(found[i] - (up - down) / 2e-6) <= DIFFERENCES.within


def test_the_maps_are_those_of_convolve() -> None:
    weights = network(0)
    found = forward(IMAGES, Shape("tanh", "mean"), weights)
    for i in (0, 39):
        for k in (0, 1):
            output = list(convolve(IMAGES[i], weights.kernels[k]))[-1].output
            A = np.tanh(output + weights.biases[k])
            np.testing.assert_allclose(found.A[i, k].reshape(6, 6), A, atol=1e-12)
            np.testing.assert_allclose(found.p[i, k], A.mean(), atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_steps_follow_the_gradient(shape: Shape) -> None:
    y = kinds(40)
    steps = check_steps(
        convolutional_network(
            IMAGES, y, shape=shape, learning_rate=0.05, max_iter=30, rng=np.random.default_rng(1)
        )
    )
    assert len(steps) == 31 and steps[-1].loss < steps[0].loss
    assert steps[-1].event == "stopped at max_iter"
    for before, after in itertools.pairwise(steps):
        moved = packed(before.weights) - 0.05 * packed(
            gradient(IMAGES, y * 1.0, shape, before.weights)
        )
        np.testing.assert_allclose(packed(after.weights), moved, atol=1e-12)
        P = after.probabilities
        by_hand = -np.where(y == 1, np.log(P), np.log(1 - P)).mean()
        assert np.isclose(after.loss, by_hand)
        np.testing.assert_array_equal(after.predict(IMAGES), (P > 0.5).astype(int))


@pytest.mark.thorough
def test_a_dead_kernel_stays_as_it_is_and_its_death_is_an_event() -> None:
    y, found = kinds(40), 0
    for seed in range(30):
        steps = list(
            convolutional_network(
                IMAGES, y, max_iter=60, learning_rate=2.0, rng=np.random.default_rng(seed)
            )
        )
        for before, after in itertools.pairwise(steps):
            assert (after.event == "dead kernel") == (after.dead > before.dead) or (
                after.event == "stopped at max_iter"
            )
            maps = forward(IMAGES, after.shape, after.weights).A.max(axis=(0, 2))
            assert after.dead == (maps == 0).sum()
            gone = forward(IMAGES, before.shape, before.weights).A.max(axis=(0, 2)) == 0
            np.testing.assert_array_equal(after.kernels[gone], before.kernels[gone])
            found += bool(gone.any())
    assert found


def test_drawings_have_four_cells_in_a_bar_or_apart() -> None:
    for both_ways in (True, False):
        images = bars_and_dots(200, both_ways=both_ways, rng=np.random.default_rng(2))
        assert (images.sum(axis=(1, 2)) == 4).all()
        for image, kind in zip(images, kinds(200), strict=True):
            rows, columns = np.nonzero(image)
            if kind:
                spans = (np.ptp(rows), np.ptp(columns))
                assert spans in ({(3, 0), (0, 3)} if both_ways else {(3, 0)})
            else:
                apart = np.maximum(abs(rows[:, None] - rows), abs(columns[:, None] - columns))
                assert (apart + 9 * np.eye(4) >= 2).all()


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    rng, y = np.random.default_rng(0), kinds(40)
    for bad in (
        {"images": IMAGES[:, :2]}, {"images": IMAGES[0]}, {"images": IMAGES * np.nan},
        {"y": np.zeros(40, int)}, {"kernels": 0}, {"learning_rate": 0}, {"max_iter": 0},
    ):  # fmt: skip
        with AsInTheApp(), pytest.raises(ValueError):
            convolutional_network(**{"images": IMAGES, "y": y, "rng": rng} | bad)
