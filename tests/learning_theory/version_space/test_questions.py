"""The lab's questions, judged by all boxes with sides between samples."""

import numpy as np

from algorithms.learning_theory.version_space.candidate_elimination import holds
from algorithms.learning_theory.version_space.conjunctions import ANY, conjunctions
from pages.learning_theory.version_space import TABLE
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.learning_theory.version_space.test_candidate_elimination import every_box

SETTINGS = {
    "view": ["candidate elimination", "class list"],
    "n": [5, 8, 12],
    "noise": [0, 0.2],
    "d1": ["True", "False"],
    "d4": ["True", "False"],
    "seed": range(99),
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    X, y = asked.run.call.args
    if asked.link["view"] == "class list":
        left = [h for h in conjunctions(TABLE.counts).tolist() if agrees(h, X, y, asked.now + 1)]
        assert asked.right == str(len(left))
        return "class list"
    seen = asked.before.seen
    some = np.vstack([X[:seen], asked.place])
    boxes = [box for box in every_box(some) if np.array_equal(holds(box, X[:seen]), y[:seen] == 1)]
    said = {bool(holds(box, asked.place[None])[0]) for box in boxes}
    right = {(True,): "all of them say +", (False,): "all of them say −"}
    assert asked.right == right.get(tuple(said), "some say +, others −")
    return str(sorted(said))


def agrees(h: list[int], rows: np.ndarray, y: np.ndarray, seen: int) -> bool:
    return all(
        all(value in (ANY, own) for value, own in zip(h, row, strict=True)) == bool(label)
        for row, label in zip(rows[:seen].tolist(), y, strict=False)
    )


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"class list", "[False, True]", "[False]", "[True]"}
    check_judgements("version_space", SETTINGS, count, judge, kinds)
