import re

from playwright.sync_api import expect


def test_dragging_the_point_on_the_curve_goes_to_its_step(stage):
    stage.open("thresholds")
    expect(stage.caption).to_contain_text("every positive is missed")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("1 of 41 positives found, 0 of 56 negatives")
    point = stage.page.get_by_role("slider", name="Point on the ROC curve")
    area = stage.page.locator(".beside figure").first.locator(".nsewdrag").first.bounding_box()
    box = point.bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    # The axes have a twentieth more at either end: this is the upper right corner of the curve.
    corner = area["x"] + area["width"] * 1.05 / 1.1, area["y"] + area["height"] * 0.05 / 1.1
    stage.page.mouse.move(*corner, steps=10)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text("Every held-out point is called positive")
    expect(stage.caption).to_contain_text(
        "of 41 × 56 = 2296 pairs the positive scores more in 2125"
    )


def test_a_dearer_miss_moves_the_cheapest_threshold_and_folds_rotate(stage):
    stage.open("thresholds?miss=0.1")
    expect(stage.caption).to_contain_text("the least is 2.9, at 2.45")
    stage.page.get_by_role("slider", name=re.compile("A miss costs")).focus()
    stage.press("End")
    expect(stage.caption).not_to_contain_text("the least is 2.9,")
    stage.open("thresholds?view=folds")
    expect(stage.caption).to_contain_text("Deal 1 of 5, fold 1 of 5:")
    stage.press("]")
    expect(stage.caption).to_contain_text("every point was judged once")
