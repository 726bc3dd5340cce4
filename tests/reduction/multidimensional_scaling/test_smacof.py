from functools import partial

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist
from sklearn.manifold import smacof as their_smacof

from algorithms.core.iterate import resumed
from algorithms.core.record import last
from algorithms.data.places import EUROPE, WORDS
from algorithms.reduction.multidimensional_scaling.classical_scaling import classical_scaling
from algorithms.reduction.multidimensional_scaling.distances import edit_distances, on_the_globe
from algorithms.reduction.multidimensional_scaling.smacof import (
    advance,
    eigenvector_map,
    move,
    put,
    random_map,
    smacof,
    stress,
    stress_by_axes,
)
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

X = np.random.default_rng(0).normal(size=(20, 4))
DELTA = cdist(X, X)
START = np.random.default_rng(1).normal(size=(20, 2))
ARGUMENTS = {"distances": DELTA, "start": START}


SCIKIT_LEARN = Checked(
    "multidimensional_scaling",
    "scikit-learn's `smacof` from the same start, the distances on the map",
    40,
    "numbers of steps",
    within=1e-6,
)


@pytest.mark.parametrize("steps", range(1, SCIKIT_LEARN.cases + 1))
def test_agrees_with_scikit_learn_after_every_number_of_steps(steps: int) -> None:
    ours = list(smacof(DELTA, start=START, max_iter=steps, tol=0.0))[-1]
    theirs, _ = their_smacof(
        DELTA, init=START, n_init=1, max_iter=steps, eps=0, normalized_stress=False
    )
    np.testing.assert_allclose(
        cdist(ours.embedding, ours.embedding),
        cdist(theirs, theirs),
        rtol=0,
        atol=SCIKIT_LEARN.within,
    )
    assert ours.stress == pytest.approx(stress(theirs, DELTA), rel=1e-6)


NEVER_RISES = Checked(
    "multidimensional_scaling",
    "The stress after every step, which must not rise, relative to 1 + the stress at the start",
    100,
    "random tables",
    within=1e-12,
)


@pytest.mark.parametrize("seed", range(NEVER_RISES.cases))
def test_stress_never_rises(seed: int) -> None:
    rng, n, c = np.random.default_rng(seed), 2 + seed % 11, 1 + seed % 3
    delta = rng.random((n, n)) * (rng.random((n, n)) < 0.9)  # no distances of any points
    delta = np.triu(delta, 1) + np.triu(delta, 1).T
    steps = check_steps(smacof(delta, n_components=c, start=rng.normal(size=(n, c)), max_iter=60))
    stresses = np.array([step.stress for step in steps])
    assert (np.diff(stresses) <= NEVER_RISES.within * (1 + stresses[0])).all()
    assert stresses[-1] == pytest.approx(
        sum(
            (np.linalg.norm(steps[-1].embedding[i] - steps[-1].embedding[j]) - delta[i, j]) ** 2
            for i in range(n)
            for j in range(i)
        )
    )


def test_at_the_end_no_direction_is_downhill() -> None:
    end = last(smacof(DELTA, start=START, max_iter=5000, tol=0.0))
    slope = approx_fprime(end.embedding.ravel(), lambda z: stress(z.reshape(-1, 2), DELTA), 1e-7)
    assert np.abs(slope).max() < 1e-3
    np.testing.assert_allclose(move(end.embedding, DELTA), end.embedding, atol=1e-4)


def test_a_move_is_the_mean_of_what_all_places_want() -> None:
    Z = move(START, DELTA)
    for i in range(20):
        wanted = [START[i]]
        for j in set(range(20)) - {i}:
            way = START[i] - START[j]
            wanted.append(START[j] + DELTA[i, j] * way / np.linalg.norm(way))
        np.testing.assert_allclose(Z[i], np.mean(wanted, axis=0), atol=1e-12)


def test_points_of_a_plane_are_found_again() -> None:
    flat = X[:, :2]
    delta = cdist(flat, flat)
    end = last(smacof(delta, start=last(classical_scaling(delta)).embedding + 0.1 * START))
    assert end.stress < 1e-3 * np.square(delta).sum() and end.event == "converged"


def test_the_map_of_europe_has_little_stress_whatever_it_starts_from() -> None:
    delta = on_the_globe(EUROPE.degrees)
    ends = [
        last(smacof(delta, start=random_map(delta, 2, rng=np.random.default_rng(seed))))
        for seed in range(20)
    ]
    share = np.array([end.stress for end in ends]) / (np.square(delta).sum() / 2)
    assert np.median(share) < 0.001


def test_more_axes_less_stress() -> None:
    delta = edit_distances(WORDS)
    stresses = stress_by_axes(delta, 5)
    assert len(stresses) == 5 and (np.diff(stresses) < 0).all()
    for c in (1, 3):
        end = last(smacof(delta, n_components=c, start=eigenvector_map(delta, c)))
        assert stresses[c - 1] == end.stress
    assert eigenvector_map(np.zeros((1, 1)), 2).shape == (1, 2)


def test_a_run_goes_on_from_places_put_by_hand() -> None:
    was = list(smacof(DELTA, start=START))
    Z = was[3].embedding.copy()
    Z[0] = [9.0, 9.0]
    steps = check_steps(
        resumed(was, 4, partial(put, DELTA, Z), partial(advance, DELTA, 1e-6), most=300)
    )
    assert steps[4].event == "moved by hand" and steps[4].stress == stress(Z, DELTA)
    again = list(smacof(DELTA, start=Z))
    np.testing.assert_array_equal(steps[-1].embedding, again[-1].embedding)
    with pytest.raises(ValueError, match="places must have shape"):
        list(resumed(was, 4, partial(put, DELTA, Z[:3]), partial(advance, DELTA, 1e-6), most=3))


def test_places_on_one_spot_do_no_harm() -> None:
    steps = check_steps(smacof(DELTA, start=np.zeros((20, 2))))
    assert steps[-1].event == "converged" and not steps[-1].embedding.any()


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    for change, sentence in [
        ({"start": START[:3]}, "start must have shape"),
        ({"n_components": 0}, "n_components"),
        ({"max_iter": 0}, "max_iter"),
        ({"tol": -1.0}, "tol"),
        ({"distances": np.ones((20, 20))}, "distances must be symmetric"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            smacof(**(ARGUMENTS | change))
