"""Conjunctions over a table: each against each row, and the class list of the notes."""

from itertools import product

import numpy as np
import pytest

from algorithms.learning_theory.version_space.conjunctions import (
    ANY,
    NONE,
    conjunction_elimination,
    conjunctions,
)
from pages.learning_theory.version_space import TABLE
from tests.house.checked import Checked

TABLES = Checked(
    "version_space",
    "Every conjunction and every row, one by one, for what is left",
    40,
    "random tables",
)
ARGUMENTS = {
    "rows": np.array(TABLE.rows),
    "y": np.array(TABLE.positive, int),
    "values": [len(each) for each in TABLE.values],
}


def covers(h: tuple[int, ...], row: tuple[int, ...]) -> bool:
    return all(value in (ANY, asked) for value, asked in zip(h, row, strict=True))


def test_what_is_left_agrees_with_every_row_and_its_borders_are_extreme() -> None:
    for case in range(TABLES.cases):
        rng = np.random.default_rng(case)
        values = tuple(rng.integers(2, 4, rng.integers(1, 4)).tolist())
        rows = np.column_stack([rng.integers(0, k, 5) for k in values])
        y = rng.integers(0, 2, 5)
        H = [tuple(h) for h in conjunctions(values).tolist()]
        assert len(set(H)) == len(H) == np.prod(np.add(values, 1)) + 1
        every = list(product(*map(range, values)))
        extent = [{row for row in every if covers(h, row)} for h in H]
        for step in conjunction_elimination(rows, y, values=values):
            for i, h in enumerate(H):
                agrees = all(
                    covers(h, tuple(row)) == bool(label)
                    for row, label in zip(rows[: step.seen].tolist(), y, strict=False)
                )
                assert step.left[i] == agrees
            left = np.flatnonzero(step.left)
            for i in left:
                assert step.general[i] != any(extent[i] < extent[j] for j in left)
                assert step.specific[i] != any(extent[j] < extent[i] for j in left)


def test_the_class_list_of_the_notes_leaves_nothing() -> None:
    steps = list(conjunction_elimination(**ARGUMENTS))
    assert [int(step.left.sum()) for step in steps] == [28, 8, 2, 1, 0]
    assert steps[-1].event == "nothing is left"


@pytest.mark.parametrize(
    ("rows", "values", "sentence"),
    [
        (np.zeros((2, 3), int), (2, 2), "2 attributes"),
        (np.full((2, 2), 2), (2, 2), "indices of values"),
        (np.zeros((2, 5), int), (9, 9, 9, 9, 9), "conjunctions"),
    ],
)
def test_bad_input_is_named_at_the_call(
    as_in_the_app: None, rows: np.ndarray, values: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        conjunction_elimination(rows, np.zeros(2, int), values=values)


def test_the_empty_conjunction_is_the_last_and_holds_no_row() -> None:
    H = conjunctions((2, 2))
    assert (H[-1] == NONE).all() and (H[0] == ANY).all()
