"""The page of the wall: the lesson's statements about its runs."""

import re
from typing import Any

import numpy as np
import pytest

from algorithms.classification import classifiers
from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.classification.wall import wall
from algorithms.data.presets import DATASETS
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session, unescaped
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

WALL = next(lab for lab in LABS if lab.name == "wall")


def named(steps: Any, name: str) -> Any:
    return next(step for step in steps if step.classifier.name == name)


def notes(session: Session) -> str:
    return unescaped(" ".join(caption.value for caption in session.app.caption))


def wrong(step: Any) -> int:
    return int(step.wrong.sum())


def an_outlier(trial: Trial) -> Numbers:
    for sample in ("2", "1", "0"):
        steps = trial.steps(sample=sample)
        squares, logistic = named(steps, "Least squares"), named(steps, "Logistic")
        assert wrong(squares) > wrong(logistic) == 0
        far = np.abs(trial.session.points).max(axis=1).argmax()
        assert not squares.held_out[far], "the far point is a training point"
    disagree = re.search(r"disagree on ([\d.]+) % of the plane", trial.session.captions[0])
    assert disagree and wrong(squares) == 1
    made = DATASETS["outlier"]
    data = made.make(made.n, noise=made.noise, rng=np.random.default_rng(0))
    X, y = (np.delete(values, far, axis=0) for values in (data.X, data.labels))
    cells = plane.grid(plane.bounds(data.X), 100)[2]
    rest = wall(X, y, rng=np.random.default_rng([0, 1]))
    with_rest = {step.classifier.name: step.predict(cells) for step in rest}
    share = np.mean(with_rest["Least squares"] != with_rest["Logistic"])
    return [float(disagree[1]), 100 * share]


def a_masked_class(trial: Trial) -> Numbers:
    losing = ["Least squares", "Perceptron", "Linear SVM"]
    for sample in ("2", "1", "0"):
        steps = trial.steps(sample=sample)[:7]
        assert [step.classifier.name for step in steps if wrong(step)] == losing
        labels = steps[0].predict(trial.session.points)  # nearest mean gets none wrong
        missed = [set(labels[named(steps, name).wrong].tolist()) for name in losing]
        assert missed == [{1}, {0}, {1}], "the middle class, an outer one, the middle one"
    squares, perceptron, svm = (wrong(named(steps, name)) for name in losing)
    assert svm in (7, 8)  # rounding decides
    return [squares, 200, range(7, 9), perceptron]


def straight_lines_cannot(trial: Trial) -> Numbers:
    for sample in ("1", "0"):
        steps = trial.steps(sample=sample)
        straight = [s for s in steps if s.classifier.shape == "Straight"]
        others = [s for s in steps if s not in straight]
        assert min(s.test[0] for s in straight) > 10 * max(1, max(s.test[0] for s in others) / 3)
        assert min(others, key=lambda s: s.parameters).classifier.name == "Naive Bayes"
    bayes, one = named(steps, "Naive Bayes"), named(steps, "1-NN")
    assert one.test[0] == 0
    low, high = (pick(s.test[0] for s in straight) for pick in (min, max))
    return [bayes.parameters, *bayes.test, 1, one.parameters, low, high]


def as_many_numbers(trial: Trial) -> Numbers:
    gaps = []
    for sample in "0123":
        for seed in "012":
            steps = trial.steps(sample=sample, seed=seed)
            one, many = named(steps, "1-NN"), named(steps, "k-NN")
            assert one.parameters == many.parameters
            assert one.train[0] == 0 < many.train[0]
            gaps.append(one.test[0] / one.test[1] - many.test[0] / many.test[1])
    assert np.mean(gaps) > 0.03
    steps = trial.steps()
    assert "Hatched: 1-NN and k-NN, k = 15 disagree" in trial.session.captions[0]
    one, many, window = (named(steps, name) for name in ("1-NN", "k-NN", "Parzen"))
    narrow = named(trial.steps(h="0.03"), "Parzen")
    assert narrow.train[0] == 0 and narrow.parameters == window.parameters
    same = trial.steps(k="1")
    np.testing.assert_array_equal(named(same, "k-NN").wrong, one.wrong)
    return [1, 15, one.parameters, 1, *one.test, 15, *many.train, *many.test, 1,
            window.parameters, 0.3, *window.train, *window.test, 0.03, *narrow.test]  # fmt: skip


