from playwright.sync_api import expect


def test_dragging_the_point_on_the_curve_goes_to_its_step(stage):
    stage.open("thresholds?step=0")
    expect(stage.caption).to_contain_text("every positive is missed")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("1 of 41 positives; 0 of 56 negatives")
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
        "In 2125 of 41 × 56 = 2296 pairs the positive scores more"
    )
