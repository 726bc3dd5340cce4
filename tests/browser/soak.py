"""Random use of the labs for any time: widgets, strokes, files, pages, reloads."""

import random
import re
import time
from collections.abc import Callable

from playwright.sync_api import Error, expect

from pages._shared.lab.catalogue import LABS
from tests.browser.conftest import Stage

FILES = (
    "x;y;sort\n1,5;2,5;a\n2,5;1,5;a\n3,0;4,0;b\n4,0;3,5;b\n",
    "a,b\n1,2\n3,4\n5,6\n7,9\n",
    "a,b\n1,x\n",  # no second column of numbers: refused with a sentence
    "",
)
TOOLS = ("Point", "Brush", "Move", "Erase", "Relabel")
KEYS = ("ArrowRight", "ArrowLeft", "Home", "End", "]", "[", " ", "Control+z", "Control+y", "1", "2")


def use(stage: Stage, seconds: float, seed: int) -> tuple[int, int]:
    """Use the app at random, and fail if a page fails.

    Returns how many things were done, and how many were left alone because something was over
    what was to be clicked.
    """
    chance, end, done, left_alone = random.Random(seed), time.monotonic() + seconds, 0, 0
    stage.open(chance.choice(LABS).name)
    while time.monotonic() < end:
        act = chance.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        try:
            act(stage, chance)
        except Error as error:
            if "Timeout" not in str(error):
                raise
            left_alone += 1
        expect(stage.page.locator("[data-testid=stException]")).to_have_count(0)
        expect(stage.page.locator(".stage .caption, .stAppViewContainer h1").first).to_be_attached()
        done += 1
    return done, left_alone


def _go(stage: Stage, chance: random.Random) -> None:
    stage.open(chance.choice(LABS).name)


def _reload(stage: Stage, _: random.Random) -> None:
    stage.page.reload()
    expect(stage.caption).not_to_be_empty(timeout=30_000)


def _back(stage: Stage, _: random.Random) -> None:
    if re.search(r"/\w+", stage.page.url.removeprefix(stage.address)):
        stage.page.go_back()
        if not stage.page.url.startswith(stage.address):
            stage.page.go_forward()


def _experiment(stage: Stage, chance: random.Random) -> None:
    lab = chance.choice(LABS)
    parameters = chance.choice(lab.experiments).link
    stage.open(lab.name + "?" + "&".join(f"{k}={v}" for k, v in parameters.items()))


def _slide(stage: Stage, chance: random.Random) -> None:
    sliders = stage.page.get_by_test_id("stSidebar").get_by_role("slider")
    if count := sliders.count():
        slider = sliders.nth(chance.randrange(count))
        for _ in range(chance.randint(1, 4)):
            slider.press(chance.choice(("ArrowLeft", "ArrowRight")), timeout=2_000)


def _switch(stage: Stage, chance: random.Random) -> None:
    buttons = stage.page.locator(
        "[data-testid=stSidebar] [data-testid=stButtonGroup] button, "
        "[data-testid=stSidebar] [data-testid=stCheckbox] label"
    )
    if count := buttons.count():
        buttons.nth(chance.randrange(count)).click(timeout=2_000)


def _stroke(stage: Stage, chance: random.Random) -> None:
    if not stage.page.locator(".stage .tools").is_visible():
        return
    stage.page.get_by_role("button", name=chance.choice(TOOLS), exact=True).click(timeout=2_000)
    places = [(chance.random(), chance.random()) for _ in range(chance.randint(2, 4))]
    stage.drag(*places, steps=5)


def _press(stage: Stage, chance: random.Random) -> None:
    stage.page.locator(".picture").focus(timeout=2_000)
    stage.press(*chance.choices(KEYS, k=5))


def _upload(stage: Stage, chance: random.Random) -> None:
    stage.page.get_by_role("button", name="Load", exact=True).click(timeout=2_000)
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": chance.choice(FILES).encode()}
    stage.page.locator("input[type=file]").set_input_files(file, timeout=2_000)
    use = stage.page.get_by_role("button", name="Use these data")
    if chance.random() < 0.7 and use.is_enabled(timeout=2_000):
        use.click(timeout=2_000)
    else:
        stage.press("Escape")


def _clear(stage: Stage, _: random.Random) -> None:
    stage.page.get_by_role("button", name="Clear").click(timeout=2_000)


ACTIONS: dict[Callable[[Stage, random.Random], None], int] = {
    _slide: 6,
    _stroke: 6,
    _press: 6,
    _switch: 3,
    _experiment: 3,
    _go: 2,
    _upload: 2,
    _reload: 1,
    _back: 1,
    _clear: 1,
}
