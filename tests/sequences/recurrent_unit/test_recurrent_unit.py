"""The plain unit against a recursion, central differences and SciPy's root finder."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy import ndarray
from scipy.optimize import brentq

from algorithms.core.record import last
from algorithms.sequences.recurrent_unit.recurrent_unit import fixed_points, recurrent_unit
from algorithms.sequences.recurrent_unit.sequences import SEQUENCES, sequence
from tests.core.figures import line
from tests.house.checked import Checked
from viz.core.theme import PALETTE
from viz.sequences.recurrent_unit.marks import gradients

RECURSION = Checked("recurrent_unit", "A recursion, for the states", 100, "random runs", 1e-12)
DIFFERENCES = Checked(
    "recurrent_unit", "Central differences, for all gradients of the unit", 100, "random runs", 1e-6
)
BRENT = Checked("recurrent_unit", "SciPy's brentq, for the fixed points", 300, "maps", 1e-9)
ARGUMENTS = {"x": np.array([1.0, 0.0, -0.5]), "w": 1.5}
H = 1e-5


def state(x: ndarray, w: float, u: float, b: float, h: float) -> float:
    """Return the last state by the rule, called for all times before."""
    return h if len(x) == 0 else float(np.tanh(w * state(x[:-1], w, u, b, h) + u * x[-1] + b))


def slope(of: Callable[[float], float], at: float) -> float:
    return (of(at + H) - of(at - H)) / (2 * H)


def by_state(x: ndarray, w: float, u: float, b: float, h: float) -> float:
    return slope(lambda a: state(x, w, u, b, a), h)


def by_weights(x: ndarray, w: float, u: float, b: float, h: float) -> tuple[float, float, float]:
    return (
        slope(lambda a: state(x, a, u, b, h), w),
        slope(lambda a: state(x, w, a, b, h), u),
        slope(lambda a: state(x, w, u, a, h), b),
    )


def drawn(case: int) -> tuple[ndarray, float, float, float, float]:
    rng = np.random.default_rng(case)
    w, u, b, h = rng.uniform([-2, -2, -2, -0.9], [2, 2, 2, 0.9])
    return rng.uniform(-1, 1, int(rng.integers(1, 15))), float(w), float(u), float(b), float(h)


def test_the_states_are_those_of_the_recursion() -> None:
    for case in range(RECURSION.cases):
        x, w, u, b, h = drawn(case)
        steps = list(recurrent_unit(x, w=w, u=u, b=b, start=h))
        assert len(steps) == 2 * len(x) and steps[-1].event == "finished"
        for t, found in enumerate(steps[-1].states):
            assert found == pytest.approx(state(x[:t], w, u, b, h), abs=RECURSION.within, rel=0)


def test_the_gradients_are_central_differences() -> None:
    for case in range(DIFFERENCES.cases):
        x, w, u, b, h = drawn(case)
        end = last(recurrent_unit(x, w=w, u=u, b=b, start=h))
        near = {"abs": DIFFERENCES.within, "rel": 1e-5}
        for t, g in enumerate(end.gradients):
            assert g == pytest.approx(by_state(x[t:], w, u, b, end.states[t]), **near)
        assert (end.dw, end.du, end.db) == pytest.approx(by_weights(x, w, u, b, h), **near)


def test_the_fixed_points_are_scipys() -> None:
    rng = np.random.default_rng(0)
    counts = set()
    for _ in range(BRENT.cases):
        w, b = rng.uniform(-4, 4), rng.uniform(-1.5, 1.5)
        grid = np.linspace(-1, 1, 20_001)
        above = np.tanh(w * grid + b) - grid
        cells = np.flatnonzero(np.sign(above[1:]) != np.sign(above[:-1]))
        roots = [
            brentq(lambda h: np.tanh(w * h + b) - h, grid[i], grid[i + 1], xtol=1e-14)  # noqa: B023
            for i in cells
        ]
        assert fixed_points(w, b) == pytest.approx(roots, abs=BRENT.within, rel=0)
        counts.add(len(roots))
    assert counts == {1, 3}


@pytest.mark.parametrize("w", [0.0, 1.0, 2.0, -3.0])
def test_silence_keeps_zero(w: float) -> None:
    """At h = 0 and b = 0 all slopes are w, so the gradient is a power of w."""
    end = last(recurrent_unit(np.zeros(9), w=w))
    assert end.gradients == pytest.approx(w ** np.arange(9, -1, -1.0), rel=1e-12)
    assert 0.0 in np.round(fixed_points(w, 0.0), 6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"x": np.zeros(0)}, "x must"), ({"w": np.nan}, "w must"), ({"u": np.inf}, "u must"),
        ({"b": np.nan}, "b must"), ({"start": 1.5}, "start must"),
    ],
)  # fmt: skip
def test_errors(wrong: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        recurrent_unit(**{"x": np.zeros(3), "w": 1.0, **wrong})


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences(name: str) -> None:
    x = sequence(name, 12, rng=np.random.default_rng(0))
    assert x.shape == (12,) and np.abs(x).max() == (0 if name == "silence" else 1)


def test_the_gradient_that_is_ahead_is_faint_until_the_way_back_reaches_it() -> None:
    whole = {"unit": np.array([0.125, 0.25, 0.5, 1.0])}
    for back in (-1, 0, 2):
        pale, bold, dot = gradients(whole, back, [{"color": PALETTE[0]}])["data"]
        assert dot["y"] == ([None] if back < 0 else [[1, 0.5, 0.25, 0.125][back]])
        np.testing.assert_allclose(line(pale)[:, 1], [1, 0.5, 0.25, 0.125])
        assert pale["opacity"] < 1 == bold.get("opacity", 1)
        known = line(bold)
        assert np.isnan(known).all() if back < 0 else len(known) == back + 1
