"""Pictures and words of the three modes of the mixture lab."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.stats import multivariate_normal

from algorithms.clustering.mixtures.gaussian_mixture import Event, gaussian_mixture
from algorithms.clustering.mixtures.mixture_choice import mixture_choice
from algorithms.clustering.mixtures.multinomial_mixture import multinomial_mixture
from algorithms.clustering.mixtures.one_mean import one_mean
from algorithms.clustering.mixtures.soft_k_means import Event as SoftEvent
from algorithms.clustering.mixtures.soft_k_means import critical_stiffness, soft_k_means
from algorithms.data.headlines import HEADLINES
from algorithms.data.presets import DATASETS
from tests.core.figures import answer, drawn, line, unpacked
from tests.core.told import numbers
from tests.house.check_steps import event_names
from viz.clustering.mixtures import gaussian_mixture as draw
from viz.clustering.mixtures import gaussian_mixture_scenes as scenes
from viz.clustering.mixtures import gaussian_mixture_words as words
from viz.clustering.mixtures import lower_bound
from viz.clustering.mixtures import mixture_choice as draw_choice
from viz.clustering.mixtures import multinomial_mixture as draw_words
from viz.clustering.mixtures import one_mean as draw_climb
from viz.clustering.mixtures import soft_k_means as draw_soft
from viz.core import plane, soft_groups
from viz.core.scene import Plane, Run, Scene
from viz.core.theme import RGB, color, symbol


def preset(name: str, n: int) -> ndarray:
    return DATASETS[name].make(n, noise=DATASETS[name].noise, rng=np.random.default_rng(0)).X


def board(X: ndarray) -> Plane:
    return Plane(X, np.zeros(len(X), int), ("1",), ("x", "y"), plane.bounds(X))


def mixture(X: ndarray, k: int = 3, **how: object) -> list:
    how = {"rng": np.random.default_rng(1), "init": "random", "max_iter": 100} | how
    return list(gaussian_mixture(X, k, **how))


X = preset("stretched", 150)
STEPS = mixture(X)
SOFT = list(soft_k_means(X, 3, rng=np.random.default_rng(1), stiffness=critical_stiffness(X) * 3))
TOPICS = list(multinomial_mixture(HEADLINES.counts, 3, rng=np.random.default_rng(1)))
CHOICES = list(mixture_choice(X, range(1, 6), rng=np.random.default_rng(0)))
ASKED = words.Settings("random", "full", 1e-6, 1e-5)
QUERY = np.array([0.4, 0.9])
PAIR = np.array([[-1.5, 0.0], [0.0, 0.0]])
CLIMB = list(one_mean(X, means=PAIR))


def mixture_scene(X: ndarray, steps: list) -> Scene:
    return scenes.mixture(Run("", steps), board(X), QUERY, ASKED)


def soft_scene(X: ndarray, steps: list) -> Scene:
    return draw_soft.soft_k_means(Run("", steps), board(X), "random", 3.0)


SCENES = {
    "mixture": (STEPS, mixture_scene(X, STEPS)),
    "soft k-means": (SOFT, soft_scene(X, SOFT)),
    "words": (TOPICS, draw_words.documents(Run("", TOPICS), HEADLINES)),
    "one parameter": (CLIMB, draw_climb.climbing(Run("", CLIMB), board(X), 0.5)),
    "choosing k": (CHOICES, draw_choice.choosing_k(Run("", CHOICES), board(X), 10, 5)),
}


@pytest.mark.parametrize("name", SCENES)
def test_every_step_has_the_same_traces(name: str) -> None:
    steps, scene = SCENES[name]
    assert len(scene.views) == (2 if name == "mixture" else 3)
    for now in range(len(steps)):
        json.dumps(drawn(scene, now), allow_nan=False)


@pytest.mark.parametrize("k", [1, 9, 20])
def test_any_number_of_groups_can_be_drawn(k: int) -> None:
    Z = preset("blobs", 61)
    steps = mixture(Z, k, max_iter=3)
    soft = list(soft_k_means(Z, k, rng=np.random.default_rng(0), max_iter=3))
    for scene, run in ((mixture_scene(Z, steps), steps), (soft_scene(Z, soft), soft)):
        for now in range(len(run)):
            json.dumps(drawn(scene, now), allow_nan=False)


def test_the_title_and_the_note_say_what_is_drawn_and_done() -> None:
    scene = SCENES["mixture"][1]
    assert scene.views[0].title.endswith("1 and 2 standard deviations")
    assert "3 components with full covariances: 17 numbers are estimated" in scene.note
    assert "less than 10⁻⁵ per point" in scene.note
    many = mixture_scene(X, mixture(X, 6, max_iter=2))
    assert many.views[0].title.endswith("components, 1 standard deviation")


# Blends and pies


@settings(max_examples=60, deadline=None)
@given(k=st.integers(1, 30), seed=st.integers(0, 99))
def test_a_blend_is_the_mean_of_the_colours_weighted_by_the_shares(k: int, seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.full(k, 0.3), size=20)
    shares = np.concatenate([shares, np.eye(k), np.full((1, k), 1 / k)])
    looks, numbers = soft_groups.looks(k), soft_groups.blends(shares)
    assert len(looks["fills"]) == len(looks["symbols"]) <= 256
    fills = np.array([[int(looks["fills"][i][c : c + 2], 16) for c in (1, 3, 5)] for i in numbers])
    palette = np.array([RGB[j % len(RGB)] for j in range(k)])
    parts = {1: 1, 2: 255, 3: 21, 4: 9, 5: 6, 6: 5, 7: 4, 8: 3, 9: 3, 10: 3}.get(k, 1 + (k < 23))
    assert np.abs(fills - shares @ palette).max() <= 1 + 255 * k / parts / 2
    pure = [looks["fills"][i].upper() for i in numbers[20 : 20 + k]]
    assert pure == [color(j).upper() for j in range(k)]
    assert [looks["symbols"][i] for i in numbers[20 : 20 + k]] == [symbol(j) for j in range(k)]


def test_more_groups_than_a_byte_can_number_keep_their_own_colours() -> None:
    points = soft_groups.points(np.zeros((300, 2)), np.eye(300))
    fills = [points["fills"][number] for number in unpacked(points["group"])]
    assert fills == [color(j).lower() for j in range(300)]


def test_few_points_are_pies_and_many_are_not() -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(3), size=61)
    Z = np.zeros((61, 2))
    slices = unpacked(soft_groups.points(Z[:60], shares[:60])["slices"]).reshape(60, 3)
    np.testing.assert_allclose(slices / 255, shares[:60], atol=1 / 255)
    assert "slices" not in soft_groups.points(Z, shares)


def test_ellipses_are_where_the_distance_is_one_and_two() -> None:
    step = STEPS[-1]
    for trace, mean, S in zip(
        soft_groups.ellipses(step.means, step.covariances), step.means, step.covariances,
        strict=True,
    ):  # fmt: skip
        path = line(trace) - mean
        far = np.sqrt((path @ np.linalg.inv(S) * path).sum(axis=1))
        assert np.isnan(far[13]) and len(far) == 27
        np.testing.assert_allclose(far[:13], 1, rtol=1e-4)
        np.testing.assert_allclose(far[14:], 2, rtol=1e-4)


@pytest.mark.parametrize("now", [0, 3, 4])
def test_the_picture_shows_the_step(now: int) -> None:
    figure = draw.picture(board(X), STEPS, now)
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
        np.testing.assert_allclose(unpacked(ring["x"]), X[draw.example(STEPS, now), 0], rtol=1e-6)
        assert np.isnan(unpacked(before["x"])).all()


@pytest.mark.parametrize("now", [0, 1, 2, 5])
def test_the_bars_are_bound_and_kl_of_this_pair(now: int) -> None:
    figure = lower_bound.bound(STEPS)(now)
    lower, whole, *_, bound, kl = figure["data"]
    np.testing.assert_allclose(unpacked(whole["y"]), [s.log_likelihood for s in STEPS], rtol=1e-6)
    np.testing.assert_allclose(unpacked(lower["y"]), [s.lower_bound for s in STEPS], rtol=1e-6)
    for i, step in enumerate((STEPS[max(now - 1, 0)], STEPS[now])):
        above = step.lower_bound - STEPS[max(now - 1, 0)].lower_bound
        assert bound["base"][i] + bound["y"][i] == pytest.approx(above)
        assert kl["base"][i] == pytest.approx(above)
        assert kl["y"][i] == pytest.approx(step.gap)
    low, high = figure["layout"]["yaxis2"]["range"]
    assert low <= min(bound["base"]) and high >= kl["base"][1] + kl["y"][1]


def test_choosing_k_marks_the_best_of_both() -> None:
    bic, best, held, likeliest = draw_choice.criteria(CHOICES, 1)["data"]
    assert best["x"] == [CHOICES[int(np.argmin(bic["y"]))].k]
    assert likeliest["x"] == [CHOICES[int(np.argmax(held["y"]))].k]
    figure = draw_choice.criteria(CHOICES, 1)
    assert figure["layout"]["shapes"][0]["x0"] == 2


def test_where_every_start_ended_and_which_one_is_kept() -> None:
    dots, kept = draw_choice.ends(CHOICES)(2)["data"]
    shown = [(k, end) for k, end in line(dots)]
    all_ends = [(choice.k, end) for choice in CHOICES for end in choice.ends]
    np.testing.assert_allclose(shown, all_ends, rtol=1e-6)
    assert (kept["x"], kept["y"]) == ([3], [pytest.approx(max(CHOICES[2].ends))])


def test_the_captions_of_choosing_k_recomputed() -> None:
    scene = SCENES["choosing k"][1]
    bics = np.array([-2 * c.log_likelihood + c.n_parameters * np.log(150) for c in CHOICES])
    for now, choice in enumerate(CHOICES):
        first, second = scene.caption(now).split("\n")
        assert f"BIC is {bics[now]:.4g}, " in first
        assert ("the lowest of all" in first) == (now == bics.argmin())
        if now != bics.argmin():
            assert f"{bics[now] - bics.min():.3g} above that of {bics.argmin() + 1} comp" in first
        likelihood = f"{choice.log_likelihood:.5g}".replace("-", "−")
        assert f"−2 · ({likelihood}) + {choice.n_parameters} · ln 150;" in second
        assert f"Held out: {choice.held_out:.3g} per point".replace("-", "−") in second
    assert "fitted from 10 starts" in scene.note and "Each of 5 parts" in scene.note


# One parameter


@pytest.mark.parametrize("now", [0, 1, 2, 7])
def test_the_bound_is_drawn_touching_the_curve(now: int) -> None:
    step = CLIMB[now]
    figure = SCENES["one parameter"][1].views[1].draw(now)
    curve, bound, gap, summit, ring = figure["data"]
    at, values = line(curve).T
    lower = line(bound)[:, 1]
    np.testing.assert_allclose(values, step.log_likelihood_at(X, at), rtol=1e-5)
    seen = np.isfinite(lower)
    np.testing.assert_allclose(lower[seen], step.bound_at(X, at)[seen], rtol=1e-5)
    assert (lower[seen] <= values[seen] + 1e-3).all() and seen.sum() > 10
    np.testing.assert_allclose(line(gap)[:, 1], [step.lower_bound, step.log_likelihood], rtol=1e-6)
    assert (ring["x"], ring["y"]) == ([step.means[0, 0]], [step.log_likelihood])
    best = step.responsibilities[:, 0] @ X[:, 0] / step.responsibilities[:, 0].sum()
    assert line(summit)[0, 0] == pytest.approx(best, rel=1e-5)


def test_the_captions_of_one_parameter_recomputed() -> None:
    scene = SCENES["one parameter"][1]
    for now in (1, 5):
        step, before = CLIMB[now], CLIMB[now - 1]
        q = step.responsibilities[:, 0]
        first, second = scene.caption(now).replace("−", "-").split("\n")
        rise = step.log_likelihood - before.log_likelihood
        assert f"rises by {rise:.3g} to {step.log_likelihood:.6g}." in first
        assert f"= {q @ X[:, 0]:.4g} / {q.sum():.4g} = {step.means[0, 0]:.4g}, " in second
        assert f"Bound {before.lower_bound:.6g} → {step.lower_bound:.6g}" in second
        assert f"KL is now {step.gap:.3g}." in second
        after = scene.caption(now + 1).replace("−", "-")
        assert f"touches the curve again at m = {step.means[0, 0]:.4g}." in after
        summit = f"The summit of the bound is at m = {CLIMB[now + 2].means[0, 0]:.4g}"
        assert f"KL {step.gap:.3g} → 0. {summit}" in after
    assert scene.caption(0).startswith("Start: mean 1 is at m = −1.5, and the bound touches ")
    assert "Converged." in scene.caption(len(CLIMB) - 1)


def test_the_picked_point_is_shared_out() -> None:
    scene = SCENES["mixture"][1]
    for now in (0, 3, len(STEPS) - 1):
        step = STEPS[now]
        joint = np.array(
            [w * multivariate_normal(m, S).pdf(QUERY)
             for w, m, S in zip(step.weights, step.means, step.covariances, strict=True)]
        )  # fmt: skip
        order = np.argsort(-joint)
        shares, j = joint / joint.sum(), order[0]
        said = scene.caption(now).split("\n")[-1].replace("−", "-")
        rule = f"= {joint[j]:.3g} / {joint.sum():.3g} = {shares[j]:.3g} for component {j + 1}; "
        assert said.startswith(f"Picked point: r = π N / Σ π N {rule}")
        assert said.endswith(", ".join(f"{i + 1}: {shares[i]:.2g}" for i in order[1:]) + ".")


def test_a_picked_point_far_from_narrow_components_is_shared_out_all_the_same() -> None:
    narrow = mixture(np.concatenate([X / 1e6, X / 1e6 + [3.0, 0.0]]), 2)[-1]
    assert words.picked(narrow, np.array([2.5, 1.0])) == (
        f"Picked point: r = π N / Σ π N = 1 for component {narrow.means[:, 0].argmax() + 1}; "
        f"{narrow.means[:, 0].argmin() + 1}: 0."
    )


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
    first, second = words.caption(X, STEPS, now, ASKED).split("\n")
    likelihood = f"{np.log(joint.sum(axis=1)).sum():.6g}".replace("-", "−")
    assert f"for {changed} of 150 the main component changes." in first
    assert f"→ 0: bound = log-likelihood = {likelihood}." in second
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
    first, second = words.caption(X, STEPS, now, ASKED).split("\n")
    rise = STEPS[now].log_likelihood - STEPS[now - 1].log_likelihood
    assert f"rises by {rise:.3g} to " in first
    bound, second = second.split(" Component ")
    assert bound.endswith(f"KL 0 → {STEPS[now].gap:.3g}.")
    second = f"Component {second}"
    assert second.startswith(f"Component {j + 1} moves most: Σ q = {size:.3g}, π = Σ q / 150 = ")
    told = numbers(second)
    expected = [j + 1, size, 150, size / 150, *means[j], S[0, 0], S[0, 1], S[1, 0], S[1, 1]]
    np.testing.assert_allclose(told, expected, rtol=6e-3)


def test_the_caption_owns_up_to_what_the_floor_costs() -> None:
    outlier = preset("outlier", 60)
    found = 0
    for floor in (0.01, 0.1, 1.0):
        steps = mixture(outlier, floor=floor, init="k-means")
        for now in range(1, len(steps)):
            fell = steps[now].log_likelihood < steps[now - 1].log_likelihood - 1e-9
            text = words.caption(outlier, steps, now, replace(ASKED, floor=floor))
            assert ("the floor's doing" in text) == fell
            found += fell
    assert found > 0


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_of_the_mixture_has_its_words(event: str) -> None:
    now = 4 if event in ("converged", "stopped at max_iter") else 3
    plain = [*STEPS[:now], replace(STEPS[now], event=None)]
    named = [
        *STEPS[:now],
        replace(STEPS[now], event=event, collapsed=np.array([False, True, False])),
    ]
    one, other = (words.caption(X, s, now, replace(ASKED, floor=0.0)) for s in (plain, named))
    by_hand = other.startswith("By hand: ")
    assert by_hand == (event == "moved by hand")
    assert by_hand or len(other) >= len(one) + 10
    assert other.count("\n") == 1
    assert ("no floor holds it" in other) == (event == "collapse")


@pytest.mark.parametrize("event", event_names(SoftEvent))
def test_every_event_of_soft_k_means_has_its_words(event: str) -> None:
    plain = draw_soft.caption(X, SOFT, 3, start="random")
    named = draw_soft.caption(X, [*SOFT[:3], replace(SOFT[3], event=event)], 3, start="random")
    assert len(named) > len(plain) + 10


def test_captions_of_soft_k_means_recomputed() -> None:
    step = SOFT[2]
    squared = ((X[:, None] - step.centers) ** 2).sum(axis=2)
    r = np.exp(-step.stiffness * squared)
    r /= r.sum(axis=1, keepdims=True)
    i = r.max(axis=1).argmin()
    first, second = draw_soft.caption(X, SOFT, 2, start="random").split("\n")
    assert first.startswith("Assign")
    assert f"d² = {', '.join(f'{d:.3g}' for d in squared[i])} and β = " in second
    assert f"= {r[i].max():.3g}, of centre {r[i].argmax() + 1}." in second
    energy = (r * squared).sum() + (r * np.log(r)).sum() / step.stiffness
    assert f"the free energy falls to {energy:.5g}.".replace("-", "−") in first
    assert f"→ {energy:.5g} (falls by".replace("-", "−") in second
    means = SOFT[2].responsibilities.T @ X / SOFT[2].responsibilities.sum(axis=0)[:, None]
    j = int(np.hypot(*(means - step.centers).T).argmax())
    text = draw_soft.caption(X, SOFT, 3, start="random").replace("−", "-")
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


@pytest.mark.parametrize("seed", range(9))
def test_the_topic_that_rules_a_word_out_is_the_new_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps = list(multinomial_mixture(HEADLINES.counts, 3, rng=rng))
    named = [now for now, step in enumerate(steps) if step.event == "word ruled out"]
    assert named
    for now in named:
        found = re.search(
            r"Topic (\d) now rules “(.*)” out", draw_words.caption(HEADLINES, steps, now)
        )
        j, w = int(found[1]) - 1, HEADLINES.words.index(found[2])
        assert steps[now].words[j, w] < 1e-6
        assert (steps[now - 1].words[j] >= 1e-6).all()


def test_captions_fit_two_lines() -> None:
    captions = [words.caption(X, STEPS, now, ASKED) for now in range(9)]
    captions += [draw_soft.caption(X, SOFT, now, start="random") for now in range(5)]
    captions += [draw_words.caption(HEADLINES, TOPICS, now) for now in range(len(TOPICS))]
    for caption in captions:
        assert all(len(line) <= 190 for line in caption.split("\n")), caption
        assert "nan" not in caption


# What is sent to the browser


@pytest.mark.parametrize(("n", "k"), [(200, 3), (1000, 8), (60, 8)])
def test_the_answer_to_a_move_is_small(n: int, k: int) -> None:
    Z = preset("moons", n)
    steps = mixture(Z, k, tol=0.0)
    assert len(steps) == 201
    assert len(answer(mixture_scene(Z, steps), steps, 99)) < 100_000


@pytest.mark.parametrize(("n", "k"), [(1000, 8), (60, 8)])
def test_the_answer_to_a_move_of_soft_k_means_is_small(n: int, k: int) -> None:
    Z = preset("moons", n)
    stiffness = 4 * critical_stiffness(Z)
    steps = list(soft_k_means(Z, k, rng=np.random.default_rng(0), stiffness=stiffness, tol=0.0))
    assert len(steps) > 80
    assert len(answer(soft_scene(Z, steps), steps, 77)) < 100_000
