"""The legend on demand and the film strip, by keys."""

from playwright.sync_api import expect


def test_the_legend_lights_up_a_mark_and_the_film_strip_leads_to_a_step(stage):
    stage.open("decision_tree?n=60&held=30")
    stage.press("End", "k")
    legend = stage.page.locator(".stage .signs")
    expect(legend.get_by_role("button").nth(1)).to_be_focused()  # the first entry
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
    expect(stage.page.get_by_role("button", name="Legend", exact=True)).to_be_focused()
    expect(lit).to_have_count(0)
    stage.press("f")
    shots = stage.page.locator(".stage .film-strip button")
    expect(stage.page.locator(".stage .film-strip .drawn")).to_have_count(shots.count())
    assert 2 <= shots.count() <= 12
    shots.first.press("Enter")
    expect(stage.where).to_contain_text("split 0 of")
    expect(shots.first).to_have_attribute("aria-current", "step")
