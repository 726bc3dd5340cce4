import re

import numpy as np
from playwright.sync_api import expect


def likelihood(stage) -> float:
    text = stage.caption.inner_text().replace("−", "-")
    return float(re.search(r"log-likelihood = (?:Σ ln p\(x\) = )?(-?\d+\.?\d*)", text)[1])


def test_half_steps_by_key_to_the_collapse_and_the_floor_that_prevents_it(stage):
    stage.open("gaussian_mixture?data=outlier&init=random&seed=0")
    expect(stage.caption).to_contain_text("Start (random)")
    start = likelihood(stage)
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Maximization: the components")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Expectation: the points are shared out anew")
    assert likelihood(stage) > start
    stage.press("ArrowLeft")
    expect(stage.caption).to_contain_text("Maximization")
    stage.press("]")
    expect(stage.caption).to_contain_text("Collapse: component")
    expect(stage.caption).to_contain_text("the floor λ = 1e−06 holds it")
    slider = stage.page.get_by_role("slider", name="Floor λ, share of the variance")
    slider.focus()
    stage.press("ArrowLeft")
    expect(stage.notice).to_contain_text("Floor λ, share of the variance 1e-06 → 0.0")
    stage.page.locator(".picture").focus()
    stage.press("End")
    expect(stage.caption).to_contain_text("its density is infinite")


def test_means_are_placed_and_few_points_are_pies(stage):
    link = "gaussian_mixture?data=blobs&classes=2&n=40&k=2&init=placed by hand&centers=-1,0;1,0"
    stage.open(link)
    expect(stage.points).to_have_count(40)
    slices = stage.page.locator(".stage-pies path")
    expect(slices.first).to_be_attached()
    assert slices.count() % 2 == 0
    handles = stage.page.locator(".handle:not(.query)")
    expect(handles).to_have_count(2)
    before = stage.caption.inner_text()
    box = handles.first.bounding_box()
    stage.page.mouse.move(box["x"] + 17, box["y"] + 17)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.9, 0.1), steps=5)
    stage.page.mouse.up()
    expect(stage.caption).not_to_have_text(before)
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    expect(slices).to_have_count(0)
    assert len(set(stage.fills())) >= 2
    stage.open("gaussian_mixture?data=blobs&n=100")
    expect(stage.points).to_have_count(100)
    expect(slices).to_have_count(0)


def test_painted_points_change_the_components_and_undo_brings_them_back(stage):
    stage.open("gaussian_mixture?data=blobs&n=50&k=2")
    stage.press("End")
    before = likelihood(stage)
    stage.tool("Brush")
    stage.drag((0.1, 0.1), (0.4, 0.1), steps=12)
    expect(stage.count).not_to_have_text("50 points")
    expect(stage.notice).to_contain_text("the data changed")
    expect(stage.caption).not_to_contain_text("of 50 the main")
    assert likelihood(stage) < before
    stage.press("Control+z")
    expect(stage.caption).to_contain_text("of 50 the main")
    np.testing.assert_allclose(likelihood(stage), before)


def test_soft_k_means_and_words(stage):
    stage.open("gaussian_mixture")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="The bridge to k-means").click()
    expect(stage.caption).to_contain_text("Start: 3 centres")
    stage.page.locator(".picture").focus()
    stage.press("]")
    expect(stage.caption).to_contain_text("Centres merge")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="Topics").click()
    expect(stage.caption).to_contain_text("each of 3 topics takes the words of one document")
    expect(stage.page.locator(".stage .tools")).to_be_hidden()
    stage.page.locator(".picture").focus()
    stage.press("]")
    expect(stage.caption).to_contain_text(re.compile("now rules “.+” out"))
