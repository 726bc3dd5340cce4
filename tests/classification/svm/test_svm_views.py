"""The pictures, words and sizes of the lab on support vector machines."""

import re
from base64 import b64decode
from functools import partial
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_multiclass import svm_multiclass as several
from algorithms.classification.svm.svm_qp import svm_qp
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import linear, polynomial, rbf, sigmoid
from algorithms.data.presets import DATASETS
from pages._shared.stage.stage import payload
from tests.house.check_steps import AsInTheApp
from viz.classification.svm import kernel_matrix as matrix_views
from viz.classification.svm import svm as views
from viz.classification.svm import svm_multiclass, svm_words
from viz.core import plane
from viz.core.words import number

KERNELS = {"linear": linear(), "cubic": polynomial(3, 1.0), "RBF": rbf(1.0), "tanh": sigmoid(0.3)}


def lab(name="moons", kernel=None, solve=svm, n=200, **how):
    """Run as the page does; return data, steps, views and caption."""
    preset, kernel = DATASETS[name], kernel or rbf(1.0)
    data = preset.make(n, noise=preset.noise, rng=np.random.default_rng(0))
    X, y = data.X, data.labels
    bounds = plane.bounds(X)
    features = polynomial_features(X, 1)
    target = y if solve is several else (y == 1).astype(int)
    with AsInTheApp():
        steps = tuple(solve(features(X), target, kernel=kernel, **how))
    grid = views.surface(kernel, steps[0].points, features, bounds)
    found = kernel_matrix(kernel, steps[0].points, y)
    shown = {"matrix": partial(matrix_views.still, matrix_views.matrix(found))}
    if solve is several:
        picture = partial(svm_multiclass.picture, X, y, grid, steps, ambiguous=True, bounds=bounds)
        shown |= {"work": partial(svm_multiclass.work, steps, data.classes)}
        caption = partial(svm_multiclass.caption, steps, y=y, names=data.classes)
    else:
        picture = partial(views.picture, X, y, (views.REST, 1), grid, steps, bounds=bounds)
        box = partial(views.pair_box, views.empty_box(steps), steps) if solve is svm else None
        shown["duals"] = box or partial(views.all_duals, steps, (views.REST, 1))
        curve = views.objective_curve(steps)
        shown["objectives"] = partial(views.objectives, views.objective_lines(curve), curve)
        words = svm_words.pair_caption if solve is svm else svm_words.all_caption
        caption = partial(words, steps)
    return data, steps, {"picture": picture} | shown, caption


def unpacked(array: dict) -> np.ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"])


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", text.replace("−", "-"))]


