"""The menu “Export” as a teacher uses it: pictures, a file that plays offline, tables, code."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageColor
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Stage
from tests.browser.test_labs import problems

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def offline(chromium: Browser):
    """Return a page without a network; the test fails if it throws or requests anything."""
    context = chromium.new_context(offline=True, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    yield page
    context.close()
    assert not wrong


def saved(stage: Stage, button: str, folder: Path) -> Path:
    with stage.page.expect_download() as download:
        stage.page.get_by_role("button", name=button, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(stage.page.locator(".exports .status")).to_contain_text(f"Saved {path.name}")
    return path


def differing(page: Page, svg: Path, png: Path) -> float:
    """Return the share of pixels in which an SVG looks different from a PNG."""
    with Image.open(png) as image:
        expected = np.asarray(image.convert("RGB"), float)
    size = page.viewport_size
    assert size
    page.set_viewport_size({"width": expected.shape[1], "height": expected.shape[0]})
    page.goto(svg.as_uri())
    with Image.open(BytesIO(page.screenshot())) as image:
        found = np.asarray(image.convert("RGB"), float)
    page.set_viewport_size(size)
    return float((np.abs(found - expected).max(axis=2) > 60).mean())


def says(page: Page) -> tuple[str, str]:
    """Return the step and the caption that are shown."""
    return page.locator(".stage .where").inner_text(), page.locator(".stage .caption").inner_text()


@pytest.mark.long
def test_all_that_can_be_taken_away(stage: Stage, offline: Page, tmp_path: Path) -> None:
    stage.open("k_means?k=3")
    stage.press("ArrowRight", "ArrowRight", "ArrowRight")
    stage.settle()
    shown = says(stage.page)
    picture = stage.page.locator(".stage .picture").bounding_box()
    assert picture
    spots = [
        node.evaluate(
            "node => { const box = node.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2, node.style.fill] }"
        )
        for node in stage.points.all()[:20]
    ]
    export = stage.page.get_by_role("button", name="Export")
    export.focus()
    stage.press("Enter")  # the keyboard is enough
    expect(stage.page.get_by_role("button", name="Script")).to_be_visible()

    assert problems(stage.page) == []
    with Image.open(saved(stage, "PNG, 1920 px wide", tmp_path)) as image:
        scale = 1920 / picture["width"]
        assert image.size == (1920, round(scale * picture["height"]))
        pixels = image.convert("RGB")
        hits = 0
        for x, y, fill in spots:
            at = (round((x - picture["x"]) * scale), round((y - picture["y"]) * scale))
            hits += pixels.getpixel(at) == ImageColor.getrgb(fill)
        assert hits >= 15, "the others may be below another point or a handle"

    stage.page.get_by_label("with what is open beside it").check()
    with Image.open(saved(stage, "PNG, A5 at 300 dpi", tmp_path)) as image:
        assert image.size[0] == 2480
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    path = saved(stage, "SVG", tmp_path)
    assert differing(offline, path, saved(stage, "PNG, 1920 px wide", tmp_path)) < 0.004
    svg = ElementTree.parse(path).getroot()
    groups = {each.get("class", ""): each for each in svg.iter(f"{SVG}g")}
    assert len(groups["stage-points"]) == stage.points.count()
    assert "color(" not in ElementTree.tostring(svg, encoding="unicode")
    assert "non-scaling-stroke" not in ElementTree.tostring(svg, encoding="unicode")
    words = {each.get("aria-label"): each for each in svg.iter(f"{SVG}g")}
    letters = list(words["Inertia at every half-step"].iter(f"{SVG}path"))
    assert len(letters) == len("Inertiaateveryhalf-step"), "words are outlines"
    assert "1" in words, "of a centre"
    assert not list(svg.iter(f"{SVG}text"))
    (regions,) = svg.iter(f"{SVG}image")
    with Image.open(BytesIO(b64decode(regions.attrib["href"].partition(",")[2]))) as image:
        assert 700 <= image.size[0] == image.size[1] <= 1000, "smooth borders"
    stage.page.get_by_label("without a ground").check()
    with Image.open(saved(stage, "PNG, 1920 px wide", tmp_path)) as image:
        assert image.getpixel((2, 2))[3] == 0
    stage.page.get_by_label("without a ground").uncheck()

    with Image.open(saved(stage, "GIF, 1280 x 720", tmp_path)) as film:
        assert film.size == (1280, 720) and film.info["loop"] == 0
        assert film.n_frames == stage.page.evaluate("window.chalkline.film.steps.length") > 5
        film.seek(film.n_frames - 1)
        assert film.info["duration"] == 2000
        assert len(film.convert("RGB").getcolors(1280 * 720)) > 20
    stage.settle()
    assert says(stage.page) == shown, "it is where it was"

    code = saved(stage, "Script", tmp_path).read_text(encoding="utf-8")
    compile(code, "script", "exec")
    query = stage.page.url.partition("/k_means")[2]
    assert re.search(rf"# http://[\d.]+:\d+/k_means{re.escape(query)}\n", code)

    offline.goto(saved(stage, "One HTML file", tmp_path).as_uri())
    expect(offline.locator(".stage .plot .main-svg").first).to_be_attached()
    # It opens where it was exported, or where its address says.
    expect(offline.locator(".stage .caption")).to_have_text(shown[1].replace("\n", ""))
    assert says(offline) == shown
    offline.evaluate("location.hash = '#step=1'")
    expect(offline.locator(".stage .where")).to_contain_text("step 1 of")
    offline.goto(f"{offline.url.partition('#')[0]}#step=3")
    offline.reload()
    expect(offline.locator(".stage .where")).to_contain_text("step 3 of")
    assert says(offline) == shown
    assert offline.locator(".stage .picture .stage-points path").count() == stage.points.count()
    expect(offline.locator(".stage .tools")).to_be_hidden()
    offline.keyboard.press("?")
    expect(offline.get_by_text("play or pause")).to_be_visible()
    expect(offline.get_by_text("add a point, brush, spray")).to_be_hidden()
    offline.keyboard.press("Escape")
    offline.get_by_role("button", name=re.compile("^(Dark|Light)$")).click()
    assert problems(offline) == []
    offline.keyboard.press(" ")  # plays from here to the end
    expect(offline.locator(".stage .caption")).to_contain_text("converged")
