import re

from playwright.sync_api import expect


def test_the_wall_of_clusterings(stage):
    stage.open("clusterings?n=60&noise=0.1")
    first = re.compile(r"k-means finds 2 clusters; \d+ of 60 points are not with their class")
    expect(stage.caption).to_contain_text(first)
    stage.press("End")
    expect(stage.caption).to_contain_text("DBSCAN finds ")
    before = stage.caption.inner_text()
    stage.page.get_by_role("slider", name="DBSCAN: ε").focus()
    stage.press(*["ArrowRight"] * 8)
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("DBSCAN finds ")
    link = stage.page.get_by_role("link", name="complete, average, single")
    expect(link).to_have_attribute("href", "hierarchical_clustering")
