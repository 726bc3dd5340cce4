import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

from algorithms.core.record import last
from algorithms.reduction.pca.pca import pca
from algorithms.reduction.singular_values.low_rank import low_rank
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"A": np.random.default_rng(0).normal(size=(8, 5))}

SCIKIT_LEARN = Checked(
    "singular_values",
    "scikit-learn's `TruncatedSVD`, the table rebuilt from 3 terms",
    20,
    "random tables",
    within=1e-9,
)


def table(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(20 + seed, 12)) * np.arange(1.0, 13)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(seed: int) -> None:
    A = table(seed)
    ours = check_steps(low_rank(A))
    theirs = TruncatedSVD(3, algorithm="arpack", random_state=0)
    rebuilt = theirs.inverse_transform(theirs.fit_transform(A))
    near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
    np.testing.assert_allclose(ours[3].rebuilt, rebuilt, **near)
    np.testing.assert_allclose(ours[0].singular_values[:3], theirs.singular_values_, **near)


PCA = Checked(
    "singular_values",
    "our own PCA, whose variances are the squares over $h - 1$",
    20,
    "centred tables",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(PCA.cases))
def test_it_is_pca_if_the_means_are_0(seed: int) -> None:
    A = table(seed)
    A = A - A.mean(axis=0)
    variances = np.square(next(low_rank(A)).singular_values) / (len(A) - 1)
    found = np.concatenate([step.variances for step in list(pca(A))[-1:]])
    np.testing.assert_allclose(variances, found, rtol=0, atol=PCA.within * variances.max())


def test_steps_add_a_column_times_a_row_each_and_miss_the_further_squares() -> None:
    A = table(0)
    steps = check_steps(low_rank(A))
    assert [step.terms for step in steps] == list(range(13))
    for step in steps:
        missed = np.square(A - step.rebuilt).sum()
        np.testing.assert_allclose(
            missed, np.square(step.singular_values[step.terms :]).sum(), atol=1e-9
        )
        np.testing.assert_allclose(step.missed, missed / np.square(A).sum(), atol=1e-12)
    for step in steps[1:]:
        assert np.linalg.matrix_rank(step.term) == 1
        assert np.linalg.matrix_rank(step.rebuilt) == step.terms
    np.testing.assert_allclose(steps[-1].rebuilt, A)


def test_a_run_ends_at_the_rank() -> None:
    rng = np.random.default_rng(0)
    for rank in (0, 1, 3):
        A = rng.normal(size=(9, rank)) @ rng.normal(size=(rank, 7))
        end = last(low_rank(A))
        assert end.terms == rank == end.rank and end.event == "exact"
        assert end.missed == 0


def test_nothing_of_the_same_rank_misses_less() -> None:
    rng, A = np.random.default_rng(1), table(1)
    least = np.square(A - list(low_rank(A))[2].rebuilt).sum()
    for _ in range(50):
        U = rng.normal(size=(len(A), 2))
        best = U @ np.linalg.lstsq(U, A)[0]
        assert np.square(A - best).sum() > least


def test_what_is_no_table_is_refused_at_the_call() -> None:
    for bad in (np.full((3, 3), np.nan), np.zeros((0, 3))):
        with AsInTheApp(), pytest.raises(ValueError, match=r"\bA must\b"):
            low_rank(bad)
