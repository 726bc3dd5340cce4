"""CLARA, sample by sample, against PAM and the definition of its cost; its pictures and words."""

from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray
from sklearn.metrics import pairwise_distances

from algorithms.clustering.k_medoids.clara import ClaraStep, Event, clara
from algorithms.clustering.k_medoids.k_medoids import METRICS, k_medoids
from tests.clustering.dbscan.test_dbscan import PRESETS
from tests.clustering.k_medoids.test_k_medoids import THEIRS, cost
from tests.core.figures import line, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from tests.house.checked import Checked
from viz.clustering.k_medoids.clara import Samples
from viz.core.plane import SIZES
from viz.core.scene import Run


def run(X: ndarray, k: int, seed: int = 0, **how) -> list[ClaraStep]:
    return check_steps(clara(X, k, rng=np.random.default_rng(seed), **how))


def pam(X: ndarray, k: int, metric: str = "euclidean") -> list:
    return list(k_medoids(X, k, rng=np.random.default_rng(0), metric=metric))


BY_DEFINITION = Checked(
    "k_medoids", "CLARA's samples, each solved by PAM and judged by all points", 18, "runs"
)
assert BY_DEFINITION.cases == len(PRESETS) * len(METRICS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
def test_every_sample_is_drawn_solved_and_judged_as_defined(name: str, metric: str) -> None:
    X, k, size = points_of(name, 60), 3, 15
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
    X = points_of(name, 40)
    ours, theirs = run(X, 3, size=99, samples=2), pam(X, 3)[-1]
    for step in ours:
        assert step.medoids.tolist() == theirs.medoids.tolist()
        assert step.cost == step.sample_cost == pytest.approx(theirs.cost)


def test_samples_have_the_published_size_unless_said() -> None:
    steps = run(points_of("blobs"), 4)
    assert [len(step.sample) for step in steps] == [48] * 6
    assert len(run(points_of("blobs"), 2)[0].sample) == 44


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

X = points_of("blobs")
STEPS = run(X, 4, size=14)
RIVAL = pam(X, 4)[-1].cost


def show(X: ndarray, steps: list[ClaraStep]) -> Samples:
    return Samples(Run("", steps), board(X), Run("", pam(X, len(steps[0].medoids))))


MODE = show(X, STEPS)


def test_the_picture_shows_the_sample_and_all_points() -> None:
    for now, step in enumerate(STEPS):
        figure = MODE.picture(now)
        np.testing.assert_array_equal(unpacked(figure["points"]["group"]), step.labels)
        large = np.flatnonzero(unpacked(figure["points"]["size"]) > SIZES)
        assert large.tolist() == step.sample.tolist()
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        assert np.hypot(*(ends[:, :2] - ends[:, 2:]).T).sum() == pytest.approx(step.cost, rel=1e-5)


@pytest.mark.parametrize("n", [1, 1000, 1001])
def test_up_to_1000_points_are_joined_with_their_medoids(n: int) -> None:
    X = points_of("moons", n)
    assert ("edges" in show(X, run(X, 1, size=10)).picture(0)) == (n <= 1000)


def test_the_means_are_drawn_over_the_samples() -> None:
    over_all, over_every, inside, inside_every, level, ring = MODE.means(2)["data"]
    assert over_every["y"] == pytest.approx([step.cost / 200 for step in STEPS[:-1]])
    assert inside_every["y"] == pytest.approx([step.sample_cost / 14 for step in STEPS[:-1]])
    for so_far, every in ((over_all, over_every), (inside, inside_every)):
        assert so_far["y"] == [*every["y"][:3], *[None] * (len(every["y"]) - 3)]
    assert set(line(level)[:, 1]) == {RIVAL / 200}
    assert (ring["x"], ring["y"]) == ([3], [STEPS[2].cost / 200])


@pytest.mark.parametrize("event", [*event_names(Event), None])
def test_the_captions_recomputed(event: str | None) -> None:
    found = [now for now, step in enumerate(STEPS) if step.event == event]
    assert found
    for now in found:
        step = STEPS[now]
        first, rule, *work = map(numbers, MODE.caption(now).split("\n"))
        np.testing.assert_allclose(numbers(MODE.answer(now)), [RIVAL], rtol=6e-4)
        np.testing.assert_allclose(
            rule, [200, step.cost, step.cost / 200, step.sample_cost / 14], rtol=6e-3
        )
        if step.judged:
            told = [5, step.cost, step.number + 1]
            assert work == [[200, 40_000, 14, 14 * 14]]
        else:
            told = [step.number + 1, 5, 14, step.cost] + [step.lowest] * (event is None)
            assert not work
        np.testing.assert_allclose(first, told, rtol=6e-3)
