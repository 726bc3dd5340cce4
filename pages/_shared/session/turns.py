"""Lets reruns take turns, shares the processor fairly, and ends reruns that take too long.

The interpreter runs one thread at a time in any case. Threads that compete for its lock slow each
other down: a thread that computes releases the lock at every call of NumPy and gets it back 5 ms
later. So a rerun has its turn from beginning to end. After a slice of processor time it lets
visitors go first who have used less lately, so a short rerun never waits for the end of a long one.
A rerun can step aside, or be ended, where it calls `Gate.pause`: at every result that it needs,
between two steps, and wherever an algorithm spends work (algorithms/core/work.py).

A rerun starts with the time that its visitor has used lately, so a visitor who computes a lot is
not a newcomer with every rerun. Half of this time is forgotten every `HALF` seconds. A rerun that
has waited long enough gets a slice in any case, so nobody starves.

A long rerun holds on to its results so far. So only a few long reruns of the same level go on at a
time, and the next one continues when one of them has ended. This bounds the memory, and most
reruns are answered sooner.
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

AT_ONCE = 2  # reruns at most, since more would only slow each other down
SILENCE = 0.3  # seconds without a pause, after which a second rerun begins
SLICE = 0.05  # seconds of processor time until others go first; most moves need less
AT_LEAST = 0.1  # seconds for a rerun that comes first only because it has waited long
LOOK = 0.02  # seconds between two looks
PATIENCE = 20.0  # seconds of waiting that make up for a doubling of the time used
HALF = 15.0  # seconds in which half of a visitor's used time is forgotten
MOST_SECONDS = 180.0  # of processor time for a rerun; the limit of a run is far below
LONG = 1.0  # seconds of processor time that make a rerun a long one
MOST_LONG = 3  # long reruns of a level that go on at a time
FORGOTTEN = 0.001  # seconds: a visitor who has used less lately is as good as new

# The processor time of this thread. In the browser, where there is one thread, it is missing.
_processor_time = getattr(time, "thread_time", time.monotonic)

_here = threading.local()  # a thread's rerun, and the gate that it goes through


class OverBudget(Exception):
    """A rerun, or a part of it such as an export, has used more processor time than it may."""


class Use:
    """The seconds of processor time that every visitor has used lately."""

    def __init__(self) -> None:
        """Start without visitors."""
        self._lock = threading.Lock()
        self._used: dict[str, tuple[float, float]] = {}  # seconds, and as of when

    def lately(self, visitor: str) -> float:
        """Return the seconds that a visitor has used, minus what is forgotten."""
        seconds, then = self._used.get(visitor, (0.0, 0.0))
        return seconds * 0.5 ** ((time.monotonic() - then) / HALF)

    def add(self, visitor: str, seconds: float) -> None:
        """Add to the seconds that a visitor has used."""
        with self._lock:
            self._used[visitor] = (self.lately(visitor) + seconds, time.monotonic())

    def forget(self) -> None:
        """Drop visitors whose time is as good as forgotten, such as those who have left."""
        with self._lock:
            left = {one: self._used[one] for one in self._used if self.lately(one) > FORGOTTEN}
            self._used = left

    def __len__(self) -> int:
        return len(self._used)


@dataclass(eq=False)
class Rerun:
    """A rerun and the time it has used; a visitor has one at a time.

    to_its_end : it is never ended early, because its visitor's message would be lost.
    """

    visitor: str = ""
    to_its_end: bool = False
    since: float = field(default_factory=time.monotonic)  # when it was asked for
    before: float = 0.0  # seconds of processor time that its visitor has used lately
    used: float = 0.0  # seconds that it has used itself
    most: float = MOST_SECONDS  # seconds that it may use
    began: float = 0.0  # the thread's processor time when it was last measured
    sign: float = 0.0  # when it was let in, or last paused
    look_again: float = 0.0  # when `pause` looks again
    waits: float = 0.0  # since when it waits
    number: int = 0  # the order among reruns of the same time
    sure_until: float = 0.0  # until when nobody takes its turn
    let_in: threading.Event = field(default_factory=threading.Event)

    def account(self) -> float:
        """Add the time used since the last call, and return it. Called by its own thread."""
        now = _processor_time()
        seconds, self.began = now - self.began, now
        self.used += seconds
        return seconds

    def level(self, now: float | None = None) -> int:
        """Return how often its visitor has doubled a slice, minus the credit for waiting."""
        waited = 0.0 if now is None else now - self.waits
        return int(log2(1 + (self.before + self.used) / SLICE)) - int(waited / PATIENCE)


def go_on() -> None:
    """End this rerun if its visitor has asked for a newer one, or has left."""
    if check := getattr(get_script_run_ctx(suppress_warning=True), "yield_check", None):
        check()  # raises the exception by which Streamlit ends a script


def _end_if_unwanted(mine: Rerun) -> None:
    if not mine.to_its_end:
        go_on()


def visitor() -> str:
    """Return the name of the session whose rerun this is, "" if there is none."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


