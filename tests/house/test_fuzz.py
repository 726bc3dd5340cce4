"""Every algorithm on hostile but finite data: steps that keep the contract, or a clear ValueError.

Warnings are errors in all tests, and the time limit of a test stands for "never hangs".
"""

import inspect
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.house.check_steps import AsInTheApp, algorithms, arguments, check_model, is_regression
from tests.house.check_steps import check_steps as check

MOST_STEPS = 300

SHAPES = {
    "scattered": lambda X: X,
    "one place": lambda X: np.broadcast_to(X[:1], X.shape).copy(),
    "few places": lambda X: X[np.arange(len(X)) % 2],
    "on a line": lambda X: X[:, :1] * np.arange(1.0, 1 + X.shape[1]),
    "one column constant": lambda X: X * (np.arange(X.shape[1]) > 0),
    "on a lattice": lambda X: X.round(),
}


@st.composite
def points(draw: Callable[..., Any]) -> np.ndarray:
    """Draw (n, d) points of a difficult shape, on a difficult scale, somewhere."""
    n, d = draw(st.integers(1, 25)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    X = SHAPES[draw(st.sampled_from(sorted(SHAPES)))](rng.normal(size=(n, d)))
    scale = 10.0 ** draw(st.sampled_from([-150, -12, -3, 0, 3, 12, 90]))
    place = draw(st.sampled_from([0.0, 0.0, 1.0, -1e6])) * scale
    return X * scale + place


@pytest.mark.parametrize(
    "function",
    [f for f in algorithms() if "X" in inspect.signature(f).parameters],
    ids=lambda f: f.__name__,
)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(X=points(), classes=st.integers(1, 4), k=st.integers(1, 6), seed=st.integers(0, 99))
def test_hostile_data(
    function: Callable[..., Iterator[Any]], X: np.ndarray, classes: int, k: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    wanted = inspect.signature(function).parameters
    targets = X[:, 0] - X[:, -1] / 3 + rng.normal(size=len(X)) * np.abs(X).max()
    hostile = {"y": targets if is_regression(function) else rng.integers(classes, size=len(X))}
    hostile |= {"X": X, "k": k, "ks": [1, k], "rng": rng}
    given = arguments(function)
    given |= {name: value for name, value in hostile.items() if name in wanted}
    try:
        with AsInTheApp():
            steps = list(islice(function(**given), MOST_STEPS))
    except ValueError as error:
        named = "|".join(["k", *wanted])
        assert re.search(rf"\b({named})\b", str(error)), f"which parameter? {error}"
        return
    check(iter(steps))
    for step in steps[:: max(1, len(steps) // 5)]:
        check_model(step, X)
