import re

from playwright.sync_api import expect

GREY = "rgb(122, 127, 135)"  # of points not visited, and of noise


def test_the_ball_walks_until_all_points_are_visited(stage):
    stage.open("dbscan?n=40&eps=0.6")
    expect(stage.caption).to_contain_text("Cluster 1 begins with a core point")
    expect(stage.where).to_have_text("step 0 of 39")
    assert GREY in set(stage.fills())
    stage.press("End")
    expect(stage.caption).to_contain_text("All points are visited: ")
    found = re.search(r"(\d+) points? (is|are) noise", stage.caption.inner_text())
    assert found
    assert stage.fills().count(GREY) == int(found[1])
    stage.page.get_by_role("slider", name="Radius ε of the ball").focus()
    stage.press("End")
    expect(stage.caption).to_contain_text("≤ 1}|")


def test_dragging_the_line_of_eps_goes_to_another_radius(stage):
    stage.open("dbscan?view=eps+by+eps")
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
