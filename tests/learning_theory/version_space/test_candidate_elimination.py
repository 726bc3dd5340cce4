"""Candidate elimination against all boxes, one by one."""

from itertools import combinations

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.learning_theory.version_space.boxes_on_a_grid import (
    CELLS,
    boxes_left,
    intervals,
    votes,
)
from algorithms.learning_theory.version_space.candidate_elimination import (
    candidate_elimination,
    holds,
    holds_inside,
)
from tests.house.checked import Checked

BETWEEN = Checked(
    "version_space",
    "Every box with sides between samples, whether S and G bound exactly those that agree",
    60,
    "random samples of up to eight points",
)
COUNTED = Checked(
    "version_space",
    "The boxes of the grid, one by one, for the number that are left",
    20,
    "random samples of 15 points",
)
SQUARE = (-3.0, 3.0, -3.0, 3.0)
TRUTH = np.array([[-1.5, 1.0], [-1.0, 1.5]])


def every_box(X: np.ndarray) -> list[np.ndarray]:
    """All boxes whose sides are between neighbouring samples, or beyond all of them.

    Two sides are beyond the samples on the left, so that some boxes hold none.
    """
    sides = []
    for values in np.sort(X, axis=0).T:
        between = (values[1:] + values[:-1]) / 2
        sides.append([values[0] - 2, values[0] - 1, *between, values[-1] + 1])
    across, up = (list(combinations(each, 2)) for each in sides)
    return [np.array([x, y]) for x in across for y in up]


def labels_of(X: np.ndarray, case: int) -> np.ndarray:
    """Those of a box, and in every third case some others."""
    rng = np.random.default_rng([case, 1])
    y = holds(TRUTH, X)
    return y ^ (rng.random(len(X)) < 0.2) if case % 3 == 0 else y


@pytest.mark.thorough
def test_a_box_agrees_iff_it_holds_s_and_is_within_one_of_g() -> None:
    emptied = 0
    for case in range(BETWEEN.cases):
        X = np.random.default_rng(case).uniform(-3, 3, (2 + case % 7, 2))
        y = labels_of(X, case)
        boxes = every_box(X)
        for step in candidate_elimination(X, y.astype(int)):
            seen, labels = X[: step.seen], y[: step.seen]
            agree = [np.array_equal(holds(box, seen), labels) for box in boxes]
            assert agree == [bounded(box, step) for box in boxes]
            emptied += step.event == "nothing is left"
            if step.event == "nothing is left":
                assert not any(agree) and not step.most_general
    assert emptied


def bounded(box, step) -> bool:
    S = step.most_specific
    return (S is None or bool(holds(box, S.T).all())) and any(
        (box[:, 0] >= G[:, 0]).all() and (box[:, 1] <= G[:, 1]).all() for G in step.most_general
    )


def test_general_boxes_are_the_largest_and_none_is_within_another() -> None:
    X = np.random.default_rng(5).uniform(-3, 3, (40, 2))
    for step in candidate_elimination(X, holds(TRUTH, X).astype(int)):
        for G in step.most_general:
            negatives = X[: step.seen][~holds(TRUTH, X[: step.seen])]
            assert not holds_inside(G, negatives).any()
            for axis in range(2):  # no side can move out
                for side in range(2):
                    if np.isfinite(G[axis, side]):
                        wider = G.copy()
                        wider[axis, side] += (2 * side - 1) * 1e-9
                        assert holds_inside(wider, negatives).any()
        assert len({G.tobytes() for G in step.most_general}) == len(step.most_general)


def test_what_is_sure_is_what_all_boxes_say() -> None:
    X = np.random.default_rng(7).uniform(-3, 3, (8, 2))
    y = holds(TRUTH, X)
    places = np.random.default_rng(8).uniform(-2.9, 2.9, (50, 2))
    # Boxes with sides at places, too, so that the doubt about each of them is seen.
    boxes = every_box(np.vstack([X, places[:12]]))
    end = last(candidate_elimination(X, y.astype(int)))
    left = [box for box in boxes if np.array_equal(holds(box, X), y)]
    said = np.array([holds(box, places[:12]) for box in left])
    np.testing.assert_array_equal(end.surely_in(places[:12]), said.all(axis=0))
    np.testing.assert_array_equal(end.surely_out(places[:12]), ~said.any(axis=0))


def test_the_boxes_left_are_counted_one_by_one() -> None:
    lines = np.linspace(-3, 3, CELLS + 1)
    spans = [(lines[a], lines[b]) for a, b in intervals()]
    assert len(spans) ** 2 == 6084
    for case in range(COUNTED.cases):
        X = np.random.default_rng([case, 2]).uniform(-3, 3, (15, 2))
        y = labels_of(X, case)
        left = boxes_left(X, y, SQUARE)
        for seen in (0, 3, 15):
            agree = np.array(
                [
                    [np.array_equal(holds(np.array([x, z]), X[:seen]), y[:seen]) for x in spans]
                    for z in spans[::7]
                ]
            )
            np.testing.assert_array_equal(left[seen][::7], agree)


def test_votes_are_shares_of_the_boxes_left() -> None:
    X = np.random.default_rng(3).uniform(-3, 3, (6, 2))
    left = boxes_left(X, holds(TRUTH, X), SQUARE)[-1]
    found, middles = votes(left), (np.arange(CELLS) + 0.5) / CELLS * 6 - 3
    lines = np.linspace(-3, 3, CELLS + 1)[intervals()]
    for row, column in ((0, 0), (5, 6), (7, 7), (11, 3)):
        held = [
            lines[j, 0] < middles[column] < lines[j, 1] and lines[i, 0] < middles[row] < lines[i, 1]
            for i, j in np.argwhere(left)
        ]
        assert found[row, column] == pytest.approx(np.mean(held))
    assert not votes(np.zeros_like(left)).any()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: candidate_elimination(np.zeros((201, 2)), np.zeros(201, int)), "at most 200"),
        (lambda: candidate_elimination(np.zeros((2, 2)), np.zeros(3, int)), "y must"),
    ],
)
def test_bad_input_is_named_at_the_call(as_in_the_app, call, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
