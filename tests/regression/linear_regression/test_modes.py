"""What the modes of linear regression draw and write."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.optimizers import RULES, Plain, Rule
from algorithms.core.pipeline import plane_units
from algorithms.regression.linear_regression.absolute_loss import absolute_loss
from algorithms.regression.linear_regression.basis_regression import basis_regression
from algorithms.regression.linear_regression.descent_on_plane import descend_on_plane
from algorithms.regression.linear_regression.gradient_descent import Event
from algorithms.regression.linear_regression.leverage import pull_end
from algorithms.regression.linear_regression.linear_regression import linear_regression
from tests.core.figures import answer, drawn, line, unpacked
from tests.core.samples import board, points_of, rng
from tests.house.check_steps import AsInTheApp, event_names
from viz.core import plane
from viz.core.scene import Run
from viz.core.words import number, rounded
from viz.regression.linear_regression.absolute_loss import Outliers
from viz.regression.linear_regression.basis_regression import Bases
from viz.regression.linear_regression.gradient_descent import Descent, units_note
from viz.regression.linear_regression.leverage import Leverage
from viz.regression.linear_regression.linear_regression import Formula
from viz.regression.linear_regression.marks import columns_note, fit_line

QUERY = -1.5  # the x at which lines are read off


def descent(X: ndarray, rule: Rule, *, scaled: bool = False, **how) -> Descent:
    steps = tuple(descend_on_plane(X, rule, rng=rng(), standardize=scaled, **how))
    return Descent(Run("", steps), board(X), QUERY, rule, scaled, 0)


def formula(X: ndarray) -> Formula:
    return Formula(Run("", tuple(linear_regression(X[:, :1], X[:, 1]))), board(X), QUERY, 0)


def leverage(X: ndarray, *, end: str = "right") -> Leverage:
    low, high = plane.bounds(X)[2:]
    steps = tuple(pull_end(X[:, :1], X[:, 1], end, low=low, high=high))
    return Leverage(Run("", steps), board(X), end, 0)


def outliers(X: ndarray) -> Outliers:
    return Outliers(Run("", tuple(absolute_loss(X[:, :1], X[:, 1]))), board(X), QUERY, 0)


def bases(X: ndarray, held: ndarray, *, query: float = QUERY, **how) -> Bases:
    steps = tuple(basis_regression(X[:, :1], X[:, 1], held_out=held, **how))
    return Bases(Run("", steps), board(X), held, query, 0)


def small(values) -> str:
    return f"({', '.join(f'{v:.4g}' for v in values)})".replace("-", "−")


def test_of_a_long_run_every_step_can_be_shown() -> None:
    with AsInTheApp():
        show = descent(points_of("line", 200), RULES["Adam"](1e-4), batch=64, max_iter=3000)
        assert len(show.steps) == 3001
        assert len(answer(show.scene(), show.steps)) < 150_000
        figures = drawn(show.scene(), 2017)
    step = show.steps[2017]
    np.testing.assert_allclose(line(figures[1]["data"][-4])[-1], step.theta)
    assert (figures[2]["data"][1]["x"], figures[2]["data"][1]["y"]) == ([2017], [step.excess])


@pytest.mark.parametrize("scaled", [False, True])
def test_the_picture_shows_the_line_the_one_before_and_the_best(scaled: bool) -> None:
    X = points_of("diabetes", 100)
    x, y = X.T
    show = descent(X, Plain(0.1 if scaled else 1e-4), scaled=scaled, max_iter=20)
    _, sticks, before, now, best, rings, _ = show.picture(7)["data"]
    w, b = np.polyfit(x, y, 1)
    ends = line(best)
    np.testing.assert_allclose(ends[:, 1], w * ends[:, 0] + b, rtol=1e-6)
    for trace, step in ((before, show.steps[6]), (now, show.steps[7])):
        ends = line(trace)
        if scaled:
            heights = step.predict((ends[:, :1] - x.mean()) / x.std()) * y.std() + y.mean()
        else:
            heights = step.predict(ends[:, :1])
        np.testing.assert_allclose(ends[:, 1], heights, rtol=1e-6)
    ends = line(sticks).reshape(-1, 3, 2)
    np.testing.assert_allclose(ends[:, 0], X, rtol=1e-6)
    np.testing.assert_allclose(ends[:, 1, 0], x, rtol=1e-6)
    assert np.isnan(ends[:, 2]).all()
    assert np.isnan(line(rings)).all()


def test_a_batch_is_ringed_with_the_residuals_it_was_moved_by() -> None:
    X = points_of("line")
    show = descent(X, Plain(0.1), batch=4, max_iter=20)
    squares, sticks, *_, rings, _ = show.picture(9)["data"]
    assert len(line(squares)) == 4 * 6
    np.testing.assert_allclose(line(rings), X[show.steps[9].batch], rtol=1e-6)
    ends = line(sticks).reshape(-1, 3, 2)
    np.testing.assert_allclose(
        ends[:, 1, 1], show.steps[8].predict(X[show.steps[9].batch, :1]), rtol=1e-5, atol=1e-6
    )


def test_a_line_is_cut_off_outside_the_picture() -> None:
    box = (-1.0, 1.0, -2.0, 2.0)
    for slope, level in ((1e9, 3.0), (-1e9, 3.0), (0.0, 1e12), (5.0, 1e6), (0.5, 0.2)):
        ends = line(fit_line((slope, level), box))
        assert (np.abs(ends) <= [1, 6]).all()
        inside = slope * ends[:, 0] + level
        if np.abs(inside).max() < 5:
            np.testing.assert_allclose(ends[:, 1], inside)


def test_contours_are_exact_and_the_path_is_on_the_bowl() -> None:
    X = points_of("line")
    show = descent(X, Plain(0.1))
    *fills, lines, path, cross, _, here = show.way_down(6)["data"]
    contours = np.split(line(lines), np.flatnonzero(np.isnan(line(lines)[:, 0])) + 1)[:-1]
    contours = [contour[:-1] for contour in contours]
    for fill, contour in zip(fills, contours[::3], strict=True):
        np.testing.assert_allclose(line(fill), contour, rtol=1e-5)

    def f(places: ndarray) -> ndarray:
        residuals = X[:, 1] - places[:, :1] * X[:, 0] - places[:, 1:]
        return (residuals**2).mean(axis=1)

    least = np.polyfit(*X.T, 1)
    np.testing.assert_allclose(line(cross)[0], least, rtol=1e-6)
    heights = [f(contour) - f(least[None]) for contour in contours]
    for outer, inner in pairwise(heights):
        np.testing.assert_allclose(outer, outer[0], rtol=1e-4)
        np.testing.assert_allclose(inner, outer[0] / 2, rtol=1e-4)
    expected = [[step.weights[0], step.intercept] for step in show.steps[:7]]
    np.testing.assert_allclose(line(path), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose([*here["x"], *here["y"]], expected[-1], rtol=1e-5)


def test_the_bowl_shows_the_first_steps_up_its_walls_and_says_where_later_ones_are() -> None:
    for rate in (0.33, 0.4, 1.5):
        show = descent(points_of("line"), Plain(rate))
        assert show.steps[-1].event == "diverged"
        left, right, bottom, top = show.window
        for now, step in enumerate(show.steps):
            w, b = float(step.weights[0]), step.intercept
            (said,) = show.way_down(now)["data"][-2]["text"]
            inside = left <= w <= right and bottom <= b <= top
            assert inside or now > 1
            assert inside == (not said)
            if not inside:
                assert said in (f"← w = {number(w)}", f"w = {number(w)} →")
                assert said.startswith("←") == (w < left)
        assert said


def test_the_triangle_has_true_angles() -> None:
    X = points_of("line")
    y, mean = X[:, 1], X[:, 1].mean()
    show = formula(X)
    figure = show.projection(2)
    _, angle, whole, part, rest, *labels, _space = figure["data"]
    lengths = [np.linalg.norm(np.diff(line(arrow), axis=0)) for arrow in (whole, part, rest)]
    fit = np.polyval(np.polyfit(*X.T, 1), X[:, 0])
    true = [np.linalg.norm(v) for v in (y - mean, fit - mean, y - fit)]
    np.testing.assert_allclose(np.array(lengths) * true[0], true)
    for label, length in zip(labels, true, strict=True):
        assert f"= {rounded(length)}" in label["text"][0]
    assert np.diff(line(part), axis=0)[0] @ np.diff(line(rest), axis=0)[0] == 0
    assert not np.isnan(line(angle)).any()


@pytest.mark.parametrize("n", [9, 60])
def test_squares_have_the_sides_of_the_residuals_of_a_few_points(n: int) -> None:
    X = points_of("line", n)
    show = descent(X, Plain(0.1))
    squares = line(show.picture(2)["data"][0]).reshape(-1, 6, 2)[:, :4]
    assert len(squares) == min(n, 40)
    assert ("Squares: 40 points" in show.note) == (n == 60)
    if n == 60:
        X = X[X[:, 0].argsort()[np.linspace(0, n - 1, 40).round().astype(int)]]
    sides = np.ptp(squares, axis=1)
    residuals = np.abs(X[:, 1] - show.steps[2].predict(X[:, :1]))
    np.testing.assert_allclose(sides[:, 1], residuals, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(sides[:, 0], residuals, rtol=1e-4, atol=1e-6)  # axes of one scale
    (ax, ay), (bx, by) = ((squares[:, k + 1] - squares[:, k]).T for k in (0, 1))
    turns = ax * by - ay * bx
    assert (turns >= 0).all(), "one way round: overlaps are no holes"


def test_the_pulls_go_from_the_diagonal_to_the_sign() -> None:
    X = points_of("line with outliers")
    show = outliers(X)
    pulls = [line(show.pulls(now)["data"][2]) for now in (0, len(show.steps) - 1)]
    first = pulls[0][:, 0]
    np.testing.assert_allclose(pulls[0][:, 1], first / np.abs(first).max(), rtol=1e-5, atol=1e-6)
    off = np.abs(pulls[1][:, 0]) > 1e-6
    np.testing.assert_allclose(pulls[1][off, 1], np.sign(pulls[1][off, 0]), atol=1e-6)


# Captions


def test_the_caption_of_a_step_of_gradient_descent() -> None:
    X = points_of("line")
    A, y = np.column_stack([X[:, 0], np.ones(60)]), X[:, 1]
    theta, told = np.zeros(2), []
    for _ in range(4):
        g = -2 / 60 * A.T @ (y - A @ theta)
        told.append((theta, g, theta - 0.1 * g, ((y - A @ theta) ** 2).mean()))
        theta = theta - 0.1 * g
    show = descent(X, Plain(0.1))
    (before, g, after, _), f_after = told[2], told[3][3]
    text = show.caption(3)
    least = ((y - A @ np.linalg.lstsq(A, y)[0]) ** 2).mean()
    fell = f"Step 3: the mean squared error falls to {f_after:.3g}"
    assert text.startswith(f"{fell}; the least is {least:.3g}.")
    three = [[f"{v:.4g}".replace("-", "−") for v in values] for values in (before, g, after)]
    (w, b), gradient, (new_w, new_b) = three
    assert f"0.1 (the rate η) times the gradient ({', '.join(gradient)}) is taken off" in text
    assert f"slope w from {w} to {new_w}, intercept b from {b} to {new_b}." in text
    curvatures = np.linalg.eigvalsh(2 / 60 * A.T @ A)
    start = show.caption(0)
    assert f"L = {curvatures[1]:.3g}, least l = {curvatures[0]:.3g}" in start
    assert f"η = 0.1 < 2/L = {2 / curvatures[1]:.3g}" in start
    across, along = 1 - 0.1 * curvatures[::-1]
    bounds = f" by 1 − ηL = {across:.3g} and 1 − ηl = {along:.3g}."
    assert bounds in start
    centred = descent(X - X.mean(axis=0), Plain(0.1)).caption(1)  # its b is 0, but for rounding
    assert re.search(
        r"gradient \(\S+, 0\) .* slope w from 0 to \S+, intercept b from 0 to 0\.", centred
    )


def test_an_error_that_is_practically_the_least_is_said_to_stay() -> None:
    X = points_of("line")
    A, y = np.column_stack([X[:, 0], np.ones(60)]), X[:, 1]
    least = ((y - A @ np.linalg.lstsq(A, y)[0]) ** 2).mean()
    show = descent(X, Plain(0.1))
    said = []
    for now, step in enumerate(show.steps[1:], 1):
        headline = show.caption(now).split("\n")[0]
        near = max(abs(step.fall), step.loss - least) < 5e-4 * step.loss
        assert ("stays at" in headline) == ("practically the least" in headline) == near
        said.append(near)
    assert not said[0] and said[-1]


def test_the_caption_of_a_batch() -> None:
    X = points_of("line")
    show = descent(X, RULES["momentum"](0.1), batch=4, max_iter=20)
    rows, before = show.steps[16].batch, show.steps[15]
    numbers = ", ".join(str(row + 1) for row in rows)
    text = show.caption(16)
    assert f"Step 16, epoch 2, from points {numbers}, ringed" in text
    g = -2 / 4 * (X[rows, 1] - before.predict(X[rows, :1])) @ np.column_stack([X[rows, 0], [1] * 4])
    v = 0.9 * before.velocity + 0.1 * g
    three = [f"({a:.3g}, {b:.3g})".replace("-", "−") for a, b in (g, v)]
    assert f"+ 0.1 · {three[0]} = {three[1]}" in text


@pytest.mark.parametrize("name", RULES)
def test_every_rule_puts_its_numbers_in(name: str) -> None:
    show = descent(points_of("line"), RULES[name](0.1), max_iter=9)
    new = [*show.steps[5].weights, show.steps[5].intercept]
    if name == "gradient":
        assert re.search(f"to {new[0]:.4g}, .* to {new[1]:.4g}\\.", show.caption(5))
    else:
        assert f"= ({new[0]:.3g}, {new[1]:.3g})" in show.caption(5)
    assert len({show.caption(now) for now in range(len(show.steps))}) == len(show.steps)


def test_the_captions_of_the_closed_form() -> None:
    X = points_of("line")
    x, y = X.T
    show = formula(X)
    sxy, sxx = ((x - x.mean()) * (y - y.mean())).sum(), ((x - x.mean()) ** 2).sum()
    w, b = np.polyfit(x, y, 1)
    fit = w * x + b
    assert f": {(y**2).sum():.4g} = {len(y) * y.mean() ** 2:.4g} + " in show.caption(1)
    assert f"The best level is the mean of y, {y.mean():.3g}" in show.caption(1)
    text = show.caption(2)
    assert f"w = {sxy:.4g} / {sxx:.4g} = {w:.4g}" in text
    assert f"{x.mean():.4g} = {b:.4g}" in text
    total, left = ((y - y.mean()) ** 2).sum(), ((y - fit) ** 2).sum()
    assert f"{total - left:.4g} / {total:.4g} = {1 - left / total:.4g}" in text
    assert f"= {1 - left / total:.4g}" in text
    assert "no slope" in formula(np.array([[1.0, 2], [1, 4]])).caption(2)


def test_the_captions_of_the_absolute_loss() -> None:
    X = points_of("line with outliers")
    x, y = X.T
    show = outliers(X)
    r = y - np.polyval(np.polyfit(x, y, 1), x)
    far = np.abs(r).argmax()
    start = show.caption(0)
    assert f"a mean |r| of {np.abs(r).mean():.3g}.\n" in start
    assert f"ringed point {far + 1}, with r = −{-r[far]:.4g}" in start
    assert f"{100 * r[far] ** 2 / (r**2).sum():.3g} % of the sum of r²" in start
    assert f"1 / {abs(r[far]):.3g} = {1 / abs(r[far]):.3g}" in show.caption(1)
    last = show.caption(15)
    assert last.startswith("Exact, by linear programming")
    assert "29 points above the line: each pulls up with force 1" in last


def test_points_on_the_line_are_neither_above_nor_below() -> None:
    x = np.linspace(-3, 3, 20)
    for fallen, below in ((0, "0 below"), (3, "3 below")):
        y = np.where(np.arange(20) < fallen, -5.0, 0.8 * x + 0.3)
        show = outliers(np.column_stack([x, y]))
        last = show.caption(len(show.steps) - 1)
        assert "0 points above the line" in last
        assert below in last


@pytest.mark.parametrize("name", ["descent", "standardised", "formula", "outliers"])
def test_the_line_is_read_off_at_the_ring(name: str) -> None:
    X = points_of("line")
    made = {
        "descent": lambda: descent(X, Plain(0.1)),
        "standardised": lambda: descent(X, RULES["momentum"](0.1), scaled=True, max_iter=30),
        "formula": lambda: formula(X),
        "outliers": lambda: outliers(X),
    }
    show = made[name]()
    for now in (0, len(show.steps) - 1):
        rulers = [t for t in show.picture(now)["data"] if t.get("mode") == "lines+markers"]
        bottom, place = line(rulers[-1])
        w, b = show.steps[now].weights[0], show.steps[now].intercept
        if name == "standardised":
            x, y = X.T
            w = w * y.std() / x.std()
            b = y.mean() + show.steps[now].intercept * y.std() - w * x.mean()
        assert bottom[0] == place[0] == QUERY
        assert place[1] == pytest.approx(w * QUERY + b, rel=1e-5, abs=1e-6)
        found = show.found(now).path
        np.testing.assert_allclose(found[:, 1], w * found[:, 0] + b, atol=1e-6)
        told = show.caption(now).split("\n")[-1]
        assert told.startswith("Picked x = −1.5: ")
        assert float(told.rsplit(" = ")[-1][:-1].replace("−", "-")) == pytest.approx(
            w * QUERY + b, rel=1e-3, abs=1e-12
        )


@pytest.mark.parametrize("end", ["left", "middle", "right"])
def test_the_captions_of_leverage(end: str) -> None:
    X = points_of("line")
    x, y = X.T
    show = leverage(X, end=end)
    place = x.argsort()[{"left": 0, "middle": 30, "right": 59}[end]]
    s_xx = ((x - x.mean()) ** 2).sum()
    h = 1 / 60 + (x[place] - x.mean()) ** 2 / s_xx
    for now in (2, 30):
        moved = y.copy()
        moved[place] = show.steps[now].height
        lift = moved[place] - y[place]
        old, new = np.polyfit(x, y, 1), np.polyfit(x, moved, 1)
        first, rule, slope = show.caption(now).split("\n")
        assert f"is {'lifted' if lift > 0 else 'lowered'} by {abs(lift):.3g};" in first
        followed = abs(np.polyval(new, x[place]) - np.polyval(old, x[place]))
        assert f"follows it by {followed:.3g}, {100 * h:.3g} % of the way" in first
        assert f"/ {s_xx:.4g} = {h:.4g}; the average is 2/60 = {2 / 60:.3g}." in rule
        assert slope.replace("−", "-").endswith(f"= {new[0] - old[0]:.3g}.")
    own = next(now for now, step in enumerate(show.steps) if step.event)
    assert "is where it was" in show.caption(own)


def test_the_pictures_of_leverage() -> None:
    X = points_of("outlier")
    show = leverage(X)
    place = int(X[:, 0].argmax())
    sent = show.picture(5)
    sizes, h = unpacked(sent["points"]["size"]), show.steps[0].leverages
    assert sizes.argmax() == place and h.argmax() == place
    small = h < 4 * h.mean()
    np.testing.assert_allclose(sizes[small], 32 * np.sqrt(h[small] / h.mean()).clip(0.5), atol=0.51)
    track = show.views()[0].track
    assert track is not None and track.along == "y"
    np.testing.assert_allclose(track.places[5, 0], [X[place, 0], show.steps[5].height])
    followed = line(sent["data"][3])
    own = next(step for step in show.steps if step.event)
    ends = [step.predict(X[[place], :1])[0] for step in (own, show.steps[5])]
    np.testing.assert_allclose(followed[:, 1], ends, rtol=1e-5)
    fits = line(show.following(5)["data"][1])
    slope = np.polyfit(*fits.T, 1)[0]
    assert slope == pytest.approx(h[place], rel=1e-4)


def test_an_update_out_of_range_is_told() -> None:
    X = np.column_stack([np.arange(9.0) * 1e98, np.arange(9.0) ** 2 * 1e98])
    show = descent(X, Plain(0.1))
    assert show.steps[-1].event == "diverged"
    assert not show.steps[-1].change.any()
    assert show.caption(len(show.steps) - 1).startswith(
        "Diverged: the next update would leave the range"
    )


@pytest.mark.parametrize("event", event_names(Event))
@pytest.mark.parametrize("batch", [None, 4])
def test_every_event_has_its_words(event: str, batch: int | None) -> None:
    X = points_of("line")
    for rule in (Plain(0.1), Plain(9.0), RULES["momentum"](9.0), RULES["Adam"](0.1)):
        show, told = descent(X, rule, batch=batch, max_iter=5), []
        for each in (event, None):
            show.steps = (*show.steps[:2], replace(show.steps[1], event=each))
            told.append(show.caption(2))
        assert told[0] != told[1]


def test_units_and_columns_are_stated() -> None:
    X = points_of("diabetes", 50)
    assert units_note(plane_units(X, standardize=False), ("bmi", "p")) == ""
    for side, sign in ((X, "−"), (-X, "+")):
        note = units_note(plane_units(side), ("bmi", "p"))
        assert f"x = (bmi {sign} {X[:, 0].mean():.4g}) / {X[:, 0].std():.4g}" in note
    data = replace(board(X), names=("b", "d"))
    assert "2 columns" in columns_note(data, 2)
    assert len({columns_note(data, unused) for unused in range(4)}) == 4


def test_the_note_names_the_columns_and_the_units() -> None:
    X = points_of("line")
    none = np.zeros(len(X), bool)
    for show in (descent(X, Plain(0.1)), formula(X), leverage(X), outliers(X), bases(X, none)):
        assert show.note.startswith(columns_note(show.data, 0))
        assert "standardised" not in show.note
    assert "standardised" in descent(X, Plain(0.1), scaled=True).note


@pytest.mark.parametrize("scaled", [False, True])
def test_a_class_draws_lines_that_f_judges(scaled: bool) -> None:
    X = points_of("line", 40) * [2.0, 5.0] + 3
    mode = descent(X, Plain(0.1), scaled=scaled)
    drawing = mode.to_draw()
    units = plane_units(X, standardize=scaled)(X)
    residuals = units[:, 1] - np.polyval(np.polyfit(*units.T, 1), units[:, 0])
    assert drawing.judge(drawing.best) == pytest.approx((residuals**2).mean())
    level = drawing.start[0, 1]
    spread = X[:, 1].std() if scaled else 1
    assert drawing.judge(drawing.start) == pytest.approx((((X[:, 1] - level) / spread) ** 2).mean())
    assert drawing.judge(drawing.start[[0, 0]]) is None, "an upright line is no function of x"


@pytest.mark.parametrize("basis", ["polynomial", "Gaussian", "sigmoid", "Fourier"])
def test_the_parts_of_the_curve_add_up(basis: str) -> None:
    X = points_of("sine")
    show = bases(X, rng().random(60) < 0.5, basis=basis, most=6)
    level, parts, newest, before, curve, reading, *_ = show.picture(4)["data"]
    step = show.steps[4]
    each = line(parts).reshape(6, -1, 2)[:, :-1]
    w_0 = line(level)[0, 1]
    assert w_0 == pytest.approx(step.intercept, rel=1e-5)
    assert np.isnan(each[4:, :, 1]).all(), "those not added yet"
    x = each[0, :, 0]
    summed = w_0 + (each[:4, :, 1] - w_0).sum(axis=0)
    np.testing.assert_allclose(summed, step.predict(x[:, None]), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(line(newest)[:-1, 1], each[3, :, 1], rtol=1e-6)
    for trace, of in ((before, show.steps[3]), (curve, step)):
        ends = line(trace)
        np.testing.assert_allclose(ends[:, 1], of.predict(ends[:, :1]), rtol=1e-4, atol=1e-5)
    assert line(reading)[1, 1] == pytest.approx(step.predict(np.array([[QUERY]]))[0], rel=1e-5)


def test_large_errors_are_drawn_at_the_top_and_stated_in_full() -> None:
    X = points_of("sine")
    show = bases(X, rng(1).random(60) < 0.7)
    training, held, star, beyond, *rings = show.errors(12)["data"]
    errors = np.array([step.held_out_error for step in show.steps])
    high = errors > show.top
    assert high.any() and not high.all()
    np.testing.assert_allclose(held["y"], errors.clip(max=show.top))
    assert [symbol == 5 for symbol in held["marker"]["symbol"]] == high.tolist()
    assert beyond["text"] == ["off the scale"]
    assert line(beyond)[0].tolist() == pytest.approx([np.flatnonzero(high)[-1], 0.92 * show.top])
    np.testing.assert_allclose(training["y"], [step.training_error for step in show.steps])
    assert (star["x"], star["meta"]) == ([errors.argmin()], "answer")
    assert rings[1]["y"] == [min(errors[12], show.top)]
    assert f"{errors[12]:.3g}" in show.caption(12).split("\n")[0]


def test_the_sizes_of_the_weights() -> None:
    X = points_of("sine")
    show = bases(X, np.zeros(60, bool), most=5)
    dots, largest, ring = show.sizes(3)["data"]
    for p in range(6):
        sizes = unpacked(dots["y"])[unpacked(dots["x"]) == p]
        weights = np.abs([show.steps[p].intercept, *show.steps[p].weights])
        np.testing.assert_allclose(sizes, weights, rtol=1e-5)
        assert largest["y"][p] == weights.max()
    assert ring["y"] == [largest["y"][3]]


def test_the_captions_of_the_bases() -> None:
    X = points_of("sine")
    x, y = X.T
    held = rng(3).random(60) < 0.5
    n = 60 - held.sum()
    show = bases(X, held, most=3)
    u = (x - (x[~held].min() + x[~held].max()) / 2) / (np.ptp(x[~held]) / 2)
    old, new = (np.polyfit(u[~held], y[~held], p) for p in (2, 3))
    first, rule, ring = show.caption(3).split("\n")
    errors = [
        np.sqrt(np.square(y - np.polyval(w, u))[part].mean())
        for part in (~held, held)
        for w in (old, new)
    ]
    for error in errors:
        assert f"{error:.3g}" in first
    assert "u³ joins" in first
    assert f"4 weights from {n} training points" in rule
    assert f"√({n * errors[1] ** 2:.4g} / {n}) = {errors[1]:.4g}." in rule
    largest = np.abs(new).max()
    assert f"{largest:.4g}. The" in rule
    v = (QUERY - (x[~held].min() + x[~held].max()) / 2) / (np.ptp(x[~held]) / 2)
    assert ring.endswith(f"= {np.polyval(new, v):.4g}.".replace("-", "−"))
    level = f"w₀ = {y[~held].mean():.4g}."
    assert show.caption(0).endswith(level.replace("-", "−"))


def test_every_event_of_the_bases_has_its_words() -> None:
    X = points_of("sine", 12)
    show = bases(X, np.arange(12) % 2 == 1, most=8)
    found = {step.event: show.caption(i) for i, step in enumerate(show.steps)}
    assert "through every training point" in found["through all points"]
    assert "cannot determine" in found["many solutions"]
    assert "rises" in found["worse on held-out points"]
