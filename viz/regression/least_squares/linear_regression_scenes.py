"""What each mode of the lab of linear regression shows."""

from algorithms.core.features import polynomial_features
from algorithms.regression.least_squares.optimizers import Rule
from algorithms.regression.least_squares.squared_loss import squared_loss
from viz.core import curves
from viz.core.scene import Plane, Run, Scene, View
from viz.regression.least_squares import (
    absolute_loss,
    absolute_loss_words,
    gradient_descent,
    gradient_descent_words,
    linear_regression,
    linear_regression_words,
)
from viz.regression.least_squares.equations import columns_note


def descent(run: Run, data: Plane, rule: Rule, standardize: bool, unused: int) -> Scene:
    """Show gradient descent. unused : columns of the table that are not on the plane."""
    steps = run.steps
    units = polynomial_features(data.X, 1, standardize=standardize)
    x, y = units(data.X).T
    loss = squared_loss(x[:, None], y)
    way = gradient_descent.Descent(data, units, steps, loss)
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
                "The bowl: f over slope and intercept, and the way down",
                lambda now: gradient_descent.way_down(bowl, path, now),
            ),
            View("How far f is above its minimum f*", curves.timeline(above, log=list(above))),
        ],
        lambda now: gradient_descent_words.caption(steps, now, loss=loss, rule=rule),
        columns_note(data.names, unused) + gradient_descent_words.units_note(units, data.names),
    )


def formula(run: Run, data: Plane, unused: int) -> Scene:
    """Show the closed form. unused : columns of the table that are not on the plane."""
    steps = run.steps
    return Scene(
        [
            View(
                "The line and the squares of its residuals",
                lambda now: linear_regression.picture(data, steps, now),
            ),
            View(
                "The projection, with true angles and lengths",
                lambda now: linear_regression.projection(steps, now),
            ),
            View(
                "Residuals against x: first the level goes, then the tilt",
                lambda now: linear_regression.residuals(data, steps, now),
            ),
        ],
        lambda now: linear_regression_words.caption(data.X, steps, now),
        columns_note(data.names, unused),
    )


def outliers(run: Run, data: Plane, unused: int) -> Scene:
    """Show the absolute loss. unused : columns of the table that are not on the plane."""
    steps, largest = run.steps, absolute_loss.largest_residual(run.steps)
    losses = {"mean |r|": [s.absolute for s in steps], "mean r²": [s.squared for s in steps]}
    return Scene(
        [
            View(
                "From least squares to the absolute loss",
                lambda now: absolute_loss.picture(data, steps, now),
            ),
            View(
                "How hard each point pulls at the line",
                lambda now: absolute_loss.forces(steps, largest, now),
            ),
            View("Both losses at every step", curves.timeline(losses)),
        ],
        lambda now: absolute_loss_words.caption(data.X, steps, now),
        columns_note(data.names, unused),
    )
