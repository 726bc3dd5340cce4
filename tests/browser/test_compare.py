import re

from playwright.sync_api import expect


def test_a_run_goes_on_as_it_was_beside_one_whose_centres_are_dragged(stage):
    stage.open("k_means?data=blobs&classes=4&noise=0.6&seed=5")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 2 of")
    stage.page.get_by_role("button", name="What if").click()
    expect(stage.page.locator(".stage .picture .name")).to_have_text("As it was")
    expect(stage.where).to_contain_text("step 2 of")
    expect(stage.caption).to_contain_text("They put the same points together.")
    right = stage.page.locator(".stage .beside figure")
    expect(right).to_have_count(1)
    boxes = [stage.page.locator(".stage .picture").bounding_box(), right.bounding_box()]
    assert abs(boxes[0]["width"] - boxes[1]["width"]) < 0.1 * boxes[0]["width"]
    handle = right.locator(".handle").first.bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    stage.page.mouse.move(x, y)
    stage.page.mouse.down()
    stage.page.mouse.move(x + 120, y + 60, steps=6)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text(re.compile("Ringed: the \\d+ of 200 points"))
    stage.page.get_by_role("button", name="Compare").click()
    stage.choose("Compare with", "nothing")
    expect(stage.page.locator(".stage.equal")).to_have_count(0)
