import re

from playwright.sync_api import expect


def test_a_street_is_turned_by_its_handles(stage):
    stage.open("svm?view=by hand&data=moons&n=100")
    handles = stage.page.locator(".stage .handle")
    expect(handles).to_have_count(3)
    before = stage.caption.inner_text()
    expect(stage.caption).to_contain_text("The street by hand costs")
    handles.nth(2).focus()
    stage.page.keyboard.press("ArrowRight")
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("The street by hand costs")
    stage.page.locator(".stage .picture").first.focus()  # a handle has keys of its own
    stage.press("End")
    expect(stage.caption).to_contain_text("The best street of all: ")


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
    states = re.search(r"○ (\d+) free, □ (\d+) at C", stage.caption.inner_text())
    assert states
    support = sum(map(int, states.groups()))
    expect(stage.caption).to_contain_text(f"{support} support vectors hold the street")
    expect(marks).to_have_count(support)  # none of them is a cross of a broken condition


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
    expect(stage.caption).to_contain_text("Converged.")
    expect(stage.caption).to_contain_text("Primal and dual have met: ")
