"""No text of any picture overlaps another or is cut off, in any mode of any lab."""

import pytest
from playwright.sync_api import expect

from pages._shared.lab.catalogue import LABS
from tests.browser.texts import in_the_way

LARGE, SMALL = (1920, 1080), (1366, 768)


# Every plot is as large as its place in the window, which it follows by and by.
FOLLOWED = """() => [...document.querySelectorAll(".stage .js-plotly-plot")].every((plot) => {
    const drawn = plot.querySelector(".main-svg").getBoundingClientRect();
    const place = plot.getBoundingClientRect();
    return Math.abs(drawn.width - place.width) < 1 && Math.abs(drawn.height - place.height) < 1;
})"""


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_texts_keep_clear_of_each_other(stage, lab):
    found = []
    stage.open(lab.name)
    modes = stage.page.locator(".st-key-modes [role=radio]")
    for i in range(max(1, modes.count())):
        if modes.count():
            modes.nth(i).click()
            expect(modes.nth(i)).to_have_attribute("aria-checked", "true")
        stage.page.locator(".picture").focus()
        for key, size in (("Home", SMALL), ("End", SMALL), ("End", LARGE)):
            stage.press(key)
            stage.page.set_viewport_size({"width": size[0], "height": size[1]})
            stage.page.wait_for_function(FOLLOWED)
            stage.settle()
            found += [f"mode {i}, {key}, {size}: {text}" for text in in_the_way(stage.page)]
        stage.page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    assert found == []
