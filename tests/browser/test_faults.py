"""Faults in a classroom: the server restarts, the connection breaks, the back button."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Stage, start_server, until

pytestmark = pytest.mark.thorough


def more_clusters(stage: Stage) -> None:
    """Move the slider from 2 to 3; while the page comes back it may be put back to 2."""
    slider = stage.page.get_by_role("slider", name="Clusters k")

    def moved() -> bool:
        if slider.input_value() == "2":
            slider.press("ArrowRight")
        return "k=3" in stage.page.url

    until(stage.page, moved)
    stage.page.locator(".picture").focus()
    stage.press("Home")
    expect(stage.caption).to_contain_text("Start: 3 centres")


def test_back_button_brings_the_parameter_back(stage):
    stage.open("k_means?k=4&data=moons")
    slider = stage.page.get_by_role("slider", name="Clusters k")
    slider.focus()
    stage.press("ArrowLeft")
    expect(stage.caption).to_contain_text("Start: 3 centres")
    expect(stage.page).to_have_url(re.compile("k=3"))
    stage.page.go_back()
    expect(stage.caption).to_contain_text("Start: 4 centres")
    expect(slider).to_have_value("4")
    stage.page.go_forward()
    expect(stage.caption).to_contain_text("Start: 3 centres")


def test_two_tabs_do_not_disturb_each_other(stage):
    stage.open("k_means?n=30")
    other = Stage(stage.page.context.new_page(), stage.address)
    other.open("k_means?n=40")
    other.tool("Point")
    other.click(0.1, 0.1)
    expect(other.caption).to_contain_text("41 points")
    stage.tool("Point")
    stage.click(0.1, 0.1)
    expect(stage.caption).to_contain_text("31 points")
    expect(other.count).to_have_text("41 points")
    other.page.close()


def test_a_broken_connection_keeps_step_data_and_parameters(stage):
    sockets = []

    def connect(route):
        sockets.append(route)
        route.connect_to_server()

    stage.page.route_web_socket(re.compile("_stcore/stream"), connect)
    stage.open("k_means?n=30&k=2")
    stage.tool("Point")
    stage.click(0.1, 0.1)
    expect(stage.caption).to_contain_text("31 points")
    stage.press("Escape", "ArrowRight", "ArrowRight")
    expect(stage.where).to_contain_text("step 2 of")
    sockets[-1].close()
    stage.press("ArrowLeft")  # playing goes on without the server
    expect(stage.where).to_contain_text("step 1 of")
    more_clusters(stage)
    assert len(sockets) > 1
    expect(stage.count).to_have_text("31 points")


@pytest.mark.long
def test_without_a_network_for_several_tries_to_come_back(stage):
    sockets, broken = [], False

    def connect(route):
        sockets.append(route)
        if broken:
            route.close()
        else:
            route.connect_to_server()

    stage.page.route_web_socket(re.compile("_stcore/stream"), connect)
    stage.open("k_means?n=30&k=2")
    broken = True
    sockets[-1].close()
    stage.tool("Point")
    stage.click(0.1, 0.1)  # painted while nobody hears of it
    expect(stage.count).to_have_text("31 points")
    until(stage.page, lambda: len(sockets) >= 5)
    stage.press("Escape", "ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    broken = False
    expect(stage.notice).to_contain_text("the data changed")
    stage.press("Home")
    expect(stage.caption).to_contain_text("31 points")
    more_clusters(stage)
    expect(stage.count).to_have_text("31 points")


@pytest.fixture
def own_server(tmp_path):
    """Return a server that may be killed: start it (again) by calling what this gives."""
    running: list[subprocess.Popen] = []

    def start(port: int | None = None) -> str:
        process, address = start_server(tmp_path / f"log{len(running)}.txt", port)
        running.append(process)
        return address

    start.kill = lambda: (running[-1].kill(), running[-1].wait())
    yield start
    start.kill()


@pytest.mark.long
def test_a_restarted_server_gets_the_points_from_the_address(chromium, own_server):
    address = own_server()
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    stage = Stage(page, address)
    stage.open("k_means?n=30&k=2")  # nobody has been to this server before
    expect(page.get_by_role("dialog")).to_have_count(0)
    stage.tool("Point")
    stage.click(0.1, 0.1)
    stage.click(0.9, 0.9)
    expect(stage.caption).to_contain_text("32 points")
    expect(page).to_have_url(re.compile("points="))
    own_server.kill()
    stage.click(0.5, 0.2)
    stage.press("Escape", "ArrowRight")
    expect(stage.where).to_contain_text("step 1 of")
    with page.expect_websocket(timeout=60_000):
        own_server(int(address.rsplit(":", 1)[1]))
    lost = page.get_by_text("Your last edits were left out")
    expect(lost.or_(stage.count.filter(has_text="33 points")).first).to_be_visible()
    more_clusters(stage)
    expect(stage.count).to_have_text(re.compile("3[23] points"))
    expect(page.locator("[data-testid=stException]")).to_have_count(0)

    # Once more: the page asks for itself anew, so that the first thing done then is a change.
    answers = []
    page.on("websocket", lambda new: new.on("framereceived", lambda _: answers.append(new)))
    own_server.kill()
    own_server(int(address.rsplit(":", 1)[1]))
    until(page, lambda: bool(answers))
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    page.get_by_role("slider", name="Clusters k").press("ArrowLeft")
    expect(page).to_have_url(re.compile("k=2"))
    page.close()
