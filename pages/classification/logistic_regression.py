"""The modes of the lab; its lesson is logistic_regression.md."""

from functools import partial

import numpy as np

from algorithms.classification.linear import far_points
from algorithms.classification.linear.logistic_regression import logistic_regression
from algorithms.classification.linear.logistic_regression.logistic_summary import summary
from algorithms.classification.linear.logistic_regression.task import mapped_task
from algorithms.core.features import polynomial_features
from algorithms.core.iterate import resumed
from algorithms.core.pipeline import on_features
from algorithms.core.splits import held_out
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, rate_from_there, what_if
from viz.classification.linear.far_points import FarPoints
from viz.classification.linear.logistic_regression.descent import Descent
from viz.core.plane import with_room
from viz.core.scene import Plane, Run

RATES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0]
TOLERANCES = [1e-8, 1e-6, 0.0001, 0.001, 0.01]
PENALTIES = [0.0, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0]
ROOM = 0.3  # of the picture, on each side, for the far points
STEPS = [10, 30, 60, 100, 300, 1000]


def descent(lab: Lab) -> Shown:
    """Lower the loss step by step."""
    method = lab.buttons("method", "Method", ["gradient", "newton"], "gradient")
    rate = 1.0  # Newton's method has none
    if method == "gradient":
        rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    penalty = lab.log_slider("penalty", "Penalty λ", PENALTIES, 0.0)
    degree = lab.slider("degree", "Degree of the features", 1, 4, 1)
    standardize = lab.toggle("standardize", "Standardise the features", True)
    small = lab.log_slider(
        "tol", "Converged if ‖g‖ is at most", TOLERANCES, 0.01,
        help="Used by gradient descent while the loss falls. Otherwise, and by Newton's method, "
        "10⁻⁸ is.",
    )  # fmt: skip
    tol = logistic_regression.TOL if method == "newton" else small
    most = int(lab.log_slider("steps", "Steps at most", STEPS, 300))
    share = lab.slider("held", "Held-out points, about %", 0, 80, 0, 5)
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    held = held_out(len(X), share / 100, rng=split_rng(0), codes=y)
    features = lab.later(
        polynomial_features, X[~held], degree, standardize=standardize, columns=names
    )
    picked = picked_place(lab, across=0.75, up=0.8)
    rng = None
    if lab.buttons("start", "Weights at the start", ["zeros", "random"], "random") == "random":
        seed = lab.number("seed", "Seed", 0, 9999, 1, help="Draws the weights at the start.")
        rng = np.random.default_rng(seed)
    run = lab.run(
        on_features, logistic_regression.logistic_regression, X[~held], y[~held],
        degree=degree, standardize=standardize,
        method=method, learning_rate=rate, penalty=penalty, max_iter=most, tol=tol, rng=rng,
    )  # fmt: skip

    def show(run: Run, data: Plane) -> Shown:
        known = lab.later(summary, run, data.X, y, features, held, penalty, data.moved)
        return lab.scene(
            Descent, run, data, features, known, method, held, picked, code=logistic_regression
        )

    def change_rate(ways: Ways, step: int) -> Run:
        """Go on at another learning rate, and with moved points if training points were moved.

        If points were moved, the change is their move, and by default the rate stays.
        """
        later = rate_from_there(ways, RATES, rate)
        task = lab.later(mapped_task, features, ways.plane.X[~held], y[~held], penalty)
        learned = ways.points_moved is not None and not held[ways.points_moved[1]].all()
        rule = logistic_regression.elsewhere if learned else logistic_regression.at_rate
        given = task, most, tol
        advance, change = partial(logistic_regression.descend, *given), partial(rule, *given, later)
        return lab.run(resumed, run, step, change, advance, most=most - step)

    if method == "newton":
        return show(run, lab.plane)
    return what_if(lab, run, show, change_rate, points=True)


def least_squares(lab: Lab) -> Shown:
    """Compare with least squares: a row of classes, and far points on their own side."""
    data = with_room(lab.plane, ROOM)
    left, right, bottom, top = data.bounds
    count = lab.slider("count", "Far points", 1, 30, 8)
    shrink = lab.log_slider("shrink", "Penalty λ of the logistic weights", PENALTIES[1:], 0.001)
    corner = np.array([[left + 0.93 * (right - left), bottom + 0.55 * (top - bottom)]])
    (far,) = lab.places("far", "Where the far points end", corner, look="line", within=data.bounds)
    X, y = data.X, data.labels
    run = lab.run(far_points.far_points, X, y, far, count=count, penalty=shrink)
    row = lab.later(far_points.row_of, X, y)
    return lab.scene(FarPoints, run, data, row, code=far_points)


OPENS_ON = {"descent": "moons", "least squares": "row"}

MODES = {"descent": descent, "least squares": least_squares}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
