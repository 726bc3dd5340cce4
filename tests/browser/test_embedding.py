"""A lab in a frame of slides or of a course, which are of another origin."""

import html
import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from pages._shared.lab.share import frame
from tests.browser.conftest import Stage, until

DECK = "http://deck.example/"
NOTES = """<script>
  const keys = [], told = [];
  addEventListener("keydown", ({ key }) => keys.push(key));
  addEventListener("message", ({ data }) => data.chalkline && told.push(data.chalkline));
</script>"""
OVERLAPS = """() => {
  const [picture, player, words] = [".picture", ".player", ".words"].map((part) =>
    document.querySelector(`.stage ${part}`).getBoundingClientRect());
  const inside = [picture, player, words].every(
    ({ right, bottom }) => right <= innerWidth && bottom <= innerHeight);
  return { inside, above: picture.bottom <= player.top, oneLine: player.height < 60 };
}"""


@pytest.fixture
def deck(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1300, "height": 760}, reduced_motion="reduce")
    yield page
    page.close()


def put(page: Page, snippet: str) -> None:
    body = f"<!doctype html>{NOTES}<body style='margin: 0'>{snippet}"
    page.route(DECK, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(DECK)


def test_the_stage_is_alone_in_a_frame_and_gives_the_keys_back(stage: Stage, deck: Page) -> None:
    snippet = frame(f"{stage.address}/decision_tree?quiz=1&quiz_seed=1", "dark_theme")
    assert html.unescape(snippet).count("quiz_seed=1&embed=true") == 1
    put(deck, snippet.replace('"960" height="540"', '"800" height="450"'))
    framed = deck.frame_locator("iframe")
    expect(framed.locator(".quiz .options button").first).to_be_visible()
    (inner,) = deck.frames[1:]
    assert inner.evaluate("document.querySelector('.stage').dataset.theme") == "dark"
    until(deck, lambda: all(inner.evaluate(OVERLAPS).values()))
    for hidden in framed.locator(".stage .beside, .stage [data-do=present]").all():
        expect(hidden).to_be_hidden()

    framed.locator(".quiz .options button").first.click()
    framed.locator(".go-on").click()
    expect(framed.locator(".quiz .asked")).to_have_text(re.compile(r"^The quiz is over"))
    told = partial(deck.evaluate, "told")
    until(deck, lambda: len(told()) == 1)
    assert {"score", "questions", "seed", "code", "link"} <= told()[0].keys()

    deck.keyboard.press("Escape")
    deck.keyboard.press("p")
    assert inner.evaluate("document.documentElement.dataset.present") == "folded"
    assert deck.evaluate("keys") == []
    deck.keyboard.press("Shift+Escape")
    until(deck, lambda: len(told()) == 2)
    assert told()[1] == {"keys": "back"}
    deck.keyboard.press("ArrowRight")
    assert deck.evaluate("keys") == ["ArrowRight"]
