"""The legend on demand and the film strip, by keys."""

from playwright.sync_api import expect


def test_the_legend_lights_up_a_mark_and_the_film_strip_leads_to_a_step(stage):
    stage.open("decision_tree?n=60&held=30")
    stage.press("End", "k")
    legend = stage.page.locator(".stage .signs")
    expect(legend.locator(".layers input").first).to_be_focused()
    cut = legend.get_by_role("button", name="cut of the tree")
    cut.hover()
    lit = stage.page.locator(".stage .picture .lit")
    expect(lit.first).to_have_css("opacity", "1")
    expect(stage.page.locator(".stage .picture .stage-points path").first).to_have_css(
        "opacity", "0.1"
    )
    expect(legend).to_contain_text("held out")
    stage.press("Escape")
    expect(legend).to_be_hidden()
    expect(stage.page.get_by_role("button", name="Legend and layers")).to_be_focused()
    expect(lit).to_have_count(0)
    stage.press("f")
    shots = stage.page.locator(".stage .film-strip button")
    expect(stage.page.locator(".stage .film-strip .drawn")).to_have_count(shots.count())
    assert 2 <= shots.count() <= 12
    shots.first.press("Enter")
    expect(stage.where).to_contain_text("split 0 of")
    expect(shots.first).to_have_attribute("aria-current", "step")


def test_a_tour_lights_up_marks_and_waits_for_a_step(stage):
    stage.open("k_means?k=3")
    stage.press("k")
    stage.page.get_by_role("button", name="Tour of this lab").press("Enter")
    card = stage.page.locator(".callout")
    expect(card).to_contain_text("Every point joins its nearest centre")
    stage.press("Enter")  # the card's button has the focus
    expect(card).to_contain_text("Lit up: point")
    expect(stage.page.locator(".stage .picture .lit").first).to_be_attached()
    while "Take a step" not in card.inner_text():
        stage.press("Enter")
    expect(stage.page.locator(".stage .picture .lit")).to_have_count(0)
    stage.page.get_by_role("button", name="Step forward").click()
    expect(card).to_contain_text("The ticks are events")
    expect(stage.where).not_to_contain_text("step 1 of")
    card.get_by_role("button", name="Next").focus()
    stage.press("Escape")
    expect(card).to_have_count(0)
    expect(stage.page.get_by_role("button", name="Legend", exact=True)).to_be_focused()
