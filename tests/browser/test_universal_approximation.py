from playwright.sync_api import expect


def test_more_bumps_come_nearer_and_the_sum_is_read_off_at_the_ring(stage):
    stage.open("universal_approximation?bumps=4")
    expect(stage.caption).to_contain_text("Start: no hidden unit yet")
    stage.press("End")
    expect(stage.caption).to_contain_text("All bumps stand")
    expect(stage.caption).to_contain_text("8 hidden units")
    expect(stage.caption).to_contain_text("Picked x = 1.11:")
    stage.settle()
    lines = stage.page.locator(".stage .picture .scatterlayer .js-line")
    before = lines.evaluate_all("nodes => nodes.map((node) => node.getAttribute('d')).join()")
    stage.drag((0.7, 0.04), (0.3, 0.04))
    expect(stage.caption).to_contain_text("Picked x = −1.")
    stage.page.get_by_role("slider", name="Bumps").focus()
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("All bumps stand")
    expect(stage.caption).to_contain_text("10 hidden units")
    expect(stage.caption).to_contain_text("Picked x = −1.")
    stage.settle()
    after = lines.evaluate_all("nodes => nodes.map((node) => node.getAttribute('d')).join()")
    assert after != before