class Gate:
    """Lets one rerun run at a time, and a second one if the first does not pause for long."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: list[Rerun] = []
        self._running: list[Rerun] = []
        self._long: set[Rerun] = set()  # those that have become long and go on
        self._numbers = count()
        self.use = Use()

    @property
    def inside(self) -> bool:
        """Return whether this thread's rerun goes through this gate."""
        return getattr(_here, "gate", None) is self

    @contextmanager
    def turn(self, *, to_its_end: bool = False) -> Iterator[None]:
        """Wait for the turn, and hold it. Inside a turn this does nothing.

        to_its_end : it is not ended when its visitor asks for something newer.
        """
        if self.inside:
            yield
            return
        _here.rerun = mine = self._new_rerun(to_its_end)
        try:
            self._enter(mine)
            _here.gate = self
            with heeded(self.pause):
                yield
        finally:
            _here.gate = None
            self._leave(mine)

    def _new_rerun(self, to_its_end: bool) -> Rerun:
        """Return a new rerun. If it replaces one that was still waiting, it keeps that place."""
        mine, before = Rerun(visitor(), to_its_end), getattr(_here, "rerun", None)
        mine.before = self.use.lately(mine.visitor)
        if before is not None and before.sign == 0:
            mine.since = before.since
        return mine

    @contextmanager
    def budget(self, seconds: float) -> Iterator[None]:
        """Limit the processor time of a part; after `seconds`, `pause` raises OverBudget."""
        with self.turn():
            mine: Rerun = _here.rerun
            before, mine.most = mine.most, min(mine.most, mine.used + seconds)
            try:
                yield
            finally:
                mine.most = before

    def pause(self) -> None:
        """Let visitors go first who have used less; end a rerun that nobody waits for any more.

        Raise OverBudget if the rerun has used more time than it may.
        """
        if not self.inside:
            return
        mine, now = _here.rerun, time.monotonic()
        if now < mine.look_again:
            return
        mine.look_again = now + LOOK
        _end_if_unwanted(mine)
        self._account(mine)
        if mine.used > mine.most:
            raise OverBudget
        with self._lock:
            mine.sign = now
            goes_on, first = self._may_go_on(mine), self._first(now)
            if goes_on and mine.used >= LONG:
                self._long.add(mine)
        if not goes_on or (first and now >= mine.sure_until and first.level(now) < mine.level()):
            self._leave(mine, aside=True)
            self._enter(mine)

    def wait_for(self, ready: threading.Event) -> None:
        """Wait for somebody else's result, and let others have the turn meanwhile."""
        mine = _here.rerun
        self._leave(mine)  # also its place among the long ones, which the other may need
        while not ready.wait(SILENCE):
            _end_if_unwanted(mine)
        self._enter(mine)

    def _account(self, mine: Rerun) -> None:
        seconds = mine.account()
        if mine.visitor:
            self.use.add(mine.visitor, seconds)

    def _enter(self, mine: Rerun) -> None:
        """Wait for the turn."""
        with self._lock:
            mine.waits, mine.number = time.monotonic(), next(self._numbers)
            self._waiting.append(mine)
            self._admit()
        while not mine.let_in.wait(SILENCE):
            _end_if_unwanted(mine)
            with self._lock:
                self._admit()
        mine.began = _processor_time()

    def _leave(self, mine: Rerun, *, aside: bool = False) -> None:
        """Give up the turn, or stop waiting for it. aside : a long rerun keeps its place."""
        with self._lock:
            if not aside:
                self._long.discard(mine)
            if mine in self._waiting:
                self._waiting.remove(mine)
            elif mine in self._running:
                self._running.remove(mine)
                self._account(mine)
            mine.let_in.clear()
            self._admit()

    def _may_go_on(self, one: Rerun) -> bool:
        """Return whether a rerun is short, or may be one of the few long ones. Needs the lock.

        Only long reruns up to one level above its own are counted, so that a visitor who has used
        little does not wait for the end of the longest.
        """
        if one.used < LONG or one in self._long:
            return True
        return sum(other.level() <= one.level() + 1 for other in self._long) < MOST_LONG

    def _first(self, now: float) -> Rerun | None:
        """Return the rerun that is next. Needs the lock."""
        in_order = sorted(self._waiting, key=lambda one: (one.level(now), one.since, one.number))
        return next(filter(self._may_go_on, in_order), None)

    def _admit(self) -> None:
        """Let waiting reruns in, in their order, as long as they may begin. Needs the lock."""
        while self._waiting and len(self._running) < AT_ONCE:
            now = time.monotonic()
            if any(now - one.sign < SILENCE for one in self._running):
                return
            first = self._first(now)
            if first is None:
                return
            self._waiting.remove(first)
            self._running.append(first)
            if first.used >= LONG:
                self._long.add(first)
            first.sign = now
            first.sure_until = now + AT_LEAST if first.level(now) < first.level() else now
            first.let_in.set()
