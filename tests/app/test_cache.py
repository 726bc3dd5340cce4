import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from algorithms.clustering.k_means import k_means
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.lab import _run
from pages._shared.session import cache
from pages._shared.session.cache import digest


@dataclass(frozen=True)
class Kernel:
    gamma: float


@dataclass(frozen=True)
class OtherKernel:
    gamma: float


def data(n: int = 50) -> Dataset:
    return DATASETS["blobs"].make(n, noise=0.3, rng=np.random.default_rng(0))


@settings(deadline=None)
@given(
    values=arrays(st.sampled_from(["f8", "f4", "i8", "u1"]), array_shapes(max_dims=2, max_side=6)),
    where=st.integers(0, 999),
)
def test_any_other_element_is_another_name(values: np.ndarray, where: int) -> None:
    changed = values.copy()
    changed.flat[where % values.size] = 7 if changed.flat[where % values.size] != 7 else 8
    assert digest(changed) != digest(values)
    assert digest(values.copy()) == digest(values)


@pytest.mark.parametrize("shape", [(200_000,), (5000, 64), (50_000, 11)])
def test_large_arrays_are_read_whole(shape: tuple) -> None:
    values = np.random.default_rng(0).normal(size=shape)
    name = digest(values)
    for where in np.random.default_rng(1).integers(values.size, size=20):
        old = values.flat[where]
        values.flat[where] = np.nextafter(old, 9)
        assert digest(values) != name
        values.flat[where] = old
    assert digest(values) == name


def test_views_and_copies_of_equal_content_are_one() -> None:
    values = np.arange(24.0).reshape(4, 6)
    assert digest(values[:, ::2]) == digest(values[:, ::2].copy())
    assert digest(np.asfortranarray(values)) == digest(values)
    assert digest(values.T) != digest(values)
    assert digest(values.reshape(6, 4)) != digest(values)


APART = [
    None, True, False, 0, 1, 1.0, -1, 0.0, -0.0, float("nan"), "", "1", b"1", "None", (), [], {},
    (1,), [1], {1: 1}, {"1": 1}, (1, 1), ((1,),), ("ab", "c"), ("a", "bc"), ("abc",), ["abc"],
    (("a", "b"), "c"), ("a", ("b", "c")), {"a": 1, "b": 2}, {"a": 2, "b": 1}, np.float64(1),
    np.float32(1), np.int64(1), np.zeros(2), np.zeros(2, "f4"), np.zeros((1, 2)), np.zeros(3),
    np.zeros(0), np.zeros((0, 2)), np.zeros(2, int), np.zeros(2, bool), (np.zeros(2),), Kernel(1.0),
    Kernel(2.0), OtherKernel(1.0), (1.0,), np.random.default_rng(0), np.random.default_rng(1),
    k_means, digest, np.mean, np.sum, Kernel, OtherKernel, partial(k_means), partial(k_means, k=2),
    partial(k_means, k=3), partial(k_means, 2), partial(digest, k=2),
]  # fmt: skip


def test_values_and_types_are_kept_apart() -> None:
    names: dict[str, object] = {}
    for value in APART:
        name = digest(value)
        assert name == digest(value)
        assert name not in names, f"{value!r} is named like {names[name]!r}"
        names[name] = value


def test_equal_content_has_one_name_wherever_it_is_kept() -> None:
    assert digest(data()) == digest(data())
    assert digest(Kernel(1.0)) == digest(Kernel(1.0))
    assert digest(partial(k_means, data().X, k=2)) == digest(partial(k_means, data().X, k=2))
    first, second = (np.random.default_rng(3) for _ in range(2))
    assert digest(first) == digest(second)
    first.normal()
    assert digest(first) != digest(second)


@pytest.mark.parametrize(
    "changes", [{"name": "other"}, {"columns": ("x", "z")}, {"x": 1}, {"about": "other"}]
)
def test_every_field_of_a_data_set_counts(changes: dict) -> None:
    assert digest(replace(data(), **changes)) != digest(data())
    moved = data().table.copy()
    moved[-1, 0] += 1e-12
    assert digest(replace(data(), table=moved)) != digest(data())


