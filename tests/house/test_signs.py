"""Every mark of every picture has a meaning in the legend, and held-out points have one sign."""

import numpy as np
import pytest

from pages._shared.lab.catalogue import LabFile
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import Seen, modes, seen, some_steps
from viz.core.scene import Figure

__all__ = ["seen"]


@EVERY_LAB
def test_every_mark_of_the_picture_is_in_the_legend(
    lab: LabFile, seen: Seen, subtests: pytest.Subtests
) -> None:
    for link in modes(lab):
        Session().open(lab, **link)
        panels = seen.scene.views[: 2 if seen.scene.equal else 1]
        with subtests.test(link=link):
            nameless = {
                what
                for view in panels
                for now in some_steps(seen.run)
                for what in without_meaning(view.draw(now))
            }
            assert not nameless


@EVERY_LAB
def test_every_layer_is_made_of_marks_of_its_view(
    lab: LabFile, seen: Seen, subtests: pytest.Subtests
) -> None:
    for link in modes(lab):
        Session().open(lab, **link)
        for view in seen.scene.views:
            named = {name for now in some_steps(seen.run) for name in names(view.draw(now))}
            for layer in view.layers:
                with subtests.test(link=link, layer=layer.name):
                    assert set(layer.marks) <= named
                    assert "," not in layer.name


def names(figure: Figure) -> set[str]:
    """Return the names of a figure's traces and of what the stage draws."""
    signs = dict(figure.get("signs", {}))
    kinds = signs.pop("marks", [])
    return {trace.get("name", "") for trace in figure["data"]} | {*signs.values(), *kinds}


def without_meaning(figure: Figure) -> list[str]:
    """List the marks of a figure that no legend explains."""
    found = [
        f"trace {i}: {trace['type']}, {trace.get('line') or trace.get('marker')}"
        for i, trace in enumerate(figure["data"])
        if is_seen(trace) and not trace.get("name")
    ]
    signs, points = figure.get("signs", {}), figure.get("points", {})
    for state, usual in (("size", 32), ("strength", 255)):
        if state in points and not same(unpacked(points[state]), usual) and state not in signs:
            found.append(f"{state} of points")
    if "edges" in figure and unpacked(figure["edges"]["width"]).any() and "edges" not in signs:
        found.append("edges")
    if "marks" in figure:
        kinds = set(unpacked(figure["marks"]["kind"]).tolist())
        shown = [k for k in kinds if figure["marks"]["sizes"][int(k)] > 0]
        named = signs.get("marks", [])
        found += [f"marks {k}" for k in shown if not named[int(k) : int(k) + 1]]
    return found


def same(values: np.ndarray, usual: int) -> bool:
    """Return whether all values are equal, or the usual one: then they show nothing."""
    return len(set(values.tolist()) - {usual}) == 0 or len(set(values.tolist())) == 1


def is_seen(trace: dict) -> bool:
    """Return whether a trace draws something besides words."""
    if trace.get("visible") is False or trace.get("mode") == "text":
        return False
    if trace.get("marker", {}).get("opacity") == 0:
        return False
    if trace["type"] != "scatter":
        return True
    y = np.array([np.nan if v is None else v for v in unpacked(trace["y"]).tolist()], object)
    return any(isinstance(v, str) or np.isfinite(v) for v in y)
