from playwright.sync_api import expect


def test_the_start_is_dragged_and_the_race_begins_there(stage):
    stage.open("descent?surface=Himmelblau&eta=0.01&eta2=0.1")
    expect(stage.caption).to_contain_text("Start: all rules are at (0, 0), where f = 170.")
    ring = stage.page.get_by_role("slider", name="Start").or_(
        stage.page.locator(".stage .handle.query")
    )
    expect(ring.first).to_be_visible()
    stage.drag((0.5, 0.5), (0.24, 0.24))
    expect(stage.caption).to_contain_text("Start: all rules are at (−3")
    stage.press("End")
    expect(stage.caption).to_contain_text("gradient is at the bottom")
    expect(stage.page.locator(".stage .picture .scatterlayer .trace")).not_to_have_count(0)
    for name in ("Brush", "Data", "Load"):  # it has no use for data
        expect(stage.page.get_by_role("button", name=name, exact=True)).to_be_hidden()
