import re

import numpy as np
from playwright.sync_api import expect


def opacities(stage) -> np.ndarray:
    """How opaque every data point is drawn."""
    return np.array(
        stage.points.evaluate_all("nodes => nodes.map((node) => +getComputedStyle(node).opacity)")
    )


def test_the_vote_grows_tree_by_tree_until_every_point_has_been_out_of_a_bag(stage):
    stage.open("random_forest?held=0")
    expect(stage.caption).to_contain_text("Tree 1 has not seen")
    expect(stage.caption).to_contain_text("A bag: 200 draws from the 200 points")
    unseen = np.count_nonzero(opacities(stage) < 0.5)
    expect(stage.caption).to_contain_text(f"Tree 1 has not seen {unseen} of 200 points")
    stage.press("]")
    expect(stage.caption).to_contain_text("Every point has been out of a bag now.")
    stage.press("End")
    expect(stage.caption).to_contain_text("Tree 30 has not seen")
    expect(stage.caption).not_to_contain_text("Held out")


def test_an_experiment_sets_the_lab_up_and_a_drag_asks_another_point(stage):
    stage.open("random_forest")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="A steady learner").click()
    expect(stage.caption).to_contain_text("A bag: 349 draws")
    stage.press("End")
    expect(stage.caption).to_contain_text("a tree on average 22.1 % wrong, the vote 22.5 %")
    before = stage.caption.inner_text().split("\n")
    box = stage.page.locator(".handle").bounding_box()
    stage.page.mouse.move(box["x"] + 17, box["y"] + 17)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.1, 0.3), steps=5)
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).not_to_contain_text(before[-1])
    expect(stage.caption).to_contain_text(before[0])
