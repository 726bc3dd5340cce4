"""Shattering: every class of hypotheses against an independent decision of each labelling."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import Delaunay

from algorithms.core.record import last
from algorithms.learning_theory.vc_dimension.hypotheses import (
    BOXES,
    DISCS,
    HALF_PLANES,
    HYPOTHESES,
    POLYGONS,
    convex_hull,
)
from algorithms.learning_theory.vc_dimension.shattering import (
    ShatteringStep,
    all_labellings,
    most_by_half_planes,
    sauer_bound,
    shatters,
    vc_dimension,
)
from tests.house.checked import Checked

LINES = Checked(
    "vc_dimension",
    "A linear program for each labelling, for half-planes",
    60,
    "random sets of up to six points",
)
LIFTED = Checked(
    "vc_dimension",
    "A linear program in $(x, |x|^2)$, for discs",
    60,
    "random sets of up to six points",
)
EVERY_BOX = Checked(
    "vc_dimension", "All boxes with sides through points", 60, "random sets of up to six points"
)
TRIANGLES = Checked(
    "vc_dimension",
    "SciPy's triangulation of the positives, for convex polygons",
    60,
    "random sets of up to six points",
)
FORMULA = Checked(
    "vc_dimension",
    "The formula $n^2 - n + 2$ for half-planes and points in general position",
    20,
    "random sets of each size up to six",
)
ARGUMENTS = {"X": np.random.default_rng(0).normal(size=(4, 2)), "hypotheses": HALF_PLANES}


def some(case: int) -> np.ndarray:
    rng = np.random.default_rng(1000 + case)
    return rng.normal(size=(1 + case % 6, 2))


def feasible(F: np.ndarray, y: np.ndarray, low: list[float | None]) -> bool:
    """Return whether theta · F_i >= 1 for positives and <= -1 for negatives has a solution."""
    s = np.where(y, 1.0, -1.0)[:, None]
    limits = [(each, None) for each in low]
    return linprog(np.zeros(F.shape[1]), -s * F, -np.ones(len(F)), bounds=limits).status == 0


def by_a_line(X: np.ndarray, y: np.ndarray) -> bool:
    return feasible(np.column_stack([np.ones(len(X)), X]), y, [None, None, None])


def by_a_disc(X: np.ndarray, y: np.ndarray) -> bool:
    q = -np.square(X).sum(axis=1)  # with a weight of at least 0
    return feasible(np.column_stack([np.ones(len(X)), X, q]), y, [None, None, None, 0.0])


def by_some_box(X: np.ndarray, y: np.ndarray) -> bool:
    if not y.any():
        return True
    xs, ys = np.sort(X, axis=0).T
    return any(
        np.array_equal((w <= X[:, 0]) & (X[:, 0] <= e) & (s <= X[:, 1]) & (X[:, 1] <= n), y)
        for w in xs for e in xs for s in ys for n in ys
    )  # fmt: skip


def by_triangles(X: np.ndarray, y: np.ndarray) -> bool:
    """With fewer than three positives, a negative in their hull has probability 0."""
    if y.sum() < 3 or y.all():
        return True
    return bool((Delaunay(X[y]).find_simplex(X[~y]) < 0).all())


ORACLES = [
    pytest.param(LINES.cases, HALF_PLANES, by_a_line, id=HALF_PLANES),
    pytest.param(LIFTED.cases, DISCS, by_a_disc, id=DISCS),
    pytest.param(EVERY_BOX.cases, BOXES, by_some_box, id=BOXES),
    pytest.param(TRIANGLES.cases, POLYGONS, by_triangles, id=POLYGONS),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("cases", "hypotheses", "oracle"), ORACLES)
def test_labellings_are_realised_where_the_oracle_says_so(
    cases: int, hypotheses: str, oracle: Callable[[np.ndarray, np.ndarray], bool]
) -> None:
    for case in range(cases):
        X = some(case)
        steps = list(shatters(X, hypotheses))
        assert len(steps) == len({tuple(step.labels) for step in steps}) == 2 ** len(X)
        for step in steps:
            assert step.realizable == oracle(X, step.labels.astype(bool)), (X, step.labels)
            check_reason(X, step, hypotheses)
        counts = [step.realized.sum() for step in steps]
        assert counts[-1] <= sauer_bound(len(X), vc_dimension(hypotheses))
        assert steps[-1].shattered == (counts[-1] == len(steps))


@pytest.mark.thorough
def test_half_planes_realise_as_many_labellings_as_the_formula_says() -> None:
    for n in range(1, 7):
        for case in range(FORMULA.cases):
            X = np.random.default_rng([n, case]).normal(size=(n, 2))
            assert last(shatters(X, HALF_PLANES)).realized.sum() == most_by_half_planes(n)


def check_reason(X: np.ndarray, step: ShatteringStep, hypotheses: str) -> None:
    """Check that the region holds only positives, or that the obstacle mixes both sides."""
    y, found = step.labels.astype(bool), step.obstacle
    if step.hypothesis is not None:
        np.testing.assert_array_equal(step.hypothesis.holds(X), y)
    assert (found is None) == step.realizable
    assert step.hypothesis is not None or not step.realizable or not y.any()
    if found is None:
        return
    if hypotheses == BOXES:
        (j,) = np.flatnonzero(found.shares)
        assert not y[j] and (found.place == X[j]).all()
        assert (X[y].min(axis=0) <= X[j]).all() and (X[j] <= X[y].max(axis=0)).all()
        return
    for side in (y, ~y):
        assert found.shares[side].sum() == pytest.approx(1)
        np.testing.assert_allclose(found.shares[side] @ X[side], found.place, atol=1e-9)
    if hypotheses == DISCS:
        q = np.square(X).sum(axis=1)
        assert found.shares[y] @ q[y] >= found.shares[~y] @ q[~y] - 1e-9


@pytest.mark.parametrize("hypotheses", HYPOTHESES)
def test_nothing_depends_on_where_the_points_are_or_on_their_scale(hypotheses: str) -> None:
    X = some(4)
    as_it_is = [step.realizable for step in shatters(X, hypotheses)]
    for scale, shift in ((1e-6, 0.0), (1e6, 3.0), (1.0, 1e4)):
        moved = [step.realizable for step in shatters(scale * X + shift, hypotheses)]
        assert moved == as_it_is


@pytest.mark.parametrize("hypotheses", HYPOTHESES)
def test_special_positions(hypotheses: str) -> None:
    """Points in a row: the middle one cannot be the only negative one. Twins agree."""
    row = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    failed = {tuple(step.labels) for step in shatters(row, hypotheses) if not step.realizable}
    assert failed == {(1, 0, 1)} | ({(0, 1, 0)} if hypotheses == HALF_PLANES else set())
    twins = np.array([[1.0, 2.0], [1.0, 2.0]])
    for step in shatters(twins, hypotheses):
        assert step.realizable == (step.labels[0] == step.labels[1])
        check_reason(twins, step, hypotheses)


def test_four_points_on_a_circle_are_not_shattered_by_discs() -> None:
    square = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    failed = [step.labels.tolist() for step in shatters(square, DISCS) if not step.realizable]
    assert sorted(failed) == [[0, 1, 0, 1], [1, 0, 1, 0]]


def test_intervals_shatter_two_points() -> None:
    assert last(shatters(np.array([[0.0], [1.0]]), BOXES)).event == "shattered"
    three = last(shatters(np.array([[0.0], [1.0], [3.0]]), BOXES))
    assert three.realized.sum() == 7 == sauer_bound(3, vc_dimension(BOXES, 1))


def test_neighbours_differ_by_one_label() -> None:
    for n in range(1, 8):
        every = all_labellings(n)
        assert len(np.unique(every, axis=0)) == 2**n
        assert ((every[1:] != every[:-1]).sum(axis=1) == 1).all()


def test_the_hull_of_points_is_scipys() -> None:
    from scipy.spatial import ConvexHull

    for case in range(30):
        X = np.random.default_rng(case).normal(size=(3 + case % 8, 2))
        corners = convex_hull(X).corners
        assert {tuple(x) for x in corners} == {tuple(x) for x in X[ConvexHull(X).vertices]}
        assert convex_hull(X).holds(X).all()


@pytest.mark.parametrize(
    ("X", "hypotheses", "sentence"),
    [
        (np.zeros((11, 2)), HALF_PLANES, "between 1 and 10 rows"),
        (np.zeros((2, 3)), DISCS, "two columns"),
        (np.zeros((2, 1)), POLYGONS, "two columns"),
        (np.zeros((2, 2)), "circles", "hypotheses"),
    ],
)
def test_bad_input_is_named_at_the_call(X: np.ndarray, hypotheses: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        shatters(X, hypotheses)
