"""The lab's questions, judged from the ways and the maps alone."""

import re

import numpy as np

from algorithms.reduction.unrolling.short_cuts import yardstick
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "neighbors": [2, 4, 6, 9, 13, 20],
    "data": ["spiral", "moons", "iris"],
    "noise": [0.02, 0.1],
    "sample": range(20),
}


def judge(asked: Asked) -> str:
    parts = [float(re.search(r"[\d.]+", each.text)[0]) for each in asked.question.options]
    rows = np.unique(np.linspace(0, len(asked.X) - 1, min(len(asked.X), 200)).round().astype(int))
    if asked.after.phase == "map":
        measure = yardstick(asked.data.table[rows])
        value = measure.kept(asked.after.embedding[:, :1])
        kind = "map"
    else:
        # The scene knows the picked point; any share that fits one of the points is possible.
        ends = asked.steps[-1].geodesics
        reached = np.isclose(asked.after.ways, ends, rtol=1e-9, atol=0).mean(axis=1)
        count = int(re.search(r"It has (\d+) of", asked.question.reason)[1])
        assert np.isclose(reached, count / len(rows)).any()
        value, kind = count / len(rows), "ways"
    assert np.abs(np.subtract(parts, value)).argmin() == asked.question.right
    return kind


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("unrolling", SETTINGS, count, judge, {"ways", "map"})
