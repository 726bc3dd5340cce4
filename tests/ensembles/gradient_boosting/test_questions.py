import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "n": [30, 60],
    "seed": range(100),
    "rounds": [10, 60],
    "rate": [0.1, 0.5],
    "depth": [1, 3],
    "loss": ["squared", "absolute", "Huber"],
    "held": [0, 30],
}
PLACES = ["0,-3", "1.5,-3"]
ONE = SETTINGS | {"view": ["one feature"], "data": ["sine", "line with outliers", "penguins"]}
ONE |= {"query": PLACES}
TWO = SETTINGS | {"view": ["two features"], "data": ["penguins", "diabetes", "correlated"]}
TWO |= {"point": PLACES}


def judge(asked: Asked) -> str:
    """Work the next step out again: the leaf at the picked place, or the mean over the held-out."""
    before, after = asked.before, asked.after
    if "held-out" in asked.question.text:
        held = after.held_out_error - before.held_out_error
        assert asked.right == ("it rises" if held > 0 else "it falls")
        return "error"
    on_a_line = "picked x" in asked.question.text
    name = "query" if on_a_line else "point"
    place = [float(part) for part in asked.link[name].split(",")][: 1 if on_a_line else 2]
    parts = after.tree.parts()
    (leaf,) = np.flatnonzero(parts.holding(np.array([place]))[:, 0])
    inside = after.drawn & parts.holding(asked.X[:, :1] if on_a_line else asked.X)[leaf]
    r = sorted(after.residuals[inside])
    middle = (r[(len(r) - 1) // 2] + r[len(r) // 2]) / 2
    if asked.link["loss"] == "squared":
        middle = sum(r) / len(r)
    if asked.link["loss"] == "Huber":
        middle += sum(max(-after.delta, min(after.delta, far - middle)) for far in r) / len(r)
    assert asked.right == ("it rises" if middle > 0 else "it falls")
    return "curve" if on_a_line else "surface"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("gradient_boosting", ONE, count, judge, {"error", "curve"})


@SAMPLES
def test_the_run_on_two_features_says_what_is_right(count):
    check_judgements("gradient_boosting", TWO, count, judge, {"error", "surface"})
