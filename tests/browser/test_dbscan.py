import re

from playwright.sync_api import expect


def test_dragging_the_line_of_eps_goes_to_another_radius(stage):
    stage.open("dbscan?view=eps+by+eps&data=moons&noise=0.1")
    expect(stage.caption).to_contain_text("ε = 0.01: no cluster; 200 points are noise.")
    grip = stage.page.get_by_role("slider", name="Radius ε").bounding_box()
    view = stage.page.locator(".beside figure").first.locator(".nsewdrag").first.bounding_box()
    assert grip and view
    x = view["x"] + 0.6 * view["width"]
    stage.page.mouse.move(x, grip["y"] + grip["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(x, view["y"] + 0.5 * view["height"], steps=8)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text(re.compile(r"ε = 0\.5\d?: 1 cluster of 200 points"))
