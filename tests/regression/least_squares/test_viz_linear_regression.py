import json
from base64 import b64decode
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy import ndarray

from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS
from algorithms.regression.least_squares.absolute_loss import absolute_loss
from algorithms.regression.least_squares.gradient_descent import Event, gradient_descent
from algorithms.regression.least_squares.linear_regression import line_through, linear_regression
from algorithms.regression.least_squares.optimizers import RULES, Rule
from algorithms.regression.least_squares.squared_loss import squared_loss
from pages._shared.stage.stage import payload
from tests.house.check_steps import AsInTheApp
from tests.regression.least_squares.test_linear_regression import HOSTILE
from viz.core import plane
from viz.core.frames import animate
from viz.regression.least_squares import absolute_loss as draw_outliers
from viz.regression.least_squares import gradient_descent as draw_descent
from viz.regression.least_squares import linear_regression as draw_fit
from viz.regression.least_squares import linear_regression_words as words
from viz.regression.least_squares.regression_lines import fit_line


def board(name: str = "line", n: int = 60) -> ndarray:
    preset = DATASETS[name]
    return preset.make(n, noise=preset.noise, rng=np.random.default_rng(0)).X


def descent(X: ndarray, rule: Rule, *, scaled: bool = False, batch: int | None = None, **how):
    """Give steps, views and caption of a descent, as the page does."""
    units = polynomial_features(X, 1, standardize=scaled)
    x, y = units(X)[:, :1], units(X)[:, 1]
    rng = np.random.default_rng(0)
    steps = tuple(gradient_descent(x, y, rule, rng=rng, batch=batch, **how))
    loss = squared_loss(x, y)
    scene = draw_descent.Scene(X, np.zeros(len(X), int), units, steps, loss)
    views = draw_descent.views(scene, plane.bounds(X), ("x", "y"))
    return steps, views, partial(words.descent_caption, steps, loss=loss, rule=rule)


def formula(X: ndarray):
    steps = tuple(linear_regression(X[:, :1], X[:, 1]))
    views = draw_fit.views(X, np.zeros(len(X), int), steps, plane.bounds(X), ("x", "y"))
    return steps, views, partial(words.fit_caption, X, steps)


def outliers(X: ndarray):
    steps = tuple(absolute_loss(X[:, :1], X[:, 1]))
    views = draw_outliers.views(X, np.zeros(len(X), int), steps, plane.bounds(X), ("x", "y"))
    return steps, views, partial(words.contrast_caption, X, steps)


MADE = {
    "descent": partial(descent, rule=Rule(0.1)),
    "diverging": partial(descent, rule=Rule(0.5)),
    "stochastic": partial(descent, rule=RULES["Adam"](0.1), batch=1, max_iter=30),
    "standardised": partial(descent, rule=RULES["momentum"](0.1), scaled=True, max_iter=30),
    "formula": formula,
    "outliers": outliers,
}


def shown(trace: dict) -> ndarray:
    """Give the places of a trace."""
    columns = [np.frombuffer(b64decode(trace[a]["bdata"]), trace[a]["dtype"]) for a in "xy"]
    return np.column_stack(columns).astype(float)


def small(values) -> str:
    return f"({', '.join(f'{v:.4g}' for v in values)})".replace("-", "−")


@pytest.mark.parametrize("made", MADE)
def test_plotly_accepts_the_figures(made: str) -> None:
    steps, views, caption = MADE[made](board())
    assert len(views) == 3
    for view in views.values():
        for now in (0, 1, len(steps) - 1):
            go.Figure(view(now))
        json.dumps(animate([view(now) for now in range(len(steps))]), allow_nan=False)
    picture = next(iter(views.values()))
    assert [trace.get("meta") for trace in picture(0)["data"]].count("points") == 1
    for now in range(len(steps)):
        lines = caption(now).split("\n")
        assert len(lines) == 2
        assert max(map(len, lines)) <= 175


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_are_shown(made: str, name: str) -> None:
    X, y = HOSTILE[name]
    with AsInTheApp():
        steps, views, caption = MADE[made](np.column_stack([X[:, 0], y]))
        sent = payload([step.event for step in steps], views, caption)
    assert "nan" not in " ".join(json.loads(sent)["captions"])


