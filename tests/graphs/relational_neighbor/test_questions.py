"""The lab's questions, judged from the edges and the shares of the round before."""

import numpy as np

from algorithms.graphs.relational_neighbor import graph
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "circles", "blobs", "spirals"],
    "k": [3, 5, 8],
    "weights": ["alike", "nearer more"],
    "count": [2, 3, 6],
    "seed": range(20),
}


def judge(asked: Asked) -> str:
    i, before = asked.point, asked.before
    edges, w = graph(asked.X, int(asked.link["k"]), asked.link["weights"])
    shares = np.zeros(len(before.classes))
    for (a, b), weight in zip(edges.tolist(), w, strict=True):
        if i in (a, b):
            shares += weight * before.shares[a + b - i]
    right = f"class {asked.data.classes[int(shares.argmax())]}" if shares.any() else "none yet"
    assert asked.right == right
    return "none" if right == "none yet" else "class"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("relational_neighbor", SETTINGS, count, judge, {"none", "class"})
