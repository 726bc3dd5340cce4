"""Exports pause, end, and have a budget, like all computations."""

import dataclasses
from collections.abc import Callable, Iterator

import pytest

from algorithms.core.work import heeded
from pages._shared.exports import menu
from pages._shared.exports.menu import WRITERS, Shown, written
from pages._shared.exports.provenance import About
from pages._shared.session import turns as gate
from pages._shared.session.cache import Store
from pages._shared.session.turns import Gate
from tests.exports.test_animation import long_run

STEPS = 300


class Left(BaseException):
    """The exception with which Streamlit ends a script when its visitor has left."""


class Counting:
    """A long run that counts its captions and calls a function at each of them."""

    def __init__(self) -> None:
        self.captions, self.pauses, self.at_caption = 0, 0, lambda: None
        run, scene = long_run(STEPS)
        scene = dataclasses.replace(scene, caption=self.caption)
        self.shown = Shown("counting", run, scene, [], About("t", "l", "lab", ""))

    def caption(self, now: int) -> str:
        self.captions += 1
        self.at_caption()
        return f"step {now}"

    def write(self, what: str) -> dict | None:
        return written(self.shown, {"what": what, "number": 1, "link": ""})


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    own = Store()
    monkeypatch.setattr("pages._shared.session.cache.store", lambda: own)
    monkeypatch.setattr(menu, "store", lambda: own)
    monkeypatch.setattr(gate, "LOOK", 0.0)
    yield Counting()


long_exports = pytest.mark.parametrize("what", ["animation", "steps"])


@long_exports
def test_there_is_a_pause_before_every_step(what: str, counting: Counting, monkeypatch) -> None:
    pause = Gate.pause

    def counted(self: Gate) -> None:
        counting.pauses += 1
        pause(self)

    monkeypatch.setattr(Gate, "pause", counted)
    behind: list[int] = []
    counting.at_caption = lambda: behind.append(counting.captions - counting.pauses)
    answer = counting.write(what)
    assert answer and "packed" in answer
    assert len(behind) == STEPS and max(behind) <= 0


@long_exports
def test_nothing_is_written_for_a_visitor_who_has_left(
    what: str, counting: Counting, monkeypatch
) -> None:
    def go_on() -> None:
        if counting.captions >= 5:
            raise Left

    monkeypatch.setattr(gate, "go_on", go_on)
    with pytest.raises(Left):
        counting.write(what)
    assert counting.captions == 5


@long_exports
def test_a_file_that_needs_too_much_is_given_up_with_a_sentence(
    what: str, counting: Counting, monkeypatch
) -> None:
    seconds = 0.0

    def half_a_second() -> None:
        nonlocal seconds
        seconds += 0.5

    monkeypatch.setattr(gate, "_processor_time", lambda: seconds)
    counting.at_caption = half_a_second
    assert counting.write(what) == {"number": 1, "error": menu.TOO_LONG}
    assert counting.captions == 2 * menu.MOST_SECONDS + 1
    counting.at_caption = lambda: None
    answer = counting.write(what)
    assert answer and "packed" in answer, "the next one has a budget of its own"


def test_every_file_is_written_within_a_budget(counting: Counting, monkeypatch) -> None:
    """This includes files that somebody adds later."""
    allowed: list[float] = []
    budget = Gate.budget

    def noted(self: Gate, seconds: float):
        allowed.append(seconds)
        return budget(self, seconds)

    monkeypatch.setattr(Gate, "budget", noted)
    for what, (ending, kind, _) in WRITERS.items():
        inside: list[Callable] = []
        writer = (ending, kind, lambda _, inside=inside: inside.append(heeded) or "text")
        monkeypatch.setitem(WRITERS, what, writer)
        counting.write(what)
        assert inside
    assert allowed == [menu.MOST_SECONDS] * len(WRITERS)
