"""Gives reruns their turns, shares the processor fairly, and ends what takes too long.

The interpreter runs one thread at a time in any case. Threads that fight for its lock hold each
other up: one that computes gives it away at every call of NumPy and gets it back 5 ms later. So a
rerun has the turn from its beginning to its end. After a slice of processor time it lets visitors
go first who have used less lately, so that a short rerun never waits for the end of a long one. It
can step aside, and be ended, where it calls `Gate.pause`: at every result that it needs, between
two steps, and wherever an algorithm spends work (algorithms/core/work.py).

A visitor who computes a lot does not start every rerun as a newcomer: a rerun begins with what its
visitor has used lately, half of which is forgotten every `HALF` seconds. A rerun that waits long
enough gets a slice all the same, so nobody starves.

A long rerun holds on to what it has computed so far. So few long ones of the same kind are under
way at a time, and the next one goes on when one of them has ended. This bounds the memory, and most
of them are answered sooner.
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
AT_LEAST = 0.1  # seconds for a rerun that comes first only because it has waited long
LOOK = 0.02  # seconds between two looks
PATIENCE = 20.0  # seconds of waiting that make up for a doubling
HALF = 15.0  # seconds in which half of what a visitor has used is forgotten
MOST_SECONDS = 180.0  # of the processor for one rerun: a run has a limit of its own far below that
LONG = 1.0  # seconds of the processor that make a rerun a long one
MOST_LONG = 3  # long ones of a kind that go on at a time
FORGOTTEN = 0.001  # seconds: a visitor who has used less lately is as good as new

# Of this thread. A browser, which has but one, has no such clock.
_processor_time = getattr(time, "thread_time", time.monotonic)

_here = threading.local()  # of a thread: its rerun, and the gate that it goes through


class OverBudget(Exception):
    """A rerun, or a part of it such as an export, needs more time of the processor than it may."""


class Use:
    """The seconds of the processor that every visitor has used lately."""

    def __init__(self) -> None:
        """Know nobody."""
        self._lock = threading.Lock()
        self._used: dict[str, tuple[float, float]] = {}  # seconds, and as of when

    def lately(self, visitor: str) -> float:
        """Return the seconds that a visitor has used, less what is forgotten."""
        seconds, then = self._used.get(visitor, (0.0, 0.0))
        return seconds * 0.5 ** ((time.monotonic() - then) / HALF)

    def add(self, visitor: str, seconds: float) -> None:
        """Note that a visitor has used further seconds."""
        with self._lock:
            self._used[visitor] = (self.lately(visitor) + seconds, time.monotonic())

    def forget(self) -> None:
        """Drop the visitors whose use is as good as forgotten, such as those who have left."""
        with self._lock:
            left = {one: self._used[one] for one in self._used if self.lately(one) > FORGOTTEN}
            self._used = left

    def __len__(self) -> int:
        return len(self._used)


@dataclass(eq=False)
class Rerun:
    """What a rerun has had of the time of all; a visitor has one at a time.

    to_its_end : it is never ended early, as its visitor's message would be lost with it.
    """

    visitor: str = ""
    to_its_end: bool = False
    since: float = field(default_factory=time.monotonic)  # when it was asked for
    before: float = 0.0  # seconds of the processor that its visitor has used lately
    used: float = 0.0  # by itself
    most: float = MOST_SECONDS
    began: float = 0.0  # what its thread had used when it was let in
    sign: float = 0.0  # when it was let in, or paused last
    look_again: float = 0.0
    waits: float = 0.0  # since when
    number: int = 0  # tells apart who came at the same time
    sure_until: float = 0.0  # of its turn
    let_in: threading.Event = field(default_factory=threading.Event)

    def account(self) -> float:
        """Note and return what has been used since the last time. Called by its own thread."""
        now = _processor_time()
        seconds, self.began = now - self.began, now
        self.used += seconds
        return seconds

    def level(self, now: float | None = None) -> int:
        """Return how often its visitor has doubled a slice, minus what waiting makes up for."""
        waited = 0.0 if now is None else now - self.waits
        return int(log2(1 + (self.before + self.used) / SLICE)) - int(waited / PATIENCE)


def go_on() -> None:
    """End this rerun if its visitor has asked for a newer one, or has left."""
    if check := getattr(get_script_run_ctx(suppress_warning=True), "yield_check", None):
        check()  # raises what Streamlit ends a script with


def _end_if_unwanted(mine: Rerun) -> None:
    if not mine.to_its_end:
        go_on()


def visitor() -> str:
    """Return the name of the session whose rerun this is, "" if there is none."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


class Gate:
    """One rerun at a time; one that goes on for long without a pause is joined by a second."""

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
        """Whether this thread's rerun goes through this gate."""
        return getattr(_here, "gate", None) is self

    @contextmanager
    def turn(self, *, to_its_end: bool = False) -> Iterator[None]:
        """Wait for one's turn, and have it. A part of what has its turn needs none of its own.

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
        """Begin a rerun. One that takes the place of another that still waited keeps its place."""
        mine, before = Rerun(visitor(), to_its_end), getattr(_here, "rerun", None)
        mine.before = self.use.lately(mine.visitor)
        if before is not None and before.sign == 0:
            mine.since = before.since
        return mine

    @contextmanager
    def budget(self, seconds: float) -> Iterator[None]:
        """Allow so many seconds of the processor; `pause` raises OverBudget after them."""
        with self.turn():
            mine: Rerun = _here.rerun
            before, mine.most = mine.most, min(mine.most, mine.used + seconds)
            try:
                yield
            finally:
                mine.most = before

    def pause(self) -> None:
        """Let visitors go first who have used less; end what nobody waits for any more.

        Raises OverBudget if the rerun has used more than it may.
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
        self._leave(mine)  # its place among the long ones, too: the other one may wait for that
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
        """Give the turn away, or end the wait for it. aside : a long one keeps its place."""
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

        Only those up to the level after its own are counted: a visitor who has used little does
        not wait for the end of the longest.
        """
        if one.used < LONG or one in self._long:
            return True
        return sum(other.level() <= one.level() + 1 for other in self._long) < MOST_LONG

    def _first(self, now: float) -> Rerun | None:
        """Return the rerun that is next. Needs the lock."""
        in_order = sorted(self._waiting, key=lambda one: (one.level(now), one.since, one.number))
        return next(filter(self._may_go_on, in_order), None)

    def _admit(self) -> None:
        """Let those in, in their order, who may begin now. Needs the lock."""
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