@pytest.mark.parametrize("solve", [svm, svm_qp, several])
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_figures_are_valid_and_alike_at_every_step(solve, kernel) -> None:
    if solve is svm_qp and not kernel.definite:
        return
    _, steps, shown, caption = lab("blobs", kernel, solve, n=60)
    for now in {0, 1, len(steps) // 2, len(steps) - 1}:
        for view in shown.values():
            go.Figure(view(now))
    for now in range(len(steps)):
        lines = caption(now).split("\n")
        assert len(lines) == 2
        assert all(10 < len(line) <= 165 for line in lines)
    payload([step.event for step in steps], shown, caption)  # refuses differing traces and NaN


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("solve", [svm, svm_qp])
def test_a_run_of_200_points_is_small(kernel, solve) -> None:
    if solve is svm_qp and not kernel.definite:
        return
    _, steps, shown, caption = lab("moons", kernel, solve)
    assert len(payload([step.event for step in steps], shown, caption)) < 400_000


def test_a_long_run_is_thinned() -> None:
    _, steps, shown, caption = lab("moons", linear(), C=1000.0, max_iter=3000)
    assert steps[-1].event == "stopped at max_iter"
    assert "Stopped: no steps left." in caption(len(steps) - 1)
    assert len(payload([step.event for step in steps], shown, caption)) < 300_000


def test_pair_caption_recomputed_from_the_data() -> None:
    data, steps, _, caption = lab("moons", C=2.0)
    signs = 2.0 * data.labels - 1
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1))
    for now, (before, after) in enumerate(pairwise(steps), 1):
        i, j = after.pair
        alpha, new = before.duals, after.duals
        g = signs - K @ (alpha * signs)
        slope, curvature = g[i] - g[j], 2 - 2 * K[i, j]
        first, second = caption(now).split("\n")
        cut = "cut to" in first
        said = numbers(first)
        expected = [slope, curvature, slope / curvature]
        step = abs(new[i] - alpha[i])
        expected += [step] * cut
        expected += [alpha[i], step, new[i], alpha[j], step, new[j]]
        # Each is rounded to four digits.
        np.testing.assert_allclose(said[: len(expected)], expected, rtol=6e-4, atol=1e-6)
        f = K @ (new * signs) + after.bias
        D = new.sum() - (new * signs) @ K @ (new * signs) / 2
        P = new.sum() - D + 2.0 * np.maximum(1 - signs * f, 0).sum()
        gain, dual, primal, violation, crossed, free, *_, full = numbers(second)
        assert (dual, primal) == (pytest.approx(D, rel=1e-3), pytest.approx(P, rel=1e-3))
        assert gain == pytest.approx(after.move.gain, rel=1e-2)
        assert violation == pytest.approx(after.violation, rel=1e-2)
        assert crossed == len(after.violators)
        assert (free, full) == (((new > 0) & (new < 2)).sum(), (new == 2).sum())
    assert "200 of 200 points break" in caption(0)
    assert "Converged." in caption(len(steps) - 1)


