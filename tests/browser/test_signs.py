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


def test_a_tour_lights_what_it_speaks_of_and_goes_on_when_it_is_done(stage):
    stage.open("k_means?k=3")
    page, card = stage.page, stage.page.locator(".callout")
    lit, pointed = page.locator(".stage .picture .lit"), page.locator(".pointed-at")
    stage.press("k")
    page.get_by_role("button", name="Tour of this lab").press("Enter")
    expect(card).to_contain_text("Every point joins its nearest centre")
    stage.press("Enter")  # the card's button has the focus
    expect(card).to_contain_text("Lit up: point")
    expect(lit.first).to_be_attached()
    while "Drag it" not in card.inner_text():
        stage.press("Enter")
    expect(pointed).to_be_focused()  # the ring of the picked point
    stage.press("ArrowRight", "ArrowRight")
    expect(card).to_contain_text("Take a step")
    expect(lit).to_have_count(0)
    expect(pointed).to_have_attribute("data-do", "step")
    stage.press("Tab")
    expect(card.get_by_role("button", name="Skip")).to_be_focused()
    page.get_by_role("button", name="Step forward").click()
    expect(card).to_contain_text("an event of this run: converged")
    expect(page.locator(".stage .player .ticks i").first).to_have_class("pointed-at")
    stage.press("Enter")
    expect(card).to_contain_text("this view follows the steps")
    expect(page.locator(".stage .beside figure.open.pointed-at")).to_have_count(1)
    stage.press("Enter")
    expect(card).to_contain_text("Open Try this")
    stage.press("Enter")  # the link has the focus
    expect(page.get_by_role("tab", name="Try this")).to_be_focused()
    expect(card).to_have_count(0)
    expect(pointed).to_have_count(0)


def test_escape_ends_a_tour_and_presenter_mode_shows_it(stage):
    stage.open("k_means?k=3")
    stage.press("p", "k")
    stage.page.get_by_role("button", name="Tour of this lab").press("Enter")
    card = stage.page.locator(".callout")
    expect(card.get_by_role("button", name="Next")).to_be_focused()
    stage.press("Escape")
    expect(card).to_have_count(0)
    expect(stage.page.get_by_role("button", name="Legend", exact=True)).to_be_focused()
    expect(stage.page.locator("html[data-present]")).to_have_count(1)