@pytest.mark.parametrize(("made", "n"), [(made, n) for made in MADE for n in (60, 200, 1000, 5000)])
def test_a_run_is_small_enough_to_send(made: str, n: int) -> None:
    with AsInTheApp():
        steps, views, caption = MADE[made](board("sine", n))
        size = len(payload([step.event for step in steps], views, caption))
    assert size < 400_000


def test_a_long_run_is_small_enough_to_send() -> None:
    with AsInTheApp():
        made = descent(board(n=200), RULES["Adam"](0.1), batch=64, max_iter=3000)
        assert len(payload([step.event for step in made[0]], *made[1:])) < 400_000


@pytest.mark.parametrize("scaled", [False, True])
def test_the_picture_shows_the_line_the_one_before_and_the_best(scaled: bool) -> None:
    X = board("diabetes", 100)
    x, y = X.T
    steps, views, _ = descent(X, Rule(0.1 if scaled else 1e-4), scaled=scaled, max_iter=20)
    sticks, _, best, before, line, rings = next(iter(views.values()))(7)["data"]
    w, b = np.polyfit(x, y, 1)
    ends = shown(best)
    np.testing.assert_allclose(ends[:, 1], w * ends[:, 0] + b, rtol=1e-6)
    for trace, step in ((before, steps[6]), (line, steps[7])):
        ends = shown(trace)
        if scaled:
            heights = step.predict((ends[:, :1] - x.mean()) / x.std()) * y.std() + y.mean()
        else:
            heights = step.predict(ends[:, :1])
        np.testing.assert_allclose(ends[:, 1], heights, rtol=1e-6)
    places = shown(sticks).reshape(-1, 3, 2)
    np.testing.assert_allclose(places[:, 0], X, rtol=1e-6)
    np.testing.assert_allclose(places[:, 1, 0], x, rtol=1e-6)
    assert np.isnan(places[:, 2]).all()
    assert np.isnan(shown(rings)).all()


def test_a_batch_is_ringed_with_the_residuals_it_was_moved_by() -> None:
    X = board()
    steps, views, _ = descent(X, Rule(0.1), batch=4, max_iter=20)
    sticks, *_, rings = next(iter(views.values()))(9)["data"]
    np.testing.assert_allclose(shown(rings), X[steps[9].batch], rtol=1e-6)
    places = shown(sticks).reshape(-1, 3, 2)
    np.testing.assert_allclose(
        places[:, 1, 1], steps[8].predict(X[steps[9].batch, :1]), rtol=1e-5, atol=1e-6
    )


def test_a_line_is_cut_off_outside_the_picture() -> None:
    box = (-1.0, 1.0, -2.0, 2.0)
    for slope, level in ((1e9, 3.0), (-1e9, 3.0), (0.0, 1e12), (5.0, 1e6), (0.5, 0.2)):
        ends = shown(fit_line((slope, level), box))
        assert (np.abs(ends) <= [1, 6]).all()
        inside = slope * ends[:, 0] + level
        if np.abs(inside).max() < 5:
            np.testing.assert_allclose(ends[:, 1], inside)


