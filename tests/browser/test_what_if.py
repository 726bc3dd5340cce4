import re

from playwright.sync_api import expect


def test_by_keyboard_a_centre_goes_elsewhere_and_the_run_as_it_was_stays_as_a_ghost(stage):
    stage.open("k_means?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5")
    stage.press("End")
    expect(stage.where).to_contain_text("step 8 of 8")
    stage.press("w")
    button = stage.page.get_by_role("button", name="What if")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(stage.where).to_contain_text("step 9 of ")  # the one after the end
    expect(stage.caption).to_contain_text("By hand: drag a centre; now all are where they were.")
    expect(stage.page.locator(".stage .picture")).to_contain_text("dash-dotted: as it was")
    centre = stage.page.get_by_role("button", name="Centre 1: drag, or use the arrow keys")
    centre.focus()
    stage.press(*["Shift+ArrowRight"] * 6)
    expect(stage.caption).to_contain_text("By hand: centre 1 goes to (")
    expect(stage.where).to_contain_text("step 9 of ")
    expect(stage.page).to_have_url(re.compile(r"fork=9.*&if\.centers="))
    stage.page.get_by_role("button", name="Last step").click()
    expect(stage.caption).to_contain_text("converged, at 35.27.")
    expect(centre).to_be_hidden()  # it is moved at its step alone
    expect(stage.caption).to_contain_text("As it was, dash-dotted (at its end): ")
    expect(stage.caption).to_contain_text("converged, at 230.2.")
    stage.press("w")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(stage.caption).not_to_contain_text("As it was")
    expect(stage.page).not_to_have_url(re.compile("fork"))
