from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.semi_supervised import LabelPropagation

from algorithms.core.record import last
from algorithms.graphs.relational_neighbor import (
    WEIGHTS,
    graph,
    matrix,
    relational_neighbor,
)
from tests.house.check_steps import LABELS, AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"known": np.arange(len(LABELS)) % 7 == 0, "n_neighbors": 4}


def sample(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of three classes, and which of them are known: some of every class."""
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) + 1.5 * np.array([[0, 0], [1, 1], [2, 0]])[y]
    known = rng.random(60) < 0.2
    known[:3] = True
    return X, y, known


SCIKIT_LEARN = Checked(
    "relational_neighbor",
    "scikit-learn's `LabelPropagation` on the same graph, after the last round",
    20,
    "random samples of three classes",
    within=1e-6,
)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(seed: int) -> None:
    X, y, known = sample(seed)
    weights = WEIGHTS[seed % 2]
    W = matrix(*graph(X, 6, weights), len(X)).toarray()
    end = last(
        relational_neighbor(X, y, known, n_neighbors=6, weights=weights, max_iter=5000, tol=1e-10)
    )
    kernel: Any = lambda *_: W.copy()  # noqa: E731
    theirs = LabelPropagation(kernel=kernel, max_iter=5000, tol=1e-10)
    theirs.fit(X, np.where(known, y, -1))
    assert SCIKIT_LEARN.within and end.event == "converged" and end.reached.all()
    np.testing.assert_allclose(
        end.shares, theirs.label_distributions_, rtol=0, atol=SCIKIT_LEARN.within
    )


HARMONIC = Checked(
    "relational_neighbor",
    "the linear equations in which every share is the mean of its neighbours'",
    20,
    "random samples of three classes",
    within=1e-6,
)


@pytest.mark.parametrize("seed", range(HARMONIC.cases))
def test_ends_where_every_point_is_the_mean_of_its_neighbours(seed: int) -> None:
    X, y, known = sample(100 + seed)
    W = matrix(*graph(X, 6, "alike"), len(X)).toarray()
    L = np.diag(W.sum(axis=1)) - W
    wanted = np.eye(3)[y]
    right = W[np.ix_(~known, known)] @ wanted[known]
    wanted[~known] = np.linalg.solve(L[np.ix_(~known, ~known)], right)
    end = last(relational_neighbor(X, y, known, n_neighbors=6, max_iter=5000, tol=1e-10))
    assert HARMONIC.within
    np.testing.assert_allclose(end.shares, wanted, rtol=0, atol=HARMONIC.within)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_round_is_the_weighted_mean_of_neighbours_with_a_label(weights: str) -> None:
    X, y, known = sample(0)
    edges, w = graph(X, 4, weights)
    near = [
        [(int(j), v) for (a, b), v in zip(edges, w, strict=True) for j in (a, b) if i in (a, b)]
        for i in range(len(X))
    ]
    steps = check_steps(relational_neighbor(X, y, known, n_neighbors=4, weights=weights))
    for before, after in pairwise(steps[:5]):
        for i in range(len(X)):
            votes = [(j, v) for j, v in near[i] if j != i and before.reached[j]]
            if known[i]:
                np.testing.assert_array_equal(after.shares[i], before.shares[i])
            elif not votes:
                assert after.labels[i] == -1
            else:
                mean = sum(v * before.shares[j] for j, v in votes) / sum(v for _, v in votes)
                np.testing.assert_allclose(after.shares[i], mean, atol=1e-12)


def test_a_point_is_joined_to_its_nearest_and_copies_do_not_hide_them() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    edges, _ = graph(X, 3, "alike")
    apart = np.square(X[:, None] - X).sum(axis=2) + np.diag(np.full(40, np.inf))
    near = apart.argsort(axis=1)[:, :3]
    wanted = {tuple(sorted((i, int(j)))) for i in range(40) for j in near[i]}
    assert {tuple(edge) for edge in edges.tolist()} == wanted
    copies = np.zeros((6, 2))
    edges, w = graph(copies, 2, "nearer more")
    assert (edges[:, 0] < edges[:, 1]).all() and (w == 1).all()
    assert (np.bincount(edges.ravel(), minlength=6) >= 2).all()


def test_a_piece_without_a_known_point_gets_no_label() -> None:
    X = np.concatenate([np.arange(5.0), 100 + np.arange(5.0)])[:, None] * [1.0, 0.0]
    y, known = np.arange(10) % 2, np.arange(10) < 2
    steps = check_steps(relational_neighbor(X, y, known, n_neighbors=2))
    assert (steps[-1].labels[5:] == -1).all() and (steps[-1].labels[:5] >= 0).all()
    assert steps[-1].event == "converged"


def test_labels_that_are_not_known_do_not_matter() -> None:
    X, y, known = sample(1)
    other = np.where(known, y, 2 - y)
    ours, theirs = (last(relational_neighbor(X, each, known, n_neighbors=5)) for each in (y, other))
    np.testing.assert_array_equal(ours.shares, theirs.shares)


def test_bad_arguments_are_refused_at_the_call() -> None:
    X, y, known = sample(0)
    with AsInTheApp():
        with pytest.raises(ValueError, match="known must"):
            relational_neighbor(X, y, np.zeros(60, bool), n_neighbors=3)
        with pytest.raises(ValueError, match="n_neighbors must"):
            relational_neighbor(X, y, known, n_neighbors=60)
        with pytest.raises(ValueError, match="weights must"):
            relational_neighbor(X, y, known, n_neighbors=3, weights="none")
        with pytest.raises(ValueError, match="y must"):
            relational_neighbor(X, np.zeros(60, int), known, n_neighbors=3)
