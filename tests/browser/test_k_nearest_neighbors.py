import re

from playwright.sync_api import expect


def test_the_ball_follows_the_picked_point(stage):
    stage.open("k_nearest_neighbors?k=5")
    expect(stage.caption).to_contain_text("Neighbour 1 of 5")
    stage.press("End")
    expect(stage.caption).to_contain_text("Neighbour 5 of 5")
    before = stage.caption.inner_text()
    stage.drag_handle(stage.page.locator(".handle"), 0.1, 0.8)
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).not_to_have_text(before, use_inner_text=True)
    expect(stage.caption).to_contain_text("all votes are for class 1")
