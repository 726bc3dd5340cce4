"""What is taken from visitors who have left."""

from types import SimpleNamespace

import numpy as np
import pytest

from algorithms.data.presets import Dataset
from pages._shared.data.board import Board
from pages._shared.labs import LABS
from pages._shared.session import cache, leavers
from pages._shared.session.cache import Store
from pages._shared.session.state import KEY, Session
from tests.app.session import Session as Tab


@pytest.fixture(autouse=True)
def given_back(monkeypatch: pytest.MonkeyPatch) -> list:
    """Note how often memory is given back; what is kept for all is not that of other tests."""
    times, kept = [], Store()
    monkeypatch.setattr(leavers, "store", lambda: kept)
    monkeypatch.setattr(leavers, "_give_back", lambda: times.append(1))
    return times


class Server:
    """Sessions by name, of which some are there."""

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
    """Give a session that has loaded a table and can go back."""
    X = np.eye(3, 2)
    data = Dataset("mine", X, ("x", "y"), np.zeros(3, int), ("1",))
    here = Session(Board(data, (-1.0, 2.0, -1.0, 2.0)))
    here.board.load(data)
    here.own.raw = b"x,y\n1,2"
    return here


def has_all(here: Session) -> bool:
    return bool(here.board.past and here.own.raw)


def test_who_is_gone_twice_keeps_the_data_alone() -> None:
    server = Server("here", "gone")
    server.there.remove("gone")
    here, gone = (server.states[name][KEY] for name in ("here", "gone"))
    away = leavers.sweep(server, set())
    assert away == {"gone"} and has_all(gone), "a short break takes nothing away"
    assert leavers.sweep(server, away) == {"gone"}
    assert has_all(here)
    assert not gone.board.past and not gone.own.raw
    assert server.fragments == {"here": {"frames": object}, "gone": {}}
    assert len(gone.board.data.X) == 3
    assert server.removed == ["gone"]


def test_results_go_with_the_last_who_asked_for_them(monkeypatch, given_back: list) -> None:
    server, kept = Server("here", "gone"), leavers.store()
    for name, keys in (("here", "ab"), ("gone", "bc")):
        monkeypatch.setattr(cache, "_user", lambda name=name: name)
        for key in keys:
            kept.once(key, object)
    server.there.remove("gone")
    away = leavers.sweep(server, set())
    assert "c" in kept, "a short break takes nothing away"
    given_back.clear()
    away = leavers.sweep(server, away)
    assert "b" in kept and "c" not in kept
    assert given_back, "what was taken goes back to the system at once"
    given_back.clear()
    leavers.sweep(server, away)
    assert not given_back, "nothing has changed"


def test_who_comes_back_in_time_keeps_all() -> None:
    server = Server("one")
    server.there.clear()
    away = leavers.sweep(server, set())
    server.there.add("one")
    away = leavers.sweep(server, away)
    server.there.clear()
    assert leavers.sweep(server, away) == {"one"}
    assert has_all(server.states["one"][KEY])


def test_a_session_that_has_seen_no_page_yet() -> None:
    server = Server("new")
    server.states["new"].clear()
    server.there.clear()
    assert leavers.sweep(server, {"new"}) == {"new"}


def test_the_page_goes_on_without_what_was_taken() -> None:
    tab = Tab().open(next(lab for lab in LABS if lab.name == "k_means"))
    tab.paste("a,b\n1,2\n3,5\n4,4\n6,1")
    leavers.forget(tab.state)
    tab.run()
    assert len(tab.points) == 4
    assert not tab.stage["paint"]["undo"]
    tab.set("slider", "k", 2)
    assert len(tab.points) == 4


def test_without_a_server_nobody_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr(leavers.threading, "Thread", lambda **how: started.append(how))
    leavers.watch()
    assert not started
