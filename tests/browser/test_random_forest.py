import numpy as np
from playwright.sync_api import expect

from tests.browser.conftest import until


def opacities(stage) -> np.ndarray:
    """Return how opaque every data point is drawn."""
    return np.array(
        stage.points.evaluate_all("nodes => nodes.map((node) => +getComputedStyle(node).opacity)")
    )


def test_the_vote_grows_tree_by_tree_until_every_point_has_been_out_of_a_bag(stage):
    stage.open("random_forest?held=0&layers=its+bag")
    expect(stage.caption).to_contain_text("Tree 1 has not seen")
    expect(stage.caption).to_contain_text("A bag: 300 draws from the 300 points")
    unseen = np.count_nonzero(opacities(stage) < 0.5)
    expect(stage.caption).to_contain_text(f"Tree 1 has not seen {unseen} of 300 points")
    stage.press("]")
    expect(stage.caption).to_contain_text("Every point has been out of a bag now.")
    stage.press("End")
    expect(stage.caption).to_contain_text("Tree 30 has not seen")
    expect(stage.caption).not_to_contain_text("Held out")


def test_layers_are_switched_by_the_keyboard_and_kept_in_the_link(stage):
    stage.open("random_forest?trees=20")
    assert (opacities(stage) == 1).all(), "the vote alone"
    stage.press("k")
    bag = stage.page.get_by_role("checkbox", name="its bag")
    expect(stage.page.get_by_role("checkbox", name="newest tree")).to_be_focused()
    stage.press("Tab", "Space")
    expect(bag).to_be_checked()
    stage.page.wait_for_url("**layers=its+bag**")
    until(stage.page, lambda: (opacities(stage) < 1).any())
    stage.page.reload()
    expect(stage.caption).to_contain_text("Tree 1 has not seen")
    until(stage.page, lambda: (opacities(stage) < 1).any())
    stage.press("k")
    bag.uncheck()
    until(stage.page, lambda: (opacities(stage) == 1).all())
    until(stage.page, lambda: "layers" not in stage.page.url)
