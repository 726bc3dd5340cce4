import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS
from algorithms.regression.least_squares.absolute_loss import absolute_loss
from algorithms.regression.least_squares.gradient_descent import Event
from algorithms.regression.least_squares.linear_regression import linear_regression
from algorithms.regression.least_squares.on_plane import descend_on_plane, pull_on_plane
from algorithms.regression.least_squares.optimizers import RULES, Rule
from algorithms.regression.least_squares.squared_loss import squared_loss
from tests.core.figures import accepted_by_plotly, answer, drawn, line, places, unpacked
from tests.house.check_steps import AsInTheApp, event_names
from tests.regression.least_squares.test_linear_regression import HOSTILE
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.regression.least_squares import linear_regression_scenes as scenes
from viz.regression.least_squares.equations import columns_note
from viz.regression.least_squares.gradient_descent import Descent
from viz.regression.least_squares.gradient_descent_words import Rules, units_note
from viz.regression.least_squares.gradient_descent_words import caption as descent_caption
from viz.regression.least_squares.regression_lines import fit_line

QUERY = -1.5  # the x at which lines are read off


def board(name: str = "line", n: int = 60) -> ndarray:
    preset = DATASETS[name]
    return preset.make(n, noise=preset.noise, rng=np.random.default_rng(0)).X


def on_plane(X: ndarray) -> Plane:
    return Plane(X, np.zeros(len(X), int), ("",), ("x", "y"), plane.bounds(X))


def descent(X: ndarray, rule: Rule, *, scaled: bool = False, **how) -> tuple[tuple, Scene]:
    rng = np.random.default_rng(0)
    steps = tuple(descend_on_plane(X, rule, rng=rng, standardize=scaled, **how))
    return steps, scenes.descent(Run("", steps), on_plane(X), QUERY, Rules(rule), scaled, 0)


def formula(X: ndarray) -> tuple[tuple, Scene]:
    steps = tuple(linear_regression(X[:, :1], X[:, 1]))
    return steps, scenes.formula(Run("", steps), on_plane(X), QUERY, 0)


def leverage(X: ndarray, *, end: str = "right") -> tuple[tuple, Scene]:
    low, high = plane.bounds(X)[2:]
    steps = tuple(pull_on_plane(X, end, low=low, high=high))
    return steps, scenes.leverage(Run("", steps), on_plane(X), end, 0)


def outliers(X: ndarray) -> tuple[tuple, Scene]:
    steps = tuple(absolute_loss(X[:, :1], X[:, 1]))
    return steps, scenes.outliers(Run("", steps), on_plane(X), QUERY, 0)


MADE: dict[str, Callable[[ndarray], tuple[tuple, Scene]]] = {
    "descent": partial(descent, rule=Rule(0.1)),
    "diverging": partial(descent, rule=Rule(0.5)),
    "stochastic": partial(descent, rule=RULES["Adam"](0.1), batch=1, max_iter=30),
    "standardised": partial(descent, rule=RULES["momentum"](0.1), scaled=True, max_iter=30),
    "formula": formula,
    "leverage": leverage,
    "outliers": outliers,
}


def small(values) -> str:
    return f"({', '.join(f'{v:.4g}' for v in values)})".replace("-", "−")


@pytest.mark.parametrize("made", MADE)
def test_every_step_is_drawn_and_told(made: str) -> None:
    X = board()
    steps, scene = MADE[made](X)
    assert len(scene.views) == 3
    for now in (0, 1, len(steps) - 1):
        for figure in drawn(scene, now):
            accepted_by_plotly(figure)
        np.testing.assert_allclose(places(scene.views[0].draw(now)), X, rtol=1e-6)
    for now in range(len(steps)):
        lines = scene.caption(now).split("\n")
        assert len(lines) == 3
        assert max(map(len, lines)) <= 165


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_are_shown(made: str, name: str) -> None:
    X, y = HOSTILE[name]
    with AsInTheApp():
        steps, scene = MADE[made](np.column_stack([X[:, 0], y]))
        answer(scene, steps)
    for now in range(len(steps)):
        assert not re.search(r"nan|\de[+-]\d", scene.caption(now))


