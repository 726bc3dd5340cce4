"""The memory of visitors who have left is freed."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import Dataset
from pages._shared.data.board import Board
from pages._shared.data.session_data import SessionData
from pages._shared.lab.catalogue import LABS
from pages._shared.lab.mode_tools import Lab
from pages._shared.session import cache, memory
from pages._shared.session.cache import Store
from pages._shared.session.state import KEY, Session
from tests.app.session import Session as Tab


@pytest.fixture(autouse=True)
def given_back(monkeypatch: pytest.MonkeyPatch) -> list:
    """Count how often memory is given back; the shared results of other tests do not count."""
    times, kept = [], Store()
    monkeypatch.setattr(memory, "store", lambda: kept)
    monkeypatch.setattr(memory, "give_back", lambda: times.append(1))
    return times


class Server:
    """Sessions by name, some of which are connected."""

    def __init__(self, *names: str) -> None:
        self.there, self.removed = set(names), []
        self.states = {name: {KEY: visited()} for name in names}
        self.fragments = {name: {"frames": object} for name in names}
        self._session_mgr = self._uploaded_file_mgr = self

    def list_sessions(self) -> list:
        return [
            SimpleNamespace(
                session=SimpleNamespace(
                    id=name, session_state=state, _fragment_storage=self.fragments[name]
                )
            )
            for name, state in self.states.items()
        ]

    def is_active_session(self, name: str) -> bool:
        return name in self.there

    def remove_session_files(self, name: str) -> None:
        self.removed.append(name)


def visited() -> Session:
    """Return a session that has loaded a table and has an undo history."""
    X = np.eye(3, 2)
    data = Dataset("mine", X, ("x", "y"), np.zeros(3, int), ("1",))
    here = Session()
    held = here.part(SessionData)
    held.board = Board(data, (-1.0, 2.0, -1.0, 2.0))
    held.board.load(data)
    held.own.raw = b"x,y\n1,2"
    return here


def has_all(here: Session) -> bool:
    held = here.part(SessionData)
    return bool(held.board.past and held.own.raw)


def test_who_is_gone_twice_keeps_the_data_alone() -> None:
    server = Server("here", "gone")
    server.there.remove("gone")
    here, gone = (server.states[name][KEY] for name in ("here", "gone"))
    away = memory.sweep(server, set())
    assert away == {"gone"} and has_all(gone), "a short break takes nothing away"
    assert memory.sweep(server, away) == {"gone"}
    assert has_all(here)
    left = gone.part(SessionData)
    assert not left.board.past and not left.own.raw
    assert server.fragments == {"here": {"frames": object}, "gone": {}}
    assert len(left.board.data.X) == 3
    assert server.removed == ["gone"]


def test_results_go_with_the_last_who_asked_for_them(monkeypatch, given_back: list) -> None:
    server, kept = Server("here", "gone"), memory.store()
    for name, keys in (("here", "ab"), ("gone", "bc")):
        monkeypatch.setattr(cache, "visitor", lambda name=name: name)
        for key in keys:
            kept.once(key, object)
    server.there.remove("gone")
    away = memory.sweep(server, set())
    assert "c" in kept, "a short break takes nothing away"
    given_back.clear()
    away = memory.sweep(server, away)
    assert "b" in kept and "c" not in kept
    assert given_back, "what was taken goes back to the system at once"
    given_back.clear()
    memory.sweep(server, away)
    assert not given_back, "nothing has changed"


def test_who_comes_back_in_time_keeps_all() -> None:
    server = Server("one")
    server.there.clear()
    away = memory.sweep(server, set())
    server.there.add("one")
    away = memory.sweep(server, away)
    server.there.clear()
    assert memory.sweep(server, away) == {"one"}
    assert has_all(server.states["one"][KEY])


def test_a_session_that_has_seen_no_page_yet() -> None:
    server = Server("new")
    server.states["new"].clear()
    server.there.clear()
    assert memory.sweep(server, {"new"}) == {"new"}


def test_the_page_goes_on_without_what_was_taken() -> None:
    tab = Tab().open(next(lab for lab in LABS if lab.name == "k_means"))
    tab.paste("a,b\n1,2\n3,5\n4,4\n6,1")
    memory.forget(tab.state)
    tab.run()
    assert len(tab.points) == 4
    assert not tab.stage["paint"]["undo"]
    tab.set("slider", "k", 2)
    assert len(tab.points) == 4


def test_without_a_server_nobody_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr(memory.threading, "Thread", lambda **how: started.append(how))
    memory.watch()
    assert not started


def test_a_visitor_who_waits_holds_on_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a page runs again, its fragments have dropped the last scene before a run is made."""
    tab = Tab().watch(monkeypatch)
    k_means = next(lab for lab in LABS if lab.name == "k_means")
    tab.open(k_means)
    shown, alive = weakref.ref(tab.scene_shown), []
    tab.scene_shown = tab.run_shown = None
    run = Lab.run_apart

    def noted(lab: Lab, *args: Any, **how: Any) -> Any:
        cache.store().clear()
        gc.collect()
        alive.append(shown() is not None)
        return run(lab, *args, **how)

    monkeypatch.setattr(Lab, "run_apart", noted)
    assert shown() is not None
    tab.set("slider", "noise", 0.7)
    assert alive and not any(alive)
