"""STING against the cells counted at once, their touching groups, and a search from the top."""

from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from scipy.ndimage import label
from sklearn.metrics import adjusted_rand_score

from algorithms.clustering.dbscan.dbscan import NOISE, dbscan
from algorithms.clustering.dbscan.sting import RULES, Event, sting
from tests.core.figures import line, read_png
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from tests.house.checked import Checked
from viz.clustering.dbscan.sting import Cells
from viz.core.scene import Run

ARGUMENTS: dict[str, Any] = {"levels": 4, "min_samples": 2}
DATA = {
    **{name: points_of(name) for name in ("blobs", "moons", "circles", "unequal", "stretched")},
    "on a line": np.column_stack([np.linspace(0, 1, 50) ** 2, np.ones(50)]),
    "on one place": np.full((6, 2), 3.0),
    "one point": np.ones((1, 2)),
}
CELLS = Checked(
    "dbscan",
    "STING's dense cells, counted at once, and SciPy's `label` of the touching ones",
    192,
    "runs on 8 data sets",
)
assert CELLS.cases == len(DATA) * 4 * 3 * 2


def counted(X: ndarray, levels: int) -> tuple[ndarray, ndarray]:
    """Return the counts of the finest cells, and each point's row and column."""
    low, high = X.min(axis=0), X.max(axis=0)
    high = np.where(high > low, high, low + 1e9)
    places = np.floor((X - low) / (high - low) * 2**levels).astype(int).clip(max=2**levels - 1)
    counts = np.zeros((2**levels, 2**levels), int)
    np.add.at(counts, (places[:, 1], places[:, 0]), 1)
    return counts, places[:, ::-1]


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("levels", [1, 3, 4, 6])
@pytest.mark.parametrize("m", [1, 3, 8])
@pytest.mark.parametrize("rule", RULES)
def test_dense_cells_and_their_groups(name: str, levels: int, m: int, rule: str) -> None:
    X = DATA[name]
    counts, places = counted(X, levels)
    dense = counts >= m
    if rule == RULES[1]:  # every larger cell has to be dense on average, too
        for level in range(levels):
            wide = 2 ** (levels - level)
            whole = counts.reshape(2**level, wide, 2**level, wide).sum(axis=(1, 3))
            dense &= np.kron(whole >= m * wide**2, np.ones((wide, wide), bool))
    groups, count = label(dense, structure=np.ones((3, 3)))
    steps = check_steps(sting(X, levels=levels, min_samples=m, rule=rule))
    found = steps[-1].labels
    wanted = groups[tuple(places.T)] - 1
    np.testing.assert_array_equal(found == NOISE, wanted == NOISE)
    pairs = set(zip(found.tolist(), wanted.tolist(), strict=True)) - {(NOISE, NOISE)}
    assert len(pairs) == count == len(set(found.tolist()) - {NOISE})
    assert len(steps) == len(steps[0].survey.cells) + dense.sum()


