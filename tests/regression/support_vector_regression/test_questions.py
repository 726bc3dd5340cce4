import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["sine", "line", "line with outliers", "step"],
    "n": [30, 60],
    "noise": [0.1, 0.3],
    "sample": range(100),
    "C": [0.1, 1, 10],
}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    moved = before.coefficients[points] != after.coefficients[points]
    assert np.flatnonzero(moved).tolist() == [asked.question.right]
    others = [i for i, each in zip(points, moved, strict=True) if not each]
    task = before.task
    residuals = task.linear[others] - before.predict(task.points[others])
    assert (np.abs(residuals) < task.epsilon).all()
    return "moves"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("support_vector_regression", SETTINGS, count, judge, {"moves"})
