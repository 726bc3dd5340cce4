"""The lines in the picture of all hypotheses."""

import numpy as np
import pytest

from algorithms.probability.all_hypotheses import all_hypotheses
from algorithms.probability.lines import average_errors, random_lines, says
from tests.core.figures import unpacked
from viz.core.scene import Run
from viz.probability.all_hypotheses import LineVotes


def voting(m: int) -> LineVotes:
    rng = np.random.default_rng(m)
    cloud, X = random_lines(m, rng=rng), rng.uniform(-2, 2, (8, 2))
    labels = says(cloud, X)[:, 0]
    steps = list(all_hypotheses(says(cloud, X), labels, noise=0.1, rng=rng))
    average = average_errors(cloud, 8, 0.1, rng=rng)
    return LineVotes(
        Run("", steps), cloud, X, labels, 0.1, 0, average, np.zeros(2), shown=True, gibbs=False
    )


@pytest.mark.parametrize("m", [20, 200])
def test_only_the_heaviest_voters_are_drawn(m: int) -> None:
    shown = voting(m)
    for now, step in enumerate(shown.steps):
        edges = shown.picture(now)["edges"]
        seen = np.flatnonzero(unpacked(edges["width"]) > 0)
        assert step.most_probable not in seen  # it has a line of its own
        heaviest = step.weights[step.weights.argsort()[-30:]].min() if m > 30 else 0
        assert len(seen) in ({m - 1} if m <= 30 else {29, 30})
        assert (step.weights[seen] >= heaviest).all()


def test_before_the_first_point_no_line_is_the_heaviest() -> None:
    shown = voting(20)
    for now in range(9):
        figure = shown.picture(now)
        (line,) = [each for each in figure["data"] if "most weight" in each.get("name", "")]
        named = [text for each in figure["data"] for text in each.get("text") or ()]
        told = now > 0
        assert np.isfinite(unpacked(line["x"])).any() == told or "≈ MAP" in " ".join(named)
        assert any("MAP" in text for text in named) == told
        assert ("MAP" in shown.caption(now)) == told
        ring = shown.this_run(now)["data"][-2]
        assert np.isfinite(unpacked(ring["y"])[0]) == told
