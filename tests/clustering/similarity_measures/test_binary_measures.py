"""Measures of yes-or-no features against SciPy; their pictures and words."""

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.similarity_measures.binary_measures import (
    MEASURES,
    BinaryStep,
    Event,
    compare_binary,
)
from algorithms.data.baskets import BASKETS, Baskets
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from tests.house.checked import Checked
from viz.clustering.similarity_measures.binary_measures import YesOrNo
from viz.core.scene import Run

TABLE = np.random.default_rng(0).random((9, 6)) < 0.4
TABLE[3] = False
ARGUMENTS = {"table": TABLE}
SCIPY = Checked(
    "similarity_measures",
    "SciPy's `hamming`, `jaccard` and `russellrao` between rows of yes and no",
    12,
    "runs",
    within=1e-12,
)
assert SCIPY.cases == 3 * len(MEASURES)
THEIRS = ("hamming", "jaccard", "russellrao")


def run(table: ndarray, **how) -> list[BinaryStep]:
    return check_steps(compare_binary(table, **how))


@pytest.mark.parametrize("row", [0, 3, 8])
@pytest.mark.parametrize("measure", MEASURES)
def test_every_row_is_compared_as_scipy_does(row: int, measure: str) -> None:
    steps = run(TABLE, row=row, measure=measure)
    assert [step.other for step in steps] == [i for i in range(9) if i != row]
    theirs = [cdist(TABLE[[row]], TABLE, name)[0] for name in THEIRS]  # type: ignore
    theirs.append(cdist(~TABLE[[row]], ~TABLE, "russellrao")[0])
    best = []
    for step in steps:
        np.testing.assert_allclose(step.distances, theirs, rtol=0, atol=SCIPY.within)
        far = theirs[MEASURES.index(measure)]
        np.testing.assert_allclose(step.by, far)
        assert step.nearest == min(step.compared, key=lambda i: round(far[i], 9))
        nearer = step.nearest not in best
        best.append(step.nearest)
        last = "all compared" if step is steps[-1] else None
        assert step.event == (last or ("the nearest so far" if nearer else None))


@pytest.mark.parametrize("measure", range(2))
def test_simple_matching_and_jaccard_are_metrics(measure: int) -> None:
    table = np.unique(TABLE, axis=0)
    D = np.array([run(table, row=i)[0].distances[measure] for i in range(len(table))])
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_array_equal(D == 0, np.eye(len(table), dtype=bool))
    assert (D[:, None] <= D[:, :, None] + D + 1e-12).all()


def test_the_others_are_not_zero_from_a_row_to_itself() -> None:
    yes, no = run(TABLE, row=0)[0].distances[2:, 0]
    assert (yes, no) == (pytest.approx(1 - TABLE[0].mean()), pytest.approx(TABLE[0].mean()))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"table": np.ones((3, 2))}, "table must hold True and False, in two rows or more"),
        ({"table": np.ones((1, 2), bool)}, "two rows or more, got bool of shape"),
        ({"row": 9}, "row must be between 0 and 8"),
        ({"measure": "cosine"}, "measure must be one of 'simple matching'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        compare_binary(**{"table": TABLE} | changes)


# Pictures and words


def made(measure: str, data: Baskets = BASKETS, row: int = 0) -> tuple[list[BinaryStep], YesOrNo]:
    steps = run(data.bought, row=row, measure=measure)
    return steps, YesOrNo(Run("", steps), data)


def counted(step: BinaryStep) -> list[int]:
    """Count p, q, r and s one by one."""
    pairs = list(zip(step.table[step.row], step.table[step.other], strict=True))
    return [
        pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))
    ]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_pictures_and_captions_count_who_bought_what(measure: str) -> None:
    steps, mode = made(measure)
    for now, step in enumerate(steps):
        table, distances, four = mode.picture(now), mode.distances(now), mode.four(now)
        p, q, r, s = counts = counted(step)
        shades = np.array(table["data"][0]["z"])
        assert np.flatnonzero(shades.any(axis=1)).tolist() == sorted([step.row, step.other])
        for row in shades[[step.row, step.other]].tolist():
            assert [row.count(kind) for kind in (1, 2, 3, 4)] == counts
        texts = four["data"][1]["text"]
        written = [text.split(": ")[1] for text in texts]
        assert written == [str(count) for count in counts]
        written, rings = distances["data"]
        assert len(written["text"]) == 4 * (now + 1)
        by = step.distances[:, step.compared]
        nearest = [(i, j) for i, row in enumerate(by) for j in np.flatnonzero(row == row.min())]
        assert list(zip(rings["y"], rings["x"], strict=True)) == nearest
        first, rule = mode.caption(now).split("\n")
        value = eval(rule.partition(": ")[2].partition(" = ")[0].replace("−", "-"))
        assert value == pytest.approx(step.by[step.other])
        told = numbers(rule.partition(":")[0])
        expected = {
            "simple matching": [q + r, 10, q, r],
            "Jaccard": [p + q + r, q + r, q, r],
            "shared yes": [p, 10],
            "shared no": [s, 10],
        }
        assert told == expected[measure]
        least = step.by[step.nearest]
        ends = [] if step.event == "the nearest so far" else [least]
        assert numbers(first) == pytest.approx([step.by[step.other], *ends], rel=6e-3)


def test_two_empty_rows_are_alike_by_jaccard() -> None:
    data = Baskets(np.array([[False, False], [False, False]]), ("Ann", "Ben"), ("tea", "beer"))
    _, mode = made("Jaccard", data)
    assert numbers(mode.caption(0)) == [0, 0, 0]


@pytest.mark.parametrize("event", [*event_names(Event), None])
def test_every_event_occurs(event: str | None) -> None:
    steps, _ = made("Jaccard", row=3)
    assert any(step.event == event for step in steps)
