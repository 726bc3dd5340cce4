"""Pictures and words of ridge, lasso and coordinate descent, and what is sent to the browser."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pytest
from numpy import ndarray

from algorithms.data.presets import DATASETS, Dataset
from algorithms.regression.linear_paths import lasso_descent, lasso_path
from algorithms.regression.linear_paths.cross_validation import CrossValidation, cross_validation
from algorithms.regression.linear_paths.fit_training_part import (
    descent_on_training,
    lasso_on_training,
    least_squares_on_training,
    ridge_on_training,
)
from algorithms.regression.linear_paths.path_summary import (
    PathSummary,
    cancelling,
    descent_summary,
    path_summary,
)
from algorithms.regression.linear_paths.prepared_table import (
    FeatureChoice,
    PreparedTable,
    prepared_table,
    with_optimum_moved,
)
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.core.samples import dataset
from tests.house.check_steps import event_names
from viz.core import plane
from viz.core import words as core_words
from viz.core.scene import ANSWER, Plane, Run
from viz.core.show import Show
from viz.core.theme import GREY
from viz.regression.linear_paths.fit import Fit
from viz.regression.linear_paths.fit import four as number
from viz.regression.linear_paths.lasso_descent import Descent
from viz.regression.linear_paths.lasso_path import Lasso
from viz.regression.linear_paths.line_names import BALL, line_colors, line_dashes, names_at_ends
from viz.regression.linear_paths.ridge_path import Ridge
from viz.regression.linear_paths.two_weights import TwoWeights


@dataclass(frozen=True)
class Lesson:
    """A data set under one method, in one view."""

    data: Dataset
    mode: str
    two: bool = False
    share: float = 0.3
    sweeps: int = 30

    @property
    def plane(self) -> Plane:
        X = self.data.X
        return Plane(X, self.data.labels, self.data.classes, ("x", "y"), plane.bounds(X))

    @cached_property
    def choice(self) -> FeatureChoice:
        columns = range(self.data.table.shape[1])
        others = tuple(j for j in columns if j not in (self.data.x, self.data.y))
        if others:
            return FeatureChoice(others[:1] if self.two else others)
        return FeatureChoice(basis="polynomial", count=2 if self.two else 9)

    @cached_property
    def made(self) -> PreparedTable:
        return prepared_table(
            self.data, self.choice, share=self.share, rng=np.random.default_rng(1),
            window=self.plane.bounds[:2],
        )  # fmt: skip

    @cached_property
    def steps(self) -> tuple:
        if self.mode == "ridge":
            return tuple(ridge_on_training(self.made))
        if self.mode == "lasso":
            return tuple(lasso_on_training(self.made, between=7 * self.two))
        return tuple(descent_on_training(self.made, level=0.1, max_iter=self.sweeps))

    @cached_property
    def show(self) -> Show:
        given = Run("", self.steps), self.plane, self.made, self.choice
        if self.mode == "descent":
            return Descent(*given, 0.1, two=self.two)
        kind = TwoWeights if self.two else {"ridge": Ridge, "lasso": Lasso}[self.mode]
        if not self.two:
            return kind(*given, self.folds)
        w = self.steps[-1].weights
        (x, y), half = w / 2, float(np.abs(w).sum())
        return kind(*given, self.folds, (x - half, x + half, y - half, y + half))

    @cached_property
    def folds(self) -> CrossValidation:
        rng = np.random.default_rng(2)
        return cross_validation(self.data, self.choice, self.made, self.steps, folds=5, rng=rng)

    @cached_property
    def summary(self) -> PathSummary:
        return path_summary(self.steps, self.made)

    def draw(self, view: int, now: int) -> dict:
        return self.show.views()[view].draw(now)

    def caption(self, now: int) -> str:
        return self.show.caption(now)


def preset(name: str, n: int = 80, noise: float = 0.3) -> Dataset:
    return dataset(name, min(n, DATASETS[name].n), noise=noise)


def own(table: ndarray) -> Dataset:
    columns = tuple(f"x{j}" for j in range(table.shape[1]))
    return Dataset("own", table, columns, np.zeros(len(table), int), ("",))


MODES = ["ridge", "lasso", "descent"]
EVERY_VIEW = [(mode, two) for mode in MODES for two in (False, True)]
WIDE = {view: Lesson(preset("correlated"), *view) for view in EVERY_VIEW}
ONE = {view: Lesson(preset("sine"), *view) for view in EVERY_VIEW}


def test_the_picture_shows_the_step() -> None:
    lesson = WIDE["lasso", True]
    now = 3
    figure = lesson.show.fit.picture(now)
    _, drawn_line, fitted = figure["data"]
    np.testing.assert_allclose(places(figure), lesson.plane.X, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(figure["points"]["held"]), lesson.made.held_out)
    step = lesson.steps[now]
    np.testing.assert_allclose(unpacked(fitted["y"]), step.predict(lesson.made.X), atol=1e-5)
    np.testing.assert_allclose(unpacked(drawn_line["y"]), step.predict(lesson.made.line), atol=1e-5)
    curve = ONE["lasso", False].draw(0, 5)["data"]
    assert len(unpacked(curve[2]["y"])) == 0, "a curve needs no fitted values"


def test_predictions_are_drawn_against_targets() -> None:
    lesson, now = WIDE["lasso", False], 3
    figure = lesson.draw(3, now)
    expected = np.column_stack([lesson.steps[now].predict(lesson.made.X), lesson.made.y])
    np.testing.assert_allclose(places(figure), expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(unpacked(figure["points"]["held"]), lesson.made.held_out)


def test_paths_pass_through_the_step() -> None:
    lesson = WIDE["lasso", False]
    now, step = 4, lesson.steps[4]
    data, against_norm = (lesson.draw(view, now)["data"] for view in (0, 4))
    d = len(step.weights)
    drawn = [trace for trace in data if trace.get("name", "").startswith("weight of ")]
    whole = [trace for trace in data if trace.get("name") == "how the weights go on"]
    assert len(whole) == d
    for j, trace in enumerate(whole):
        assert trace["meta"] == ANSWER, "the whole path is hidden while a question waits"
        looks = [each["line"][look] for each in (trace, drawn[j]) for look in ("color", "dash")]
        assert looks[:2] == looks[2:], "each goes on in its own colour"
    for j in range(d):
        x, y = unpacked(drawn[j]["x"])[::-1], unpacked(drawn[j]["y"])[::-1]
        drawn_at = np.interp(step.penalty, x, y)
        if step.weights[j] == 0:  # the line is not drawn where its weight stays at 0
            drawn_at = np.nan_to_num(drawn_at)
        assert drawn_at == pytest.approx(step.weights[j], abs=1e-6)
        x, y = unpacked(against_norm[j]["x"]), unpacked(against_norm[j]["y"])
        norm = np.abs(step.weights).sum()
        assert np.interp(norm, x, y) == pytest.approx(step.weights[j], abs=1e-6)
        assert (drawn[j]["line"]["width"] > 3) == (j == step.variable)
        assert unpacked(drawn[j]["x"]).min() >= 0.999 * step.penalty, (
            "no line tells what is to come"
        )


def test_least_squares_is_drawn_beyond_the_smallest_penalty() -> None:
    """A logarithmic axis has no 0: its tick is beyond the curves, and dots join it to them."""
    lesson = WIDE["lasso", False]
    last, curve = len(lesson.steps) - 1, lesson.summary.curve
    path, errors = (lesson.draw(view, last) for view in (0, 1))
    for figure in (path, errors):
        axis = figure["layout"]["xaxis"]
        zero = axis["tickvals"][axis["ticktext"].index("0")]
        assert zero < 0.9 * curve.penalties[-1] and np.log10(zero) > axis["range"][1]
        (joins,) = (t for t in figure["data"] if t.get("name") == "on to λ = 0, not to scale")
        ends = line(joins).reshape(-1, 3, 2)[:, :2]
        np.testing.assert_allclose(ends[:, 0, 0], curve.penalties[-1], rtol=1e-5)
        np.testing.assert_allclose(ends[:, 1, 0], zero, rtol=1e-5)
    measured = lesson.summary.measured
    at_zero = [measured.training[-1], measured.validation[-1]]
    np.testing.assert_allclose(ends[:, 1, 1], at_zero, rtol=1e-5)
    assert "folds" not in lesson.caption(last), "the folds have judged no λ = 0"
    before = lesson.draw(0, last - 1)["data"]
    (joins,) = (t for t in before if t.get("name") == "on to λ = 0, not to scale")
    assert joins["x"] == [], "no line tells what is to come"
    ridge = WIDE["ridge", False]
    assert "0" not in ridge.draw(0, 0)["layout"]["xaxis"]["ticktext"]


def test_two_weights_open_where_the_ball_is_seen() -> None:
    """The lasso's diamond is touched at a corner then."""
    for mode in ("lasso", "ridge"):
        show = WIDE[mode, True].show
        w = show.steps[show.opens].weights
        assert 0 < show.opens < len(show.steps) - 1 and w.any()
        assert w.all() == (mode == "ridge")


