"""A visitor's session without the browser: tests assert what the browser would be sent."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from pages._shared.data.board import Board
from pages._shared.data.own_data import LOAD, USE
from pages._shared.data.session_data import SessionData
from pages._shared.lab.catalogue import LabFile
from pages._shared.lab.mode_tools import Lab, _steps
from pages._shared.session import state
from pages._shared.session.server import disregard_pages_folder
from pages._shared.stage import fork, protocol, stage
from pages._shared.stage.shown import Shown
from tests.core import typed
from tests.core.figures import merged, places, unpacked
from viz.core.scene import Run, Scene

ROOT = Path(__file__).parents[2]
_made_pages = PagesManager.__init__


def _made_as_served(self: PagesManager, *args: Any, **how: Any) -> None:
    """Ignore the folder called pages, as the app does; AppTest forgets that."""
    disregard_pages_folder()
    _made_pages(self, *args, **how)


PagesManager.__init__ = _made_as_served
# A server looks once for components that packages bring, AppTest before every test.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def on_board(lab: LabFile) -> dict[str, str]:
    """Return the link by which a lab shows the board's points.

    A page whose first mode shows others says it itself, as `ON_BOARD`.
    """
    page = import_module(f"pages.{lab.path.parent.name}.{lab.name}")
    return getattr(page, "ON_BOARD", {})


class Session:
    """A browser tab without the browser; empty until it runs the gallery or opens a lab."""

    def __init__(self) -> None:
        self.app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        self.calls: dict[str, Any] = {}  # by key, how to make a run again
        self.run_shown: Run | None = None
        self.scene_shown: Scene | None = None

    def run(self) -> None:
        self.app.run()
        assert not self.app.exception, self.app.exception[0]

    def open(self, lab: LabFile, **link: str) -> "Session":
        """Go to a lab, by the menu or by a link with parameters."""
        self.app.switch_page(str(lab.path.relative_to(ROOT)))
        self.app.query_params = link
        self.run()
        return self

    def key(self, name: str) -> str:
        """Return the key of a parameter's widget."""
        here = self.state
        scope = "data" if f"data.{name}" in here.drawn else here.page
        return f"{scope}.{name}" if f"{scope}.{name}" in here.drawn else name

    def widget(self, kind: str, name: str) -> Any:
        return getattr(self.app, kind)(key=self.key(name))

    def set(self, kind: str, name: str, value: Any) -> None:
        self.widget(kind, name).set_value(value)
        self.run()

    def fork(self, step: int) -> None:
        """Ask to change the step after this one, or to go back to the original run."""
        self.state.acted = True
        fork.turn(self.state, step + 1)
        self.run()

    def move(self, index: int, to: tuple[float, float]) -> None:
        """Move a point from the changed step on, as the stage does."""
        self.state.acted = True
        fork.move(self.state, {"index": index, "to": list(to), "number": 1})
        self.run()

    def press(self, label: str) -> None:
        next(button for button in self.app.button if button.label == label).click()
        self.run()

    def open_own_data(self) -> None:
        if not self.data.loading:
            self.press(LOAD)

    def use_own_data(self) -> None:
        """Press the button that uses the data in the dialog, if it can be pressed."""
        if not next(button for button in self.app.button if button.label == USE).disabled:
            self.press(USE)

    def upload(self, name: str, raw: bytes) -> None:
        self.open_own_data()
        self.app.file_uploader(key="file").set_value((name, raw, "text/plain"))
        self.run()
        self.use_own_data()

    def paste(self, text: str) -> None:
        self.open_own_data()
        self.app.text_area(key="pasted").set_value(text)
        self.press("Read the pasted table")
        self.use_own_data()

    def correct(self, kind: str, name: str, value: Any) -> None:
        """Change in the dialog how the last table was read, and use the result if possible."""
        self.open_own_data()
        self.set(kind, name, value)
        self.use_own_data()

    @property
    def state(self) -> state.Session:
        return self.app.session_state[state.KEY]

    @property
    def data(self) -> SessionData:
        return self.state.part(SessionData)

    @property
    def board(self) -> Board:
        return self.data.board

    def value(self, name: str) -> Any:
        """Return a parameter's value."""
        return self.state.declared[name].value

    @property
    def values(self) -> dict[str, Any]:
        return {name: declared.value for name, declared in self.state.declared.items()}

    def sent(self, component: str) -> str:
        """Return the data that a component is sent, by its name."""
        shown = self.app.get("bidi_component")
        (found,) = (each for each in shown if each.proto.component_name == component)
        return found.proto.json

    def check_taken(self, link: Mapping[str, str]) -> None:
        """Check that the page has taken every value of a link."""
        assert self.state.refused == []
        for name, text in link.items():
            assert name in self.state.declared, f"{name} cannot be set here"
            assert written(self.value(name)) == written(text), f"{name} did not take {text}"

    @property
    def stage(self) -> dict:
        """Return the data sent to the stage, with its opening unpacked and checked."""
        sent = json.loads(self.sent("stage"))
        opening = json.loads(sent["opening"])
        typed.check(sent, protocol.Stage)
        typed.check(opening, protocol.Opening)
        typed.check(json.loads(self.sent("frames")), protocol.Frames)
        assert opening["frames"]["0"]
        assert str(opening["total"] - 1) in opening["frames"]
        assert opening["views"][0]["first"]["data"] or opening["views"][0]["first"]["points"]
        assert len(unpacked(opening["steps"])) == len(unpacked(opening["kinds"]))
        for frame in opening["frames"].values():
            assert len(frame["views"]) == len(opening["views"])
        if sent["error"]:
            assert re.match(r"\S.*\w", sent["error"])
        else:
            for frame in opening["frames"].values():
                assert frame["caption"]
                assert not re.search(r"\b(nan|inf|None)\b", frame["caption"]), frame["caption"]
            for view in opening["views"]:
                assert view["title"]
                assert view["first"]["data"] or view["first"]["points"]
        return sent | {"opening": opening}

    @property
    def opening(self) -> dict:
        return self.stage["opening"]

    @property
    def captions(self) -> list[str]:
        """Return the captions of the steps that are sent at once, in order, with the answers."""
        frames = self.opening["frames"]
        lines = (
            [frames[step].get(name) for name in ("caption", "answer")]
            for step in sorted(frames, key=int)
        )
        return [" ".join(filter(None, each)) for each in lines]

    @property
    def events(self) -> dict[int, str]:
        """Return each step's event."""
        opening = self.opening
        steps, kinds = (unpacked(opening[name]).tolist() for name in ("steps", "kinds"))
        return {step: opening["names"][kind] for step, kind in zip(steps, kinds, strict=True)}

    def figure(self, step: int = 0, view: int = 0) -> dict:
        """Return a view's figure at a step that was sent at once."""
        opening = self.opening
        patch = opening["frames"][str(step)]["views"][view]
        return merged(opening["views"][view]["first"], patch)

    @property
    def points(self) -> np.ndarray:
        """Return the points that the picture shows."""
        return places(self.opening["views"][0]["first"])

    @property
    def errors(self) -> list[str]:
        return [unescaped(error.value) for error in self.app.error]

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> "Session":
        """Note which algorithm each run came from, and which run and scene are shown."""
        run, show = Lab.run_apart, stage.show

        def noted(lab: Lab, algorithm: Any, *args: Any, **how: Any) -> Run:
            call = None
            with suppress(ValueError):  # of an argument; then the run has that error
                plain = {name: _steps(value) for name, value in how.items()}
                call = partial(algorithm, *map(_steps, args), **deepcopy(plain))  # generators go on
            found = run(lab, algorithm, *args, **how)
            self.calls[found.key] = call
            return found

        def put_on(place: str, shown: Shown, *args: Any, **how: Any) -> None:
            self.run_shown, self.scene_shown = shown.run, shown.scene
            show(place, shown, *args, **how)

        monkeypatch.setattr(Lab, "run_apart", noted)
        monkeypatch.setattr(stage, "show", put_on)
        return self

    def step(self, keys: str) -> int:
        """Return the step of the shown run to which these keys of the player lead.

        keys : from step 0, with a blank between two: → ← ] (the next event) End.
        """
        assert self.run_shown is not None
        steps, at = self.run_shown.steps, 0
        last = len(steps) - 1
        for key in keys.split():
            if key == "]":
                at = next(i for i in range(at + 1, len(steps)) if steps[i].event)
            else:
                at = {"→": min(at + 1, last), "←": max(at - 1, 0), "End": last}[key]
        return at

    def caption(self, keys: str = "") -> str:
        """Return the caption of the step to which these keys lead, or the error that is shown."""
        assert self.scene_shown is not None
        return self.stage["error"] or whole_caption(self.scene_shown, self.step(keys))

    def check_shown(self) -> None:
        """Check that the page shows what the algorithm returns when called directly."""
        sent, shown = self.stage, self.run_shown
        assert shown is not None
        if sent["error"]:
            assert not shown.steps
            return
        steps = list(self.calls[shown.key]())
        assert sent["opening"]["total"] == len(steps) == len(shown.steps)
        assert self.events == {i: step.event for i, step in enumerate(steps) if step.event}


def whole_caption(scene: Scene, now: int) -> str:
    """Return the caption of a step with the answer, as it is read when none is awaited."""
    return " ".join(filter(None, [scene.caption(now), scene.answer(now)]))


def written(value: object) -> str:
    """Write a parameter's value in one form, whether a link or the page wrote it."""
    if isinstance(value, bool):
        return str(value)
    try:
        return f"{float(str(value)):g}"
    except ValueError:
        return str(value)


def unescaped(text: str) -> str:
    """Return a text as Markdown shows it."""
    return re.sub(r"\\(.)", r"\1", text)
