"""Lets one rerun run after the other, in turn, and stops those nobody waits for any more.

The interpreter runs one thread at a time in any case. Threads that fight for its lock hold each
other up: one that computes gives it away at every call of NumPy and gets it back 5 ms later. So a
rerun has the turn from its beginning to its end. It has a slice of time, then it lets those go
first that have had fewer: a short one never waits for the end of a long one. It can do so, and be
stopped, where it calls `Gate.pause`: at every result that it needs, between two steps, and wherever
an algorithm spends work (algorithms/core/work.py).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from math import log2

from streamlit.runtime.scriptrunner import get_script_run_ctx

from algorithms.core.work import heeded

AT_ONCE = 2  # at most: more only get into each other's way
SILENCE = 0.3  # seconds without a pause, after which another one begins beside it
SLICE = 0.05  # seconds of the processor until others go first: most moves need less
AT_LEAST = 0.1  # seconds for who has waited so long that it is its turn in spite of that
LOOK = 0.02  # seconds between two looks
PATIENCE = 1.0  # seconds of waiting that make up for a doubling

# Of this thread. A browser, which has but one, has no such clock.
_processor_time = getattr(time, "thread_time", time.monotonic)

_here = threading.local()  # of a thread: its rerun, and the gate that it goes through


@dataclass(eq=False)
class Rerun:
    """What a rerun has had of the time of all; a visitor has one at a time."""

    since: float = field(default_factory=time.monotonic)  # when it was asked for
    used: float = 0.0  # seconds of the processor
    began: float = 0.0  # what its thread had used when it was let in
    sign: float = 0.0  # when it was let in, or paused last
    look_again: float = 0.0
    waits: float = 0.0  # since when
    number: int = 0  # tells apart who came at the same time
    sure_until: float = 0.0  # of its turn
    let_in: threading.Event = field(default_factory=threading.Event)

    def account(self) -> None:
        """Note what has been used since it was let in. To be called by its own thread."""
        now = _processor_time()
        self.used, self.began = self.used + now - self.began, now

    def level(self, now: float | None = None) -> int:
        """Give how often it has doubled its first slice, less what waiting makes up for."""
        waited = 0.0 if now is None else now - self.waits
        return int(log2(1 + self.used / SLICE)) - int(waited / PATIENCE)


def go_on() -> None:
    """End this rerun if its visitor has asked for a newer one, or has left."""
    if check := getattr(get_script_run_ctx(suppress_warning=True), "yield_check", None):
        check()  # raises what Streamlit ends a script with


def _new_rerun() -> Rerun:
    """Begin a rerun. Who asks for another while the first one waits, keeps its place."""
    before: Rerun | None = getattr(_here, "rerun", None)
    never_began = before is not None and before.sign == 0
    return Rerun(since=before.since) if before and never_began else Rerun()


class Gate:
    """One rerun at a time; one that goes on for long without a pause is joined by a second."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: list[Rerun] = []
        self._running: list[Rerun] = []
        self._numbers = count()

    @property
    def inside(self) -> bool:
        """Whether this thread's rerun goes through this gate."""
        return getattr(_here, "gate", None) is self

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it. A part of what has its turn needs none of its own."""
        if self.inside:
            yield
            return
        _here.rerun = mine = _new_rerun()
        try:
            self._enter(mine)
            _here.gate = self
            with heeded(self.pause):
                yield
        finally:
            _here.gate = None
            self._leave(mine)

    def pause(self) -> None:
        """Let those go first who have had less; end if nobody waits for the result any more."""
        if not self.inside:
            return
        mine, now = _here.rerun, time.monotonic()
        if now < mine.look_again:
            return
        mine.look_again = now + LOOK
        go_on()
        with self._lock:
            mine.sign = now
            mine.account()
            first = self._first(now)
        if first and now >= mine.sure_until and first.level(now) < mine.level():
            self._leave(mine)
            self._enter(mine)

    def wait_for(self, ready: threading.Event) -> None:
        """Wait for somebody else's result, and let others have the turn meanwhile."""
        mine = _here.rerun
        self._leave(mine)
        while not ready.wait(SILENCE):
            go_on()
        self._enter(mine)

    def _enter(self, mine: Rerun) -> None:
        """Wait for the turn."""
        with self._lock:
            mine.waits, mine.number = time.monotonic(), next(self._numbers)
            self._waiting.append(mine)
            self._admit()
        while not mine.let_in.wait(SILENCE):
            go_on()
            with self._lock:
                self._admit()
        mine.began = _processor_time()

    def _leave(self, mine: Rerun) -> None:
        """Give the turn away, or end the wait for it."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            elif mine in self._running:
                self._running.remove(mine)
                mine.account()
            mine.let_in.clear()
            self._admit()

    def _first(self, now: float) -> Rerun | None:
        """Give who is next. Needs the lock."""
        return min(
            self._waiting, key=lambda one: (one.level(now), one.since, one.number), default=None
        )

    def _admit(self) -> None:
        """Let those in, in their order, who may begin now. Needs the lock."""
        while self._waiting and len(self._running) < AT_ONCE:
            now = time.monotonic()
            if any(now - one.sign < SILENCE for one in self._running):
                return
            first = self._first(now)
            assert first
            self._waiting.remove(first)
            self._running.append(first)
            first.sign = now
            first.sure_until = now + AT_LEAST if first.level(now) < first.level() else now
            first.let_in.set()
