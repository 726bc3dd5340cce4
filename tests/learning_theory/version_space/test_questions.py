"""The lab's questions, judged by all boxes with sides between samples."""

import numpy as np
from scipy.optimize import linprog

from algorithms.learning_theory.version_space.candidate_elimination import holds
from algorithms.learning_theory.version_space.conjunctions import ANY, conjunctions
from algorithms.learning_theory.version_space.half_planes import REACH
from pages.learning_theory.version_space import TABLE
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.learning_theory.version_space.test_candidate_elimination import every_box

SETTINGS = {
    "view": ["candidate elimination", "class list", "you teach", "half-planes"],
    "n": [5, 8, 12],
    "noise": [0, 0.2],
    "d1": ["True", "False"],
    "d4": ["True", "False"],
    "seed": range(99),
    "m_taught": [3, 6, 9],
    "samples": [5, 12],
    "flipped": [0, 0.2],
    "draw_lines": range(20),
}

SAID: dict[tuple[bool, ...], str] = {(True,): "all of them say +", (False,): "all of them say −"}
MIXED = "some say +, others −"


def judge(asked: Asked) -> str:
    assert asked.run.call
    X, y = asked.run.call.args
    if asked.link["view"] == "class list":
        every = conjunctions([len(each) for each in TABLE.values]).tolist()
        left = [h for h in every if agrees(h, X, y, asked.now + 1)]
        assert asked.right == str(len(left))
        return "class list"
    seen = asked.before.seen
    if asked.link["view"] == "half-planes":
        return by_lines(asked, X[:seen], y[:seen] == 1)
    if asked.question.place:
        said = labels_of(asked.place, X[:seen], y[:seen] == 1)
        assert asked.right == SAID.get(tuple(said), MIXED)
        return str(sorted(said))
    places = [np.array(option.place[1:]) for option in asked.question.options if option.place]
    sides = [len(labels_of(place, X[:seen], y[:seen] == 1)) for place in places]
    wanted = 2 if "must" in asked.question.text else 1
    assert [i for i, count in enumerate(sides) if count == wanted] == [asked.question.right]
    return "must shrink" if wanted == 2 else "cannot"


def labels_of(place: np.ndarray, X: np.ndarray, positive: np.ndarray) -> set[bool]:
    """Return what the boxes that agree with some samples say of a place."""
    boxes = every_box(np.vstack([X, place]))
    agree = [box for box in boxes if np.array_equal(holds(box, X), positive)]
    return {bool(holds(box, place[None])[0]) for box in agree}


def by_lines(asked: Asked, X: np.ndarray, positive: np.ndarray) -> str:
    """Judge by linear programming: is there a line above the place, and one below it?"""
    s = np.where(positive, 1.0, -1.0)[:, None]
    rows = s * np.column_stack([X[:, 0], np.ones(len(X))])  # s (a u + b) <= s v
    said = set()
    for sign in (1.0, -1.0):
        u, v = asked.place
        cost = np.array([u, 1.0])
        found = linprog(
            sign * cost, A_ub=rows if len(X) else None, b_ub=s[:, 0] * X[:, 1] if len(X) else None,
            bounds=[(-REACH, REACH)] * 2,
        )  # fmt: skip
        heights = v - cost @ found.x
        if sign * heights > 0:
            said.add(bool(heights > 0))
    assert asked.right == SAID.get(tuple(said), MIXED)
    return f"lines {sorted(said)}"


def agrees(h: list[int], rows: np.ndarray, y: np.ndarray, seen: int) -> bool:
    return all(
        all(value in (ANY, own) for value, own in zip(h, row, strict=True)) == bool(label)
        for row, label in zip(rows[:seen].tolist(), y, strict=False)
    )


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"class list", "[False, True]", "[False]", "[True]", "must shrink", "cannot"}
    kinds |= {"lines [False, True]", "lines [False]", "lines [True]"}
    check_judgements("version_space", SETTINGS, count, judge, kinds)
