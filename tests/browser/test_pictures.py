"""No text of any picture lies on another or is cut off, in any mode of any lab."""

import pytest
from playwright.sync_api import expect

from pages._shared.labs import LABS
from tests.browser.texts import in_the_way

SIZES = ((1366, 768), (1920, 1080), (1024, 768), (820, 1180), (390, 844))


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
        for key in ("Home", "End"):
            stage.press(key)
            for width, height in SIZES:
                stage.page.set_viewport_size({"width": width, "height": height})
                stage.page.wait_for_timeout(800)  # the plots follow the window by and by
                stage.settle()
                found += [f"mode {i}, {key}, {width}: {text}" for text in in_the_way(stage.page)]
            stage.page.set_viewport_size({"width": 1366, "height": 768})
    assert found == []
