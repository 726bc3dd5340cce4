import numpy as np

from algorithms.data.truths import TRUTHS
from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["bumps", "trained"],
    "truth": ["sine", "kink", "bump"],
    "bumps": [3, 8, 15],
    "epochs": [50],
    "seed": range(50),
}


def judge(asked: Asked) -> str:
    truth = TRUTHS[asked.link["truth"]]
    if "How high" in asked.question.text:
        k = int(asked.link["bumps"])
        middle = truth.low + (asked.now + 0.5) * (truth.high - truth.low) / k
        assert asked.right == number(float(truth(np.array([middle]))[0]))
        return "height"
    x = np.linspace(truth.low, truth.high, 400)[:, None]
    off = [np.square(truth(x[:, 0]) - s.predict(x)).mean() for s in (asked.before, asked.after)]
    assert asked.right == ("it rises" if off[1] > off[0] else "it falls")
    return "miss"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("universal_approximation", SETTINGS, count, judge, {"height", "miss"})
