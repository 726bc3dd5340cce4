"""Pauses and limits for long computations.

A loop that may take long between two steps calls `spend` with the approximate number of
floating-point operations that come next. By itself, `spend` does nothing. A caller can ask to be
`heeded` at every such call, to let others go first or to stop the computation, and can set a limit.
The limit counts operations, not time, so that a run ends at the same step on every machine.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


class TooMuchWork(ValueError):
    """A run needs more work than it may."""


@dataclass
class _Account:
    most: float
    spent: float = 0.0


_heed: ContextVar[Callable[[], None] | None] = ContextVar("heed", default=None)
_account: ContextVar[_Account | None] = ContextVar("account", default=None)


def spend(operations: float = 0.0) -> None:
    """Count the operations that come next. Raise TooMuchWork if the limit is passed."""
    if heed := _heed.get():
        heed()
    if (account := _account.get()) and operations:
        account.spent += operations
        if account.spent > account.most:
            raise TooMuchWork(f"more than {account.most:.0e} operations are needed")


def pausing(made: Iterable[T]) -> Iterator[T]:
    """Yield the items of an iterable, and call `spend` before each of them is made."""
    spend()
    for one in made:
        yield one
        spend()


@contextmanager
def heeded(heed: Callable[[], None]) -> Iterator[None]:
    """Call `heed` at every `spend`."""
    before = _heed.set(heed)
    try:
        yield
    finally:
        _heed.reset(before)


@contextmanager
def limited(most: float) -> Iterator[None]:
    """Allow at most this number of operations."""
    before = _account.set(_Account(most))
    try:
        yield
    finally:
        _account.reset(before)
