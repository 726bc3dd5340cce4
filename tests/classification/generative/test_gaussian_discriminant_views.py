"""Pictures and words of the lab: what the numbers in them are, and that they can be sent."""

import re

import numpy as np
import pytest

from algorithms.classification.generative.categorical_naive_bayes import (
    MODELS,
    categorical_naive_bayes,
)
from algorithms.classification.generative.gaussian_discriminant import (
    COVARIANCES,
    compare_covariances,
    gaussian_discriminant,
    n_parameters,
)
from algorithms.classification.generative.naive_bayes import gaussian_naive_bayes
from tests.classification.generative.test_gaussian_discriminant import SINGULAR, mixture, preset
from tests.core.figures import accepted_by_plotly, answer, drawn, line, places
from viz.classification.generative import gaussian_discriminant_scenes as scenes
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.theme import PALETTE

NAMES = tuple("abcdefgh")
VIEWS = [*COVARIANCES, "naive", *MODELS]
NUMBER = r"(−?\d+(?:\.\d+)?(?:e[+−]?\d+)?)"


def plane_preset(name: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = preset(name)
    return X[:, -2:], (y + 1) // 3


def lab(X: np.ndarray, y: np.ndarray, view: str, **how) -> tuple[tuple, Scene]:
    """The steps and the scene of a view."""
    data = Plane(X, y, NAMES, ("x", "y"), plane.bounds(X))
    if view in MODELS:
        run = Run("", tuple(categorical_naive_bayes(X, y, model=view, **how)))
        smoothing = how.get("estimate", "laplace"), how.get("strength", 1.0)
        return run.steps, scenes.binned(run, data, *smoothing)
    if view == "naive":
        run = Run("", tuple(gaussian_naive_bayes(X, y, **how)))
        return run.steps, scenes.naive(run, data, compare_covariances(X, y))
    run = Run("", tuple(gaussian_discriminant(X, y, covariance=view, **how)))
    mistakes = compare_covariances(X, y, **how)
    return run.steps, scenes.gaussian(run, data, mistakes, view, how.get("ridge", 0.0))


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(NUMBER, text)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["moons", "unequal", "iris"])
def test_figures_are_valid_and_alike_at_every_step(view: str, name: str) -> None:
    X, y = plane_preset(name)
    run, scene = lab(X, y, view)
    for now in range(len(run)):
        for figure in drawn(scene, now):
            accepted_by_plotly(figure)
        assert 1 <= len(scene.caption(now).split("\n")) <= 2
        assert all(len(text) <= 175 for text in scene.caption(now).split("\n"))
    np.testing.assert_allclose(places(scene.views[0].draw(0)), X, rtol=1e-5)
    assert len(answer(scene, run)) < 150_000


