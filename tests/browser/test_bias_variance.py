import re

import numpy as np
from playwright.sync_api import expect

from tests.browser.conftest import until


def test_a_truth_is_drawn_and_bent(stage):
    stage.open("bias_variance?sets=20&size=12&share=2")
    stage.clear()
    expect(stage.caption).to_contain_text("no points yet")
    stage.tool("Point")
    for u, v in ((0.1, 0.3), (0.4, 0.7), (0.7, 0.3), (0.9, 0.6)):
        stage.click(u, v)
    expect(stage.count).to_have_text("4 points")
    expect(stage.caption).to_contain_text("Set 1 of 20: 12 noisy points of the truth and their fit")
    expect(stage.page.get_by_text("through the points (4 places)")).to_be_visible()
    stage.press("Escape", "End")
    expect(stage.caption).to_contain_text("Set 20 of 20:")
    stage.tool("Move")
    before = stage.caption.inner_text()
    stage.drag((0.4, 0.7), (0.4, 0.9))
    expect(stage.notice).to_contain_text("the data changed")
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("Least error: ")


def test_sets_join_step_by_step_and_the_places_slide(stage):
    stage.open("bias_variance?size=30&share=8&sets=30&degree=1")
    expect(stage.caption).to_contain_text("One fit cannot separate bias from variance")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Set 2 of 30:")
    expect(stage.caption).to_contain_text("Together, bias² 0.652 + variance")
    expect(stage.caption).to_contain_text("error on 100 fresh points")
    stage.press("]")
    expect(stage.caption).to_contain_text(re.compile(r"Least error( now)?: degree \d"))
    stage.press("End", "ArrowLeft")
    expect(stage.caption).to_contain_text("Set 29 of 30:")
    before = stage.caption.inner_text()
    handles = stage.page.locator(".handle:not(.choice)")
    expect(handles).to_have_count(2)
    stage.drag_handle(handles.first, 0.5, 0.8)
    expect(stage.page).to_have_url(re.compile("at="))
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("Set 29 of 30:")  # the step stays
    on_its_rail = stage.place(0.5, 0.05)

    def there() -> bool:
        """Return whether the answers to the way there have all arrived."""
        box = handles.first.bounding_box()
        return abs(box["x"] + box["width"] / 2 - on_its_rail[0]) <= 4

    until(stage.page, there)
    box = handles.first.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    np.testing.assert_allclose(middle, on_its_rail, atol=4)
