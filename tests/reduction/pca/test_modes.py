"""The pictures, words and questions of the PCA lab's modes."""

import json
import re
from dataclasses import dataclass

import numpy as np
import pytest

from algorithms.core.kernels import polynomial, rbf, sigmoid
from algorithms.data.presets import Dataset
from algorithms.reduction.pca.denoising import denoising
from algorithms.reduction.pca.kernel_pca import kernel_pca
from algorithms.reduction.pca.pca import compare_scaling, pca
from algorithms.reduction.pca.power_iteration import power_iteration
from algorithms.reduction.pca.projection_axis import projection_axis
from algorithms.reduction.pca.three_lines import three_lines
from tests.core.figures import accepted_by_plotly, answer, drawn, line, places, unpacked
from tests.core.samples import dataset
from viz.core import plane
from viz.core.scene import Figure, Plane, Run, Scene
from viz.core.turning import handles
from viz.reduction.pca import marks
from viz.reduction.pca.eigenvectors import Eigenvectors, biplot
from viz.reduction.pca.kernel_pca import KernelPca, centring, scores_on
from viz.reduction.pca.power_iteration import PowerIteration
from viz.reduction.pca.projection_axis import ByHand
from viz.reduction.pca.three_lines import ThreeLines

KEEP = 90
MODES = ["by hand", "three lines", "power iteration", "eigenvectors", "with noise", "kernel PCA"]


def wide(n: int, d: int) -> Dataset:
    X = np.random.default_rng(0).normal(size=(n, d)) @ np.random.default_rng(1).normal(size=(d, d))
    names = tuple(f"<b>column {j}</b>" for j in range(d))
    return Dataset("wide", X, names, np.arange(n) % 8, tuple("abcdefgh"))


DATA = {
    "iris": dataset("iris"),
    "penguins": dataset("penguins"),
    "line": dataset("line"),
    "two points": dataset("blobs", 2),
    "a constant column": Dataset(
        "c", np.array([[1.0, 2], [1, 3], [1, 5]]), ("x", "y"), np.array([0, 2, 7]), (*"abcdefgh",)
    ),
    "far away": Dataset("f", dataset("moons", 40).X + 1e9, ("x", "y"), np.zeros(40, int), ("a",)),
    "wide": wide(50, 12),
}  # fmt: skip


def columns_of(data: Dataset, *, standardize: bool = False, all_of_them: bool = True):
    names = (data.columns[data.x], data.columns[data.y])
    board = Plane(data.X, data.labels, data.classes, names, plane.bounds(data.X))
    if all_of_them:
        return marks.Columns(data.table, data.columns, (data.x, data.y), standardize, board)
    return marks.Columns(data.X, names, (0, 1), standardize, board)


@dataclass
class Shown:
    """The lab on a data set in one of its modes."""

    steps: tuple
    scene: Scene

    def figure(self, now: int, number: int = 0) -> Figure:
        return self.scene.views[number].draw(now)

    def caption(self, now: int) -> str:
        return self.scene.caption(now)


def shown(data: Dataset, mode: str, **how) -> Shown:
    standardize = how.get("standardize", False)
    two = mode in ("by hand", "three lines")
    columns = columns_of(data, standardize=standardize, all_of_them=not two)
    X, board, both = columns.table, columns.plane, compare_scaling(columns.table)
    rng = np.random.default_rng(1)
    if mode == "by hand":
        left, right, bottom, top = board.bounds
        run = Run("", tuple(projection_axis(X, units=(right - left, top - bottom), **how)))
        return Shown(run.steps, ByHand(run, columns, both).scene())
    if mode == "three lines":
        left, right, bottom, top = board.bounds
        side = how.pop("side", "across")
        run = Run("", tuple(three_lines(X, units=(right - left, top - bottom), **how)))
        return Shown(run.steps, ThreeLines(run, columns, side).scene())
    if mode == "power iteration":
        most = min(3, X.shape[1])
        run = Run("", tuple(power_iteration(X, rng=rng, n_components=most, **how)))
        return Shown(run.steps, PowerIteration(run, columns, both).scene())
    if mode == "kernel PCA":
        how = {"kernel": rbf(1.0), "n_components": 8} | how
        run = Run("", tuple(kernel_pca(data.X, **how)))
        return Shown(run.steps, KernelPca(run, board, standardize).scene())
    noise = mode == "with noise"
    run = Run("", tuple(denoising(X, 0.4 * noise, rng=rng, **how)))
    return Shown(run.steps, Eigenvectors(run, columns, both, KEEP, noise).scene())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DATA)
