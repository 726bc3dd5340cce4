"""Pictures and words of the three views of the mixture lab."""

import json
import re
from base64 import b64decode
from dataclasses import replace
from functools import partial
from typing import get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.stats import multivariate_normal

from algorithms.clustering.mixtures.gaussian_mixture import Event, gaussian_mixture
from algorithms.clustering.mixtures.mixture_choice import mixture_choice
from algorithms.clustering.mixtures.multinomial_mixture import HEADLINES, multinomial_mixture
from algorithms.clustering.mixtures.soft_k_means import Event as SoftEvent
from algorithms.clustering.mixtures.soft_k_means import critical_stiffness, soft_k_means
from algorithms.data.presets import DATASETS
from pages._shared.stage.stage import payload
from viz.clustering.mixtures import gaussian_mixture as draw
from viz.clustering.mixtures import mixture_words as words
from viz.clustering.mixtures import multinomial_mixture as draw_words
from viz.clustering.mixtures import soft_k_means as draw_soft
from viz.core import plane, soft_groups
from viz.core.theme import PALETTE, RGB, SYMBOLS


def preset(name: str, n: int) -> ndarray:
    return DATASETS[name].make(n, noise=DATASETS[name].noise, rng=np.random.default_rng(0)).X


def mixture(X: ndarray, k: int = 3, **how: object) -> list:
    how = {"rng": np.random.default_rng(1), "init": "random", "max_iter": 100} | how
    return list(gaussian_mixture(X, k, **how))


def unpacked(array: dict) -> ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)


X = preset("stretched", 150)
STEPS = mixture(X)
SOFT = list(soft_k_means(X, 3, rng=np.random.default_rng(1), stiffness=critical_stiffness(X) * 3))
TOPICS = list(multinomial_mixture(HEADLINES.counts, 3, rng=np.random.default_rng(1)))
CHOICES = list(mixture_choice(X, range(1, 6), rng=np.random.default_rng(0)))
BOX = plane.bounds(X)

