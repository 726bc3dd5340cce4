"""The lab's questions, judged by brute force and by counting the wrong rows."""

import numpy as np

from algorithms.evaluation.choosing_features.stepwise_selection import every_error
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["moves", "columns of noise"],
    "sample": ["two of five", "a proxy", "only together"],
    "direction": ["forward", "backward"],
    "inside": ["True", "False"],
    "columns": ["20", "200"],
    "seed": range(99),
    "draw": range(99),
}


def judge(asked: Asked) -> str:
    if asked.link["view"] == "columns of noise":
        share = asked.after.wrong[-1] / asked.after.rows[-1]
        limits = {
            "fewer than a third": (-1, 1 / 3),
            "a third to two thirds": (1 / 3, 2 / 3 + 1e-9),
            "more than two thirds": (2 / 3 + 1e-9, 2),
        }
        low, high = limits[asked.right]
        assert low <= share < high
        return "fold"
    assert asked.run.call
    X, y = asked.run.call.args
    rng = np.random.default_rng([int(asked.link["seed"]), 1])
    errors = every_error(X, y, folds=5, rng=rng)
    F = set(asked.before.selected)
    forward = asked.link["direction"] == "forward"
    reach = {j: errors[tuple(sorted(F ^ {j}))] for j in range(5) if (j in F) != forward}
    best = min(reach, key=reach.__getitem__)
    if reach[best] < asked.before.error:
        assert asked.right == f"{'Add' if forward else 'Remove'} {'abcde'[best]}"
        return "move"
    assert asked.right == "Stop: no move helps"
    return "none"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"fold", "move", "none"}
    check_judgements("choosing_features", SETTINGS, count, judge, kinds)
