"""What a newcomer meets: a lab that plays by itself, cards, jumps to lesson and picture."""

import re

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.thorough

PLACE = re.compile(r"step (\d+) of (\d+)")


def test_the_first_visit_plays_once_and_names_what_is_new(chromium: Browser, server: str) -> None:
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.goto(f"{server}/k_means")
    card, where = page.locator(".callout"), page.locator(".stage .where")
    expect(card).to_contain_text("Picked point")
    found = PLACE.search(where.inner_text())
    assert found and found[1] != "0", "it has played"
    for words in ("Every step can be reached", "Try this"):
        card.get_by_role("button", name="Next").click()
        expect(card).to_contain_text(words)
    card.get_by_role("button", name="Got it").click()
    expect(card).to_have_count(0)

    page.get_by_role("navigation", name="Lesson").get_by_role("link", name="Try this").click()
    expect(page.get_by_role("tab", name="Try this")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Try this")).to_be_in_viewport()

    page.reload()
    expect(where).to_contain_text("step")
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="Skip to the picture")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".stage .picture")).to_be_focused()
    expect(card).to_have_count(0)  # they have been read
    assert thrown == []
    context.close()


def test_with_reduced_motion_there_are_cards_and_nothing_plays(
    chromium: Browser, server: str
) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server}/k_means?step=3")
    expect(page.locator(".stage .where")).to_contain_text("step 3")
    page.goto(f"{server}/k_means")
    expect(page.locator(".callout")).to_be_visible()
    expect(page.locator(".stage .where")).to_contain_text("step 2 of")
    page.keyboard.press("Escape")
    expect(page.locator(".callout")).to_have_count(0)
    context.close()
