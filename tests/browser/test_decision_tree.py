import re

import pytest
from playwright.sync_api import expect


def drag_query(stage, u: float, v: float) -> None:
    box = stage.page.locator(".handle").bounding_box()
    stage.page.mouse.move(box["x"] + 17, box["y"] + 17)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(u, v), steps=5)
    stage.page.mouse.up()


def test_painting_the_other_class_changes_the_tree(stage):
    stage.open("decision_tree?data=separable&n=40")
    stage.press("End")
    expect(stage.caption).to_contain_text("Done: every leaf is pure")
    image = stage.page.locator(".stage .picture image")
    before, steps = image.get_attribute("href"), stage.where.inner_text()
    stage.press("1", "a")
    stage.click(0.1, 0.9)
    expect(stage.notice).to_contain_text("the data changed")
    expect(image).not_to_have_attribute("href", before)
    expect(stage.where).not_to_have_text(steps)
    stage.press("Control+z")
    expect(stage.where).to_have_text(steps)


def test_the_caption_puts_numbers_into_the_gain(stage):
    stage.open("decision_tree?data=moons")
    stage.press("ArrowRight")
    rule = stage.caption.inner_text().split("\n")[1]
    number = r"(\d+\.\d+)"
    found = re.search(
        rf"gain = {number} − (\d+)/(\d+) · {number} − (\d+)/(\d+) · {number} = {number}", rule
    )
    before, left, n, low, right, _, high, gain = map(float, found.groups())
    assert gain == pytest.approx(before - left / n * low - right / n * high, abs=0.002)


def test_dragging_the_picked_point_changes_its_rule_and_keeps_the_step(stage):
    stage.open("decision_tree?data=moons")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 2 of")
    before = stage.caption.inner_text().split("\n")
    drag_query(stage, 0.2, 0.2)
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).not_to_contain_text(before[-1])
    expect(stage.caption).to_contain_text(before[0])
    expect(stage.where).to_contain_text("step 2 of")


def test_named_events(stage):
    stage.open("decision_tree?data=moons&criterion=error")
    stage.press("]")
    expect(stage.caption).to_contain_text("No gain: it only prepares the next split")
    stage.open("decision_tree?data=moons&noise=0.5&alpha=0.01")
    stage.press("]")
    expect(stage.caption).to_contain_text("without a significant cut")


def test_pruning_lowers_the_held_out_errors_and_ends_named(stage):
    stage.open("decision_tree?view=Prune&data=moons&noise=0.5")
    expect(stage.caption).to_contain_text("The grown tree")
    wrong = int(re.search(r"gets (\d+) of", stage.caption.inner_text())[1])
    stage.press("]")
    before, after = map(
        int, re.search(r"fall from (\d+) to (\d+)", stage.caption.inner_text()).groups()
    )
    assert after < before == wrong
    stage.press("End")
    expect(stage.caption).to_contain_text("Pruned: every further cut would add")
    stage.page.get_by_text("tree as rules").click()
    expect(stage.page.get_by_text("⇐").first).to_be_visible()


def test_resampling_draws_a_tree_a_step_and_a_drag_keeps_the_step(stage):
    stage.open("decision_tree?view=Resample")
    stage.press("]")
    expect(stage.caption).to_contain_text("another first question")
    where = stage.where.inner_text()
    drag_query(stage, 0.3, 0.3)
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.where).to_have_text(where)
    stage.press("End")
    expect(stage.caption).to_contain_text("is another one in 11 of 20")
    expect(stage.page.locator(".beside").get_by_text(re.compile("[xy] ≤ ")).first).to_be_visible()


def test_id3_shows_the_gains_of_the_notes_and_cannot_be_painted_on(stage):
    stage.open("decision_tree?view=ID3")
    expect(stage.caption).to_contain_text("= 0.9403 bits")
    expect(stage.caption).to_contain_text("Wind 0.0481")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("= 0.9710; Temperature 0.5710, Wind 0.0200")
    expect(stage.page.get_by_role("button", name="Brush", exact=True)).to_be_hidden()
    stage.press("b")
    expect(stage.page.locator(".stage .picture")).to_have_attribute("data-tool", "look")
    stage.page.get_by_role("radio", name="Grow").click()
    expect(stage.count).to_have_text("200 points")
    expect(stage.page.get_by_role("button", name="Brush", exact=True)).to_be_visible()


def test_an_experiment_sets_the_lab_up(stage):
    stage.open("decision_tree")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="Another sample, another tree").click()
    expect(stage.caption).to_contain_text("The tree of all 200 points")
    expect(stage.caption).to_be_in_viewport()