@pytest.mark.parametrize(("made", "n"), [(made, n) for made in MADE for n in (60, 200, 1000, 5000)])
def test_the_answer_to_a_move_is_small(made: str, n: int) -> None:
    with AsInTheApp():
        steps, scene = MADE[made](board("sine", n))
        assert len(answer(scene, steps)) < 150_000


@pytest.mark.parametrize("batch", [64, None])
def test_of_a_long_run_every_step_can_be_shown(batch: int | None) -> None:
    with AsInTheApp():
        steps, scene = descent(board(n=200), RULES["Adam"](1e-4), batch=batch, max_iter=3000)
        assert len(steps) == 3001
        assert len(answer(scene, steps)) < 150_000
        figures = drawn(scene, 2017)
    step = steps[2017]
    np.testing.assert_allclose(line(figures[1]["data"][-2])[-1], [*step.weights, step.intercept])
    assert (figures[2]["data"][1]["x"], figures[2]["data"][1]["y"]) == ([2017], [step.excess])


@pytest.mark.parametrize("scaled", [False, True])
def test_the_picture_shows_the_line_the_one_before_and_the_best(scaled: bool) -> None:
    X = board("diabetes", 100)
    x, y = X.T
    steps, scene = descent(X, Rule(0.1 if scaled else 1e-4), scaled=scaled, max_iter=20)
    _, sticks, best, before, now, rings, _ = scene.views[0].draw(7)["data"]
    w, b = np.polyfit(x, y, 1)
    ends = line(best)
    np.testing.assert_allclose(ends[:, 1], w * ends[:, 0] + b, rtol=1e-6)
    for trace, step in ((before, steps[6]), (now, steps[7])):
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
    X = board()
    steps, scene = descent(X, Rule(0.1), batch=4, max_iter=20)
    squares, sticks, *_, rings, _ = scene.views[0].draw(9)["data"]
    assert len(line(squares)) == 4 * 6
    np.testing.assert_allclose(line(rings), X[steps[9].batch], rtol=1e-6)
    ends = line(sticks).reshape(-1, 3, 2)
    np.testing.assert_allclose(
        ends[:, 1, 1], steps[8].predict(X[steps[9].batch, :1]), rtol=1e-5, atol=1e-6
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
    X = board()
    steps, scene = descent(X, Rule(0.1))
    *fills, lines, cross, path, here = scene.views[1].draw(6)["data"]
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
    expected = [[step.weights[0], step.intercept] for step in steps[:7]]
    np.testing.assert_allclose(line(path), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose([*here["x"], *here["y"]], expected[-1], rtol=1e-5)


def test_the_triangle_has_true_angles() -> None:
    X = board()
    y, mean = X[:, 1], X[:, 1].mean()
    _, scene = formula(X)
    figure = scene.views[1].draw(2)
    _, angle, whole, part, rest, *labels, _space = figure["data"]
    lengths = [np.linalg.norm(np.diff(line(arrow), axis=0)) for arrow in (whole, part, rest)]
    fit = np.polyval(np.polyfit(*X.T, 1), X[:, 0])
    true = [np.linalg.norm(v) for v in (y - mean, fit - mean, y - fit)]
    np.testing.assert_allclose(np.array(lengths) * true[0], true)
    for label, length in zip(labels, true, strict=True):
        assert f"= {length:.4g}" in label["text"][0]
    assert np.diff(line(part), axis=0)[0] @ np.diff(line(rest), axis=0)[0] == 0
    assert not np.isnan(line(angle)).any()


@pytest.mark.parametrize("n", [9, 60])
def test_squares_have_the_sides_of_the_residuals_of_a_few_points(n: int) -> None:
    X = board(n=n)
    steps, scene = formula(X)
    squares = line(scene.views[0].draw(2)["data"][0]).reshape(-1, 6, 2)[:, :4]
    assert len(squares) == min(n, 12)
    some = X[X[:, 0].argsort()[np.linspace(0, n - 1, len(squares)).round().astype(int)]]
    few = "Squares are drawn of the residuals of 12 points, evenly chosen along x."
    assert scene.note.endswith("The square of every residual is drawn." if n == 9 else few)
    X = some if n == 60 else X
    sides = np.ptp(squares, axis=1)
    residuals = np.abs(X[:, 1] - steps[2].predict(X[:, :1]))
    np.testing.assert_allclose(sides[:, 1], residuals, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(sides[:, 0], residuals, rtol=1e-4, atol=1e-6)  # axes of one scale
    (ax, ay), (bx, by) = ((squares[:, k + 1] - squares[:, k]).T for k in (0, 1))
    turns = ax * by - ay * bx
    assert (turns >= 0).all(), "one way round: overlaps are no holes"


def test_the_pulls_go_from_the_diagonal_to_the_sign() -> None:
    X = board("line with outliers")
    steps, scene = outliers(X)
    pulls = [line(scene.views[1].draw(now)["data"][2]) for now in (0, len(steps) - 1)]
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
    _, scene = descent(X, Rule(0.1))
    (before, g, after, f), f_after = told[2], told[3][3]
    text = scene.caption(3)
    excess = f_after - ((y - A @ np.linalg.lstsq(A, y)[0]) ** 2).mean()
    fell = f"Step 3: the mean squared error falls by {f - f_after:.4g} to {f_after:.4g}"
    assert text.startswith(f"{fell}, {excess:.4g} above the least.")
    assert f"{small(before)} − 0.1 · {small(g)} = {small(after)}" in text
    assert "g = −2/60 Σ r (x, 1)" in text
    curvatures = np.linalg.eigvalsh(2 / 60 * A.T @ A)
    start = scene.caption(0)
    assert f"L = {curvatures[1]:.3g}, least l = {curvatures[0]:.3g}" in start
    assert f"η = 0.1 < 2/L = {2 / curvatures[1]:.3g}" in start
    across, along = 1 - 0.1 * curvatures[::-1]
    bounds = f"the distance to go by 1 − ηL = {across:.3g} and 1 − ηl = {along:.3g}."
    assert bounds in start
    centred = descent(X - X.mean(axis=0), Rule(0.1))[1].caption(1)  # its b is 0, but for rounding
    assert re.search(r"= \(0, 0\) − 0\.1 · \(\S+, 0\) = \(\S+, 0\)", centred)


def test_the_caption_of_a_batch() -> None:
    X = board()
    steps, scene = descent(X, RULES["momentum"](0.1), batch=4, max_iter=20)
    rows, before = steps[16].batch, steps[15]
    numbers = ", ".join(str(row + 1) for row in rows)
    text = scene.caption(16)
    assert f"Step 16, epoch 2, from points {numbers}, ringed" in text
    g = -2 / 4 * (X[rows, 1] - before.predict(X[rows, :1])) @ np.column_stack([X[rows, 0], [1] * 4])
    v = 0.9 * before.velocity + 0.1 * g
    three = [f"({a:.3g}, {b:.3g})".replace("-", "−") for a, b in (g, v)]
    assert f"+ 0.1 · {three[0]} = {three[1]}" in text


@pytest.mark.parametrize("name", RULES)
def test_every_rule_puts_its_numbers_in(name: str) -> None:
    steps, scene = descent(board(), RULES[name](0.1), max_iter=9)
    new = [*steps[5].weights, steps[5].intercept]
    digits = 4 if name == "gradient" else 3
    assert f"= ({new[0]:.{digits}g}, {new[1]:.{digits}g})" in scene.caption(5)
    assert len({scene.caption(now) for now in range(len(steps))}) == len(steps)


def test_the_captions_of_the_closed_form() -> None:
    X = board()
    x, y = X.T
    _, scene = formula(X)
    sxy, sxx = ((x - x.mean()) * (y - y.mean())).sum(), ((x - x.mean()) ** 2).sum()
    w, b = np.polyfit(x, y, 1)
    fit = w * x + b
    assert f"b = Σ y / n = ȳ = {y.mean():.4g}" in scene.caption(1)
    assert f"The best level is the mean of y, {y.mean():.4g}" in scene.caption(1)
    text = scene.caption(2)
    assert f"w = Sxy / Sxx = {sxy:.4g} / {sxx:.4g} = {w:.4g}" in text
    assert f"{x.mean():.4g} = {b:.4g}" in text
    total, left = ((y - y.mean()) ** 2).sum(), ((y - fit) ** 2).sum()
    assert f"{total - left:.4g} / {total:.4g} = {1 - left / total:.4g}" in text
    assert f"= {1 - left / total:.4g}" in text
    _, scene = formula(np.array([[1.0, 2], [1, 4]]))
    assert "no slope can be told" in scene.caption(2)


def test_the_captions_of_the_absolute_loss() -> None:
    X = board("line with outliers")
    x, y = X.T
    _, scene = outliers(X)
    r = y - np.polyval(np.polyfit(x, y, 1), x)
    far = np.abs(r).argmax()
    start = scene.caption(0)
    assert f"mean |r| = {np.abs(r).mean():.4g}, mean r² = {(r**2).mean():.4g}" in start
    assert f"Point {far + 1}, at x = {x[far]:.3g} with r = −{-r[far]:.4g}" in start
    assert f"{100 * r[far] ** 2 / (r**2).sum():.3g} % of Σ r²" in start
    assert f"u = 1 / {abs(r[far]):.4g} = {1 / abs(r[far]):.4g}" in scene.caption(1)
    last = scene.caption(15)
    assert last.startswith("Exact, by linear programming")
    assert "29 points above the line: each pulls up with force 1" in last


def test_points_on_the_line_are_neither_above_nor_below() -> None:
    x = np.linspace(-3, 3, 20)
    for fallen, below in ((0, "0 below"), (3, "3 below")):
        y = np.where(np.arange(20) < fallen, -5.0, 0.8 * x + 0.3)
        steps, scene = outliers(np.column_stack([x, y]))
        last = scene.caption(len(steps) - 1)
        assert "0 points above the line" in last
        assert below in last


@pytest.mark.parametrize("made", [made for made in MADE if made != "leverage"])
def test_the_line_is_read_off_at_the_ring(made: str) -> None:
    X = board()
    steps, scene = MADE[made](X)
    for now in (0, len(steps) - 1):
        rulers = [t for t in scene.views[0].draw(now)["data"] if t.get("mode") == "lines+markers"]
        bottom, place = line(rulers[-1])
        w, b = steps[now].weights[0], steps[now].intercept
        if made == "standardised":
            x, y = X.T
            w = w * y.std() / x.std()
            b = y.mean() + steps[now].intercept * y.std() - w * x.mean()
        assert bottom[0] == place[0] == QUERY
        assert place[1] == pytest.approx(w * QUERY + b, rel=1e-5, abs=1e-6)
        told = scene.caption(now).split("\n")[-1]
        assert told.startswith("At the ring, x = −1.5, the line says ŷ = w x + b = ")
        assert float(told.rsplit(" = ")[-1][:-1].replace("−", "-")) == pytest.approx(
            w * QUERY + b, rel=1e-3, abs=1e-12
        )


@pytest.mark.parametrize("end", ["left", "middle", "right"])
def test_the_captions_of_leverage(end: str) -> None:
    X = board()
    x, y = X.T
    steps, scene = leverage(X, end=end)
    place = x.argsort()[{"left": 0, "middle": 30, "right": 59}[end]]
    s_xx = ((x - x.mean()) ** 2).sum()
    h = 1 / 60 + (x[place] - x.mean()) ** 2 / s_xx
    for now in (2, 30):
        moved = y.copy()
        moved[place] = steps[now].height
        lift = moved[place] - y[place]
        old, new = np.polyfit(x, y, 1), np.polyfit(x, moved, 1)
        first, rule, slope = scene.caption(now).split("\n")
        assert f"is {'lifted' if lift > 0 else 'lowered'} by {abs(lift):.3g};" in first
        followed = abs(np.polyval(new, x[place]) - np.polyval(old, x[place]))
        assert f"follows it by {followed:.3g}, {100 * h:.3g} % of the way" in first
        assert f"/ {s_xx:.4g} = {h:.3g}; the average is 2/60 = {2 / 60:.3g}." in rule
        assert f"= {old[0]:.4g} + " in slope and f" = {new[0]:.4g}, δ the lift." in slope
    own = next(now for now, step in enumerate(steps) if step.event)
    assert "is where it was" in scene.caption(own)
    level, _ = leverage(np.array([[1.0, 2], [1, 4]]))[1].views[0], 0
    assert level.title.startswith("Pull the point")


def test_the_pictures_of_leverage() -> None:
    X = board("outlier")
    steps, scene = leverage(X)
    place = int(X[:, 0].argmax())
    sent = scene.views[0].draw(5)
    sizes, h = unpacked(sent["points"]["size"]), steps[0].leverages
    assert sizes.argmax() == place and h.argmax() == place
    small = h < 4 * h.mean()
    np.testing.assert_allclose(sizes[small], 32 * np.sqrt(h[small] / h.mean()).clip(0.5), atol=0.51)
    track = scene.views[0].track
    assert track is not None and track.along == "y"
    np.testing.assert_allclose(track.places[5, 0], [X[place, 0], steps[5].height])
    followed = line(sent["data"][3])
    own = next(step for step in steps if step.event)
    ends = [step.predict(X[[place], :1])[0] for step in (own, steps[5])]
    np.testing.assert_allclose(followed[:, 1], ends, rtol=1e-5)
    fits = line(scene.views[2].draw(5)["data"][1])
    slope = np.polyfit(*fits.T, 1)[0]
    assert slope == pytest.approx(h[place], rel=1e-4)


def test_an_update_out_of_range_is_told() -> None:
    X = np.column_stack([np.arange(9.0) * 1e98, np.arange(9.0) ** 2 * 1e98])
    steps, scene = descent(X, Rule(0.1))
    assert steps[-1].event == "diverged"
    assert not steps[-1].change.any()
    assert scene.caption(len(steps) - 1).startswith(
        "Diverged: the next update would leave the range"
    )


@pytest.mark.parametrize("event", event_names(Event))
@pytest.mark.parametrize("batch", [None, 4])
def test_every_event_has_its_words(event: str, batch: int | None) -> None:
    X = board()
    units, loss = polynomial_features(X, 1, standardize=False), squared_loss(X[:, :1], X[:, 1])
    for rule in (Rule(0.1), Rule(9.0), RULES["momentum"](9.0), RULES["Adam"](0.1)):
        steps, _ = descent(X, rule, batch=batch, max_iter=5)
        ways = [
            Descent(on_plane(X), QUERY, units, [*steps[:2], replace(steps[1], event=e)], loss)
            for e in (event, None)
        ]
        told = [descent_caption(way, Rules(rule), 2) for way in ways]
        assert told[0] != told[1]


def test_units_and_columns_are_stated() -> None:
    X = board("diabetes", 50)
    assert units_note(polynomial_features(X, 1, standardize=False), ("bmi", "p")) == ""
    note = units_note(polynomial_features(X, 1), ("bmi", "p"))
    assert f"x = (bmi − {X[:, 0].mean():.4g}) / {X[:, 0].std():.4g}" in note
    note = units_note(polynomial_features(-X, 1), ("bmi", "p"))
    assert f"x = (bmi + {X[:, 0].mean():.4g}) / " in note
    note = columns_note(("b", "d"), 2)
    assert note == "d is predicted from b. The other 2 columns are not used."
    assert columns_note(("b", "d"), 1) == "d is predicted from b. The other column is not used."
    assert columns_note(("x", "y"), 0) == "y is predicted from x."


@pytest.mark.parametrize("made", MADE)
def test_the_note_names_the_columns_and_the_units(made: str) -> None:
    _, scene = MADE[made](board())
    assert scene.note.startswith("y is predicted from x.")
    assert ("both are standardised" in scene.note) == (made == "standardised")
