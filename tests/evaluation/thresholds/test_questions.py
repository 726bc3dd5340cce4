import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["threshold", "folds"],
    "data": ["moons", "blobs", "xor", "penguins"],
    "noise": [0.3, 1.0],
    "n": [40, 200],
    "seed": range(100),
    "miss": [0.2, 1, 10],
    "kept": [20, 100],
}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    if asked.link["view"] == "folds":
        return folds(asked)
    if asked.question.text.endswith("What does the cost do?"):
        assert asked.right == ("it rises" if after.cost > before.cost else "it falls")
        return "cost"
    up = after.true_positive_rate > before.true_positive_rate
    right = after.false_positive_rate > before.false_positive_rate
    ways = {(True, False): "up", (False, True): "to the right", (True, True): "up and to the right"}
    assert asked.right == ways[up, right]
    return "way"


def folds(asked: Asked) -> str:
    """Predict the points of a fold with the fold's own model."""
    before, after = asked.before, asked.after
    if asked.question.text.startswith("Fold"):
        deal = [step for step in asked.steps[: asked.now + 2] if step.deal == after.deal]
        errors = [
            (step.model.predict(asked.X) != asked.labels)[step.held_out].mean() for step in deal
        ]
        rises = np.mean(errors) > np.mean(errors[:-1])
        assert before.deal == after.deal and asked.right == ("it rises" if rises else "it falls")
        return "mean"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    assert after.held_out[points].all()
    wrong = after.model.predict(asked.X[points]) != asked.labels[points]
    assert np.flatnonzero(wrong).tolist() == [asked.question.right]
    return "wrong"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("thresholds", SETTINGS, count, judge, {"cost", "way", "mean", "wrong"})
