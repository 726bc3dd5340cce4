"""The contract of every scene of every mode; a new one is found without being registered."""

import json
import re
from collections.abc import Iterator
from itertools import chain, cycle, islice
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.lab.compare import modes_of
from pages._shared.lab.page import Page
from pages._shared.stage import stage
from pages._shared.stage.shown import Shown
from tests.app.crawl import DEGENERATE, opened
from tests.app.questions import check_form
from tests.app.session import Session
from tests.core.figures import accepted_by_plotly, merged, places, unpacked
from tests.house.check_steps import AsInTheApp
from tests.house.every_lab import EVERY_BOARD, EVERY_LAB
from tests.house.readme import number_in_readme
from viz.core.found import Regions
from viz.core.frames import difference, key_steps
from viz.core.question import no_question
from viz.core.scene import Run, Scene, View
from viz.core.theme import TYPE

MOST = 150_000  # characters of the answer to a move
TITLE = 49  # characters: more are broken into two lines at 1366x768
OF_DATA = {"data", "n", "sample", "noise"} | {
    preset.knob.name for preset in DATASETS.values() if preset.knob
}
A_FEW = 2  # hostile boards on which a mode is drawn in the ordinary tests


def modes(lab: LabFile) -> list[dict[str, str]]:
    """Return a link to each of a lab's modes."""
    found: list[dict[str, str]] = []
    show = Page.show

    def noted(page: Page, modes: Any, **how: Any) -> None:
        found.extend([{page.mode: text} for text in modes] if len(modes) > 1 else [{}])
        show(page, modes, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Page, "show", noted)
        Session().open(lab)
    return found


class Seen:
    """The scene that a page has put on the stage."""

    run: Run
    scene: Scene
    key: str


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    found, show = Seen(), stage.show

    def noted(place: str, shown: Shown, *args: Any, **how: Any) -> None:
        found.key, found.run, found.scene = shown.key, shown.run, shown.scene
        show(place, shown, *args, **how)

    monkeypatch.setattr(stage, "show", noted)
    with AsInTheApp():
        yield found


def some_steps(run: Run) -> list[int]:
    """Return the key steps, some at random, and one of each event."""
    total = len(run.steps)
    events = {step.event: i for i, step in enumerate(run.steps) if step.event}
    chance = np.random.default_rng(total).integers(total, size=8).tolist()
    return sorted({*key_steps(total), *events.values(), *chance})


def test_no_mode_is_missing() -> None:
    assert sum(len(modes_of(lab)) for lab in LABS) >= number_in_readme("modes")


@EVERY_LAB
def test_every_step_of_every_mode_is_shown_and_told(lab: LabFile, seen: Seen) -> None:
    links = modes(lab)
    assert len(links) == len(modes_of(lab))
    for link in links:
        session = Session().open(lab, **link)
        assert not session.stage["error"], link
        assert len(session.opening["views"]) == len(seen.scene.views) >= 2
        check_size(session, MOST)
        for view in seen.scene.views:
            check_view(view, seen.run)
            assert view is seen.scene.views[0] or len(view.title) <= TITLE, view.title
            check_points(view, seen.run, session.board.data.X)
        first, *linked = seen.scene.views
        if any(view.board and "points" in view.draw(0) for view in linked):
            assert first.board, "the picture can be painted on"
        own = {key.removeprefix(f"{lab.name}.") for key in session.state.drawn}
        assert not lab.board or not own & OF_DATA, "a data set may have a parameter of this name"
        assert (seen.scene.ask is no_question) == bool(seen.scene.silent)
        check_words(seen)


@EVERY_BOARD
def test_every_mode_on_a_hostile_board(lab: LabFile, seen: Seen) -> None:
    """Each mode is tested on a few boards; a few modes together cover all boards."""
    for number, link in enumerate(modes(lab)):
        for kind in islice(cycle(DEGENERATE), number * A_FEW, (number + 1) * A_FEW):
            check_on(lab, kind, link, seen)


@pytest.mark.long
@EVERY_BOARD
def test_every_mode_on_every_hostile_board(lab: LabFile, seen: Seen) -> None:
    for link in modes(lab):
        for kind in DEGENERATE:
            check_on(lab, kind, link, seen)


def check_on(lab: LabFile, kind: str, link: dict[str, str], seen: Seen) -> None:
    """Check a mode's scene on a hostile board, or its refusal."""
    session = opened(lab, kind, link)
    if not session.stage["error"]:
        for view in seen.scene.views:
            check_view(view, seen.run)
        check_words(seen)