def test_the_names_at_two_weights_keep_clear_of_the_ellipse() -> None:
    show = WIDE["lasso", True].show
    left, right, bottom, top = show.box
    for now in (show.opens, len(show.steps) - 2):
        figure = show.views()[0].draw(now)
        texts = [trace for trace in figure["data"] if trace["mode"] == "text"]
        assert [t["text"] for t in texts] == [
            ["least squares: drag it"],
            ["diamond"],
            ["equal error"],
        ]
        places = np.array([[unpacked(t[axis])[0] for axis in "xy"] for t in texts])
        assert ((places >= [left, bottom]) & (places <= [right, top])).all()


def named(figure: dict, name: str) -> dict:
    """Return the trace with this name."""
    (trace,) = (trace for trace in figure["data"] if trace.get("name") == name)
    return trace


def test_beside_the_handle_of_the_lasso_is_how_many_weights_are_at_0() -> None:
    lesson, written = WIDE["lasso", False], 0
    for now, step in enumerate(lesson.steps):
        data = lesson.draw(0, now)["data"]
        drag, text = (t for t in data if t["mode"] == "text")
        names, words = text["text"], [word.strip() for word in drag["text"][0].split("<br>")]
        zero = int((step.weights == 0).sum()) - (step.event == "variable enters")
        assert len(names) == 6 and names.count("") == zero
        high, low = lesson.draw(0, now)["layout"]["xaxis"]["range"]
        if (high - np.log10(unpacked(drag["x"])[0])) / (high - low) > 0.45:
            assert words == [""], "lines may be there"
        else:
            written += zero > 0
            plural = "" if zero == 1 else "s"
            assert words == ["drag λ", *([f"{zero} weight{plural} at 0"] if zero else [])]
    assert written > 1


