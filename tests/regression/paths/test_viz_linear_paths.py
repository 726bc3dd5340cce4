"""Pictures and words of ridge, lasso and coordinate descent, and what is sent to the browser."""

import json
from base64 import b64decode
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy import ndarray

from algorithms.data.presets import DATASETS
from algorithms.regression.paths import lasso_descent, lasso_homotopy
from algorithms.regression.paths.lasso_descent import lasso
from algorithms.regression.paths.lasso_homotopy import lasso_path
from algorithms.regression.paths.linear_paths import ridge_path, ridge_penalties
from algorithms.regression.paths.penalty_account import descent_account, path_account
from algorithms.regression.paths.regressors import Regressors, regressors
from pages._shared.stage.stage import payload
from viz.core import panels, plane
from viz.regression.paths import linear_paths as draw
from viz.regression.paths import linear_views
from viz.regression.paths import linear_words as words


class Scene:
    """What the page makes of a data set, for one method and view."""

    def __init__(
        self, data: Any, mode: str, *, two: bool = False, share: float = 0.3, sweeps: int = 30
    ) -> None:
        table = data if isinstance(data, ndarray) else data.table
        columns = tuple(f"x{j}" for j in range(table.shape[1]))
        x, y = (0, 1) if isinstance(data, ndarray) else (data.x, data.y)
        if not isinstance(data, ndarray):
            columns = data.columns
        others = tuple(j for j in range(table.shape[1]) if j not in (x, y))[: 1 if two else 99]
        self.points, self.mode, self.two = table[:, [x, y]], mode, two
        self.bounds = plane.bounds(self.points)
        self.made: Regressors = regressors(
            table, columns, x=x, y=y, others=others, basis="" if others else "polynomial",
            count=2 if two else 9, standardize=True, share=share, window=self.bounds[:2],
            rng=np.random.default_rng(1),
        )  # fmt: skip
        X, target = self.made.training
        self.X, self.target = X, target
        if mode == "ridge":
            self.steps: list = list(ridge_path(X, target, ridge_penalties(X, 51)))
        elif mode == "lasso":
            self.steps = list(lasso_path(X, target, between=7 * two))
        else:
            top = next(lasso_path(X, target)).penalty
            self.steps = list(lasso(X, target, 0.1 * top, max_iter=sweeps))
        make = descent_account if mode == "descent" else path_account
        self.account: Any = make(self.steps, self.made)

    def views(self) -> list:
        """Give the picture, and the two linked views."""
        picture = partial(
            draw.picture, self.points, self.made, self.steps, bounds=self.bounds, names=("x", "y")
        )
        linked = linear_views.linked(self.account, self.made, self.steps, two=self.two)
        assert len(linked) == 2
        return [picture, *linked.values()]

    def caption(self, now: int) -> str:
        say = linear_views.caption(self.account, self.made, self.steps, two=self.two, level=0.1)
        return say(now)

    def sent(self) -> str:
        return payload(
            [step.event for step in self.steps],
            dict(zip("abc", self.views(), strict=True)),
            self.caption,
        )


def preset(name: str, n: int = 80, noise: float = 0.3) -> Any:
    rng = np.random.default_rng(0)
    return DATASETS[name].make(min(n, DATASETS[name].n), noise=noise, rng=rng)


MODES = ["ridge", "lasso", "descent"]
EVERY_VIEW = [(mode, two) for mode in MODES for two in (False, True)]
WIDE = {view: Scene(preset("correlated"), view[0], two=view[1]) for view in EVERY_VIEW}
ONE = {view: Scene(preset("sine"), view[0], two=view[1]) for view in EVERY_VIEW}


