"""The lines in the picture of all hypotheses."""

import re

import numpy as np
import pytest

from algorithms.probability.all_hypotheses import all_hypotheses
from algorithms.probability.lines import average_errors, feet, random_lines, says
from pages._shared.lab.catalogue import LABS
from pages.probability.votes import draw_truth, sample
from tests.app.session import Session
from tests.core.figures import unpacked
from viz.core import plane
from viz.core.scene import Run
from viz.probability.all_hypotheses import DRAWN, LineVotes

(LAB,) = (lab for lab in LABS if lab.name == "votes")


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
        if now:
            assert step.most_probable not in seen  # it has a line of its own
        sums = np.sort(step.weights)[::-1].cumsum()
        half = int((sums < 0.5 - 1e-9).sum()) + 1  # the heaviest lines, with half of the weight
        drawn = min(half, DRAWN)
        assert len(seen) == drawn - (now > 0)
        assert (step.weights[seen] >= np.sort(step.weights)[-drawn]).all()


def test_before_the_first_point_no_line_is_the_heaviest() -> None:
    shown = voting(20)
    for now in range(9):
        figure = shown.picture(now)
        (line,) = [each for each in figure["data"] if "the most weight" in each.get("name", "")]
        (border,) = [each for each in figure["data"] if each.get("name") == "border of the vote"]
        assert np.isfinite(unpacked(border["x"])).any() == (now > 0)
        named = [text for each in figure["data"] for text in each.get("text") or ()]
        told = now > 0
        assert np.isfinite(unpacked(line["x"])).any() == told or re.search(
            "[≈=] MAP", " ".join(named)
        )
        assert any("MAP" in text for text in named) == told
        assert ("MAP" in shown.caption(now)) == told
        ring = shown.this_run(now)["data"][-2]
        assert np.isfinite(unpacked(ring["y"])[0]) == told


def test_it_opens_where_the_heaviest_line_errs_far_more_than_the_vote(session: Session) -> None:
    session.open(LAB)
    assert session.run_shown and session.scene_shown
    cloud = random_lines(200, rng=np.random.default_rng(200))
    cells = says(cloud, plane.grid((-3, 3, -3, 3), 60)[2])
    truth = cells[:, draw_truth(cloud, 2397)]
    errors = [step.errors(cells, truth) for step in session.run_shown.steps]
    ahead = [each.most_probable - each.vote for each in errors]
    opens = session.scene_shown.opens
    assert len(session.run_shown.steps[opens].heaviest) == 1
    assert ahead[opens] == max(ahead[1:])
    assert errors[opens].vote < 0.25 * errors[opens].most_probable


@pytest.mark.parametrize("truth", ["one of the lines", "a circle"])
def test_the_average_over_lines_is_shown_if_a_line_is_true(session: Session, truth: str) -> None:
    session.open(LAB, truth=truth)
    assert session.scene_shown
    titles = " ".join(view.title for view in session.scene_shown.views)
    assert ("on average over 200 true lines" in titles) == (truth == "one of the lines")


def test_the_line_nearest_to_the_handle_is_true(session: Session) -> None:
    cloud = random_lines(200, rng=np.random.default_rng(200))
    index = draw_truth(cloud, 2397)
    X, drawn = sample(cloud, index, 11, 0.1, 2397)
    noisy = says(cloud, X)[:, index] != drawn
    for j in (3, 90):
        x, y = feet(cloud)[j]
        session.open(LAB, true_line=f"{x + 0.001:.4f},{y:.4f}")
        assert session.run_shown and session.run_shown.call
        answers, labels = session.run_shown.call.args
        np.testing.assert_array_equal(answers, says(cloud, X))  # the points are the same
        np.testing.assert_array_equal(labels != answers[:, j], noisy)  # and so are wrong labels
