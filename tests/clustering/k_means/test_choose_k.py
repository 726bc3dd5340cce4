from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_score

from algorithms.clustering.k_means import choose_k as module
from algorithms.clustering.k_means.choose_k import choose_k, mdl_cost, silhouette
from tests.core.samples import rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked


def three_blobs(n: int) -> np.ndarray:
    return np.repeat([[0.0, 0], [8, 0], [0, 8]], n // 3, axis=0) + rng(1).normal(size=(n, 2))


SILHOUETTE = Checked(
    "k_means", "scikit-learn's `silhouette_score`", 60, "random divisions", within=1e-12
)


@settings(max_examples=SILHOUETTE.cases, deadline=None)
@given(
    n=st.integers(3, 60),
    k=st.integers(2, 6),
    seed=st.integers(0, 999),
    distinct=st.booleans(),
    rows=st.integers(1, 80),
)
def test_silhouette_is_scikit_learns(n: int, k: int, seed: int, distinct: bool, rows: int) -> None:
    X = rng(seed).normal(size=(n, 2))
    X = X if distinct else np.round(X)
    labels = rng(seed + 1).integers(k, size=n) * 3  # numbers may be missing, as an empty cluster's
    if not 2 <= len(np.unique(labels)) < n:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", rows * n)  # any number of blocks
        ours = silhouette(X, labels)
    assert ours == pytest.approx(silhouette_score(X, labels), abs=SILHOUETTE.within)


def test_silhouette_where_scikit_learn_refuses() -> None:
    X = rng().normal(size=(6, 2))
    assert silhouette(X, np.zeros(6, int)) == 0
    assert silhouette(X, np.arange(6)) == 0
    assert silhouette(np.ones((6, 2)), np.arange(6) % 2) == 0


def test_finds_three_blobs() -> None:
    X = three_blobs(150)
    steps = check_steps(choose_k(X, range(1, 8), rng=rng()))
    assert [step.k for step in steps] == list(range(1, 8))
    assert max(steps, key=lambda step: step.silhouette).k == 3
    assert min(steps, key=lambda step: mdl_cost(step.inertia, step.k, 150.0)).k == 3
    assert steps[0].silhouette == 0
    assert steps[0].inertia == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())
    for before, after in pairwise(steps):
        assert after.inertia < before.inertia
    for step in steps:
        assert step.inertia == pytest.approx(((X - step.centers[step.labels]) ** 2).sum())
        np.testing.assert_array_equal(step.predict(X), step.labels)
        if step.k > 1:
            assert step.silhouette == pytest.approx(silhouette_score(X, step.labels))


def test_a_sample_stands_for_many_points() -> None:
    X = three_blobs(1500)
    steps = list(choose_k(X, [2, 3], rng=rng(), restarts=2))
    again = list(choose_k(X, [2, 3], rng=rng(), restarts=2))
    for step, same in zip(steps, again, strict=True):
        assert step.silhouette == same.silhouette
        assert step.silhouette == pytest.approx(silhouette_score(X, step.labels), abs=0.03)


def test_more_restarts_do_not_hurt() -> None:
    X = rng(5).normal(size=(80, 2))
    few = next(choose_k(X, [6], rng=rng(2), restarts=1)).inertia
    assert next(choose_k(X, [6], rng=rng(2), restarts=20)).inertia <= few


def test_mdl_cost() -> None:
    assert mdl_cost(12.0, 3, 2.5) == 19.5


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ks": []}, "ks must name at least one number of clusters, got none"),
        ({"ks": [1, 6]}, "k must be between 1 and n=5, got k=6"),
        ({"restarts": 0}, "restarts must be at least 1, got restarts=0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        choose_k(**{"X": np.arange(10.0).reshape(5, 2), "ks": [1], "rng": rng()} | changes)
    assert str(caught.value) == sentence
