import re

from playwright.sync_api import expect


def test_the_tube_is_fitted_and_a_wider_one_needs_fewer_points(stage):
    stage.open("support_vector_regression")
    stage.press("Home")
    expect(stage.caption).to_contain_text("Start: β = 0 for all 60 points")
    stage.press("End")
    expect(stage.caption).to_contain_text("19 of 60 points hold the curve")
    stage.page.get_by_role("slider", name="Half-width ε of the tube, in sd of y").focus()
    stage.press("End")
    expect(stage.caption).to_contain_text("2 of 60 points hold the curve")
    stage.tool("Point")
    stage.click(0.5, 0.1)
    expect(stage.count).to_have_text("61 points")


def test_the_edge_of_the_tube_is_dragged(stage):
    stage.open("support_vector_regression")
    expect(stage.caption).to_contain_text("19 of 60 points hold the curve")
    edge = stage.page.get_by_role("button", name="Edge of the tube").bounding_box()
    assert edge
    x, y = edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2
    stage.page.mouse.move(x, y)
    stage.page.mouse.down()
    stage.page.mouse.move(x, y - 200, steps=8)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text("2 of 60 points hold the curve")
    expect(stage.page).to_have_url(re.compile("epsilon="))
