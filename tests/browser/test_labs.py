"""What every lab must do in a browser; labs are found, not listed."""

import re

import pytest
from playwright.sync_api import expect

from pages._shared.labs import LABS

EVERY_LAB = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)


@EVERY_LAB
def test_it_opens_ready_to_play_and_its_formulas_are_set_and_it_fits_a_phone(stage, lab):
    stage.open(lab.name)
    expect(stage.page.locator(".lab-title h1")).to_have_text(lab.title)
    expect(stage.caption).to_be_in_viewport(ratio=0.9)
    expect(stage.where).to_contain_text("step 0 of")
    expect(stage.page.get_by_role("button", name="Play")).to_be_enabled()
    stage.press("ArrowRight")
    expect(stage.where).not_to_contain_text("step 0 of")
    stage.page.get_by_role("tab", name="Maths").click()
    expect(stage.page.locator(".katex-display").first).to_be_visible()
    expect(stage.page.locator(".katex-error")).to_have_count(0)
    stage.page.get_by_role("tab", name="Code").click()
    expect(stage.page.locator("[data-testid=stCode]:visible").last).to_contain_text("def ")

    stage.page.set_viewport_size({"width": 390, "height": 844})
    expect(stage.page.locator(".stage .plot .main-svg").first).to_have_attribute(
        "width", re.compile(r"^3\d\d")
    )
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("tools", "picture", "player", "caption", "beside"):
        box = stage.page.locator(f".stage .{name}").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 391
