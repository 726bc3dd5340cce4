"""What every scene of every mode must keep; a new one is found without being registered."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pages._shared.compare import modes_of
from pages._shared.labs import LABS, LabFile
from pages._shared.page import Page
from pages._shared.stage import stage
from tests.app.questions import check_form
from tests.app.session import Session
from tests.core.figures import accepted_by_plotly, merged
from tests.house.check_steps import AsInTheApp
from viz.core.frames import difference, key_steps
from viz.core.question import no_question
from viz.core.scene import Run, Scene, View

MOST = 150_000  # characters of the answer to a move
FEWEST_MODES = 78  # there are today: fewer means that some are not found any more


SILENT = {"lift"}  # a mode that asks nothing: its steps only turn the view of what is there

EVERY_LAB = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)


def modes(lab: LabFile) -> list[dict[str, str]]:
    """Give a link to each of a lab's modes."""
    found: list[dict[str, str]] = []
    show = Page.show

    def noted(page: Page, modes: Any, *, name: str = "view", **how: Any) -> None:
        found.extend([{name: text} for text in modes] if len(modes) > 1 else [{}])
        show(page, modes, name=name, **how)

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

    def noted(lab: str, key: str, run: Run, scene: Scene, *args: Any, **how: Any) -> None:
        found.key, found.run, found.scene = key, run, scene
        show(lab, key, run, scene, *args, **how)

    monkeypatch.setattr(stage, "show", noted)
    with AsInTheApp():
        yield found


def some_steps(run: Run) -> list[int]:
    """Give the key steps, some at random, and one of each event."""
    total = len(run.steps)
    events = {step.event: i for i, step in enumerate(run.steps) if step.event}
    chance = np.random.default_rng(total).integers(total, size=8).tolist()
    return sorted({*key_steps(total), *events.values(), *chance})


def test_no_mode_is_missing() -> None:
    assert sum(len(modes_of(lab)) for lab in LABS) >= FEWEST_MODES


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
        assert (seen.scene.ask is no_question) == (link.get("view") in SILENT)
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
    if track := view.track:
        assert track.places.shape[0] == len(run.steps)
        assert track.places.shape[2:] == (2,)
        assert np.isfinite(track.places).all()
        assert track.along in ("x", "y", "xy")


def check_words(seen: Seen) -> None:
    """Captions are sentences, and questions have answers."""
    views = seen.scene.views
    assert not views[0].ahead, "the picture is there when a question is asked"
    to_the_end = (view for view in views if "timeline." in getattr(view.draw, "__qualname__", ""))
    assert all(view.ahead for view in to_the_end)
    for now in some_steps(seen.run):
        caption = seen.scene.caption(now)
        assert len(caption.split("\n")[0]) > 10, f"step {now}: {caption}"
        words = caption.replace(",", " ").split()
        assert not {"nan", "inf", "−inf", "None", "-0"} & set(words), caption
        assert not re.search(r"\de[-+−]\d", caption), f"2.9e-05, not 2.9×10⁻⁵: {caption}"
        if question := seen.scene.ask(now):
            check_form(question, len(views))
            places = [question.place, *(option.place for option in question.options)]
            assert not any(views[place[0]].ahead for place in places if place)
    assert seen.scene.ask(len(seen.run.steps) - 1) is None


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
