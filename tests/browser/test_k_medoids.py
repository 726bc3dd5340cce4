import re

from playwright.sync_api import expect


def test_medoids_are_chosen_swapped_and_tried(stage):
    stage.open("k_medoids?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5")
    expect(stage.caption).to_contain_text("Start: 4 medoids (random)")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("the cost falls by 122, to 85.8")
    expect(stage.page.locator(".stage .stage-edges *")).not_to_have_count(0)
    before = stage.caption.inner_text()
    ring = stage.page.locator(".handle.query")
    ring.focus()
    stage.press(*["ArrowRight"] * 8)
    expect(stage.caption).not_to_have_text(before)
    expect(stage.caption).to_contain_text("Picked point: its best swap, as medoid ")
    stage.page.locator(".picture").focus()
    stage.press("End")
    expect(stage.caption).to_contain_text(re.compile(r"The cost is 74\.7\d? after"))
    stage.page.get_by_text("BUILD", exact=True).first.click()
    expect(stage.caption).to_contain_text("No swap lowers the cost")
    stage.press("Home")
    expect(stage.caption).to_contain_text("Medoid 1 is the point")
    stage.page.get_by_role("radio", name="CLARA", exact=True).click()
    expect(stage.caption).to_contain_text("Sample 1 of 5: from 20 points")


def test_a_changed_cell_moves_a_row_to_another_cluster(stage):
    stage.open("k_medoids?view=k-modes&row=penguin&column=food")
    stage.press("End")
    expect(stage.caption).to_contain_text("converged, at a cost of 14")
    stage.choose("Food of penguin", "both")
    expect(stage.caption).to_contain_text("converged, at a cost of 13")
    expect(stage.page).to_have_url(re.compile(r"penguin\.food=both"))
    stage.choose("Picked row", "fox")
    expect(stage.caption).to_contain_text("Picked row, fox")
    expect(stage.caption).to_contain_text("converged, at a cost of 13")
