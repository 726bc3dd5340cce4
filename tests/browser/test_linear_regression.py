import re

import numpy as np
from playwright.sync_api import expect


def slope(stage) -> float:
    """Return the slope of the best line, as the first caption of the descent says it."""
    found = re.search(r"best line is y = (−?[\d.]+) x", stage.caption.inner_text())
    return float(found[1].replace("−", "-"))


def test_drawn_points_get_their_line_and_a_moved_one_changes_it(stage):
    stage.open("linear_regression?step=0")
    stage.clear()
    expect(stage.count).to_have_text("0 points")
    expect(stage.caption).to_contain_text("no points yet")
    stage.tool("Point")
    for count, u in enumerate((0.2, 0.4, 0.6, 0.8), start=1):
        stage.click(u, u)
        expect(stage.count).to_have_text(f"{count} point{'s' * (count > 1)}")
    expect(stage.caption).to_contain_text("Start: y = 0 x + 0")
    expect(stage.caption).to_contain_text(re.compile(r"best line is y = (0\.9|1)"))
    before = slope(stage)
    stage.tool("Move")
    stage.drag(stage.pixel(3), (0.8, 0.1))
    expect(stage.caption).not_to_contain_text(f"best line is y = {before:g} x")
    assert slope(stage) < before - 0.3
    stage.press("Control+z")
    expect(stage.caption).to_contain_text(f"best line is y = {before:g} x")


def test_the_line_to_start_from_is_dragged(stage):
    stage.open("linear_regression?begin=placed by hand&eta=0.05")
    handles = stage.page.locator(".handle:not(.query)")
    expect(handles).to_have_count(2)
    before = stage.caption.inner_text()
    stage.drag_handle(handles.first, 0.2, 0.9)
    expect(stage.page).to_have_url(re.compile("line="))
    expect(stage.caption).not_to_have_text(before)
    x, y = (handles.first.bounding_box()[side] + 17 for side in "xy")
    np.testing.assert_allclose((x, y), stage.place(0.2, 0.9), atol=20)
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")


def test_a_drawn_point_changes_the_curve_of_the_bases(stage):
    stage.open("linear_regression?view=bases&data=sine&n=20&held=0&most=3")
    stage.press("End")
    expect(stage.caption).to_contain_text("u³ joins")
    before = stage.caption.inner_text()
    stage.tool("Point")
    stage.click(0.5, 0.95)
    expect(stage.count).to_have_text("21 points")
    stage.press("End")
    expect(stage.caption).to_contain_text("4 weights from 21 training points")
    assert stage.caption.inner_text() != before
