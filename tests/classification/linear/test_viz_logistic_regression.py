import json
from base64 import b64decode
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image

from algorithms.classification.linear.logistic_regression import (
    Event,
    LogisticRegressionStep,
    largest_stable_rate,
    logistic_regression,
)
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.pipeline import on_features
from algorithms.data.presets import DATASETS
from tests.core.figures import answer, drawn, line, unpacked
from tests.house.check_steps import event_names
from viz.classification.linear import logistic_regression as draw
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import decimal, vector

RATE, PENALTY = 0.7, 0.05


def data(name: str = "moons", n: int = 80, **how) -> Plane:
    made = DATASETS[name].make(n, **{"noise": 0.3} | how, rng=np.random.default_rng(0))
    return Plane(made.X, made.labels, made.classes, ("x", "y"), plane.bounds(made.X))


def fit(
    data: Plane, degree: int = 1, **how
) -> tuple[PolynomialFeatures, list[LogisticRegressionStep]]:
    steps = on_features(logistic_regression, data.X, data.labels, degree=degree, **how)
    return polynomial_features(data.X, degree), list(steps)


def scene(data: Plane, fitted: tuple[PolynomialFeatures, list], method: str = "newton") -> Scene:
    features, steps = fitted
    return draw.descent(Run("", steps), data, features, PENALTY, method)


MOONS = data()
METHODS = {
    "newton": fit(MOONS, method="newton", penalty=PENALTY),
    "gradient": fit(MOONS, method="gradient", learning_rate=RATE, penalty=PENALTY, max_iter=20),
}
SCENES = {method: scene(MOONS, fitted, method) for method, fitted in METHODS.items()}
PROGRESS, WEIGHTS = 1, 2  # numbers of views


@pytest.mark.parametrize("classes", [2, 3, 6, 11])
@pytest.mark.parametrize("degree", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_every_step_has_the_same_traces(classes: int, degree: int, method: str) -> None:
    rng = np.random.default_rng(0)
    y = np.concatenate([np.arange(classes), rng.integers(classes, size=60)])
    X = 2 * np.stack([np.cos(y), np.sin(3 * y)], axis=1) + rng.normal(0, 0.3, (len(y), 2))
    blobs = Plane(X, y, tuple(map(str, range(classes))), ("x", "y"), plane.bounds(X))
    fitted = fit(blobs, degree, method=method, max_iter=8, penalty=PENALTY)
    shown = scene(blobs, fitted, method)
    assert len(shown.views) == (3 if classes == 2 and degree == 1 else 2)
    for now in range(len(fitted[1])):
        json.dumps(drawn(shown, now), allow_nan=False)


def test_the_picture_shows_the_step() -> None:
    features, steps = METHODS["newton"]
    now = 3
    figure = draw.picture(MOONS, features, steps[now])
    regions, border = figure["data"]
    probability = sigmoid(scores(steps[now], MOONS.X))
    wrong = unpacked(figure["points"]["wrong"]).astype(bool)
    np.testing.assert_array_equal(wrong, (probability > 0.5) != MOONS.labels)
    assert 0 < wrong.sum() < len(wrong)

    half = sigmoid(scores(steps[now], line(border)[:-1]))
    np.testing.assert_allclose(half, 0.5, atol=1e-3)

    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    _, _, cells = plane.grid(MOONS.bounds)
    chance = sigmoid(scores(steps[now], cells)).reshape(pixels.shape)
    np.testing.assert_array_equal(pixels // 8, chance > 0.5)
    np.testing.assert_allclose(pixels % 8 / 7, np.abs(2 * chance - 1), atol=0.5 / 7 + 1e-9)


def test_other_labels_than_0_and_1_are_shown_as_they_are() -> None:
    """Where class 2 has been erased, classes 1 and 3 keep their colours."""
    row = data("row", 60)
    kept = row.labels != 1
    others = replace(row, X=row.X[kept], labels=row.labels[kept])
    features, steps = fit(others, penalty=PENALTY)
    regions, _ = draw.picture(others, features, steps[2])["data"]
    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    assert set((pixels // 8).ravel()) == {0, 2}


def test_progress_shows_loss_and_gradient() -> None:
    _, steps = METHODS["gradient"]
    loss, now, norm, _ = SCENES["gradient"].views[PROGRESS].draw(4)["data"]
    np.testing.assert_allclose(unpacked(loss["y"]), [s.loss for s in steps], rtol=1e-6)
    np.testing.assert_allclose(unpacked(norm["y"]), [s.gradient_norm for s in steps], rtol=1e-6)
    assert now["x"] == [4]


def test_the_path_of_the_weights_is_on_the_surface() -> None:
    _, steps = METHODS["gradient"]
    figure = SCENES["gradient"].views[WEIGHTS].draw(5)
    _, path, here = figure["data"]
    weights = np.stack([step.weights[0] for step in steps[:6]])
    np.testing.assert_allclose(line(path), weights, rtol=1e-6)
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
    words = SCENES[method].caption(0)
    start = by_hand(method, 0)[0]
    assert f"ln 2 = {np.log(2):.4f}." in words
    assert f"‖g‖ = {np.linalg.norm(start['g']):.4g}." in words


@pytest.mark.parametrize(("method", "now"), [("newton", 2), ("gradient", 7)])
def test_the_caption_of_a_middle_step(method: str, now: int) -> None:
    words = SCENES[method].caption(now)
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
    _, steps = fit(data("blobs", 60, classes=3), 2, method="gradient", max_iter=5)
    words = draw.caption(steps, 3, method="gradient")
    size = np.sqrt((steps[3].weights ** 2).sum())
    assert f"on 18 weights at once: ‖w‖ = {size:.4g}," in words


def test_a_rise_is_called_a_rise() -> None:
    _, steps = fit(MOONS, method="gradient", learning_rate=100.0, max_iter=10)
    now = next(i for i, step in enumerate(steps) if step.event == "overshoot")
    words = draw.caption(steps, now, method="gradient")
    assert f"(rises by {steps[now].loss - steps[now - 1].loss:.3g})" in words
    assert "the step was too long" in words


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    _, steps = METHODS["newton"]
    told = [
        draw.caption([*steps[:2], replace(steps[2], event=e)], 2, method="newton")
        for e in (event, None)
    ]
    assert len(told[0]) > len(told[1]) + 20
    assert told[0].count("\n") == told[1].count("\n") == 1


def test_the_note_states_the_preprocessing_and_the_safe_rates() -> None:
    features, _ = METHODS["newton"]
    safe = largest_stable_rate(features(MOONS.X), PENALTY, 2)
    assert SCENES["newton"].note.startswith("The features are standardised: (x − ")
    assert SCENES["newton"].note.endswith(f" Learning rates below {safe:.3g} never raise the loss.")


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
def test_the_answer_to_a_move_is_small(n: int, name: str, degree: int, how: dict) -> None:
    points = data(name, n, **how)
    fitted = fit(points, degree, method="gradient", learning_rate=0.3, max_iter=1000)
    total = len(fitted[1])
    assert total > 900
    sent = answer(scene(points, fitted, "gradient"), fitted[1], total - 2)
    assert json.loads(sent)["total"] == total
    assert len(sent) < 150_000


def scores(step: LogisticRegressionStep, X: ndarray) -> ndarray:
    u = (X - MOONS.X.mean(axis=0)) / MOONS.X.std(axis=0)
    return u @ step.weights[0] + step.intercepts[0]


def sigmoid(z: ndarray) -> ndarray:
    return 1 / (1 + np.exp(-z))