def test_the_dot_of_the_weight_that_enters_or_leaves_is_large() -> None:
    lesson = WIDE["lasso", False]
    for now, step in enumerate(lesson.steps):
        size = named(lesson.draw(0, now), "weights of this step")["marker"]["size"]
        assert [each > 9 for each in size] == [j == step.variable for j in range(6)]


@pytest.mark.parametrize("mode", ["lasso", "ridge"])
def test_the_penalty_is_dragged_on_the_path(mode: str) -> None:
    lesson = WIDE[mode, False]
    picture = lesson.show.views()[0]
    assert picture.track and picture.track.along == "x"
    assert picture.track.places.shape == (len(lesson.steps), 1, 2)
    for now, step in enumerate(lesson.steps):
        x = picture.track.places[now, 0, 0]
        if step.penalty > 0:
            assert x == pytest.approx(step.penalty)
        line_x = named(lesson.draw(0, now), "penalty of this step")["x"]
        np.testing.assert_allclose(unpacked(line_x), x, rtol=1e-5)


def test_the_errors_are_whole_where_they_are_at_most_three_times_the_largest_training_error() -> (
    None
):
    lesson = WIDE["lasso", False]
    low, high = lesson.draw(1, 0)["layout"]["yaxis"]["range"]
    curve = lesson.summary.curve
    both = np.concatenate([curve.training, curve.validation])
    assert both.max() < 3 * curve.training.max()
    assert low <= both.min() and both.max() <= high


