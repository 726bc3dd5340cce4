"""What a long computation owes to those who wait for it: a pause now and then, and an end.

A loop that may take long between two steps calls `spend` with about the number of floating-point
operations that come next. By itself `spend` does nothing. A caller can be `heeded` at every such
moment, to let others go first or to stop the computation, and can set a limit. The limit counts
operations, not time, so that a run ends at the same step on every machine.
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
    """Note the operations that come next. Raises TooMuchWork if the limit is passed."""
    if heed := _heed.get():
        heed()
    if (account := _account.get()) and operations:
        account.spent += operations
        if account.spent > account.most:
            raise TooMuchWork(f"more than {account.most:.0e} operations are needed")


def pausing(made: Iterable[T]) -> Iterator[T]:
    """Yield what is made one by one, and `spend` before each of them is made."""
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
