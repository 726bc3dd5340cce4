import json
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy import ndarray
from PIL import Image

from algorithms.classification.linear.logistic_regression import (
    Event,
    LogisticRegressionStep,
    logistic_regression,
)
from algorithms.classification.linear.loss_surface import loss_surface
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.stage.stage import payload
from viz.classification.linear import logistic_regression as draw
from viz.core import plane
from viz.core.frames import animate
from viz.core.words import decimal, number, vector

RATE, PENALTY = 0.7, 0.05


def data(name: str = "moons", n: int = 80, **how) -> Dataset:
    return DATASETS[name].make(n, **{"noise": 0.3} | how, rng=np.random.default_rng(0))


def fit(
    data: Dataset, degree: int = 1, **how
) -> tuple[PolynomialFeatures, list[LogisticRegressionStep]]:
    features = polynomial_features(data.X, degree)
    return features, list(logistic_regression(features(data.X), data.labels, **how))


def views(data: Dataset, features: PolynomialFeatures, steps: list) -> dict[str, Callable]:
    box = plane.bounds(data.X)
    found = {
        "picture": partial(draw.picture, data.X, data.labels, features, steps, bounds=box),
        "progress": partial(draw.progress, steps),
    }
    if steps[0].weights.shape == (1, 2):
        first, second = draw.weight_window(steps)
        surface = loss_surface(features(data.X), data.labels, first, second, penalty=PENALTY)
        found["weights"] = partial(
            draw.weight_space, *draw.loss_bands(surface, first, second), steps
        )
    return found


MOONS = data()
METHODS = {
    "newton": fit(MOONS, method="newton", penalty=PENALTY),
    "gradient": fit(MOONS, method="gradient", learning_rate=RATE, penalty=PENALTY, max_iter=20),
}


