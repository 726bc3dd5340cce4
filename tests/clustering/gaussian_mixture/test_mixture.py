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
from viz.clustering.gaussian_mixture.marks import example
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
    before, *ellipses, ring, means = figure["data"]
    numbers = unpacked(figure["points"]["group"])
    np.testing.assert_array_equal(numbers, soft_groups.blends(STEPS[now].responsibilities))
    np.testing.assert_allclose(
        np.column_stack([means["x"], means["y"]]), STEPS[now].means, atol=1e-4
    )
    assert len(ellipses) == 3
    if STEPS[now].phase == "maximization":
        assert np.isnan(unpacked(ring["x"])).all()
        assert np.isfinite(unpacked(before["x"])).sum() == 3 * 11
    else:
        np.testing.assert_allclose(unpacked(ring["x"]), X[example(STEPS, now), 0], rtol=1e-6)
        assert np.isnan(unpacked(before["x"])).all()


def test_the_curves_are_log_likelihood_and_bound() -> None:
    lower, whole, *_ = lower_bound.bound(STEPS)(5)["data"]
    np.testing.assert_allclose(unpacked(whole["y"]), [s.log_likelihood for s in STEPS], rtol=1e-6)
    np.testing.assert_allclose(unpacked(lower["y"]), [s.lower_bound for s in STEPS], rtol=1e-6)


def test_the_start_has_no_bar_before() -> None:
    figure = lower_bound.halves(STEPS)(0)
    bound, kl = figure["data"]
    assert bound["y"][0] == kl["y"][0] == 0 < bound["y"][1]
    assert figure["layout"]["xaxis"]["ticktext"] == ["", "now: KL 0"]


@pytest.mark.parametrize("now", [1, 2, 5])
def test_the_bars_are_bound_and_kl_of_this_pair(now: int) -> None:
    figure = lower_bound.halves(STEPS)(now)
    bound, kl = figure["data"]
    for i, step in enumerate((STEPS[now - 1], STEPS[now])):
        above = step.lower_bound - STEPS[now - 1].lower_bound
        told = numbers(figure["layout"]["xaxis"]["ticktext"][i])
        assert told == pytest.approx([step.gap], rel=6e-3, abs=1e-12)
        assert bound["base"][i] + bound["y"][i] == pytest.approx(above)
        assert kl["base"][i] == pytest.approx(above)
        assert kl["y"][i] == pytest.approx(step.gap)
    low, high = figure["layout"]["yaxis"]["range"]
    assert low <= min(bound["base"]) and high >= kl["base"][1] + kl["y"][1]


def test_the_picked_point_is_shared_out() -> None:
    for now in (0, 3, len(STEPS) - 1):
        products = joint(STEPS[now], QUERY)
        order = np.argsort(-products)
        shares, j = products / products.sum(), order[0]
        told = numbers(MODE.caption(now).split("\n")[-1])
        expected = [products[j], products.sum(), shares[j], j + 1]
        for i in order[1:]:
            expected += [i + 1, shares[i]]
        np.testing.assert_allclose(told, expected, rtol=6e-2)


def test_a_picked_point_far_from_narrow_components_is_shared_out_all_the_same() -> None:
    narrow = mixture(np.concatenate([X / 1e6, X / 1e6 + [3.0, 0.0]]), 2)[-1]
    near, far = narrow.means[:, 0].argmax(), narrow.means[:, 0].argmin()
    assert numbers(picked(narrow, np.array([2.5, 1.0]))) == [1, near + 1, far + 1, 0]


def test_the_caption_of_an_expectation_recomputed() -> None:
    now = 4
    step, before = STEPS[now], STEPS[now - 1]
    products = joint(step, X)
    r = products / products.sum(axis=1, keepdims=True)
    changed = (r.argmax(axis=1) != before.responsibilities.argmax(axis=1)).sum()
    first, second, _ = MODE.caption(now).split("\n")
    assert numbers(first) == [changed, 150]
    gap, zero, likelihood, *rest = numbers(second)
    likely = np.log(products.sum(axis=1)).sum()
    np.testing.assert_allclose([gap, zero, likelihood], [before.gap, 0, likely], rtol=6e-3)
    i = np.abs(r - before.responsibilities).max(axis=1).argmax()
    j = r[i].argmax()
    shown = [step.weights[j], products[i, j] / step.weights[j], products[i].sum(), r[i, j]]
    np.testing.assert_allclose(rest, [*shown, j + 1], rtol=6e-3)


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
    bounds = [before.lower_bound, step.lower_bound, 0, step.gap, step.log_likelihood]
    expected = [j + 1, size, 150, size / 150, *means[j]]
    told = numbers(second)
    np.testing.assert_allclose(told[:5], bounds, rtol=6e-3)
    np.testing.assert_allclose(told[4], step.log_likelihood, rtol=6e-6)
    np.testing.assert_allclose(told[5:], expected, rtol=6e-3)


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
