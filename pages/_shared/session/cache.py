"""Compute results once for all sessions: a whole class that opens one link waits for one run.

The key of a result is made from function, arguments, data and the source of the whole project, so
that an edited algorithm is computed again when Streamlit reloads it.
"""

import gc
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages._shared.session import allocator
from pages._shared.session.turns import MOST_SECONDS, Gate, OverBudget, visitor
from viz.core.scene import Call, Run

ROOT = Path(__file__).parents[3]
MOST_BYTES = 128 * 2**20  # of all results that are kept
TOO_LONG = (
    f"This page was stopped after {MOST_SECONDS:.0f} seconds of computing. Choose fewer points, "
    "fewer steps or another mode."
)
NO_MEMORY = (
    "The server has no memory left for this. Choose fewer points or fewer steps, or try again in a "
    "minute."
)


def _source_digest(root: Path) -> str:
    """Return a digest of the source of everything that computes, as this module is loaded."""
    found = blake2b(digest_size=16)
    for layer in ("algorithms", "viz", "pages"):
        for path in sorted((root / layer).rglob("*.py")):
            found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


SOURCE = _source_digest(ROOT)


@dataclass(frozen=True, eq=False)
class Later:
    """A result that is computed when it is needed; until then its key stands for it."""

    key: str
    compute: Callable[[], Any]
    call: Call | None = None

    def value(self) -> Any:
        """Return the result, computed now unless it is in the store."""
        return once(self.key, self.compute)


class Kept(NamedTuple):
    """A result in the store, and its size."""

    value: Any
    bytes: int
    users: set[str]  # the sessions that have asked for it


class Store:
    """Results by key, bounded in bytes: those that were not used for longest are dropped."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Start empty."""
        self.most_bytes, self.bytes = most_bytes, 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._underway: dict[str, threading.Event] = {}
        self.gate = Gate()

    def once(self, key: str, make: Callable[[], Any]) -> Any:
        """Return the result under `key`, or make it; other threads that want it wait for it."""
        with self.gate.turn():
            self.gate.pause()
            while True:
                with self._lock:
                    if found := self._find(key):
                        return found.value
                    ready = self._underway.get(key)
                    if ready is None:
                        self._underway[key] = threading.Event()
                        break
                self.gate.wait_for(ready)
            try:
                return self._keep(key, make())
            finally:
                with self._lock:
                    self._underway.pop(key).set()

    def _find(self, key: str) -> Kept | None:
        """Return a result if it is kept, and mark it as used. Needs the lock."""
        if found := self._kept.get(key):
            self._kept.move_to_end(key)
            found.users.add(visitor())
        return found

    def _keep(self, key: str, made: Any) -> Any:
        kept = Kept(made, footprint(made), {visitor()})
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept[key] = kept
            self.bytes += kept.bytes - (before.bytes if before else 0)
            while self.bytes > self.most_bytes and len(self._kept) > 1:
                self.bytes -= self._kept.popitem(last=False)[1].bytes
        return made

    def clear(self) -> None:
        """Forget all results, and give their memory back."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0
        allocator.give_back()

    def keep_for(self, users: set[str]) -> bool:
        """Drop results that none of these sessions has asked for; return whether there were any."""
        with self._lock:
            before = len(self._kept)
            for key, kept in list(self._kept.items()):
                kept.users.intersection_update(users)
                if not kept.users:
                    self.bytes -= self._kept.pop(key).bytes
            return len(self._kept) < before

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """Return the store that all sessions share."""
    return Store()


@contextmanager
def turn(*, to_its_end: bool = False) -> Iterator[None]:
    """Wait for this rerun's turn, then let it run. If it exceeds time or memory, show an error.

    to_its_end : for the callback of a widget, whose message would be lost if it ended early.
    """
    try:
        with store().gate.turn(to_its_end=to_its_end):
            yield
        return
    except OverBudget:
        sentence = TOO_LONG
    except MemoryError:
        sentence = NO_MEMORY
    if sentence is NO_MEMORY:  # not above, where the error still holds on to computed results
        store().clear()
    st.error(sentence)


def once(key: str, make: Callable[[], Any]) -> Any:
    """Return the result under a key, made by `make` if it is not kept. It must be immutable."""
    return store().once(key, make)


_SHARED_BY_ALL = (type, ModuleType, BuiltinFunctionType)
LONG, SAMPLE = 200, 50  # in a longer sequence, SAMPLE elements stand for all


def footprint(value: Any, seen: set[int] | None = None) -> int:
    """Return an estimate of the bytes that a result holds on to, each object counted once."""
    seen, total, waiting = set() if seen is None else seen, 0, [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _SHARED_BY_ALL):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        if isinstance(one, np.ndarray):
            if one.base is not None:
                waiting.append(one.base)
        elif isinstance(one, FunctionType):  # its globals are the module's, and do not count
            waiting += [*(one.__closure__ or ()), *(one.__defaults__ or ())]
        elif isinstance(one, tuple | list) and len(one) > LONG:
            # The first element brings what all share; each other one adds about as much.
            total += footprint(one[0], seen)
            sample = [one[i] for i in np.linspace(1, len(one) - 1, SAMPLE).astype(int)]
            total += sum(footprint(step, seen) for step in sample) * (len(one) - 1) // SAMPLE
        else:
            waiting += gc.get_referents(one)
    return total


def digest(value: Any) -> str:
    """Return a digest of a value's whole content. (Streamlit's own hash samples large arrays.)"""
    found = blake2b(SOURCE.encode(), digest_size=16)
    _feed(found, value)
    return found.hexdigest()


def _feed(found: Any, value: Any) -> None:
    tag = type(value).__name__
    if isinstance(value, Run | Later):  # named by what it is computed from
        parts: Any = value.key
    elif isinstance(value, np.ndarray) and value.dtype != object:
        parts = (value.dtype.str, str(value.shape), np.ascontiguousarray(value).tobytes())
    elif isinstance(value, np.random.Generator):
        parts = repr(value.bit_generator.state)
    elif isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
    elif is_dataclass(value) and not isinstance(value, type):
        parts = tuple(getattr(value, field.name) for field in fields(value))
    elif isinstance(value, dict):
        parts = tuple(value.items())
    elif isinstance(value, (tuple, list, bytes, str)):
        parts = value
    elif isinstance(value, MethodType):
        parts = (value.__func__, value.__self__)
    elif callable(value) and "<" not in value.__qualname__:  # lambdas have no name of their own
        # All pages are one module, so their functions are distinguished by their files.
        file = getattr(getattr(value, "__code__", None), "co_filename", "")
        parts = f"{value.__module__}.{value.__qualname__} {file}"
    elif value is None or isinstance(value, (bool, int, float, np.generic)):
        parts = repr(value)
    else:
        raise TypeError(f"cannot name {value!r} by its content")
    if isinstance(parts, (str, bytes)):
        raw = parts.encode() if isinstance(parts, str) else parts
        found.update(f"{tag}:{len(raw)}:".encode() + raw)
    else:
        found.update(f"{tag}[{len(parts)}]".encode())
        for part in parts:
            _feed(found, part)
