from playwright.sync_api import expect


def test_the_curve_is_read_off_where_the_ring_is_dragged_and_two_features_make_a_surface(stage):
    stage.open("gradient_boosting?rounds=20&seed=0")
    curve = stage.page.locator(".stage .picture .scatterlayer .js-line").nth(1)
    expect(stage.caption).to_contain_text("Picked x = 1.38: F₀ = 0.195.")
    stage.drag((0.7, 0.04), (0.3, 0.04))
    expect(stage.caption).to_contain_text("Picked x = −1.")
    flat = curve.get_attribute("d")
    stage.press("End")
    expect(stage.caption).to_contain_text("A tree with 4 leaves fits 71 residuals.")
    expect(curve).not_to_have_attribute("d", flat)
    stage.page.get_by_role("slider", name="Depth of the trees").focus()
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("and was 0.185 in round 17.")
    stage.page.get_by_role("radio", name="two features").click()
    expect(stage.caption).to_contain_text("Picked point (37.5, 14.9): ")
    before = stage.caption.inner_text()
    stage.settle()
    expect(stage.page.locator(".stage .picture .imagelayer image")).to_have_count(1)
    assert len(set(stage.fills())) == 2, "above the surface, and below it"
    stage.drag((0.27, 0.25), (0.8, 0.2))
    expect(stage.caption).not_to_have_text(before)
