import re

from playwright.sync_api import expect


def test_resampling_draws_a_tree_a_step_and_a_drag_keeps_the_step(stage):
    stage.open("decision_tree?view=Resample")
    stage.press("]")
    expect(stage.caption).to_contain_text("another first question")
    where = stage.where.inner_text()
    stage.drag_handle(stage.page.locator(".handle"), 0.3, 0.3)
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.where).to_have_text(where)
    stage.press("End")
    expect(stage.caption).to_contain_text("11 of 20 trees ask another first question")
    expect(stage.page.locator(".beside").get_by_text(re.compile("[xy] ≤ ")).first).to_be_visible()


def test_id3_shows_the_gains_of_the_notes_and_cannot_be_painted_on(stage):
    stage.open("decision_tree?view=ID3")
    expect(stage.caption).to_contain_text("= 0.9403 bits")
    expect(stage.caption).to_contain_text("Wind 0.0481")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("= 0.9710; Temperature 0.5710, Wind 0.0200")
    expect(stage.page.get_by_role("button", name="Brush", exact=True)).to_be_hidden()
    expect(stage.page.locator(".on-board")).to_be_hidden()  # the table is no part of it
    stage.press("b")
    expect(stage.page.locator(".stage .picture")).to_have_attribute("data-tool", "look")
    stage.page.get_by_role("radio", name="Grow").click()
    expect(stage.count).to_have_text("200 points")
    expect(stage.page.locator(".on-board")).to_be_visible()
    expect(stage.page.get_by_role("button", name="Brush", exact=True)).to_be_visible()
