import re

from playwright.sync_api import expect


def test_switching_the_view_keeps_the_data(stage):
    stage.open("gaussian_discriminant?data=moons&n=60")
    stage.page.get_by_text("binned", exact=True).first.click()
    expect(stage.caption).to_contain_text("All features together make a border of steps")
    expect(stage.count).to_have_text("60 points")
    expect(stage.page).to_have_url(re.compile("view=binned"))