@pytest.mark.parametrize("view", VIEWS)
def test_eight_classes_stay_small(view: str) -> None:
    X, y = mixture(200, 8, 2, 3)
    run, scene = lab(X, (y + 3) // 2, view)
    assert len(answer(scene, run)) < 150_000


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("view", VIEWS)
def test_singular_data_are_drawn_and_explained(name: str, view: str) -> None:
    X, y = SINGULAR[name]
    how = {"strength": 0.0} if view in MODELS else {"smoothing": 0.0} if view == "naive" else {}
    run, scene = lab(X, y, view, **how)
    assert answer(scene, run)
    if view == "separate":
        first = next(i for i, step in enumerate(run) if step.event == "singular covariance")
        assert "Singular: " in scene.caption(first)
        assert "has no inverse" in scene.caption(first)
        assert "A ridge λ > 0" in scene.caption(first)
        assert "No surface to write down" in scene.caption(len(run) - 1)
        repaired, scene = lab(X, y, view, ridge=0.1)
        assert "No surface" not in scene.caption(len(repaired) - 1)


def test_labels_with_gaps_keep_their_names_and_colours() -> None:
    X, y = mixture(60, 2, 2, 1)
    y = (y + 3) // 2 * 2  # classes 0 and 2
    _, scene = lab(X, y, "separate")
    assert "π(a) = " in scene.caption(0)
    assert "π(c) = " in scene.caption(0)
    assert "π(b)" not in scene.caption(0)
    colors = [trace["line"]["color"] for trace in scene.views[1].draw(0)["data"][:2]]
    assert colors == [PALETTE[0], PALETTE[2]]


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_variances_in_the_caption_of_naive_bayes(smoothing: float) -> None:
    X, y = plane_preset("moons")
    _, scene = lab(X, y, "naive", smoothing=smoothing)
    added = smoothing * X.var(axis=0).max()
    for feature, now in enumerate((2, 4)):
        first = scene.caption(now).split("\n")[0]
        rule, _, listed = first.partition(": ")
        assert numbers(rule)[-1] == pytest.approx(added, rel=5e-3)
        expected = [X[y == k, feature].var() + added for k in (0, 1)]
        assert numbers(listed) == pytest.approx(expected, rel=5e-3)


def test_the_captions_numbers_are_those_of_the_data() -> None:
    X, y = plane_preset("unequal")
    run, scene = lab(X, y, "separate")
    assert numbers(scene.caption(0).split("\n")[0]) == [160, 200, 0.8, 20, 200, 0.1, 20, 200, 0.1]
    means = np.array(numbers(scene.caption(1).split("\n")[0])).reshape(3, 2)
    expected = [X[y == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(means, expected, rtol=5e-3, atol=5e-4)
    first = scene.caption(3).split("\n")[0]
    assert first.startswith("Covariance of class b: Σ = 1/20 ")
    matrix = numbers(first.rpartition("= ")[2].rstrip("."))
    np.testing.assert_allclose(matrix, np.cov(X[y == 1].T, bias=True).ravel(), rtol=5e-3, atol=5e-5)
    assert f"Wrong side of the borders: {run[-1].mistakes(X, y)} of 200 points" in scene.caption(5)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_equation_vanishes_where_the_classes_are_equal(covariance: str) -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, covariance)
    final = run[-1]
    line, why = scene.caption(len(run) - 1).split("\n")
    written = line.partition("where ")[2].partition(" = 0")[0]
    terms = re.findall(rf"(−|\+|^) ?{NUMBER}(?: (x²|xy|y²|x|y))?", written)
    x, z = X.T
    basis = {"x²": x * x, "xy": x * z, "y²": z * z, "x": x, "y": z, "": np.ones_like(x)}
    odds = sum((-1 if sign == "−" else 1) * float(v) * basis[term] for sign, v, term in terms)
    np.testing.assert_allclose(odds, -final.decision_function(X), atol=0.06)
    assert ("x²" in written) == (covariance != "shared")
    assert ("xy" in written) == (covariance == "separate")
    assert why.startswith("A line: all classes have the same Σ" if covariance == "shared" else "A ")


def test_the_caption_of_a_bin_puts_the_counts_into_the_estimate() -> None:
    X, y = plane_preset("moons")
    for estimate in ("laplace", "m-estimate"):
        _, scene = lab(X, y, "categorical", estimate=estimate, strength=3.0, bins=4)
        counts = np.histogram(X[y == 0][:, 0], 4, (X[:, 0].min(), X[:, 0].max()))[0]
        first, rule = scene.caption(1).split("\n")
        assert f"class a: {', '.join(map(str, counts))} of 100; b:" in first
        spot = int(counts.argmax())
        share = (np.histogram(X[:, 0], 4)[0][spot] + 1) / (200 + 4)
        value = (counts[spot] + 3) / (100 + 12)
        if estimate == "m-estimate":
            value = (counts[spot] + 3 * share) / (100 + 3)
        assert rule.startswith(f"P(bin {spot + 1} | a) = ({counts[spot]} + 3")
        assert rule.endswith(f" = {value:.3f}")


def test_the_last_caption_of_bins_multiplies_the_factors_of_one_point() -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, "categorical")
    second = scene.caption(len(run) - 1).split("\n")[1]
    values = re.findall(rf"{NUMBER}·{NUMBER}·{NUMBER} = {NUMBER}, P = {NUMBER}", second)
    assert len(values) == 2
    for factors in values:
        prior, one, two, product, _ = map(float, factors)
        assert prior * one * two == pytest.approx(product, rel=0.12)
    assert sum(float(factors[-1]) for factors in values) == pytest.approx(1, abs=0.002)


def test_a_zero_count_is_named() -> None:
    X, y = plane_preset("unequal")
    _, scene = lab(X, y, "categorical", strength=0.0)
    assert "a 0 elsewhere means probability 0" in scene.caption(1)


def test_the_comparison_counts_what_is_drawn() -> None:
    X, y = plane_preset("moons")
    found = compare_covariances(X, y, ridge=0.1)
    assert list(found) == list(COVARIANCES)
    for kind, wrong in found.items():
        run, scene = lab(X, y, kind, ridge=0.1)
        assert wrong == np.count_nonzero(run[-1].predict(X) != y)
        assert f"{kind} {wrong} ({n_parameters(kind, 2, 2)} numbers" in scene.note


def test_stairs_follow_the_edges_between_unlike_bins() -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, "categorical", bins=6)
    step, path = run[-1], line(scene.views[0].draw(len(run) - 1)["data"][2])
    middles = [(a + b) / 2 for a, b in zip(path[0::3], path[1::3], strict=True)]
    assert middles
    for middle, start in zip(middles, path[0::3], strict=True):
        across = np.array([1.0, 0.0]) if middle[0] == start[0] else np.array([0.0, 1.0])
        sides = step.predict(np.stack([middle - 1e-6 * across, middle + 1e-6 * across]))
        assert sides[0] != sides[1]
