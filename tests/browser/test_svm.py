import re

import pytest
from playwright.sync_api import expect


def test_painting_a_point_changes_the_surface(stage):
    stage.open("svm?data=separable&kernel=linear&n=40&C=100")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged.")
    image = stage.page.locator(".stage .picture image")
    before = image.get_attribute("href")
    stage.press("1", "b")
    stage.drag((0.15, 0.85), (0.3, 0.9), (0.2, 0.8))
    expect(stage.notice).to_contain_text("the data changed")
    expect(image).not_to_have_attribute("href", before)
    expect(stage.page.locator(".stage-points .wrong").first).to_be_visible()


def test_a_street_is_turned_by_its_handles(stage):
    stage.open("svm?view=by hand&data=moons&n=100")
    handles = stage.page.locator(".stage .handle")
    expect(handles).to_have_count(3)
    before = stage.caption.inner_text()
    expect(stage.caption).to_contain_text("Your street is")
    handles.nth(2).focus()
    stage.page.keyboard.press("ArrowRight")
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("Your street is")
    stage.page.locator(".stage .picture").first.focus()  # a handle has keys of its own
    stage.press("End")
    expect(stage.caption).to_contain_text("The best street of all directions")


def test_stepping_to_named_events_and_back(stage):
    stage.open("svm?data=moons&n=100&C=1&also=✕ broken conditions")
    expect(stage.caption).to_contain_text("100 of 100 points break their condition")
    marks = stage.page.locator(".stage-marks path")
    expect(marks).to_have_count(100)
    stage.press("]")
    expect(stage.caption).to_contain_text("First α at C.")
    at = stage.where.inner_text()
    stage.press("ArrowLeft")
    expect(stage.where).not_to_have_text(at)
    stage.press("ArrowRight", "End")
    expect(stage.caption).to_contain_text("Converged.")
    expect(stage.caption).to_contain_text("0 of 100 points break their condition")
    states = re.search(r"○ (\d+) free, □ (\d+) at C", stage.caption.inner_text())
    assert states
    expect(marks).to_have_count(sum(map(int, states.groups())))


def test_every_step_of_a_long_run_can_be_reached(stage):
    stage.open("svm?data=moons&kernel=linear&C=1000&steps=30000")
    expect(stage.caption).to_contain_text("Start: all α = 0")
    scrubber = stage.page.locator(".stage input[type=range]").first
    for step in (12_345, 7, 29_998):
        scrubber.fill(str(step))
        expect(stage.caption).to_contain_text(f"Move {step}: ")
        stage.press("ArrowRight")
        expect(stage.caption).to_contain_text(f"Move {step + 1}: ")
    stage.press("End")
    expect(stage.caption).to_contain_text("free duals go where they are best together")
    expect(stage.caption).to_contain_text("Converged.")


def test_caption_puts_numbers_into_the_rule(stage):
    stage.open("svm?data=moons&n=100&C=10&kernel=linear")
    stage.press("ArrowRight")
    text = stage.caption.inner_text()
    n = r"(\d+(?:\.\d+)?)"
    slope, curvature, step = map(float, re.search(rf"η = {n} / {n} = {n}", text).groups())
    assert step == pytest.approx(slope / curvature, rel=1e-3)
    old, move, new = map(float, re.search(rf"αᵢ {n} \+ {n} = {n}", text).groups())
    assert new == pytest.approx(old + move, abs=1e-3)


def test_all_at_once_reaches_the_same_objective(stage):
    stage.open("svm?data=moons&n=100&C=10&tol=0.0001")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged.")
    pairs = float(re.search(r"rises by \S+ to ([\d.]+)", stage.caption.inner_text())[1])
    stage.page.get_by_text("all at once", exact=True).click()
    expect(stage.caption).to_contain_text("Newton step on all 100 duals")  # still at the end
    expect(stage.caption).to_contain_text("Converged.")
    together = float(re.search(r"D = ([\d.]+)", stage.caption.inner_text())[1])
    assert together == pytest.approx(pairs, rel=1e-3)


def test_an_indefinite_kernel_is_named_and_refused_by_the_quadratic_programme(stage):
    stage.open("svm?data=circles&n=80&kernel=hyperbolic tangent&scale=1&offset=0.5")
    expect(stage.page.get_by_text("is not positive semi-definite").first).to_be_visible()
    stage.page.get_by_text("all at once", exact=True).click()
    expect(stage.caption).to_contain_text("the program is not convex")


def test_several_classes_agree_or_not(stage):
    stage.open("svm?data=blobs&classes=4&kernel=linear&view=classes")
    stage.press("End")
    expect(stage.caption).to_contain_text("Machine 4 of 4")
    expect(stage.caption).to_contain_text("are claimed by no machine")
    stage.page.get_by_text("one-versus-one", exact=True).click()
    expect(stage.caption).to_contain_text("Machine 6 of 6: class 3 (f > 0) against class 4")
