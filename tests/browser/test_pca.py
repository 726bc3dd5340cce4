import re

import numpy as np
import pytest
from playwright.sync_api import expect


def kept(stage) -> float:
    return float(re.search(r"keep ([\d.]+)\s%", stage.caption.inner_text())[1])


def parts(stage) -> tuple[float, float, float]:
    """Return variance, error and sum as the caption has them."""
    text = stage.caption.inner_text()
    found = re.search(r"add up to ([\d.]+): here ([\d.]+) \+ ([\d.]+)\.", text)
    total, variance, error = map(float, found.groups())
    return variance, error, total


def test_the_axis_is_turned_by_its_handles(stage):
    stage.open("pca?data=line&noise=0.6")
    stage.press("Home")
    handles = stage.page.get_by_role("slider", name="The axis")
    expect(handles).to_have_count(2)
    start = parts(stage)
    assert start[0] + start[1] == pytest.approx(start[2], rel=1e-3)
    boxes = [handles.nth(i).bounding_box() for i in range(2)]
    ends = np.array([(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes])
    (x, y), radius = ends.mean(axis=0), np.ptp(ends[:, 0]) / 2

    def turn(degrees: float) -> None:
        before, angle = stage.caption.inner_text(), np.radians(degrees)
        stage.page.mouse.move(x + radius * np.cos(angle), y - radius * np.sin(angle))
        expect(stage.caption).not_to_have_text(before, use_inner_text=True)
        expect(stage.page.locator(".stage.waiting")).to_have_count(0)
        shown = float(re.search(r"Axis at ([\d.]+)°", stage.caption.inner_text())[1])
        assert shown == pytest.approx(degrees % 180, abs=5)

    stage.page.mouse.move(*ends[0])
    stage.page.mouse.down()
    variances = [start[0]]
    for degrees in (10, 20, 30, 38):
        turn(degrees)
        variance, error, total = parts(stage)
        assert variance > variances[-1]
        assert variance + error == pytest.approx(total, rel=1e-3)
        assert total == start[2]
        variances.append(variance)
    for degrees in (20, -5, -20):  # on through the end of the half turn
        turn(degrees)
    stage.page.mouse.up()
    stage.page.mouse.move(x, y)
    at = stage.where.inner_text()
    handles.last.press("ArrowLeft")
    expect(stage.where).not_to_have_text(at)
    handles.last.press("ArrowRight")
    expect(stage.where).to_have_text(at)
    stage.press("Home")
    expect(stage.where).to_contain_text("step 0 of")
    stage.page.context.set_offline(True)  # what was shown once needs no server
    stage.page.mouse.move(*ends[0])
    stage.page.mouse.down()
    for degrees in (10, 30, 20):
        turn(degrees)


def test_the_best_angle_is_an_event_and_painting_changes_it(stage):
    stage.open("pca?data=line&noise=0.3")
    stage.press("Escape", "]")
    expect(stage.caption).to_contain_text("the most of all axes")
    before, count = kept(stage), stage.points.count()
    stage.tool("Brush")
    stage.drag((0.1, 0.9), (0.2, 0.95), (0.1, 0.85))
    expect(stage.notice).to_contain_text("the data changed")
    assert stage.points.count() > count
    stage.press("Escape", "Home", "]")
    expect(stage.caption).to_contain_text("the most of all axes")
    assert kept(stage) < before
