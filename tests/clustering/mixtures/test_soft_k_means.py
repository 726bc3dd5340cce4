from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import softmax

from algorithms.clustering.k_means import k_means
from algorithms.clustering.mixtures.gaussian_mixture import gaussian_mixture
from algorithms.clustering.mixtures.soft_k_means import (
    critical_stiffness,
    soft_k_means,
    times_critical,
)
from algorithms.data.presets import DATASETS
from tests.house.check_steps import AsInTheApp, check_steps


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def preset(name: str, n: int = 150) -> np.ndarray:
    return DATASETS[name].make(n, noise=DATASETS[name].noise, rng=rng(1)).X


BLOBS = preset("blobs")


@settings(max_examples=80, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 6),
    seed=st.integers(0, 9),
    stiffness=st.sampled_from([0.01, 0.1, 1.0, 10.0, 1e4]),
)
def test_what_holds_for_every_run(X: np.ndarray, k: int, seed: int, stiffness: float) -> None:
    k = min(k, len(X))
    steps = check_steps(soft_k_means(X, k, rng=rng(seed), stiffness=stiffness))
    assert [step.phase for step in steps] == [("assign", "move")[i % 2] for i in range(len(steps))]
    assert steps[-1].event in ("converged", "stopped at max_iter")
    rounding = 1e-12 * (1 + abs(steps[0].free_energy) + steps[0].inertia + len(X) / stiffness)
    for step in steps:
        r = step.responsibilities
        squared = ((X[:, None] - step.centers) ** 2).sum(axis=2)
        np.testing.assert_allclose(r.sum(axis=1), 1)
        assert step.inertia == pytest.approx((r * squared).sum(), abs=1e-9)
        entropy = (r[r > 0] * np.log(r[r > 0])).sum()
        assert step.free_energy == pytest.approx(
            step.inertia + entropy / stiffness, abs=1e-9 * (1 + 1 / stiffness)
        )
        if step.phase == "assign":
            np.testing.assert_allclose(r, softmax(-stiffness * squared, axis=1), atol=1e-9)
            np.testing.assert_allclose(step.shares(X), r, atol=1e-12)
    for before, after in pairwise(steps):
        assert after.free_energy <= before.free_energy + rounding, "it never rises"
        assert after.fall == before.free_energy - after.free_energy
        if after.phase == "move":
            moved = np.sqrt(((after.centers - before.centers) ** 2).sum(axis=1))
            np.testing.assert_allclose(after.shift, moved, atol=1e-12)
            r = after.responsibilities
            held = r.sum(axis=0) > 1e-9
            means = (r.T @ X)[held] / r.sum(axis=0)[held, None]
            np.testing.assert_allclose(after.centers[held], means, atol=1e-9)


@pytest.mark.parametrize("name", ["blobs", "moons", "stretched", "unequal", "circles"])
def test_a_very_stiff_run_is_k_means(name: str) -> None:
    X = preset(name)
    hard = check_steps(k_means(X, 3, rng=rng(), init=X[:3]))
    soft = check_steps(soft_k_means(X, 3, rng=rng(), init=X[:3], stiffness=1e6))
    for ours, theirs in zip(soft, hard, strict=False):
        np.testing.assert_allclose(ours.centers, theirs.centers, atol=1e-6)
        assert ours.inertia == pytest.approx(theirs.inertia, rel=1e-6)
        if ours.phase == "assign":
            assert (ours.predict(X) == theirs.labels).all()
    assert soft[-1].inertia == pytest.approx(hard[-1].inertia, rel=1e-6)


def test_it_is_em_with_equal_weights_and_one_fixed_round_covariance() -> None:
    """The responsibilities of a mixture whose covariance is I / (2 beta), from the same centres."""
    step = list(soft_k_means(BLOBS, 3, rng=rng(), stiffness=0.8))[4]
    mixture = next(iter(gaussian_mixture(BLOBS, 3, rng=rng(), init=step.centers)))
    mixture = replace(mixture, roots=np.stack([np.eye(2) * np.sqrt(2 * 0.8)] * 3))
    np.testing.assert_allclose(mixture.predict_proba(BLOBS), step.shares(BLOBS), atol=1e-12)


def test_centres_merge_below_the_critical_stiffness() -> None:
    critical = 1 / (2 * np.linalg.eigvalsh(np.cov(BLOBS.T, bias=True))[-1])
    assert critical_stiffness(BLOBS) == pytest.approx(critical)
    assert times_critical(BLOBS, 1.5) == pytest.approx(1.5 * critical)
    below = check_steps(soft_k_means(BLOBS, 4, rng=rng(), stiffness=0.7 * critical))
    above = check_steps(soft_k_means(BLOBS, 4, rng=rng(), stiffness=1.5 * critical))
    assert below[-1].distinct == 1
    assert [step.event for step in below].count("centres merge") >= 1
    np.testing.assert_allclose(below[-1].centers, np.tile(BLOBS.mean(axis=0), (4, 1)), atol=0.05)
    assert above[-1].distinct > 1


HOSTILE = {
    "one point": (np.array([[3.0, 4.0]]), 1),
    "k = n": (BLOBS[:12], 12),
    "all the same": (np.full((20, 2), 0.1), 3),
    "on a line": (np.outer(np.arange(30.0), [1, 2]), 4),
    "huge": (BLOBS[:50] * 1e98, 3),
    "vanishing": (BLOBS[:50] * 1e-300, 3),
    "far away": (BLOBS[:50] + 1e15, 3),
    "an outlier": (np.concatenate([BLOBS[:50], [[1e99, -1e99]]]), 3),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("stiffness", [1e-100, 1.0, 1e100])
def test_hostile_data(name: str, stiffness: float) -> None:
    X, k = HOSTILE[name]
    for init in ("k-means++", "random"):
        steps = check_steps(soft_k_means(X, k, rng=rng(), init=init, stiffness=stiffness))
        assert (steps[-1].predict(X) < k).all()


def test_stopped_at_max_iter_is_an_event() -> None:
    steps = list(soft_k_means(BLOBS, 3, rng=rng(), init="random", max_iter=1))
    assert [step.event for step in steps] == [None, None, "stopped at max_iter"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 8}, "k must be between 1 and n=5, got k=8"),
        ({"stiffness": 0}, "stiffness must be positive, got stiffness=0"),
        ({"init": "best"}, "init must be one of 'k-means++', 'random', got init='best'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        soft_k_means(**{"X": np.arange(10.0).reshape(5, 2), "k": 2, "rng": rng()} | changes)
    assert str(caught.value) == sentence
