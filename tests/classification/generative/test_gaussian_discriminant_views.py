"""Pictures and words of the lab: what the numbers in them are, and that they can be sent."""

import base64
import re
from functools import partial

import numpy as np
import plotly.graph_objects as go
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
from pages._shared.stage import stage
from tests.classification.generative.test_gaussian_discriminant import SINGULAR, mixture, preset
from viz.classification.generative import categorical_naive_bayes as draw_bins
from viz.classification.generative import gaussian_discriminant as draw
from viz.classification.generative import gaussian_words as words
from viz.core import plane

NAMES = tuple("abcdefgh")
VIEWS = [*COVARIANCES, "naive", *MODELS]
NUMBER = r"(−?\d+(?:\.\d+)?(?:e[+−]?\d+)?)"


def plane_preset(name: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = preset(name)
    return X[:, -2:], (y + 1) // 3


def lab(X: np.ndarray, y: np.ndarray, view: str, **how: float) -> tuple[list, dict, partial]:
    """The run, the views and the captions, put together as the page does."""
    place, each = {"bounds": plane.bounds(X), "names": ("x", "y")}, {"classes": NAMES}
    if view in MODELS:
        run = list(categorical_naive_bayes(X, y, model=view, **how))
        k, n_features, values = run[0].tables.shape
        views = {
            "picture": partial(draw_bins.picture, X, y, run, **place),
            "tables": partial(draw_bins.tables, run, **place, **each),
            "numbers": partial(draw_bins.parameters, k, n_features, values),
        }
        strength = how.get("strength", 1.0)
        rule = {"estimate": how.get("estimate", "laplace"), "strength": strength}
        return run, views, partial(draw_bins.caption, X, y, run, **each, **rule)
    if view == "naive":
        run = list(gaussian_naive_bayes(X, y, **how))
        beside, kind = partial(draw.features, run, **place, **each), "diagonal"
    else:
        run = list(gaussian_discriminant(X, y, covariance=view, **how))
        beside, kind = partial(draw.cut, run, bounds=place["bounds"], **each), view
    views = {
        "picture": partial(draw.picture, X, y, run, **place),
        "beside": beside,
        "numbers": partial(draw.parameters, len(run[0].classes), kind),
    }
    added = how.get("ridge", 0.0)
    return run, views, partial(words.caption, X, y, run, covariance=kind, added=added, **each)


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(NUMBER, text)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["moons", "unequal", "iris"])
def test_figures_are_valid_and_alike_at_every_step(view: str, name: str) -> None:
    X, y = plane_preset(name)
    run, views, caption = lab(X, y, view)
    for draw_view in views.values():
        figures = [draw_view(now) for now in range(len(run))]
        for figure in figures:
            go.Figure(figure)
            assert len(figure["data"]) == len(figures[0]["data"])
    picture = views["picture"](0)
    assert [trace.get("meta") for trace in picture["data"]].count("points") == 1
    for now in range(len(run)):
        assert 1 <= len(caption(now).split("\n")) <= 2
        assert all(len(line) <= 175 for line in caption(now).split("\n"))
    assert len(stage.payload([step.event for step in run], views, caption)) < 150_000


