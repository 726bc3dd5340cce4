import re

from playwright.sync_api import expect


def test_the_curve_is_learned_and_read_off_where_the_ring_is(stage):
    stage.open("network_regression")
    stage.press("Home")
    expect(stage.caption).to_contain_text(
        "Start: before any learning the loss is 0.177; on held-out points it is 0.252."
    )
    stage.press("End")
    expect(stage.caption).to_contain_text("Epoch 300: the loss falls")
    expect(stage.caption).to_contain_text(" = 2.12.")
    ring = stage.page.locator(".handle").bounding_box()
    x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
    stage.page.mouse.move(x, y)
    stage.page.mouse.down()
    stage.page.mouse.move(x - 200, y, steps=4)
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).to_contain_text("Epoch 300")
    expect(stage.caption).to_contain_text("Picked x = −1.")
