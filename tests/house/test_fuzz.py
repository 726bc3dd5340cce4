"""Every algorithm on hostile but finite data: steps that keep the contract, or a true ValueError.

A refusal is a sentence of `REFUSALS`, and what it says is so: the data do lack what it asks for.
All other data have to be run. Warnings are errors in all tests, and the time limit of a test
stands for "never hangs".
"""

import inspect
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.house.check_steps import (
    POINTS,
    AsInTheApp,
    algorithms,
    arguments,
    check_model,
    is_regression,
)
from tests.house.check_steps import check_steps as check

MOST_STEPS = 300
LEAST_RUN = 0.15  # of all data: even what takes two classes, and only two, gets some

SHAPES = {
    "scattered": lambda X: X,
    "one place": lambda X: np.broadcast_to(X[:1], X.shape).copy(),
    "few places": lambda X: X[np.arange(len(X)) % 2],
    "on a line": lambda X: X[:, :1] * np.arange(1.0, 1 + X.shape[1]),
    "one column constant": lambda X: X * (np.arange(X.shape[1]) > 0),
    "on a lattice": lambda X: X.round(),
}


class Data(NamedTuple):
    """The arguments of an algorithm that are drawn."""

    X: np.ndarray
    y: np.ndarray  # classes
    k: int
    held_out: np.ndarray | None = None
    known: np.ndarray | None = None  # which labels are

    @property
    def classes(self) -> int:
        """Return how many classes there are."""
        return len(np.unique(self.y))

    @property
    def learned(self) -> np.ndarray:
        """Return the classes of the points that are not held out."""
        return self.y if self.held_out is None else self.y[~self.held_out]

    @property
    def given(self) -> np.ndarray:
        """Return the classes whose labels are known, or could be."""
        return self.learned if self.known is None else self.y[self.known]

    @property
    def one_place(self) -> bool:
        """Return whether the points coincide or vanish, up to rounding."""
        size = float(np.ptp(self.X, axis=0).max())
        return size <= max(1e-13 * float(np.abs(self.X).max()), 1e-100)

    @property
    def near(self) -> bool:
        """Return whether the points are too close or too far apart for a kernel of width 1."""
        return self.one_place or float(np.ptp(self.X, axis=0).max()) < 1e-5


# The start of a sentence, and when it is true. Further ones come with what they are about.
REFUSALS: dict[str, Callable[[Data], bool]] = {
    r"y must name at least two classes, got only": lambda data: data.classes == 1,
    r"y must name (exactly )?two classes": lambda data: data.classes > 2,
    r"k must be between 1 and n=": lambda data: data.k > len(data.X),
    r"n_components must be between 1 and n - 1=": lambda data: len(data.X) == 2,
    r"n_neighbors must be between 1 and n - 1=": lambda data: len(data.X) <= 5,
    r"k must be between 1 and points not held out=": lambda data: data.k > 0.75 * len(data.X),
    r"X must h(old|ave) at least (two|2) points": lambda data: len(data.X) == 1,
    r"X must hold two different points": lambda data: data.one_place,
    r"X must hold more than two points for each of": lambda data: len(data.X) <= 2 * data.classes,
    r"point must be between 0 and": lambda data: len(data.X) <= 3,
    r"column must be between 0 and d - 1=0, got column=1": lambda data: data.X.shape[1] == 1,
    r"X must have two columns for": lambda data: data.X.shape[1] != 2,
    r"X must have between 1 and 10 rows": lambda data: len(data.X) > 10,
    r"means must have shape": lambda data: data.X.shape[1] != 2,
    r"kernel must tell the points apart": lambda data: data.near,
    r"folds must be between 2 and n=": lambda data: len(data.X) < 5,
    r"kernel must stay below": lambda data: np.abs(data.X).max() > 1e40,
    r"kernels must tell some of the points apart": lambda data: (
        np.ptp(data.X, axis=0).max() < 1e-4 * max(1, np.abs(data.X).max())
    ),
    r"y must name two classes outside every fold": lambda data: (
        data.classes == 2 and np.unique(data.y, return_counts=True)[1].min() == 1
    ),
    r"y must name at least two classes among": lambda data: len(np.unique(data.learned)) == 1,
    r"known must mark a point of each of": lambda data: len(np.unique(data.given)) < data.classes,
    r"nu must be at most 2 min": lambda data: (
        4 * np.unique(data.y, return_counts=True)[1].min() < len(data.y)
    ),
    r"\d+ of \d+ points are held out: both parts": lambda data: (
        len(data.learned) in (0, len(data.X))
    ),
}


@st.composite
def points(draw: Callable[..., Any], columns: int | None) -> np.ndarray:
    """Draw (n, d) points of a difficult shape, on a difficult scale, somewhere."""
    n, d = draw(st.integers(1, 25)), columns or draw(st.integers(1, 3))
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
def test_hostile_data(function: Callable[..., Iterator[Any]]) -> None:
    runs = []
    columns = inspect.signature(function).parameters["X"].annotation.dim_str.split()[1]

    @settings(
        max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(
        X=points(int(columns) if columns.isdigit() else None),
        classes=st.integers(1, 4),
        k=st.integers(1, 6),
        seed=st.integers(0, 99),
    )
    def run_or_refuse(X: np.ndarray, classes: int, k: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        labels = rng.integers(classes, size=len(X))
        runs.append(attempt(function, Data(X, labels, k), rng))

    run_or_refuse()
    assert sum(runs) >= LEAST_RUN * len(runs), f"only {sum(runs)} of {len(runs)} were run"


def attempt(function: Callable[..., Iterator[Any]], data: Data, rng: np.random.Generator) -> bool:
    """Run an algorithm and check its steps, or check why it refuses; return whether it ran."""
    X, n = data.X, len(data.X)
    wanted = inspect.signature(function).parameters
    hostile = {"X": X, "y": data.y, "k": data.k, "ks": [1, data.k], "rng": rng}
    if is_regression(function):
        hostile["y"] = X[:, 0] - X[:, -1] / 3 + rng.normal(size=n) * np.abs(X).max()
    given = {
        # What there is for every example point is cut to as many as there are now.
        name: value[:n] if isinstance(value, np.ndarray) and len(value) == len(POINTS) else value
        for name, value in arguments(function).items()
    }
    given |= {name: value for name, value in hostile.items() if name in wanted}
    data = data._replace(held_out=given.get("held_out"), known=given.get("known"))
    try:
        with AsInTheApp():
            steps = list(islice(function(**given), MOST_STEPS))
    except ValueError as error:
        true = [when(data) for start, when in REFUSALS.items() if re.match(start, str(error))]
        assert true, f"not among the refusals: {error}"
        assert all(true), f"not true of X={X.tolist()}, y={data.y.tolist()}, k={data.k}: {error}"
        return False
    check(iter(steps))
    for step in steps[:: max(1, len(steps) // 5)]:
        check_model(step, X)
    return True


@pytest.mark.parametrize(
    ("sentence", "refuses"),
    [
        ("y must name at least two classes, got only class 0", True),
        ("y must name two classes, got 3", False),
        ("k must be between 1 and n=2, got k=3", False),
        ("something else must be", False),
    ],
)
def test_a_refusal_has_to_be_true(sentence: str, refuses: bool) -> None:
    def refuse(X: np.ndarray, k: int) -> Iterator[None]:
        raise ValueError(sentence)

    data = Data(np.eye(3), np.zeros(3, int), 1)
    if refuses:
        assert not attempt(refuse, data, np.random.default_rng(0))
    else:
        with pytest.raises(AssertionError, match=r"not (true|among)"):
            attempt(refuse, data, np.random.default_rng(0))
