"""The address is a link to what is seen; Share, presenter mode, parts that are hidden."""

import re

import pytest
from playwright.sync_api import expect

from pages._shared.lab.catalogue import LABS
from pages._shared.lab.hiding import PARTS
from tests.browser.conftest import Stage
from tests.browser.test_labs import problems, problems_in_both_themes
from tests.browser.texts import smaller_than

pytestmark = pytest.mark.thorough

# Here the one whose links name a mode that is not the first; all of them in the long walk.
EVERY_LAB = pytest.mark.parametrize(
    "lab",
    [lab if lab.name == "svm" else pytest.param(lab, marks=pytest.mark.long) for lab in LABS],
    ids=lambda lab: lab.name,
)

WORDS = """() => [...document.querySelectorAll(
    ".stage .caption, .stage .where, .stage .count, .xtick text, .ytick text, .on-paper")]
    .map((node) => node.textContent)"""
SAID = f"words => JSON.stringify(({WORDS})()) === JSON.stringify(words)"
# Where points and handles are, in pixels of axes that are 500 pixels long. Plotly leaves a margin
# that should change by a pixel or less, so the axes' own ends depend on what was shown before.
PLACES = """() => [...document.querySelectorAll(".stage-points path, .stage .handle:not(.pin)")]
    .filter((node) => node.checkVisibility()).flatMap((node) => {
        const plot = node.closest(".picture, .plot-box");
        const axes = (plot.querySelector(".nsewdrag") ?? plot).getBoundingClientRect();
        const { x, y, width, height } = node.getBoundingClientRect();
        return [(x + width / 2 - axes.x) / axes.width, (y + height / 2 - axes.y) / axes.height]
            .map((share) => 500 * share).concat(width);
    })"""
# The address is written when Python has answered, without the step, which is added then.
ANSWERED = """before => {
    const without = (url) => new URL(url).search.replace(/[?&]step=\\d+/, "");
    return without(location.href) !== without(before) && (
        location.href.includes("step=") || !before.includes("step="));
}"""
DRAWN = "async () => void (await chalkline.film.player.refresh())"  # plots come after the caption

# At first: samples that nobody paints, or curves alone.
WITHOUT_POINTS = {"estimating"}


def go_to_the_middle(stage: Stage) -> None:
    """Go to the middle step; some labs count their steps from 1."""
    scrub = stage.page.locator(".stage .scrub")
    last, counted = int(scrub.get_attribute("max")), int(stage.where.inner_text().split(" of ")[-1])
    step = (last + 1) // 2
    scrub.fill(str(step))
    expect(stage.where).to_have_text(re.compile(rf" {step + counted - last} of {counted}$"))
    stage.settle()
    expect(stage.page).to_have_url(re.compile(rf"[?&]step={step}\b" if step else ""))


@EVERY_LAB
def test_the_address_opened_again_shows_the_same(stage, lab):
    stage.open(lab.name)
    go_to_the_middle(stage)
    picked = stage.page.locator(".picture .handle.query").filter(visible=True).first
    if picked.count():
        picked.focus()
        for key in ("ArrowLeft", "ArrowUp"):
            before, place = stage.page.url, picked.bounding_box()
            stage.press(key)
            if picked.bounding_box() != place:  # some go along one axis
                stage.page.wait_for_function(ANSWERED, arg=before)
        expect(stage.page).to_have_url(re.compile(r"\d,-?\d|\d%2C-?\d"))
    if stage.page.locator(".stage .tools").is_visible():
        stage.press("+", "+")
        expect(stage.page).to_have_url(re.compile("zoom="))
    stage.settle()
    stage.page.evaluate("document.activeElement.blur(), document.body.click()")
    stage.page.evaluate(DRAWN)
    words, places = stage.page.evaluate(WORDS), stage.page.evaluate(PLACES)
    assert bool(places) != (lab.name in WITHOUT_POINTS)
    stage.page.goto(stage.page.url)
    stage.page.wait_for_function(SAID, arg=words)
    stage.page.evaluate(DRAWN)
    assert stage.page.evaluate(PLACES) == pytest.approx(places, abs=0.6)
    expect(stage.page.get_by_test_id("stAlert")).to_have_count(0)


def test_a_run_that_shows_little_at_first_opens_later(stage):
    stage.open("random_forest")
    expect(stage.where).to_have_text("tree 16 of 30")
    expect(stage.page).to_have_url(re.compile(r"\?step=15$"))
    stage.press("Home")
    expect(stage.page).to_have_url(re.compile(r"\?step=0$"))
    stage.page.reload()
    expect(stage.where).to_have_text("tree 1 of 30")
    stage.open("random_forest?trees=20")
    expect(stage.where).to_have_text("tree 1 of 20")


def test_the_address_follows_and_nothing_runs_again_for_it(stage):
    stage.open("k_means?k=5")
    entries = stage.page.evaluate("history.length")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.page).to_have_url(re.compile(r"\?k=5&step=2$"))
    stage.press("Home")
    expect(stage.page).to_have_url(re.compile(r"\?k=5&step=0$"))  # without it the run opens later
    stage.press(" ")
    expect(stage.page).to_have_url(re.compile(r"step=[3-9]"))
    stage.press(" ", "End")
    last = stage.where.inner_text().split(" of ")[1]
    expect(stage.page).to_have_url(re.compile(rf"step={last}$"))
    assert stage.page.evaluate("history.length") == entries, "no step is a page to go back to"
    assert stage.page.evaluate("window.chalkline && true")
    stage.page.get_by_role("spinbutton", name="Seed").fill("3")
    stage.press("Enter")
    expect(stage.page).to_have_url(re.compile(r"k=5&seed=3&step=\d+$"))
    stage.page.get_by_role("link", name="Gallery").click()
    expect(stage.page.get_by_role("heading", name="Chalkline")).to_be_visible()
    assert "step" not in stage.page.url


