"""The wall of labellings and the bars beside it."""

import re
from math import comb

import numpy as np
import pytest

from algorithms.learning_theory.vc_dimension.hypotheses import BOXES, HALF_PLANES, POLYGONS
from algorithms.learning_theory.vc_dimension.shattering import shatters
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line
from viz.core.scene import Run
from viz.learning_theory.vc_dimension.shattering import Labellings

(LAB,) = (lab for lab in LABS if lab.name == "vc_dimension")


@pytest.mark.parametrize(("hypotheses", "v"), [("half-planes", 3), ("boxes", 4)])
def test_the_wall_ends_with_the_vc_dimension(hypotheses: str, v: int, session: Session) -> None:
    session.open(LAB, hypotheses=hypotheses)
    assert session.run_shown and session.scene_shown
    wall = session.scene_shown.views[1].draw
    last = len(session.run_shown.steps) - 1
    for now in (0, last // 2, last):
        texts = [text for trace in wall(now)["data"] for text in trace.get("text", ())]
        assert (f"VC dimension of {hypotheses}: {v}" in texts) == (now == last)


def test_bars_are_all_labellings_and_the_most_that_can_be_realised(session: Session) -> None:
    session.open(LAB)
    assert session.run_shown and session.scene_shown
    every, most, so_far = session.scene_shown.views[2].draw(6)["data"]
    assert so_far["y"] == [int(session.run_shown.steps[6].realized.sum())]
    for n, (a, b) in enumerate(zip(every["y"], most["y"], strict=True), 1):
        assert (a, b) == (2**n, sum(comb(n, i) for i in range(4)))
    assert every["text"] == list(map(str, every["y"])) and most["text"] == list(map(str, most["y"]))


@pytest.mark.parametrize("hypotheses", [BOXES, POLYGONS])
def test_a_region_around_one_positive_is_seen_and_holds_no_negative(hypotheses: str) -> None:
    X = np.array([[-1.2, -0.9], [1.0, -1.1], [1.3, 0.9], [-1.1, -0.8]])
    steps = list(shatters(X, hypotheses))
    shown = Labellings(Run("", steps), X, hypotheses)
    alone = [now for now, step in enumerate(steps) if step.labels.sum() == 1]
    assert len(alone) == 4
    for now in alone:
        positive = steps[now].labels.astype(bool)
        region = line(shown.picture(now)["data"][0])
        low, high = region.min(axis=0), region.max(axis=0)
        assert (high - low > 0.09).all()
        inside = ((low <= X) & (high >= X)).all(axis=1)
        np.testing.assert_array_equal(inside, positive)
        assert "a larger one is drawn" in shown.caption(now) or now == len(steps) - 1


def test_the_point_nearest_to_the_border_and_its_distance() -> None:
    X = np.array([[-1.2, -0.9], [1.0, -1.1], [1.3, 0.9], [-0.9, 1.2]])
    steps = list(shatters(X, HALF_PLANES))
    shown = Labellings(Run("", steps), X, HALF_PLANES)
    told = 0
    for now, step in enumerate(steps[:-1]):
        found, words = step.hypothesis, shown.caption(now)
        if found is None or not np.any(found.w):
            assert "nearest" not in words
            continue
        scores = X @ found.w + found.b
        i = int(np.abs(scores).argmin())
        rule = words.split("\n")[1]
        assert rule.startswith("x" + "₁₂₃₄"[i] + ": w·x + b = ")
        assert f" = {scores[i]:.3g}".replace("-", "−") in rule
        assert ("> 0, so +" in rule) == bool(step.labels[i]) != ("< 0, so −" in rule)
        far = float(re.findall(r"\|w·x \+ b\| / ‖w‖ = ([\d.]+)\.$", rule)[0])
        assert far == pytest.approx(abs(scores[i]) / np.hypot(*found.w), rel=0.006)
        told += 1
    assert told == 11  # 14 of 16 but the last, and those where all points have one sign
    assert "That allows 15 labellings; half-planes realise 14 at most." in shown.answer(15)
