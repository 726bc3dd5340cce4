"""Ask the room: a teacher's page and three phones, one of them without a network for a while."""

import re

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Stage
from tests.browser.test_labs import problems, problems_in_both_themes


def join(chromium: Browser, address: str) -> Page:
    """Open a phone's page as its camera does."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#said")).to_contain_text("You are in")
    return page


def follow_along(stage: Stage, chromium: Browser, address: str) -> None:
    """A laptop follows the wall from lab to lab, lets go, and comes back."""
    do(stage, "Follow me")
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    joined = context.new_page()
    joined.goto(address)
    with context.expect_page() as opened:
        joined.get_by_role("link", name="Follow on this computer").click()
    laptop = Stage(opened.value, stage.address)
    bar = laptop.page.locator(".stage .follow")
    expect(bar).to_contain_text("Following room")
    expect(laptop.where).to_have_text(re.compile("step 0 of"))
    laptop.page.evaluate("window.here = true")  # as long as no page is loaded again
    stage.press("End")
    last = re.compile(rf"step {stage.where.inner_text().split()[-1]} of")
    expect(laptop.where).to_have_text(last)
    stage.page.get_by_role("slider", name="Clusters k").press("ArrowRight")
    expect(laptop.page.get_by_role("slider", name="Clusters k")).to_have_value("4")
    stage.tool("Point")
    stage.click(0.5, 0.9)
    expect(laptop.count).to_have_text("201 points")
    assert laptop.page.evaluate("window.here")
    assert problems_in_both_themes(laptop.page) == []
    bar.get_by_role("button", name="Let go").press("Enter")
    stage.open("dbscan?step=2")
    expect(stage.page.locator(".room-do")).to_contain_text("Ask the room")
    laptop.page.reload()
    expect(bar).to_contain_text("You have let go")
    expect(laptop.page).to_have_url(re.compile("k_means"))
    bar.get_by_role("button", name="Follow again").press("Enter")
    expect(laptop.page).to_have_url(re.compile(r"dbscan\?step=2"))
    expect(laptop.where).to_have_text(re.compile("visit 3 of"))
    do(stage, "Follow me")
    expect(bar).to_contain_text("leads nobody now")
    context.close()


def draw_together(stage: Stage, phones: list[Page]) -> None:
    """Three phones draw a line; the wall shows nothing else until the algorithm's is revealed."""
    stage.open("linear_regression?n=60")
    lines = stage.page.locator(".stage .drawings g")
    do(stage, "Draw with the room")
    for phone in phones:
        expect(phone.locator("#question")).to_contain_text("least mean squared error")
        expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 720)
        expect(phone.locator(".grip")).to_have_count(2)
    assert problems(phones[0], fewest=8) == []
    expect(stage.page.locator(".stage .beside")).not_to_be_visible()
    expect(stage.page.locator(".stage .picture .scatterlayer .js-line")).to_have_count(0)
    phones[0].locator(".grip").first.focus()
    phones[0].keyboard.press("Shift+ArrowDown")
    expect(phones[0].locator(".values")).to_have_text(re.compile("^Left handle: −2.1"))
    for phone, by in zip(phones[1:], (60, -40), strict=True):
        box = phone.locator(".grip").last.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.mouse.move(x, y)
        phone.mouse.down()
        phone.mouse.move(x, y + by)
        phone.mouse.up()
    room = stage.page.locator(".room-said")
    expect(room).to_contain_text("3 of 3 phones drew")
    do(stage, "Close drawing")
    expect(room).to_contain_text("closed")
    expect(lines).to_have_count(0)
    do(stage, "Show the drawings")
    result = stage.page.locator(".room-result")
    expect(result).to_contain_text("3 drawings. Mean squared error: thick: the best of the room")
    expect(result).not_to_contain_text("algorithm")
    expect(lines).to_have_count(3 + 2)
    stage.page.reload()
    expect(lines).to_have_count(3 + 2)
    do(stage, "Show the algorithm's")
    expect(result).to_contain_text("dotted: the algorithm's, 0.254.")
    expect(lines).to_have_count(3 + 3)
    for phone in phones:
        expect(phone.locator("#said")).to_contain_text("The algorithm's, dotted: 0.254.")
        expect(phone.locator("#area .best path")).to_have_count(1)
    assert problems_in_both_themes(stage.page) == []
    do(stage, "Show the score")
    expect(lines).to_have_count(0)
    expect(stage.page.locator(".stage .beside")).to_be_visible()


