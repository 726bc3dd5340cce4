import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["by hand", "power iteration", "eigenvectors"],
    "data": ["iris", "penguins", "parallel", "stretched", "diabetes"],
    "seed": range(100),
    "components": [1, 3],
    "standardize": ["True", "False"],
    "all": ["True", "True", "False"],
}


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
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


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("pca", SETTINGS, count, judge, {"axis", "column", "power"})