@pytest.mark.parametrize("view", VIEWS)
def test_eight_classes_stay_small(view: str) -> None:
    X, y = mixture(200, 8, 2, 3)
    run, views, caption = lab(X, (y + 3) // 2, view)
    assert len(stage.payload([step.event for step in run], views, caption)) < 400_000


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("view", VIEWS)
def test_singular_data_are_drawn_and_explained(name: str, view: str) -> None:
    X, y = SINGULAR[name]
    how = {"strength": 0.0} if view in MODELS else {"smoothing": 0.0} if view == "naive" else {}
    run, views, caption = lab(X, y, view, **how)
    assert stage.payload([step.event for step in run], views, caption)
    if view == "separate":
        first = next(i for i, step in enumerate(run) if step.event == "singular covariance")
        assert "Singular: " in caption(first)
        assert "has no inverse" in caption(first)
        assert "A ridge λ > 0" in caption(first)
        assert "No surface to write down" in caption(len(run) - 1)
        repaired = lab(X, y, view, ridge=0.1)[2]
        assert "No surface" not in repaired(len(lab(X, y, view, ridge=0.1)[0]) - 1)


def test_labels_with_gaps_keep_their_names_and_colours() -> None:
    X, y = mixture(60, 2, 2, 1)
    y = (y + 3) // 2 * 2  # classes 0 and 2
    _, views, caption = lab(X, y, "separate")
    assert "π(a) = " in caption(0)
    assert "π(c) = " in caption(0)
    assert "π(b)" not in caption(0)
    colors = [trace["line"]["color"] for trace in views["beside"](0)["data"][:2]]
    assert colors == [draw.PALETTE[0], draw.PALETTE[2]]


def test_the_captions_numbers_are_those_of_the_data() -> None:
    X, y = plane_preset("unequal")
    run, _, caption = lab(X, y, "separate")
    assert numbers(caption(0).split("\n")[0]) == [160, 200, 0.8, 20, 200, 0.1, 20, 200, 0.1]
    means = np.array(numbers(caption(1).split("\n")[0])).reshape(3, 2)
    expected = [X[y == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(means, expected, rtol=5e-3, atol=5e-4)
    first = caption(3).split("\n")[0]
    assert first.startswith("Covariance of class b: Σ = 1/20 ")
    matrix = numbers(first.rpartition("= ")[2].rstrip("."))
    np.testing.assert_allclose(matrix, np.cov(X[y == 1].T, bias=True).ravel(), rtol=5e-3, atol=5e-5)
    assert f"Wrong side of the borders: {run[-1].mistakes(X, y)} of 200 points" in caption(5)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_equation_vanishes_where_the_classes_are_equal(covariance: str) -> None:
    X, y = plane_preset("moons")
    run, _, caption = lab(X, y, covariance)
    final = run[-1]
    line, why = caption(len(run) - 1).split("\n")
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
        _, _, caption = lab(X, y, "categorical", estimate=estimate, strength=3.0, bins=4)
        counts = np.histogram(X[y == 0][:, 0], 4, (X[:, 0].min(), X[:, 0].max()))[0]
        first, rule = caption(1).split("\n")
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
    run, _, caption = lab(X, y, "categorical")
    second = caption(len(run) - 1).split("\n")[1]
    values = re.findall(rf"{NUMBER}·{NUMBER}·{NUMBER} = {NUMBER}, P = {NUMBER}", second)
    assert len(values) == 2
    for factors in values:
        prior, one, two, product, _ = map(float, factors)
        assert prior * one * two == pytest.approx(product, rel=0.12)
    assert sum(float(factors[-1]) for factors in values) == pytest.approx(1, abs=0.002)


def test_a_zero_count_is_named() -> None:
    X, y = plane_preset("unequal")
    _, _, caption = lab(X, y, "categorical", strength=0.0)
    assert "a 0 elsewhere means probability 0" in caption(1)


def test_the_comparison_counts_what_is_drawn() -> None:
    X, y = plane_preset("moons")
    found = compare_covariances(X, y, ridge=0.1)
    assert list(found) == list(COVARIANCES)
    for kind, wrong in found.items():
        run = lab(X, y, kind, ridge=0.1)[0]
        assert wrong == np.count_nonzero(run[-1].predict(X) != y)
        text = words.comparison(found, len(X), 2, ("x", "y"), 0.1)
        assert f"{kind} {wrong} ({n_parameters(kind, 2, 2)} numbers" in text


def test_stairs_follow_the_edges_between_unlike_bins() -> None:
    X, y = plane_preset("moons")
    run, _, _ = lab(X, y, "categorical", bins=6)
    step, box = run[-1], plane.bounds(X)
    trace = draw_bins.picture(X, y, run, len(run) - 1, bounds=box)["data"][3]
    path = np.column_stack([decoded(trace["x"]), decoded(trace["y"])])
    middles = [(a + b) / 2 for a, b in zip(path[1::3], path[2::3], strict=True)]
    assert middles
    for middle, start in zip(middles, path[1::3], strict=True):
        across = np.array([1.0, 0.0]) if middle[0] == start[0] else np.array([0.0, 1.0])
        sides = step.predict(np.stack([middle - 1e-6 * across, middle + 1e-6 * across]))
        assert sides[0] != sides[1]


def decoded(packed: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
