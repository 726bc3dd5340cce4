import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["formula", "leverage", "outliers"],
    "data": ["line", "line_outliers", "sine", "correlated"],
    "n": [10, 60],
    "seed": range(100),
    "end": ["left", "middle", "right"],
}


def judge(asked: Asked) -> str:
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
    """Fit the line to the points with the one moved to both heights."""
    x, y = asked.X.T
    i = int(np.abs(x - asked.place[0]).argmin())
    lines = []
    for step in (asked.before, asked.after):
        moved = y.copy()
        moved[i] = step.height
        lines.append(np.polyfit(x, moved, 1))
    if asked.question.text.endswith("What does the slope of the line do?"):
        assert asked.right == ("it rises" if lines[1][0] > lines[0][0] else "it falls")
        return "turns"
    assert asked.right == number(np.polyval(lines[1], x[i]) - np.polyval(lines[0], x[i]))
    return "follows"


def outliers(asked: Asked) -> str:
    x, y = asked.X.T
    (old, loss), (new, less) = (
        (step.weights[0], np.square(y - step.weights[0] * x - step.intercept).mean())
        for step in (asked.before, asked.after)
    )
    residuals = [
        np.abs(y - step.predict(x[:, None])).mean() for step in (asked.before, asked.after)
    ]
    assert residuals[1] < residuals[0]
    if "slope" in asked.question.text:
        assert asked.right == ("it rises" if new > old else "it falls")
        return "tilts"
    assert asked.right == ("it rises" if less > loss else "it falls")
    return "squared"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"height", "slope", "turns", "follows", "tilts", "squared"}
    check_judgements("linear_regression", SETTINGS, count, judge, kinds)
