import numpy as np

from algorithms.core.scaling import standard
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["sine", "step", "line"],
    "noise": [0.3, 1.0],
    "n": [20, 60],
    "seed": range(100),
    "activation": ["tanh", "sigmoid", "relu"],
    "hidden": ["2", "8", "4-4"],
    "optimizer": ["gradient", "Adam"],
    "rate": [0.03, 0.3],
    "epochs": [30],
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    learned = asked.run.call.args[1]  # the points that are not held out
    U = standard(learned).transform(asked.X)
    held = ~(asked.X[:, None] == learned).all(axis=2).any(axis=1)
    if "the loss" in asked.question.text:
        kind, u = "loss", U[held, :1]
        before, after = (
            np.square(step.predict(u) - U[held, 1]).mean() for step in (asked.before, asked.after)
        )
    else:
        left, right = asked.X[:, 0].min(), asked.X[:, 0].max()
        middle, span = (left + right) / 2, max(right - left, np.ptp(asked.X[:, 1]))
        x = middle + 0.2 * 1.16 * span  # where the ring stands at first
        center, spread = learned[:, 0].mean(), learned[:, 0].std()
        u = np.array([[(x - center) / spread]])
        kind = "curve"
        before, after = (step.predict(u)[0] for step in (asked.before, asked.after))
    assert asked.right == ("it rises" if after > before else "it falls")
    return kind


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("network_regression", SETTINGS, count, judge, {"loss", "curve"})
