"""The modes of the lab; its lesson is linear_regression.md."""

from dataclasses import replace
from typing import Any

import numpy as np

from algorithms.core.optimizers import RULES, Adam, Momentum, Rule
from algorithms.core.splits import held_out
from algorithms.regression.basis import MOST_NESTED, NESTED
from algorithms.regression.linear_regression import (
    absolute_loss,
    basis_regression,
    gradient_descent,
    leverage,
    linear_regression,
)
from algorithms.regression.linear_regression.descent_on_plane import (
    descend_on_plane,
    near_one,
    resumed_on_plane,
)
from pages._shared.ask.place import picked_x
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, rate_from_there, what_if
from viz.core.scene import Plane, Run
from viz.regression.linear_regression.absolute_loss import Outliers
from viz.regression.linear_regression.basis_regression import Bases
from viz.regression.linear_regression.gradient_descent import Descent
from viz.regression.linear_regression.leverage import Leverage
from viz.regression.linear_regression.linear_regression import Formula

RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.6]
ALL_RATES = [*RATES, 0.8, 1.0, 1.5]
BATCHES = ["1", "4", "16", "64"]
ALL, ZEROS, PLACED = "all", "w = b = 0", "placed by hand"


def descent(lab: Lab) -> Shown:
    """Go down the bowl of the squared error, step by step."""
    points = lab.plane.X
    rule = choose_rule(lab)
    chosen = str(lab.kept.get("batch", ALL))
    sizes = [size for size in BATCHES if int(size) < len(points) or size == chosen]
    size = lab.buttons("batch", "Points per step", [ALL, *sizes], ALL)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Shuffles the points for the batches.")
    most = lab.log_slider("steps", "Steps at most", [10, 30, 60, 100, 300, 1000, 3000], 100)
    begin = lab.buttons("begin", "Start", [ZEROS, PLACED], ZEROS)
    wide = not near_one(points)  # two switches: each remembers what was chosen for data of its kind
    standardize = lab.toggle("scaled_wide" if wide else "scaled", "Standardise x and y", wide)
    placed = lab.places("line", "The line at the start", falling(lab)) if begin == PLACED else None
    query = picked_x(lab)

    batch = None if size == ALL else min(int(size), len(points))

    def how() -> dict[str, Any]:
        rng = np.random.default_rng(seed)
        return {"standardize": standardize, "rng": rng, "batch": batch, "max_iter": most}

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(
            Descent, run, data, query, rule, standardize, unused(lab), code=gradient_descent
        )

    def change(ways: Ways, step: int) -> Run:
        rate = rate_from_there(ways, ALL_RATES, rule.learning_rate)
        other, X = replace(rule, learning_rate=rate), ways.plane.X
        return lab.run(resumed_on_plane, run, step, points, X, other, **how())

    run = lab.run(descend_on_plane, points, rule, places=placed, **how())
    return what_if(lab, run, show, change, points=True)


def formula(lab: Lab) -> Shown:
    """Project on one column after the other."""
    x, y = lab.plane.X.T
    run = lab.run(linear_regression.linear_regression, x[:, None], y)
    query = picked_x(lab)
    return lab.scene(Formula, run, lab.plane, query, unused(lab), code=linear_regression)


def pull(lab: Lab) -> Shown:
    """Pull one point up and down: how far does the line follow?"""
    end = lab.buttons("end", "Point to pull", list(leverage.ENDS), "right")
    (x, y), (low, high) = lab.plane.X.T, lab.plane.bounds[2:]
    run = lab.run(leverage.pull_end, x[:, None], y, end, low=low, high=high)
    return lab.scene(Leverage, run, lab.plane, end, unused(lab), code=leverage)


def outliers(lab: Lab) -> Shown:
    """Go from least squares to the absolute loss."""
    x, y = lab.plane.X.T
    run = lab.run(absolute_loss.absolute_loss, x[:, None], y)
    query = picked_x(lab)
    return lab.scene(Outliers, run, lab.plane, query, unused(lab), code=absolute_loss)


def bases(lab: Lab) -> Shown:
    """Add one basis function after the other."""
    x, y = lab.plane.X.T
    basis = lab.choice("basis", "Basis functions", list(NESTED), "polynomial")
    width = 10
    if basis in ("Gaussian", "sigmoid"):
        width = lab.slider("width", "Width h, % of the range of x", 2, 50, width)
    most = lab.slider("most", "Functions at most", 1, MOST_NESTED, 12)
    share = lab.slider("held", "Held-out points, about %", 0, 90, 70, 5)
    seed = lab.number("split", "Seed of the split", 0, 9999, 0)
    held = lab.later(held_out, len(x), share / 100, rng=split_rng(seed), at_least=2)
    run = lab.run(
        basis_regression.basis_regression, x[:, None], y,
        basis=basis, most=most, width=width / 100, held_out=held,
    )  # fmt: skip
    query = picked_x(lab)
    return lab.scene(Bases, run, lab.plane, held, query, unused(lab), code=basis_regression)


def choose_rule(lab: Lab) -> Rule:
    """Ask for the rule that turns gradients into steps, and for its numbers."""
    name = lab.choice("rule", "Rule", list(RULES), "gradient")
    eta = lab.log_slider("eta", "Learning rate η", ALL_RATES, 0.2)
    rule = RULES[name](eta)
    if isinstance(rule, Momentum | Adam):
        return replace(rule, beta=lab.slider("beta", "Memory β", 0.0, 0.99, 0.9, 0.01))
    return rule


def falling(lab: Lab) -> np.ndarray:
    """Return two places on a falling line, which can be dragged."""
    left, right, bottom, top = lab.plane.bounds
    low, high = np.array([left, bottom]), np.array([right, top])
    return low + (high - low) * [[0.1, 0.6], [0.9, 0.4]]


def unused(lab: Lab) -> int:
    """Count the columns of the table that are not on the plane."""
    return len(lab.data.columns) - 2


OPENS_ON = {
    "descent": {"data": "line", "n": 20},
    "formula": "line",
    "leverage": "outlier",
    "outliers": "line with outliers",
    "bases": "sine",
}

MODES = {
    "descent": descent,
    "formula": formula,
    "leverage": pull,
    "outliers": outliers,
    "bases": bases,
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
