from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import softmax

from algorithms.clustering.gaussian_mixture.gaussian_mixture import gaussian_mixture
from algorithms.clustering.gaussian_mixture.soft_k_means import (
    Event,
    advance,
    by_hand,
    critical_stiffness,
    soft_k_means,
    times_critical,
)
from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.iterate import resumed
from algorithms.core.record import last
from tests.core.samples import board, points_of, rng
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from viz.clustering.gaussian_mixture.soft_k_means import SoftKMeans
from viz.core.scene import Run

preset = partial(points_of, n=150, sample=1)


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


@pytest.mark.parametrize("seed", range(5))
def test_all_centres_on_the_mean_is_stable_below_the_critical_stiffness_only(seed: int) -> None:
    """Centres that begin next to the mean come back to it, or leave it."""
    random = rng(seed)
    X = random.normal(size=(60, 2)) @ random.normal(size=(2, 2))
    near = X.mean(axis=0) + 0.001 * X.std() * random.normal(size=(3, 2))

    def farthest(multiple: float) -> float:
        beta = multiple * critical_stiffness(X)
        how = {"init": near, "stiffness": beta, "tol": 1e-9, "max_iter": 3000}
        return float(np.abs(last(soft_k_means(X, 3, rng=random, **how)).centers - X.mean(0)).max())

    assert farthest(0.9) < 1e-5 * X.std() and farthest(1.1) > 0.05 * X.std()


@pytest.mark.parametrize("at", [1, 2, 5])
def test_it_goes_on_from_centres_given_by_hand(at: int) -> None:
    was = list(soft_k_means(BLOBS, 3, rng=rng(), stiffness=2.0))
    places, follow = BLOBS[:3], partial(advance, BLOBS)
    steps = check_steps(resumed(was, at, partial(by_hand, BLOBS, places), follow, most=400))
    again = list(soft_k_means(BLOBS, 3, rng=rng(), stiffness=2.0, init=places))
    assert all(a is b for a, b in zip(was[:at], steps[:at], strict=True))
    assert steps[at].event == "moved by hand"
    energy = [step.free_energy for step in again]
    np.testing.assert_allclose([step.free_energy for step in steps[at:]], energy, rtol=1e-12)
    with pytest.raises(ValueError, match=r"centers must have shape \(k, d\) = \(3, 2\)"):
        by_hand(BLOBS, places[:2], was[0])


# What the mode "soft k-means" shows

SOFT = list(soft_k_means(BLOBS, 3, rng=rng(1), init="random", stiffness=critical_stiffness(BLOBS)))


def mode(steps: list) -> SoftKMeans:
    return SoftKMeans(Run("", steps), board(BLOBS), "random", 1.0)


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    plain, named = (
        mode([*SOFT[:3], replace(SOFT[3], event=name)]).caption(3).split("\n")[0]
        for name in (None, event)
    )
    assert named != plain


def test_the_captions_recomputed() -> None:
    shown, assigned, step = mode(SOFT), SOFT[2], SOFT[3]
    squared = ((BLOBS[:, None] - assigned.centers) ** 2).sum(axis=2)
    r = np.exp(-assigned.stiffness * squared)
    r /= r.sum(axis=1, keepdims=True)
    i = r.max(axis=1).argmin()
    energy = (r * squared).sum() + (r * np.log(r)).sum() / assigned.stiffness
    first, second = shown.caption(2).split("\n")
    np.testing.assert_allclose(numbers(first), [energy], rtol=6e-3)
    listed = numbers(second.partition("d² to the centres is ")[2])
    expected = [*squared[i], assigned.stiffness, r[i].argmax() + 1]
    np.testing.assert_allclose(listed[:5], expected, rtol=6e-3)
    assert listed[-1] == pytest.approx(r[i].max(), abs=0.006)
    means = r.T @ BLOBS / r.sum(axis=0)[:, None]
    far = np.hypot(*(means - assigned.centers).T)
    j = int(far.argmax())
    told = numbers(shown.caption(3).split("\n")[1])
    expected = [j + 1, far[j], *means[j], r[:, j].sum(), len(BLOBS)]
    np.testing.assert_allclose(told, expected, rtol=6e-3)
    falls_to = numbers(shown.caption(3).split("\n")[0])
    np.testing.assert_allclose(falls_to, [step.free_energy], rtol=6e-3)
