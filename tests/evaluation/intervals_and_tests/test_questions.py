from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["intervals", "a mean", "two learners", "one held-out set"],
    "method": ["Wald", "Wilson", "Clopper-Pearson"],
    "quantile": ["z", "t"],
    "numbers": [2, 5],
    "p": [0.05, 0.3],
    "size": [10, 40],
    "data": ["moons", "row"],
    "noise": [0.6, 1.0],
    "n": [60, 150],
    "splits": [10],
    "against": ["k-NN"],
    "seed": range(100),
}
METHODS = SETTINGS["method"]


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if asked.right in METHODS:
        assert asked.right == METHODS[(after.high - after.low).argmax()]
        return "widest"
    if "Does the interval by" in text:
        mean = text.startswith("The next ")
        names = ["z", "t"] if mean else METHODS
        i = names.index(asked.link["quantile" if mean else "method"])
        assert f"by {names[i]} hold" in text
        p = 10.0 if mean else float(asked.link["p"])
        ways = [
            "it misses it: all of it is below",
            "it holds it",
            "it misses it: all of it is above",
        ]
        assert asked.right == ways[1 + int(after.low[i] > p) - int(after.high[i] < p)]
        return "holds a mean" if mean else "holds"
    if text.startswith("The ringed point"):
        assert asked.point == after.point
        a, b = after.wrong[:, after.point]
        ways = {(0, 0): "both right", (1, 1): "both wrong"}
        assert asked.right == ways.get((a, b), f"only {'LDA' if a else 'k-NN'} wrong")
        return "point"
    if asked.right in ("LDA", "k-NN", "both alike"):
        first, second = after.wrong.sum(axis=1)
        names = ["LDA", "both alike", "k-NN"]
        assert asked.right == names[1 + int(first > second) - int(first < second)]
        return "fewer"
    p = [step.plain.p if hasattr(step, "plain") else step.p for step in (before, after)]
    assert asked.right == ("it rises" if p[1] > p[0] else "it falls")
    assert asked.question.reason == f"It goes from {number(p[0])} to {number(p[1])}."
    return "p"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"widest", "holds", "holds a mean", "point", "fewer", "p"}
    check_judgements("intervals_and_tests", SETTINGS, count, judge, kinds)
