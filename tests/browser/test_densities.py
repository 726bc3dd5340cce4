import re

from playwright.sync_api import expect

OUTSIDE = "rgb(213, 94, 0)"
# Of the first linked view: how far its legend stands above the axes.
CLEAR = """(() => {
    const edge = (part, side) =>
        document.querySelector(`.beside ${part}`).getBoundingClientRect()[side];
    return edge(".nsewdrag", "top") - edge(".legend", "bottom");
})()"""


def test_bumps_add_up_and_a_region_is_found(stage):
    stage.open("densities?n=40")
    expect(stage.caption).to_contain_text("Bump 1 of 40 is added")
    # A legend that had two lines in a narrower window has one again, above the axes.
    rows = "document.querySelector('.beside .legend .bg').height.baseVal.value"
    window, line = stage.page.viewport_size, stage.page.evaluate(rows)
    stage.page.set_viewport_size({"width": 1180, "height": 720})
    stage.page.wait_for_function(f"{rows} > {line}")
    stage.page.set_viewport_size(window)
    stage.page.wait_for_function(f"{rows} === {line} && {CLEAR} > -1")
    stage.press("End")
    expect(stage.caption).to_contain_text("All 40 points have their bump")
    stage.page.get_by_role("radio", name="one class").click()
    expect(stage.caption).to_contain_text("points with weight carry it")
    stage.press("Home")
    expect(stage.caption).to_contain_text("Start: the weight, ν n = 4, is on the points")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    found = re.match(r"(\d+) points of 40 are outside", stage.caption.inner_text())
    assert found and stage.fills().count(OUTSIDE) == int(found[1])
    stage.page.get_by_role("slider", name="Share ν outside, at most").focus()
    stage.press("End")
    expect(stage.caption).to_contain_text("ν = 100 %")
    stage.page.get_by_role("radio", name="histogram").click()
    expect(stage.caption).to_contain_text("Shift 6 of 16")
    stage.press("End")
    expect(stage.caption).to_contain_text("All shifts are done, 16 of them")


def test_dragging_the_width_on_its_curve_goes_to_another(stage):
    stage.open("densities?view=width")
    expect(stage.caption).to_contain_text("h = 0.0316")
    grip = stage.page.get_by_role("slider", name="Width h").bounding_box()
    view = stage.page.locator(".beside figure").first.locator(".nsewdrag").first.bounding_box()
    assert grip and view
    stage.page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(view["x"] + 0.96 * view["width"], grip["y"], steps=8)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text("likeliest at h = 0.189, the best of 50")
