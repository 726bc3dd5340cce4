from playwright.sync_api import expect


def test_means_are_placed_and_few_points_are_pies(stage):
    link = "gaussian_mixture?data=blobs&classes=2&n=40&k=2&init=placed by hand&centers=-1,0;1,0"
    stage.open(link)
    expect(stage.points).to_have_count(40)
    slices = stage.page.locator(".stage-pies path")
    expect(slices.first).to_be_attached()
    assert slices.count() % 2 == 0
    handles = stage.page.locator(".handle:not(.query)")
    expect(handles).to_have_count(2)
    before = stage.caption.inner_text()
    stage.drag_handle(handles.first, 0.9, 0.1)
    expect(stage.caption).not_to_have_text(before)
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    expect(slices).to_have_count(0)
    assert len(set(stage.fills())) >= 2
    stage.open("gaussian_mixture?data=blobs&n=130")
    expect(stage.points).to_have_count(130)
    expect(slices).to_have_count(0)


def test_classes_are_shapes_and_painted_in_one_mode_only(stage):
    stage.open("gaussian_mixture?view=place+and+class&data=parallel&noise=0.6&k=2&n=60")
    expect(stage.points).to_have_count(60)
    expect(stage.page.locator(".classes [role=radio]").first).to_be_visible()
    shapes = stage.points.evaluate_all("all => new Set(all.map((p) => p.getAttribute('d'))).size")
    assert shapes == 2
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    before = stage.caption.inner_text()
    stage.tool("Relabel")
    stage.press("2")
    stage.drag((0.1, 0.5), (0.5, 0.5), (0.9, 0.5))
    expect(stage.caption).not_to_have_text(before)
    stage.page.get_by_role("radio", name="mixture", exact=True).click()
    expect(stage.page.locator(".classes [role=radio]")).to_have_count(0)
