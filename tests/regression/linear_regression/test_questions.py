"""The questions of linear regression, judged from the steps and the points."""

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

DATA = ["line", "line with outliers", "sine", "correlated"]
DESCENT = {
    "view": ["descent"],
    "data": DATA,
    "sample": range(100),
    "seed": range(100),
    "rule": ["gradient", "momentum"],
    "eta": [0.01, 0.1, 0.8],
    "batch": ["all", "1", "4"],
    "steps": [30],
}
OTHERS = {
    "view": ["formula", "leverage", "outliers"],
    "data": DATA,
    "n": [10, 60],
    "sample": range(100),
    "end": ["left", "middle", "right"],
}

BASES = {
    "view": ["bases"],
    "data": DATA,
    "n": [15, 60],
    "sample": range(100),
    "split": range(100),
    "held": [0, 50, 70],
    "basis": ["polynomial", "Gaussian", "sigmoid", "Fourier"],
    "query": ["-1,0", "2,0"],
}


def descent(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if "slope" in text:
        old, new, kind = before.weights[0], after.weights[0], "slope"
    elif "intercept" in text:
        old, new, kind = before.intercept, after.intercept, "intercept"
    else:
        old, new, kind = before.excess, after.excess, "loss"
    assert asked.right == ("it rises" if new > old else "it falls")
    return kind


def other(asked: Asked) -> str:
    x, y = asked.X.T
    if asked.link["view"] == "leverage":
        return leverage(asked)
    if asked.link["view"] == "outliers":
        return outliers(asked)
    if asked.question.text.startswith("The column of ones"):
        assert asked.right == f"the mean, at {number(np.polyfit(x, y, 0)[0])}"
        return "height"
    assert asked.right == number(np.polyfit(x, y, 1)[0])
    return "slope"


def leverage(asked: Asked) -> str:
    """Fit the line to the points, with the moved point at both heights."""
    x, y = asked.X.T
    i = int(np.abs(x - asked.place[0]).argmin())
    lines = []
    for step in (asked.before, asked.after):
        moved = y.copy()
        moved[i] = step.height
        lines.append(np.polyfit(x, moved, 1))
    if "slope" in asked.question.text:
        assert asked.right == ("it rises" if lines[1][0] > lines[0][0] else "it falls")
        return "turns"
    assert asked.right == number(np.polyval(lines[1], x[i]) - np.polyval(lines[0], x[i]))
    return "follows"


def outliers(asked: Asked) -> str:
    X, y = asked.X[:, :1], asked.X[:, 1]
    old, new = (y - step.predict(X) for step in (asked.before, asked.after))
    assert np.abs(new).mean() < np.abs(old).mean()
    if "slope" in asked.question.text:
        rises = asked.after.weights[0] > asked.before.weights[0]
        assert asked.right == ("it rises" if rises else "it falls")
        return "tilts"
    assert asked.right == (
        "it rises" if np.square(new).mean() > np.square(old).mean() else "it falls"
    )
    return "squared"


def bases(asked: Asked) -> str:
    """Measure the errors, the weights and the curve again."""
    text = asked.question.text
    if "held-out" in text:
        old, new, kind = asked.before.held_out_error, asked.after.held_out_error, "held out"
    elif "largest weight" in text:
        old, new = (
            np.abs([step.intercept, *step.weights]).max() for step in (asked.before, asked.after)
        )
        kind = "weight"
    else:
        x = np.array([[asked.place[0]]])
        old, new = (
            step.intercept + float(step.features(x)[0, : step.count] @ step.weights)
            for step in (asked.before, asked.after)
        )
        kind = "curve"
    assert asked.right == ("it rises" if new > old else "it falls")
    return kind


@SAMPLES
def test_the_descent_itself_says_what_is_right(count):
    kinds = {"slope", "intercept", "loss"}
    check_judgements("linear_regression", DESCENT, count, descent, kinds)


@SAMPLES
def test_the_lines_themselves_say_what_is_right(count):
    kinds = {"height", "slope", "turns", "follows", "tilts", "squared"}
    check_judgements("linear_regression", OTHERS, count, other, kinds)


@SAMPLES
def test_the_fits_themselves_say_what_is_right(count):
    kinds = {"held out", "weight", "curve"}
    check_judgements("linear_regression", BASES, count, bases, kinds)
