"""The contract of every algorithm; a new one is found without being registered."""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any

import jaxtyping
import numpy as np
import pytest
from jaxtyping import TypeCheckError

from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.record import Record
from tests.house import shapes
from tests.house.check_steps import (
    BAD_LABELS,
    BAD_POINTS,
    BAD_TARGETS,
    ROOT,
    AsInTheApp,
    algorithms,
    arguments,
    check_model,
    claims,
    is_regression,
    run,
    same,
)
from tests.house.readme import number_in_readme

Algorithm = Callable[..., Iterator[Any]]


def every_algorithm(parameter: str | None = None) -> pytest.MarkDecorator:
    """Run a test on every algorithm, or on those that take `parameter`."""
    found = [
        function
        for function in algorithms()
        if parameter is None or parameter in inspect.signature(function).parameters
    ]
    return pytest.mark.parametrize("function", found, ids=lambda f: f.__name__)


def written() -> list[str]:
    """Return the names of all algorithms by reading the files, without importing any of them."""
    folder = ROOT / "algorithms"
    files = [
        path
        for path in folder.rglob("*.py")
        if "core" not in path.relative_to(folder).parts and not path.name.startswith("_")
    ]
    return [
        node.name
        for path in files
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if node.returns and ast.unparse(node.returns).startswith("Iterator[")
    ]


def test_all_algorithms_are_found_and_as_many_as_the_readme_says() -> None:
    found = [function.__name__ for function in algorithms()]
    assert sorted(found) == sorted(written())
    assert len(found) >= number_in_readme("algorithms")


def test_shapes_are_checked_in_the_tests() -> None:
    with pytest.raises(TypeCheckError):
        k_means(np.zeros(3), 1, rng=np.random.default_rng(0))


def test_shapes_are_checked_in_the_first_calls_of_a_test_and_no_more() -> None:
    calls = 0
    while not jaxtyping.config.jaxtyping_disable:
        k_means(np.zeros((3, 2)), 1, rng=np.random.default_rng(0))
        calls += 1
    assert 10 <= calls <= shapes.ENOUGH // 2  # some six checked functions are called in each
    shapes.begin()
    test_shapes_are_checked_in_the_tests()


@every_algorithm()
def test_steps_are_finite_frozen_and_bounded(function: Algorithm) -> None:
    for step in run(function):
        assert isinstance(step, Record)
        assert is_dataclass(step)
        with pytest.raises(AttributeError):
            step.event = "changed"


@every_algorithm()
def test_a_step_claims_something_or_says_that_it_is_no_model(function: Algorithm) -> None:
    step = run(function)[-1]
    assert bool(claims(step)) == step.is_model


@every_algorithm("X")
def test_every_step_keeps_what_it_claims(function: Algorithm) -> None:
    X = arguments(function)["X"]
    X = np.concatenate([X, np.outer([1e3, 1e6, 1e100], np.ones(X.shape[1]))])
    for step in run(function):
        check_model(step, X)


@every_algorithm()
def test_same_seed_same_steps(function: Algorithm) -> None:
    first, second = run(function), run(function)
    assert len(first) == len(second)
    assert all(map(same, first, second))


@every_algorithm()
def test_the_data_stay_as_they_are(function: Algorithm) -> None:
    given = arguments(function)
    arrays = {name: value for name, value in given.items() if isinstance(value, np.ndarray)}
    copies = {name: value.copy() for name, value in arrays.items()}
    list(function(**given))
    for name, value in arrays.items():
        np.testing.assert_array_equal(value, copies[name])


@every_algorithm()
def test_a_run_does_not_share_state(function: Algorithm) -> None:
    first, second = function(**arguments(function)), function(**arguments(function))
    pairs = list(zip(first, second, strict=True))  # both advance in turn
    assert all(same(a, b) for a, b in pairs)


@every_algorithm("X")
@pytest.mark.parametrize("name", BAD_POINTS)
def test_bad_points_are_refused_at_the_call(function: Algorithm, name: str) -> None:
    given = arguments(function)
    with AsInTheApp(), pytest.raises(ValueError, match=r"\bX must\b"):
        function(**given | {"X": BAD_POINTS[name]})  # no `next`


@pytest.mark.parametrize(
    ("function", "y"),
    [
        pytest.param(function, y, id=f"{function.__name__}-{name}")
        for function in algorithms()
        if "y" in inspect.signature(function).parameters
        for name, y in (BAD_TARGETS if is_regression(function) else BAD_LABELS).items()
    ],
)
def test_bad_labels_and_targets_are_refused_at_the_call(function: Algorithm, y: Any) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=r"\by must\b"):
        function(**arguments(function) | {"y": y})
