"""Compute once for all sessions: a whole class that opens one link waits for one run."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import blake2b
from types import MethodType
from typing import Any

import numpy as np
import streamlit as st

RUNS_AT_ONCE = 2  # at most: more only get into each other's way, and into everybody else's
HEAD_START = 0.5  # seconds that the next one waits: most are over by then
KEPT = 512  # results: a class on one lab needs a few for every value that it tries


class _Gate:
    """Lets one run begin after the other; one that takes long does not hold up those behind it."""

    def __init__(self) -> None:
        self.places, self.start = threading.Semaphore(RUNS_AT_ONCE), threading.Semaphore()

    @contextmanager
    def turn(self) -> Iterator[None]:
        with self.places:
            alone = self.start.acquire(timeout=HEAD_START)
            try:
                yield
            finally:
                if alone:
                    self.start.release()


@st.cache_resource
def _gate() -> _Gate:
    return _Gate()


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def once(key: str, _make: Callable[[], Any]) -> Any:
    """Call `_make` unless some session had this key before. What it returns must be immutable."""
    with _gate().turn():
        return _make()


def digest(value: Any) -> str:
    """Name a value by all of its content. (Streamlit's own hash samples large arrays.)"""
    found = blake2b(digest_size=16)
    _feed(found, value)
    return found.hexdigest()


def _feed(found: Any, value: Any) -> None:
    tag = type(value).__name__
    if hasattr(value, "key"):  # a Run knows what it was computed from
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
    elif callable(value) and "<" not in value.__qualname__:  # a lambda's name says nothing
        # All pages are one module, and only their files tell their functions apart.
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
