"""The contract of every algorithm: found by its shape, run on data named by its parameters.

An algorithm is a public function in `algorithms/`, outside `core/`, that returns an `Iterator` of
steps. Parameters without a default get their value from `ARGUMENTS` in the algorithm's own test
module, if it has that, or from `VOCABULARY`: the names mean the same everywhere. `y` is a number to
predict where its annotation says Float, and a class elsewhere.

What a step claims to be, it says by its methods (`CLAIMS`); there is no more that it must be able
to do.
"""

import gc
import importlib
import inspect
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

import numpy as np
from jaxtyping import config

from algorithms.core.record import CLAIMS, Record

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
LONGEST = 20_000

_random = np.random.default_rng(7)
LABELS = np.repeat([2, 5], 20)  # any integers will do
POINTS = _random.normal(size=(40, 2)) + np.where(LABELS == 2, -1.0, 1.0)[:, None]
TARGETS = POINTS @ [1.0, -0.5] + 0.2 * _random.normal(size=40)
VOCABULARY: dict[str, Any] = {"X": POINTS, "y": LABELS, "k": 3, "ks": [1, 2, 3]}

BAD_POINTS = {
    "NaN": np.where(POINTS[3, 1] == POINTS, np.nan, POINTS),
    "infinite": np.where(POINTS[3, 1] == POINTS, -np.inf, POINTS),
    "too large": POINTS * 1e200,
    "one axis": POINTS[:, 0],
    "three axes": POINTS[None],
    "no points": POINTS[:0],
    "no columns": POINTS[:, :0],
    "text": np.full((40, 2), "a"),
    "ragged": [[1.0, 2.0], [3.0]],
}
BAD_LABELS = {
    "too short": LABELS[:-1],
    "two axes": LABELS[:, None],
    "missing": np.where(LABELS == 2, np.nan, 1.0),
    "text": np.array(["a"] * 40),
}
BAD_TARGETS = {
    "too short": TARGETS[:-1],
    "two axes": TARGETS[:, None],
    "NaN": np.where(TARGETS[3] == TARGETS, np.nan, TARGETS),
    "infinite": np.where(TARGETS[3] == TARGETS, np.inf, TARGETS),
    "too large": TARGETS * 1e200,
    "text": np.array(["a"] * 40),
}


def algorithms() -> list[Callable[..., Iterator[Any]]]:
    """Return every algorithm there is: nothing has to be registered."""
    modules = [
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for path in sorted((ROOT / "algorithms").rglob("[!_]*.py"))
    ]
    return [
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_")
        and "core" not in module.__name__.split(".")
        and function.__module__ == module.__name__
        and get_origin(inspect.signature(function).return_annotation) is Iterator
    ]


def event_names(event: Any) -> list[str]:
    """Return the names of events, which may be a union of literals."""
    parts = get_args(event)
    return [
        name for part in parts for name in ([part] if isinstance(part, str) else event_names(part))
    ]


def is_regression(function: Callable[..., Any]) -> bool:
    """Return whether `y` is a number to predict."""
    y = inspect.signature(function).parameters.get("y")
    return y is not None and "float64" in y.annotation.dtypes


def arguments(function: Callable[..., Any]) -> dict[str, Any]:
    """Return a value for every parameter without a default; the generator is new every time."""
    *rooms, module = function.__module__.split(".")[1:]
    own = {}
    # A lab's tests may have a folder where its one algorithm has none.
    for file in ROOT.joinpath("tests", *rooms).rglob(f"test_{module}.py"):
        tests = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
        own |= getattr(tests, "ARGUMENTS", {})
    known = {"rng": np.random.default_rng(3)} | VOCABULARY
    known |= {"y": TARGETS} if is_regression(function) else {}
    known |= own
    parameters = inspect.signature(function).parameters.values()
    open_ended = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in open_ended]
    unknown = [name for name in needed if name not in known]
    assert not unknown, f"tests/.../test_{module}.py needs ARGUMENTS with values for {unknown}"
    return {name: known[name] for name in needed}


def run(function: Callable[..., Iterator[Any]], **changes: Any) -> list[Any]:
    """Return all steps on the example arguments with `changes`."""
    return check_steps(function(**arguments(function) | changes))


def check_steps(steps: Iterator[Any]) -> list[Any]:
    """Return the steps after checking what holds for the steps of any algorithm."""
    found = list(islice(steps, LONGEST + 1))
    assert 1 <= len(found) <= LONGEST
    assert len({type(step) for step in found}) == 1
    for step in found:
        assert step.event is None or (isinstance(step.event, str) and step.event)
        for field in fields(step):
            value = getattr(step, field.name)
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable, f"{field.name} can be written to"
                assert value.base is None, f"{field.name} is a view of an array that can change"
            if isinstance(value, np.ndarray | float):
                assert np.isfinite(value).all(), f"{field.name} is not finite: {value}"
    return found


def claims(step: Any) -> list[str]:
    """Return which of `CLAIMS` a step has."""
    return [claim for claim in CLAIMS if hasattr(step, claim)]


def check_model(step: Any, X: np.ndarray) -> None:
    """Check that the step's results for the rows of `X`, or for its own points, are sensible."""
    if hasattr(step, "labels"):
        _check_labels(step.labels)
    if hasattr(step, "cut"):
        for k in {1, min(2, len(step.labels)), len(step.labels)}:
            cut = step.cut(k)
            _check_labels(cut)
            assert len(np.unique(cut)) == k
    if hasattr(step, "predict"):
        predicted = step.predict(X)
        assert predicted.shape == (len(X),)
        assert np.isfinite(predicted).all()
        if hasattr(step, "classes"):
            assert np.isin(predicted, step.classes).all()
    if hasattr(step, "predict_proba"):
        probabilities = step.predict_proba(X)
        assert probabilities.shape == (len(X), len(step.classes))
        assert (probabilities >= 0).all()
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    for method in ("transform", "decision_function", "score_samples"):
        if hasattr(step, method):
            values = getattr(step, method)(X)
            assert len(values) == len(X)
            assert np.isfinite(values).all()


def _check_labels(labels: Any) -> None:
    assert labels.ndim == 1
    assert labels.dtype.kind == "i"
    assert (labels >= -1).all()  # -1 is noise


def same(first: Any, second: Any) -> bool:
    """Return whether two steps are equal, field by field, and so are the records in them."""
    return all(_equal(getattr(first, f.name), getattr(second, f.name)) for f in fields(first))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, dict):
        return [*a] == [*b] and all(_equal(a[key], b[key]) for key in a)
    return same(a, b) if isinstance(a, Record) else bool(a == b)


def measured(compute: Callable[[], T]) -> tuple[T, int]:
    """Return the result, and how many more bytes are in use afterwards."""
    gc.collect()
    tracemalloc.start()
    try:
        result = compute()
        gc.collect()
        return result, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


class AsInTheApp:
    """Run without the tests' shape checks, so that users' error messages are tested."""

    def __enter__(self) -> None:
        """Switch the checks off."""
        config.update("jaxtyping_disable", True)

    def __exit__(self, *_: object) -> None:
        """Switch the checks on again."""
        config.update("jaxtyping_disable", False)
