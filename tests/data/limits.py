"""Limits of CPU time that mean the same on a slow machine and late in a long test run."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

USUAL = 0.038  # seconds of CPU that the loop takes where the limits were set


@contextmanager
def seconds_of_cpu(most: float) -> Iterator[None]:
    """Allow this much CPU time, more if a plain loop also takes longer on this machine now."""
    gc.freeze()  # what earlier tests left is not looked through again and again
    start = time.process_time()
    try:
        yield
    finally:
        gc.unfreeze()
    taken = time.process_time() - start
    if taken >= most:
        start = time.process_time()
        sum(i * i for i in range(1_000_000))
        most *= max(1.0, (time.process_time() - start) / USUAL)
    assert taken < most