@pytest.mark.parametrize("view", EVERY_VIEW)
@pytest.mark.parametrize("scenes", [WIDE, ONE], ids=["table", "one column"])
def test_plotly_accepts_the_figures(scenes: dict, view: tuple) -> None:
    scene = scenes[view]
    for figure in scene.views():
        for now in (0, 1, len(scene.steps) // 2, len(scene.steps) - 1):
            go.Figure(figure(now))


HOSTILE = {
    "one point": np.array([[1.0, 2.0]]),
    "two points": np.array([[1.0, 2.0], [3.0, -1.0]]),
    "duplicates": np.repeat([[1.0, 2.0], [3.0, -1.0]], 8, axis=0),
    "on a line": np.outer(np.arange(12.0), [1, 2]),
    "constant x": np.column_stack([np.ones(9), np.arange(9.0)]),
    "constant y": np.column_stack([np.arange(9.0), np.ones(9)]),
    "huge": np.random.default_rng(0).normal(size=(20, 2)) * 1e12,
    "tiny": np.random.default_rng(0).normal(size=(20, 2)) * 1e-9,
    "collinear table": np.arange(20.0)[:, None] * [1, 1, 1, -1],
    "constant table": np.ones((7, 4)),
}


@pytest.mark.parametrize("view", EVERY_VIEW)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str, view: tuple) -> None:
    scene = Scene(HOSTILE[name], view[0], two=view[1], sweeps=4)
    found = json.loads(scene.sent())
    assert found["total"] == len(scene.steps)
    for text in found["captions"]:
        assert "nan" not in text and "inf " not in text and text.count("\n") == 1
    assert words.preparation(scene.made, True, "", "x")


def test_the_picture_shows_the_step() -> None:
    scene = WIDE["lasso", False]
    now = 3
    _, line, points, fitted = scene.views()[0](now)["data"]
    assert points["meta"] == "points"
    np.testing.assert_allclose(unpacked(points["x"]), scene.points[:, 0], rtol=1e-6)
    np.testing.assert_array_equal(unpacked(points["marker"]["color"]), scene.made.held)
    step = scene.steps[now]
    np.testing.assert_allclose(unpacked(fitted["y"]), step.predict(scene.made.X), atol=1e-5)
    np.testing.assert_allclose(unpacked(line["y"]), step.predict(scene.made.line), atol=1e-5)
    curve = ONE["lasso", False].views()[0](5)["data"]
    assert len(unpacked(curve[3]["y"])) == 0, "a curve needs no fitted values"


def test_paths_pass_through_the_step() -> None:
    scene = WIDE["lasso", False]
    now, step = 4, scene.steps[4]
    data = scene.views()[1](now)["data"]
    d = len(step.weights)
    for j in range(d):
        x, y = unpacked(data[j]["x"])[::-1], unpacked(data[j]["y"])[::-1]
        assert np.interp(step.penalty, x, y) == pytest.approx(step.weights[j], abs=1e-6)
        x, y = unpacked(data[d + 2 + j]["x"]), unpacked(data[d + 2 + j]["y"])
        norm = np.abs(step.weights).sum()
        assert np.interp(norm, x, y) == pytest.approx(step.weights[j], abs=1e-6)
        assert (data[j]["line"]["width"] > 2) == (j == step.variable)


def test_the_star_is_at_the_least_held_out_error() -> None:
    scene = ONE["ridge", False]
    star = scene.views()[2](0)["data"][2]
    best = int(np.argmin(scene.account.curve.validation))
    assert star["x"] == [scene.account.curve.penalties[best]]
    assert f"least at λ = {scene.account.curve.penalties[best]:.3g}" in draw.errors_title(
        scene.account.curve, 2
    )
    alone = Scene(preset("sine"), "ridge", share=0.0)
    assert alone.views()[2](0)["data"][2]["x"] == []
    assert "held out" not in draw.errors_title(alone.account.curve, 2) + alone.caption(3)


@pytest.mark.parametrize(("mode", "corners"), [("lasso", 5), ("ridge", 73)])
def test_the_ball_has_the_norm_of_the_weights(mode: str, corners: int) -> None:
    scene = WIDE[mode, True]
    now = len(scene.steps) // 2
    ball = scene.views()[1](now)["data"][1]
    outline = np.column_stack([unpacked(ball["x"]), unpacked(ball["y"])])
    assert len(outline) == corners
    size = np.linalg.norm(scene.steps[now].weights, scene.account.order)
    np.testing.assert_allclose(
        np.linalg.norm(outline, scene.account.order, axis=1), size, rtol=1e-5
    )


