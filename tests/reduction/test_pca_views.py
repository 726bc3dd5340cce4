"""Pictures and words of the PCA lab."""

import json
import re
from base64 import b64decode
from collections.abc import Callable
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy import ndarray

from algorithms.core.kernels import polynomial, rbf, sigmoid
from algorithms.data.presets import DATASETS, Dataset
from algorithms.reduction.denoising import denoising
from algorithms.reduction.kernel_pca import kernel_pca
from algorithms.reduction.pca import pca, power_iteration
from algorithms.reduction.projection_axis import projection_axis
from pages._shared.stage.stage import payload
from viz.core import plane
from viz.reduction import kernel_pca as kernel_view
from viz.reduction import pca as view
from viz.reduction import pca_words as words
from viz.reduction import power_iteration as power_view
from viz.reduction import projection_axis as axis_view

KEEP = 90
MODES = ["by hand", "power iteration", "eigenvectors", "with noise", "kernel PCA"]


def preset(name: str, n: int | None = None) -> Dataset:
    made = DATASETS[name]
    return made.make(n or made.n, noise=made.noise, rng=np.random.default_rng(0))


def wide(n: int, d: int) -> Dataset:
    X = np.random.default_rng(0).normal(size=(n, d)) @ np.random.default_rng(1).normal(size=(d, d))
    names = tuple(f"<b>column {j}</b>" for j in range(d))
    return Dataset("wide", X, names, np.arange(n) % 8, tuple("abcdefgh"))


DATA = {
    "iris": preset("iris"),
    "penguins": preset("penguins"),
    "line": preset("line"),
    "two points": preset("blobs", 2),
    "a constant column": Dataset(
        "c", np.array([[1.0, 2], [1, 3], [1, 5]]), ("x", "y"), np.array([0, 2, 7]), (*"abcdefgh",)
    ),
    "far away": Dataset("f", preset("moons", 40).X + 1e9, ("x", "y"), np.zeros(40, int), ("a",)),
    "wide": wide(50, 12),
}  # fmt: skip


class Shown:
    """What the lab shows of a data set in one of its modes."""

    def __init__(self, data: Dataset, mode: str, **how) -> None:
        X, table, group = data.X, data.table, data.labels
        box = plane.bounds(X)
        place = {"bounds": box, "names": (data.columns[data.x], data.columns[data.y])}
        rng, names, self.track = np.random.default_rng(1), data.columns, None
        self.steps: list
        self.views: dict[str, Callable[[int], dict]]
        self.caption: Callable[[int], str]
        if mode == "by hand":
            units = (box[1] - box[0], box[3] - box[2])
            self.steps = list(projection_axis(X, units=units, **how))
            self.views = axis_view.views(X, group, self.steps, place)
            self.track = ("The axis", axis_view.handles(self.steps, box))
            self.caption = partial(words.axis_caption, self.steps)
        elif mode == "power iteration":
            most = min(3, table.shape[1])
            self.steps = list(power_iteration(table, rng=rng, n_components=most, **how))
            columns = (data.x, data.y)
            self.views = power_view.views(table, group, columns, self.steps, place)
            self.caption = partial(words.power_caption, self.steps)
        elif mode == "kernel PCA":
            self.steps = list(kernel_pca(X, **{"kernel": rbf(1.0), "n_components": 8} | how))
            z = self.steps[-1].transform(X)
            surface = kernel_view.scores_on(self.steps[-1], box)
            self.views = kernel_view.views(X, group, self.steps, z, surface, place)
            self.caption = partial(kernel_view.caption, X, z, self.steps)
        else:
            noise = mode == "with noise"
            self.steps = list(denoising(table, 0.4 * noise, rng=rng, **how))
            columns = (data.x, data.y)
            self.views = view.views(table, group, columns, self.steps, names, KEEP, noise, place)
            self.caption = partial(words.components_caption, self.steps, names, KEEP, noise)

    def payload(self) -> str:
        return payload([s.event for s in self.steps], self.views, self.caption, self.track)


def unpacked(packed: dict) -> ndarray:
    return np.frombuffer(b64decode(packed["bdata"]), packed["dtype"])


def path(trace: dict) -> ndarray:
    return np.column_stack([unpacked(trace["x"]), unpacked(trace["y"])])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DATA)
