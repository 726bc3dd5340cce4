"""Take the pictures of the gallery, light and dark, and of the README.

.venv/bin/python docs/take_pictures.py [lab ...]
"""

import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from benchmarks.app import serve
from pages._shared.labs import LABS, LabFile
from tests.browser.conftest import BROWSERS, FLAGS, Stage, installed, visit_gallery

SIZE = (400, 300)
KEYS = {  # of the others, the end
    "hierarchical_clustering": ["End", "ArrowLeft", "ArrowLeft"],
    "linear_paths": ["]"] * 9,
    "pca": ["]"],
    "thresholds": ["]"] * 2,
    "wall": ["ArrowRight"] * 10,
}


def picture(chromium: Browser, address: str, lab: LabFile, theme: str) -> Image.Image:
    """Open a lab, go to its step and cut the picture out of the stage."""
    page = chromium.new_page(viewport={"width": 1000, "height": 760}, color_scheme=theme)
    stage = Stage(page, address)
    stage.open(lab.name)
    page.wait_for_timeout(1000)
    stage.press(*KEYS.get(lab.name, ["End"]))
    page.wait_for_timeout(1000)
    area = stage.area
    height = area["width"] * SIZE[1] / SIZE[0]
    top = area["y"] + (area["height"] - height) / 2
    shot = page.screenshot(
        clip={"x": area["x"], "y": top, "width": area["width"], "height": height}
    )
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def front(chromium: Browser, address: str) -> Image.Image:
    """Take the README's picture: all of the k-means lab, at its fourth step."""
    page = chromium.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light")
    stage = Stage(page, address)
    stage.open("k_means")
    page.wait_for_timeout(1000)
    stage.press(*["ArrowRight"] * 4)
    page.wait_for_timeout(1000)
    shot = page.screenshot()
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


def main() -> None:
    """Write the files that the gallery and the README look for."""
    with serve() as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(BROWSERS), args=FLAGS)
        address = f"http://127.0.0.1:{server.port}"
        visit_gallery(chromium, address)
        for lab in LABS:
            if sys.argv[1:] and lab.name not in sys.argv[1:]:
                continue
            for theme in ("light", "dark"):
                taken = picture(chromium, address, lab, theme)
                taken.quantize(64).save(lab.picture(theme), optimize=True)
            if lab.name == "k_means":
                taken = front(chromium, address)
                taken.quantize(128).save(Path(__file__).with_name("k_means.png"), optimize=True)
        chromium.close()


if __name__ == "__main__":
    main()
