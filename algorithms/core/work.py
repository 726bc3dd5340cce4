"""What a long computation owes to those who wait for it: a sign now and then, and an end.

Loops that may take long between two steps call `spend` with about as many floating-point operations
as they are going to need. On its own that does nothing. Whoever runs an algorithm may be `heeded`
at every such moment, to let others go first or to stop it, and may set it a limit: what is counted
is work, not time, so that a run ends at the same place on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class TooMuchWork(ValueError):
    """A run needs more work than it may."""


@dataclass
class _Account:
    most: float
    spent: float = 0.0


_heed: ContextVar[Callable[[], None] | None] = ContextVar("heed", default=None)
_account: ContextVar[_Account | None] = ContextVar("account", default=None)


def spend(operations: float = 0.0) -> None:
    """Note that so many operations come next. Raises TooMuchWork if the limit is passed."""
    if heed := _heed.get():
        heed()
    if (account := _account.get()) and operations:
        account.spent += operations
        if account.spent > account.most:
            raise TooMuchWork(f"more than {account.most:.0e} operations are needed")


@contextmanager
def heeded(heed: Callable[[], None]) -> Iterator[None]:
    """Have `heed` called at every `spend`."""
    before = _heed.set(heed)
    try:
        yield
    finally:
        _heed.reset(before)


@contextmanager
def limited(most: float) -> Iterator[None]:
    """Allow so many operations."""
    before = _account.set(_Account(most))
    try:
        yield
    finally:
        _account.reset(before)