def who_is_best(trial: Trial) -> Numbers:
    winners = set()
    smooth = ["Cubic logistic", "RBF SVM", "Parzen", "k-NN", "1-NN", "Decision tree"]
    for sample in ("4", "3", "2", "1", "0"):
        step = trial.steps(sample=sample)[-1]
        close = [
            c.name for c, near in zip(step.classifiers, step.within_noise, strict=True) if near
        ]
        assert close == smooth
        assert step.kept > step.promised
        winners.add(step.classifiers[step.best].name)
    assert len(winners) >= 2
    mean = dict(zip((c.name for c in step.classifiers), 100 * step.mean, strict=True))
    assert min(mean, key=lambda name: mean[name]) == "Cubic logistic"
    promised, kept = 100 * step.promised, 100 * step.kept
    return [step.splits, mean["Cubic logistic"], 1, mean["1-NN"], promised, kept, range(5)]


test_the_lesson = claims_test(
    "wall",
    {
        "An outlier": an_outlier,
        "A masked class": a_masked_class,
        "Straight lines cannot": straight_lines_cannot,
        "As many numbers": as_many_numbers,
        "Who is best?": who_is_best,
    },
)


def test_a_link_of_old_opens(session: Session) -> None:
    """k-NN was called 15-NN before its k could be chosen."""
    session.open(WALL, data="moons", noise="0.6", compare="1-NN", against="15-NN")
    assert not session.app.warning
    assert session.value("against") == "k-NN"
    assert "Hatched: 1-NN and k-NN, k = 15 disagree on" in session.captions[0]


def test_one_neighbour_errs_only_where_classes_share_a_place() -> None:
    (one,) = (c for c in CLASSIFIERS if c.name == "1-NN")
    X, y = np.repeat([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]], 2, axis=0), np.array([0, 1] * 3)
    for places, errors in ((X, 3), (X + np.arange(6)[:, None] / 100, 0)):
        (step,) = wall(places, y, rng=np.random.default_rng(0), test_share=0.0, classifiers=[one])
        assert step.train == (errors, 6)


def test_the_best_of_fifteen_is_optimistic(session: Session) -> None:
    seen, true = [], []
    make = DATASETS["moons"].make
    for seed in range(40):
        data = make(200, noise=0.3, rng=np.random.default_rng(seed))
        new = make(2000, noise=0.3, rng=np.random.default_rng(1000 + seed))
        steps = wall(data.X, data.labels, rng=np.random.default_rng([seed, 1]))
        best = min(steps, key=lambda step: step.test[0])
        seen.append(best.test[0] / best.test[1])
        true.append(np.mean(best.predict(new.X) != new.labels))
    difference = np.subtract(true, seen)
    assert difference.mean() > 2 * difference.std() / np.sqrt(len(difference))
    session.open(WALL)
    captions = notes(session)
    assert "The lowest of 15 held-out errors is optimistic" in captions
    session.open(WALL, test_share="0")
    assert "optimistic" not in notes(session)


@pytest.mark.parametrize("moves", [3, 2000])
def test_a_linear_machine_that_stopped_says_so(moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifiers, "MOVES", moves)
    (line,) = (c for c in CLASSIFIERS if c.name == "Linear SVM")
    data = dataset("blobs", 90, noise=0.5)
    rng = np.random.default_rng([0, 1])
    (step,) = wall(data.X, data.labels, rng=rng, test_share=0.0, classifiers=[line])
    assert (step.model.event == "a machine stopped at max_iter") == (moves == 3)
