import re

import numpy as np
from playwright.sync_api import expect


def inertia(stage) -> float:
    return float(re.search(r"centres, is ([\d.]+)\.", stage.caption.inner_text())[1])


def test_thirty_points_painted_with_a_brush_are_counted_and_clustered(stage):
    stage.open("k_means?k=2")
    stage.clear()
    expect(stage.count).to_have_text("0 points")
    expect(stage.caption).to_contain_text("no points yet")
    stage.tool("Brush")
    for v in (0.2, 0.8):
        while stage.points.count() < (15 if v == 0.2 else 30):
            start = stage.points.count()
            x, y = stage.place(0.3, v)
            stage.page.mouse.move(x, y)
            stage.page.mouse.down()
            for i in range(1, 15 - start % 15):
                stage.page.mouse.move(x + 15 * (i % 2), y)
            stage.page.mouse.up()
    expect(stage.count).to_have_text("30 points")
    expect(stage.caption).to_contain_text("each of the 30 points joins its nearest one")
    stage.press("End")
    expect(stage.caption).to_contain_text("converged")
    fills = stage.fills()
    assert len(fills) == 30
    heights = np.array([stage.pixel(i)[1] for i in range(30)])
    colors = np.array(fills)
    assert len(set(colors[heights > 0.5])) == len(set(colors[heights < 0.5])) == 1
    assert len(set(fills)) == 2


def test_moving_a_point_changes_the_result_and_undo_brings_it_back(stage):
    stage.open("k_means?data=blobs&classes=2&k=2&n=20&noise=0.2")
    stage.press("End")
    expect(stage.caption).to_contain_text("converged")
    before, where = inertia(stage), stage.pixel(0)
    stage.tool("Move")
    stage.drag(where, (0.5, 0.95))
    expect(stage.notice).to_contain_text("the data changed")
    assert inertia(stage) > before + 0.5
    np.testing.assert_allclose(stage.pixel(0), (0.5, 0.95), atol=0.01)
    stage.press("Control+z")
    expect(stage.caption).to_contain_text(f"centres, is {before:g}.")
    np.testing.assert_allclose(stage.pixel(0), where, atol=0.01)
    stage.press("Control+y")
    expect(stage.caption).not_to_contain_text(f"→ {before:g}")


def test_erasing_and_a_single_click(stage):
    stage.open("k_means?n=40")
    stage.tool("Erase")
    stage.click(*stage.pixel(3))
    expect(stage.count).not_to_have_text("40 points")
    left = stage.points.count()
    stage.tool("Point")
    stage.click(0.05, 0.05)
    expect(stage.count).to_have_text(f"{left + 1} points")
    expect(stage.page.get_by_text(f"{left + 1} points").first).to_be_visible()


def test_play_to_the_end_scrub_back_and_step_by_key(stage):
    stage.open("k_means?k=3&data=moons")
    last = int(stage.where.inner_text().split()[-1])
    assert last >= 4
    stage.page.locator(".speed").select_option("4")
    play = stage.page.locator(".stage [data-do=play]")
    width = play.bounding_box()["width"]
    stage.press("Escape", " ")
    expect(play).to_have_text("Pause")
    assert play.bounding_box()["width"] == width  # nothing beside it moves
    expect(stage.where).to_have_text(f"half-step {last} of {last}")
    expect(stage.page.get_by_role("button", name="Play")).to_be_visible()
    stage.page.locator(".scrub").fill("2")
    expect(stage.where).to_have_text(f"half-step 2 of {last}")
    expect(stage.caption).to_contain_text("Assign")
    stage.page.locator(".picture").focus()
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Move")
    stage.press("ArrowLeft", "ArrowLeft")
    expect(stage.where).to_have_text(f"half-step 1 of {last}")
    stage.press("]")
    expect(stage.caption).to_contain_text("converged")
    stage.press("Home")
    expect(stage.caption).to_contain_text("Start: 3 centres")


def test_centres_are_placed_and_dragged(stage):
    stage.open("k_means?k=2&init=placed by hand&centers=-2,-2;2,2")
    handles = stage.page.locator(".handle:not(.query)")
    expect(handles).to_have_count(2)
    stage.press("End")
    before = stage.caption.inner_text()
    stage.drag_handle(handles.first, 0.9, 0.1)
    expect(stage.page).to_have_url(re.compile("centers=(?!-2%2C-2)"))
    expect(stage.caption).not_to_have_text(before)
    stage.page.reload()
    expect(stage.caption).not_to_be_empty()
    box, (x, y) = handles.first.bounding_box(), stage.place(0.9, 0.1)
    np.testing.assert_allclose((box["x"] + 17, box["y"] + 17), (x, y), atol=4)


def test_a_slider_move_runs_again_at_the_same_step_says_why_and_does_not_move_the_page(stage):
    stage.open("k_means?n=200")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 2 of")
    top = stage.page.locator(".picture").bounding_box()
    stage.page.get_by_role("slider", name="Clusters k").focus()
    stage.press("ArrowLeft")
    expect(stage.notice).to_have_text("Ran again: Clusters k 4 → 3.")
    expect(stage.where).to_contain_text("step 2 of")
    assert stage.page.locator(".picture").bounding_box() == top
    player, notice = (
        stage.page.locator(".stage .player").bounding_box(),
        stage.notice.bounding_box(),
    )
    assert notice["y"] + notice["height"] <= player["y"], "it covers neither player nor caption"


def test_a_goal_that_is_reached_has_a_tick_also_after_a_reload(stage):
    stage.open("k_means?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5")
    goal = stage.page.locator(".stage .goal")
    expect(goal).to_contain_text("☐ Goal: Find all four clusters")
    seed = stage.page.get_by_role("spinbutton", name="Seed")
    seed.fill("0")
    seed.press("Enter")
    expect(goal).to_contain_text("✓ Goal reached:")
    stage.page.get_by_role("tab", name="Try this").click()
    ticked = stage.page.locator(".st-key-goal_k_means_a_bad_start strong")
    expect(ticked).to_be_visible()
    assert "✓" in ticked.evaluate("node => getComputedStyle(node, '::before').content")
    stage.open("k_means?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5")
    expect(goal).to_contain_text("✓ Goal, reached before:")
