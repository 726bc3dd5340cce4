import numpy as np
import pytest

from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.regression.linear_paths.fit import four as number

SETTINGS = {
    "view": ["paths", "paths", "two weights"],
    "mode": ["lasso", "lasso", "ridge"],
    "data": ["diabetes", "sine", "line", "correlated"],
    "seed": range(100),
    "test_share": [0, 30, 60],
    "standardize": ["True", "False"],
}
DESCENT = SETTINGS | {"mode": ["coordinate descent"], "level": [0.01, 0.1, 0.3]}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    text, right = asked.question.text, asked.right
    if text == "What happens at the next knot?":
        (j,) = set(before.active.tolist()) ^ set(after.active.tolist())
        later = asked.steps[min(asked.now + 2, len(asked.steps) - 1)].weights[j]
        assert (before.weights[j] == 0) == right.endswith("enters")
        assert (later == 0) == right.endswith("leaves")
        assert after.weights[j] == pytest.approx(0, abs=1e-9)
        assert number(after.penalty) in asked.question.reason
        return "knot"
    change = after.weights - before.weights
    if text.endswith("Which weight changes most?"):
        old, new = (number(step.weights[np.abs(change).argmax()]) for step in (before, after))
        assert asked.question.reason.startswith(f"It goes from {old} to {new};")
        return f"most: {'lasso' if isinstance(after, LassoPathStep) else 'ridge'}"
    if text.endswith("held-out points do?"):
        assert asked.run.call
        X, y = asked.run.call.args[0].value().validation
        old, new = (np.square(y - step.predict(X)).mean() for step in (before, after))
        assert right == ("it falls" if new < old else "it rises")
        return "held out"
    j = after.variable
    assert np.flatnonzero(change).tolist() in ([], [j])
    way = "it rises" if change[j] > 0 else "it falls"
    if after.weights[j] == 0:
        way = "it stays 0" if before.weights[j] == 0 else "it becomes 0"
    assert right == way
    return "is 0" if after.weights[j] == 0 else "moves"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"knot", "most: lasso", "most: ridge", "held out"}
    check_judgements("linear_paths", SETTINGS, count, judge, kinds)


@SAMPLES
def test_the_run_of_coordinate_descent_says_what_is_right(count):
    check_judgements("linear_paths", DESCENT, count, judge, {"moves", "is 0"})