def test_a_run_is_named_by_what_it_was_computed_from() -> None:
    assert digest(_run("a", [1, 2])) == digest(_run("a"))
    assert digest(_run("a")) != digest(_run("b"))
    assert digest(_run("a")) != digest("a")
    assert digest(partial(k_means, _run("a"))) != digest(partial(k_means, _run("b")))


def inner() -> object:
    def made_anew() -> None: ...

    return made_anew


@pytest.mark.parametrize(
    "value",
    [
        lambda: 0,
        partial(lambda: 0),
        partial(k_means, init=lambda: 0),
        inner(),
        (1, lambda: 0),
        {"a": lambda: 0},
        {1, 2},
        object(),
        iter([1]),
    ],
    ids=range(9),
)
def test_what_its_content_cannot_name_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="cannot name"):
        digest(value)


class Counter:
    def __init__(self, start: int) -> None:
        self.start = start

    def count(self) -> int:
        return self.start


def test_methods_of_different_objects_are_not_one() -> None:
    try:
        names = [digest(Counter(start).count) for start in (1, 2)]
    except TypeError:
        return  # refusing them is as good
    assert names[0] != names[1]


def test_arrays_of_objects_are_not_named_by_their_addresses() -> None:
    made = [np.array(["".join(["spe", "cies"]), 0.1 + i], dtype=object) for i in (1, 1)]
    try:
        names = [digest(array) for array in made]
    except TypeError:
        return
    assert names[0] == names[1]


# Computing once


@pytest.fixture
def empty_cache() -> Iterator[None]:
    cache.once.clear()
    yield
    cache.once.clear()


@pytest.mark.usefixtures("empty_cache")
def test_once_is_once_for_a_key() -> None:
    calls = []
    for key in ("a", "b", "a"):
        found = cache.once(key, lambda key=key: calls.append(key) or key)
        assert found == key
    assert calls == ["a", "b"]


@pytest.mark.usefixtures("empty_cache")
def test_an_error_is_not_kept() -> None:
    def fail() -> None:
        raise ValueError("k must be smaller")

    with pytest.raises(ValueError, match="smaller"):
        cache.once("a", fail)
    assert cache.once("a", lambda: 3) == 3


@pytest.mark.usefixtures("empty_cache")
def test_at_most_two_compute_at_a_time(monkeypatch) -> None:
    monkeypatch.setattr(cache, "HEAD_START", 0.01)
    running, most, lock = 0, 0, threading.Lock()
    wait = threading.Event()

    def compute() -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        wait.wait(0.2)
        with lock:
            running -= 1
        return 1

    threads = [threading.Thread(target=cache.once, args=(str(i), compute)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == cache.RUNS_AT_ONCE


class Turns:
    """Runs that go on until they are let go, and how many are under way."""

    def __init__(self) -> None:
        self.gate, self.under_way = cache._Gate(), threading.Semaphore(0)
        self.let_go = [threading.Event() for _ in range(4)]
        self.threads: list[threading.Thread] = []

    def begin(self, number: int) -> None:
        def run() -> None:
            with self.gate.turn():
                self.under_way.release()
                self.let_go[number].wait(10)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def another_starts(self, within: float) -> bool:
        return self.under_way.acquire(timeout=within)


@pytest.fixture
def turns() -> Iterator[Turns]:
    found = Turns()
    yield found
    for event in found.let_go:
        event.set()
    for thread in found.threads:
        thread.join(10)


def test_runs_begin_one_after_the_other(turns, monkeypatch) -> None:
    monkeypatch.setattr(cache, "HEAD_START", 60)
    turns.begin(0)
    assert turns.another_starts(10)
    turns.begin(1)
    assert not turns.another_starts(0.2)
    turns.let_go[0].set()
    assert turns.another_starts(10)


def test_a_long_run_is_joined_by_one_other(turns, monkeypatch) -> None:
    monkeypatch.setattr(cache, "HEAD_START", 0.02)
    for number in range(4):
        turns.begin(number)
    assert turns.another_starts(10) and turns.another_starts(10)
    assert not turns.another_starts(0.2)
    for event in turns.let_go:
        event.set()
    assert turns.another_starts(10) and turns.another_starts(10)


def test_a_run_that_fails_makes_room(monkeypatch) -> None:
    monkeypatch.setattr(cache, "HEAD_START", 60)
    gate = cache._Gate()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), gate.turn():
            raise ZeroDivisionError
    with gate.turn():
        pass
