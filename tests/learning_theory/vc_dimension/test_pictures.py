"""The wall of labellings and the bars beside it."""

from math import comb

import pytest

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session

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
