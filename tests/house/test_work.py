"""Pages and exports compute in one place only, where work takes turns, has a budget, and ends."""

import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from algorithms.core import record, work
from pages._shared.exports.menu import WRITERS, Shown, written
from pages._shared.exports.provenance import About
from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.session.cache import Store
from pages._shared.session.turns import Gate
from tests.app.session import Session
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import modes

ROOT = Path(__file__).parents[2]
PAGES, ALGORITHMS, VIZ = (f"{ROOT / layer}/" for layer in ("pages", "algorithms", "viz"))
SHARED_BY_VIZ = f"{VIZ}core/"
STEPS = {record.__file__, work.__file__}  # whoever calls these makes steps, or has much to do


class Watch:
    """Notes which functions compute outside of `once` and of budgets.

    A function computes if it draws or words a run (any function of a subject of viz, and frames),
    if it is a generator of algorithms, or if it makes a step or spends work.
    """

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._here = threading.local()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Allow computing."""
        before = getattr(self._here, "working", False)
        self._here.working = True
        try:
            yield
        finally:
            self._here.working = before

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Look at a call, as a profiler does."""
        if event != "call" or getattr(self._here, "working", False):
            return
        code = frame.f_code
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        # The body of a module or a class is none, nor is a part of a function or a module.
        function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.endswith("comp>")
        if not (function and caller.startswith((PAGES, ALGORITHMS, VIZ))):
            return
        draws = code.co_filename.startswith(VIZ) and not code.co_filename.startswith(SHARED_BY_VIZ)
        steps = code.co_filename.startswith(ALGORITHMS) and (
            (code.co_flags & inspect.CO_GENERATOR and code.co_name != "<genexpr>")
            or code.co_filename in STEPS
        )
        if draws or steps or code.co_filename == f"{SHARED_BY_VIZ}frames.py":
            self.found.add(f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_name}")


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watch this thread and threads started later."""
    found, once, budget = Watch(), Store.once, Gate.budget

    def noted(store: Store, key: str, make: Callable[[], Any]) -> Any:
        def made() -> Any:
            with found.work():
                return make()

        return once(store, key, made)

    @contextmanager
    def allowed(gate: Gate, seconds: float) -> Iterator[None]:
        with budget(gate, seconds), found.work():
            yield

    monkeypatch.setattr(Store, "once", noted)
    monkeypatch.setattr(Gate, "budget", allowed)
    threading.setprofile(found)
    sys.setprofile(found)
    yield found
    sys.setprofile(None)
    threading.setprofile(None)


@EVERY_LAB
def test_a_page_computes_nothing_outside(lab: LabFile, watch: Watch) -> None:
    for link in modes(lab):
        Session().open(lab, **link, quiz="3", step="2")
        assert not watch.found, link
    if lab.section.gives != "something else":
        Session().open(lab, beside=lab.name)
        assert not watch.found, "compared with itself"


def test_an_export_computes_nothing_outside(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = next(lab for lab in LABS if lab.name == "k_means")
    session = Session().watch(monkeypatch).open(lab)
    run, scene = session.run_shown, session.scene_shown
    assert run and scene
    shown = Shown("outside", run, scene, [], About("t", "l", "lab", ""))
    for what in WRITERS:
        answer = written(shown, {"what": what, "number": 1, "link": ""})
        assert answer and "packed" in answer
    assert not watch.found


def test_the_watch_sees_what_is_computed_outside(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sees a caption that a page asks for by itself, and steps that it makes."""
    lab = next(lab for lab in LABS if lab.name == "k_means")
    session = Session().watch(monkeypatch).open(lab)
    run, scene = session.run_shown, session.scene_shown
    assert run and run.call and scene and not watch.found
    call, caption = run.call, scene.caption

    def page() -> None:
        caption(0)
        list(call.function(*call.args, **call.how))

    as_a_page = page.__code__.replace(co_filename=f"{PAGES}somewhere.py")
    page.__code__ = as_a_page
    page()
    files = {each.partition(":")[0] for each in watch.found}
    assert any(name.startswith("viz/clustering/") for name in files)
    assert any(name.startswith("algorithms/") for name in files)
