from playwright.sync_api import expect


def test_intervals_that_miss_are_crossed_and_those_of_means_need_more_numbers(stage):
    stage.open("intervals_and_tests?samples=20")
    expect(stage.caption).to_contain_text("Sample 1 of 20: 10 of 40 are wrong")
    lines = stage.page.locator(".stage .picture .scatterlayer .trace")
    crosses = lines.nth(2).locator(".point")
    expect(crosses).to_have_count(0)
    stage.press("]")
    expect(stage.caption).to_contain_text("misses the true 0.3.")
    expect(crosses).to_have_count(1)
    stage.press("End")
    expect(stage.caption).to_contain_text("18 of 20 intervals hold the true error rate")
    expect(crosses).to_have_count(2)
    stage.page.get_by_role("slider", name="True error rate p").focus()
    stage.press("Home")
    expect(stage.caption).to_contain_text("the true 0.01")
    stage.page.get_by_role("radio", name="a mean").click()
    expect(stage.caption).to_contain_text("5 numbers with the mean m = ")
    stage.page.get_by_role("slider", name="Numbers in a sample").focus()
    stage.press("Home")
    expect(stage.caption).to_contain_text("2 numbers with the mean m = ")
