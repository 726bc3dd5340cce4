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
