from collections import Counter

import numpy as np
import pytest

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.decision_tree.resampled_trees import (
    ResampledTreeStep,
    grid_votes,
    resampled_trees,
    votes,
)
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset
from tests.house.check_steps import LABELS, POINTS, AsInTheApp, check_steps

HOW = {"max_depth": 4, "criterion": "gini"}


def steps_on(name: str = "moons", sample: int = 0, **how) -> list[ResampledTreeStep]:
    data = dataset(name, 200, sample=sample, noise=0.3)
    rng = np.random.default_rng([sample, 1])
    return check_steps(resampled_trees(data.X, data.labels, rng=rng, **how))


def test_every_tree_is_that_of_its_resample() -> None:
    rng = np.random.default_rng(5)
    steps = check_steps(resampled_trees(POINTS, LABELS, resamples=6, rng=rng, growing=HOW))
    assert len(steps) == 7
    again, first = np.random.default_rng(5), last(decision_tree(POINTS, LABELS, **HOW))
    for b, step in enumerate(steps):
        rows = np.arange(40) if b == 0 else again.integers(40, size=40)
        counts = Counter(rows.tolist())
        assert step.drawn.tolist() == [counts[i] for i in range(40)]
        tree = last(decision_tree(POINTS[rows], LABELS[rows], **HOW)).tree
        for name in ("feature", "threshold", "counts"):
            np.testing.assert_array_equal(getattr(step.tree, name), getattr(tree, name))
        np.testing.assert_array_equal(step.changed, tree.predict(POINTS) != first.predict(POINTS))


def test_another_first_question_parts_more_than_a_tenth_of_the_points_otherwise() -> None:
    data = dataset("moons", 200, noise=0.3)
    steps = steps_on()
    seen = set()
    for step in steps:
        sides = [
            data.X[:, tree.feature[0]] <= tree.threshold[0] for tree in (step.tree, steps[0].tree)
        ]
        moved = np.mean(sides[0] != sides[1])
        assert step.parted == pytest.approx(min(moved, 1 - moved))
        assert (step.event == "another first question") == (step.parted > 0.1)
        seen.add((step.event, bool(step.tree.feature[0] != steps[0].tree.feature[0])))
    assert ("another first question", False) in seen, "the same feature, elsewhere"


def test_a_tree_without_a_question_sends_all_points_one_way() -> None:
    X, y = np.zeros((6, 2)), np.array([0, 1, 1, 0, 1, 1])
    for step in check_steps(resampled_trees(X, y, resamples=5, rng=np.random.default_rng(0))):
        assert (step.parted, step.event, len(step.tree.leaves)) == (0.0, None, 1)


def test_a_resample_of_one_class_is_drawn_again() -> None:
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1])
    steps = check_steps(resampled_trees(X, y, resamples=60, rng=np.random.default_rng(0)))
    assert all(step.drawn[0] > 0 and step.drawn[1:].sum() > 0 for step in steps)
    assert all(step.drawn.sum() == 3 for step in steps)


def test_about_37_percent_of_the_points_are_missing() -> None:
    missing = np.mean([step.drawn == 0 for step in steps_on(resamples=40)[1:]])
    assert missing == pytest.approx((1 - 1 / 200) ** 200, abs=0.02)
    assert abs((1 - 1 / 200) ** 200 - 0.37) < 0.005, "the lesson says 37 %"


def test_the_votes_over_a_grid_and_at_a_point() -> None:
    steps = steps_on("blobs", resamples=7)
    x, y = np.linspace(-3, 3, 30), np.linspace(-2, 4, 25)
    cells = np.column_stack([np.tile(x, 25), np.repeat(y, 30)])
    says = np.array([step.predict(cells).reshape(25, 30) for step in steps])
    found = grid_votes(steps, x, y)
    np.testing.assert_array_equal(found.classes[found.says], says)
    np.testing.assert_allclose(found.changed, [np.mean(one != says[0]) for one in says])
    for now in (0, 1, 4, 7):
        winner, share = found.vote(now)
        voting = says[:1] if now == 0 else says[1 : now + 1]
        counts = np.array([(voting == k).sum(axis=0) for k in range(3)])
        np.testing.assert_array_equal(winner, counts.argmax(axis=0))
        np.testing.assert_allclose(share, counts.max(axis=0) / len(voting))
        point = np.array([x[17], y[9]])
        np.testing.assert_array_equal(votes(steps, point, 3)[now], counts[:, 9, 17])


def test_the_leaf_of_every_cell_is_that_of_its_middle() -> None:
    tree = last(decision_tree(POINTS, LABELS, max_depth=9)).tree
    x = np.sort(np.append(np.linspace(-4, 4, 40), tree.threshold[tree.inner]))
    y = np.linspace(-3, 3, 17)
    cells = np.column_stack([np.tile(x, 17), np.repeat(y, len(x))])
    np.testing.assert_array_equal(tree.over_grid(x, y).ravel(), tree.apply(cells))


def test_the_vote_is_mostly_better_than_a_single_tree() -> None:
    """The lesson's idea says so about bagging."""
    better = []
    for name in ("moons", "circles", "spirals", "blobs"):
        for sample in range(5):
            steps = steps_on(name, sample)
            preset = DATASETS[name]
            fresh = preset.make(1000, noise=0.3, rng=np.random.default_rng(99 + sample))
            says = np.array([step.predict(fresh.X) for step in steps[1:]])
            votes = np.array([(says == k).sum(axis=0) for k in range(says.max() + 1)])
            single = np.mean(says != fresh.labels, axis=1)
            better.append(np.mean(votes.argmax(axis=0) != fresh.labels) <= np.median(single))
    assert np.mean(better) >= 0.85


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"resamples": 0}, "resamples must be at least 1, got resamples=0"),
        ({"growing": {"max_depth": 0}}, "max_depth must be at least 1, got max_depth=0"),
        ({"y": np.ones(40, int)}, "y must name at least two classes, got only class 1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": POINTS, "y": LABELS, "rng": np.random.default_rng(0)} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        resampled_trees(**given)
    assert str(caught.value) == sentence
