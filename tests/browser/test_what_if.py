import re

import pytest
from playwright.sync_api import expect


def test_centres_and_points_go_elsewhere_and_the_run_as_it_was_stays_as_a_ghost(stage):
    stage.open("k_means?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5")
    stage.press("End")
    expect(stage.where).to_contain_text("step 8 of 8")
    stage.press("w")
    button = stage.page.get_by_role("button", name="What if")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(stage.where).to_contain_text("step 9 of ")  # the one after the end
    expect(stage.caption).to_contain_text(
        "By hand: drag a centre or a point; nothing is moved yet."
    )
    expect(stage.page.locator(".stage .picture")).to_contain_text("dash-dotted: as it was")
    centre = stage.page.get_by_role("button", name=re.compile("^Centre 1 at x "))
    centre.focus()
    stage.press(*["Shift+ArrowRight"] * 6)
    expect(stage.caption).to_contain_text("By hand: centre 1 goes to (")
    expect(stage.where).to_contain_text("step 9 of ")
    expect(stage.page).to_have_url(re.compile(r"fork=9.*&if\.centers="))
    stage.page.get_by_role("button", name="Last step").click()
    expect(stage.caption).to_contain_text("converged, at 35.3.")
    expect(centre).to_be_hidden()  # it is moved at its step alone
    expect(stage.caption).to_contain_text("As it was, dash-dotted (at its end): ")
    expect(stage.caption).to_contain_text("converged, at 230.")

    # The mouse takes hold of a point with no other tool than Look; the data stay as they are.
    old = stage.pixel(0)
    there = (0.95, 0.05)
    stage.drag(old, there)
    expect(stage.page).to_have_url(
        re.compile(r"fork=9.*&if\.points=0%2C[-.\d]+%2C[-.\d]+&if\.centers=")
    )
    expect(stage.caption).not_to_contain_text("converged, at 35.3.")
    expect(stage.caption).to_contain_text("converged, at ")
    assert stage.pixel(0) == pytest.approx(there, abs=0.01)
    expect(stage.page.get_by_role("button", name="Undo")).to_be_disabled()

    # By keyboard, with Move and the crosshair; before the step nothing would be seen of it.
    stage.press("Home", "m")
    stage.settle()
    assert stage.pixel(0) == pytest.approx(old, abs=0.01)
    stage.page.locator(".stage .picture").focus()
    for share, forth, back in zip(old, ("Right", "Up"), ("Left", "Down"), strict=True):
        times = round((share - 0.5) / 0.1)
        stage.press(*[f"Shift+Arrow{forth if times > 0 else back}"] * abs(times))
    stage.press("Enter", "Shift+ArrowLeft", "Enter")
    expect(stage.where).to_contain_text("step 9 of ")
    expect(stage.caption).to_contain_text(
        re.compile(r"the point at \(.* goes to \(.*\), by hand\.")
    )
    expect(stage.page).to_have_url(re.compile(r"if\.points=0%2C.*%3B\d+%2C"))

    stage.page.locator(".stage .caption").click()
    stage.press("Escape", "w")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(stage.caption).not_to_contain_text("As it was")
    expect(stage.page).not_to_have_url(re.compile("fork|if"))
    assert stage.pixel(0) == pytest.approx(old, abs=0.01)
