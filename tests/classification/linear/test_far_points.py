"""Least squares and logistic regression with far points: scikit-learn, questions, pictures."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from algorithms.classification.linear.far_points import FarPointsStep, far_points, row_of
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.figures import line, unpacked
from tests.core.samples import board, labelled
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.classification.linear.far_points import FarPoints
from viz.core.scene import Run

ORACLE = Checked(
    "logistic_regression",
    "scikit-learn's linear and logistic regression with far points, outputs and probabilities",
    52,
    "fits",
    within=1e-5,
)
PRESETS = ("row", "blobs", "separable", "unequal")
FAR = np.array([4.0, 0.5])


def shown(name: str = "row", **how) -> FarPoints:
    X, y = labelled(name)
    names = tuple(str(k + 1) for k in range(y.max() + 1))
    steps = tuple(far_points(X, y, FAR, **how))
    return FarPoints(Run("", steps), board(X, y, names), row_of(X, y))


@pytest.mark.parametrize("case", range(ORACLE.cases // 13))
def test_agrees_with_scikit_learn(case: int) -> None:
    X, y = labelled(PRESETS[case], sample=case)
    steps = check_steps(far_points(X, y, FAR, count=5, penalty=0.01))
    assert [step.move for step in steps] == list(range(13))
    mean, spread = X.mean(axis=0), X.std(axis=0)
    row = row_of(X, y)
    for step in steps:
        np.testing.assert_allclose(step.place, row.end + step.move / 12 * (FAR - row.end))
        more, group = (step.added, np.full(len(step.added), row.group))
        assert len(more) == (5 if step.move else 0)
        assert (np.abs(more - step.place) <= 0.15001 * spread).all()
        A, z = np.concatenate([X, more]), np.concatenate([y, group])
        T = np.eye(y.max() + 1)[z]
        theirs = LinearRegression().fit(A, T)
        near = ORACLE.within
        np.testing.assert_allclose(step.outputs(X), theirs.predict(X), rtol=0, atol=near)
        assert step.wrong == (theirs.predict(X).argmax(axis=1) != y).sum()
        model = LogisticRegression(C=1 / (0.01 * len(z)), tol=1e-10, max_iter=5000)
        model.fit((A - mean) / spread, z)
        P = model.predict_proba((X - mean) / spread)
        np.testing.assert_allclose(step.probabilities(X), P, rtol=0, atol=near)
        assert step.wrong_logistic == (P.argmax(axis=1) != y).sum()


def test_the_row_goes_through_the_means_that_are_farthest_apart() -> None:
    X = np.array([[0.0, 0], [0, 2], [1, 1], [9, 1], [9, 3], [4, 2]])
    row = row_of(X, np.array([3, 3, 5, 7, 7, 5]))
    np.testing.assert_allclose([row.start, row.end], [[0, 1], [9, 2]])
    assert row.group == 2
    np.testing.assert_allclose(row.at(np.array([0.5])), [[4.5, 1.5]])


def test_events_are_true() -> None:
    X, y = labelled("row")
    steps = list(far_points(X, y, FAR))
    found = set()
    for before, after in pairwise(steps):
        predicted = set(after.least_squares.predict(X).tolist())
        assert set(after.masked) == {0, 1, 2} - predicted
        if after.event == "a class is masked":
            assert set(after.masked) - set(before.masked)
        elif after.event:
            assert after.wrong > before.wrong
        found.add(after.event)
    assert {"a class is masked", "more wrong points"} <= found


def test_the_pictures_and_the_captions() -> None:
    show = shown()
    step, k = show.steps[7], show.steps[7].column
    *_, far = show.picture(7)["data"][:5]
    np.testing.assert_allclose(line(far), step.added, rtol=1e-5)
    wrong = unpacked(show.picture(7)["points"]["wrong"])
    assert wrong.sum() == step.wrong
    for view, values in (
        (show.outputs, step.outputs(show.along)),
        (show.probabilities, step.probabilities(show.along)),
    ):
        for trace, column in zip(view(7)["data"], values.T, strict=False):
            np.testing.assert_allclose(line(trace)[:, 1], column, rtol=1e-5, atol=1e-6)
    old = show.steps[0].outputs(step.place[None])[0, k]
    new = step.outputs(step.place[None])[0, k]
    text = show.caption(7)
    assert f"from y = {old:.3f} to {new:.3f}, nearer to 1" in text
    assert abs(new - 1) < abs(old - 1)
    assert f"{step.wrong} of 200 wrong" in text and "is masked" in text
    loss = -np.log(step.probabilities(step.place[None])[0, k])
    assert f"−ln P = {loss:.3g}".split("e")[0] in text
    at_mean = show.steps[0].outputs(show.data.X[show.data.labels == 1].mean(axis=0)[None])[0]
    assert all(f"{output:.3f}" in show.answer(0) for output in at_mean)
    assert "are added at its mean" in show.caption(0)


def test_along_the_row_least_squares_is_straight_and_the_means_are_marked() -> None:
    show = shown()
    for trace in show.outputs(3)["data"][:3]:
        s, y = line(trace).T
        np.testing.assert_allclose(y, np.polyval(np.polyfit(s, y, 1), s), atol=1e-5)
    means = show.outputs(3)["data"][3]["x"]
    np.testing.assert_allclose(means, [0, 0.5, 1], atol=0.05)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"count": 0}, "count must be at least 1, got count=0"),
        ({"penalty": -1.0}, "penalty must be a number from 0"),
        ({"far": np.zeros(3)}, "far must have shape (d,) = (2,), got shape (3,)"),
        ({"y": np.zeros(6, int)}, "y must name at least two classes, got only class 0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(12.0).reshape(6, 2), "y": np.arange(6) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        far_points(**given)
    assert str(caught.value).startswith(sentence)


SETTINGS = {
    "view": ["least squares"],
    "data": ["row", "blobs", "separable", "outlier"],
    "sample": range(100),
    "n": [30, 100],
    "count": [1, 8, 30],
    "shrink": [0.001, 0.1],
    "far": ["3,0", "-3,3", "2,4"],
}


def judge(asked: Asked) -> str:
    before: FarPointsStep = asked.before
    after: FarPointsStep = asked.after
    k, text = after.column, asked.question.text
    if "wrong points" in text:
        old, new = (
            (s.least_squares.predict(asked.X) != asked.labels).sum() for s in (before, after)
        )
        kind = "wrong"
    elif "output" in text:
        old, new = (asked.steps[0].outputs(s.place[None])[0, k] for s in (before, after))
        kind = "output"
    else:
        old, new = (-np.log(s.probabilities(s.place[None])[0, k]) for s in (before, after))
        kind = "loss"
    assert asked.right == ("it rises" if new > old else "it falls")
    return kind


@SAMPLES
def test_the_fits_themselves_say_what_is_right(count: int) -> None:
    check_judgements("logistic_regression", SETTINGS, count, judge, {"wrong", "output", "loss"})
