"""The lab's questions, judged by linear programs, boxes and triangles."""

import re

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.learning_theory.vc_dimension.test_shattering import ORACLES

SETTINGS = {
    "view": ["labellings", "one number"],
    "hypotheses": ["half-planes", "boxes", "discs", "convex polygons", "intervals on a line"],
    "n": [2, 3, 4, 5],
    "waves": [2, 4, 6],
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    y = np.array([sign == "+" for sign in re.findall(r"[+−]", asked.question.text)])
    if "Which ω" in asked.question.text:
        w = float(asked.right.removesuffix("π")) * np.pi
        np.testing.assert_array_equal(np.sin(w * 0.5 ** np.arange(1, len(y) + 1)) > 0, y)
        others = {o.text for o in asked.question.options} - {asked.right}
        for text in others:
            w = float(text.removesuffix("π")) * np.pi
            assert ((np.sin(w * 0.5 ** np.arange(1, len(y) + 1)) > 0) != y).any()
        return "wave"
    X, hypotheses = asked.run.call.args
    if X.shape[1] == 1:
        changes = np.diff(np.concatenate([[0], y[np.argsort(X[:, 0])].astype(int), [0]]))
        possible = (changes == 1).sum() <= 1
    else:
        oracle = next(each.values[2] for each in ORACLES if each.id == hypotheses)
        possible = oracle(X, y)  # pyright: ignore
    assert asked.right == ("yes" if possible else "no")
    return "interval" if X.shape[1] == 1 else str(hypotheses)


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"half-planes", "boxes", "discs", "convex polygons", "interval", "wave"}
    check_judgements("vc_dimension", SETTINGS, count, judge, kinds)
