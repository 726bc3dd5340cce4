"""The lab's questions, judged by scikit-learn's probabilities on the labels so far."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from algorithms.classification.active_learning.active_learning import PENALTY
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "circles", "blobs"],
    "rule": ["margin", "entropy"],
    "degree": [1, 2, 3],
    "known": [1, 2],
    "held": [0, 50],
    "labels": [5, 10],
    "seed": range(20),
}


def judge(asked: Asked) -> str:
    step, rule = asked.before, asked.link["rule"]
    F = step.features(asked.X)
    C = 1 / (len(step.known) * PENALTY)
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(F[step.known], step.given)
    options = [asked.nearest(j) for j in range(len(asked.question.options))]
    P = np.sort(model.predict_proba(F[options]), axis=1)
    scores = P[:, -2] - P[:, -1] if rule == "margin" else -(P * np.log2(P)).sum(axis=1)
    assert not set(options) & set(step.known.tolist())
    assert int(scores.argmax()) == asked.question.right
    assert options[asked.question.right] == asked.after.known[-1]
    return rule


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("active_learning", SETTINGS, count, judge, {"margin", "entropy"})
