import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "circles", "xor", "separable"],
    "noise": [0.3, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "depth": [1, 2],
    "rounds": [10, 40],
    "held": [0, 30],
}


def judge(asked: Asked) -> str:
    before, after, X = asked.before, asked.after, asked.X
    if asked.question.text.startswith("Which of these points"):
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        sides = np.where(asked.labels[points] == after.classes[1], 1, -1)
        wrong = after.tree.predict(X[points]) != sides
        assert np.flatnonzero(wrong).tolist() == [asked.question.right]
        return "wrong"
    old, new = (np.log((1 - step.error) / step.error) for step in (before, after))
    assert asked.right == ("it counts more" if new > old else "it counts less")
    return "vote"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("ada_boost", SETTINGS, count, judge, {"wrong", "vote"})


VOTES = {
    "view": ["the class votes"],
    "votes": ["equally", "as in AdaBoost"],
    "data": ["moons", "circles", "xor", "separable"],
    "noise": [0.3, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "simulated": [5, 12, 40],
    "sees": [1, 4],
    "rounds": [10, 40],
    "held": [0, 30],
}


def judge_votes(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    stumps = after.stumps
    if text.endswith("How many training points does the vote get wrong then?"):
        wrong = []
        for t in (asked.now + 1, asked.now + 2):
            F = after.said[:t].sum(axis=0)
            wrong.append(int(((F > 0) != (after.signs > 0)).sum()))
        old, new = wrong
        right = "it gets more wrong" if new > old else "it gets fewer wrong"
        assert asked.right == ("as many as now" if old == new else right)
        return "mistakes"
    if text.startswith("The points that were wrong weigh more now"):
        voters = [int(each.text.split()[1].rstrip(":")) - 1 for each in asked.question.options]
        w = before.weights * np.exp(-before.alpha * before.signs * before.said[before.voter])
        errors = [(w / w.sum())[after.said[j] != after.signs].sum() for j in voters]
        assert int(np.argmin(errors)) == asked.question.right
        return "whose"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    h = stumps.predict(asked.X[points])
    turned = (before.alphas @ h > 0) != (after.alphas @ h > 0)
    assert np.flatnonzero(turned).tolist() == [asked.question.right]
    return "turned"


@SAMPLES
def test_the_vote_itself_says_what_is_right(count):
    check_judgements("ada_boost", VOTES, count, judge_votes, {"mistakes", "whose", "turned"})
