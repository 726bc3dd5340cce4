"""The course page: weeks to jump to, a run of show on two sheets, and a lecture of one's own."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pages._shared.lab.course import weeks
from pages._shared.site.run_of_show import planned
from tests.browser.test_labs import problems_in_both_themes

pytestmark = pytest.mark.thorough


@pytest.mark.viewport(1366, 768)
def test_a_run_of_show_is_printed_on_two_sheets_and_leads_to_its_situations(stage):
    page = stage.page
    page.goto(f"{stage.address}/course")
    week = max(weeks(), key=lambda week: len(week.situations))
    name = f"Week {week.number}: {week.title}"
    page.get_by_role("navigation", name="Weeks").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name)).to_be_in_viewport()
    page.get_by_role("link", name=re.compile("^Run of show")).nth(week.number - 1).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    slots = planned(week)
    expect(page.get_by_role("img", name=re.compile("^QR code"))).to_have_count(len(slots))
    assert problems_in_both_themes(page) == []
    sheets = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", sheets)) == 2
    experiment = slots[1].situation.experiment
    page.get_by_role("link", name=experiment.title).click()
    asked = page.get_by_role("group", name="Situation")
    expect(asked).to_contain_text(experiment.question)
    place = f"Week {week.number}: {slots[1].at + 1} of {len(week.situations)}"
    expect(asked).to_contain_text(place)


def collect(page, title, question, answer):
    """Add what a lab shows to my lecture."""
    page.get_by_role("button", name="Share").click()
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_label("Answer (if there is one)").fill(answer)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Added as situation")).to_be_visible()


def test_a_lecture_of_ones_own_is_collected_given_away_and_presented(stage):
    page = stage.page
    stage.open("k_means?k=5&n=40&step=2")
    collect(page, "Five", "Which <b>centre</b> moves?", "Centre 2.")
    page.keyboard.press("Escape")
    stage.menu("Clustering", "DBSCAN")
    collect(page, "Balls", "How much is noise?", "")
    page.get_by_role("link", name="My lecture: 2 situations").click()
    expect(page.get_by_role("heading", name="My lecture")).to_be_visible()
    page.get_by_role("button", name="Down").first.click()
    first = page.get_by_role("link", name=re.compile("^1. Balls"))
    expect(first).to_be_visible()
    assert problems_in_both_themes(page) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    raw = Path(saved.value.path()).read_bytes()
    page.get_by_role("button", name="Remove").first.click()
    expect(first).to_have_count(0)
    file = {"name": "lecture.json", "mimeType": "application/json", "buffer": raw}
    page.locator("input[type=file]").set_input_files(file)
    first.click()
    asked = page.get_by_role("group", name="Situation")
    expect(asked).to_contain_text("My lecture: 1 of 2")
    expect(stage.caption).not_to_be_empty()
    stage.press("p", ".")
    expect(asked).to_contain_text("Which <b>centre</b> moves?")
    expect(stage.where).to_contain_text("step 2 of")
    expect(page.locator("html[data-present]")).to_have_count(1)
    stage.press("t")
    expect(asked.get_by_role("status")).to_have_text("Centre 2.")