def test_points_states_and_pair_are_drawn() -> None:
    data, steps, shown, _ = lab("moons")
    for now in (0, len(steps) // 2, len(steps) - 1):
        step, figure = steps[now], shown["picture"](now)
        points = [trace for trace in figure["data"] if trace.get("meta") == "points"]
        assert len(points) == 1
        np.testing.assert_allclose(unpacked(points[0]["x"]), data.X[:, 0], rtol=1e-6)
        outline = unpacked(points[0]["marker"]["line"]["width"]) > 0
        np.testing.assert_array_equal(outline, step.predict(step.points) != data.labels)
        states = figure["data"][4]
        kind = unpacked(states["customdata"])
        symbol, size = (np.array(states["marker"][name])[kind] for name in ("symbol", "size"))
        broken = np.isin(np.arange(200), step.violators)
        np.testing.assert_array_equal(size == 0, (step.duals == 0) & ~broken)
        np.testing.assert_array_equal(np.isin(symbol, [101, 130]), step.duals == 1)
        np.testing.assert_array_equal(np.isin(symbol, [134, 128, 130]), broken)
        pair = figure["data"][5]
        expected = data.X[list(step.pair)] if step.pair else np.empty((0, 2))
        np.testing.assert_allclose(np.transpose([pair["x"], pair["y"]]), expected, atol=1e-4)


@pytest.mark.parametrize("kernel", [linear(), rbf(1.0), polynomial(3, 1.0)], ids=str)
def test_lines_stay_close_to_the_contours(kernel) -> None:
    _, steps, shown, _ = lab("moons", kernel)
    step, data = steps[-1], lab("moons", kernel)[0]
    features = polynomial_features(data.X, 1)
    figure = shown["picture"](len(steps) - 1)
    for trace, values in ((2, [0.0]), (3, [-1.0, 1.0])):
        path = np.column_stack([unpacked(figure["data"][trace][axis]) for axis in "xy"])
        path = path[np.isfinite(path[:, 0])].astype(float)
        f = step.decision_function(features(path))
        assert np.abs(f[:, None] - values).min(axis=1).max() < 0.05
        assert len(path) < 150


def test_the_box_shows_the_move() -> None:
    _, steps, shown, _ = lab("moons", C=1.0)
    for now in range(1, len(steps)):
        move = steps[now].move
        traces = shown["duals"](now)["data"]
        before, wanted, after = np.transpose([traces[4]["x"], traces[4]["y"]])
        np.testing.assert_allclose(before, move.before, atol=1e-4)
        np.testing.assert_allclose(after, move.after, atol=1e-4)
        if move.taken == move.wanted:
            np.testing.assert_allclose(wanted, after, atol=1e-4)
        ends = np.transpose([traces[2]["x"], traces[2]["y"]])
        assert ends.min() >= -1e-9
        assert ends.max() <= 1 + 1e-9
        share = move.taken / move.wanted
        assert traces[5]["x"] == [pytest.approx(share, rel=1e-3)] * 2
        assert traces[5]["y"][1] == pytest.approx(2 * share - share**2, rel=1e-3, abs=1e-4)


def test_matrix_and_its_words() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.arange(60) % 2
    found = kernel_matrix(linear(), X, y)
    assert "2 eigenvalues are not 0" in matrix_views.title(found)
    assert "whatever the points" in matrix_views.verdict(found, linear())
    kernel = sigmoid(1.0, 0.5)
    found = kernel_matrix(kernel, X, y)
    assert "not semi-definite" in matrix_views.title(found)
    assert number(found.eigenvalues[-1]) in matrix_views.verdict(found, kernel)
    gentle = sigmoid(0.01, 0.0) + linear()
    found = kernel_matrix(gentle, X[:20], y[:20])
    assert ("not in general" in matrix_views.verdict(found, gentle)) == found.definite


def test_ambiguous_regions_are_hatched_and_counted() -> None:
    data, steps, shown, caption = lab("blobs", linear(), several, n=150)
    model = steps[-1]
    with_hatch = shown["picture"](2)["data"][1]["source"]
    without = shown["picture"].keywords | {"ambiguous": False}
    plain = svm_multiclass.picture(*shown["picture"].args, 2, **without)["data"][1]["source"]
    assert len(with_hatch) > 1.5 * len(plain)
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    scores = model.decision_function(X)
    none = int(((scores > 0).sum(axis=1) == 0).sum())
    claimed = int(((scores > 0).sum(axis=1) > 1).sum())
    right = int((scores.argmax(axis=1) == data.labels).sum())
    assert f"{none} are claimed by no machine, {claimed} by several" in caption(2)
    assert f"{right} are right" in caption(2)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 2])),
        (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
        (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) % 2),
        (np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 8),
    ],
    ids=["two points", "one place", "on a line", "eight classes"],
)
def test_hostile_data_can_be_drawn(X, y) -> None:
    bounds, features = plane.bounds(X), polynomial_features(X, 1)
    Z = features(X)
    for kernel in (rbf(1.0), sigmoid(1.0, 0.5)):
        grid = views.surface(kernel, Z, features, bounds)
        steps = tuple(svm(Z, (y == y[0]).astype(int), kernel=kernel))
        curve = views.objective_curve(steps)
        shown = {
            "picture": partial(views.picture, X, y, (views.REST, 0), grid, steps, bounds=bounds),
            "box": partial(views.pair_box, views.empty_box(steps), steps),
            "objectives": partial(views.objectives, views.objective_lines(curve), curve),
            "matrix": partial(matrix_views.still, matrix_views.matrix(kernel_matrix(kernel, Z, y))),
        }
        payload([s.event for s in steps], shown, partial(svm_words.pair_caption, steps))
        many = tuple(several(Z, y, kernel=kernel, scheme="one-versus-one"))
        picture = partial(svm_multiclass.picture, X, y, grid, many, ambiguous=True, bounds=bounds)
        names = [str(k) for k in range(8)]
        work = partial(svm_multiclass.work, many, names)
        words = partial(svm_multiclass.caption, many, y=y, names=names)
        payload([s.event for s in many], {"a": picture, "b": work}, words)
