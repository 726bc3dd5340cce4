import re

import numpy as np
from playwright.sync_api import expect


def diameters(stage) -> np.ndarray:
    """How wide every data point is drawn, in pixels, without its outline."""
    return np.array(stage.points.evaluate_all("nodes => nodes.map((node) => node.getBBox().width)"))


def share_of(words: str, stage) -> float:
    """The percentage that follows some words of the caption."""
    return float(re.search(rf"{words} ([\d.]+) %", stage.caption.inner_text())[1])


def test_points_that_are_wrong_grow_and_the_vote_gets_better(stage):
    stage.open("ada_boost?held=0")
    expect(stage.caption).to_contain_text("Round 1: all 200 points weigh the same")
    first = share_of("Training error", stage)
    assert len(set(diameters(stage).round(3))) <= 2  # circles and squares
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Round 2: the stump")
    after = diameters(stage)
    assert len(after) == 200
    assert after.max() > 1.5 * after.min()
    stage.press("End")
    expect(stage.caption).to_contain_text("Round 50")
    assert share_of("Training error", stage) < first / 4


def test_exclusive_or_ends_at_once_and_trees_of_depth_two_solve_it(stage):
    stage.open("ada_boost?data=gates&noise=0&held=0")
    expect(stage.caption).to_contain_text("no better than chance: it has no vote, and the run ends")
    expect(stage.caption).to_contain_text("½ ln 1 = 0")
    expect(stage.where).to_have_text("step 0 of 0")
    stage.page.get_by_role("slider", name="Depth of the trees").focus()
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("a tree of 3 tests gets none of 40 points wrong")
    expect(stage.caption).to_contain_text("it alone decides, and the run ends")


def test_an_experiment_sets_the_lab_up(stage):
    stage.open("ada_boost")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="After the last mistake").click()
    expect(stage.caption).to_contain_text("all 145 points weigh the same, and a tree of 5 tests")
    stage.press("]")
    expect(stage.caption).to_contain_text("Round 5: a tree of")
    expect(stage.caption).to_contain_text("none of 145 wrong, for the first time")
    stage.press("End")
    expect(stage.caption).to_contain_text("Round 100: ")
    expect(stage.caption).to_contain_text("held out 3.64 %")


def test_the_next_event_is_the_first_round_without_a_mistake(stage):
    stage.open("ada_boost?data=circles&noise=0.15")
    stage.press("]")
    expect(stage.caption).to_contain_text("Round 10")
    expect(stage.caption).to_contain_text("of all 10 gets none of 145 wrong, for the first time.")
    expect(stage.caption).to_contain_text("Training error 0 %")


def test_held_out_points_can_be_drawn_anew_or_not_at_all(stage):
    stage.open("ada_boost?n=100&held=40")
    expect(stage.caption).to_contain_text("held out")
    before = stage.caption.inner_text()
    stage.page.get_by_role("spinbutton", name="Seed").fill("7")
    stage.press("Enter")
    expect(stage.notice).to_have_text("Ran again: Seed 0 → 7.")
    expect(stage.caption).not_to_have_text(before)
    stage.open("ada_boost?n=100&held=0")
    expect(stage.caption).to_contain_text("all 100 points weigh the same")
    expect(stage.caption).not_to_contain_text("held out")


def test_a_third_class_is_refused_with_a_sentence_until_it_is_gone(stage):
    stage.open("ada_boost?data=blobs&classes=3")
    expect(stage.caption).to_contain_text("This needs exactly two classes; these data have 3")
    stage.open("ada_boost?data=blobs&classes=2")
    expect(stage.caption).to_contain_text("Round 1")


def test_the_vote_is_listed_tree_by_tree(stage):
    stage.open("ada_boost?rounds=5")
    stage.page.get_by_text("The last step's vote, tree by tree").click()
    listed = stage.page.get_by_test_id("stExpanderDetails").filter(has_text="otherwise")
    expect(listed).to_contain_text(re.compile(r"5\s+α 0\.\d{3}"))


def test_dragging_the_picked_point_shows_its_votes_and_keeps_the_step(stage):
    stage.open("ada_boost?held=0")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Round 3")
    before = stage.caption.inner_text().split("\n")
    box = stage.page.locator(".handle").bounding_box()
    stage.page.mouse.move(box["x"] + 17, box["y"] + 17)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.1, 0.8), steps=5)
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).not_to_contain_text(before[-1])
    expect(stage.caption).to_contain_text(before[0])


def test_painting_a_point_makes_a_new_run(stage):
    stage.open("ada_boost?n=60&held=0")
    before = stage.caption.inner_text()
    stage.tool("Point")
    stage.click(0.9, 0.9)
    expect(stage.count).to_have_text("61 points")
    expect(stage.caption).to_contain_text("all 61 points weigh the same")
    stage.press("Control+z")
    expect(stage.caption).to_have_text(before, use_inner_text=True)