def test_weights_at_0_have_one_name_beside_the_visits() -> None:
    lesson = WIDE["descent", False]
    (text,) = (t for t in lesson.draw(2, 3)["data"] if t["mode"] == "text")
    zero = int((descent_summary(lesson.steps, lesson.made).exact == 0).sum())
    assert zero > 1
    assert [name.strip() for name in text["text"]].count(f"{zero} at 0") == 1
    assert len(text["text"]) == 6 - zero + 1


def test_the_star_is_at_the_least_held_out_error() -> None:
    lesson = ONE["ridge", False]
    star = named(lesson.draw(2, 0), "least held-out error")
    best = int(np.argmin(lesson.summary.curve.validation))
    assert star["x"] == [lesson.summary.curve.penalties[best]]
    written = [word for trace in lesson.draw(2, 0)["data"] for word in trace.get("text", [])]
    assert any("least held-out error" in word for word in written)
    alone = Lesson(preset("sine"), "ridge", share=0.0)
    assert named(alone.draw(2, 0), "least held-out error")["x"] == []
    written = [word for trace in alone.draw(2, 0)["data"] for word in trace.get("text", [])]
    assert "held out" not in " ".join([*written, alone.caption(3)])


@pytest.mark.parametrize("lesson", [WIDE["lasso", False], ONE["ridge", False]])
def test_the_ribbon_is_the_mean_of_the_folds_and_its_standard_error(lesson: Lesson) -> None:
    titles = [view.title for view in lesson.show.views()]
    figure, e = (
        lesson.draw(titles.index(lesson.show.path.errors.folds_title()), 1),
        lesson.folds.errors,
    )
    ribbon, mean = (unpacked(figure["data"][i]["y"]) for i in (0, 1))
    k, m = e.shape
    np.testing.assert_allclose(mean, np.sqrt(e.mean(axis=0)), rtol=1e-5)
    error = np.sqrt(((e - e.mean(axis=0)) ** 2).sum(axis=0) / (k - 1) / k)
    np.testing.assert_allclose(ribbon[:m] ** 2, e.mean(axis=0) + error, rtol=1e-5)
    low = np.maximum(e.mean(axis=0) - error, 0)
    np.testing.assert_allclose(ribbon[m:][::-1] ** 2, low, atol=1e-5 * ribbon.max() ** 2)
    best = int(e.mean(axis=0).argmin())
    within = np.flatnonzero(e.mean(axis=0) <= (e.mean(axis=0) + error)[best])[0]
    chosen = lesson.folds.penalties[[best, within]]
    np.testing.assert_allclose(named(figure, "what the folds choose")["x"], chosen)
    here = int(np.abs(np.log(lesson.folds.penalties / lesson.steps[1].penalty)).argmin())
    told = lesson.caption(1).split("\n")[2]
    assert f", {core_words.rounded(float(mean[here]))} in 5 folds." in told


def test_too_few_points_for_folds_have_no_ribbon() -> None:
    lesson = Lesson(own(np.array([[1.0, 2.0], [3.0, -1.0], [2.0, 2.0]])), "ridge", share=0.0)
    assert "folds" not in lesson.caption(0)
    titles = [view.title for view in lesson.show.views()]
    assert titles[2] == "Training error against the penalty"
    assert not any("folds" in title for title in titles)
    assert "too few training points for cross-validation" in lesson.show.note


