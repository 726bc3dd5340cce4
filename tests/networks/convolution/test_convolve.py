import re

import numpy as np
import pytest
from scipy.signal import convolve2d, correlate2d

from algorithms.core.record import last
from algorithms.networks.convolution.convolve import convolve, pooled
from algorithms.networks.convolution.drawn import drawn, shifted
from algorithms.networks.convolution.kernels import KERNELS
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.networks.convolution.convolve import edges

ARGUMENTS = {
    "image": np.random.default_rng(0).normal(size=(6, 7)),
    "kernel": np.random.default_rng(1).normal(size=(3, 3)),
}

SCIPY = Checked(
    "convolution",
    "SciPy's `correlate2d`, every stride and padding of the lab",
    20,
    "random drawings and kernels",
    within=1e-9,
)


def example(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(8 + seed % 5, 9)), rng.normal(size=(3, 3))


@pytest.mark.parametrize("seed", range(SCIPY.cases))
def test_agrees_with_scipy(seed: int) -> None:
    image, kernel = example(seed)
    for padding in (0, 1, 2):
        theirs = correlate2d(np.pad(image, padding), kernel, mode="valid")
        for stride in (1, 2, 3):
            ours = last(convolve(image, kernel, stride=stride, padding=padding)).output
            wanted = theirs[::stride, ::stride]
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=SCIPY.within)


def test_the_convolution_is_that_of_the_turned_kernel() -> None:
    image, kernel = example(3)
    ours = last(convolve(image, kernel[::-1, ::-1])).output
    np.testing.assert_allclose(ours, convolve2d(image, kernel, mode="valid"), atol=1e-9)


def test_each_step_is_a_place_with_its_products() -> None:
    image, kernel = example(0)
    steps = check_steps(convolve(image, kernel, stride=2))
    height, width = steps[0].output.shape
    assert len(steps) == height * width
    for i, step in enumerate(steps):
        assert (step.row, step.column) == divmod(i, width) and step.places == i + 1
        top, left = 2 * step.row, 2 * step.column
        by_hand = sum(kernel[a, b] * image[top + a, left + b] for a in range(3) for b in range(3))
        assert np.isclose(step.value, by_hand) and np.isclose(step.products.sum(), by_hand)
        assert (step.output.ravel()[i + 1 :] == 0).all()
        assert step.output[step.row, step.column] == step.value
    events = [step.event for step in steps]
    assert events[-1] == "finished" and events.count("row finished") == height - 1


def test_flat_areas_are_multiplied_by_the_sum_of_the_kernel() -> None:
    sums = {"vertical edges": 0, "horizontal edges": 0, "outline": 0}
    for name, kernel in KERNELS.items():
        output = last(convolve(np.full((5, 5), 0.7), kernel)).output
        np.testing.assert_allclose(output, 0.7 * sums.get(name, 1), atol=1e-12)


def test_the_map_shifts_with_the_drawing() -> None:
    image, kernel = example(1)
    for by in (-3, -1, 1, 2):
        moved = shifted(image, by)
        np.testing.assert_array_equal(
            moved[:, max(by, 0) : 9 + min(by, 0)], image[:, max(-by, 0) : 9 - max(by, 0)]
        )
        assert (np.delete(moved, range(max(by, 0), 9 + min(by, 0)), axis=1) == 0).all()
        a, b = last(convolve(image, kernel)).output, last(convolve(moved, kernel)).output
        kept = a.shape[1] - abs(by)
        pair = (a[:, :kept], b[:, -kept:]) if by > 0 else (a[:, -kept:], b[:, :kept])
        np.testing.assert_allclose(*pair, atol=1e-12)


def test_the_drawing_has_its_first_row_at_the_top() -> None:
    image = drawn(np.array([[0.1, 0.9]]), (0.0, 1.0, 0.0, 1.0), 1.0, cells=4)
    assert image[0, 0] == 1 and image.sum() == 1
    assert drawn(np.array([[0.1, 0.9]]), (0.0, 1.0, 0.0, 1.0), 1.0, cells=4, shift=2)[0, 2] == 1
    with pytest.raises(ValueError, match="no drawing yet"):
        drawn(np.empty((0, 2)), (0.0, 1.0, 0.0, 1.0), 1.0)


def test_pooling_keeps_the_largest_or_the_mean_of_each_block() -> None:
    cells = np.arange(20.0).reshape(4, 5)
    np.testing.assert_array_equal(pooled(cells, "max"), [[6, 8], [16, 18]])
    np.testing.assert_array_equal(pooled(cells, "mean"), [[3, 5], [13, 15]])
    with pytest.raises(ValueError, match="size"):
        pooled(cells, "max", 5)


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    image, kernel = example(0)
    for bad in (
        {"stride": 0},
        {"padding": -1},
        {"kernel": np.ones((99, 1))},
        {"image": [[np.nan]]},
    ):
        with AsInTheApp(), pytest.raises(ValueError):
            convolve(**{"image": image, "kernel": kernel} | bad)


def test_the_caption_names_the_edges_that_are_blue_and_orange() -> None:
    stroke = np.zeros((9, 9))
    stroke[2:7, 2:7] = 1.0
    sides = {"left": (4, 1), "right": (4, 6), "upper": (1, 4), "lower": (6, 4)}  # of the output
    turned = {f"−{name}": -kernel for name, kernel in KERNELS.items()}
    named = {name: said for name, k in (KERNELS | turned).items() if (said := edges(k))}
    assert set(named) == {
        f"{sign}{way} edges" for sign in ("", "−") for way in ("vertical", "horizontal")
    }
    for name, said in named.items():
        blue, orange = re.findall(r"the (\w+) (?:edges|ones)", said)
        found = last(convolve(stroke, (KERNELS | turned)[name])).output
        row, column = sides[blue]
        assert found[row - (row > 4), column - (column > 4)] > 0
        row, column = sides[orange]
        assert found[row - (row > 4), column - (column > 4)] < 0
