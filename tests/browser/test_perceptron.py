from playwright.sync_api import expect


def test_a_point_on_the_wrong_side_takes_the_separator_away(stage):
    stage.open("perceptron?data=separable&n=40")
    expect(stage.caption).to_contain_text("A separator exists")
    stage.press("]")
    expect(stage.caption).to_contain_text("(mistake 1)")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    image = stage.page.locator(".stage .picture image")
    before = image.get_attribute("href")
    stage.press("1", "a")
    stage.click(0.2, 0.9)  # among the second class
    expect(stage.notice).to_contain_text("the data changed")
    expect(stage.count).to_have_text("41 points")
    expect(stage.caption).to_contain_text("No separator exists")
    expect(image).not_to_have_attribute("href", before)
    stage.press("Control+z")
    expect(stage.caption).to_contain_text("Converged")