@pytest.mark.parametrize(("mode", "corners"), [("lasso", 5), ("ridge", 73)])
def test_the_ball_has_the_norm_of_the_weights(mode: str, corners: int) -> None:
    lesson = WIDE[mode, True]
    now = len(lesson.steps) // 2
    ball = lesson.draw(0, now)["data"][1]
    outline = np.column_stack([unpacked(ball["x"]), unpacked(ball["y"])])
    assert len(outline) == corners
    size = np.linalg.norm(lesson.steps[now].weights, lesson.summary.order)
    np.testing.assert_allclose(
        np.linalg.norm(outline, lesson.summary.order, axis=1), size, rtol=1e-5
    )


def test_the_threshold_shows_the_visit() -> None:
    lesson = WIDE["descent", False]
    step = lesson.steps[7]
    point = lesson.draw(1, 7)["data"][3]
    shrunk = np.sign(step.correlation) * max(abs(step.correlation) - step.penalty, 0)
    assert (point["x"][0], point["y"][0]) == pytest.approx((step.correlation, shrunk))
    assert shrunk / step.curvature == pytest.approx(step.weights[step.variable])


def test_names_at_the_ends_do_not_overlap_and_are_escaped() -> None:
    names = tuple(f"<b>{j}" for j in range(10))
    for ends in (np.linspace(1, 1.01, 10), np.zeros(10), np.array([5.0, -5.0] * 5)):
        colors = line_colors(np.abs(ends), range(10))
        joins, text = names_at_ends(names, ends, (-1.0, 2.0), (3.0, 2.5), colors)
        heights = np.sort(text["y"])
        assert len(heights) == 10 and np.diff(heights).min() > 0.07 * 3
        assert heights[0] >= -1 and heights[-1] <= 2
        assert all("&lt;b" in name for name in text["text"])
        np.testing.assert_allclose(line(joins)[::3, 1], ends.clip(-1, 2))
        assert text["textfont"]["color"] == colors


def test_the_largest_weights_have_a_colour_of_their_own_that_of_their_column() -> None:
    sizes = np.array([1.0, 5.0, 0.0, 3.0, 2.0, 4.0, 9.0, 7.0, 0.5, 8.0])
    colors = line_colors(sizes, range(10))
    assert [color == GREY for color in colors] == [j in (2, 8) for j in range(10)]
    assert len(set(colors)) == 9 and [j for j in range(10) if colors[j] == BALL] == [0]
    assert line_colors(sizes[[3, 5]], (3, 5)) == [colors[3], colors[5]]
    dashes = line_dashes(colors)
    assert dashes[2] != dashes[8], "lines of one colour differ in their dashes"
    assert {dashes[j] for j in range(10) if j not in (2, 8)} == {"solid"}


def test_the_weights_of_least_squares_that_cancel_are_named() -> None:
    lesson = Lesson(preset("diabetes", 442, noise=0.0), "lasso", share=0.0)
    X, w = lesson.made.training[0], lesson.steps[-1].weights
    names = lesson.made.names
    i, j = names.index("chol"), names.index("LDL")
    correlation = core_words.rounded(float(np.corrcoef(X.T)[i, j]))
    told = [core_words.rounded(float(w[k])) for k in (i, j)]
    first, second, _ = lesson.caption(len(lesson.steps) - 1).split("\n")
    assert f": “chol” {told[0]} and “LDL” {told[1]} pull against each other." in first
    assert second.startswith(f"The two columns have the correlation {correlation}. ")
    assert cancelling(np.eye(3), np.array([1.0, 0.0, 0.0])) is None