def test_every_figure_can_be_shown(name: str, mode: str) -> None:
    made = shown(DATA[name], mode)
    for now in range(len(made.steps)):
        text = made.caption(now)
        assert 1 <= text.count("\n") <= 2
        assert not re.search(r"\bnan\b|\binf\b|-0\b", text)
    for now in {0, len(made.steps) // 2, len(made.steps) - 1}:
        for figure in drawn(made.scene, now):
            accepted_by_plotly(figure)
    np.testing.assert_allclose(places(made.figure(0)), DATA[name].X)
    assert json.loads(answer(made.scene, made.steps))["total"] == len(made.steps)  # no NaN


def test_the_feet_stand_on_the_axis() -> None:
    data = dataset("line")
    made = shown(data, "by hand")
    for now in (0, 7, 30):
        _, axis, lost, *_ = map(line, made.figure(now)["data"][:3])
        step = made.steps[now]
        np.testing.assert_allclose(lost[::3], data.X, rtol=1e-6)
        np.testing.assert_allclose(lost[1::3], step.reconstruct(data.X), atol=1e-6)
        assert np.isnan(lost[2::3]).all()
        across = (lost[1::3] - lost[::3]) @ step.components[0]
        np.testing.assert_allclose(across, 0, atol=1e-5)
        start, end = axis[:2]
        along = (end - start) / np.linalg.norm(end - start)
        assert abs(along @ step.components[0]) == pytest.approx(1)


def test_the_handles_are_on_the_axis_and_inside_the_picture() -> None:
    for name in ("iris", "penguins", "line"):
        data = DATA[name]
        left, right, bottom, top = box = plane.bounds(data.X)
        units = (right - left, top - bottom)
        for standardize in (False, True):
            steps = list(projection_axis(data.X, units=units, standardize=standardize))
            directions = np.array([step.components[0] * step.scale for step in steps])
            places = handles(steps[0].mean, directions, box)
            assert places.shape == (len(steps), 2, 2)
            assert (places > [left, bottom]).all() and (places < [right, top]).all()
            for step, ends in zip(steps, places, strict=True):
                np.testing.assert_allclose(step.reconstruct(ends), ends, rtol=1e-9)
            turned = np.diff(places[:-1, 0] / units, axis=0)
            assert np.hypot(*turned.T).max() < 0.06, "small turns, everywhere"


def test_the_handles_go_with_the_steps() -> None:
    made = shown(dataset("iris"), "by hand")
    track = made.scene.views[0].track
    assert track is not None and track.label == "The axis"
    assert track.places.shape == (len(made.steps), 2, 2)
    sent = json.loads(answer(made.scene, made.steps))["views"][0]["track"]
    np.testing.assert_allclose(unpacked(sent["places"]), track.places.ravel(), rtol=1e-6)
    tracks = [part.track for part in shown(dataset("iris"), "kernel PCA").scene.views]
    assert tracks == [None, None, None]


def test_many_points_have_no_perpendicular_and_it_is_said() -> None:
    made = shown(wide(600, 2), "by hand")
    drawn = len(marks.shown_rows(600))
    assert 100 < drawn < 600
    assert len(line(made.figure(0)["data"][2])) == 3 * drawn
    assert len(places(made.figure(0))) == 600
    assert made.scene.note.endswith(f" The projections of {drawn} of the 600 points are drawn.")
    assert "are drawn" not in shown(wide(100, 2), "by hand").scene.note


def numbers(text: str) -> list[float]:
    text = text.replace("−", "-").translate(str.maketrans("₁₂₃₄", "    "))
    return [float(found) for found in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?", text)]


def test_axis_caption_is_recomputed_from_the_data() -> None:
    X = dataset("line").X
    made = shown(dataset("line"), "by hand")
    S = np.cov(X.T)
    for now in (0, 11, 40):
        angle = np.radians(made.steps[now].angle)
        u = np.array([np.cos(angle), np.sin(angle)])
        variance, total = u @ S @ u, np.trace(S)
        first, both, rule = made.caption(now).split("\n")
        assert f"Axis at {made.steps[now].angle:.3g}°" in first
        assert f"keep {100 * variance / total:.3g} %" in first
        parts = numbers(both)
        assert parts == pytest.approx([total, variance, total - variance], abs=1.1e-3)
        assert parts[1] + parts[2] == pytest.approx(parts[0], abs=1e-9)
        given, terms = rule.removesuffix(".").split(" give the variance ")
        direction, entries = given.split(", the columns' variances ")
        assert numbers(direction) == pytest.approx(u, abs=6e-4)
        assert numbers(entries) == pytest.approx([S[0, 0], S[1, 1], S[0, 1]], rel=5e-4)
        formula = terms.replace("²", "**2").replace("·", "*").replace("−", "-")
        assert eval(formula) == pytest.approx(variance, rel=5e-3, abs=5e-3 * total)
    best = next(i for i, step in enumerate(made.steps) if step.event == "most variance")
    assert "first principal component" in made.caption(best)


@pytest.mark.parametrize("standardize", [False, True])
def test_the_words_on_three_lines_are_recomputed_from_the_data(standardize: bool) -> None:
    X = dataset("line").X
    made = shown(dataset("line"), "three lines", standardize=standardize)
    spread = X.std(axis=0, ddof=1) if standardize else np.ones(2)
    S = np.cov((X / spread).T)
    u = np.linalg.eigh(S)[1][:, 1]
    slopes = [S[0, 1] / S[0, 0], u[1] / u[0], S[1, 1] / S[0, 1]]
    slopes = [slope * spread[1] / spread[0] for slope in slopes]
    named = "y on x {:.3g}, principal axis {:.3g}, x on y {:.3g}.".format(*slopes)
    assert made.steps[-1] is made.steps[[step.event for step in made.steps].index("least across")]
    back = made.caption(len(made.steps) - 1)
    assert back.startswith("Back at the principal axis, ")
    assert f": its slope {slopes[1]:.3g} is between those of the two regressions." in back
    found = [now for now, step in enumerate(made.steps[:-1]) if step.event]
    for now in range(len(made.steps)):
        said = made.caption(now).split("\n")[-1]
        assert said.startswith("Each of the other lines") == (now < min(found))
        assert said.endswith(f"Slopes of the three best lines: {named}") == (now >= max(found))
        assert ("so far" in said) == (min(found) <= now < max(found))
    at = {step.event: now for now, step in enumerate(made.steps[:-1]) if step.event}
    offsets = (X - X.mean(axis=0)) / spread
    for event, slope, name in zip(
        ("least up", "least across", "least sideways"),
        np.array(slopes) * spread[0] / spread[1],
        ("the regression of y on x", "the principal axis", "the regression of x on y"),
        strict=True,
    ):
        up = ((offsets[:, 1] - slope * offsets[:, 0]) ** 2).sum() / (len(X) - 1)
        first, rule, _ = made.caption(at[event]).split("\n")
        assert name in first
        across, sideways = up / (1 + slope**2), up / slope**2
        assert rule.endswith(f"{across:.3g} across, {up:.3g} up and {sideways:.3g} sideways.")


@pytest.mark.parametrize("side", ["up", "across", "sideways"])
def test_the_distances_drawn_end_on_the_line(side: str) -> None:
    X = dataset("line").X
    made = shown(dataset("line"), "three lines", side=side)
    for now in (5, 12, 45):
        path, step = line(made.figure(now)["data"][0]).reshape(-1, 3, 2), made.steps[now]
        np.testing.assert_allclose(path[:, 0], X, rtol=1e-6)
        went, u = path[:, 1] - path[:, 0], step.components[0]
        ends = (path[:, 1] - step.mean) @ [-u[1], u[0]]
        np.testing.assert_allclose(ends, 0, atol=1e-5)
        across = {"up": went[:, 0], "sideways": went[:, 1], "across": went @ u}[side]
        np.testing.assert_allclose(across, 0, atol=1e-5)
        mean = (went**2).sum() / (len(X) - 1)
        assert getattr(step, side) == pytest.approx(mean, rel=1e-5)


def test_a_line_without_bound_is_told_in_words() -> None:
    upright = Dataset(
        "c", np.array([[1.0, 2], [1, 3], [1, 5]]), ("a", "b"), np.zeros(3, int), ("",)
    )
    made = shown(upright, "three lines")
    assert any("without bound" in made.caption(now) for now in range(len(made.steps)))
    _, rule, slopes = made.caption(0).split("\n")
    assert rule.endswith("without bound sideways.")
    assert slopes.startswith("x is a, y is b. ")


def test_power_caption_is_recomputed_from_the_data() -> None:
    table = dataset("iris").table
    made = shown(dataset("iris"), "power iteration")
    S = np.cov(table.T)
    values, vectors = np.linalg.eigh(S)
    u = made.steps[0].components[0]
    for now in (1, 2):
        product = S @ u
        norm = np.linalg.norm(product)
        before, u = u, product / norm
        first, rule, along = made.caption(now).split("\n")
        turned = [np.degrees(np.arccos(min(1, abs(v @ vectors[:, -1])))) for v in (before, u)]
        assert f"from {turned[0]:.3g}° to {turned[1]:.3g}° from the answer" in first
        assert f"at most {values[-2] / values[-1]:.3g} of the angle (λ₂/λ₁)" in along
        told = rule.split("S u = ")[1].split(" of u")[0]
        assert numbers(told) == pytest.approx(product, abs=1e-3)
        assert f"of length {norm:.4g};" in rule
        assert f"rises from {before @ S @ before:.5g} to {u @ S @ u:.5g}" in along
    deflated = next(i for i, step in enumerate(made.steps) if step.event == "next component")
    assert "Component 1 is taken out of S (deflation); component 2" in made.caption(deflated)
    assert "Converged" in made.caption(len(made.steps) - 1)


def test_the_rate_names_eigenvalues_that_there_are() -> None:
    X = np.vstack([np.diag([1.0, 1.0, 0.5]), -np.diag([1.0, 1.0, 0.5])])  # the first two are alike
    made = shown(Dataset("c", X, (*"abc",), np.zeros(6, int), ("",)), "power iteration")
    first, last = (made.caption(now) for now in (0, len(made.steps) - 1))
    assert "at most 0.25 of the angle (λ₃/λ₁)" in first
    assert "starts at random, orthogonal to all components before," in last
    assert "of the angle" not in last


def test_components_caption_is_recomputed_from_the_data() -> None:
    made = shown(dataset("iris"), "eigenvectors")
    values = np.linalg.eigvalsh(np.cov(dataset("iris").table.T))[::-1]
    total = values.sum()
    first, rule, _ = made.caption(2).split("\n")
    kept = 100 * values[:2].sum() / total
    assert (
        first
        == f"2 components keep {kept:.3g} % of the variance; the error is {values[2:].sum():.3g}."
    )
    assert f"That is {values[0]:.3f} + {values[1]:.3f} of the variance of {total:.3f}" in rule
    assert "enough for the 90 % to keep" in made.caption(1)
    assert "replaced by the mean" in made.caption(0)
    penguins = shown(dataset("penguins"), "eigenvectors").caption(2)  # an error is left
    assert penguins.startswith("2 components keep 99.997 % of the variance; the error is 18.4.")
    noisy = shown(dataset("correlated"), "with noise", standardize=True)
    least = min(step.clean_error for step in noisy.steps)
    assert f"(least so far: {least:.3g} at q = 3)" in noisy.caption(3)
    assert "at q = 3" not in noisy.caption(2)


def test_what_tells_classes_apart_is_said_for_every_component() -> None:
    data = dataset("parallel")
    made = shown(data, "eigenvectors")
    for k in (1, 2):
        z = made.steps[-1].transform(data.table)[:, k - 1]
        share = 100 * np.corrcoef(z, data.labels)[0, 1] ** 2  # of two classes
        last = made.caption(k).split("\n")[2]
        assert f"{share:.3g} % is between the means of the 2 classes" in last
    assert made.caption(0).count("\n") == 1
    assert shown(dataset("line"), "eigenvectors").caption(1).count("\n") == 1, "one class"


def test_names_of_components_do_not_overprint() -> None:
    figure = shown(dataset("penguins"), "eigenvectors", standardize=True).figure(4)
    names = next(trace for trace in figure["data"] if trace["mode"] == "text")
    low, high = figure["layout"]["yaxis"]["range"]
    assert len(names["text"]) >= 3
    assert np.diff(np.sort(names["y"])).min() > 0.069 * (high - low)


def test_kernel_caption_is_recomputed_from_the_data() -> None:
    X = dataset("moons", 60).X
    kernel = polynomial(2, 1.0)
    made = shown(dataset("moons", 60), "kernel PCA", kernel=kernel)
    K = (X @ X.T + 1) ** 2
    centre = np.eye(60) - 1 / 60
    values, vectors = np.linalg.eigh(centre @ K @ centre)
    first, rule, _ = made.caption(1).split("\n")
    assert f"{100 * values[-2] / values.sum():.3g} % of the variance" in first
    scores = np.abs(vectors[:, -2]) * np.sqrt(values[-2])
    assert f"The ringed point {scores.argmax() + 1} has the score farthest" in rule
    assert abs(numbers(rule)[-2 if rule.endswith("0.") else -1]) == pytest.approx(
        scores.max(), rel=5e-3
    )


def test_scaling_is_stated_with_its_numbers() -> None:
    data = dataset("penguins")
    both = tuple(list(pca(data.table, standardize=flag))[-1] for flag in (False, True))
    assert [step.explained[0] for step in compare_scaling(data.table)] == [
        step.explained[0] for step in both
    ]
    made = shown(data, "eigenvectors")
    assert made.scene.note.startswith("Every column is centred and keeps its unit.")
    text = made.scene.answer(len(made.steps) - 1)
    assert f"first component keeps {100 * both[0].explained[0]:.4g} % (" in text
    assert f"scaled, {100 * both[1].explained[0]:.3g} % (" in text
    assert data.columns[3] == "body mass (g)"
    assert text.count("mostly body mass, ") == 1
    scaled = shown(data, "eigenvectors", standardize=True)
    assert "divided by its standard deviation" in scaled.scene.note
    two = dataset("moons")  # scaled, both entries of the first of two components are √½
    made = shown(two, "eigenvectors")
    names = " and ".join(two.columns)
    assert f"({names} equally, 0.71)." in made.scene.answer(len(made.steps) - 1)


def test_scree_marks_what_is_kept() -> None:
    made = shown(dataset("iris"), "eigenvectors")
    between, within, share, level, now = made.figure(2, 1)["data"]
    whole = np.add(between["y"], within["y"])
    np.testing.assert_allclose(whole, made.steps[-1].variances)
    z = made.steps[-1].transform(dataset("iris").table)
    correlation = [np.corrcoef(z[:, 0], dataset("iris").labels == k)[0, 1] for k in range(3)]
    assert between["y"][0] / whole[0] == pytest.approx(2 * sum(np.square(correlation)) / 3)
    for bars in (between, within):
        assert bars["marker"]["opacity"] == [1.0, 1.0, marks.FAINT, marks.FAINT]
    share = unpacked(share["y"])
    assert share[0] == 0 and share[-1] == pytest.approx(100)
    assert unpacked(level["y"]).tolist() == [KEEP, KEEP]
    assert now["x"] == [2] and now["y"] == pytest.approx([share[2]])


def test_biplot_escapes_the_names_and_keeps_them_apart() -> None:
    last = list(pca(wide(50, 12).table))[-1]
    figure = biplot(columns_of(wide(50, 12)), last)
    joins, arrows, names = figure["data"]
    assert len(names["text"]) == 8
    assert all("&lt;b&gt;column" in text for text in names["text"])
    x, y = line(names).T
    low, high = figure["layout"]["yaxis"]["range"]
    for side in (x < 0, x > 0):
        assert np.diff(np.sort(y[side])).min(initial=np.inf) > 0.1 * (high - low)
    np.testing.assert_allclose(line(joins)[1::3], line(names))
    assert len(arrows["marker"]["size"]) == 3 * 8
    tips, loadings = line(arrows)[1::3], last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T))[:8]
    expected = loadings[longest] / loadings[longest[0], 0]
    np.testing.assert_allclose(tips / tips[0, 0], expected, rtol=1e-6)
    scores = last.transform(wide(50, 12).table)[:, :2]
    np.testing.assert_allclose(places(figure), scores, atol=1e-5 * np.abs(scores).max())