def vote_as_a_class(stage: Stage, phones: list[Page]) -> None:
    """Three phones place a stump each, by keys and by thumb; two simulated voters fill up."""
    stage.open("ada_boost?view=the%20class%20votes")
    do(stage, "Draw with the room")
    for phone in phones:
        expect(phone.locator("#question")).to_contain_text("Place one stump")
        expect(phone.locator(".grip")).to_have_count(2)
    cut, side = (phones[0].locator(".grip").nth(i) for i in (0, 1))
    side.focus()
    phones[0].keyboard.press("ArrowDown")
    expect(phones[0].locator(".values")).to_have_text("Side of “2”: below")
    cut.focus()
    phones[0].keyboard.press("Shift+ArrowDown")
    expect(phones[0].locator(".values")).to_have_text(re.compile("^Cut: level, at −0"))
    expect(side).to_have_attribute("aria-label", "Side of “2”: below")
    assert problems(phones[0], fewest=8) == []
    for phone, to in zip(phones[1:], (0.3, 0.8), strict=True):  # a tap far from the handles
        box = phone.locator("#area").bounding_box()
        assert box
        phone.mouse.click(box["x"] + to * box["width"], box["y"] + 0.1 * box["height"])
        expect(phone.locator(".values")).to_have_text(re.compile("^Cut: upright, at"))
    expect(stage.page.locator(".room-said")).to_contain_text("3 of 3 phones drew")
    do(stage, "Show the algorithm's")
    result = stage.page.locator(".room-result")
    expect(result).to_contain_text("3 drawings. Training points wrong: thick: the best of the room")
    for phone in phones:
        expect(phone.locator("#said")).to_contain_text("The algorithm's, dotted")
    do(stage, "Let the class vote")
    expect(stage.where).to_contain_text("voter 1 of 5")
    words = stage.page.locator(".stage .words")
    expect(words).to_contain_text("2 simulated voters fill up to five.")
    expect(words).to_contain_text("(of the class)")
    expect(stage.page.locator(".room-said")).to_contain_text("3 phones here")
    expect(phones[0].locator("#said")).to_contain_text("You are in")
    stage.press("End")
    expect(words).to_contain_text("Voter 5 of 5 (simulated)")
    expect(stage.page).to_have_url(re.compile(r"step=4$"))
    assert len(re.findall("stumps=[^&]+", stage.page.url)) == 1
    said = words.inner_text().split("\n")[0]
    alone = stage.page.context.new_page()  # the run opens again without the room
    alone.goto(stage.page.url)
    expect(alone.locator(".stage .words")).to_contain_text(said)
    expect(alone.locator(".room-said")).to_be_hidden()
    alone.close()
    assert problems_in_both_themes(stage.page) == []