@pytest.mark.parametrize("rule", RULES)
def test_only_parts_of_relevant_cells_that_have_points_are_looked_at(rule: str) -> None:
    X, L, m = DATA["unequal"], 4, 3
    counts, _ = counted(X, L)
    survey = next(iter(sting(X, levels=L, min_samples=m, rule=rule))).survey
    known = {(0, 0, 0): True}
    for (level, row, column, n), kept in zip(survey.cells.tolist(), survey.relevant, strict=True):
        wide = 2 ** (L - level)
        own = counts[row * wide : (row + 1) * wide, column * wide : (column + 1) * wide]
        assert n == own.sum() > 0
        assert kept == (n >= (m if rule == RULES[0] else m * wide**2))
        known[level, row, column] = bool(kept)
        assert level == 0 or known[level - 1, row // 2, column // 2]
    assert (np.diff(survey.cells[:, 0]) >= 0).all()
    kept = survey.cells[survey.relevant]
    missing = 4 * (kept[:, 0] < L).sum() + 1 - len(survey.cells)
    assert missing >= 0
    if rule == RULES[0]:
        assert len(survey.dense) == (counts >= m).sum(), "nothing dense is missed"


def test_steps_and_events() -> None:
    steps = list(sting(DATA["moons"], levels=4, min_samples=2))
    assert {step.event for step in steps} == {None, *event_names(Event)}
    survey = steps[0].survey
    for now, step in enumerate(steps):
        assert step.looked + step.joined == now + 1
        assert step.joined == 0 or step.looked == len(survey.cells)
    begins = len(survey.cells) + np.flatnonzero(np.diff(survey.clusters, prepend=-1))
    named = [now for now, step in enumerate(steps) if step.event == "new cluster"]
    assert named == [now for now in begins if now < len(steps) - 1]
    labels = steps[len(survey.cells) + 3].labels
    assert (labels != NOISE).sum() < (steps[-1].labels != NOISE).sum()
    np.testing.assert_array_equal(steps[-1].labels, survey.labels)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"X": np.ones((3, 3))}, "X must have two columns, got 3"),
        ({"levels": 0}, "levels must be between 1 and 8, got levels=0"),
        ({"min_samples": 0}, "min_samples must be at least 1"),
        ({"rule": "none"}, "rule must be one of 'may hold a dense cell'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.eye(2), "levels": 2, "min_samples": 1}
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        sting(**given | changes)


# Pictures and words

X = points_of("moons")
STEPS = list(sting(X, levels=4, min_samples=2))
LOOKED = len(STEPS[0].survey.cells)
RIVAL = list(dbscan(X, eps=0.3, min_samples=5))
MODE = Cells(Run("", STEPS), board(X), Run("", RIVAL), 0.3)
SOME = [0, 3, 20, 60, LOOKED - 1, LOOKED, LOOKED + 9, len(STEPS) - 1]


@pytest.mark.parametrize("now", SOME)
def test_the_inks_of_the_cells(now: int) -> None:
    """Each point's dot: grey if a cell around it was ruled out, coloured with its cluster."""
    step = STEPS[now]
    cells, outlines, frame, _ = MODE.picture(now)["data"]
    dots = inks_of(cells)
    low, span = X.min(axis=0), X.max(axis=0) - X.min(axis=0)
    at = np.minimum((X - low) / span * len(dots), len(dots) - 1).astype(int)
    ink = dots[at[:, 1], at[:, 0]]
    np.testing.assert_array_equal(ink >= 3, step.labels >= 0)
    np.testing.assert_array_equal(ink[ink >= 3] - 3, step.labels[ink >= 3] % 8)
    counts, places = counted(X, 4)
    own = counts[tuple(places.T)]
    if now >= LOOKED - 1:
        np.testing.assert_array_equal(ink == 1, own < 2)
    corners = line(frame)[:4]
    if now == len(STEPS) - 1:
        assert np.isnan(corners).all()
    else:
        level, row, column = step.cell
        np.testing.assert_allclose(corners[0], low + span * [column, row] / 2**level, atol=1e-5)
        np.testing.assert_allclose(corners[2] - corners[0], span / 2**level, rtol=1e-4)
    if now == 3:
        assert len(line(outlines)) == 6 * 3, "the root was parted, three parts are kept"


def inks_of(trace: dict) -> ndarray:
    """Return the ink of every dot of an image, the lowest row first."""
    return read_png(b64decode(trace["source"].partition(",")[2]))[0]


@pytest.mark.parametrize("now", SOME)
def test_the_bars_are_shares_of_a_level(now: int) -> None:
    survey, upto = STEPS[0].survey, min(now + 1, LOOKED)
    looked, relevant = MODE.by_level(now)["data"]
    for level in range(5):
        mine = survey.cells[:upto, 0] == level
        assert looked["y"][level] == pytest.approx(100 * mine.sum() / 4**level)
        kept = survey.relevant[:upto][mine].sum()
        assert relevant["y"][level] == pytest.approx(100 * kept / 4**level)


def test_the_captions_recomputed() -> None:
    for now in SOME[:5]:
        level, _, _, n = STEPS[now].survey.cells[now].tolist()
        first, rule, tally = MODE.caption(now).split("\n")
        assert numbers(first)[:1] == [level]
        if level == 4:
            assert numbers(first)[1] == n and ("not dense" in first) == (n < 2)
            assert rule == "A dense cell holds at least m = 2 points."
        else:
            assert numbers(rule)[:2] == [n, 2] and ("at least" in rule) == (n >= 2)
        out = (~STEPS[0].survey.relevant[: now + 1]).sum()
        assert numbers(tally) == [now + 1, 341, out]
    end = MODE.caption(len(STEPS) - 1).split("\n")
    theirs = RIVAL[-1].labels
    found = STEPS[-1].labels
    own, of_dbscan = end[0].split(" DBSCAN: ")
    assert numbers(own)[-1] == (found == NOISE).sum()
    assert numbers(of_dbscan)[-1] == (theirs == NOISE).sum()
    assert numbers(end[2])[0] == pytest.approx(adjusted_rand_score(found, theirs), abs=1e-3)


def test_without_a_dense_cell_everything_is_noise() -> None:
    steps = list(sting(X, levels=4, min_samples=20, rule=RULES[1]))
    mode = Cells(Run("", steps), board(X), Run("", RIVAL), 0.3)
    assert len(steps) == 1 and steps[0].event == "finished"
    assert "No cell is dense: all points are noise." in mode.caption(0)