def test_least_squares_is_moved_to_where_it_is_dragged() -> None:
    made, moved = WIDE["lasso", True].made, np.array([1.5, -2.0])
    after = with_optimum_moved(made, moved)
    before = least_squares_on_training(made)
    np.testing.assert_allclose(least_squares_on_training(after), before + moved, rtol=1e-9)
    assert after.training[1].mean() == pytest.approx(made.training[1].mean())


def test_every_path_of_the_diabetes_table_is_named() -> None:
    lesson = Lesson(preset("diabetes"), "lasso")
    last = len(lesson.steps) - 1
    _drag, text = (t for t in lesson.draw(0, last)["data"] if t["mode"] == "text")
    named = {re.sub("</?i>", "", name).strip() for name in text["text"] if name}
    assert named == set(lesson.made.names) and len(named) == 10


@pytest.mark.parametrize(
    ("exponent", "text"), [(0, "1"), (2, "100"), (4, "10⁴"), (-1, "10⁻¹"), (-12, "10⁻¹²")]
)
def test_powers_of_ten(exponent: int, text: str) -> None:
    assert core_words.power_of_ten(exponent) == text


# Captions, recomputed from the data


def by_hand(lesson: Lesson, now: int) -> tuple[ndarray, ndarray, str]:
    """Return residuals and columns about their means, and the two errors, by plain NumPy."""
    step, (X, y) = lesson.steps[now], lesson.made.training
    r = y - X @ step.weights - (y - X @ step.weights).mean()
    held_X, held_y = lesson.made.validation
    held = held_y - held_X @ step.weights - (y - X @ step.weights).mean()
    errors = [core_words.rounded(float(np.sqrt(np.mean(e**2)))) for e in (r, held)]
    return (
        r,
        X - X.mean(axis=0),
        f"RMS error: {errors[0]} in training, {errors[1]} on held-out points,",
    )


def test_the_caption_of_a_variable_that_enters() -> None:
    lesson, now = WIDE["lasso", False], 3
    step = lesson.steps[now]
    assert step.event == "variable enters"
    r, A, errors = by_hand(lesson, now)
    products = np.abs(A.T @ r)
    j = step.variable
    assert products[j] == pytest.approx(products.max())
    first, second, third = lesson.caption(now).split("\n")
    assert first == (
        f"λ = {core_words.rounded(products[j])}: “x{j + 1}” enters; {len(step.active)} of 6 "
        f"weights are in use, {6 - len(step.active)} stay at 0."
    )
    assert third.startswith(errors)
    assert second.startswith(f"“x{j + 1}” ") and f"|x·r| = λ = {number(products[j])}:" in second

    r, A, _ = by_hand(lesson, now - 1)
    active = lesson.steps[now - 1].active
    s = np.sign((A.T @ r)[active])
    u = np.linalg.solve(A[:, active].T @ A[:, active], s)
    v, c, at = A.T @ A[:, active] @ u, A.T @ r, lesson.steps[now - 1].penalty
    gap, speed = min(((at - k * c[j], 1 - k * v[j]) for k in (1, -1)), key=lambda g: g[0] / g[1])
    assert (step.gap, step.speed) == pytest.approx((gap, speed))


def test_the_caption_of_a_variable_that_leaves() -> None:
    lesson = Lesson(preset("diabetes", 442, noise=0.0), "lasso")
    now = next(i for i, s in enumerate(lesson.steps) if s.event == "variable leaves")
    before, step = lesson.steps[now - 1], lesson.steps[now]
    j = step.variable
    w, speed = abs(before.weights[j]), -np.sign(before.weights[j]) * before.slope[j]
    words_now = lesson.caption(now)
    assert f"“{lesson.made.names[j]}” is back at 0" in words_now
    assert f"{number(w)} / {number(speed)} = {number(w / speed)}" in words_now


