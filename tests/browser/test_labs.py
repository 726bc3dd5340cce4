"""Checks of every lab in a browser; the labs are found, not listed."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import until, visit
from tests.browser.texts import in_the_way, smaller_than
from tests.house.every_lab import IN_BROWSER

# A picture with its axes, or the view in its place, is at least so high; it follows the window by
# and by. Two pictures of the same size share the width: each has at least 0.83 of this height.
LARGE = """least => {
    const place = document.querySelector(".stage.swapped .beside, .stage:not(.swapped) .picture");
    return place.getBoundingClientRect().height
        >= (document.querySelector(".stage.equal") ? 0.83 : 1) * least;
}"""
PARAMETERS = "[data-testid=stSidebarUserContent] [data-testid=stElementContainer]"

DARK = """() => {
    const paper = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
    return parseInt(paper.match(/\\d+/)) < 50;
}"""


# A wide head has one line, and what does not fit is cut off.
LINKS_IN_THE_HEAD = """() => [...document.querySelectorAll(".chapters a")].every((link) => {
    const head = link.closest(".lab-title").getBoundingClientRect();
    const { bottom, right } = link.getBoundingClientRect();
    const without = link.offsetParent === null; // on a narrow page
    return without || (bottom <= head.bottom + 2 && right <= head.right + 1);
})"""


@pytest.fixture(scope="module")
def visitor(server, openers):
    """Somebody who goes from lab to lab by the menu: opening each anew would take twice as long."""
    with visit(server, openers[False]) as one:
        one.page.goto(server)
        yield one


def at_first_step(stage) -> bool:
    """Go to the start, since many labs open later; the lab before may still hear the key."""
    stage.press("Home")
    return stage.page.locator(".stage .scrub").input_value() == "0"


@IN_BROWSER
def test_it_opens_ready_to_play_and_fits_a_phone_and_axe_finds_nothing_serious(visitor, lab):
    stage = visitor
    stage.page.set_viewport_size({"width": 1366, "height": 768})
    stage.page.emulate_media(color_scheme="light")
    stage.menu(lab.section.title, lab.title)
    here = stage.page.locator("[data-testid=stTopNavSection][aria-current]")
    expect(here).to_have_text(lab.section.title)
    # Nothing that was at its default in the lab before has come along.
    expect(stage.page).to_have_url(re.compile(rf"/{lab.name}(\?view=pairs|\?step=\d+)?$"))
    expect(stage.caption).to_be_in_viewport(ratio=0.9)
    until(stage.page, lambda: at_first_step(stage))
    expect(stage.page.get_by_role("button", name="Play")).to_be_enabled()
    assert in_the_way(stage.page) == []
    stage.press("ArrowRight")
    expect(stage.page.locator(".stage .scrub")).not_to_have_value("0")
    stage.press("End")
    stage.settle()
    assert in_the_way(stage.page) == []
    assert smaller_than(stage.page, 14) == []
    stage.page.get_by_role("tab", name="Maths").click()
    expect(stage.page.locator(".katex-display").first).to_be_visible()
    expect(stage.page.locator(".katex-error")).to_have_count(0)
    stage.page.get_by_role("tab", name="Code").click()
    expect(stage.page.locator("[data-testid=stCode]:visible").last).to_contain_text("def ")
    stage.page.get_by_role("tab", name="Try this").click()
    expect(
        stage.page.get_by_role("tabpanel").get_by_text("Answer", exact=True).first
    ).to_be_visible()
    assert problems_in_both_themes(stage.page) == []

    for width, height, least in ((1366, 768, 530), (1920, 1080, 800), (1280, 720, 480)):
        stage.page.set_viewport_size({"width": width, "height": height})
        stage.page.wait_for_function(LARGE, arg=least)
        expect(stage.caption).to_be_in_viewport(ratio=0.5)
        for parameter in stage.page.locator(PARAMETERS).filter(visible=True).all():
            expect(parameter).to_be_in_viewport(ratio=1)
        stage.page.wait_for_function(LINKS_IN_THE_HEAD)

    stage.page.set_viewport_size({"width": 390, "height": 844})
    expect(stage.page.locator(".stage .plot .main-svg").first).to_have_attribute(
        "width", re.compile(r"^3\d\d")
    )
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("tools", "picture", "player", "caption", "beside"):
        part = stage.page.locator(f".stage .{name}")
        if name == "tools" and not part.is_visible():
            continue  # there are no points to paint on
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 391


def problems(page, fewest: int = 20, **options) -> list[str]:
    """Return what axe-core finds serious or critical in the page as it stands.

    Fewer rules than `fewest` that apply to the page mean that it was not looked at.
    """
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response
    assert len(found["passes"] + found["violations"]) >= fewest
    return [
        f"{violation['help']}: {[node['target'] for node in violation['nodes']]}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


def problems_in_both_themes(page) -> list[str]:
    """Return what axe-core finds; the themes differ in nothing but their colours."""
    found = problems(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK)
    return found + problems(page, fewest=1, runOnly=["color-contrast"])


@pytest.mark.parametrize("page", ["", "glossary"])
def test_axe_finds_nothing_serious_on_the_other_pages(stage, page):
    stage.page.goto(f"{stage.address}/{page}")
    expect(stage.page.get_by_role("heading").first).to_be_visible()
    expect(stage.page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert problems_in_both_themes(stage.page) == []
    if page == "":  # the gallery: cards of a row are of one height, and a click on a picture opens
        cards = stage.page.locator('[class*="st-key-card"]')
        rows: dict[float, set[float]] = {}
        for card in cards.all():
            box = card.bounding_box()
            rows.setdefault(round(box["y"]), set()).add(round(box["height"]))
        assert len(rows) > 3
        assert all(len(heights) == 1 for heights in rows.values())
        title = cards.first.locator("strong").inner_text()
        cards.first.locator("img").click(force=True)  # the link lies over it
        expect(stage.page.locator(".lab-title h1")).to_have_text(title)