VIEWS = {
    "mixture": (STEPS, partial(draw.picture, X, STEPS, bounds=BOX)),
    "bound": (STEPS, partial(draw.bound, STEPS)),
    "choosing k": (STEPS, partial(draw.choosing_k, CHOICES, 3)),
    "soft": (SOFT, partial(draw_soft.picture, X, SOFT, bounds=BOX)),
    "energy": (SOFT, partial(draw_soft.objective, SOFT)),
    "along": (SOFT, partial(draw_soft.along, SOFT)),
    "table": (TOPICS, partial(draw_words.table, HEADLINES, TOPICS)),
    "topics": (TOPICS, partial(draw_words.topics, HEADLINES, TOPICS)),
    "bound of topics": (TOPICS, partial(draw.bound, TOPICS)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_figures_are_valid(name: str) -> None:
    steps, view = VIEWS[name]
    for now in (0, 1, len(steps) - 1):
        figure = view(now)
        go.Figure(figure)
        json.dumps(figure, allow_nan=False)


# Blends and pies


@settings(max_examples=60, deadline=None)
@given(k=st.integers(1, 8), seed=st.integers(0, 99))
def test_a_blend_is_the_mean_of_the_colours_weighted_by_the_shares(k: int, seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.full(k, 0.3), size=20)
    shares = np.concatenate([shares, np.eye(k), np.full((1, k), 1 / k)])
    looks, numbers = soft_groups.looks(k), soft_groups.blends(shares)
    assert len(looks["fills"]) == len(looks["symbols"]) <= 256
    fills = np.array([[int(looks["fills"][i][c : c + 2], 16) for c in (1, 3, 5)] for i in numbers])
    parts = {1: 1, 2: 255, 3: 21, 4: 9, 5: 6, 6: 5, 7: 4, 8: 3}[k]
    assert np.abs(fills - shares @ np.array(RGB)[:k]).max() <= 1 + 255 * k / parts / 2
    pure = [looks["fills"][i].upper() for i in numbers[20 : 20 + k]]
    assert pure == [color.upper() for color in PALETTE[:k]]
    assert [looks["symbols"][i] for i in numbers[20 : 20 + k]] == list(SYMBOLS[:k])


def test_few_points_are_pies_and_many_are_not() -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(3), size=61)
    Z = np.zeros((61, 2))
    slices = unpacked(soft_groups.points(Z[:60], shares[:60])["customdata"]).reshape(60, 3)
    np.testing.assert_allclose(slices / 255, shares[:60], atol=1 / 255)
    assert len(unpacked(soft_groups.points(Z, shares)["customdata"])) == 0


def test_ellipses_are_where_the_distance_is_one_and_two() -> None:
    step = STEPS[-1]
    for trace, mean, S in zip(
        soft_groups.ellipses(step.means, step.covariances), step.means, step.covariances,
        strict=True,
    ):  # fmt: skip
        path = np.column_stack([unpacked(trace["x"]), unpacked(trace["y"])]) - mean
        far = np.sqrt((path @ np.linalg.inv(S) * path).sum(axis=1))
        assert np.isnan(far[13]) and len(far) == 27
        np.testing.assert_allclose(far[:13], 1, rtol=1e-4)
        np.testing.assert_allclose(far[14:], 2, rtol=1e-4)


@pytest.mark.parametrize("now", [0, 3, 4])
def test_the_picture_shows_the_step(now: int) -> None:
    points, before, *ellipses, ring, means = draw.picture(X, STEPS, now, bounds=BOX)["data"]
    assert points["meta"] == "points"
    numbers = unpacked(points["marker"]["color"]).astype(int)
    np.testing.assert_array_equal(numbers, soft_groups.blends(STEPS[now].responsibilities))
    np.testing.assert_allclose(
        np.column_stack([means["x"], means["y"]]), STEPS[now].means, atol=1e-4
    )
    assert len(ellipses) == 3
    if STEPS[now].phase == "maximization":
        assert np.isnan(unpacked(ring["x"])).all()
        assert np.isfinite(unpacked(before["x"])).sum() == 3 * 11
    else:
        np.testing.assert_allclose(unpacked(ring["x"]), X[draw.example(STEPS, now), 0], rtol=1e-6)
        assert np.isnan(unpacked(before["x"])).all()


@pytest.mark.parametrize("now", [0, 1, 2, 5])
def test_the_bars_are_bound_and_kl_of_this_pair(now: int) -> None:
    figure = draw.bound(STEPS, now)
    lower, whole, *_, bound, kl = figure["data"]
    np.testing.assert_allclose(unpacked(whole["y"]), [s.log_likelihood for s in STEPS], rtol=1e-6)
    np.testing.assert_allclose(unpacked(lower["y"]), [s.lower_bound for s in STEPS], rtol=1e-6)
    for i, step in enumerate((STEPS[max(now - 1, 0)], STEPS[now])):
        assert bound["base"][i] + bound["y"][i] == pytest.approx(step.lower_bound)
        assert kl["base"][i] == pytest.approx(step.lower_bound)
        assert kl["y"][i] == pytest.approx(step.gap)
    low, high = figure["layout"]["yaxis2"]["range"]
    assert low <= min(bound["base"]) and high >= STEPS[now].log_likelihood


def test_choosing_k_marks_the_best_of_both() -> None:
    bic, best, held, likeliest = draw.choosing_k(CHOICES, 2, 0)["data"]
    assert best["x"] == [CHOICES[int(np.argmin(bic["y"]))].k]
    assert likeliest["x"] == [CHOICES[int(np.argmax(held["y"]))].k]
    figure = draw.choosing_k(CHOICES, 2, 0)
    assert figure["layout"]["shapes"][0]["x0"] == 2


# Captions


def test_the_caption_of_an_expectation_recomputed() -> None:
    now = 4
    step, before = STEPS[now], STEPS[now - 1]
    joint = np.stack(
        [w * multivariate_normal(m, S).pdf(X)
         for w, m, S in zip(step.weights, step.means, step.covariances, strict=True)],
        axis=1,
    )  # fmt: skip
    r = joint / joint.sum(axis=1, keepdims=True)
    changed = (r.argmax(axis=1) != before.responsibilities.argmax(axis=1)).sum()
    first, second = words.caption(X, STEPS, now, init="random", floor=1e-6).split("\n")
    likelihood = f"{np.log(joint.sum(axis=1)).sum():.6g}".replace("-", "−")
    assert f"bound = log-likelihood = {likelihood}" in first
    assert f"{changed} of 150 points change their main component" in first
    i = np.abs(r - before.responsibilities).max(axis=1).argmax()
    j = r[i].argmax()
    density = joint[i, j] / step.weights[j]
    shown = [step.weights[j], density, joint[i].sum(), r[i, j]]
    found = re.search(r"= ([\d.]+) · ([\d.]+) / ([\d.]+) = ([\d.]+)", second)
    np.testing.assert_allclose([float(text) for text in found.groups()], shown, rtol=6e-3)


def test_the_caption_of_a_maximization_recomputed() -> None:
    now = 5
    q = STEPS[now].responsibilities
    means = q.T @ X / q.sum(axis=0)[:, None]
    j = int(np.hypot(*(means - STEPS[now - 1].means).T).argmax())
    size = q[:, j].sum()
    S = (q[:, j] * (X - means[j]).T) @ (X - means[j]) / size
    first, second = words.caption(X, STEPS, now, init="random", floor=1e-6).split("\n")
    assert f"KL, the gap, is now {STEPS[now].gap:.3g}." in first
    assert second.startswith(f"Component {j + 1} moves most: Σr = {size:.3g}, π = Σr / 150 = ")
    numbers = [float(text.replace("−", "-")) for text in re.findall(r"−?\d[\d.e−]*", second)]
    expected = [j + 1, size, 150, size / 150, *means[j], S[0, 0], S[0, 1], S[1, 0], S[1, 1]]
    np.testing.assert_allclose(numbers, expected, rtol=6e-3)


def test_the_caption_owns_up_to_what_the_floor_costs() -> None:
    outlier = preset("outlier", 60)
    found = 0
    for floor in (0.01, 0.1, 1.0):
        steps = mixture(outlier, floor=floor, init="k-means")
        for now in range(1, len(steps)):
            fell = steps[now].log_likelihood < steps[now - 1].log_likelihood - 1e-9
            text = words.caption(outlier, steps, now, init="k-means", floor=floor)
            assert ("the floor's doing" in text) == fell
            found += fell
    assert found > 0


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_of_the_mixture_has_its_words(event: str) -> None:
    now = 4 if event in ("converged", "stopped at max_iter") else 3
    plain = [*STEPS[:now], replace(STEPS[now], event=None)]
    named = [
        *STEPS[:now],
        replace(STEPS[now], event=event, collapsed=np.array([False, True, False])),
    ]
    one, other = (words.caption(X, s, now, init="random", floor=0.0) for s in (plain, named))
    assert len(other) >= len(one) + 10
    assert other.count("\n") == 1


@pytest.mark.parametrize("event", get_args(SoftEvent))
def test_every_event_of_soft_k_means_has_its_words(event: str) -> None:
    plain = draw_soft.caption(X, SOFT, 3, init="random")
    named = draw_soft.caption(X, [*SOFT[:3], replace(SOFT[3], event=event)], 3, init="random")
    assert len(named) > len(plain) + 10


def test_captions_of_soft_k_means_recomputed() -> None:
    step = SOFT[2]
    squared = ((X[:, None] - step.centers) ** 2).sum(axis=2)
    r = np.exp(-step.stiffness * squared)
    r /= r.sum(axis=1, keepdims=True)
    i = r.max(axis=1).argmin()
    first, second = draw_soft.caption(X, SOFT, 2, init="random").split("\n")
    assert first.startswith("Assign")
    assert f"d² = {', '.join(f'{d:.3g}' for d in squared[i])} to the centres" in second
    assert f"= {r[i].max():.3g}, of centre {r[i].argmax() + 1}." in second
    energy = (r * squared).sum() + (r * np.log(r)).sum() / step.stiffness
    assert f"→ {energy:.5g} (falls by" in first
    means = SOFT[2].responsibilities.T @ X / SOFT[2].responsibilities.sum(axis=0)[:, None]
    j = int(np.hypot(*(means - step.centers).T).argmax())
    text = draw_soft.caption(X, SOFT, 3, init="random").replace("−", "-")
    assert f"Centre {j + 1} moves farthest" in text
    assert f"= ({means[j, 0]:.3g}, {means[j, 1]:.3g})" in text


def test_captions_of_the_topics_recomputed() -> None:
    step = TOPICS[1]
    q = step.responsibilities
    j = int(q.sum(axis=0).argmax())
    drawn = q[:, j] @ HEADLINES.counts
    w = int(drawn.argmax())
    text = draw_words.caption(HEADLINES, TOPICS, 1)
    assert f"Topic {j + 1}: π = Σ q / n = {q[:, j].sum():.3g} / 12" in text
    assert f"δ(“{HEADLINES.words[w]}”)" in text
    assert f"{drawn[w]:.3g} / {drawn.sum():.3g} = {drawn[w] / drawn.sum():.3g}." in text
    shared = draw_words.caption(HEADLINES, TOPICS, 2)
    r = TOPICS[2].responsibilities
    i = int(np.abs(r - q).max(axis=1).argmax())
    assert f"“{HEADLINES.documents[i]}”" in shared
    assert f"is its share: {r[i].max():.3g}." in shared


def test_captions_fit_two_lines() -> None:
    captions = [words.caption(X, STEPS, now, init="random", floor=1e-6) for now in range(9)]
    captions += [draw_soft.caption(X, SOFT, now, init="random") for now in range(5)]
    captions += [draw_words.caption(HEADLINES, TOPICS, now) for now in range(len(TOPICS))]
    for caption in captions:
        assert all(len(line) <= 170 for line in caption.split("\n")), caption
        assert "nan" not in caption


# What is sent to the browser


@pytest.mark.parametrize(("n", "k"), [(200, 3), (1000, 8), (60, 8)])
def test_a_long_run_is_sent_in_under_400_kilobytes(n: int, k: int) -> None:
    Z = preset("moons", n)
    steps = mixture(Z, k, tol=0.0)
    assert len(steps) == 201
    views = {
        "plane": partial(draw.picture, Z, steps, bounds=plane.bounds(Z)),
        "bound": partial(draw.bound, steps),
        "k": partial(draw.choosing_k, CHOICES, k),
    }
    caption = partial(words.caption, Z, steps, init="random", floor=1e-6)
    size = len(payload([step.event for step in steps], views, caption))
    assert size < 400_000


@pytest.mark.parametrize(("n", "k"), [(1000, 8), (60, 8)])
def test_a_long_soft_run_is_sent_in_under_400_kilobytes(n: int, k: int) -> None:
    Z = preset("moons", n)
    stiffness = 4 * critical_stiffness(Z)
    steps = list(soft_k_means(Z, k, rng=np.random.default_rng(0), stiffness=stiffness, tol=0.0))
    assert len(steps) > 80
    views = {
        "plane": partial(draw_soft.picture, Z, steps, bounds=plane.bounds(Z)),
        "F": partial(draw_soft.objective, steps),
        "along": partial(draw_soft.along, steps),
    }
    caption = partial(draw_soft.caption, Z, steps, init="random")
    size = len(payload([step.event for step in steps], views, caption))
    assert size < 400_000