def test_the_threshold_shows_the_visit() -> None:
    scene = WIDE["descent", False]
    step = scene.steps[7]
    point = scene.views()[1](7)["data"][3]
    shrunk = np.sign(step.correlation) * max(abs(step.correlation) - step.penalty, 0)
    assert (point["x"][0], point["y"][0]) == pytest.approx((step.correlation, shrunk))
    assert shrunk / step.curvature == pytest.approx(step.weights[step.variable])


def test_names_beside_lines_do_not_overlap_and_are_escaped() -> None:
    names = tuple(f"<b>{j}" for j in range(12))
    found = panels.names_beside(names, np.linspace(1, 1.01, 12), -1.0, 2.0)
    heights = [note["y"] for note in found]
    assert len(found) == 8 and min(-np.diff(heights)) > 0.1
    assert min(heights) >= 0 and max(heights) <= 1
    assert all("&lt;b" in note["text"] for note in found)


@pytest.mark.parametrize(
    ("exponent", "text"), [(0, "1"), (2, "100"), (4, "10⁴"), (-1, "10⁻¹"), (-12, "10⁻¹²")]
)
def test_powers_of_ten(exponent: int, text: str) -> None:
    assert panels.power_of_ten(exponent) == text


# Captions, recomputed from the data


def by_hand(scene: Scene, now: int) -> tuple[ndarray, ndarray, str]:
    """Give residuals and columns about their means, and the two errors, by plain NumPy."""
    step, X, y = scene.steps[now], scene.X, scene.target
    r = y - X @ step.weights - (y - X @ step.weights).mean()
    held_X, held_y = scene.made.validation
    held = held_y - held_X @ step.weights - (y - X @ step.weights).mean()
    errors = [words.number(float(np.sqrt(np.mean(e**2)))) for e in (r, held)]
    return r, X - X.mean(axis=0), f"RMS error: training {errors[0]}, held out {errors[1]}."


def test_the_caption_of_a_variable_that_enters() -> None:
    scene, now = WIDE["lasso", False], 3
    step = scene.steps[now]
    assert step.event == "variable enters"
    r, A, errors = by_hand(scene, now)
    products = np.abs(A.T @ r)
    j = step.variable
    assert products[j] == pytest.approx(products.max())
    first, second = scene.caption(now).split("\n")
    used = f"{len(step.active)} of 6 in use"
    assert first == f"λ = {words.number(products[j])}: variable “x{j + 1}” enters; {used}; {errors}"

    r, A, _ = by_hand(scene, now - 1)
    active = scene.steps[now - 1].active
    s = np.sign((A.T @ r)[active])
    u = np.linalg.solve(A[:, active].T @ A[:, active], s)
    v, c, at = A.T @ A[:, active] @ u, A.T @ r, scene.steps[now - 1].penalty
    gap, speed = min(((at - k * c[j], 1 - k * v[j]) for k in (1, -1)), key=lambda g: g[0] / g[1])
    numbers = f"{words.number(gap)} / {words.number(speed)} = {words.number(gap / speed)}"
    assert f"= {numbers}: there |x·r| of “x{j + 1}” met λ." in second


def test_the_caption_of_a_variable_that_leaves() -> None:
    scene = Scene(preset("diabetes", 442, noise=0.0), "lasso")
    now = next(i for i, s in enumerate(scene.steps) if s.event == "variable leaves")
    before, step = scene.steps[now - 1], scene.steps[now]
    j = step.variable
    w, speed = abs(before.weights[j]), -np.sign(before.weights[j]) * before.slope[j]
    words_now = scene.caption(now)
    assert f"variable “{scene.made.names[j]}” leaves" in words_now
    assert f"{words.number(w)} / {words.number(speed)} = {words.number(w / speed)}" in words_now


