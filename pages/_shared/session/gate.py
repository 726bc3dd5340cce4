"""Lets one computation begin after the other, first come first served."""

import heapq
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

AT_ONCE = 2  # at most: more only get into each other's way, and into everybody else's
HEAD_START = 0.5  # seconds that the next one waits: most are over by then

_here = threading.local()  # of a thread: when its rerun began, and whether it has its turn


def arrive() -> None:
    """Note that a rerun begins: its computations are served before those of later ones."""
    _here.since = time.monotonic()


class Gate:
    """One computation at a time; one that takes long is joined by a second."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: list[tuple[float, int, threading.Event]] = []  # a heap
        self._numbers = count()  # tell apart who came at the same time
        self._running, self._begun = 0, 0.0

    @property
    def inside(self) -> bool:
        """Whether this thread has its turn."""
        return getattr(_here, "turn", None) is self

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it."""
        mine = (getattr(_here, "since", time.monotonic()), next(self._numbers), threading.Event())
        with self._lock:
            heapq.heappush(self._waiting, mine)
            self._admit()
        try:
            while not mine[2].wait(HEAD_START):
                with self._lock:
                    self._admit()
            _here.turn = self
            yield
        finally:
            _here.turn = None
            with self._lock:
                if mine[2].is_set():
                    self._running -= 1
                else:  # interrupted while it waited
                    self._waiting.remove(mine)
                    heapq.heapify(self._waiting)
                self._admit()

    def _admit(self) -> None:
        """Let those in, in their order, who may begin now. Needs the lock."""
        while self._waiting and self._running < AT_ONCE:
            if self._running and time.monotonic() - self._begun < HEAD_START:
                return
            self._running, self._begun = self._running + 1, time.monotonic()
            heapq.heappop(self._waiting)[2].set()
