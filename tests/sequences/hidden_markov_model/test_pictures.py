"""The time at hand and the rings in the picture of the states."""

import numpy as np
import pytest

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line

(LAB,) = (lab for lab in LABS if lab.name == "hidden_markov_model")


@pytest.mark.parametrize("seed", ["26", "2", "5"])
def test_rings_are_where_hindsight_prefers_another_state(seed: str, session: Session) -> None:
    session.open(LAB, seed=seed)
    assert session.run_shown and session.scene_shown
    steps = session.run_shown.steps
    for now, step in enumerate(steps):
        figure = session.scene_shown.views[0].draw(now)
        dotted = [shape["x0"] for shape in figure["layout"]["shapes"]]
        assert dotted == ([] if step.event == "finished" else [step.t])
        (ring,) = (t for t in figure["data"] if t.get("name") == "most probable only in hindsight")
        rings = line(ring)[~np.isnan(line(ring)[:, 0])]
        expected = []
        if step.phase == "backward":
            then, later = (each.argmax(axis=1) for each in (step.filtered, steps[-1].posteriors))
            expected = [(t, -i) for t, i in enumerate(later) if t >= step.t and then[t] != i]
        assert rings.tolist() == [list(map(float, place)) for place in expected]
