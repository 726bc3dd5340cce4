import re

import pytest
from playwright.sync_api import expect

from algorithms.classification.classifiers import CLASSIFIERS

COUNT = len(CLASSIFIERS)


def test_painting_points_changes_the_surfaces(stage):
    stage.open("wall?data=separable&n=60&test_share=0")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Least squares gets ")
    image = stage.page.locator(".stage .picture image").first
    tiles = stage.page.locator(".stage .beside figure").first.locator("image").last
    before, wall = image.get_attribute("href"), tiles.get_attribute("href")
    stage.press("1", "b")
    stage.drag((0.15, 0.85), (0.3, 0.9), (0.2, 0.8))
    expect(stage.notice).to_contain_text("the data changed")
    stage.press("Home", "ArrowRight", "ArrowRight")
    expect(image).not_to_have_attribute("href", before)
    expect(tiles).not_to_have_attribute("href", wall)
    expect(stage.page.locator(".stage-points .wrong").first).to_be_visible()


def test_all_are_asked_about_the_place_under_the_cross_hair(stage):
    stage.open("wall?data=moons&noise=0.3&sample=5&query=-2,1.5")
    expect(stage.caption).to_contain_text("Picked point: 15 of 15 say class 1")
    box = stage.page.locator(".handle").first.bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.9, 0.1), steps=5)
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text(re.compile("Picked point: 1[3-5] of 15 say class 2"))
    expect(stage.page).to_have_url(re.compile("query="))


def test_a_lab_opens_with_the_same_points(stage):
    stage.open("wall?data=circles&n=40")
    stage.press("1", "a")
    stage.click(0.1, 0.1)
    expect(stage.page.get_by_text("41 points", exact=False).first).to_be_visible()
    stage.page.get_by_role("link", name="Linear SVM, RBF SVM").click()
    expect(stage.page.locator(".lab-title h1")).to_contain_text("upport")
    expect(stage.count).to_have_text("41 points")
    stage.menu("Classification", "All classifiers side by side")
    expect(stage.count).to_have_text("41 points")


@pytest.mark.viewport(390, 844)
def test_the_wall_fits_on_a_phone(stage):
    stage.open(f"wall?data=moons&noise=0.3&step={COUNT - 1}")
    wall = stage.page.locator(".stage .beside figure").first
    wall.scroll_into_view_if_needed()
    texts = wall.locator(".textpoint text").all()
    assert len(texts) == 2 * COUNT
    for text in texts:
        box = text.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
