import re

import pytest
from playwright.sync_api import Locator, expect

from tests.core.samples import points_of

GREY = "rgb(122, 127, 135)"  # of a point on its own


def grip(stage) -> Locator:
    return stage.page.get_by_role("slider", name="Cut through the dendrogram")


def tree(stage) -> dict:
    """Return the inside of the dendrogram, in pixels of the page."""
    box = stage.page.locator(".beside figure").first.locator(".nsewdrag").first.bounding_box()
    assert box
    return box


def drag_cut(stage, share: float) -> None:
    """Drag the line, away from its grip, to a share of the height."""
    line, box = grip(stage).bounding_box(), tree(stage)
    assert line
    stage.page.mouse.move(box["x"] + 0.6 * box["width"], line["y"] + line["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(
        box["x"] + 0.6 * box["width"], box["y"] + (1 - share) * box["height"], steps=12
    )
    stage.page.mouse.up()


def at_rest(stage) -> None:
    """Wait until no frame is missing."""
    expect(stage.page.locator(".stage.waiting")).to_have_count(0)


def clusters(stage) -> int:
    found = re.search(
        r"(\d+) clusters? left|all points are (one) cluster", stage.caption.inner_text()
    )
    assert found
    return int(found[1] or 1)


def test_the_cut_is_dragged_and_colours_the_picture(stage):
    stage.open("hierarchical_clustering")
    drag_cut(stage, 0.5)
    expect(stage.caption).to_contain_text("the largest gap")
    expect(stage.caption).to_contain_text("3 clusters left, a place to cut")
    expect(grip(stage)).to_have_attribute("aria-valuenow", "57")
    at_rest(stage)
    found = stage.fills()
    assert len(set(found)) == 3
    assert max(found.count(fill) for fill in set(found)) == 20
    label = stage.page.locator(".beside .annotation-text").first
    expect(label).to_have_text("the cut: 3 clusters")
    drag_cut(stage, 0.98)
    expect(stage.caption).to_contain_text("all points are one cluster")
    assert len(set(stage.fills())) == 1
    drag_cut(stage, 0.15)
    expect(stage.caption).to_contain_text(re.compile(r"; (9|1\d|2\d) clusters left"))
    drag_cut(stage, 0.0)
    expect(stage.where).to_contain_text("step 0 of 59")
    grip(stage).focus()
    stage.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown")
    expect(stage.where).to_contain_text("step 2 of 59")
    stage.press("End")
    expect(stage.where).to_contain_text("step 59 of 59")


def test_five_thousand_points(stage, tmp_path):
    X = points_of("unequal", 5000, noise=0.8)
    table = tmp_path / "big.csv"
    table.write_text("x,y\n" + "\n".join(f"{x:.5f},{y:.5f}" for x, y in X))
    stage.open("hierarchical_clustering?linkage=ward")
    stage.read(table.name, table.read_bytes())
    stage.use()
    expect(stage.count).to_have_text("5000 points")
    expect(stage.where).to_have_text("step 0 of 4999")
    expect(stage.page.get_by_text("shows the last 199 of 4,999 merges")).to_be_visible()
    stage.page.locator(".scrub").fill("2717")
    expect(stage.caption).to_contain_text("2283 clusters left")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("2282 clusters left")
    drag_cut(stage, 0.5)
    expect(stage.caption).to_contain_text(re.compile(r"; [2-8] clusters left"))
    at_rest(stage)
    alone = stage.fills().count(GREY)
    assert len(set(stage.fills()) - {GREY}) == clusters(stage) - alone


@pytest.mark.viewport(390, 844)
def test_on_a_phone_the_cut_is_below_the_caption(stage):
    stage.open("hierarchical_clustering?n=30")
    stage.press("End")
    grip(stage).scroll_into_view_if_needed()
    drag_cut(stage, 0.5)
    expect(stage.caption).to_contain_text("3 clusters left")
    wide = stage.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    box = grip(stage).bounding_box()
    assert box["x"] + box["width"] <= 390