def test_share_gives_a_link_that_the_class_can_open(stage):
    stage.open("k_means?k=5")
    stage.press("ArrowRight", "ArrowRight")
    stage.page.get_by_role("button", name="Share", exact=True).click()
    link = stage.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile(r"^http://[^/]+/k_means\?k=5&step=2$"))
    if "127.0.0.1" not in link.input_value():  # this machine is in a network
        expect(stage.page.locator(".share")).to_contain_text("You have opened 127.0.0.1")
    stage.page.get_by_role("button", name="caption").click()
    expect(link).to_have_value(re.compile(r"step=2&hide=caption$"))
    stage.page.get_by_role("button", name="Copy", exact=True).click()
    expect(stage.page.locator(".share [role=status]")).to_have_text("Copied.")
    small, large = stage.page.locator(".share-code svg").all()
    expect(small).to_be_visible()
    expect(large).to_be_hidden()
    stage.page.get_by_role("button", name="QR code").click()
    box = large.bounding_box()
    assert box and min(box["width"], box["height"]) > 0.9 * 768
    stage.press("Escape")
    expect(large).to_be_hidden()
    assert problems_in_both_themes(stage.page) == []


PRESENTED = """() => {
    const size = (part) => parseFloat(getComputedStyle(document.querySelector(part)).fontSize);
    const picture = document.querySelector(".stage .picture").getBoundingClientRect();
    const ring = document.querySelector(".pointer-ring:not([hidden])")?.getBoundingClientRect();
    return { type: size(".stage"), axis: size(".stage .picture .xtick text"),
        step: size(".stage .where"), height: picture.height,
        ring: ring && [ring.x + ring.width / 2, ring.y + ring.height / 2] };
}"""


def test_presenter_mode_is_larger_alone_and_by_keys(stage):
    stage.open("k_means?k=5")
    before = stage.page.evaluate(PRESENTED)
    stage.press("p")
    stage.page.wait_for_function(
        "least => document.querySelector('.stage .picture').clientHeight > least",
        arg=0.88 * 768,
    )
    stage.page.mouse.move(300, 200)
    now = stage.page.evaluate(PRESENTED)
    assert now["type"] >= 1.5 * before["type"]  # the stage is wider now, too
    assert now["axis"] >= 1.45 * before["axis"]
    assert smaller_than(stage.page, 22) == []
    assert now["step"] >= 1.5 * before["step"]
    assert now["ring"] == pytest.approx([300, 200])
    stage.page.wait_for_function("document.fullscreenElement === document.documentElement")
    expect(stage.page.locator("[data-testid=stHeader], .lab-title h1").first).to_be_hidden()
    expect(stage.page.locator(".stage .tools")).to_be_hidden()
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    expect(stage.page).to_have_url(re.compile(r"k=5&step=1&present=1$"))
    assert problems_in_both_themes(stage.page) == []
    slider = stage.page.get_by_role("slider", name="Clusters k")
    expect(slider).to_be_hidden()
    stage.press("c")
    expect(slider).to_be_visible()
    expect(stage.page.locator(".stage .tools")).to_be_visible()
    slider.focus()
    stage.press("ArrowRight")
    expect(stage.page).to_have_url(re.compile(r"k=6.*present=1"))
    stage.press("Escape")
    expect(stage.page.locator(".lab-title h1")).to_be_visible()
    expect(stage.page.locator(".pointer-ring")).to_have_count(0)
    stage.page.wait_for_function("!document.fullscreenElement")
    expect(stage.page).to_have_url(re.compile(r"k=6&step=1$"))


@pytest.mark.viewport(390, 844)
def test_a_link_presents_on_a_phone_too(stage):
    stage.open("decision_tree?present=1&step=2")
    expect(stage.page.locator(".lab-title h1")).to_be_hidden()
    expect(stage.where).to_contain_text("split 2 of")
    for part in (".picture", ".player", ".caption", ".beside"):
        box = stage.page.locator(f".stage {part}").bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 391
    expect(stage.caption).to_be_in_viewport(ratio=0.5)
    stage.page.get_by_role("button", name="Presenter mode").click()
    expect(stage.page.locator(".lab-title h1")).to_be_visible()


def test_what_a_link_hides_is_there_for_ears_and_for_the_keyboard(stage):
    stage.open(f"k_means?k=5&step=2&hide={','.join(PARTS)}")
    tree = stage.page.locator("body").aria_snapshot()
    for word in ("Clusters k", "Clusters k: 5", "step 2 of", 'button "Play"', 'button "Data"'):
        assert word in tree, word
    assert stage.caption.inner_text().splitlines()[0] in tree
    for part in (".tools", ".player", ".words"):
        box = stage.page.locator(f".stage {part}").bounding_box()
        assert box and max(box["width"], box["height"]) <= 4, part
    play = stage.page.get_by_role("button", name="Play")
    play.focus()
    box = play.bounding_box()
    assert box and box["width"] > 60, "what has the focus is in sight"
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 3 of")
    assert problems(stage.page) == []


def test_the_step_can_be_large(stage):
    stage.open("k_means")
    size = "parseFloat(getComputedStyle(document.querySelector('.stage .where')).fontSize)"
    before = stage.page.evaluate(size)
    stage.press("?")
    stage.page.get_by_label("Large step number").check()
    stage.press("Escape")
    assert stage.page.evaluate(size) > 1.5 * before
    stage.press("n")
    expect(stage.notice).to_have_text("Large step number: off.")
    assert stage.page.evaluate(size) == before