def test_kernel_surface_is_the_score_of_every_cell() -> None:
    X = dataset("moons", 50).X
    box = plane.bounds(X)
    for kernel in (rbf(0.7), sigmoid(0.3, 0.1)):
        *_, last = kernel_pca(X, kernel=kernel, n_components=3, standardize=True)
        surface = scores_on(last, box)
        *_, cells = plane.grid(box, surface.shape[1])
        expected = last.transform(cells).T.reshape(surface.shape)
        np.testing.assert_allclose(surface, expected, atol=1e-9)


def test_centring_is_stated() -> None:
    X = dataset("moons", 80).X
    *_, last = kernel_pca(X, kernel=rbf(1.0), most=50)
    text = centring(last, 80)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    rows = np.linspace(0, 79, 50).round().astype(int)
    assert f"on average {K[np.ix_(rows, rows)].mean():.3g}" in text
    assert "Learned from 50 evenly chosen of the 80 points." in text


def test_what_compare_sets_side_by_side() -> None:
    data = dataset("line")
    for mode in ("by hand", "three lines", "power iteration", "eigenvectors"):
        made = shown(data, mode)
        assert made.scene.found
        for now in (1, len(made.steps) - 1):
            ends, step = made.scene.found(now).ends, made.steps[now]
            along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
            u = step.components[0] if mode == "eigenvectors" else step.components[-1]
            assert abs(along @ u) == pytest.approx(1)
    nothing = shown(data, "eigenvectors").scene.found(0)
    assert nothing.ends is None, "no component yet"
