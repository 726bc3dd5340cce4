"""The cell with gates against a recursion and central differences."""

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.record import last
from algorithms.sequences.recurrent_unit.lstm_cell import lstm_cell
from tests.house.checked import Checked

RECURSION = Checked("recurrent_unit", "A recursion, for the cell", 50, "random runs", 1e-12)
DIFFERENCES = Checked(
    "recurrent_unit", "Central differences, for all gradients of the cell", 50, "random runs", 1e-6
)
ARGUMENTS = {
    "inputs": np.array([[1.0], [0.0], [-0.5]]),
    "weights": np.random.default_rng(0).normal(size=(4, 3)),
}
H = 1e-5


def sigmoid(a: float) -> float:
    return 1 / (1 + np.exp(-a))


def cell(x: ndarray, W: ndarray, c: float = 0.0, h: float = 0.0) -> tuple[float, float]:
    """Return the last c and h, one time after the other."""
    for row in x:
        sums = [float(np.dot(w, [*row, h, 1.0])) for w in W]
        c = sigmoid(sums[0]) * c + sigmoid(sums[1]) * np.tanh(sums[2])
        h = sigmoid(sums[3]) * np.tanh(c)
    return c, h


def by_cell(x: ndarray, W: ndarray, c: float, o: float) -> float:
    """Return the slope of the last h by c, which also changes its h, o tanh(c)."""
    ends = [cell(x, W, c + by, o * np.tanh(c + by))[1] for by in (H, -H)]
    return (ends[0] - ends[1]) / (2 * H)


def by_state(x: ndarray, W: ndarray, c: float, h: float) -> float:
    return (cell(x, W, c, h + H)[1] - cell(x, W, c, h - H)[1]) / (2 * H)


def drawn(case: int) -> tuple[ndarray, ndarray]:
    rng = np.random.default_rng(case)
    d = int(rng.integers(1, 3))
    return rng.uniform(-1, 1, (int(rng.integers(1, 10)), d)), rng.normal(size=(4, d + 2))


def test_the_states_are_those_of_the_recursion() -> None:
    for case in range(RECURSION.cases):
        x, W = drawn(case)
        steps = list(lstm_cell(x, W))
        assert len(steps) == 2 * len(x) and steps[-1].event == "finished"
        for t, found in enumerate(zip(steps[-1].cells, steps[-1].states, strict=True)):
            assert found == pytest.approx(cell(x[:t], W), abs=RECURSION.within, rel=0)


def test_the_gradients_are_central_differences() -> None:
    """A changed c_t also changes h_t, but c_0 does not change h_0."""
    for case in range(DIFFERENCES.cases):
        x, W = drawn(case)
        end = last(lstm_cell(x, W))
        T, near = len(x), {"abs": DIFFERENCES.within, "rel": 1e-5}
        for t in range(T + 1):
            c, h = end.cells[t], end.states[t]
            o = end.gates[t - 1, 3] if t else 0.0
            assert end.dc[t] == pytest.approx(by_cell(x[t:], W, c, o), **near)
            assert end.dh[t] == pytest.approx(by_state(x[t:], W, c, h), **near)
        for place in np.ndindex(W.shape):
            more = np.zeros_like(W)
            more[place] = H
            numeric = (cell(x, W + more)[1] - cell(x, W - more)[1]) / (2 * H)
            assert end.dw[place] == pytest.approx(numeric, **near)


def test_without_a_way_through_h_the_gradient_is_a_product_of_forget_gates() -> None:
    x, W = drawn(3)
    W[:, -2] = 0
    end = last(lstm_cell(x, W))
    first = end.gates[-1, 3] * (1 - np.tanh(end.cells[-1]) ** 2)
    kept = np.append(np.cumprod(end.gates[:0:-1, 0])[::-1], 1.0)
    assert end.dc[1:] == pytest.approx(first * kept, rel=1e-12)


@pytest.mark.parametrize(
    ("inputs", "weights", "words"),
    [
        (np.zeros((0, 1)), np.zeros((4, 3)), "inputs"),
        (np.zeros((3, 1)), np.zeros((4, 2)), "weights must have shape"),
        (np.zeros((3, 1)), np.full((4, 3), np.nan), "weights must be finite"),
    ],
)
def test_errors(inputs: ndarray, weights: ndarray, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        lstm_cell(inputs, weights)
