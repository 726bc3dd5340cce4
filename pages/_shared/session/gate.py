"""Lets one computation begin after the other, in turn, and stops those nobody waits for any more.

A computation has a slice of time, then it lets those go first that have had fewer: a short one
never waits for the end of a long one. It can do so, and be stopped, where it calls `Gate.pause`:
between two steps, and wherever an algorithm spends work (algorithms/core/work.py).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from math import log2

from streamlit.runtime.scriptrunner import get_script_run_ctx

AT_ONCE = 2  # at most: more only get into each other's way, and into everybody else's
HEAD_START = 0.5  # seconds that the next one waits for one that does not pause
SLICE = 0.04  # seconds until others go first
AT_LEAST = 0.1  # seconds for who has waited so long that it is its turn in spite of that
LOOK = 0.02  # seconds between two looks
PATIENCE = 1.0  # seconds of waiting that make up for a doubling

FRESH = 0.3  # seconds in which a rerun is not slowed down by longer ones
BREATH = 0.005

_here = threading.local()  # of a thread: its rerun, and the gate that has let it in


@dataclass(eq=False)
class Rerun:
    """What a rerun has had of the time of all; a visitor has one at a time."""

    since: float = field(default_factory=time.monotonic)  # when it began
    used: float = 0.0  # seconds
    begun: float = 0.0  # when its turn did
    look_again: float = 0.0
    waits: float = 0.0  # since when
    number: int = 0  # tells apart who came at the same time
    waiting: bool = False
    sure_until: float = 0.0  # of its turn
    let_in: threading.Event = field(default_factory=threading.Event)

    def level(self, now: float | None = None) -> int:
        """Give how often it has doubled its first slice, less what waiting makes up for."""
        waited = 0.0 if now is None else now - self.waits
        return int(log2(1 + self.used / SLICE)) - int(waited / PATIENCE)


_about: set[Rerun] = set()  # reruns under way that began a moment ago


def arrive() -> None:
    """Note that a rerun begins: its computations are served before those of later ones."""
    _here.rerun = Rerun()
    _forget_old()
    _about.add(_here.rerun)


def depart() -> None:
    """Note that the page is complete."""
    _about.discard(_rerun())


def _forget_old() -> None:
    now = time.monotonic()
    _about.difference_update([one for one in tuple(_about) if now - one.since > FRESH])


def _give_way(mine: Rerun) -> None:
    """Leave the interpreter to pages that are being made: to them its lock would cost far more."""
    end = time.monotonic() + FRESH
    while time.monotonic() < end:
        _forget_old()
        if not any(one is not mine and not one.waiting for one in tuple(_about)):
            return
        time.sleep(BREATH)


def _rerun() -> Rerun:
    if not hasattr(_here, "rerun"):
        arrive()
    return _here.rerun


def go_on() -> None:
    """End this rerun if its visitor has asked for a newer one, or has left."""
    if check := getattr(get_script_run_ctx(suppress_warning=True), "yield_check", None):
        check()  # raises what Streamlit ends a script with


class Gate:
    """One computation at a time; one that takes long without a pause is joined by a second."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: list[Rerun] = []
        self._numbers = count()
        self._running, self._begun = 0, 0.0

    @property
    def inside(self) -> bool:
        """Whether this thread has its turn."""
        return getattr(_here, "gate", None) is self

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it."""
        mine = _rerun()
        with self._lock:
            self._queue(mine)
            self._admit()
        try:
            self._wait(mine)
            _here.gate = self
            yield
        finally:
            _here.gate = None
            with self._lock:
                if mine.let_in.is_set():
                    mine.used += time.monotonic() - mine.begun
                    self._running -= 1
                else:  # interrupted while it waited
                    self._waiting.remove(mine)
                self._admit()

    def pause(self) -> None:
        """Let those go first who have had less; end if nobody waits for the result any more."""
        mine, now = _rerun(), time.monotonic()
        if not self.inside or now < mine.look_again:
            return
        mine.look_again = now + LOOK
        go_on()
        if now < mine.sure_until:
            return
        with self._lock:
            mine.used, mine.begun = mine.used + now - mine.begun, now
            first = self._first(now)
            steps_aside = bool(first and first.level(now) < mine.level())
            if first and steps_aside:
                self._queue(mine)
                self._let_in(first)
        if steps_aside:
            self._wait(mine)
        elif mine.level() > 0:
            _give_way(mine)

    def _queue(self, mine: Rerun) -> None:
        mine.let_in.clear()
        mine.waiting = True
        mine.waits, mine.number = time.monotonic(), next(self._numbers)
        self._waiting.append(mine)

    def _wait(self, mine: Rerun) -> None:
        while not mine.let_in.wait(HEAD_START):
            go_on()
            with self._lock:
                self._admit()

    def _first(self, now: float) -> Rerun | None:
        """Give who is next. Needs the lock."""
        return min(
            self._waiting, key=lambda one: (one.level(now), one.since, one.number), default=None
        )

    def _let_in(self, one: Rerun) -> None:
        """Give somebody the turn. Needs the lock."""
        self._waiting.remove(one)
        one.begun = self._begun = now = time.monotonic()
        one.sure_until = now + AT_LEAST if one.level(now) < one.level() else now
        one.waiting = False
        one.let_in.set()

    def _admit(self) -> None:
        """Let those in, in their order, who may begin now. Needs the lock."""
        while self._waiting and self._running < AT_ONCE:
            now = time.monotonic()
            if self._running and now - self._begun < HEAD_START:
                return
            self._running += 1
            first = self._first(now)
            assert first
            self._let_in(first)
