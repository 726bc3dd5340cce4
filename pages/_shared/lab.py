"""What every lab is built from: title, data, parameters, one cached run, the stage, the lesson."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import streamlit as st

from algorithms.data.presets import Dataset
from pages._shared.data import panel
from pages._shared.data.board import board
from pages._shared.labs import read_lab
from pages._shared.session import parameters
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import by_user
from pages._shared.stage import stage
from pages._shared.text import plain
from viz.core import plane

STYLE = """<style>
.stMainBlockContainer { padding: 3.75rem 2rem 3rem; max-width: none; }
.stMainBlockContainer > div > [data-testid="stVerticalBlock"] { gap: 0.5rem; }
.lab-title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
.lab-title h1 { font-size: 1.7rem; padding: 0; margin: 0; }
.lab-title p { margin: 0; font-size: 1.05rem; }
.st-key-plotly { position: absolute; width: 0; height: 0; visibility: hidden; }
[data-testid="stSidebarHeader"] { height: 2.5rem; margin-bottom: 0; padding-bottom: 0; }
[data-testid="stSidebarUserContent"] { padding-top: 0; }
[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] { gap: 0.55rem; }
[data-testid="stSidebarUserContent"] h3 { padding: 0.3rem 0 0.5rem; font-size: 1.15rem; }
@media (max-width: 800px) { .stMainBlockContainer { padding: 3.75rem 1rem 3rem; } }
@media (min-width: 1700px) {
  .lab-title h1 { font-size: 2.1rem; }
  .lab-title p { font-size: 1.3rem; }
}
</style>"""


class Run(tuple):
    """The steps of a run, with the key it is cached under; no steps and a sentence if it failed."""

    key: str
    error: str | None


def _run(key: str, steps: Iterable = (), error: str | None = None) -> Run:
    run = Run(steps)
    run.key, run.error = key, error
    return run


class Lab:
    """One lab's page while it is being built."""

    def __init__(self, path: str, task: str, data: str, **data_options: Any) -> None:
        """Start the page: see `open_lab`."""
        self.file = read_lab(Path(path))
        self.task = task
        self.labelled = task in ("classification", "reduction")  # points have classes to paint
        parameters.begin(self.file.name)
        title, lead = escape(self.file.title), escape(self.file.lead)
        st.html(f'{STYLE}<div class="lab-title"><h1>{title}</h1><p>{lead}</p></div>')
        with st.sidebar:
            panel.show(task, default=data, **data_options)
        self.controls = st.sidebar.container()
        self.controls.subheader("Parameters", anchor=False)
        self.places: np.ndarray | None = None
        self.needs_points = True  # a view that can do without sets it to False

    @property
    def data(self) -> Dataset:
        """The data set on the board, which all labs share."""
        return board().data

    @property
    def bounds(self) -> plane.Bounds:
        """The stretch of plane the picture shows: it stays while points are painted."""
        return board().bounds

    @property
    def axes(self) -> tuple[str, str]:
        """The names of the two columns on the plane."""
        return (self.data.columns[self.data.x], self.data.columns[self.data.y])

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """`lab.slider(...)` and its like are the parameters' widgets, put into the sidebar."""
        widget = getattr(parameters, name)

        def place(*args: Any, **how: Any) -> Any:
            with self.controls:
                return widget(*args, **how)

        return place

    def places_on_stage(
        self, name: str, label: str, default: np.ndarray, *, within: plane.Bounds | None = None
    ) -> np.ndarray:
        """Give (k, 2) places that the user drags on the picture; kept in the address.

        within : where they have to stay, all of the picture unless said. Places that nobody
        dragged follow their default.
        """
        parse, text = partial(_parse_places, len(default)), _places_text(default)
        kept, defaults = st.session_state.kept, st.session_state.setdefault("default_places", {})
        if name in kept and kept[name] == defaults.get(name):
            del kept[name]
        defaults[name] = text
        value = parameters.declare(name, label, text, parse)
        st.session_state.places_name = name
        left, right, bottom, top = within or self.bounds
        self.places = np.clip(_places(value), [left, bottom], [right, top])  # within reach
        return self.places

    def run(self, algorithm: Callable[..., Iterable], *args: Any, **how: Any) -> Run:
        """Run an algorithm to its end, or find that some session did so before.

        A ValueError of the algorithm is a sentence for the user: the run is empty and carries it.
        """
        key = digest((algorithm, args, how))
        if missing := self._missing():
            return _run(key, error=missing)
        try:
            return once(key, lambda: _run(key, algorithm(*args, **how)))
        except ValueError as error:
            return _run(key, error=str(error))

    def _missing(self) -> str | None:
        """Say what has to be drawn before there is anything to run."""
        if not self.needs_points:
            return None
        if len(self.data.X) == 0:
            return "There are no points yet. Choose Point or Brush and draw some on the picture."
        if self.task == "classification" and len(np.unique(self.data.labels)) < 2:
            return (
                "All points are of one class. Choose another class (keys 1 to 8) and draw some "
                "points of it, or relabel some."
            )
        return None

    def once(self, compute: Callable[..., Any], *args: Any, **how: Any) -> Any:
        """Compute what a view needs besides the run, or find it computed."""
        return once(digest((compute, args, how)), lambda: compute(*args, **how))

    def note(self, text: str) -> None:
        """State what holds for the whole run, such as the preprocessing."""
        st.caption(plain(text))

    def stage(
        self,
        run: Run,
        views: Mapping[str, stage.View],
        *,
        caption: Callable[[int], str] | None,
        track: stage.Track | None = None,
    ) -> None:
        """Show a run. views : by title, the picture first, each a partial that lacks `now`,
        the number of the step; so is caption. track : handles whose places are steps."""
        here, data = board(), self.data
        if run:
            key = digest((views, caption, run.key, track))
            draw = partial(stage.payload, [step.event for step in run], views)
            payload = once(key, lambda: draw(caption, track))
        else:
            bare = partial(plane.data_only, data.X, data.labels, self.bounds, self.axes)
            payload = stage.payload([None], {"The points": lambda _: bare()}, lambda _: "")
        stage.mount(
            {
                "lab": self.file.name,
                "run": run.key,  # the step stays where only what is shown of it changes
                "payload": payload,
                "error": run.error,
                "bounds": repr(self.bounds),
                "links": st.session_state.links,
                "reason": self._what_changed(),
                "handles": [] if self.places is None else self.places.tolist(),
                "paint": {
                    "labels": plane.packed(data.labels.astype(np.uint8)),
                    "classes": data.classes if self.labelled else None,
                    "revision": here.revision,
                    "done": {"page": here.page, "number": here.done},
                    "undo": bool(here.past),
                    "redo": bool(here.future),
                },
            },
            labelled=self.labelled,
            on_edits=by_user(_carry_out),
            on_places=by_user(_put_places),
        )
        with st.container(key="plotly"):  # Streamlit loads Plotly for a chart; the stage shares it
            st.plotly_chart({"data": [{"x": [0], "y": [0]}]}, key="loader", height=10)
        for sentence in st.session_state.refused:
            st.warning(plain(f"The link was corrected. {sentence}."))

    def _what_changed(self) -> str:
        """Say which parameters differ from those of the last run of this lab.

        One that has only followed its default, as places on the picture may, is not named.
        """
        declared = st.session_state.declared.values()
        shown = {label: (value, default) for label, value, default in declared if label != "Points"}
        shown["data"] = (digest(self.data), None)
        before = st.session_state.setdefault("shown", {}).get(self.file.name, {})
        changes = {
            label: f"{label} {before[label][0]} → {value}"
            for label, (value, default) in shown.items()
            if label in before
            and before[label][0] != value
            and (value != default or before[label][0] != before[label][1])
        }
        drawn = changes.pop("data", None)
        if changes or drawn:
            st.session_state.reason = "; ".join(changes.values()) or "the data changed"
        st.session_state.shown[self.file.name] = shown
        return st.session_state.get("reason", "")

    def lesson(self, code: ModuleType) -> None:
        """Show the tabs: the chapters of the docstring, and the source of the algorithm.

        Only the open one has content: colouring the source would take a third of a second of
        everybody's first visit.
        """
        chapters = ["Idea", "Maths", "Code", "Try this"]
        idea, maths, source, trials = st.tabs(
            chapters, key="chapter", on_change=by_user(_turn_page)
        )
        if idea.open:
            idea.markdown(self.file.texts["Idea"])
        if maths.open:
            maths.markdown(self.file.texts["Maths"])
        if source.open:
            source.code(inspect.getsource(code), language="python", line_numbers=True)
        if trials.open:
            for title, link, text in self.file.experiments:
                trials.page_link(
                    str(self.file.path),
                    label=f"**{title}**",
                    icon=":material/play_circle:",
                    query_params=link,
                )
                trials.markdown(text)


