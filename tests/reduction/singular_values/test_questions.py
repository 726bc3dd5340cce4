"""The lab's questions, judged from NumPy's singular value decomposition alone."""

import re

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["s_curve", "spiral", "blobs", "circles"],
    "pen": [1, 2.5, 5],
    "query": ["-0.5,0.4", "0.3,0.1", "1.1,-1.2"],
    "sample": range(20),
}


def judge(asked: Asked) -> str:
    row, column = (int(n) - 1 for n in re.findall(r"(?:row|column) (\d+)", asked.question.text))
    U, s, V = np.linalg.svd(asked.steps[-1].rebuilt)
    change = s[asked.now] * U[row, asked.now] * V[asked.now, column]
    assert asked.right == ("it rises" if change > 0 else "it falls")
    return asked.right


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("singular_values", SETTINGS, count, judge, {"it rises", "it falls"})


WAYS = {
    "view": ["circle", "PCA"],
    "columns": ["1.2,-0.4;1,1.4", "0.3,0.9;1.5,0.2", "-1,0.5;0.4,-2"],
    "data": ["line", "blobs", "moons"],
    "sample": range(20),
}


def judge_way(asked: Asked) -> str:
    """Find the arrow by its place; the whole way follows from A by NumPy."""
    before, after, A = asked.steps[asked.now], asked.after, asked.steps[-1].M
    k = 0 if "v₁" in asked.question.text else 1
    v = np.linalg.eigh(A.T @ A)[1][:, 1 - k]
    v *= np.sign(v @ before.V[:, k])
    tips = before.M @ v, after.M @ v
    np.testing.assert_allclose(tips[0], asked.place, atol=1e-6)
    if "stretch" in asked.question.text:
        rises = np.linalg.norm(A @ v) > 1
    else:
        rises = tips[1][1] > tips[0][1]
    assert asked.right == ("it rises" if rises else "it falls")
    return ("stretch " if "stretch" in asked.question.text else "turn ") + asked.right[3:]


@SAMPLES
def test_the_way_of_the_circle_says_what_is_right(count: int) -> None:
    kinds = {f"{part} {way}" for part in ("turn", "stretch") for way in ("rises", "falls")}
    check_judgements("singular_values", WAYS, count, judge_way, kinds)
