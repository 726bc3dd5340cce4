import re

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

COMMON = {
    "noise": [0.3, 1.0],
    "sample": range(100),
    "seed": range(100),
    "n": [20, 40, 100],
    "order": ["shuffled", "cyclic"],
    "epochs": [5, 20],
}
TWO = COMMON | {
    "data": ["separable", "almost separable", "moons", "blobs"],
    "classes": [2],
    "init": ["zeros", "ones"],
}
PERCEPTRON = TWO | {"variant": ["plain", "plain", "averaged", "pocket"], "rate": [0.1, 1.0]}
DELTA_RULE = TWO | {"variant": ["delta rule"], "delta_rate": [0.01, 0.03]}
SEVERAL = COMMON | {"variant": ["several classes"], "data": ["blobs"], "classes": [3, 4]}


def margins(asked: Asked) -> np.ndarray:
    """y (w.x + b) before the visit."""
    before = asked.before
    y = np.where(asked.labels == before.classes[1], 1, -1)
    return y * (asked.X @ before.weights + before.bias)


def judge(asked: Asked) -> str:
    text, after, right = asked.question.text, asked.after, asked.right
    if text.endswith("What does the number of wrong samples do?"):
        return several(asked)
    if text.endswith("Which sample is it?"):
        numbers = [int(re.findall(r"\d+", o.text)[0]) - 1 for o in asked.question.options]
        assert [asked.nearest(i) for i in range(len(numbers))] == numbers
        wrong = margins(asked)[numbers] <= 0
        assert wrong.sum() == 1 and wrong[asked.question.right]
        assert numbers[asked.question.right] == after.index
        return "which"
    assert asked.point == after.index == int(re.findall(r"\d+", text)[0]) - 1
    if text.endswith("How does the line turn?"):
        angles = [np.arctan2(step.w[1], step.w[0]) for step in (asked.before, after)]
        turn = (np.diff(angles)[0] + np.pi) % (2 * np.pi) - np.pi
        assert right == ("anticlockwise" if turn > 0 else "clockwise")
        assert abs(turn) > 0.01
        return "turns"
    if text.endswith("Do the weights w move?"):
        moved = (*after.w, after.bias) != (*asked.before.w, asked.before.bias)
        assert moved == (margins(asked)[after.index] < 0) == right.startswith("yes")
        return f"moves: {right[:3]}"
    x = asked.X[after.index]
    scores = [x @ step.weights + step.bias for step in (asked.before, after)]
    assert right == ("it rises" if scores[1] > scores[0] else "it falls")
    return "rises"


def several(asked: Asked) -> str:
    """Move two weight vectors by hand, and count samples whose highest score is another class's."""
    before, after, i = asked.before, asked.after, asked.point
    Z = np.column_stack([asked.X, np.ones(len(asked.X))])
    own = list(before.classes).index(asked.labels[i])
    moved = before.rows.copy()
    moved[own] += Z[i]
    moved[after.rival] -= Z[i]
    np.testing.assert_allclose(moved, after.rows, atol=1e-9)
    wrong = [
        (before.classes[(Z @ rows.T).argmax(axis=1)] != asked.labels).sum()
        for rows in (before.rows, moved)
    ]
    assert i == after.index
    assert asked.right == ("it rises" if wrong[1] > wrong[0] else "it falls")
    return "several"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"which", "turns", "moves: yes", "moves: no:"}
    check_judgements("perceptron", PERCEPTRON, count, judge, kinds)


@SAMPLES
def test_the_run_of_the_delta_rule_says_what_is_right(count):
    check_judgements("perceptron", DELTA_RULE, count, judge, {"rises"})


@SAMPLES
def test_the_run_of_several_classes_says_what_is_right(count):
    check_judgements("perceptron", SEVERAL, count, judge, {"several"})
