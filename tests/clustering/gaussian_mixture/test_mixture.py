"""What the mode "mixture" shows and writes of a run."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy import ndarray
from scipy.stats import multivariate_normal

from algorithms.clustering.gaussian_mixture.gaussian_mixture import Event, gaussian_mixture
from tests.core.figures import unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import event_names
from viz.clustering.gaussian_mixture import lower_bound
from viz.clustering.gaussian_mixture.gaussian_mixture import Mixture, Settings, picked
from viz.clustering.gaussian_mixture.marks import still_shared, undecided
from viz.core import soft_groups
from viz.core.scene import Run

SETTINGS = Settings("random", "full", 1e-5)
QUERY = np.array([0.4, 0.9])


def mixture(X: ndarray, k: int = 3, **how: object) -> list:
    how = {"rng": np.random.default_rng(1), "init": "random", "max_iter": 100} | how
    return list(gaussian_mixture(X, k, **how))


def mode(X: ndarray, steps: list) -> Mixture:
    return Mixture(Run("", steps), board(X), QUERY, SETTINGS)


X = points_of("stretched", 150)
STEPS = mixture(X)
MODE = mode(X, STEPS)


def joint(step, X: ndarray) -> ndarray:
    """Return pi_k N(x_i; mu_k, Sigma_k), by SciPy."""
    parts = zip(step.weights, step.means, step.covariances, strict=True)
    return np.stack([w * multivariate_normal(m, S).pdf(X) for w, m, S in parts], axis=-1)


def test_the_note_says_how_many_numbers_are_estimated() -> None:
    k, numbers_of_three, *_ = numbers(MODE.note)
    assert (k, numbers_of_three) == (3, 17)


@pytest.mark.parametrize("now", [0, 3, 4])
def test_the_picture_shows_the_step(now: int) -> None:
    figure = MODE.picture(now)
    _key, before, *ellipses, means = figure["data"]
    numbers = unpacked(figure["points"]["group"])
    np.testing.assert_array_equal(numbers, soft_groups.blends(STEPS[now].responsibilities))
    np.testing.assert_allclose(
        np.column_stack([means["x"], means["y"]]), STEPS[now].means, atol=1e-4
    )
    assert len(ellipses) == 2 * 3
    if STEPS[now].phase == "maximization":
        assert np.isfinite(unpacked(before["x"])).sum() == 3 * 25
    else:
        assert np.isnan(unpacked(before["x"])).all()


def test_the_curves_are_the_log_likelihood_and_its_gap_to_the_bound() -> None:
    whole, dot, gap, below = lower_bound.bound_view(STEPS).draw(5)["data"]
    np.testing.assert_allclose(unpacked(whole["y"]), [s.log_likelihood for s in STEPS], rtol=1e-6)
    lower = unpacked(whole["y"]) - unpacked(gap["y"])
    np.testing.assert_allclose(lower, [s.lower_bound for s in STEPS], rtol=1e-6)
    assert (dot["y"], below["y"]) == ([STEPS[5].log_likelihood], [STEPS[5].gap])


@pytest.mark.parametrize("now", [0, 3, 6])
def test_the_bars_are_the_shares_of_the_picked_point(now: int) -> None:
    (bars,) = MODE.shares(now)["data"]
    products = joint(STEPS[now], QUERY)
    np.testing.assert_allclose(bars["y"], products / products.sum(), atol=1e-4)
    np.testing.assert_allclose([float(text) for text in bars["text"]], bars["y"], atol=0.006)


def test_it_opens_where_a_third_of_the_points_is_undecided() -> None:
    most = [step.responsibilities.max(axis=1) for step in STEPS[::2]]
    counts = [int((largest < 0.9).sum()) for largest in most]
    assert counts == [undecided(step) for step in STEPS[::2]]
    first = next(i for i, count in enumerate(counts) if 3 * count <= len(X))
    assert still_shared(STEPS) == 2 * first == MODE.opens > 0


def test_the_picked_point_is_shared_out() -> None:
    for now in (0, 3, len(STEPS) - 1):
        products = joint(STEPS[now], QUERY)
        j = products.argmax()
        told = numbers(MODE.caption(now).split("\n")[-1])
        expected = [j + 1, products[j], products.sum(), products[j] / products.sum()]
        np.testing.assert_allclose(told, expected, rtol=6e-3)


def test_a_picked_point_far_from_narrow_components_is_shared_out_all_the_same() -> None:
    apart = np.concatenate([X / 1e6, X / 1e6 + [3.0, 0.0]])
    narrow = mixture(apart, 2, rng=np.random.default_rng(0))[-1]
    near = narrow.means[:, 0].argmax()
    assert numbers(picked(narrow, np.array([2.5, 1.0]))) == [near + 1, 1]


def test_the_caption_of_an_expectation_recomputed() -> None:
    now = 4
    step, before = STEPS[now], STEPS[now - 1]
    products = joint(step, X)
    r = products / products.sum(axis=1, keepdims=True)
    first, second, _ = MODE.caption(now).split("\n")
    assert numbers(first) == [(r.max(axis=1) < 0.9).sum(), 150, 0.9]
    likely = np.log(products.sum(axis=1)).sum()
    np.testing.assert_allclose(numbers(second), [likely, before.gap], rtol=6e-3)


def test_the_caption_of_a_maximization_recomputed() -> None:
    now = 5
    step, before = STEPS[now], STEPS[now - 1]
    q = step.responsibilities
    means = q.T @ X / q.sum(axis=0)[:, None]
    j = int(np.hypot(*(means - before.means).T).argmax())
    size = q[:, j].sum()
    first, second, _ = MODE.caption(now).split("\n")
    rise = step.log_likelihood - before.log_likelihood
    np.testing.assert_allclose(numbers(first), [rise, step.log_likelihood], rtol=6e-3)
    expected = [j + 1, *means[j], size, 150, size / 150]
    np.testing.assert_allclose(numbers(second), expected, rtol=6e-3)


def test_the_caption_owns_up_to_what_the_floor_costs() -> None:
    outlier = points_of("outlier", 60)
    found = 0
    for floor in (0.01, 0.1, 1.0):
        steps = mixture(outlier, floor=floor, init="k-means")
        shown = mode(outlier, steps)
        for now in range(1, len(steps)):
            fell = steps[now].log_likelihood < steps[now - 1].log_likelihood - 1e-9
            assert ("because of the floor" in shown.caption(now)) == fell
            found += fell
    assert found > 0


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    now = 4 if event in ("converged", "stopped at max_iter") else 3
    free = replace(STEPS[now].family, share=0.0, floor=0.0)
    step = replace(STEPS[now], family=free, event=None)
    there = replace(step, event=event, collapsed=np.array([False, True, False]))
    one, other = (mode(X, [*STEPS[:now], each]).caption(now) for each in (step, there))
    by_hand = other.startswith("By hand: ")
    assert by_hand == (event == "moved by hand")
    assert by_hand or len(other) >= len(one) + 10
    assert ("no floor holds it" in other) == (event == "collapse")
    if event in ("collapse", "singular covariance"):
        assert re.search(r"component 2 \(Σ q = ", other)
