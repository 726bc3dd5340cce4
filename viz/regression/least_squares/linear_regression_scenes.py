"""What each mode of the lab of linear regression shows.

query : the x at which the line is read off. unused : columns of the table that are not on the
plane.
"""

from functools import partial

from algorithms.core.features import polynomial_features
from algorithms.regression.least_squares.on_plane import point_at
from algorithms.regression.least_squares.squared_loss import squared_loss
from viz.core import curves
from viz.core.scene import Plane, Run, Scene, Track, View
from viz.regression.least_squares import (
    absolute_loss,
    absolute_loss_words,
    gradient_descent,
    gradient_descent_questions,
    gradient_descent_words,
    leverage_words,
    linear_regression,
    linear_regression_questions,
    linear_regression_words,
)
from viz.regression.least_squares import leverage as leverage_view
from viz.regression.least_squares.equations import columns_note, squares_note
from viz.regression.least_squares.gradient_descent_words import Rules


def descent(
    run: Run, data: Plane, query: float, rules: Rules, standardize: bool, unused: int
) -> Scene:
    """Show gradient descent. rules : that it followed."""
    steps = run.steps
    units = polynomial_features(data.before, 1, standardize=standardize)
    x, y = units(data.X).T
    loss = squared_loss(x[:, None], y)
    way = gradient_descent.Descent(data, query, units, steps, loss)
    window = gradient_descent.bowl_window(loss, steps)
    bowl, path = gradient_descent.bowl(loss, window), gradient_descent.path_over(way, window)
    above = {"f − f*": [step.excess for step in steps]}
    return Scene(
        [
            View(
                "The line, and the best one (dashed)",
                lambda now: gradient_descent.picture(way, now),
            ),
            View(
                "The bowl f(w, b), and the way down",
                lambda now: gradient_descent.way_down(bowl, path, now),
            ),
            View(
                "How far f is above its minimum f*",
                curves.timeline(above, log=list(above)),
                ahead=True,
            ),
        ],
        partial(gradient_descent_words.caption, way, rules),
        columns_note(data.names, unused)
        + " Dashed: the best line; grey: the line before."
        + squares_note(len(data.X))
        + gradient_descent_words.units_note(units, data.names),
        ask=gradient_descent_questions.ask(steps),
        ghost=partial(gradient_descent.ghost, way, path),
    )


def formula(run: Run, data: Plane, query: float, unused: int) -> Scene:
    """Show the closed form."""
    steps = run.steps
    return Scene(
        [
            View(
                "The line, and the squares of its residuals",
                partial(linear_regression.picture, data, query, steps),
            ),
            View(
                "The projection, with true angles and lengths",
                lambda now: linear_regression.projection(steps, now),
            ),
            View(
                "Residuals against x: the level goes, then the tilt",
                lambda now: linear_regression.residuals(data, steps, now),
            ),
        ],
        partial(linear_regression_words.caption, data.X, query, steps),
        columns_note(data.names, unused)
        + " Grey: the line before; ×: the mean of the points."
        + squares_note(len(data.X)),
        ask=linear_regression_questions.ask_formula(data, steps),
    )


def leverage(run: Run, data: Plane, end: str, unused: int) -> Scene:
    """Show what the line does as the point at one end of x is pulled up and down."""
    pulled = leverage_view.Pulled(data, run.steps, point_at(data.X, end))
    return Scene(
        [
            View(
                "Pull the point: the line follows (dashed: before). Large points: large leverage",
                partial(leverage_view.picture, pulled),
                track=Track("The pulled point", pulled.places, along="y"),
            ),
            View(
                "Leverage against x; dashed: the average", partial(leverage_view.against_x, pulled)
            ),
            View(
                "The fit there against the point's height: slope h",
                partial(leverage_view.following, pulled),
                ahead=True,
            ),
        ],
        partial(leverage_words.caption, pulled),
        columns_note(data.names, unused) + leverage_words.MARKS,
        ask=linear_regression_questions.ask_leverage(pulled),
    )


def outliers(run: Run, data: Plane, query: float, unused: int) -> Scene:
    """Show the absolute loss."""
    steps, largest = run.steps, absolute_loss.largest_residual(run.steps)
    losses = {"mean |r|": [s.absolute for s in steps], "mean r²": [s.squared for s in steps]}
    return Scene(
        [
            View(
                "From least squares to the absolute loss",
                partial(absolute_loss.picture, data, query, steps),
            ),
            View(
                "How hard each point pulls at the line",
                lambda now: absolute_loss.forces(steps, largest, now),
            ),
            View("Both losses at every step", curves.timeline(losses), ahead=True),
        ],
        partial(absolute_loss_words.caption, data.X, query, steps),
        columns_note(data.names, unused),
        ask=linear_regression_questions.ask_outliers(steps),
    )
