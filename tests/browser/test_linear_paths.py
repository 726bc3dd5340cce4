import re

from playwright.sync_api import expect


def test_stepping_to_the_event_at_which_a_variable_leaves(stage):
    stage.open("linear_paths?test_share=0")
    expect(stage.caption).to_contain_text(re.compile("“bmi” enters at λ = .*; 1 of 10 in use"))
    stage.press("]")
    expect(stage.caption).to_contain_text(re.compile("“ltg” enters at λ = .*; 2 of 10 in use"))
    for _ in range(9):
        stage.press("]")
    expect(stage.caption).to_contain_text(re.compile("“hdl” leaves at λ = .*; 9 of 10 in use"))
    stage.press("ArrowLeft")
    expect(stage.caption).to_contain_text(re.compile("“age” enters at λ = .*; 10 of 10 in use"))
    stage.press("End")
    expect(stage.caption).to_contain_text("λ = 0: this is least squares")


def test_points_are_drawn_and_moved_and_a_curve_is_fitted(stage):
    stage.open("linear_paths?data=sine&n=20&count=5")
    stage.press("End")
    expect(stage.caption).to_contain_text("5 of 5 in use")
    before = stage.caption.text_content()
    stage.tool("Point")
    stage.click(0.1, 0.9)
    expect(stage.count).to_have_text("21 points")
    expect(stage.caption).not_to_have_text(before)
    drawn = stage.caption.text_content()
    stage.tool("Move")
    stage.drag(stage.pixel(0), (0.9, 0.9))
    expect(stage.caption).not_to_have_text(drawn)
    stage.press("Control+z")
    expect(stage.caption).to_have_text(drawn)
    stage.press("Control+z")
    expect(stage.count).to_have_text("20 points")
    expect(stage.caption).to_have_text(before)


def test_two_weights_touch_a_diamond_and_a_circle(stage):
    stage.open("linear_paths?data=correlated&view=two weights&second=x4")
    expect(stage.caption).to_contain_text("“x1” enters")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("at a corner")
    stage.press("]")
    expect(stage.caption).to_contain_text("“x4” enters")
    stage.choose("Method", "ridge")
    expect(stage.page).to_have_url(re.compile("mode=ridge"))
    expect(stage.caption).to_contain_text("touches the circle")
    expect(stage.page.locator(".stage .beside figure")).to_have_count(2)


def test_coordinate_descent_plays_to_its_end(stage):
    stage.open("linear_paths?data=sine&mode=coordinate descent&count=3&level=0.3")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Sweep 1: the weight of “x” goes from 0 to")
    expect(stage.caption).to_contain_text("It enters.")
    stage.page.locator(".speed").select_option("4")
    stage.press("Escape", " ")
    expect(stage.caption).to_contain_text("Converged", timeout=30_000)
