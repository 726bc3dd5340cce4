"""The course page: weeks to jump to, and a run of show on two sheets."""

import re

import pytest
from playwright.sync_api import expect

from pages._shared.lab.course import weeks
from pages._shared.site.run_of_show import planned
from tests.browser.test_labs import problems_in_both_themes


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