def test_the_caption_of_ridge() -> None:
    lesson, now = ONE["ridge", False], 20
    penalty = lesson.steps[now].penalty
    _, A, errors = by_hand(lesson, now)
    s = np.linalg.svd(A, compute_uv=False)
    kept = s**2 / (s**2 + penalty)
    text = lesson.caption(now)
    free = f"9 weights count as {kept.sum():.3g} free ones (effective degrees of freedom).\n"
    assert f": shrunk by the penalty, {free}" in text
    assert f"\n{errors}" in text
    widest = f"{number(s[0] ** 2)} / ({number(s[0] ** 2)} + {penalty:.4g})"
    assert f"s² / (s² + λ) = {widest} = {kept[0]:.3g} of least squares along the widest" in text


def test_the_caption_of_a_visit() -> None:
    lesson, now = WIDE["descent", False], 7
    before, step = lesson.steps[now - 1], lesson.steps[now]
    r, A, _ = by_hand(lesson, now - 1)
    j = step.variable
    rho = A[:, j] @ r + A[:, j] @ A[:, j] * before.weights[j]
    w = np.sign(rho) * max(abs(rho) - step.penalty, 0) / (A[:, j] @ A[:, j])
    text = lesson.caption(now)
    assert text.startswith(f"Sweep {step.sweep}: the weight of “{lesson.made.names[j]}” goes from ")
    assert f"ρ = x·r + ‖x‖² w = {number(rho)}" in text
    assert f" to {core_words.rounded(w)}; f falls" in text
    r, A, _ = by_hand(lesson, now)
    objective = 0.5 * r @ r + step.penalty * np.abs(step.weights).sum()
    assert text.split("\n")[1].endswith(f"{w:.4g}; f = {objective:.5g}.")


def test_the_caption_of_the_geometry() -> None:
    lesson = WIDE["lasso", True]
    now = next(i for i, s in enumerate(lesson.steps) if s.event is None and s.weights.all())
    step = lesson.steps[now]
    r, A, _ = by_hand(lesson, now)
    first, second, third = lesson.caption(now).split("\n")
    named = zip(lesson.made.names, map(core_words.rounded, step.weights), strict=True)
    assert f"touches the diamond: {', '.join(f'{name} {w}' for name, w in named)}." in first
    pulls = zip(map(number, A.T @ r), lesson.made.names, strict=True)
    assert second.endswith(f"x·r: {' and '.join(f'{name} {pull}' for pull, name in pulls)}.")
    assert f"λ = {number(step.penalty)}. " in second
    w, v = np.abs(step.weights)
    assert third.endswith(f"|w₁| + |w₂| = {w:.4g} + {v:.4g} = {w + v:.4g}.")
    (told,) = lesson.draw(3, now)["layout"]["annotations"]
    assert told["text"].endswith(f"σ²/λ = {lesson.summary.variance / step.penalty:.3g}")
    corner = next(s for s in lesson.steps if s.weights.any() and not s.weights.all())
    assert " at a corner" in lesson.caption(lesson.steps.index(corner))


@pytest.mark.parametrize("event", event_names(lasso_path.Event))
def test_every_event_of_the_path_has_its_words(event: str) -> None:
    lesson = Lesson(preset("correlated"), "lasso")
    plain = replace(lesson.steps[4], event=None, variable=-1)
    variable, told = int(lesson.steps[4].active[0]), []
    for step in (plain, replace(plain, event=event, variable=variable)):
        lesson.show.steps = [*lesson.steps[:4], step]
        told.append(lesson.caption(4).split("\n"))
    assert len(told[0]) == len(told[1]) == 3 and told[0][0] != told[1][0]
    if event in ("variable enters", "variable leaves"):
        assert f"“x{variable + 1}”" in told[1][0]


@pytest.mark.parametrize("event", event_names(lasso_descent.Event))
def test_every_event_of_descent_has_its_words(event: str) -> None:
    lesson = Lesson(preset("correlated"), "descent")

    def told(event: str | None) -> str:
        lesson.show.steps = [*lesson.steps[:9], replace(lesson.steps[9], event=event)]
        return lesson.caption(9)

    assert len(told(event)) > len(told(None)) + 8


