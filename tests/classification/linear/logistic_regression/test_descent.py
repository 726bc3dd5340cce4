import json
import re
from base64 import b64decode
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    Event,
    LogisticRegressionStep,
    largest_stable_rate,
    logistic_regression,
)
from algorithms.classification.linear.logistic_regression.logistic_summary import summary
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.pipeline import on_features
from algorithms.data.presets import DATASETS
from tests.core.figures import answer, line, places, unpacked
from tests.core.told import NUMBER, numbers, value
from tests.house.check_steps import event_names
from viz.classification.linear.logistic_regression.descent import Descent
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import decimal, number, vector

RATE, PENALTY = 0.7, 0.05
PICKED = np.array([0.4, -0.3])


def data(name: str = "moons", n: int = 80, **how) -> Plane:
    made = DATASETS[name].make(n, **{"noise": 0.3} | how, rng=np.random.default_rng(0))
    return Plane(made.X, made.labels, made.classes, ("x", "y"), plane.bounds(made.X))


def fit(
    data: Plane, degree: int = 1, **how
) -> tuple[PolynomialFeatures, list[LogisticRegressionStep]]:
    steps = on_features(logistic_regression, data.X, data.labels, degree=degree, **how)
    return polynomial_features(data.X, degree), list(steps)


def mode(
    data: Plane,
    fitted: tuple[PolynomialFeatures, list],
    method: str = "newton",
    held: ndarray | None = None,
) -> Descent:
    """Show a run. held : by default no points."""
    features, steps = fitted
    held = np.zeros(len(data.X), bool) if held is None else held
    known = summary(steps, data.X, data.labels, features, held, PENALTY)
    return Descent(Run("", steps), data, features, known, method, held, PICKED)


def scene(*args: Any, **how: Any) -> Scene:
    return mode(*args, **how).scene()


def caption(fitted: tuple[PolynomialFeatures, list], now: int, method: str) -> str:
    """Return the caption of a step of a run, by default on the moons."""
    return mode(MOONS, fitted, method).caption(now)


MOONS = data()
METHODS = {
    "newton": fit(MOONS, method="newton", penalty=PENALTY),
    "gradient": fit(MOONS, method="gradient", learning_rate=RATE, penalty=PENALTY, max_iter=20),
}
SCENES = {method: scene(MOONS, fitted, method) for method, fitted in METHODS.items()}
SCORES, PROGRESS, WEIGHTS = 1, 2, 3  # numbers of views


@pytest.mark.parametrize("seed", range(4))
def test_the_caption_of_a_random_start(seed: int) -> None:
    fitted = fit(MOONS, method="gradient", max_iter=3, rng=np.random.default_rng(seed))
    first, rule, _ = caption(fitted, 0, "gradient").split("\n")
    start = fitted[1][0]
    right = int(((scores(start, MOONS.X) > 0) == MOONS.labels).sum())
    assert first == f"Start: a random line. {right} of {len(MOONS.X)} points are right."
    assert rule.startswith(f"The loss is {number(start.loss, 4)}. ")


