import re

from playwright.sync_api import expect


def test_painting_the_other_class_changes_the_surface(stage):
    stage.open("logistic_regression?data=separable&method=newton&penalty=0.1")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    image = stage.page.locator(".stage .picture image")
    before = image.get_attribute("href")
    stage.press("1", "b")
    stage.drag((0.15, 0.85), (0.3, 0.9), (0.2, 0.8))
    expect(stage.notice).to_contain_text("the data changed")
    expect(image).not_to_have_attribute("href", before)
    expect(stage.page.locator(".stage-points .wrong").first).to_be_visible()


def test_relabelling_points_by_key_and_pointer(stage):
    stage.open("logistic_regression?data=moons&n=30&start=zeros")
    index, where = 0, stage.pixel(0)
    color = stage.fills()[index]
    stage.press("3", "l")
    stage.click(*where)
    expect(stage.points.nth(index)).not_to_have_css("fill", color)
    expect(stage.page.get_by_text("3 classes", exact=False).first).to_be_visible()
    expect(stage.caption).to_contain_text("ln 3")


def test_the_step_and_the_data_survive_a_switch_of_labs(stage):
    stage.open("logistic_regression?data=moons&n=60")
    stage.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 3 of")
    stage.menu("Clustering", "k-means")
    expect(stage.count).to_have_text("60 points")
    stage.menu("Classification", "Logistic regression")
    expect(stage.where).to_contain_text("step 3 of")
    stage.page.set_viewport_size({"width": 1000, "height": 700})
    expect(stage.where).to_contain_text("step 3 of")
    expect(stage.points).to_have_count(60)


def test_every_class_has_a_symbol_besides_its_colour(stage):
    stage.open("logistic_regression?data=blobs&classes=4&n=40")
    looks = stage.points.evaluate_all(
        "nodes => nodes.map((node) => [node.style.fill, node.getAttribute('d')])"
    )
    colors, symbols = ({look[i] for look in looks} for i in (0, 1))
    assert len(colors) == len(symbols) == len({tuple(look) for look in looks}) == 4


def test_the_picked_point_follows_its_handle(stage):
    stage.open("logistic_regression?data=moons&n=60")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    before = stage.caption.inner_text().split("\n")[2]
    assert re.match(
        r"Picked point: its score w·x \+ b = \S+ · .+ = \S+ \(x standardised\), so class ", before
    )
    stage.page.locator(".handle").focus()
    stage.page.keyboard.press("ArrowLeft")
    expect(stage.caption).not_to_contain_text(before)
    expect(stage.caption).to_contain_text("Converged")
    expect(stage.page).to_have_url(re.compile("query="))


def test_far_points_are_dragged_and_points_are_drawn_around_them(stage):
    stage.open("logistic_regression?view=least squares&data=row&n=30")
    stage.tool("Point")
    stage.click(0.9, 0.9)
    expect(stage.count).to_have_text("31 points")
    stage.press("End")
    expect(stage.caption).to_contain_text("With 8 far points at")
    before = stage.caption.inner_text()
    stage.drag_handle(stage.page.locator(".handle"), 0.8, 0.2)
    expect(stage.page).to_have_url(re.compile("far="))
    expect(stage.caption).not_to_have_text(before)