def test_every_figure_can_be_shown(name: str, mode: str) -> None:
    shown = Shown(DATA[name], mode)
    run = json.loads(shown.payload())  # refuses differing traces, and NaN
    assert len(run["captions"]) == len(run["steps"])
    for text in run["captions"]:
        assert 1 <= text.count("\n") <= 2
        assert not re.search(r"\bnan\b|\binf\b|-0\b", text)
    for figure in shown.views.values():
        for now in {0, len(shown.steps) // 2, len(shown.steps) - 1}:
            go.Figure(figure(now))
    first = next(iter(shown.views.values()))(0)
    (points,) = [trace for trace in first["data"] if trace.get("meta") == "points"]
    np.testing.assert_allclose(path(points), DATA[name].X)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("data", [preset("iris"), preset("moons"), wide(1000, 10)])
def test_what_is_sent_is_small(data: Dataset, mode: str) -> None:
    assert len(Shown(data, mode).payload()) < 400_000


def test_the_feet_stand_on_the_axis() -> None:
    data = preset("line")
    shown = Shown(data, "by hand")
    for now in (0, 7, 30):
        _, lost, _, axis, *_ = next(iter(shown.views.values()))(now)["data"]
        lost, step = path(lost), shown.steps[now]
        np.testing.assert_allclose(lost[::3], data.X, rtol=1e-6)
        np.testing.assert_allclose(lost[1::3], step.reconstruct(data.X), atol=1e-6)
        assert np.isnan(lost[2::3]).all()
        across = (lost[1::3] - lost[::3]) @ step.components[0]
        np.testing.assert_allclose(across, 0, atol=1e-5)
        start, end = path(axis)[:2]
        along = (end - start) / np.linalg.norm(end - start)
        assert abs(along @ step.components[0]) == pytest.approx(1)


def test_the_handles_are_on_the_axis_and_inside_the_picture() -> None:
    for name in ("iris", "penguins", "line"):
        data = DATA[name]
        left, right, bottom, top = box = plane.bounds(data.X)
        units = (right - left, top - bottom)
        for standardize in (False, True):
            steps = list(projection_axis(data.X, units=units, standardize=standardize))
            places = axis_view.handles(steps, box)
            assert places.shape == (len(steps), 2, 2)
            assert (places > [left, bottom]).all() and (places < [right, top]).all()
            for step, ends in zip(steps, places, strict=True):
                np.testing.assert_allclose(step.reconstruct(ends), ends, rtol=1e-9)
            turned = np.diff(places[:, 0] / units, axis=0)
            assert np.hypot(*turned.T).max() < 0.06, "small turns, everywhere"


def test_the_handles_go_with_the_steps_that_are_shown() -> None:
    shown = Shown(preset("iris"), "by hand")
    run = json.loads(shown.payload())
    assert run["track"]["label"] == "The axis"
    np.testing.assert_allclose(run["track"]["places"], shown.track[1])
    many = np.arange(400.0).reshape(200, 1, 2)  # more steps than frames
    figure = next(iter(shown.views.values()))(0)
    run = json.loads(payload([None] * 200, {"a": lambda _: figure}, str, ("some", many)))
    np.testing.assert_array_equal(run["track"]["places"], many[run["steps"]])
    assert json.loads(Shown(preset("iris"), "kernel PCA").payload())["track"] is None


def test_many_points_have_no_perpendicular_and_it_is_said() -> None:
    steps = Shown(wide(600, 2), "by hand").steps
    drawn = len(view.shown_rows(600, steps))
    assert 100 < drawn < 600
    assert view.left_out(600, steps) == f" The projections of {drawn} of the 600 points are drawn."
    assert view.left_out(100, steps) == ""


def numbers(text: str) -> list[float]:
    text = text.replace("−", "-").translate(str.maketrans("₁₂₃₄", "    "))
    return [float(found) for found in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?", text)]


def test_axis_caption_is_recomputed_from_the_data() -> None:
    X = preset("line").X
    shown = Shown(preset("line"), "by hand")
    S = np.cov(X.T)
    for now in (0, 11, 40):
        angle = np.radians(shown.steps[now].angle)
        u = np.array([np.cos(angle), np.sin(angle)])
        variance, total = u @ S @ u, np.trace(S)
        first, rule = shown.caption(now).split("\n")
        assert f"Axis at {shown.steps[now].angle:.1f}°" in first
        assert f"keep {100 * variance / total:.3g} %" in first
        assert f"= {variance:.4g}; error" in rule
        assert f"= {total - variance:.4g}; sum {total:.4g}," in rule
        terms = re.search(r"uᵀSu = (.*?) = ", rule)[1]
        formula = terms.replace("²", "**2").replace("·", "*").replace("−", "-")
        assert eval(formula) == pytest.approx(variance, rel=5e-3, abs=5e-3 * total)
    best = next(i for i, step in enumerate(shown.steps) if step.event == "most variance")
    assert "the most that any axis keeps" in shown.caption(best)


def test_power_caption_is_recomputed_from_the_data() -> None:
    table = preset("iris").table
    shown = Shown(preset("iris"), "power iteration")
    S = np.cov(table.T)
    values, vectors = np.linalg.eigh(S)
    u = shown.steps[0].components[0]
    for now in (1, 2):
        product = S @ u
        norm = np.linalg.norm(product)
        before, u = u, product / norm
        first, rule = shown.caption(now).split("\n")
        turned = [np.degrees(np.arccos(min(1, abs(v @ vectors[:, -1])))) for v in (before, u)]
        assert f"from {turned[0]:.3g}° to {turned[1]:.3g}° from the answer" in first
        assert f"(rate λ₂/λ₁ = {values[-2] / values[-1]:.3g})" in first
        assert numbers(rule.split("‖")[0]) == pytest.approx(product, abs=1e-3)
        assert f"‖S u‖ = {norm:.4g}" in rule
        assert f"rises {before @ S @ before:.5g} → {u @ S @ u:.5g}" in rule
    deflated = next(i for i, step in enumerate(shown.steps) if step.event == "next component")
    assert "Component 1 is taken out of S (deflation); component 2" in shown.caption(deflated)
    assert "Converged" in shown.caption(len(shown.steps) - 1)


def test_components_caption_is_recomputed_from_the_data() -> None:
    shown = Shown(preset("iris"), "eigenvectors")
    values = np.linalg.eigvalsh(np.cov(preset("iris").table.T))[::-1]
    total = values.sum()
    first, rule = shown.caption(2).split("\n")
    kept = 100 * values[:2].sum() / total
    assert first == f"k = 2: {kept:.4g} % of the variance is kept; error {values[2:].sum():.3g}."
    assert f"({values[0]:.3g} + {values[1]:.3g}) / {total:.4g} = {kept:.4g} %" in rule
    assert "the first k with 90 %" in shown.caption(1)
    assert "replaced by the mean" in shown.caption(0)
    noisy = Shown(preset("correlated"), "with noise", standardize=True)
    least = min(step.clean_error for step in noisy.steps)
    assert f"(least: {least:.3g} at k = 3" in noisy.caption(3)


def test_kernel_caption_is_recomputed_from_the_data() -> None:
    X = preset("moons", 60).X
    kernel = polynomial(2, 1.0)
    shown = Shown(preset("moons", 60), "kernel PCA", kernel=kernel)
    K = (X @ X.T + 1) ** 2
    centre = np.eye(60) - 1 / 60
    values, vectors = np.linalg.eigh(centre @ K @ centre)
    first, rule = shown.caption(1).split("\n")
    assert f"{100 * values[-2] / values.sum():.3g} % of the variance" in first
    assert f"μ = {values[-2]:.4g}" in rule
    scores = np.abs(vectors[:, -2]) * np.sqrt(values[-2])
    assert f"For point {scores.argmax() + 1}:" in rule
    assert abs(numbers(rule)[-2 if rule.endswith("0.") else -1]) == pytest.approx(
        scores.max(), rel=5e-3
    )


def test_scaling_is_stated_with_its_numbers() -> None:
    data = preset("penguins")
    both = [list(pca(data.table, standardize=flag))[-1] for flag in (False, True)]
    text = words.scaling(*both, data.columns, False)
    assert text.startswith("Every column is centred and keeps its unit.")
    assert f"u₁ keeps {100 * both[0].explained[0]:.3g} % of the variance" in text
    assert f"scaled, {100 * both[1].explained[0]:.3g} % of the variance" in text
    assert f"for {data.columns[3]}" in text
    assert "divided by its standard deviation" in words.scaling(*both, data.columns, True)


def test_scree_marks_what_is_kept() -> None:
    shown = Shown(preset("iris"), "eigenvectors")
    bars, share, level, now = view.scree(shown.steps, KEEP, 2)["data"]
    np.testing.assert_allclose(bars["y"], shown.steps[-1].variances)
    assert bars["marker"]["opacity"] == [1.0, 1.0, view.FAINT, view.FAINT]
    assert share["y"][0] == 0 and share["y"][-1] == pytest.approx(100)
    assert level["y"] == [KEEP, KEEP]
    assert (now["x"], now["y"]) == ([2], [share["y"][2]])


def test_biplot_escapes_the_names_and_keeps_them_apart() -> None:
    last = list(pca(wide(50, 12).table))[-1]
    figure = view.biplot(wide(50, 12).table, np.zeros(50, int), last, wide(50, 12).columns, 0)
    _, arrows, names = figure["data"]
    assert len(names["text"]) == 8
    assert all("&lt;b&gt;column" in text for text in names["text"])
    assert np.diff(np.sort(names["y"])).min() > 0
    tips, loadings = path(arrows)[1::3], last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T))[:8]
    np.testing.assert_allclose(tips / tips[0, 0], loadings[longest] / loadings[longest[0], 0])


def test_kernel_surface_is_the_score_of_every_cell() -> None:
    X = preset("moons", 50).X
    box = plane.bounds(X)
    for kernel in (rbf(0.7), sigmoid(0.3, 0.1)):
        *_, last = kernel_pca(X, kernel=kernel, n_components=3, standardize=True)
        surface = kernel_view.scores_on(last, box)
        *_, cells = plane.grid(box, surface.shape[1])
        expected = last.transform(cells).T.reshape(surface.shape)
        np.testing.assert_allclose(surface, expected, atol=1e-9)


def test_centring_is_stated() -> None:
    X = preset("moons", 80).X
    *_, last = kernel_pca(X, kernel=rbf(1.0), most=50)
    text = kernel_view.centring(last, 80)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    rows = np.linspace(0, 79, 50).round().astype(int)
    assert f"on average {K[np.ix_(rows, rows)].mean():.3g}" in text
    assert "Learned from 50 evenly chosen of the 80 points." in text
