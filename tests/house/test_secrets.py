"""Curves do not give an answer away: in every experiment, those over the steps are declared."""

from collections.abc import Iterator

import numpy as np

from pages._shared.lab.catalogue import LabFile
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.test_views import EVERY_LAB, Seen, seen
from viz.core.scene import Figure, Scene, View
from viz.core.theme import NOW

__all__ = ["seen"]


@EVERY_LAB
def test_no_curve_over_the_steps_runs_ahead_in_an_experiment(lab: LabFile, seen: Seen) -> None:
    for experiment in lab.experiments:
        session = Session().open(lab, **experiment.link)
        if session.stage["error"]:
            continue
        steps = sorted({0, (last := len(seen.run.steps) - 1) // 3, last // 2, last})
        for view in seen.scene.views:
            told = f"{experiment.title}: {view.title}"
            if view.ahead == "by step":
                check_numbers(view, seen.scene, steps, told)
            elif not view.ahead:
                assert not goes_on(view, seen.scene, steps), told


def check_numbers(view: View, scene: Scene, steps: list[int], told: str) -> None:
    """Check that the rings are at the number of the shown step, where the stage ends the curves."""
    for now in steps:
        places = [x for x, _ in rings(view.draw(now))]
        assert places and set(places) == {now + scene.counts_from}, f"{told}, step {now}"


def goes_on(view: View, scene: Scene, steps: list[int]) -> bool:
    """Return whether rings go, with the steps, along a curve that is whole from the first on."""
    ways = zip(*(rings(view.draw(now)) for now in steps), strict=False)
    numbers = [now + scene.counts_from for now in steps]
    whole = [places(trace) for trace in view.draw(0)["data"] if len(trace.get("x", ())) > 1]
    return len(steps) > 1 and any(
        [x for x, _ in way] == numbers and all(on(place, curve) for place in way)
        for way in ways
        for curve in whole
    )


def places(trace: dict) -> np.ndarray:
    """Return the places of a trace whose axes have numbers; none of others."""
    x, y = (unpacked(trace[axis]) for axis in "xy")
    numbers = x.dtype.kind in "iuf" and y.dtype.kind in "iuf"
    return np.column_stack([x, y]) if numbers else np.empty((0, 2))


def on(place: tuple[float, float], curve: np.ndarray) -> bool:
    return bool(np.isclose(curve, place).all(axis=1).any())


def rings(figure: Figure) -> Iterator[tuple]:
    """Yield the places of the rings around the shown step."""
    for trace in figure["data"]:
        marker = trace.get("marker", {})
        if (marker.get("symbol"), marker.get("color")) == (100, NOW) and len(trace["x"]) == 1:
            yield trace["x"][0], trace["y"][0]
