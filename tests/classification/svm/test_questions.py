import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

TOLERANCE = 0.01  # of an f: machines are trained up to a thousandth
SETTINGS = {
    "view": ["pairs", "ν", "by hand", "all at once", "mix", "classes"],
    "data": ["moons", "blobs", "separable", "circles"],
    "classes": [2, 3],
    "noise": [0.3, 1.0],
    "n": [20, 60],
    "sample": range(100),
    "C": [0.1, 1, 30],
    "nu": [0.2, 0.6],
    "mixed": ["shapes", "widths", "columns"],
    "kernel": ["RBF", "linear"],
    "steps": [100],
}

MIXED = {
    "shapes": ["a·b", "(a·b)²", "(a·b)³", "RBF γ = 1"],
    "widths": ["RBF γ = 0.1", "RBF γ = 1", "RBF γ = 10", "RBF γ = 100"],
    "columns": ["RBF γ = 1 of x", "RBF γ = 1 of y", "RBF γ = 1"],
}


def judge(asked: Asked) -> str:
    return JUDGES[asked.link["view"]](asked)


def pairs(asked: Asked) -> str:
    before, after, C = asked.before, asked.after, float(asked.link["C"])
    moved = set(np.flatnonzero(before.coefficients != after.coefficients).tolist())
    if asked.question.options[0].place:
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        assert [i in moved for i in points].count(True) == 1
        assert points[asked.question.right] in moved
        y = before.signs
        f = before.decision_function(before.points)
        others = [i for i in points if i not in moved]
        assert (y[others] * f[others] > 1).all()
        assert (before.duals[others] == 0).all()
        return "who"
    old, new = before.duals[asked.point], after.duals[asked.point]
    assert asked.point in moved
    way = "it rises" if new > old else "it falls"
    if new == 0:
        way += " to 0"
    elif np.isclose(new, C, rtol=1e-9):
        way += " to C"
    else:
        way += f", but not to {'C' if new > old else '0'}"
    assert asked.right == way
    return "where"


def by_share(asked: Asked) -> str:
    """Find whose weights the move changes, and which of the two has the lower y f."""
    before, after = asked.before, asked.after
    moved = set(np.flatnonzero(before.coefficients != after.coefficients).tolist())
    if asked.question.options[0].place:
        points = [asked.nearest(i) for i in range(len(asked.question.options))]
        others = [i for i in points if i not in moved]
        assert points[asked.question.right] in moved
        assert (before.duals[others] == 0).all()
        margins = before.signs * before.outputs
        assert (margins[others] > before.level).all()
        return "whose weight"
    assert asked.point in moved
    (other,) = moved - {asked.point}
    margins = before.signs * before.decision_function(before.points)
    assert before.signs[other] == before.signs[asked.point]
    assert asked.right == ("it rises" if margins[asked.point] < margins[other] else "it falls")
    return "more or less"


def by_hand(asked: Asked) -> str:
    """Measure both streets."""
    found = []
    for step in (asked.before, asked.after):
        f = step.task.points @ step.weights + step.bias
        losses = np.maximum(1 - step.task.signs * f, 0).sum()
        found.append(2 / np.linalg.norm(step.weights) if "width" in asked.question.text else losses)
    assert asked.right == ("it rises" if found[1] > found[0] else "it falls")
    return "street"


def all_at_once(asked: Asked) -> str:
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    risen = np.abs(asked.after.coefficients) > np.abs(asked.before.coefficients)
    assert np.flatnonzero(risen[points]).tolist() == [asked.question.right]
    return "all at once"


def mix(asked: Asked) -> str:
    """Find the kernel whose weight, in proportion to eta times the root of q, grows most."""
    before = asked.before
    beta, task = before.coefficients, before.task
    q = [beta @ k(task.points, task.points) @ beta for k in task.kernels]
    lengths = before.weights * np.sqrt(np.array(q) / task.scales)
    gains = lengths / lengths.sum() - before.weights
    assert asked.right == MIXED[asked.link["mixed"]][int(gains.argmax())]
    return "mix"


def classes(asked: Asked) -> str:
    """Find the points within the street of the next machine, by its f."""
    after, right = asked.after, asked.question.right
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    f = after.decision_function(after.points)[points, -1]
    side, other = after.machines[-1]
    assert other == -1 or set(asked.labels[points]) <= {*after.classes[[side, other]]}
    margins = np.where(asked.labels[points] == after.classes[side], f, -f)
    assert margins[right] < 1 + TOLERANCE
    assert (np.delete(margins, right) > 1 - TOLERANCE).all()
    return "machine"


JUDGES = {
    "pairs": pairs,
    "ν": by_share,
    "by hand": by_hand,
    "all at once": all_at_once,
    "mix": mix,
    "classes": classes,
}


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {
        "whose weight",
        "more or less",
        "who",
        "where",
        "street",
        "all at once",
        "machine",
        "mix",
    }
    check_judgements("svm", SETTINGS, count, judge, kinds)
