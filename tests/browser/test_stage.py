"""The stage itself: keyboard alone, touch, zoom, and that what moves does not flash."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect


def test_everything_by_keyboard(stage):
    stage.open("logistic_regression?data=moons&n=30")
    stage.page.locator(".picture").focus()
    stage.press("a", "4", "ArrowUp", "ArrowUp", "Shift+ArrowRight", "Enter")
    expect(stage.count).to_have_text("31 points")
    np.testing.assert_allclose(stage.pixel(30), (0.6, 0.54), atol=0.01)
    expect(stage.caption).to_contain_text("ln 3")
    stage.press("m", "Enter", "Shift+ArrowUp", "ArrowUp", "Enter")
    expect(stage.notice).to_contain_text("the data changed")
    np.testing.assert_allclose(stage.pixel(30), (0.6, 0.66), atol=0.01)
    stage.press("l", "1", "Enter")
    expect(stage.caption).to_contain_text("ln 2")
    stage.press("e", "Enter")
    expect(stage.count).to_have_text("30 points")
    stage.press("Control+z")
    expect(stage.count).to_have_text("31 points")
    stage.press("Escape", "ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")


def test_keys_are_left_to_text_fields(stage):
    stage.open("k_means")
    field = stage.page.get_by_role("spinbutton", name="Seed")
    field.focus()
    stage.press("ArrowRight", "End", " ")
    expect(stage.where).to_contain_text("step 0 of")


@pytest.mark.viewport(390, 844)
def test_painting_by_touch_on_a_phone(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    stage.page.touchscreen.tap(*stage.place(0.1, 0.9))
    expect(stage.count).to_have_text("31 points")
    np.testing.assert_allclose(stage.pixel(30), (0.1, 0.9), atol=0.02)
    width = stage.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_zoom_stays_while_stepping_and_points_follow(stage):
    stage.open("k_means?n=60")
    stage.page.get_by_role("button", name="Zoom in").click()
    before = [stage.pixel(i) for i in range(60)]
    stage.press("ArrowRight", "ArrowRight")
    np.testing.assert_allclose([stage.pixel(i) for i in range(60)], before, atol=0.005)
    stage.tool("Point")
    stage.click(0.25, 0.25)
    expect(stage.count).to_have_text("61 points")
    np.testing.assert_allclose(stage.pixel(60), (0.25, 0.25), atol=0.01)
    expect(stage.notice).to_contain_text("the data changed")
    np.testing.assert_allclose(stage.pixel(60), (0.25, 0.25), atol=0.01)


def test_a_new_run_replaces_the_picture_without_an_empty_moment(stage):
    stage.open("k_means?n=100")
    stage.page.evaluate(
        """() => {
            window.least = Infinity;
            const look = () => {
                window.least = Math.min(window.least,
                    document.querySelectorAll(".stage-points path").length);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    stage.page.get_by_role("slider", name="Clusters k").focus()
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Start: 6 centres")
    assert stage.page.evaluate("window.least") == 100


def test_sliders_moved_quickly_keep_their_value(stage):
    stage.open("k_means?n=100&seed=3")
    slider = stage.page.get_by_role("slider", name="Clusters k")
    slider.focus()
    for delay in (0, 60, 120, 0):
        stage.press("ArrowRight")
        stage.page.wait_for_timeout(delay)
    expect(stage.caption).to_contain_text("Start: 8 centres")
    expect(stage.count).to_have_text("100 points")
    expect(stage.page).to_have_url(re.compile("k=8"))
    expect(slider).to_have_value("8")


def test_strokes_made_quickly_are_all_kept(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    for i in range(12):
        stage.click(0.05 + 0.07 * i, 0.05)
    expect(stage.count).to_have_text("42 points")
    expect(stage.page.get_by_text("42 points").first).to_be_visible()
    expect(stage.caption).to_contain_text("42 points")
    expect(stage.points).to_have_count(42)


def test_a_stroke_survives_the_run_of_the_one_before(stage):
    stage.open("k_means?n=30")
    stage.tool("Brush")
    stage.drag((0.1, 0.1), (0.3, 0.1), steps=8)
    stage.page.mouse.move(*stage.place(0.1, 0.9))
    stage.page.mouse.down()
    for i in range(1, 9):
        stage.page.mouse.move(*stage.place(0.1 + 0.05 * i, 0.9))
        stage.page.wait_for_timeout(150)  # the first stroke's run comes back meanwhile
    expect(stage.caption).not_to_contain_text("30 points")
    painted = stage.points.count()
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text(f"{painted} points")
    expect(stage.count).to_have_text(f"{painted} points")
    assert painted >= 42


def test_plots_are_described(stage):
    stage.open("k_means")
    labels = stage.page.locator(".stage [role=img]").evaluate_all(
        "plots => plots.map((plot) => plot.getAttribute('aria-label'))"
    )
    assert len(labels) == 3
    assert all(labels)
    label = stage.page.locator(".picture").get_attribute("aria-label")
    assert "joins its nearest one" in label
