"""Access by screen reader, by keyboard, by clicks instead of drags, and in forced colours."""

import re
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import until
from tests.browser.test_labs import problems
from tests.browser.texts import cut_words, in_the_way

pytestmark = pytest.mark.thorough

HEAR = """() => {
    window.said = [];
    const node = document.querySelector(".stage .spoken");
    const hear = () => window.said.push([performance.now(), node.textContent]);
    new MutationObserver(hear).observe(node, { childList: true });
}"""


SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important } p { margin-bottom: 2em !important }"""  # WCAG 2.2, 1.4.12

FOCUS_IS_SEEN = """() => {
    const seen = (node) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return ["solid", "dashed"].includes(outlineStyle) && parseFloat(outlineWidth) >= 2;
    };
    const focus = document.activeElement;
    const box = focus.closest("[data-testid=stNumberInputContainer]") ?? focus;
    const shown = focus.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const slider = focus.matches("[type=range]"); // its own input is clear: the outline is not
    return { name: focus.ariaLabel || focus.textContent.trim().slice(0, 40),
             over: focus === document.body, seen: (shown || slider) && (seen(focus) || seen(box)) };
}"""


def said(page: Page) -> list[tuple[float, str]]:
    return [(time, text) for time, text in page.evaluate("() => window.said")]


def test_a_run_that_plays_is_told_every_two_seconds_and_to_its_end(stage):
    stage.open("logistic_regression?n=40&steps=60&tol=0.0001")
    stage.page.evaluate(HEAR)
    stage.press("Home", " ")
    until(stage.page, lambda: any("step 60 of 60" in text for _, text in said(stage.page)))
    times = [time for time, _ in said(stage.page)]
    assert 3 <= len(times) <= 12  # the run takes twelve seconds; there are 61 captions
    # The first was said at rest; timers may be some milliseconds early.
    assert min(b - a for a, b in pairwise(times[1:])) > 1990
    assert stage.page.locator(".stage [aria-live=polite]").count() == 0


def test_every_page_has_a_title_of_its_own_and_a_menu_that_is_read(stage):
    stage.open("svm?n=30")
    expect(stage.page).to_have_title("Support vector machine · Chalkline")
    stage.menu("Clustering", "k-means")
    expect(stage.page).to_have_title("k-means · Chalkline")
    stage.page.get_by_role("link", name="Gallery").first.click()
    expect(stage.page).to_have_title("Chalkline")
    stage.page.set_viewport_size({"width": 320, "height": 640})
    stage.page.get_by_test_id("stExpandSidebarButton").click()
    expect(stage.page.get_by_role("link", name="Perceptron").first).to_be_visible()
    expect(stage.page.locator("[data-testid=stSidebarNavItems] li:not([role])")).to_have_count(0)
    assert problems(stage.page) == []


def test_single_keys_can_be_switched_off_for_good(stage):
    stage.open("k_means?n=30&k=2")
    stage.press("?")
    stage.page.get_by_label("Single keys").uncheck()
    stage.press("Escape")
    stage.press("q", "p", "e")
    predict = stage.page.get_by_role("button", name="Predict", exact=True)
    expect(predict).to_have_attribute("aria-pressed", "false")
    expect(stage.page.locator("html[data-present]")).to_have_count(0)
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    stage.page.reload()
    expect(stage.caption).not_to_be_empty()
    stage.press("q")
    expect(predict).to_have_attribute("aria-pressed", "false")
    stage.page.get_by_role("button", name="Keys", exact=True).click()
    stage.page.get_by_label("Single keys").check()
    stage.press("Escape")
    stage.press("q")
    expect(predict).to_have_attribute("aria-pressed", "true")


def test_what_can_be_dragged_can_be_clicked(stage):
    stage.open("k_means?n=30&k=2&init=placed+by+hand&centers=-2,-2;2,2")
    stage.press("Home")
    query = stage.page.get_by_role("button", name=re.compile("^Picked point"))
    stage.click(0.25, 0.75)
    expect(stage.page).to_have_url(re.compile("query="))
    box = query.bounding_box()
    x, y = stage.place(0.25, 0.75)
    assert abs(box["x"] + box["width"] / 2 - x) < 2 and abs(box["y"] + box["height"] / 2 - y) < 2
    centre = stage.page.get_by_role("button", name=re.compile("^First centre 1"))
    centre.click()
    expect(centre).to_have_class(re.compile("carried"))
    stage.click(0.5, 0.5)
    expect(centre).not_to_have_class(re.compile("carried"))
    expect(stage.page).not_to_have_url(re.compile("centers=-2%2C"))
    assert across(centre) == pytest.approx(stage.place(0.5, 0.5)[0], abs=3)
    assert across(query) == pytest.approx(x, abs=2)  # it was not its turn

    # A point of the data, too, and another part of a zoomed picture.
    stage.tool("Move")
    stage.click(*stage.pixel(7))
    stage.click(0.1, 0.1)
    until(stage.page, lambda: max(map(abs, np.subtract(stage.pixel(7), (0.1, 0.1)))) < 0.01)
    stage.press("Escape", "+")
    stage.settle()
    assert stage.pixel(7) == pytest.approx((0.1, 0.1), abs=0.01)  # the zoom keeps the last place
    stage.press("-")

    # However fast keys are pressed, each of them counts.
    query.focus()
    centre.focus()
    before = stage.page.url
    stage.press(*["ArrowRight"] * 12)
    expect(stage.page).not_to_have_url(before)
    stage.settle()
    assert across(centre) == pytest.approx(stage.place(0.74, 0.5)[0], abs=3)


def across(handle: Locator) -> float:
    box = handle.bounding_box()
    assert box
    return box["x"] + box["width"] / 2


def test_nothing_beneath_the_presenter_can_be_reached(stage):
    stage.open("k_means?n=30&k=2")
    stage.press("p")
    expect(stage.page.locator("html[data-present]")).to_have_count(1)
    where = "document.activeElement === document.body || !!document.activeElement.closest('.stage')"
    for _ in range(40):
        stage.press("Tab")
        assert stage.page.evaluate(where)
    stage.press("Escape")
    expect(stage.page.locator('[data-do="present"]')).to_be_focused()
    expect(stage.page.get_by_role("link", name="Gallery").first).to_be_visible()
    assert stage.page.evaluate("!document.querySelector('[data-testid=stSidebar]').inert")


def test_sliders_and_switches_are_seen_in_forced_colours(stage):
    stage.page.emulate_media(forced_colors="active")
    stage.open("decision_tree?n=30")
    track = "[data-testid=stSlider] [data-orientation] > div:not([data-testid], [data-orientation])"
    for selector in (track, "[data-testid=stCheckbox] label > div:not([data-testid])"):
        expect(stage.page.locator(selector).first).to_have_css("outline-width", "2px")
    chosen, other = (
        stage.page.get_by_role("radio", name=name, exact=True) for name in ("entropy", "gini")
    )
    ground = "node => getComputedStyle(node).backgroundColor"
    assert chosen.evaluate(ground) != other.evaluate(ground)


def test_every_view_and_parameter_has_a_name_and_every_view_opens_as_a_table(stage):
    stage.open("gaussian_mixture")
    sidebar = stage.page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_role("slider", name="Components k", exact=True)).to_be_visible()
    expect(sidebar.get_by_role("group", name="Covariances", exact=True)).to_be_visible()
    expect(sidebar.locator("[role=group]:not([aria-label])")).to_have_count(0)
    stage.open("decision_tree?n=60")
    stage.press("End")
    for view in stage.page.locator(".stage .plot-box > [role=img]").all():
        about = view.get_attribute("aria-describedby")
        expect(stage.page.locator(f"#{about}")).to_contain_text(re.compile(r"\d"))
    button = stage.page.get_by_role("button", name="As a table: The tree")
    button.focus()
    stage.press("Enter")
    dialog = stage.page.get_by_role("dialog", name="The tree")
    expect(dialog.get_by_role("row").nth(1)).to_contain_text("30 + 30 points")
    stage.press("ArrowRight", "Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    expect(stage.page.locator(".stage .picture > .table")).to_have_css("opacity", "0")
    stage.page.locator(".stage .picture > .table").focus()
    stage.press("Shift+Tab", "Tab")
    expect(stage.page.locator(".stage .picture > .table")).to_have_css("opacity", "1")
    stage.press("Enter")
    expect(stage.page.get_by_role("columnheader", name="group")).to_be_visible()


def test_what_opens_by_a_key_takes_the_focus_and_the_cross_hair_says_where_it_is(stage):
    stage.open("perceptron?n=30")
    levels = [node.evaluate("node => node.tagName") for node in stage.page.locator("h1, h2").all()]
    assert levels.count("H1") == 1 and levels.count("H2") >= 5
    for name in ("Share", "Export", "Data", "Compare"):
        stage.page.get_by_role("button", name=name, exact=True).focus()
        stage.press("Enter")
        expect(stage.page.locator("[data-testid=stPopoverBody] :focus").first).to_be_attached()
        stage.press("Escape")
        expect(stage.page.get_by_role("button", name=name, exact=True)).to_be_focused()
    stage.page.locator(".stage .picture").focus()
    stage.press("a", "ArrowRight")
    where = stage.page.locator(".stage .cross-words")
    told = r"^x .+, y .+; predicted class \d; nearest point, class \d: x .+, y "
    expect(where).to_contain_text(re.compile(told))
    stage.press("Escape")
    expect(where).to_be_empty()
    stage.page.get_by_role("button", name="Load", exact=True).click()
    field = stage.page.get_by_role("textbox", name="or paste a table")
    field.fill("only,a,header")
    stage.page.get_by_role("button", name="Read the pasted table").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("only a header"))


def test_a_handle_says_what_is_predicted_at_its_place(stage):
    stage.open("k_means?n=30&k=2&query=-9,-9")
    stage.press("End")
    stage.settle()
    handle = stage.page.locator(".stage .handle.query")
    expect(handle).to_have_attribute(
        "aria-label", re.compile(r"^Picked point at x .+, nearest centre \d:")
    )
    (centre,) = re.findall(r"centre (\d) is the nearest", stage.caption.inner_text())
    expect(handle).to_have_attribute("aria-label", re.compile(f"nearest centre {centre}:"))
    expect(handle).to_have_accessible_description(re.compile(f"centre {centre} is the nearest"))


def test_a_key_that_is_held_down_recolours_a_picture_six_times_a_second_at_most(stage):
    stage.open("decision_tree?n=200&depth=8")
    stage.press("End")
    stage.settle()
    stage.press("Home")
    stage.settle()
    changes = stage.page.evaluate("""async () => {
        const times = [];
        const seen = new MutationObserver(() => times.push(performance.now()));
        seen.observe(document.querySelector(".stage .caption"), { childList: true });
        for (let i = 0; i < 60; i++) { // as a key repeats, back and forth
            const key = i % 20 < 10 ? "ArrowRight" : "ArrowLeft";
            const pressed = new KeyboardEvent("keydown", { key, repeat: true, bubbles: true });
            document.body.dispatchEvent(pressed);
            await new Promise((later) => setTimeout(later, 33));
        }
        return times;
    }""")
    assert len(changes) >= 4
    assert all(b - a > 900 for a, b in zip(changes, changes[6:], strict=False))


def test_words_have_room_if_their_letters_are_set_wider(stage):
    stage.open("active_learning?n=60")
    assert cut_words(stage.page) == []
    stage.page.add_style_tag(content=SPACED)
    until(stage.page, lambda: cut_words(stage.page) == [])
    assert in_the_way(stage.page) == []


@pytest.mark.parametrize("path", ["k_means?n=30&k=2", "", "course", "glossary"])
def test_the_focus_is_seen_everywhere_and_on_nothing_hidden(stage, path):
    stage.page.goto(f"{stage.address}/{path}")
    expect(stage.page.get_by_role("heading").first).to_be_visible()
    expect(stage.page.get_by_test_id("stSkeleton")).to_have_count(0)
    if path.startswith("k_means"):
        expect(stage.caption).not_to_be_empty()
    found = []
    while len(found) < 120:
        stage.press("Tab")
        found.append(stage.page.evaluate(FOCUS_IS_SEEN))
        if found[-1]["over"]:
            break
    assert len(found) > 20
    assert [each["name"] for each in found if not (each["seen"] or each["over"])] == []


@pytest.mark.long
@pytest.mark.parametrize("lab", ["wall", "clusterings"])
@pytest.mark.parametrize("size", [(320, 640), (1100, 768), (1280, 720)])
def test_the_names_of_small_pictures_are_apart_on_narrow_pages(stage, lab, size):
    stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.open(lab)
    stage.page.locator(".stage .beside .main-svg").first.scroll_into_view_if_needed()
    stage.settle()
    assert in_the_way(stage.page) == []
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= size[0]
