from playwright.sync_api import expect


def test_points_are_drawn_and_moved_and_a_curve_is_fitted(stage):
    stage.open("linear_paths?data=sine&n=20&count=5")
    stage.press("End")
    expect(stage.caption).to_contain_text("No penalty is left, this is least squares")
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
