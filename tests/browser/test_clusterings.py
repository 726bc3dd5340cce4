from playwright.sync_api import expect


def test_the_wall_of_clusterings(stage):
    stage.open("clusterings?n=60&noise=0.1")
    expect(stage.caption).to_contain_text("are not with their class")
    stage.press("End")
    expect(stage.caption).to_contain_text("DBSCAN finds ")
    before = stage.caption.inner_text()
    stage.page.get_by_role("slider", name="DBSCAN: ε").focus()
    stage.press(*["ArrowRight"] * 8)
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("DBSCAN finds ")
    link = stage.page.get_by_role("link", name="complete, average, single")
    expect(link).to_have_attribute("href", "hierarchical_clustering")