@pytest.mark.parametrize("method", METHODS)
def test_plotly_accepts_the_figures(method: str) -> None:
    features, steps = METHODS[method]
    found = views(MOONS, features, steps)
    assert len(found) == 3
    for view in found.values():
        for now in (0, 2, len(steps) - 1):
            go.Figure(view(now))


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("degree", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_every_step_has_the_same_traces(classes: int, degree: int, method: str) -> None:
    blobs = data("blobs", 60, classes=classes)
    features, steps = fit(blobs, degree, method=method, max_iter=8, penalty=PENALTY)
    for view in views(blobs, features, steps).values():
        figure = animate([view(now) for now in range(len(steps))])
        json.dumps(figure, allow_nan=False)
        assert len(figure["frames"]) == len(steps)


def test_the_picture_shows_the_step() -> None:
    features, steps = METHODS["newton"]
    box, now = plane.bounds(MOONS.X), 3
    figure = draw.picture(MOONS.X, MOONS.labels, features, steps, now, bounds=box)
    regions, points, border = figure["data"]
    probability = sigmoid(scores(features, steps[now], MOONS.X))
    wrong = unpacked(points["marker"]["line"]["width"]).astype(bool)
    np.testing.assert_array_equal(wrong, (probability > 0.5) != MOONS.labels)
    assert 0 < wrong.sum() < len(wrong)

    path = np.column_stack([unpacked(border["x"]), unpacked(border["y"])])[:-1]
    half = sigmoid(scores(features, steps[now], path))
    np.testing.assert_allclose(half, 0.5, atol=1e-3)

    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    _, _, cells = plane.grid(box)
    chance = sigmoid(scores(features, steps[now], cells)).reshape(pixels.shape)
    np.testing.assert_array_equal(pixels // 8, chance > 0.5)
    np.testing.assert_allclose(pixels % 8 / 7, np.abs(2 * chance - 1), atol=0.5 / 7 + 1e-9)


def test_other_labels_than_0_and_1_are_shown_as_they_are() -> None:
    """Where class 2 has been erased, classes 1 and 3 keep their colours."""
    row = data("row", 60)
    kept = row.labels != 1
    X, y = row.X[kept], row.labels[kept]
    features = polynomial_features(X, 1)
    steps = list(logistic_regression(features(X), y, penalty=PENALTY))
    regions, *_ = draw.picture(X, y, features, steps, 2, bounds=plane.bounds(X))["data"]
    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    assert set((pixels // 8).ravel()) == {0, 2}


def test_progress_shows_loss_and_gradient() -> None:
    _, steps = METHODS["gradient"]
    loss, now, norm, _ = draw.progress(steps, 4)["data"]
    np.testing.assert_allclose(unpacked(loss["y"]), [s.loss for s in steps], rtol=1e-6)
    np.testing.assert_allclose(unpacked(norm["y"]), [s.gradient_norm for s in steps], rtol=1e-6)
    assert now["x"] == [4]


def test_the_path_of_the_weights_is_on_the_surface() -> None:
    features, steps = METHODS["gradient"]
    figure = views(MOONS, features, steps)["weights"](5)
    _, path, here = figure["data"]
    weights = np.stack([step.weights[0] for step in steps[:6]])
    shown = np.column_stack([unpacked(path["x"]), unpacked(path["y"])])
    np.testing.assert_allclose(shown, weights, rtol=1e-6)
    np.testing.assert_allclose([here["x"][0], here["y"][0]], weights[-1])
    (left, right), (low, high) = (figure["layout"][axis]["range"] for axis in ("xaxis", "yaxis"))
    every = np.stack([step.weights[0] for step in steps])
    assert (every > [left, low]).all() and (every < [right, high]).all()
    assert right - left == pytest.approx(high - low)


# Captions


def by_hand(method: str, steps: int) -> list[dict]:
    """Give w, b, loss and direction of every step, by plain NumPy."""
    A = (MOONS.X - MOONS.X.mean(axis=0)) / MOONS.X.std(axis=0)
    A, y = np.column_stack([A, np.ones(len(A))]), MOONS.labels
    free = np.array([PENALTY, PENALTY, 0.0])
    theta, found = np.zeros(3), []
    for _ in range(steps + 1):
        p = 1 / (1 + np.exp(-A @ theta))
        loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)) + free @ theta**2 / 2
        g = A.T @ (p - y) / len(y) + free * theta
        H = (A * (p * (1 - p))[:, None]).T @ A / len(y) + np.diag(free)
        direction = np.linalg.solve(H, g) if method == "newton" else g
        accuracy = np.mean((p > 0.5) == y)
        found.append({"theta": theta, "loss": loss, "g": g, "d": direction, "accuracy": accuracy})
        theta = theta - (1 if method == "newton" else RATE) * direction
    return found


@pytest.mark.parametrize("method", METHODS)
def test_the_caption_of_the_start(method: str) -> None:
    words = draw.caption(METHODS[method][1], 0, names=("x", "y"), method=method)
    start = by_hand(method, 0)[0]
    assert f"ln 2 = {np.log(2):.4f}." in words
    assert f"‖g‖ = {np.linalg.norm(start['g']):.4g}." in words


@pytest.mark.parametrize(("method", "now"), [("newton", 2), ("gradient", 7)])
def test_the_caption_of_a_middle_step(method: str, now: int) -> None:
    words = draw.caption(METHODS[method][1], now, names=("x", "y"), method=method)
    before, step = by_hand(method, now)[-2:]
    assert f"Loss {before['loss']:.5g} → {step['loss']:.5g}" in words
    assert f"(falls by {before['loss'] - step['loss']:.3g})" in words
    assert f"; {100 * step['accuracy']:.4g} % of the points are on the right side." in words
    rate, name = ("1", "H⁻¹g") if method == "newton" else ("0.7", "g")
    old, taken, new = (vector(v[:2]) for v in (before["theta"], before["d"], step["theta"]))
    assert f"w ← w − {rate} · {name} = {old} − {rate} · {taken} = {new};" in words
    b = (before["theta"][2], before["d"][2], step["theta"][2])
    assert f"b ← {decimal(b[0])} − {rate} · {decimal(b[1])} = {decimal(b[2])};" in words
    assert f"‖g‖ = {np.linalg.norm(step['g']):.3g}." in words


def test_many_weights_are_told_by_their_size() -> None:
    features, steps = fit(data("blobs", 60, classes=3), 2, method="gradient", max_iter=5)
    words = draw.caption(steps, 3, names=features.names, method="gradient")
    size = np.sqrt((steps[3].weights ** 2).sum())
    assert f"on 18 weights at once: ‖w‖ = {size:.4g}," in words


def test_a_rise_is_called_a_rise() -> None:
    _, steps = fit(MOONS, method="gradient", learning_rate=100.0, max_iter=10)
    now = next(i for i, step in enumerate(steps) if step.event == "overshoot")
    words = draw.caption(steps, now, names=("x", "y"), method="gradient")
    assert f"(rises by {steps[now].loss - steps[now - 1].loss:.3g})" in words
    assert "the step was too long" in words


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_has_its_words(event: str) -> None:
    _, steps = METHODS["newton"]
    told = [
        draw.caption([*steps[:2], replace(steps[2], event=e)], 2, names=("x", "y"), method="newton")
        for e in (event, None)
    ]
    assert len(told[0]) > len(told[1]) + 20
    assert told[0].count("\n") == told[1].count("\n") == 1


def test_the_preprocessing_is_stated() -> None:
    center, spread = MOONS.X.mean(axis=0), MOONS.X.std(axis=0)
    u = [f"({n} − {number(c)}) / {s:.3g}" for n, c, s in zip("xy", center, spread, strict=True)]
    linear = draw.preprocessing(polynomial_features(MOONS.X, 1), ("x", "y"))
    assert linear == f"The features are standardised: {', '.join(u)}."
    cubic = draw.preprocessing(polynomial_features(MOONS.X, 3), ("x", "y"))
    assert ", ".join(u) in cubic and "9 products x, y, x², xy, y², x³" in cubic
    raw = draw.preprocessing(polynomial_features(MOONS.X, 2, standardize=False), ("x", "y"))
    assert raw == "The features x, y, x², xy, y² are used as they are."


# What is sent to the browser


@pytest.mark.parametrize("n", [200, 1000])
@pytest.mark.parametrize(
    ("name", "degree", "how"),
    [
        ("blobs", 4, {"classes": 3, "noise": 0.9}),
        ("row", 4, {"noise": 0.8}),
        ("spirals", 4, {}),
        ("moons", 1, {}),
    ],
)
def test_a_long_run_is_sent_in_under_half_a_megabyte(
    n: int, name: str, degree: int, how: dict
) -> None:
    points = data(name, n, **how)
    features, steps = fit(points, degree, method="gradient", learning_rate=0.3, max_iter=100)
    assert len(steps) == 101
    words = partial(draw.caption, steps, names=features.names, method="gradient")
    sent = payload([step.event for step in steps], views(points, features, steps), words)
    found = json.loads(sent)
    assert found["total"] == 101
    assert len(found["steps"]) == len(found["captions"]) == 80
    assert len(sent) < 500_000


def scores(features: PolynomialFeatures, step: LogisticRegressionStep, X: ndarray) -> ndarray:
    u = (X - MOONS.X.mean(axis=0)) / MOONS.X.std(axis=0)
    return u @ step.weights[0] + step.intercepts[0]


def sigmoid(z: ndarray) -> ndarray:
    return 1 / (1 + np.exp(-z))


def unpacked(array: dict) -> ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)
