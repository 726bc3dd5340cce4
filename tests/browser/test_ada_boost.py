import re

import numpy as np
from playwright.sync_api import expect


def diameters(stage) -> np.ndarray:
    """Return how wide every data point is drawn, in pixels, without its outline."""
    return np.array(stage.points.evaluate_all("nodes => nodes.map((node) => node.getBBox().width)"))


def wrong(stage) -> int:
    """Return how many points the caption says are wrong: by the vote, or by the first tree."""
    said = re.findall(
        r"gets (none|\d+) of \d+ wrong|misses (\d+) of them", stage.caption.inner_text()
    )
    count = "".join(said[-1])
    return 0 if count == "none" else int(count)


def test_points_that_are_wrong_grow_and_the_vote_gets_better(stage):
    stage.open("ada_boost?held=0")
    expect(stage.caption).to_contain_text("Round 1: all 200 points weigh the same")
    first = wrong(stage)
    assert len(set(diameters(stage).round(3))) <= 2  # circles and squares
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Round 2: the ")
    after = diameters(stage)
    assert len(after) == 200
    assert after.max() > 1.5 * after.min()
    stage.press("End")
    expect(stage.caption).to_contain_text("Round 25")
    assert wrong(stage) < first / 4
