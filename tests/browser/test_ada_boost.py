import re

import numpy as np
from playwright.sync_api import expect


def diameters(stage) -> np.ndarray:
    """Return how wide every data point is drawn, in pixels, without its outline."""
    return np.array(stage.points.evaluate_all("nodes => nodes.map((node) => node.getBBox().width)"))


def share_of(words: str, stage) -> float:
    """Return the percentage that follows some words of the caption."""
    return float(re.search(rf"{words} ([\d.]+)\s%", stage.caption.inner_text())[1])


def test_points_that_are_wrong_grow_and_the_vote_gets_better(stage):
    stage.open("ada_boost?held=0")
    expect(stage.caption).to_contain_text("Round 1: all 200 points weigh the same")
    first = share_of("Training error", stage)
    assert len(set(diameters(stage).round(3))) <= 2  # circles and squares
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("Round 2: the stump")
    after = diameters(stage)
    assert len(after) == 200
    assert after.max() > 1.5 * after.min()
    stage.press("End")
    expect(stage.caption).to_contain_text("Round 50")
    assert share_of("Training error", stage) < first / 4
