from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["line", "line_outliers", "sine", "correlated"],
    "seed": range(100),
    "rule": ["gradient", "momentum"],
    "eta": [0.01, 0.1, 0.8],
    "batch": ["all", "1", "4"],
    "steps": [30],
}


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if "slope" in text:
        old, new, kind = before.weights[0], after.weights[0], "slope"
    elif "intercept" in text:
        old, new, kind = before.intercept, after.intercept, "intercept"
    else:
        old, new, kind = before.excess, after.excess, "loss"
    assert asked.right == ("it rises" if new > old else "it falls")
    return kind


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"slope", "intercept", "loss"}
    check_judgements("linear_regression", SETTINGS, count, judge, kinds)