def test_contours_are_exact_and_the_path_is_on_the_bowl() -> None:
    X = board()
    steps, views, _ = descent(X, Rule(0.1))
    *fills, lines, cross, path, here = list(views.values())[1](6)["data"]
    contours = np.split(shown(lines), np.flatnonzero(np.isnan(shown(lines)[:, 0])) + 1)[:-1]
    contours = [contour[:-1] for contour in contours]
    for fill, contour in zip(fills, contours[::3], strict=True):
        np.testing.assert_allclose(shown(fill), contour, rtol=1e-5)

    def f(places: ndarray) -> ndarray:
        residuals = X[:, 1] - places[:, :1] * X[:, 0] - places[:, 1:]
        return (residuals**2).mean(axis=1)

    least = np.polyfit(*X.T, 1)
    np.testing.assert_allclose(shown(cross)[0], least, rtol=1e-6)
    heights = [f(contour) - f(least[None]) for contour in contours]
    for outer, inner in pairwise(heights):
        np.testing.assert_allclose(outer, outer[0], rtol=1e-4)
        np.testing.assert_allclose(inner, outer[0] / 2, rtol=1e-4)
    expected = [[step.weights[0], step.intercept] for step in steps[:7]]
    np.testing.assert_allclose(shown(path), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose([*here["x"], *here["y"]], expected[-1], rtol=1e-5)


def test_the_triangle_has_true_angles() -> None:
    X = board()
    y, mean = X[:, 1], X[:, 1].mean()
    _, views, _ = formula(X)
    figure = list(views.values())[1](2)
    _, angle, whole, part, rest, *labels, _space = figure["data"]
    lengths = [np.linalg.norm(np.diff(shown(arrow), axis=0)) for arrow in (whole, part, rest)]
    fit = np.polyval(np.polyfit(*X.T, 1), X[:, 0])
    true = [np.linalg.norm(v) for v in (y - mean, fit - mean, y - fit)]
    np.testing.assert_allclose(np.array(lengths) * true[0], true)
    for label, length in zip(labels, true, strict=True):
        assert f"= {length:.4g}" in label["text"][0]
    assert np.diff(shown(part), axis=0)[0] @ np.diff(shown(rest), axis=0)[0] == 0
    assert not np.isnan(shown(angle)).any()


def test_squares_have_the_sides_of_the_residuals() -> None:
    X = board()
    steps, views, _ = formula(X)
    squares = shown(next(iter(views.values()))(2)["data"][0]).reshape(-1, 6, 2)[:, :4]
    sides = np.ptp(squares, axis=1)
    residuals = np.abs(X[:, 1] - steps[2].predict(X[:, :1]))
    np.testing.assert_allclose(sides[:, 1], residuals, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(sides[:, 0], residuals, rtol=1e-4, atol=1e-6)  # axes of one scale
    (ax, ay), (bx, by) = ((squares[:, k + 1] - squares[:, k]).T for k in (0, 1))
    turns = ax * by - ay * bx
    assert (turns >= 0).all(), "one way round: overlaps are no holes"


def test_the_pulls_go_from_the_diagonal_to_the_sign() -> None:
    X = board("line with outliers")
    steps, views, _ = outliers(X)
    pulls = [shown(list(views.values())[1](now)["data"][2]) for now in (0, len(steps) - 1)]
    first = pulls[0][:, 0]
    np.testing.assert_allclose(pulls[0][:, 1], first / np.abs(first).max(), rtol=1e-5, atol=1e-6)
    off = np.abs(pulls[1][:, 0]) > 1e-6
    np.testing.assert_allclose(pulls[1][off, 1], np.sign(pulls[1][off, 0]), atol=1e-6)


# Captions


def test_the_caption_of_a_step_of_gradient_descent() -> None:
    X = board()
    A, y = np.column_stack([X[:, 0], np.ones(60)]), X[:, 1]
    theta, told = np.zeros(2), []
    for _ in range(4):
        g = -2 / 60 * A.T @ (y - A @ theta)
        told.append((theta, g, theta - 0.1 * g, ((y - A @ theta) ** 2).mean()))
        theta = theta - 0.1 * g
    _, _, caption = descent(X, Rule(0.1))
    (before, g, after, f), f_after = told[2], told[3][3]
    text = caption(3)
    assert f"Step 3: f {f:.4g} → {f_after:.4g} (falls by {f - f_after:.4g})" in text
    assert f"{small(before)} − 0.1 · {small(g)} = {small(after)}" in text
    assert "g = −2/60 Σ r (x, 1)" in text
    curvatures = np.linalg.eigvalsh(2 / 60 * A.T @ A)
    start = caption(0)
    assert f"L = {curvatures[1]:.3g}, least l = {curvatures[0]:.3g}" in start
    assert f"η = 0.1 < 2/L = {2 / curvatures[1]:.3g}" in start
    assert f"1 − ηL = {1 - 0.1 * curvatures[1]:.3g}" in start


def test_the_caption_of_a_batch() -> None:
    X = board()
    steps, _, caption = descent(X, RULES["momentum"](0.1), batch=4, max_iter=20)
    rows, before = steps[16].batch, steps[15]
    numbers = ", ".join(str(row + 1) for row in rows)
    text = caption(16)
    assert f"Step 16, epoch 2, from points {numbers}, ringed" in text
    g = -2 / 4 * (X[rows, 1] - before.predict(X[rows, :1])) @ np.column_stack([X[rows, 0], [1] * 4])
    v = 0.9 * before.velocity + 0.1 * g
    three = [f"({a:.3g}, {b:.3g})".replace("-", "−") for a, b in (g, v)]
    assert f"+ 0.1 · {three[0]} = {three[1]}" in text


@pytest.mark.parametrize("name", RULES)
def test_every_rule_puts_its_numbers_in(name: str) -> None:
    steps, _, caption = descent(board(), RULES[name](0.1), max_iter=9)
    new = [*steps[5].weights, steps[5].intercept]
    digits = 4 if name == "gradient" else 3
    assert f"= ({new[0]:.{digits}g}, {new[1]:.{digits}g})" in caption(5)
    assert len({caption(now) for now in range(len(steps))}) == len(steps)


def test_the_captions_of_the_closed_form() -> None:
    X = board()
    x, y = X.T
    _, _, caption = formula(X)
    sxy, sxx = ((x - x.mean()) * (y - y.mean())).sum(), ((x - x.mean()) ** 2).sum()
    w, b = np.polyfit(x, y, 1)
    fit = w * x + b
    assert f"b = Σ y / n = ȳ = {y.mean():.4g}" in caption(1)
    text = caption(2)
    assert f"w = Sxy / Sxx = {sxy:.4g} / {sxx:.4g} = {w:.4g}" in text
    assert f"{x.mean():.4g} = {b:.4g}" in text
    total, left = ((y - y.mean()) ** 2).sum(), ((y - fit) ** 2).sum()
    assert f"{total:.4g} = {total - left:.4g} + {left:.4g}" in text
    assert f"= {1 - left / total:.4g}" in text
    assert "no slope can be told" in formula(np.array([[1.0, 2], [1, 4]]))[2](2)


def test_the_captions_of_the_absolute_loss() -> None:
    X = board("line with outliers")
    x, y = X.T
    _, _, caption = outliers(X)
    r = y - np.polyval(np.polyfit(x, y, 1), x)
    far = np.abs(r).argmax()
    start = caption(0)
    assert f"mean |r| = {np.abs(r).mean():.4g}, mean r² = {(r**2).mean():.4g}" in start
    assert f"Point {far + 1}, at x = {x[far]:.3g} with r = −{-r[far]:.4g}" in start
    assert f"{100 * r[far] ** 2 / (r**2).sum():.3g} % of Σ r²" in start
    assert f"u = 1 / {abs(r[far]):.4g} = {1 / abs(r[far]):.4g}" in caption(1)
    last = caption(15)
    assert last.startswith("Exact, by linear programming")
    assert "29 points above the line pull up" in last


def test_an_update_out_of_range_is_told() -> None:
    X = np.column_stack([np.arange(9.0) * 1e98, np.arange(9.0) ** 2 * 1e98])
    steps, _, caption = descent(X, Rule(0.1))
    assert steps[-1].event == "diverged"
    assert not steps[-1].change.any()
    assert caption(len(steps) - 1).startswith("Diverged: the next update would leave the range")


@pytest.mark.parametrize("event", get_args(Event))
@pytest.mark.parametrize("batch", [None, 4])
def test_every_event_has_its_words(event: str, batch: int | None) -> None:
    for rule in (Rule(0.1), Rule(9.0), RULES["momentum"](9.0), RULES["Adam"](0.1)):
        steps, _, _ = descent(board(), rule, batch=batch, max_iter=5)
        loss = squared_loss(board()[:, :1], board()[:, 1])
        told = [
            words.descent_caption([*steps[:2], replace(steps[1], event=e)], 2, loss=loss, rule=rule)
            for e in (event, None)
        ]
        assert told[0] != told[1]


def test_units_and_columns_are_stated() -> None:
    X = board("diabetes", 50)
    assert words.units_note(polynomial_features(X, 1, standardize=False), ("bmi", "p")) == ""
    note = words.units_note(polynomial_features(X, 1), ("bmi", "p"))
    assert f"x = (bmi − {X[:, 0].mean():.4g}) / {X[:, 0].std():.4g}" in note
    note = words.columns_note(("a", "b", "c", "d"), 1, 3)
    assert note == "d is predicted from b. The other 2 columns are not used."
    assert words.columns_note(("x", "y"), 0, 1) == "y is predicted from x."


def test_a_line_through_two_places() -> None:
    np.testing.assert_allclose(line_through(np.array([[1.0, 2.0], [3.0, 6.0]])), [2, 0])
    with pytest.raises(ValueError, match="exactly above each other"):
        line_through(np.array([[1.0, 2.0], [1.0, 6.0]]))
