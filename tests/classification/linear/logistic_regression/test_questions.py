import numpy as np

from algorithms.core.features import polynomial_features
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "separable", "circles", "xor"],
    "noise": [0.3, 1.0],
    "sample": range(100),
    "n": [20, 100],
    "method": ["gradient", "gradient", "newton"],
    "rate": [0.1, 3, 30],
    "penalty": [0, 0.01],
    "degree": [1, 1, 2],
    "standardize": ["True", "False"],
    "steps": [10, 30],
}


def probabilities(asked: Asked) -> list[np.ndarray]:
    """Return the probabilities of all points before and after the step, by the formula."""
    standard = asked.link["standardize"] == "True"
    features = polynomial_features(asked.X, int(asked.link["degree"]), standardize=standard)
    found = []
    for step in (asked.before, asked.after):
        scores = features(asked.X) @ step.weights.T + step.intercepts
        if len(step.classes) == 2:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found.append(powers / powers.sum(axis=1, keepdims=True))
    return found


def judge(asked: Asked) -> str:
    text, before, after = asked.question.text, asked.before, asked.after
    if text == "What does the loss do?":
        assert asked.right == ("it rises" if after.loss > before.loss else "it falls")
        return "loss"
    old, new = probabilities(asked)
    if text == "Which way does the line turn?":
        angles = [np.arctan2(*slopes(asked, p)) for p in (old, new)]
        turn = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
        assert asked.right == ("anticlockwise" if turn > 0 else "clockwise")
        return "turns"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    if text == "Which point changes sides?":
        sides = old[points].argmax(axis=1) != new[points].argmax(axis=1)
        assert np.flatnonzero(sides).tolist() == [asked.question.right]
        return "sides"
    own = np.searchsorted(before.classes, asked.labels[points])
    rises = new[points, own] - old[points, own]
    assert np.flatnonzero(rises < 0).tolist() == [asked.question.right]
    assert np.abs(rises).min() > 0.0029
    return "worse"


def slopes(asked: Asked, shares: np.ndarray) -> tuple[float, float]:
    """Return how the score changes along y and x: a plane through the logits of the points."""
    usual = (shares > 1e-9).all(axis=1)
    logits = np.log(shares[usual, 1] / shares[usual, 0])
    A = np.column_stack([asked.X[usual], np.ones(usual.sum())])
    across, up, _ = np.linalg.lstsq(A, logits)[0]
    return up, across


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"loss", "turns", "sides", "worse"}
    check_judgements("logistic_regression", SETTINGS, count, judge, kinds)
