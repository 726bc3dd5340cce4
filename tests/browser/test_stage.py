"""The stage itself: keyboard alone, touch, zoom, nothing flashes, and frames come on demand."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from pages._shared.lab.catalogue import LABS
from pages._shared.lab.course import weeks
from tests.browser.conftest import until
from tests.browser.test_labs import problems_in_both_themes

(K_MEANS,) = [lab for lab in LABS if lab.name == "k_means"]

# The picture with its axes is in sight, and at least so high; it follows the window by and by.
LEAST = """([least, width]) => {
    const { height, right } = document.querySelector(".stage .picture").getBoundingClientRect();
    return innerWidth === width && height >= least && right <= width;
}"""


def test_everything_by_keyboard(stage):
    stage.open("logistic_regression?data=moons&n=30&start=zeros")
    stage.page.locator(".picture").focus()
    stage.press("a", "4", "ArrowUp", "ArrowUp", "Shift+ArrowRight", "Enter")
    expect(stage.count).to_have_text("31 points")
    np.testing.assert_allclose(stage.pixel(30), (0.6, 0.54), atol=0.01)
    expect(stage.caption).to_contain_text("ln 3")
    stage.press("m", "Enter", "Shift+ArrowUp", "ArrowUp", "Enter")
    expect(stage.notice).to_contain_text("the data changed")
    np.testing.assert_allclose(stage.pixel(30), (0.6, 0.66), atol=0.01)
    stage.press("l", "1", "Enter")
    expect(stage.caption).to_contain_text("ln 2")
    stage.press("e", "Enter")
    expect(stage.count).to_have_text("30 points")
    stage.press("Control+z")
    expect(stage.count).to_have_text("31 points")
    stage.press("Escape", "ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")


def test_keys_are_left_to_text_fields(stage):
    stage.open("k_means")
    field = stage.page.get_by_role("spinbutton", name="Seed")
    field.focus()
    stage.press("ArrowRight", "End", " ")
    expect(stage.where).to_contain_text("step 2 of")  # where the lab opens


def test_after_the_pointer_the_keys_are_the_players_again(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    stage.click(0.1, 0.9)
    expect(stage.count).to_have_text("31 points")
    expect(stage.caption).to_contain_text("31 points")
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    last = last_step(stage)
    stage.press(" ")  # neither another point nor the tool's button
    expect(stage.where).to_contain_text(f"step {last} of")
    expect(stage.count).to_have_text("31 points")
    stage.press("Home")
    slider = stage.page.get_by_role("slider", name="Clusters k")
    thumb = stage.page.locator("[data-testid=stSliderThumbValue]").first.bounding_box()
    stage.page.mouse.click(thumb["x"] + thumb["width"] / 2 + 60, thumb["y"] + thumb["height"] + 2)
    expect(stage.caption).to_contain_text("Start: 6 centres")
    expect(stage.page).to_have_url(re.compile("k=6"))
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    expect(slider).to_have_value("6")
    stage.page.get_by_role("spinbutton", name="Seed").focus()
    slider.focus()  # by keyboard: its keys are its own
    stage.press("ArrowRight")
    expect(slider).to_have_value("7")


def test_the_picture_follows_a_slider_that_is_dragged_and_the_step_stays(stage):
    stage.open("k_means?n=60")
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 2 of")
    numbers = stage.page.locator(".picture .textpoint").filter(has_text=re.compile(r"^\d+$"))
    thumb = stage.page.locator("[data-testid=stSliderThumbValue]").first.bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] + 2
    stage.page.mouse.move(x, y)
    stage.page.mouse.down()
    stage.page.mouse.move(x + 32, y, steps=4)
    expect(numbers).to_have_count(5)  # five centres, and the button is still down
    assert "k=" not in stage.page.url
    stage.page.mouse.move(x + 64, y, steps=4)
    expect(numbers).to_have_count(6)
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("k=6"))
    expect(stage.where).to_contain_text("step 2 of")


def test_a_handle_that_is_dragged_shows_what_it_does_at_once(stage):
    stage.open("decision_tree?n=60")
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("split 1 of")
    handle = stage.page.locator(".picture .handle.query")
    before = stage.caption.inner_text()
    box = handle.bounding_box()
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.mouse.down()
    stage.page.mouse.move(*stage.place(0.1, 0.9), steps=5)
    expect(stage.caption).not_to_have_text(before, use_inner_text=True)
    assert "query" not in stage.page.url
    stage.page.mouse.up()
    expect(stage.page).to_have_url(re.compile("query="))


def test_the_keys_are_listed_and_a_run_can_be_played_in_a_loop(stage):
    stage.open("k_means?n=30&k=2")
    stage.press("?")
    listed = stage.page.get_by_role("dialog", name="Keys")
    expect(listed).to_contain_text("previous or next event")
    listed.get_by_label("Play in a loop").check()
    stage.press("Escape")
    expect(listed).to_be_hidden()
    stage.press("End", " ")
    expect(stage.where).to_contain_text("step 1 of")
    stage.press(" ", "o")
    expect(stage.notice).to_have_text("Playing in a loop: off.")
    timing = "animation-timing-function"
    stage.page.emulate_media(reduced_motion="no-preference")
    expect(stage.notice).not_to_have_css(timing, "steps(1)")  # it fades away
    stage.page.emulate_media(reduced_motion="reduce")
    expect(stage.notice).to_have_css(timing, "steps(1)")


def test_what_a_step_changes_travels_unless_less_motion_is_wanted(stage):
    stage.open("k_means?n=60&k=3")
    stage.page.evaluate(
        """() => {
            window.traveled = new Set();
            const heard = ({ propertyName }) => window.traveled.add(propertyName);
            document.querySelector(".stage").addEventListener("transitionrun", heard);
        }"""
    )
    traveled = lambda: set(stage.page.evaluate("() => [...window.traveled]"))  # noqa: E731
    glides = stage.page.locator(".stage.glides")
    stage.press("Home", "ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    assert not traveled()
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.press("ArrowRight")
    until(stage.page, lambda: traveled() >= {"transform", "fill"})  # centres, and points
    expect(glides).to_have_count(0)
    stage.page.evaluate("() => window.traveled.clear()")
    stage.press("Home")  # no neighbour
    expect(stage.where).to_contain_text("step 0 of")
    assert not traveled()


@pytest.mark.thorough
def test_linked_views_fold_and_take_the_big_place(stage):
    stage.open("k_means?n=30")
    figures = stage.page.locator(".beside figure")
    expect(figures.locator(".main-svg").first).to_be_visible()
    fold = figures.nth(1).locator(".fold")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(figures.nth(1).locator(".main-svg").first).to_be_hidden()
    fold.click()
    expect(figures.nth(1).locator(".main-svg").first).to_be_visible()
    picture = stage.page.locator(".stage .picture")
    large = picture.bounding_box()["width"]
    enlarge = stage.page.get_by_role("button", name=re.compile("^Enlarge")).first
    enlarge.click()
    expect(enlarge).to_have_attribute("aria-pressed", "true")
    expect(figures.nth(1).locator(".main-svg").first).to_be_hidden()
    assert picture.bounding_box()["width"] < 0.75 * large
    assert figures.first.bounding_box()["width"] > large
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    enlarge.click()
    expect(figures.nth(1).locator(".main-svg").first).to_be_visible()
    assert picture.bounding_box()["width"] == large

    # Tablets; with the parameters folded away this screen, and a phone that lies.
    for width, height, least in (
        (1024, 768, 440),
        (820, 1180, 480),
        (1366, 768, 530),
        (844, 390, 200),
    ):
        stage.page.set_viewport_size({"width": width, "height": height})
        if width == 1366:
            stage.page.get_by_test_id("stSidebar").hover()
            stage.page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
        stage.page.wait_for_function(LEAST, arg=[least, width])
        expect(stage.where).to_be_in_viewport(ratio=1)
        expect(stage.page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)


@pytest.mark.thorough
def test_a_situation_asks_above_the_picture_and_leads_through_its_week(stage):
    """By buttons on the page, and by keys on the wall, from lab to lab."""
    week, last, first = next(
        (week, one, other)
        for week in weeks()
        for one, other in zip(week.situations, week.situations[1:], strict=False)
        if one.lab == K_MEANS != other.lab
    )
    place = f"Week {week.number}: {week.situations.index(first)} of {len(week.situations)}"
    stage.open("k_means")
    stage.press("End")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name=last.experiment.title).click()
    asked = stage.page.get_by_role("group", name="Situation")
    expect(asked).to_contain_text(last.experiment.question)
    expect(asked).to_contain_text(place)
    expect(stage.where).to_contain_text("step 0 of")  # the answer is not shown at once
    expect(stage.caption).to_be_in_viewport(ratio=0.9)
    asked.get_by_role("button", name="Answer").click()
    expect(asked.locator("p[role=status]")).to_have_text(last.experiment.answer)
    expect(stage.caption).to_be_in_viewport(ratio=0.9)
    for size in ((1366, 768), (1920, 1080)):
        stage.page.set_viewport_size({"width": size[0], "height": size[1]})
        stage.press("p")
        expect(asked.locator("p[role=status]")).to_be_in_viewport(ratio=1)
        expect(stage.page.locator(".on-wall")).to_have_text(K_MEANS.title)
        for part in (".picture", ".player", ".caption"):
            expect(stage.page.locator(f".stage {part}")).to_be_in_viewport(ratio=0.99)
        stage.press("Escape")
        stage.page.wait_for_function("!document.fullscreenElement")
    stage.press("p", ".")
    expect(asked).to_contain_text(first.experiment.question)
    expect(stage.page.locator(".on-wall")).to_have_text(first.lab.title)
    expect(stage.page.locator(".lesson .asks")).to_be_focused()
    expect(stage.page.locator("html[data-present]")).to_have_count(1)
    stage.page.wait_for_function("document.fullscreenElement === document.documentElement")
    expect(asked.locator("p[role=status]")).to_be_empty()
    stage.press("t")
    expect(asked.locator("p[role=status]")).to_have_text(first.experiment.answer)
    assert problems_in_both_themes(stage.page) == []
    stage.press("Escape", ",")
    expect(asked).to_contain_text(last.experiment.question)
    expect(stage.page.locator(".lab-title h1")).to_be_visible()
    asked.get_by_role("button", name="End this situation").click()
    expect(asked).to_be_hidden()
    stage.page.get_by_role("button", name="Reset this lab").click()
    expect(stage.page).not_to_have_url(re.compile("k="))


@pytest.mark.thorough
@pytest.mark.viewport(390, 844)
def test_on_a_phone_the_picture_stays_in_sight_while_a_slider_is_moved(stage):
    stage.open("k_means?n=30")
    stage.page.get_by_test_id("stExpandSidebarButton").click()
    slider = stage.page.get_by_role("slider", name="Clusters k")
    expect(slider.locator("xpath=ancestor::*[@data-testid='stSlider']")).to_be_in_viewport(ratio=1)
    expect(stage.page.locator(".stage .picture")).to_be_in_viewport(ratio=0.8)
    sheet = stage.page.get_by_test_id("stSidebar").bounding_box()
    assert sheet["y"] > 844 / 2
    assert sheet["width"] == pytest.approx(390)
    stage.page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    expect(stage.page.get_by_test_id("stExpandSidebarButton")).to_be_visible()


@pytest.mark.viewport(390, 844)
def test_painting_by_touch_on_a_phone(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    stage.page.touchscreen.tap(*stage.place(0.1, 0.9))
    expect(stage.count).to_have_text("31 points")
    np.testing.assert_allclose(stage.pixel(30), (0.1, 0.9), atol=0.02)
    width = stage.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


@pytest.mark.thorough
def test_zoom_stays_while_stepping_and_points_follow(stage):
    stage.open("k_means?n=60")
    stage.page.get_by_role("button", name="Zoom in").click()
    before = [stage.pixel(i) for i in range(60)]
    stage.press("ArrowRight", "ArrowRight")
    np.testing.assert_allclose([stage.pixel(i) for i in range(60)], before, atol=0.005)
    stage.tool("Point")
    stage.click(0.25, 0.25)
    expect(stage.count).to_have_text("61 points")
    np.testing.assert_allclose(stage.pixel(60), (0.25, 0.25), atol=0.01)
    expect(stage.notice).to_contain_text("the data changed")
    np.testing.assert_allclose(stage.pixel(60), (0.25, 0.25), atol=0.01)


def test_a_new_run_replaces_the_picture_without_an_empty_moment(stage):
    stage.open("k_means?n=100")
    stage.page.evaluate(
        """() => {
            window.least = Infinity;
            const look = () => {
                window.least = Math.min(window.least,
                    document.querySelectorAll(".stage-points path").length);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    stage.page.get_by_role("slider", name="Clusters k").focus()
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Start: 6 centres")
    assert stage.page.evaluate("window.least") == 100


def test_sliders_moved_quickly_keep_their_value(stage):
    stage.open("k_means?n=100&seed=3")
    slider = stage.page.get_by_role("slider", name="Clusters k")
    slider.focus()
    for delay in (0, 60, 120, 0):
        stage.page.keyboard.press("ArrowRight", delay=delay)
    expect(stage.caption).to_contain_text("Start: 8 centres")
    expect(stage.count).to_have_text("100 points")
    expect(stage.page).to_have_url(re.compile("k=8"))
    expect(slider).to_have_value("8")


@pytest.mark.thorough
def test_strokes_made_quickly_are_all_kept(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    for i in range(12):
        stage.click(0.05 + 0.07 * i, 0.05)
    expect(stage.count).to_have_text("42 points")
    expect(stage.page.get_by_text("42 points").first).to_be_visible()
    expect(stage.caption).to_contain_text("42 points")
    expect(stage.points).to_have_count(42)


@pytest.mark.thorough
def test_a_stroke_survives_the_run_of_the_one_before(stage):
    stage.open("k_means?n=30")
    stage.tool("Brush")
    stage.drag((0.1, 0.1), (0.3, 0.1), steps=8)
    stage.page.mouse.move(*stage.place(0.1, 0.9))
    stage.page.mouse.down()
    for i in range(1, 9):
        stage.page.mouse.move(*stage.place(0.1 + 0.05 * i, 0.9))
        if i == 4:  # the first stroke's run comes back meanwhile
            expect(stage.caption).not_to_contain_text("30 points")
    painted = stage.points.count()
    stage.page.mouse.up()
    expect(stage.caption).to_contain_text(f"{painted} points")
    expect(stage.count).to_have_text(f"{painted} points")
    assert painted >= 42


def test_plots_are_described(stage):
    stage.open("k_means")
    labels = stage.page.locator(".stage [role=img]").evaluate_all(
        "plots => plots.map((plot) => plot.getAttribute('aria-label'))"
    )
    assert len(labels) == 4
    assert all(labels)
    label = stage.page.locator(".picture").get_attribute("aria-label")
    assert "points change their cluster" in label


# A run that is longer than what is drawn before anybody asks; its captions tell what is on the
# picture: how many points are crossed out.
LONG = "svm?view=pairs&data=moons&n=20&C=1&also=✕ broken conditions"
SHOWN = """() => {
    const marks = [...document.querySelectorAll(".picture .stage-marks path")];
    return {
        step: +document.querySelector(".where").textContent.match(/\\d+/)[0],
        caption: document.querySelector(".caption").innerText,
        crossed: marks.filter((mark) => mark.getAttribute("d").split("M").length > 2).length,
    };
}"""


def look(stage) -> dict:
    """Return step number, caption and picture of one moment; all three must be of the same step."""
    shown = stage.page.evaluate(SHOWN)
    text = shown["caption"]
    broken = re.search(r"✕ (\d+) broken", text) or re.search(r"(\d+) of \d+ points break", text)
    assert broken or text.startswith("Converged. "), shown
    assert (int(broken[1]) if broken else 0) == shown["crossed"], shown
    return shown


def last_step(stage) -> int:
    return int(stage.where.inner_text().split()[-1])


@pytest.mark.long
def test_every_step_of_a_long_run_is_reached_by_arrows_and_by_scrubbing(stage):
    stage.open(LONG)
    last = last_step(stage)
    assert last > 20
    by_arrows = []
    for step in range(last + 1):
        expect(stage.where).to_have_text(f"move {step} of {last}")
        by_arrows.append(look(stage))
        assert by_arrows[-1]["step"] == step
        stage.press("ArrowRight")
    assert len({shown["caption"] for shown in by_arrows}) == last + 1
    stage.open(LONG)
    expect(stage.where).to_have_text(f"move 0 of {last}")
    for step in reversed(range(last + 1)):
        stage.page.locator(".scrub").fill(str(step))
        look(stage)  # whatever is shown at once is one step's
        expect(stage.where).to_have_text(f"move {step} of {last}")
        assert look(stage) == by_arrows[step]


@pytest.mark.thorough
def test_a_long_run_plays_to_its_end_and_its_frames_come_meanwhile(stage):
    stage.open(LONG)
    last = last_step(stage)
    stage.page.locator(".speed").select_option("4")
    stage.press("Escape", " ")
    seen = [0]
    while seen[-1] < last:
        seen.append(look(stage)["step"])
    assert seen == sorted(seen)
    assert len(set(seen)) > 10
    expect(stage.page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.thorough
def test_dragging_on_the_scrubber_shows_the_steps_under_the_pointer(stage):
    stage.open(LONG)
    last = last_step(stage)
    box = stage.page.locator(".scrub").bounding_box()
    middle = box["y"] + box["height"] / 2
    stage.page.mouse.move(box["x"] + 9, middle)
    stage.page.mouse.down()
    for share in (0.2, 0.35, 0.6, 0.9, 0.45):
        stage.page.mouse.move(box["x"] + share * box["width"], middle, steps=5)
        look(stage)
        stage.settle()
        assert abs(look(stage)["step"] - share * last) < 0.05 * last + 1
    stage.page.mouse.up()


class Server:
    """A slow server: its messages to the page are held back until they are released."""

    def __init__(self, page: Page) -> None:
        self.slow, self.held = False, []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        def say(said: str | bytes) -> None:
            if self.slow:
                self.held.append((route, said))
            else:
                route.send(said)

        route.connect_to_server().on_message(say)

    def go_on(self) -> None:
        """Release all messages."""
        self.slow = False
        while self.held:
            route, said = self.held.pop(0)
            route.send(said)


@pytest.fixture
def server_between(stage) -> Server:
    return Server(stage.page)


@pytest.mark.thorough
def test_a_slow_server_still_shows_something_at_once(stage, server_between):
    stage.open(LONG)
    last = last_step(stage)
    server_between.slow = True
    wanted = round(0.3 * last)
    stage.page.locator(".scrub").fill(str(wanted))
    near = look(stage)["step"]
    assert near not in (0, wanted)
    assert abs(near - wanted) <= 0.15 * last  # the key frames are a fifth of the run apart
    expect(stage.where).to_have_text(f"move {near} of {last} … {wanted}")
    stage.press("ArrowRight", "ArrowRight")  # counted from where the user is
    expect(stage.where).to_contain_text(f"… {wanted + 2}")
    until(
        stage.page, lambda: bool(server_between.held)
    )  # the answer is there, and kept from the page
    look(stage)
    server_between.go_on()
    expect(stage.where).to_have_text(f"move {wanted + 2} of {last}")
    look(stage)


@pytest.mark.thorough
def test_playing_waits_for_a_slow_server_and_skips_nothing(stage, server_between):
    stage.open(LONG)
    last = last_step(stage)
    stage.page.evaluate(
        """() => {
            window.seen = [];
            const look = () => window.seen.push(+where.textContent.match(/\\d+/)[0]);
            const where = document.querySelector(".where");
            new MutationObserver(look).observe(where, { childList: true, subtree: true });
        }"""
    )
    server_between.slow = True
    stage.page.locator(".speed").select_option("0.5")  # at which it has no strides
    stage.press("Escape", " ")
    expect(stage.where).to_contain_text("…")
    waiting = re.search(rf"(\d+) of {last} … (\d+)", stage.where.text_content())
    assert waiting
    shown, awaited = map(int, waiting.groups())
    assert awaited == shown + 1
    expect(stage.page.get_by_role("button", name="Pause")).to_be_visible()
    server_between.go_on()
    expect(stage.where).to_have_text(f"move {last} of {last}")
    seen = stage.page.evaluate("window.seen")
    assert seen == sorted(seen)
    assert set(seen) == set(range(last + 1))


@pytest.mark.thorough
def test_frames_asked_for_while_the_connection_is_broken_come_later(stage):
    sockets = []

    def connect(route):
        sockets.append(route)
        route.connect_to_server()

    stage.page.route_web_socket(re.compile("_stcore/stream"), connect)
    stage.open(LONG)
    last = last_step(stage)
    sockets[-1].close()
    wanted = round(0.3 * last)
    stage.page.locator(".scrub").fill(str(wanted))
    assert look(stage)["step"] != wanted
    expect(stage.where).to_have_text(f"move {wanted} of {last}")
    look(stage)


def test_a_short_run_asks_for_nothing(stage):
    stage.open("k_means?k=2&data=blobs&classes=2&n=20&noise=0.2")
    assert last_step(stage) < 6
    for step in range(1, last_step(stage) + 1):
        stage.press("ArrowRight")
        expect(stage.where).to_have_text(f"half-step {step} of {last_step(stage)}")
    assert stage.page.evaluate("window.chalkline.number ?? 0") == 0


@pytest.mark.thorough
def test_the_ticks_are_those_of_the_run_that_is_shown(stage):
    stage.open("k_means?k=3&data=moons")
    tick = stage.page.locator(".track .ticks i").first
    for k in (3, 4, 5):
        expect(stage.caption).to_contain_text(f"Start: {k} centres")
        stage.page.locator(".picture").focus()
        stage.press("]")
        expect(stage.caption).to_contain_text("converged")
        step = stage.where.inner_text().split()[1]
        expect(tick).to_have_attribute("title", f"half-step {step}: converged")
        stage.press("Home")
        stage.page.get_by_role("slider", name="Clusters k").focus()
        stage.press("ArrowRight")


@pytest.mark.thorough
def test_no_undo_is_lost_however_fast_the_presses(stage):
    stage.open("k_means?n=30")
    stage.tool("Point")
    for i in range(12):
        stage.click(0.05 + 0.07 * i, 0.05)
    expect(stage.count).to_have_text("42 points")
    for _ in range(8):
        stage.press("Control+z")
    expect(stage.count).to_have_text("34 points")  # at once
    expect(stage.caption).to_contain_text("34 points")
    for _ in range(5):
        stage.press("Control+y")
    expect(stage.count).to_have_text("39 points")
    expect(stage.caption).to_contain_text("39 points")
    for _ in range(20):
        stage.press("Control+z")
    expect(stage.caption).to_contain_text("30 points")
    expect(stage.count).to_have_text("30 points")


@pytest.mark.thorough
def test_points_do_not_stay_on_a_picture_without_points(stage):
    stage.open("gaussian_mixture?n=30")
    expect(stage.points).to_have_count(30)
    stage.page.get_by_text("words", exact=True).first.click()
    expect(stage.page.locator(".stage .tools")).to_be_hidden()
    expect(stage.points).to_have_count(0)


@pytest.mark.thorough
def test_points_stand_above_the_regions_and_below_the_lines(stage):
    stage.open("wall?n=30")
    above = """() => {
        const picture = document.querySelector(".picture");
        const points = picture.querySelector(".stage-points");
        const follows = (a, b) => (a.compareDocumentPosition(b) & 4) > 0;
        return [follows(picture.querySelector(".imagelayer"), points),
                follows(points, picture.querySelector(".trace.scatter"))];
    }"""
    for keys in ([], ["ArrowRight"], ["End"]):
        stage.press(*keys)
        stage.settle()
        stage.page.wait_for_function(f"() => ({above})().every(Boolean)")  # Plotly may finish late


@pytest.mark.thorough
def test_brush_and_spray_have_a_density_and_only_buttons_are_said_to_be_pressed(stage):
    stage.open("k_means?n=30")
    stage.tool("Brush")
    pressed = stage.page.locator(".stage [aria-pressed]")
    assert set(pressed.evaluate_all("nodes => nodes.map((node) => node.tagName)")) == {"BUTTON"}
    expect(stage.page.locator(".stage .picture")).to_have_attribute("data-tool", "brush")
    density = stage.page.get_by_role("combobox", name="Density of brush and spray")
    density.select_option("dense")
    stage.drag((0.2, 0.2), (0.8, 0.2), steps=40)
    expect(stage.count).to_have_text("71 points")  # one with the press, one with every move
    density.select_option("thin")
    stage.tool("Spray")
    stage.click(0.5, 0.8)
    expect(stage.count).to_have_text("76 points")
