"""The straight pieces that the lasso path is made of."""

from itertools import pairwise

import numpy as np
import pytest

from algorithms.regression.linear_paths._lasso_piece import compressed, straight_piece, turned
from algorithms.regression.linear_paths.centred import centred
from algorithms.regression.linear_paths.lasso_path import first_event, lasso_path

RNG = np.random.default_rng(0)
DATA = centred(RNG.normal(size=(30, 4)), RNG.normal(size=30))
SIGNS = np.array([1.0, 0.0, -1.0, 0.0])


def test_a_piece_is_the_formula() -> None:
    piece = straight_piece(DATA, (2, 0), SIGNS)
    assert piece
    A = DATA.X[:, [2, 0]]
    inverse = np.linalg.inv(A.T @ A)
    np.testing.assert_allclose(piece.base[[2, 0]], inverse @ A.T @ DATA.y)
    np.testing.assert_allclose(piece.slope[[2, 0]], inverse @ [-1, 1])
    for penalty in (0.0, 0.7):
        r = DATA.y - DATA.X @ piece.weights(penalty)
        np.testing.assert_allclose(piece.correlations(penalty), DATA.X.T @ r, atol=1e-12)


def test_compressed_data_have_the_same_piece() -> None:
    small = compressed(DATA)
    assert len(small.X) == 5
    one, other = (straight_piece(data, (0, 2), SIGNS) for data in (DATA, small))
    assert one and other
    for name in ("base", "slope", "rest", "pull"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)


@pytest.mark.parametrize("gap", [0.0, 1e-10])
def test_a_dependent_column_may_not_enter(gap: float) -> None:
    x = RNG.normal(size=20)
    X = np.column_stack([x, 2 * x + gap * RNG.normal(size=20)])
    data = centred(X, RNG.normal(size=20))
    piece = straight_piece(data, (0,), np.array([1.0, 0.0]))
    assert piece and turned(data, piece, 1, 0.1) is None


def test_the_next_event_is_the_next_knot_of_the_path() -> None:
    first, second = list(lasso_path(DATA.X, DATA.y))[:2]
    signs = np.zeros(4)
    signs[first.variable] = np.sign(first.correlations[first.variable])
    piece = straight_piece(DATA, (first.variable,), signs)
    assert piece
    variable, gap, speed, length = first_event(piece, first.penalty, np.zeros(4, bool), 0.0)
    assert variable == second.variable
    assert length == pytest.approx(first.penalty - second.penalty)
    assert gap / speed == pytest.approx(length)


@pytest.mark.parametrize("seed", range(5))
def test_the_knots_are_those_of_the_rule_in_the_docstring(seed: int) -> None:
    """w_A <- w_A + t delta and c <- c - t gamma, from one knot to the next."""
    random = np.random.default_rng(seed)
    data = centred(random.normal(size=(30, 6)), random.normal(size=30))
    gram, steps = data.X.T @ data.X, list(lasso_path(data.X, data.y))
    for before, after in pairwise(steps):
        A, t = before.active, before.penalty - after.penalty
        delta = np.zeros(6)
        delta[A] = np.linalg.solve(gram[np.ix_(A, A)], np.sign(before.correlations[A]))
        np.testing.assert_allclose(after.weights, before.weights + t * delta, atol=1e-10)
        c = before.correlations - t * gram @ delta
        np.testing.assert_allclose(after.correlations, c, atol=1e-10)