def test_the_picture_shows_the_step() -> None:
    _, steps = METHODS["newton"]
    now = 3
    figure = SCENES["newton"].views[0].draw(now)
    regions, _, border, *_ = figure["data"]
    probability = sigmoid(scores(steps[now], MOONS.X))
    wrong = unpacked(figure["points"]["wrong"]).astype(bool)
    np.testing.assert_array_equal(wrong, (probability > 0.5) != MOONS.labels)
    assert 0 < wrong.sum() < len(wrong)

    half = sigmoid(scores(steps[now], line(border)[:-1]))
    np.testing.assert_allclose(half, 0.5, atol=1e-3)

    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    _, _, cells = plane.grid(MOONS.bounds)
    chance = sigmoid(scores(steps[now], cells)).reshape(pixels.shape)
    np.testing.assert_array_equal(pixels // plane.SHADES, chance > 0.5)
    most = plane.SHADES - 1
    shade = pixels % plane.SHADES / most
    np.testing.assert_allclose(shade, np.abs(2 * chance - 1), atol=0.5 / most + 1e-9)


def test_other_labels_than_0_and_1_are_shown_as_they_are() -> None:
    """Where class 2 has been erased, classes 1 and 3 keep their colours."""
    row = data("row", 60)
    kept = row.labels != 1
    others = replace(row, X=row.X[kept], labels=row.labels[kept])
    picture = mode(others, fit(others, penalty=PENALTY)).picture(2)
    regions, points = picture["data"][0], picture["points"]
    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    assert set((pixels // plane.SHADES).ravel()) == {0, 2}
    assert set(unpacked(points["group"]).tolist()) == {0, 2}


def test_progress_shows_the_loss() -> None:
    _, steps = METHODS["gradient"]
    loss, now = SCENES["gradient"].views[PROGRESS].draw(4)["data"]
    np.testing.assert_allclose(unpacked(loss["y"]), [s.loss for s in steps], rtol=1e-6)
    assert (now["x"], now["y"]) == ([4], [steps[4].loss])


def test_every_point_has_its_score_its_probability_and_its_loss() -> None:
    _, steps = METHODS["newton"]
    step = steps[2]
    figure = SCENES["newton"].views[SCORES].draw(2)
    sigmoid_curve, low, high, *bars, mean, picked = figure["data"]
    z = scores(step, MOONS.X)
    x, level = places(figure).T
    np.testing.assert_allclose(x, z, atol=1e-4)
    off = level - MOONS.labels
    assert np.abs(off).max() < 0.17, "near the 0 or 1 of their class"
    assert ((off > 0) == (MOONS.labels == 1)).all(), "and beyond it, clear of the curve"
    far = np.sort(np.abs(off))
    assert np.diff(far).min() > 0.5 * np.ptp(far) / len(far), "no two are on one level"
    bottom, top = figure["layout"]["yaxis"]["range"]
    assert bottom < level.min() and level.max() < top
    curve = line(sigmoid_curve)
    np.testing.assert_allclose(curve[:, 1], sigmoid(curve[:, 0]), atol=1e-5)
    loss = -np.log(np.where(MOONS.labels == 1, sigmoid(z), 1 - sigmoid(z)))
    for k, (trace, of_class) in enumerate(zip(bars[:2], (low, high), strict=True)):
        foot, top = line(trace)[0::3], line(trace)[1::3]
        np.testing.assert_allclose(foot[:, 1], 0)
        np.testing.assert_allclose(top[:, 0], z[MOONS.labels == k], atol=1e-4)
        np.testing.assert_allclose(top[:, 1], loss[MOONS.labels == k], rtol=1e-4)
        x, y = line(of_class).T
        sign = 1 if k == 1 else -1
        np.testing.assert_allclose(y, -np.log(sigmoid(sign * x)), rtol=1e-4)
    assert np.isnan(line(bars[2])).all()
    np.testing.assert_allclose(line(mean)[:, 1], loss.mean(), rtol=1e-6)
    asked = scores(step, PICKED[None])[0]
    np.testing.assert_allclose([picked["x"][0], picked["y"][0]], [asked, sigmoid(asked)])
    ends = figure["layout"]["xaxis"]["range"]
    assert ends[0] < min(z.min(), asked) and max(z.max(), asked) < ends[1]
    assert loss.max() < figure["layout"]["yaxis2"]["range"][1]


def test_points_held_out_are_marked_and_have_a_loss_of_their_own() -> None:
    held = np.arange(len(MOONS.X)) % 4 == 0
    X, y = MOONS.X[~held], MOONS.labels[~held]
    features = polynomial_features(X, 1)
    steps = list(on_features(logistic_regression, X, y, penalty=PENALTY))
    shown = scene(MOONS, (features, steps), held=held)
    for view in (0, SCORES):
        figure = shown.views[view].draw(3)
        np.testing.assert_array_equal(unpacked(figure["points"]["held"]), held)
    bars = shown.views[SCORES].draw(3)["data"][3:6]
    assert [len(line(trace)) // 3 for trace in bars] == [
        *np.bincount(y),
        held.sum(),
    ]
    _, fresh, _, mark = shown.views[PROGRESS].draw(3)["data"]
    proba = steps[3].predict_proba(features(MOONS.X[held]))
    loss = -np.log(proba[np.arange(held.sum()), MOONS.labels[held]]).mean()
    assert mark["y"] == [pytest.approx(loss)]
    assert unpacked(fresh["y"])[3] == pytest.approx(loss, rel=1e-5)
    right = np.count_nonzero(proba.argmax(axis=1) == MOONS.labels[held])
    promised = proba.max(axis=1).sum()
    said = f"(held out {loss:.4g}, {right} of {held.sum()} right, {promised:.3g} promised)"
    assert said in shown.caption(3)


def test_the_loss_of_many_points_is_shown_for_some_and_the_title_says_so() -> None:
    points = data(n=500)
    view = scene(points, fit(points, penalty=PENALTY)).views[SCORES]
    assert view.title.endswith("(300 of 500 points)")
    figure = view.draw(1)
    assert len(places(figure)) == sum(len(line(t)) // 3 for t in figure["data"][3:5]) == 300


def test_three_classes_have_their_scores_and_probabilities_at_the_picked_point() -> None:
    blobs = data("blobs", 60, classes=3)
    features, steps = fit(blobs, penalty=PENALTY)
    shown = scene(blobs, (features, steps))
    assert "the borders" in shown.views[0].title and "0.5" not in shown.views[0].title
    assert "the 0.5 line" in SCENES["newton"].views[0].title
    bars, shares = shown.views[SCORES].draw(3)["data"]
    s = steps[3].weights @ features(PICKED[None])[0] + steps[3].intercepts
    share = np.exp(s) / np.exp(s).sum()
    np.testing.assert_allclose(bars["y"], s)
    np.testing.assert_allclose(shares["y"], share)
    told = shown.caption(3).split("\n")[2]
    assert f"scores {vector(s)}, so P = ({', '.join(number(p) for p in share)}) " in told
    assert told.endswith("for classes 1, 2 and 3.")


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
    """Return w, b, loss and direction of every step, by plain NumPy."""
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
    assert f"ln 2 = {np.log(2):.4f}. " in words
    assert f"‖g‖ = {np.linalg.norm(start['g']):.4g}." in words


@pytest.mark.parametrize(
    ("method", "now", "seen"),
    [
        ("newton", 1, "A first border: the loss falls to"),
        ("newton", 2, "The border moves, and the loss falls to"),
        ("gradient", 7, "The border hardly moves, but the model gets surer: the loss falls to"),
    ],
)
def test_the_caption_of_a_middle_step(method: str, now: int, seen: str) -> None:
    words = SCENES[method].caption(now)
    before, step = by_hand(method, now)[-2:]
    assert words.startswith(f"{seen} {step['loss']:.3g}. ")
    way = "Newton's step divides the slope g by the curvature H"
    way = way if method == "newton" else "a step against its slope g"
    assert f"Loss {before['loss']:.4g} → {step['loss']:.4g}: {way}" in words
    assert f" {80 * step['accuracy']:.0f} of 80 points are right." in words
    rate, name = ("1", "H⁻¹g") if method == "newton" else ("0.7", "g")
    rule = words.partition(f"w ← w − {rate} · {name} = ")[2].partition(", and b ← ")[0]
    old_x, old_y, _, taken_x, taken_y, new_x, new_y = numbers(rule)
    np.testing.assert_allclose([old_x, old_y], before["theta"][:2], rtol=1e-4)
    np.testing.assert_allclose([taken_x, taken_y], before["d"][:2], rtol=1e-4)
    for was, by, becomes in ((old_x, taken_x, new_x), (old_y, taken_y, new_y)):
        assert f"{was - float(rate) * by:.3f}" == f"{becomes:.3f}", "the numbers add up"
    assert rule.endswith(f" = {vector(step['theta'][:2])}")
    told = re.search(rf", and b ← {NUMBER}", words)
    assert told
    # Three digits; what is 0 but for the rounding of the data may be that rounding.
    np.testing.assert_allclose(value(told[1]), step["theta"][2], rtol=6e-3, atol=1e-12)


def test_a_halved_step_of_newton_is_named() -> None:
    fitted = fit(MOONS, method="newton", rng=np.random.default_rng(1))
    shown, seen = scene(MOONS, fitted, "newton"), set()
    for now, step in enumerate(fitted[1][1:], start=1):
        halved = step.step_size < 1
        told = f", halved to {number(step.step_size)} so that the loss falls"
        assert (told in shown.caption(now)) == halved == ("halved" in shown.caption(now))
        seen.add(halved)
    assert seen == {False, True}


@pytest.mark.parametrize("method", METHODS)
def test_the_picked_point_is_told_with_its_numbers(method: str) -> None:
    now = 4
    told = SCENES[method].caption(now).split("\n")[2]
    *w, b = by_hand(method, now)[-1]["theta"]
    u = (PICKED - MOONS.X.mean(axis=0)) / MOONS.X.std(axis=0)
    s = float(u @ w + b)
    assert told.startswith("Picked point: its score w·x + b = ")
    assert f" = {decimal(s)} (x standardised), so class 2 has" in told
    sum_ = told.partition(" + b = ")[2].partition(f" = {decimal(s)} (")[0]
    w1, u1, w2, u2, last = numbers(sum_.replace(" − ", " −"))
    np.testing.assert_allclose([w1, w2, last], [*w, b], atol=6e-4)
    np.testing.assert_allclose([u1, u2], u, atol=6e-4)
    assert f"1 / (1 + exp({decimal(-s)})) = {number(float(sigmoid(np.array(s))))}." in told


def test_many_weights_are_told_by_their_size() -> None:
    blobs = data("blobs", 60, classes=3)
    fitted = fit(blobs, 2, method="gradient", max_iter=5)
    size = np.sqrt((fitted[1][3].weights ** 2).sum())
    told = scene(blobs, fitted, "gradient").caption(3)
    assert f"on 18 weights at once: ‖w‖ = {size:.4g}," in told
    told = caption(fit(MOONS, 2, method="gradient", max_iter=5), 3, "gradient").split("\n")[2]
    assert re.match(r"Picked point: its score w·x \+ b is −?[\d.]+, so class 2", told)


def test_a_tiny_loss_is_written_as_a_power_of_ten() -> None:
    apart = data("separable", 40)
    fitted = fit(apart, method="newton", penalty=0.0)
    last = len(fitted[1]) - 1
    assert 0 < fitted[1][last].loss < 1e-6
    told = scene(apart, fitted).caption(last)
    assert re.search(r"Loss \d\S*×10⁻\S+ → \d\S*×10⁻\S+: ", told)
    assert not re.search(r"\de[-+]", told)


def test_a_rise_is_called_a_rise() -> None:
    fitted = fit(MOONS, method="gradient", learning_rate=100.0, max_iter=10)
    steps = fitted[1]
    now = next(i for i, step in enumerate(steps) if step.event == "overshoot")
    told = caption(fitted, now, "gradient")
    assert told.startswith("The loss rose: the step was too long.")
    assert f"Loss {steps[now - 1].loss:.4g} → {steps[now].loss:.4g}: " in told


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    features, steps = METHODS["newton"]
    told = [
        caption((features, [*steps[:2], replace(steps[2], event=e)]), 2, "newton")
        for e in (event, None)
    ]
    assert told[0].split("\n")[0] != told[1].split("\n")[0]
    assert told[0].split("\n")[1:] == told[1].split("\n")[1:]
    assert told[0].count("\n") == 2


def test_the_note_states_the_preprocessing_and_the_safe_rates() -> None:
    features, _ = METHODS["newton"]
    safe = largest_stable_rate(features(MOONS.X), PENALTY, 2)
    assert SCENES["newton"].note.startswith("The features are standardised: (x ")
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


def test_the_answer_is_small_with_points_held_out() -> None:
    points = data("moons", 1000)
    held = np.arange(1000) % 4 < 2
    X, y = points.X[~held], points.labels[~held]
    steps = list(on_features(logistic_regression, X, y))
    fitted = (polynomial_features(X, 1), steps)
    assert len(answer(scene(points, fitted, held=held), steps)) < 150_000


def scores(step: LogisticRegressionStep, X: ndarray) -> ndarray:
    u = (X - MOONS.X.mean(axis=0)) / MOONS.X.std(axis=0)
    return u @ step.weights[0] + step.intercepts[0]


def sigmoid(z: ndarray) -> ndarray:
    return 1 / (1 + np.exp(-z))


def test_a_point_far_beyond_all_others_is_counted_at_the_edge_and_a_share_is_never_0() -> None:
    far = np.append(MOONS.X, [[30.0, 30.0]], axis=0)
    board = replace(MOONS, X=far, labels=np.append(MOONS.labels, 0), bounds=plane.bounds(far))
    features, steps = fitted = fit(MOONS, 4, method="newton", penalty=0.001)
    show = mode(board, fitted, held=np.arange(len(far)) == len(far) - 1)
    show.scored = replace(show.scored, x=features(far[-1:]))
    show.x, seen = features(far[-1:]), 0
    for now in range(1, len(steps)):
        step, figure = steps[now], show.scene().views[SCORES].draw(now)
        z = step.decision_function(features(far))
        left, right = figure["layout"]["xaxis"]["range"]
        x = places(figure)[:, 0]
        inside = (left <= z) & (z <= right)
        np.testing.assert_allclose(x[inside], z[inside], atol=1e-3)
        assert (left <= x).all() and (x <= right).all()
        said = [note["text"] for note in figure["layout"]["annotations"][1:]]
        off = [int(np.count_nonzero(z < left)), int(np.count_nonzero(z > right))]
        ends = [z[-1] < left, z[-1] > right]
        expected = [
            f"{k} point{'s' * (k > 1)}{' and the picked one' * int(picked)} beyond" if k else ""
            for k, picked in zip(off, ends, strict=True)
        ]
        assert said == expected
        assert right <= 10 * max(np.quantile(np.abs(z), 0.95), 10)
        (at,) = figure["data"][-1]["x"]
        reach = right / 1.1  # the axis has a tenth of room
        assert at == pytest.approx(float(np.clip(z[-1], -reach, reach)))
        seen += sum(off)
        P = step.predict_proba(features(far[-1:]))[0, 1]
        sign = "≈" if number(P) in ("0", "1") else "="
        assert show.caption(now).endswith(f")) {sign} {number(P)}.")
    assert seen, "a point beyond the axis"


def test_a_loss_above_the_start_is_put_down_to_steps_that_are_too_long() -> None:
    fitted = fit(MOONS, method="gradient", learning_rate=300.0, max_iter=40)
    shown, seen = scene(MOONS, fitted, "gradient"), set()
    for now, step in enumerate(fitted[1][1:], start=1):
        falls = step.event is None and step.loss > fitted[1][0].loss
        told = (
            f"The loss falls to {number(float(f'{step.loss:.3g}'))}, but it is above the loss at "
            "the start: steps of η = 300 are too long."
        )
        assert shown.caption(now).startswith(told) == falls
        assert not falls or step.loss < fitted[1][now - 1].loss
        seen.add(falls)
    assert seen == {False, True}


def test_the_border_before_has_its_name_inside_the_picture_where_it_has_moved() -> None:
    fitted = fit(MOONS, method="gradient", max_iter=20, rng=np.random.default_rng(1))
    shown, seen = scene(MOONS, fitted, "gradient"), set()
    left, right, bottom, top = MOONS.bounds
    for now in range(len(fitted[1])):
        (name,) = (
            trace
            for trace in shown.views[0].draw(now)["data"]
            if trace.get("text") == ["border before"]
        )
        ((x, y),) = line(name).astype(float)
        named = bool(np.isfinite(x))
        words = shown.caption(now)
        assert not words.startswith("The border moves") or named
        assert not words.startswith("The border hardly moves") or not named
        assert not named or (left < x < right and bottom < y < top)
        seen.add(named)
    assert seen == {False, True}
