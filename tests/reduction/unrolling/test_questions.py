"""The lab's questions, judged from the ways and the maps alone."""

import re

import numpy as np

from algorithms.reduction.unrolling.short_cuts import yardstick
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import value as read

SETTINGS = {
    "view": ["isomap", "locally linear", "eigenmaps"],
    "width": [2, 3, 6, 10],
    "neighbors": [2, 4, 6, 9, 13, 20],
    "data": ["spiral", "moons", "iris"],
    "noise": [0.02, 0.1],
    "sample": range(20),
}


def judge(asked: Asked) -> str:
    rows = np.unique(np.linspace(0, len(asked.X) - 1, min(len(asked.X), 200)).round().astype(int))
    table, text, after = asked.data.table[rows], asked.question.text, asked.after
    if "largest weight" in text:
        return judge_weights(asked, table)
    if after.phase == "map":
        kept = yardstick(table).kept
        value = kept(after.embedding[:, : after.axes])
        if "another tenth" in text:
            began = asked.before.axes > 0
            before = kept(asked.before.embedding) if began else yardstick(table).pca
            assert asked.right == ("it rises" if value > before else "it falls")
            return "unrolls"
        if "rise or fall" in text:
            before = kept(after.embedding[:, : after.axes - 1])
            assert asked.right == ("it rises" if value > before else "it falls")
            return "second axis"
        kind = "map"
    else:
        # The scene knows the picked point; any share that fits one of the points is possible.
        ends = asked.steps[-1].geodesics
        reached = np.isclose(after.ways, ends, rtol=1e-9, atol=0).mean(axis=1)
        count = int(re.search(r"It has (\d+) of", asked.question.reason)[1])
        assert np.isclose(reached, count / len(rows)).any()
        value, kind = count / len(rows), "ways"
    parts = [float(re.search(r"[\d.]+", each.text)[0]) for each in asked.question.options]
    assert np.abs(np.subtract(parts, value)).argmin() == asked.question.right
    return kind


def judge_weights(asked: Asked, table: np.ndarray) -> str:
    """Find the picked point by its neighbours and their distances, and solve for its weights."""
    told = [re.findall(r"[\d.]+", option.text) for option in asked.question.options]
    options = [int(name) - 1 for name, *_ in told]
    away = np.array(
        [read(option.text.split(", ")[1].split(" away")[0]) for option in asked.question.options]
    )
    neighbors = asked.after.neighbors
    fits = [
        i
        for i, near in enumerate(neighbors)
        if set(options) <= set(near.tolist())
        and np.allclose(np.linalg.norm(table[options] - table[i], axis=1), away, rtol=5e-3)
    ]
    heaviest = {options[int(asked.after.weights[i, options].argmax())] for i in fits}
    assert options[asked.question.right] in heaviest
    return "weights"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements(
        "unrolling", SETTINGS, count, judge, {"ways", "map", "weights", "second axis", "unrolls"}
    )
