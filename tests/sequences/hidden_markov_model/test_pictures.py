"""The time at hand, the rings and the captions of the states."""

import numpy as np
import pytest

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line
from tests.core.told import numbers

NEAR = 0.75  # how far apart two states are drawn

(LAB,) = (lab for lab in LABS if lab.name == "hidden_markov_model")


@pytest.mark.parametrize("seed", ["26", "2", "5"])
def test_rings_are_where_hindsight_prefers_another_state(seed: str, session: Session) -> None:
    session.open(LAB, seed=seed)
    assert session.run_shown and session.scene_shown
    steps = session.run_shown.steps
    for now, step in enumerate(steps):
        figure = session.scene_shown.views[0].draw(now)
        shapes = figure["layout"]["shapes"]
        dotted = [shape["x0"] for shape in shapes if shape["type"] == "line"]
        assert dotted == ([] if step.event == "finished" else [step.t])
        shaded = [(shape["x0"], shape["x1"]) for shape in shapes if shape["type"] == "rect"]
        later_than = [(step.t - 0.5, len(step.filtered) - 0.5)]
        assert shaded == (later_than if step.phase == "backward" else [])
        told = " ".join(note["text"] for note in figure["layout"]["annotations"])
        assert ("in hindsight</b>" in told) == bool(shaded)
        (ring,) = (t for t in figure["data"] if t.get("name") == "most probable only in hindsight")
        rings = line(ring)[~np.isnan(line(ring)[:, 0])]
        expected = []
        if step.phase == "backward":
            then, later = (each.argmax(axis=1) for each in (step.filtered, steps[-1].posteriors))
            expected = [(t, -NEAR * i) for t, i in enumerate(later) if t >= step.t and then[t] != i]
        assert rings.tolist() == [list(map(float, place)) for place in expected]


@pytest.mark.parametrize("parameters", [{}, {"model": "three rooms in a row"}, {"length": "2"}])
def test_the_lab_opens_where_a_symbol_changes_most(parameters: dict, session: Session) -> None:
    session.open(LAB, **parameters)
    assert session.run_shown and session.scene_shown
    steps, shown = session.run_shown.steps, session.scene_shown.opens
    known = steps[-1].filtered
    change = np.abs(np.diff(known, axis=0)).max(axis=1)
    turned = np.flatnonzero(known[1:].argmax(axis=1) != known[:-1].argmax(axis=1))
    among = turned if len(turned) else np.arange(len(change))
    assert steps[shown].phase == "forward"
    assert change[steps[shown].t - 1] == change[among].max()


@pytest.mark.parametrize("parameters", [{}, {"model": "three rooms in a row"}, {"length": "2"}])
def test_the_factor_of_the_way_back_adds_up(parameters: dict, session: Session) -> None:
    session.open(LAB, **parameters)
    assert session.run_shown and session.scene_shown
    steps = session.run_shown.steps
    k = len(steps[0].column)
    for now in range(len(steps) // 2 + 1, len(steps)):
        told = session.scene_shown.caption(now).partition("for all that came later: ")[2]
        alpha, factor, gamma = numbers(told.partition(".\nThe factor")[0])
        assert alpha * factor == pytest.approx(gamma, rel=6e-3)
        assert np.abs(steps[now].column - factor).min() < 6e-4 * factor
        rule = told.partition("The factor is (")[2].partition(": transition")[0]
        *terms, whole, result = numbers(rule)
        assert result == factor
        assert (np.prod(np.reshape(terms, (k, 3)), axis=1).sum() / whole) == pytest.approx(
            factor, rel=2e-3
        )
