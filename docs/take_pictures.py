"""Take the pictures of the gallery and of the course, light and dark, and of the README.

The gallery shows a lab as it opens, the course a situation at a telling step of its run.

.venv/bin/python docs/take_pictures.py [lab ...]
"""

import io
import sys
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks.app import serve
from pages._shared.lab.catalogue import LABS
from pages._shared.lab.course import Situation, weeks
from tests.browser.conftest import BROWSERS, FLAGS, Stage, installed

SIZE = (400, 300)
COLOURS = Image.Quantize.MAXCOVERAGE  # keeps the colour of a few small marks
SMALL = (320, 240)  # of a situation
FROM_THE_TOP = {  # labs that say it in their upper part
    "apriori", "bayes", "belief_networks", "choosing_features", "estimating", "hidden_markov_model",
}  # fmt: skip


def keys_of(situation: Situation) -> list[str]:
    """Return the keys that lead to the step to show; in a run of turns, that of an event."""
    view = situation.experiment.link.get("view")
    if situation.lab.name == "singular_values" and not view:  # at the end is only the drawing
        return ["ArrowRight"] * 4
    if view == "Fisher":  # the first event is the worst axis
        return ["]"] * 2
    if situation.experiment.title == "Corners":  # at the end, the diamond fills the picture
        return ["]"]
    if view == "cut":  # the lowest, before it rises for the last time
        return ["End", "[", "ArrowLeft"]
    return ["]"] if view in ("by hand", "three lines", "leverage", "rotation") else ["End"]


def pictures(
    chromium: Browser, address: str, link: str, keys: list[str], size: tuple[int, int]
) -> dict[str, Image.Image]:
    """Open a lab, go to its step and cut the picture out of the stage, in both themes."""
    page = chromium.new_page(
        viewport={"width": 1000, "height": 760}, color_scheme="light", reduced_motion="reduce"
    )
    stage = Stage(page, address)
    stage.open(link)
    page.wait_for_timeout(1000)
    stage.press(*keys)
    found = {}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(1000)
        stage.settle()
        area = stage.area
        height = area["width"] * size[1] / size[0]
        rest = 0 if link.partition("?")[0] in FROM_THE_TOP else area["height"] - height
        top = area["y"] + rest / 2
        shot = page.screenshot(
            clip={"x": area["x"], "y": top, "width": area["width"], "height": height}
        )
        image = Image.open(io.BytesIO(shot)).convert("RGB")
        found[theme] = image.resize(size, Image.Resampling.LANCZOS)
    page.close()
    return found


def front(chromium: Browser, address: str) -> Image.Image:
    """Take the README's picture: all of the k-means lab, as it opens."""
    page = chromium.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
    stage = Stage(page, address)
    stage.open("k_means")
    page.wait_for_timeout(1000)
    shot = page.screenshot()
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def room(chromium: Browser, address: str) -> Image.Image:
    """Take the README's picture of a room: the wall with the votes, and one of seven phones."""
    wall = chromium.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
    stage = Stage(wall, address)
    stage.open("k_means?k=3&seed=0")
    stage.press("g")
    code = wall.locator(".room-code").inner_text()
    phones = []
    for _ in range(7):
        phone = chromium.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
        phone.goto(f"{address}/room/{code}")
        expect(phone.locator("#said")).to_contain_text("You are in")
        phones.append(phone)
    buttons = wall.locator(".room")
    buttons.get_by_role("button", name="Ask the room").click()
    for phone, choice in zip(phones, (3, 0, 3, 4, 3, 1, 3), strict=True):
        phone.locator(".choice").nth(choice).click()
    expect(wall.locator(".room-said")).to_contain_text("7 of 7 phones answered")
    answered = phones[0].screenshot()
    buttons.get_by_role("button", name="Show the answer").click()
    expect(wall.locator(".room .bars")).to_be_visible()
    wall.wait_for_timeout(1000)
    shots = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in (wall.screenshot(), answered)]
    for page in (wall, *phones):
        page.close()
    big, small = shots
    small = small.resize((round(small.width * big.height / small.height), big.height))
    both = Image.new("RGB", (big.width + small.width + 24, big.height), "white")
    both.paste(big, (0, 0))
    both.paste(small, (big.width + 24, 0))
    return both


def main() -> None:
    """Write the files that the gallery and the README look for."""
    with serve() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        address = f"http://127.0.0.1:{server.port}"
        labs = [lab for lab in LABS if not sys.argv[1:] or lab.name in sys.argv[1:]]
        for lab in labs:
            for theme, taken in pictures(chromium, address, lab.name, [], SIZE).items():
                taken.quantize(64, COLOURS, kmeans=1).save(lab.picture(theme), optimize=True)
            if lab.name == "k_means":
                taken = front(chromium, address)
                taken.quantize(128).save(Path(__file__).with_name("k_means.png"), optimize=True)
                taken = room(chromium, address)
                taken.quantize(128).save(Path(__file__).with_name("room.png"), optimize=True)
        for each in (each for week in weeks() for each in week.situations if each.lab in labs):
            link = f"{each.lab.name}?{urlencode(each.experiment.link)}"
            taken = pictures(chromium, address, link, keys_of(each), SMALL)
            for theme, image in taken.items():
                image.quantize(24, COLOURS, kmeans=1).save(each.picture(theme), optimize=True)
        chromium.close()


if __name__ == "__main__":
    main()
