import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from streamlit.testing.v1 import AppTest

from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.work import spend
from algorithms.data.presets import Dataset
from pages._shared.session import cache
from pages._shared.session import turns as gate
from pages._shared.session.cache import Later, Store, digest, footprint
from pages._shared.session.turns import Gate, OverBudget
from tests.core.samples import dataset
from viz.core.scene import Run


@dataclass(frozen=True)
class Kernel:
    gamma: float

    def at(self) -> float:
        return self.gamma


@dataclass(frozen=True)
class Keyed:
    key: str
    value: int


@dataclass(frozen=True)
class OtherKernel:
    gamma: float


def data(n: int = 50) -> Dataset:
    return dataset("blobs", n, noise=0.3)


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
    assert digest(Run("a", [1, 2])) == digest(Run("a", ()))
    assert digest(Run("a", ())) != digest(Run("b", ()))
    assert digest(Run("a", ())) != digest("a")
    assert digest(Later("a", int)) == digest(Later("a", str)) != digest(Later("b", int))
    assert digest(partial(k_means, Run("a", ()))) != digest(partial(k_means, Run("b", ())))


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


def test_methods_are_named_by_their_object() -> None:
    with pytest.raises(TypeError, match="cannot name"):
        digest(Counter(1).count)  # an object that its fields do not name
    assert digest(Kernel(1.0).at) == digest(Kernel(1.0).at)
    assert digest(Kernel(1.0).at) != digest(Kernel(2.0).at)


def test_arrays_of_objects_are_not_named_by_their_addresses() -> None:
    with pytest.raises(TypeError, match="cannot name"):
        digest(np.array(["species", 0.1], dtype=object))


def test_nothing_is_recognised_by_an_attributes_name() -> None:
    assert digest(Keyed("a", 1)) != digest(Keyed("a", 2))


# The source


def test_a_key_holds_the_source_of_what_computes(tmp_path, monkeypatch) -> None:
    for layer in ("algorithms/clustering", "viz", "pages"):
        (tmp_path / layer).mkdir(parents=True)
    module = tmp_path / "algorithms" / "clustering" / "k_means.py"
    names = set()
    for text in ("x = 1\n", "x = 2\n", "x = 3  # edited\n"):
        module.write_text(text)
        names.add(cache._source_digest(tmp_path))
    module.rename(module.with_name("other.py"))
    names.add(cache._source_digest(tmp_path))
    assert len(names) == 4
    before = digest(k_means)
    monkeypatch.setattr(cache, "SOURCE", names.pop())
    assert digest(k_means) != before


def test_every_module_of_the_project_counts() -> None:
    assert cache._source_digest(cache.ROOT) == cache.SOURCE
    assert (cache.ROOT / "algorithms" / "core" / "work.py").exists()


# Computing once


@pytest.fixture
def store() -> Store:
    return Store()


def test_once_is_once_for_a_key(store: Store) -> None:
    calls = []
    for key in ("a", "b", "a"):
        found = store.once(key, lambda key=key: calls.append(key) or key)
        assert found == key
    assert calls == ["a", "b"]


def test_an_error_is_not_kept(store: Store) -> None:
    def fail() -> None:
        raise ValueError("k must be smaller")

    with pytest.raises(ValueError, match="smaller"):
        store.once("a", fail)
    assert store.once("a", lambda: 3) == 3