def do(stage: Stage, name: str) -> None:
    stage.page.locator(".room").get_by_role("button", name=name).click()


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_class_predicts_discusses_votes_again_and_the_run_is_the_judge(stage, chromium, server):
    stage.open("k_means?k=3&seed=0")
    stage.press("g")
    room = stage.page.locator(".room-said")
    expect(room).to_contain_text("0 phones here")
    code = stage.page.locator(".room-code").inner_text()
    assert problems_in_both_themes(stage.page) == []
    phones = [join(chromium, f"{server}/room/{code}") for _ in range(3)]
    expect(room).to_contain_text("3 phones here")

    do(stage, "Ask the room")
    expect(stage.page.locator(".room-card")).to_be_hidden()
    for phone in phones:
        expect(phone.locator("#question")).to_have_text("Move: where does centre 1 go?")
        expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 720)
        expect(phone.locator(".choice")).to_have_count(5)
    assert problems(phones[0], fewest=10) == []
    phones[0].locator(".choice").nth(0).click()
    phones[1].get_by_role("radio").nth(1).focus()
    phones[1].keyboard.press("Space")
    expect(room).to_contain_text("2 of 3 phones answered")
    lost = phones[2]
    lost.context.set_offline(True)
    expect(lost.locator("#said")).to_contain_text("No connection")
    lost.locator(".choice").nth(3).click()
    expect(lost.locator("#said")).to_contain_text("Your answer is sent as soon as it is back")
    expect(room).to_contain_text("2 of 2 phones answered")
    stage.press("a")  # the teacher's own keys do not answer for the room
    expect(stage.where).to_contain_text("step 0 of")
    lost.wait_for_timeout(10_000)
    lost.context.set_offline(False)
    expect(room).to_contain_text("3 of 3 phones answered")
    expect(lost.locator("#said")).to_contain_text("Your answer: D")

    do(stage, "Close the vote")
    expect(room).to_contain_text("Find someone who chose differently")
    expect(stage.page.locator(".room .bars")).to_have_count(0)  # no tally on the wall
    expect(phones[0].locator("#said")).to_contain_text("Find someone who chose differently")
    expect(phones[0].get_by_role("radio").first).to_be_disabled()
    stage.page.reload()  # the room is kept, with its phase
    expect(room).to_contain_text("closed, 3 of 3 phones answered")
    phones[0].reload()
    expect(phones[0].locator("#said")).to_contain_text("Your answer: A")
    do(stage, "Vote again")
    for phone in phones:
        expect(phone.locator("#said")).to_contain_text("Vote again. Your first answer")
        phone.locator(".choice").nth(3).click()
    expect(room).to_contain_text("3 of 3 phones answered")
    do(stage, "Show the answer")
    expect(stage.where).to_contain_text("step 1 of")
    expect(stage.page.locator(".quiz .asked")).to_have_text(re.compile(r"^It was D, .*mean"))
    expect(stage.page.locator(".room .changes")).to_contain_text("From wrong to right: 2.")
    expect(phones[0].locator("#said")).to_have_text(re.compile(r"^✓ Right: \(1\.259"))
    expect(phones[0].locator("#score")).to_have_text("You were right in 1 of 1.")
    assert problems_in_both_themes(stage.page) == []

    stage.page.get_by_label("Questions", exact=True).select_option("3")
    do(stage, "Next question")  # and two more by themselves
    expect(room).to_contain_text("question 1 of 3")
    expect(phones[0].locator("#question")).to_contain_text("Assign")
    do(stage, "Show the answer")
    expect(stage.page.locator(".room-do button").first).to_have_text("Question 2 of 3 (Space)")
    expect(stage.page.locator(".room").get_by_label("Questions")).to_be_hidden()
    stage.press("Space")
    expect(room).to_contain_text("question 2 of 3")
    expect(phones[0].locator("#question")).to_contain_text("Move")
    do(stage, "Show the answer")
    expect(stage.page.locator(".room-do button").first).to_have_text("Question 3 of 3 (Space)")
    expect(stage.page.locator(".room ol")).to_have_count(0)
    stage.page.wait_for_url(re.compile("step=3"))
    stage.page.reload()
    do(stage, "Question 3 of 3")
    expect(phones[0].locator("#question")).to_contain_text("Assign")
    do(stage, "Show the answer")
    expect(stage.page.locator(".room ol li")).to_have_count(3)  # the score comes by itself
    do(stage, "Show the score")
    expect(stage.page.locator(".room ol li")).to_have_count(4)
    with stage.page.expect_download() as download:
        do(stage, "Save the counts")
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 5 + 2 + 3 + 3 and lines[4].endswith("yes,1,3")
    with stage.page.expect_download() as download:
        do(stage, "Save the score")
    with Image.open(download.value.path()) as image:
        assert image.size == (1280, 90 + 4 * 78 + 20)
    stage.open("k_means?k=3&seed=0")
    follow_along(stage, chromium, f"{server}/room/{code}")
    draw_together(stage, phones)
    vote_as_a_class(stage, phones)
    do(stage, "End the room")
    expect(stage.page.locator(".room")).to_be_hidden()
    for phone in phones:
        phone.context.close()
