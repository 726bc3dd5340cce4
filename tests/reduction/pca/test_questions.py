import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["by hand", "power iteration", "eigenvectors", "three lines", "kernel PCA"],
    "data": ["iris", "penguins", "parallel", "stretched", "diabetes"],
    "seed": range(100),
    "components": [1, 3],
    "standardize": ["True", "False"],
    "side": ["up", "across", "sideways"],
    "all": ["True", "True", "False"],
}


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if asked.link["view"] == "three lines":
        return line(asked)
    if asked.link["view"] == "kernel PCA":
        return share(asked)
    if text.startswith("The axis turns"):
        z = asked.X - asked.X.mean(axis=0)
        z = z / z.std(axis=0, ddof=1) if asked.link["standardize"] == "True" else z
        old, new = (np.var(z @ step.components[0], ddof=1) for step in (before, after))
        assert asked.right == ("it rises" if new > old else "it falls")
        return "axis"
    if text.startswith("Which column"):
        weights = np.abs(after.components[-1])
        data = asked.data
        names = data.columns if len(weights) > 2 else [data.columns[j] for j in (data.x, data.y)]
        assert asked.right == f"“{names[weights.argmax()]}”"
        return "column"
    gain = after.shares - before.shares
    assert asked.right == f"eigenvector {gain.argmax() + 1}"
    assert gain.argmax() >= after.index
    return "power"


def line(asked: Asked) -> str:
    """Measure from every point to the line through the mean."""
    X = asked.X - asked.X.mean(axis=0)
    X = X / X.std(axis=0, ddof=1) if asked.link["standardize"] == "True" else X
    found = []
    for step in (asked.before, asked.after):
        across = X @ [-step.components[0, 1], step.components[0, 0]]
        part = {"up": step.components[0, 0], "sideways": step.components[0, 1], "across": 1}
        found.append(np.square(across / part[asked.link["side"]]).sum())
    assert asked.right == ("it rises" if found[1] > found[0] else "it falls")
    return "line"


def share(asked: Asked) -> str:
    """Take the variances of the scores, and that of all features from the kernel matrix."""
    Z = asked.after.transform(asked.X)
    points = asked.after.scaling.transform(asked.X)
    K = asked.after.kernel(points, points)
    total = np.trace(K) / len(K) - K.mean()
    assert asked.right == f"{number(100 * Z.var(axis=0).sum() / total)} %"
    return "share"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("pca", SETTINGS, count, judge, {"axis", "column", "power", "line", "share"})