def test_captions_are_short() -> None:
    for lesson in (*WIDE.values(), *ONE.values(), Lesson(preset("diabetes", 442), "lasso")):
        for now in range(len(lesson.steps)):
            lines = lesson.caption(now).split("\n")
            assert len(lines) in (2, 3) and max(map(len, lines)) <= 165, lines


@pytest.mark.parametrize("mode", MODES)
def test_the_answer_for_a_wide_table_is_small(mode: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    y = X @ rng.normal(size=40) + rng.normal(size=300)
    lesson = Lesson(own(np.column_stack([X[:, 0], y, X[:, 1:]])), mode)
    assert len(answer(lesson.show.scene(), lesson.steps)) < 150_000


def test_every_visit_of_a_long_run_can_be_shown() -> None:
    lesson = Lesson(preset("correlated"), "descent", two=True, sweeps=300)
    now = len(lesson.steps) - 2
    assert now > 300
    way = drawn(lesson.show.scene(), now)[1]["data"][1]
    here = [unpacked(way[axis])[-1] for axis in "xy"]
    np.testing.assert_allclose(here, lesson.steps[now].weights, rtol=1e-5)


def test_the_note_says_how_the_features_were_made() -> None:
    table, column = WIDE["lasso", False], ONE["lasso", False]
    held = int(table.made.held_out.sum())
    assert table.show.note.startswith(f"{80 - held} points are for training, {held} held")
    assert "Features: x1, x2, x3, x4, x5, x6, each moved to mean 0" in table.show.note
    assert "Cross-validation deals" in table.show.note
    assert "into 5 folds. For each fold, features and" in table.show.note
    assert "Features of x: 9 powers" in column.show.note
    as_they_are = Fit(table.plane, table.made, table.steps)
    assert "their units" in as_they_are.note(replace(table.choice, standardize=False))


@pytest.mark.parametrize(
    ("basis", "count", "told"),
    [
        ("polynomial", 1, "1 power,"),
        ("Fourier", 1, "1 cosine with the width of the data as its period,"),
        ("Fourier", 4, "4 cosines and sines, the slowest with the width of the data"),
        ("Gaussian", 1, "1 Gaussian bump, in the middle of the training points, half as wide"),
        ("Gaussian", 2, "2 Gaussian bumps, evenly over the training points, half as wide as these"),
        ("Gaussian", 3, "3 Gaussian bumps, evenly over the training points, as wide as they are"),
    ],
)
def test_the_note_says_which_functions(basis: str, count: int, told: str) -> None:
    column = ONE["ridge", False]
    choice = FeatureChoice(basis=basis, count=count)
    made = prepared_table(
        column.data, choice, share=0.3, rng=np.random.default_rng(1),
        window=column.plane.bounds[:2],
    )  # fmt: skip
    assert f"Features of x: {told}" in Fit(column.plane, made, column.steps).note(choice)


def test_a_single_weight_is_told_as_one() -> None:
    column, rng = ONE["ridge", False], np.random.default_rng(1)
    choice = FeatureChoice(basis="polynomial", count=1)
    made = prepared_table(column.data, choice, share=0.3, rng=rng, window=column.plane.bounds[:2])
    steps = tuple(ridge_on_training(made))
    folds = cross_validation(column.data, choice, made, steps, folds=5, rng=rng)
    show = Ridge(Run("", steps), column.plane, made, choice, folds)
    assert ": shrunk by the penalty, 1 weight counts as " in show.caption(5)


def test_targets_that_do_not_vary_keep_all_weights_at_0() -> None:
    table = np.random.default_rng(0).normal(size=(20, 4))
    table[:, 1] = 1.0
    assert "; 3 stay at 0: they add nothing to those in use." in Lesson(
        own(table), "lasso"
    ).caption(0)
