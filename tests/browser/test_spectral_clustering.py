from playwright.sync_api import expect

ACROSS = "document.querySelector('.beside .js-plotly-plot')._fullLayout.xaxis.range.join()"


def test_the_graph_its_eigenvectors_and_k_means(stage):
    stage.open(
        "spectral_clustering?data=moons&n=60&noise=0.1&width=5&layers=where+an+edge+weighs+one+half"
    )
    expect(stage.caption).to_contain_text("Near points are tied by heavy edges")
    circle = stage.page.locator(".stage .picture .scatterlayer path.js-line").first
    before = circle.get_attribute("d")
    stage.press("]")
    expect(stage.caption).to_contain_text("In the end the numbers are those of 2 eigenvectors")
    expect(stage.page.locator(".stage .beside .stage-points path")).to_have_count(60)
    stage.press("End")
    expect(stage.caption).to_contain_text("converged")
    assert len(set(stage.fills())) == 2
    stage.page.get_by_role("slider", name="Width σ").focus()
    stage.press("ArrowRight", "ArrowRight")
    expect(circle).not_to_have_attribute("d", before)
    expect(stage.caption).to_contain_text("k-means on the map")
    # A circle that has been small in another window is as large as before in this one.
    window, seen = stage.page.viewport_size, stage.page.evaluate(ACROSS)
    stage.page.set_viewport_size({"width": 1024, "height": 768})
    stage.page.wait_for_function(f"{ACROSS} !== '{seen}'")
    stage.page.set_viewport_size(window)
    stage.page.wait_for_function(f"{ACROSS} === '{seen}'")
