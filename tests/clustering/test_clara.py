"""CLARA, sample by sample, against PAM and the definition of its cost; its pictures and words."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray
from sklearn.metrics import pairwise_distances

from algorithms.clustering.clara import ClaraStep, Event, clara
from algorithms.clustering.k_medoids import METRICS, k_medoids
from tests.clustering.test_dbscan import PRESETS, preset
from tests.clustering.test_k_medoids import THEIRS, cost
from tests.clustering.test_viz_dbscan import board
from tests.core.figures import drawn, line, unpacked
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from viz.clustering import clara as draw
from viz.core.plane import SIZES
from viz.core.scene import Run, Scene
from viz.core.words import number


def run(X: ndarray, k: int, seed: int = 0, **how) -> list[ClaraStep]:
    return check_steps(clara(X, k, rng=np.random.default_rng(seed), **how))


def pam(X: ndarray, k: int, metric: str = "euclidean") -> list:
    return list(k_medoids(X, k, rng=np.random.default_rng(0), metric=metric))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
def test_every_sample_is_drawn_solved_and_judged_as_defined(name: str, metric: str) -> None:
    X, k, size = preset(name, 60), 3, 15
    D = pairwise_distances(X, metric=THEIRS[metric])
    steps = run(X, k, metric=metric, size=size, samples=6)
    best: list[ClaraStep] = []
    for index, step in enumerate(steps[:-1]):
        assert step.number == index and not step.judged
        assert len(set(step.sample.tolist())) == size
        assert (np.diff(step.sample) > 0).all()
        if best:
            assert set(best[-1].medoids.tolist()) <= set(step.sample.tolist())
        ours = pam(X[step.sample], k, metric)[-1]
        assert step.medoids.tolist() == step.sample[ours.medoids].tolist()
        assert step.sample_cost == pytest.approx(ours.cost)
        assert step.cost == pytest.approx(cost(D, step.medoids.tolist()))
        np.testing.assert_array_equal(step.labels, D[step.medoids].argmin(axis=0))
        np.testing.assert_array_equal(step.predict(X), step.labels)
        better = not best or step.cost < best[-1].cost
        assert (step.event == "the best so far") == better
        best += [step] if better else []
        assert step.lowest == best[-1].cost
    assert [b.lowest >= a.lowest for a, b in pairwise(reversed(steps))] == [True] * (len(steps) - 1)
    assert steps[-1].event == "all samples are judged" and steps[-1].judged
    assert steps[-1].medoids.tolist() == best[-1].medoids.tolist()


@pytest.mark.parametrize("name", PRESETS)
def test_a_sample_of_all_points_is_pam(name: str) -> None:
    X = preset(name, 40)
    ours, theirs = run(X, 3, size=99, samples=2), pam(X, 3)[-1]
    for step in ours:
        assert step.medoids.tolist() == theirs.medoids.tolist()
        assert step.cost == step.sample_cost == pytest.approx(theirs.cost)


def test_samples_have_the_published_size_unless_said() -> None:
    steps = run(preset("blobs"), 4)
    assert [len(step.sample) for step in steps] == [48] * 6
    assert len(run(preset("blobs"), 2)[0].sample) == 44


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"samples": 0}, "samples must be at least 1"),
        ({"size": 1}, "size must be at least 2"),
        ({"metric": "cosine"}, "metric must be one of 'euclidean'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        clara(**{"X": np.eye(3), "k": 2, "rng": np.random.default_rng(0)} | changes)


# Pictures and words

X = preset("blobs")
STEPS = run(X, 4, size=14)
RIVAL = pam(X, 4)[-1].cost


def show(X: ndarray, steps: list[ClaraStep]) -> Scene:
    return draw.samples(Run("", steps), board(X), Run("", pam(X, len(steps[0].medoids))))


SCENE = show(X, STEPS)


@pytest.mark.parametrize(("n", "k"), [(200, 1), (1, 1), (3, 3), (1001, 2)])
def test_every_step_has_the_same_traces(n: int, k: int) -> None:
    X = preset("moons", n)
    steps = run(X, k, size=10)
    scene = show(X, steps)
    for now in range(len(steps)):
        for figure in drawn(scene, now):
            json.dumps(figure, allow_nan=False)
        assert not re.search(r"\b(nan|inf)\b", scene.caption(now))
    assert ("edges" in drawn(scene, 0)[0]) == (n <= 1000)


def test_the_picture_shows_the_sample_and_all_points() -> None:
    for now, step in enumerate(STEPS):
        figure = drawn(SCENE, now)[0]
        np.testing.assert_array_equal(unpacked(figure["points"]["group"]), step.labels)
        large = np.flatnonzero(unpacked(figure["points"]["size"]) > SIZES)
        assert large.tolist() == step.sample.tolist()
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        assert np.hypot(*(ends[:, :2] - ends[:, 2:]).T).sum() == pytest.approx(step.cost, rel=1e-5)


def test_the_means_are_drawn_over_the_samples() -> None:
    over_all, inside, level, ring = drawn(SCENE, 2)[1]["data"]
    assert over_all["y"] == pytest.approx([step.cost / 200 for step in STEPS[:-1]])
    assert inside["y"] == pytest.approx([step.sample_cost / 14 for step in STEPS[:-1]])
    assert set(line(level)[:, 1]) == {RIVAL / 200}
    assert (ring["x"], ring["y"]) == ([3], [STEPS[2].cost / 200])


@pytest.mark.parametrize("event", [*event_names(Event), None])
def test_every_event_has_its_words(event: str | None) -> None:
    found = [now for now, step in enumerate(STEPS) if step.event == event]
    assert found
    for now in found:
        step = STEPS[now]
        first, rule, rival = SCENE.caption(now).split("\n")
        paid = number(step.cost, 4)
        assert f"= {paid} over all 200 points, {step.cost / 200:.3g} a point;" in rule
        assert rule.endswith(f"it is {step.sample_cost / 14:.3g} a point.")
        assert rival.startswith(f"PAM on all points ends at {number(RIVAL, 4)}.")
        wanted = {
            "the best so far": f"that cost {paid} for all points, the best so far.",
            "all samples are judged": f"5 samples: the lowest cost is {paid}, of sample ",
            None: f"for all points, no better than {number(step.lowest, 4)}.",
        }
        assert wanted[event] in first
        assert ("n² = 40,000 distances" in rival) == step.judged
