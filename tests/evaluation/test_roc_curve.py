from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    f1_score,
    precision_recall_curve,
    roc_auc_score,
)
from sklearn.metrics import roc_curve as in_scikit_learn

from algorithms.core.splits import held_out
from algorithms.evaluation.held_out_scores import SCORERS, Judged, judged, split, thinned
from algorithms.evaluation.roc_curve import RocStep, pairs, roc_curve
from tests.core.samples import dataset
from tests.house.check_steps import LABELS, AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"scores": np.round(np.random.default_rng(5).normal(size=40) + (LABELS == 5), 1)}
NOISE = {"moons": 0.6, "parallel": 0.5, "xor": 0.5, "circles": 0.4, "row": 0.8}
SCIKIT_LEARN = Checked(
    "thresholds",
    "scikit-learn's roc_curve and roc_auc_score",
    60,
    "curves of six classifiers",
    within=1e-12,
)
PAIRS = Checked(
    "thresholds",
    "All pairs of a positive and a negative, for the area",
    100,
    "random rankings with ties",
    within=1e-12,
)

ranked = st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=2, max_size=30).filter(
    lambda found: len({positive for positive, _ in found}) == 2
)


def arrays_of(found: list[tuple[bool, int]]) -> tuple[ndarray, ndarray]:
    return np.array([int(p) for p, _ in found]), np.array([float(s) for _, s in found])


def scored(name: str, classifier: str, seed: int = 0) -> Judged:
    data = dataset(name, 150, sample=seed, noise=NOISE[name])
    held = held_out(150, 0.5, rng=np.random.default_rng([seed, 1]), codes=data.labels)
    return judged(
        data.X, data.labels, positive=1, held_out=held, classifier=classifier,
        scale="as they are", rng=np.random.default_rng(0),
    )  # fmt: skip