def open_lab(path: str, *, task: str, data: str, **data_options: Any) -> Lab:
    """Start a lab's page: its title and sentence, and the data panel in the sidebar.

    path : the page's `__file__`. task : its section, such as "clustering".
    data : the preset it opens on; data_options : that preset's `n`, `noise`, ... if not its own.
    """
    return Lab(path, task, data, **data_options)


def _turn_page() -> None:
    """Open another chapter: nothing else changes."""


def _carry_out() -> None:
    """Do what was painted, before the page runs."""
    if sent := stage.sent("edits"):
        board().carry_out(sent)


def _put_places() -> None:
    """Keep the places that were dragged: the lab reads them as it reads a link."""
    try:
        text = _places_text(stage.sent("places"))
    except (TypeError, ValueError, OverflowError):
        return  # nothing our own page would send
    st.session_state.kept[st.session_state.places_name] = text


def _parse_places(count: int, text: str) -> str:
    try:
        places = _places(text)
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a list of places x,y;x,y") from None
    if places.shape != (count, 2) or not np.isfinite(places).all():
        raise ValueError(f"{count} places are needed")
    return text


def _places_text(places: Iterable) -> str:
    return ";".join(f"{float(x):.4g},{float(y):.4g}" for x, y in places)


def _places(text: str) -> np.ndarray:
    return np.array([[float(number) for number in place.split(",")] for place in text.split(";")])