def test_the_caption_of_ridge() -> None:
    scene, now = ONE["ridge", False], 20
    penalty = scene.steps[now].penalty
    _, A, errors = by_hand(scene, now)
    s = np.linalg.svd(A, compute_uv=False)
    kept = s**2 / (s**2 + penalty)
    w = np.linalg.solve(A.T @ A + penalty * np.eye(9), A.T @ (scene.target - scene.target.mean()))
    text = scene.caption(now)
    assert f"effectively {kept.sum():.3g} of 9. ‖w‖ = {np.linalg.norm(w):.4g}; {errors}" in text
    widest = f"{words.number(s[0] ** 2)} / ({words.number(s[0] ** 2)} + {penalty:.4g})"
    assert f"s² / (s² + λ) = {widest} = {kept[0]:.3g} along the widest" in text


def test_the_caption_of_a_visit() -> None:
    scene, now = WIDE["descent", False], 9
    before, step = scene.steps[now - 1], scene.steps[now]
    r, A, _ = by_hand(scene, now - 1)
    j = step.variable
    rho = A[:, j] @ r + A[:, j] @ A[:, j] * before.weights[j]
    w = np.sign(rho) * max(abs(rho) - step.penalty, 0) / (A[:, j] @ A[:, j])
    text = scene.caption(now)
    assert text.startswith(f"Sweep {step.sweep}, variable “{scene.made.names[j]}”: ")
    assert f"ρ = x·r + ‖x‖² w = {words.number(rho)}" in text
    assert f"→ {words.number(w)}; f falls" in text


def test_the_caption_of_the_geometry() -> None:
    scene = WIDE["lasso", True]
    now = next(i for i, s in enumerate(scene.steps) if s.event is None and s.weights.all())
    step = scene.steps[now]
    r, A, _ = by_hand(scene, now)
    first, second = scene.caption(now).split("\n")
    assert f"the diamond |w₁| + |w₂| = {np.abs(step.weights).sum():.4g}" in first
    assert f"There x·r = {words.vector(A.T @ r)} = λ · sign(w)" in second
    scale = scene.account.variance / step.penalty
    assert f"Laplace prior of scale σ²/λ = {scene.account.variance:.4g}" in second
    assert second.endswith(f"= {words.number(scale)}.")
    corner = next(s for s in scene.steps if s.weights.any() and not s.weights.all())
    assert " at a corner" in scene.caption(scene.steps.index(corner))


@pytest.mark.parametrize("event", get_args(lasso_homotopy.Event))
def test_every_event_of_the_path_has_its_words(event: str) -> None:
    scene = Scene(preset("correlated"), "lasso")
    plain = replace(scene.steps[4], event=None, variable=-1)
    variable = int(scene.steps[4].active[0])
    steps = [*scene.steps[:4], replace(plain, event=event, variable=variable)]
    named = words.lasso_caption(scene.made.names, scene.account.measured, steps, 4)
    keyword = {"least squares": "least squares", "stopped at max_iter": "Stopped"}.get(
        event, "variable “x"
    )
    assert keyword in named and named.count("\n") == 1


@pytest.mark.parametrize("event", get_args(lasso_descent.Event))
def test_every_event_of_descent_has_its_words(event: str) -> None:
    scene = WIDE["descent", False]
    step = replace(scene.steps[9], event=event)
    plain = words.descent_caption(
        scene.made.names, 0.1, [*scene.steps[:9], replace(step, event=None)], 9
    )
    named = words.descent_caption(scene.made.names, 0.1, [*scene.steps[:9], step], 9)
    assert len(named) > len(plain) + 8


def test_captions_are_short() -> None:
    for scene in (*WIDE.values(), *ONE.values(), Scene(preset("diabetes", 442), "lasso")):
        for now in range(len(scene.steps)):
            lines = scene.caption(now).split("\n")
            assert len(lines) == 2 and max(map(len, lines)) <= 165, lines


# What is sent to the browser


@pytest.mark.parametrize("view", EVERY_VIEW)
@pytest.mark.parametrize("name", ["diabetes", "correlated", "sine"])
def test_a_run_is_sent_in_under_400_kilobytes(name: str, view: tuple) -> None:
    n = 442 if name == "diabetes" else 1000
    data = DATASETS[name].make(n, noise=0.3, rng=np.random.default_rng(0))
    assert len(Scene(data, view[0], two=view[1], sweeps=300).sent()) < 400_000


def unpacked(array: dict) -> ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)