# scikit-learn


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    classifier = SCORERS[case // len(NOISE) % len(SCORERS)]
    found = scored(list(NOISE)[case % len(NOISE)], classifier, seed=case // 30)
    y, scores = found.positive, found.scores
    steps = check_steps(roc_curve(y, scores))
    false, true, thresholds = in_scikit_learn(y, scores, drop_intermediate=False)
    rates = [(step.false_positive_rate, step.true_positive_rate) for step in steps]
    theirs = np.column_stack([false, true])
    np.testing.assert_allclose(rates, theirs, rtol=0, atol=SCIKIT_LEARN.within)
    np.testing.assert_array_equal([step.threshold for step in steps[1:]], thresholds[1:])
    assert steps[0].threshold == np.nextafter(thresholds[1], np.inf)
    area = roc_auc_score(y, scores)
    assert steps[-1].area == pytest.approx(area, rel=0, abs=SCIKIT_LEARN.within)
    precision, recall, _ = precision_recall_curve(y, scores)
    found_at = {(round(r, 12), round(p, 12)) for r, p in zip(recall, precision, strict=True)}
    for step in steps:
        assert (round(step.true_positive_rate, 12), round(step.precision, 12)) in found_at


@pytest.mark.parametrize("name", NOISE)
def test_the_counts_are_those_of_the_decisions(name: str) -> None:
    found = scored(name, "LDA")
    for step in roc_curve(found.positive, found.scores):
        said = step.predict(found.scores)
        (tn, fp), (fn, tp) = confusion_matrix(found.positive, said)
        counts = (
            step.true_negatives, step.false_positives, step.false_negatives, step.true_positives
        )  # fmt: skip
        assert counts == (tn, fp, fn, tp)
        assert step.accuracy == pytest.approx(accuracy_score(found.positive, said))
        assert step.f1 == pytest.approx(f1_score(found.positive, said))


# Properties


@given(ranked)
@settings(deadline=None, max_examples=PAIRS.cases)
def test_the_area_is_the_share_of_pairs_in_the_right_order(found: list) -> None:
    y, scores = arrays_of(found)
    differences = scores[y == 1][:, None] - scores[y == 0]
    right, tied = int((differences > 0).sum()), int((differences == 0).sum())
    counted = pairs(y, scores)
    assert (counted.right, counted.tied, counted.count) == (right, tied, differences.size)
    area = list(roc_curve(y, scores))[-1].area
    assert area == pytest.approx(counted.share, rel=0, abs=PAIRS.within)


@given(ranked)
@settings(deadline=None)
def test_ties_share_a_step_and_every_step_goes_up_or_right(found: list) -> None:
    y, scores = arrays_of(found)
    steps = check_steps(roc_curve(y, scores))
    assert len(steps) == 1 + len(np.unique(scores))
    assert (steps[0].true_positives, steps[0].false_positives) == (0, 0)
    assert (steps[-1].true_positive_rate, steps[-1].false_positive_rate) == (1, 1)
    for before, step in pairwise(steps):
        up = step.true_positives - before.true_positives
        right = step.false_positives - before.false_positives
        assert up >= 0
        assert right >= 0
        assert up + right == (scores == step.threshold).sum()
        assert step.area >= before.area


@given(ranked)
@settings(deadline=None)
def test_only_the_order_of_the_scores_counts(found: list) -> None:
    y, scores = arrays_of(found)
    for other in (scores**3, 1 / (1 + np.exp(-scores)), 7 * scores - 2):
        assert rates(list(roc_curve(y, scores))) == rates(list(roc_curve(y, other)))
    turned = list(roc_curve(y, -scores))[-1].area
    assert turned == pytest.approx(1 - list(roc_curve(y, scores))[-1].area, abs=1e-14)


@given(ranked)
@settings(deadline=None)
def test_a_dearer_miss_never_raises_the_cheapest_threshold(found: list) -> None:
    y, scores = arrays_of(found)
    before = np.inf
    for miss in (0.0, 0.1, 0.5, 1.0, 2.0, 10.0, 1000.0):
        steps = list(roc_curve(y, scores, miss=miss))
        best = next(step for step in steps if step.event == "least cost")
        assert best.cost == min(step.cost for step in steps)
        assert best.cost == best.false_positives + miss * best.false_negatives
        assert best.threshold <= before
        before = best.threshold


def rates(steps: list[RocStep]) -> list[tuple[float, float]]:
    return [(step.false_positive_rate, step.true_positive_rate) for step in steps]


# Worked numbers, events and refusals


def test_worked_numbers() -> None:
    y, scores = np.array([1, 0, 1, 1, 0]), np.array([5.0, 4.0, 4.0, 2.0, 1.0])
    steps = list(roc_curve(y, scores, miss=2.0))
    assert rates(steps) == [(0, 0), (0, 1 / 3), (0.5, 2 / 3), (0.5, 1), (1, 1)]
    assert steps[-1].area == pairs(y, scores).share == (4 + 1 / 2) / 6
    assert [step.cost for step in steps] == [6, 4, 3, 1, 2]
    assert [step.event for step in steps] == [
        None, None, "first false alarm", "least cost", None
    ]  # fmt: skip
    assert steps[0].precision == 1
    assert (steps[2].precision, steps[2].f1, steps[2].accuracy) == (2 / 3, 2 / 3, 3 / 5)


def test_no_miss_left_is_where_the_last_positive_is_found() -> None:
    steps = list(roc_curve(np.array([0, 1, 0, 0, 0]), np.array([3.0, 2.0, 1.0, 0.0, 4.0])))
    events = [step.event for step in steps]
    assert events == ["least cost", "first false alarm", None, "no miss left", None, None]


def test_one_score_for_all_is_a_coin() -> None:
    steps = check_steps(roc_curve(np.array([0, 1, 1]), np.zeros(3)))
    assert len(steps) == 2
    assert steps[-1].area == 0.5


@pytest.mark.parametrize(
    ("y", "scores", "sentence"),
    [
        ([0, 0], [1.0, 2.0], "y must name at least two classes"),
        ([0, 1, 2], [1.0, 2.0, 3.0], "y must name exactly two classes, got 3"),
        ([0, 1], [1.0, np.nan], "scores must be finite"),
        ([0, 1], [1.0, 2.0, 3.0], "y must have shape"),
    ],
)
def test_refusals(y: list, scores: list, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        roc_curve(np.array(y), np.array(scores))
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        pairs(np.array(y), np.array(scores))


@pytest.mark.parametrize("classifier", SCORERS)
@pytest.mark.parametrize("scale", ["cubed", "ranks"])
def test_a_map_of_the_scores_calls_the_same_points(classifier: str, scale: str) -> None:
    plain = scored("moons", classifier)
    data = dataset("moons", 150, noise=0.6)
    mapped = judged(
        data.X, data.labels, positive=1, held_out=plain.held_out, classifier=classifier,
        scale=scale, rng=np.random.default_rng(0),
    )  # fmt: skip
    steps = list(roc_curve(mapped.positive, mapped.scores))
    assert rates(steps) == rates(list(roc_curve(plain.positive, plain.scores)))
    for step in steps:
        called = mapped.scores >= step.threshold
        t = mapped.raw_threshold(step.threshold)
        np.testing.assert_array_equal(called, mapped.raw >= t)
        np.testing.assert_array_equal(called, mapped.score(data.X[mapped.held_out]) >= t)


def test_both_parts_need_positives_and_others() -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    how = {"positive": 1, "classifier": "LDA", "scale": "ranks", "rng": np.random.default_rng(0)}
    for held, what in (([0, 0, 1, 0], "held out, got 0 positives of 1"), ([0, 1, 0, 1], "learned")):
        with pytest.raises(ValueError, match=f"among the points {what}"):
            judged(X, y, held_out=np.array(held, bool), **how)


@given(st.lists(st.booleans(), min_size=4, max_size=40), st.floats(0.05, 1), st.integers(0, 50))
@settings(deadline=None)
def test_both_parts_have_positives_and_others_where_there_are_two_of_each(
    found: list[bool], kept: float, seed: int
) -> None:
    positive = np.array([True, True, False, False, *found])
    held = split(positive, 0.5, rng=np.random.default_rng([seed, 1]))
    stay = thinned(positive, held, kept, rng=np.random.default_rng([seed, 2]))
    assert stay[~positive].all()
    for part in (held, ~held):
        assert (positive & stay & part).any()
        assert (~positive & part).any()
    if kept == 1:
        assert stay.all()
