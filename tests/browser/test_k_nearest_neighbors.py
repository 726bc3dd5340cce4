import re

from playwright.sync_api import expect


def test_the_ball_follows_the_picked_point(stage):
    stage.open("k_nearest_neighbors?k=5")
    expect(stage.caption).to_contain_text("Neighbour 1 of 5")
    stage.press("End")
    expect(stage.caption).to_contain_text("Neighbour 5 of 5")
    before = stage.caption.inner_text()
    box = stage.page.locator(".handle").bounding_box()
    stage.page.mouse.move(box["x"] + 17, box["y"] + 17)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.1, 0.8), steps=5)
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).not_to_have_text(before, use_inner_text=True)
    expect(stage.caption).to_contain_text("all votes are for class 1")


def test_an_experiment_leads_to_the_lowest_error(stage):
    stage.open("k_nearest_neighbors")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="One neighbour").click()
    expect(stage.caption).to_contain_text("k = 1: 35 of 200 points are wrong")
    stage.press("]")
    expect(stage.caption).to_contain_text("k = 13: 20 of 200 points are wrong")