def test_who_wants_the_same_at_the_same_time_waits_for_it(store: Store) -> None:
    go, calls, found = threading.Event(), [], []

    def compute() -> int:
        calls.append(1)
        go.wait(10)
        return 7

    threads = [
        threading.Thread(target=lambda: found.append(store.once("a", compute))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(10)
    assert (calls, found) == ([1], [7] * 5)


def test_after_an_error_the_next_one_tries(store: Store) -> None:
    failing, found = threading.Event(), []

    def fail() -> None:
        failing.wait(10)
        raise ValueError

    def first() -> None:
        with pytest.raises(ValueError):
            store.once("a", fail)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    while not store._underway:
        pass
    threads.append(threading.Thread(target=lambda: found.append(store.once("a", lambda: 3))))
    threads[1].start()
    failing.set()
    for thread in threads:
        thread.join(10)
    assert found == [3]


def test_a_result_may_need_another(store: Store) -> None:
    """The maker waits for nobody's turn meanwhile, not even if all turns are taken."""
    assert store.once("a", lambda: 1 + store.once("b", lambda: 2)) == 3
    assert "b" in store


def test_what_was_used_last_is_kept_bounded_in_bytes() -> None:
    store, each = Store(most_bytes=10_000), 1000
    for number in range(30):
        store.once(str(number), lambda: np.zeros(each // 8))
        store.once("0", list)
        assert store.bytes <= 10_000
    assert "0" in store and "29" in store and "1" not in store
    assert 5 <= len(store) <= 10
    store.once("large", lambda: np.zeros(100_000))
    assert list(store._kept) == ["large"], "one that is larger than all is kept alone"
    store.once("small", lambda: 1)
    assert store.bytes < 10_000


def test_what_only_those_who_have_left_asked_for_is_forgotten(store: Store, monkeypatch) -> None:
    for user, keys in (("here", "ab"), ("gone", "bc")):
        monkeypatch.setattr(cache, "visitor", lambda user=user: user)
        for key in keys:
            store.once(key, lambda: np.zeros(100))
    each = store.bytes // 3
    assert store.keep_for({"here", "new"})
    assert [key in store for key in "abc"] == [True, True, False]
    assert store.bytes == 2 * each
    assert not store.keep_for({"here"})


def test_bytes_are_those_of_the_arrays_counted_once() -> None:
    shared = np.zeros(100_000)
    steps = [Kernel(shared), Kernel(shared), Kernel(shared[:10])]
    assert 800_000 < footprint(Run("a", steps)) < 802_000
    assert 800_000 < footprint(lambda: shared) < 802_000
    assert 800_000 < footprint(partial(np.sum, shared)) < 810_000
    assert footprint(np) < 1000, "modules belong to everybody"
    assert footprint("x" * 5000) > 5000


def test_a_closure_may_wait_for_what_it_closes_over() -> None:
    def early() -> object:
        return late

    assert footprint(early) < 1000
    late = np.zeros(1000)
    assert footprint(early) > late.nbytes


def test_of_long_sequences_a_sample_is_looked_at() -> None:
    shared = np.zeros(50_000)
    steps = [(Kernel(float(i)), np.zeros(50), shared) for i in range(10_000)]
    whole = sum(footprint(step, {id(shared)}) for step in steps) + shared.nbytes
    assert footprint(steps) == pytest.approx(whole, rel=0.05)


def test_at_most_two_compute_at_a_time(store: Store, monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 0.01)
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

    threads = [threading.Thread(target=store.once, args=(str(i), compute)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == gate.AT_ONCE


class Turns:
    """Runs that continue until they are released, and how many are active."""

    def __init__(self) -> None:
        self.gate, self.under_way = Gate(), threading.Semaphore(0)
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
    monkeypatch.setattr(gate, "SILENCE", 60)
    turns.begin(0)
    assert turns.another_starts(10)
    turns.begin(1)
    assert not turns.another_starts(0.2)
    turns.let_go[0].set()
    assert turns.another_starts(10)


def test_a_long_run_is_joined_by_one_other(turns, monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 0.02)
    for number in range(4):
        turns.begin(number)
    assert turns.another_starts(10) and turns.another_starts(10)
    assert not turns.another_starts(0.2)
    for event in turns.let_go:
        event.set()
    assert turns.another_starts(10) and turns.another_starts(10)


def test_a_run_that_fails_makes_room(monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 60)
    turns = Gate()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), turns.turn():
            raise ZeroDivisionError
    with turns.turn():
        assert turns.inside
    assert not turns.inside


def test_who_comes_first_is_served_first(monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 60)
    turns, order, threads = Gate(), [], []
    with turns.turn():
        for number in range(8):

            def run(number: int = number) -> None:
                with turns.turn():
                    order.append(number)

            threads.append(threading.Thread(target=run))
            threads[-1].start()
            while len(turns._waiting) <= number:
                pass
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))


def test_who_asks_for_something_newer_while_waiting_keeps_the_place(monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 0.01)
    monkeypatch.setattr(gate, "AT_ONCE", 1)
    turns, order, newer = Gate(), [], threading.Event()

    def go_on() -> None:
        if newer.is_set() and threading.current_thread() is threads[0]:
            newer.clear()
            raise Gone

    def impatient() -> None:
        with pytest.raises(Gone), turns.turn():
            raise AssertionError
        with turns.turn():
            order.append("impatient")

    def patient() -> None:
        with turns.turn():
            order.append("patient")

    monkeypatch.setattr(gate, "go_on", go_on)
    threads = [threading.Thread(target=work) for work in (impatient, patient)]
    with turns.turn():
        for number, thread in enumerate(threads):
            thread.start()
            while len(turns._waiting) <= number:
                pass
        newer.set()
        while newer.is_set() or len(turns._waiting) < 2:
            pass
    for thread in threads:
        thread.join(10)
    assert order == ["impatient", "patient"]


def test_who_waits_for_anothers_result_lets_others_in(store: Store, monkeypatch) -> None:
    """This holds even if the waiting rerun has its turn already, as every rerun does."""
    monkeypatch.setattr(gate, "SILENCE", 60)
    found, begun = [], threading.Event()

    def slow() -> int:
        begun.set()
        while not store.gate._waiting:
            pass
        store.gate.wait_for(waits)  # steps aside in the middle, as a pause does
        return 7

    def want() -> None:
        with store.gate.turn():
            found.append(store.once("a", slow))

    waits = threading.Event()
    threads = [threading.Thread(target=want) for _ in range(2)]
    threads[0].start()
    begun.wait(10)
    threads[1].start()
    while store.gate._running or store.gate._waiting:
        pass  # until both wait for something else
    with store.gate.turn():
        waits.set()
    for thread in threads:
        thread.join(10)
    assert found == [7, 7]


# Long ones and short ones


class Steps:
    """A long computation that pauses after each step, until it is told to stop."""

    def __init__(self, turns: Gate) -> None:
        self.turns, self.steps, self.end = turns, 0, threading.Event()
        self.failed: list[BaseException] = []
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        self.goes_on(2)

    def _run(self) -> None:
        try:
            with self.turns.turn():
                while not self.end.is_set():
                    self.turns.pause()
                    self.steps += 1
                    self.end.wait(0.001)
        except BaseException as error:
            self.failed.append(error)

    def goes_on(self, steps: int) -> bool:
        wanted, patience = self.steps + steps, time.monotonic() + 10
        while self.steps < wanted and time.monotonic() < patience and self.thread.is_alive():
            self.end.wait(0.001)
        return self.steps >= wanted


@pytest.fixture
def long_one(monkeypatch) -> Iterator[Steps]:
    monkeypatch.setattr(gate, "SILENCE", 60)
    monkeypatch.setattr(gate, "SLICE", 1e-4)
    found = Steps(Gate())
    yield found
    found.end.set()
    found.thread.join(10)


def test_a_short_one_does_not_wait_for_the_end_of_a_long_one(long_one) -> None:
    assert long_one.goes_on(100)

    def short() -> int:
        with long_one.turns.turn():
            return long_one.steps

    with ThreadPoolExecutor(1) as other:
        for _ in range(5):
            assert other.submit(short).result(10) > 0
    assert long_one.goes_on(10), "and then the long one goes on"


def test_a_long_one_gets_on_among_many_short_ones(long_one, monkeypatch) -> None:
    monkeypatch.setattr(gate, "PATIENCE", 0.01)
    stop = threading.Event()

    def short_ones() -> None:
        while not stop.is_set():
            with long_one.turns.turn():
                stop.wait(0.001)

    with ThreadPoolExecutor(3) as others:
        for _ in range(3):
            others.submit(short_ones)
        assert long_one.goes_on(300)
        stop.set()


# Fair by visitor


@pytest.fixture
def clock(monkeypatch) -> Iterator[Callable[[float], None]]:
    """Replace the processor's clock by one that the test sets."""
    spent = threading.local()

    def spend_seconds(seconds: float) -> None:
        spent.total = getattr(spent, "total", 0.0) + seconds

    monkeypatch.setattr(gate, "_processor_time", lambda: getattr(spent, "total", 0.0))
    monkeypatch.setattr(gate, "LOOK", 0.0)
    yield spend_seconds


def test_what_a_visitor_has_used_is_forgotten_by_halves(monkeypatch) -> None:
    now = 100.0
    monkeypatch.setattr(gate.time, "monotonic", lambda: now)
    use = gate.Use()
    use.add("a", 4.0)
    use.add("a", 4.0)
    now += gate.HALF
    assert use.lately("a") == pytest.approx(4.0)
    assert use.lately("b") == 0.0
    now += gate.HALF
    use.add("a", 1.0)
    assert use.lately("a") == pytest.approx(3.0)
    use.forget()
    assert len(use) == 1
    now += 20 * gate.HALF
    use.forget()
    assert len(use) == 0, "visitors who have left take no room"


def test_a_visitor_who_has_used_much_comes_after_one_who_has_not(clock, monkeypatch) -> None:
    """Also with the first slice of a new rerun, and although the heavy visitor came first."""
    monkeypatch.setattr(gate, "SILENCE", 60)
    turns, order = Gate(), []
    threads: list[threading.Thread] = []
    names = {}
    monkeypatch.setattr(gate, "visitor", lambda: names.get(threading.current_thread(), ""))

    def rerun(name: str, seconds: float) -> None:
        names[threading.current_thread()] = name
        with turns.turn():
            order.append(name)
            clock(seconds)

    first = threading.Thread(target=rerun, args=("heavy", 10.0))
    first.start()
    first.join(10)
    with turns.turn():
        for name in ("heavy", "light"):
            threads.append(threading.Thread(target=rerun, args=(name, 0.01)))
            threads[-1].start()
            while len(turns._waiting) < len(threads):
                pass
    for thread in threads:
        thread.join(10)
    assert order == ["heavy", "light", "heavy"]


def test_a_heavy_visitor_who_has_waited_long_comes_first(clock, monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 60)
    now = time.monotonic()
    heavy, light = gate.Rerun("heavy", before=10.0), gate.Rerun("light")
    heavy.waits = light.waits = now
    assert heavy.level(now) > light.level(now)
    later = now + 10 * gate.PATIENCE
    light.waits = later
    assert heavy.level(later) < light.level(later)


class Longs:
    """Reruns of visitors that continue until the test releases them; `going` are active."""

    def __init__(self, clock: Callable[[float], None]) -> None:
        self.gate, self.clock = Gate(), clock
        self.going: dict[str, int] = {}
        self.end = {name: threading.Event() for name in "abcdef"}
        self.threads = {name: threading.Thread(target=self._run, args=(name,)) for name in "abcdef"}

    def _run(self, name: str) -> None:
        with self.gate.turn():
            while not self.end[name].is_set():
                self.clock(0.1)
                self.gate.pause()
                self.going[name] = self.going.get(name, 0) + 1
                time.sleep(0.001)

    def steps_of(self, name: str, steps: int) -> bool:
        """Wait until a rerun has made this many steps."""
        wanted, patience = self.going.get(name, 0) + steps, time.monotonic() + 20
        while self.going.get(name, 0) < wanted and time.monotonic() < patience:
            time.sleep(0.001)
        return self.going.get(name, 0) >= wanted

    def stop(self) -> None:
        for name, thread in self.threads.items():
            self.end[name].set()
            if thread.is_alive():
                thread.join(10)


def test_few_long_ones_are_under_way_at_a_time(clock, monkeypatch) -> None:
    """The others have at most a second's results; they go on when one has ended."""
    monkeypatch.setattr(gate, "SILENCE", 1e-4)
    monkeypatch.setattr(gate, "AT_ONCE", 4)
    monkeypatch.setattr(gate, "MOST_LONG", 2)
    monkeypatch.setattr(gate, "SLICE", 1000.0)  # all of one kind
    longs = Longs(clock)
    try:
        for name in "abcd":
            longs.threads[name].start()
        while sum(longs.going.get(name, 0) >= 20 for name in "abcd") < 2:
            time.sleep(0.001)
        long = [name for name in "abcd" if longs.going[name] >= 20]
        waiting = [name for name in "abcd" if name not in long]
        assert all(longs.steps_of(name, 20) for name in long)
        assert all(longs.going[name] <= gate.LONG / 0.1 + 1 for name in waiting)
        longs.end[long[0]].set()
        while not any(longs.going[name] >= 30 for name in waiting):
            time.sleep(0.001)
        assert sum(longs.going[name] <= gate.LONG / 0.1 + 1 for name in waiting) == 1
    finally:
        longs.stop()
    assert not longs.gate._long


def test_one_that_waits_for_a_result_does_not_keep_its_place(clock, monkeypatch) -> None:
    """If it did, the maker of that result could wait for the place for ever."""
    monkeypatch.setattr(gate, "SILENCE", 0.01)
    monkeypatch.setattr(gate, "MOST_LONG", 1)
    store, found = Store(), []
    begun, place_taken = threading.Event(), threading.Event()

    def work(seconds: int) -> None:
        for _ in range(10 * seconds):
            clock(0.1)
            store.gate.pause()

    def long_result() -> int:
        begun.set()
        store.gate.wait_for(place_taken)
        work(5)
        return 7

    def maker() -> None:
        found.append(store.once("a", long_result))

    def wants_it() -> None:
        with store.gate.turn():
            begun.wait(10)
            work(2)
            assert len(store.gate._long) == gate.MOST_LONG
            place_taken.set()
            found.append(store.once("a", lambda: 8))

    threads = [threading.Thread(target=each) for each in (maker, wants_it)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [7, 7]


# Budgets


def test_a_part_that_needs_too_much_is_given_up_and_the_rerun_goes_on(clock) -> None:
    turns = Gate()
    with turns.turn():
        clock(3.0)
        with pytest.raises(OverBudget), turns.budget(1.0):
            turns.pause()
            clock(1.1)
            turns.pause()
        with turns.budget(1.0):
            turns.pause()
        with pytest.raises(OverBudget), turns.budget(1.0), turns.budget(5.0):
            clock(1.1)
            turns.pause()
    assert not turns.inside


def test_a_rerun_has_a_budget_of_its_own(clock) -> None:
    turns = Gate()
    with pytest.raises(OverBudget), turns.turn():
        clock(gate.MOST_SECONDS + 1)
        turns.pause()
    with turns.turn():
        turns.pause()


@pytest.mark.parametrize("error", [MemoryError(), OverBudget()], ids=repr)
def test_what_cannot_be_computed_is_a_sentence(error: Exception) -> None:
    """The visitor can go on; if memory ran out, the kept results are dropped."""

    def page(error, store):
        import streamlit as st

        from pages._shared.session import cache

        cache.store = lambda: store

        @cache.turn()
        def show() -> None:
            if st.checkbox("Too much"):
                cache.once("large", lambda: (_ for _ in ()).throw(error))
            cache.once("small", lambda: 1)

        show()

    store, before = Store(), cache.store
    try:
        app = AppTest.from_function(page, kwargs={"error": error, "store": store}).run()
        assert not app.exception and not app.error and len(store) == 1
        app.checkbox[0].check().run()
        assert not app.exception
        (said,) = app.error
        assert said.value == (cache.NO_MEMORY if isinstance(error, MemoryError) else cache.TOO_LONG)
        assert len(store) == isinstance(error, OverBudget)
        app.checkbox[0].uncheck().run()
        assert not app.exception and not app.error
    finally:
        cache.store = before


def test_a_callback_goes_to_its_end(monkeypatch) -> None:
    def newer() -> None:
        raise Gone

    monkeypatch.setattr(gate, "go_on", newer)
    monkeypatch.setattr(gate, "LOOK", 0.0)
    turns = Gate()
    with turns.turn(to_its_end=True):
        turns.pause()
    with pytest.raises(Gone), turns.turn():
        turns.pause()


class Gone(BaseException):
    """The exception with which Streamlit ends a script."""


def test_what_nobody_waits_for_any_more_is_stopped(long_one, monkeypatch) -> None:
    def gone() -> None:
        raise Gone

    assert long_one.goes_on(2)
    monkeypatch.setattr(gate, "go_on", gone)
    long_one.thread.join(10)
    assert [type(error) for error in long_one.failed] == [Gone]
    monkeypatch.undo()
    with long_one.turns.turn():
        assert long_one.turns.inside, "its turn is free again"


def test_who_leaves_while_waiting_makes_no_hole(monkeypatch) -> None:
    monkeypatch.setattr(gate, "SILENCE", 0.01)
    monkeypatch.setattr(gate, "AT_ONCE", 1)
    turns, left = Gate(), []

    def gone() -> None:
        raise Gone

    def leave() -> None:
        with pytest.raises(Gone), turns.turn():
            raise AssertionError
        left.append(1)

    with turns.turn():
        with monkeypatch.context() as patch:
            patch.setattr(gate, "go_on", gone)
            thread = threading.Thread(target=leave)
            thread.start()
            thread.join(10)
        assert left and not turns._waiting
    with turns.turn():
        assert turns.inside


def test_an_interrupted_result_is_made_by_the_next_who_wants_it(store: Store, monkeypatch) -> None:
    def gone() -> None:
        raise Gone

    def work() -> int:
        while True:
            spend()

    with monkeypatch.context() as patch, pytest.raises(Gone):
        patch.setattr(gate, "go_on", gone)
        patch.setattr(gate, "LOOK", 0.0)
        store.once("a", work)
    assert "a" not in store
    assert store.once("a", lambda: 3) == 3