def check_view(view: View, run: Run) -> None:
    first = view.draw(0)
    sent = json.loads(json.dumps(first, allow_nan=False, default=np.generic.item))
    assert view.title == view.title.strip() != ""
    for now in some_steps(run):
        figure = view.draw(now)
        text = json.dumps(difference(first, figure), allow_nan=False, default=np.generic.item)
        shown = json.loads(json.dumps(figure, allow_nan=False, default=np.generic.item))
        assert merged(sent, json.loads(text)) == shown, f"{view.title}: {now}"
        accepted_by_plotly(figure)
        assert min(sizes_of_type(figure), default=TYPE) >= TYPE, f"{view.title}: {now}"
        for name, axis in figure["layout"].items():
            if name[1:5] == "axis" and "range" in axis:
                low, high = axis["range"]
                assert np.isfinite([low, high]).all() and low != high, f"{view.title}: {name}"
    if track := view.track:
        assert track.places.shape[0] == len(run.steps)
        assert track.places.shape[2:] == (2,)
        assert np.isfinite(track.places).all()
        assert track.along in ("x", "y", "xy")


def sizes_of_type(part: object) -> Iterator[float]:
    """Go through the sizes in pixels of all words of a figure that have one of their own."""
    if isinstance(part, list):
        yield from chain.from_iterable(map(sizes_of_type, part))
    elif isinstance(part, dict):
        for name, value in part.items():
            if name.endswith("font") and "size" in value:
                yield from np.atleast_1d(value["size"])
            yield from sizes_of_type(value)


def check_points(view: View, run: Run, X: np.ndarray) -> None:
    """Check that a view's points are the board's exactly if the view says so."""
    for now in some_steps(run):
        figure = view.draw(now)
        if "points" in figure:
            shown, size = places(figure), np.abs(X).max(axis=0, initial=1e-30)
            ours = len(shown) == len(X) and np.allclose(shown / size, X / size, atol=1e-4)
            assert ours == view.board, f"{view.title}: {now}"


def too_exact(headline: str) -> list[str]:
    """Return the numbers with more than three digits that count; 99.99 % may not become 100 %."""
    numbers = re.findall(r"(?<![\w.₀-₉])\d+\.\d+", headline)
    digits = {text: text.replace(".", "").lstrip("0") for text in numbers}
    return [text for text in numbers if len(digits[text]) > 3 and not text.startswith("99.9")]


def check_words(seen: Seen) -> None:
    """Check that captions are sentences, and that questions have answers."""
    views = seen.scene.views
    assert not views[0].ahead, "the picture is there when a question is asked"
    assert all(view.ahead for view in views if tells_the_future(view))
    for now in some_steps(seen.run):
        caption = seen.scene.caption(now)
        headline = caption.split("\n")[0]
        assert len(headline) > 10, f"step {now}: {caption}"
        assert not too_exact(headline), headline
        if seen.scene.found and isinstance(seen.scene.found(now), Regions):
            traces = [trace.get("name") for trace in views[0].draw(now)["data"]]
            assert "class of the region" in traces, "regions differ by colour alone"
        words = caption.replace(",", " ").split()
        assert not {"nan", "inf", "−inf", "None", "-0"} & set(words), caption
        assert not re.search(r"\de[-+−]\d", caption), f"2.9e-05, not 2.9×10⁻⁵: {caption}"
        if question := seen.scene.ask(now):
            check_form(question, len(views))
            places = [question.place, *(option.place for option in question.options)]
            assert not any(views[place[0]].ahead for place in places if place)
    assert seen.scene.ask(len(seen.run.steps) - 1) is None


def tells_the_future(view: View) -> bool:
    """Return whether the first step's figure has a curve over the steps that goes beyond it."""
    over_steps = (
        trace
        for trace in view.draw(0)["data"]
        if trace.get("hovertemplate", "").startswith("step %{x}")
    )
    return any(unpacked(trace["x"]).max() > 0 for trace in over_steps)


def check_size(session: Session, most: int) -> None:
    opening = session.opening
    sizes = {
        view["title"]: len(json.dumps(view["first"]))
        + sum(len(json.dumps(frame["views"][i])) for frame in opening["frames"].values())
        for i, view in enumerate(opening["views"])
    }
    assert len(json.dumps(opening)) < most, sizes


@EVERY_LAB
def test_the_answer_to_a_move_stays_small_with_many_points(lab: LabFile) -> None:
    with AsInTheApp():
        for link in modes(lab):
            check_size(Session().open(lab, **link, n="1000"), 3 * MOST)
