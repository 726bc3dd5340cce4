"""The modes of the lab; its lesson is perceptron.md."""

from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np

from algorithms.classification.linear.perceptron import (
    delta_rule,
    perceptron,
    perceptron_multiclass,
    perceptron_summary,
)
from algorithms.classification.linear.perceptron.samples import mapped_samples
from algorithms.core.features import polynomial_features
from algorithms.core.iterate import resumed
from algorithms.core.pipeline import on_features
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, rate_from_there, what_if
from pages._shared.session.cache import Later
from viz.classification.linear.perceptron.delta_rule import DeltaRule
from viz.classification.linear.perceptron.perceptron import Mistakes
from viz.classification.linear.perceptron.perceptron_multiclass import SeveralClasses
from viz.core.scene import Plane, Run

RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
EPOCHS = [1, 2, 5, 10, 20, 50, 100, 200]
MOST_VISITS = 50_000


def plain(lab: Lab) -> Shown:
    """Predict with the weights as they are."""
    return correct_mistakes(lab, "plain")


def averaged(lab: Lab) -> Shown:
    """Predict with the mean of all weights so far."""
    return correct_mistakes(lab, "averaged")


def pocket(lab: Lab) -> Shown:
    """Predict with the weights that had the fewest errors so far."""
    return correct_mistakes(lab, "pocket")


def correct_mistakes(lab: Lab, variant: str) -> Shown:
    """Correct the weights where they are wrong about a sample."""
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    init = choose_start(lab)
    visits, limit, standardize = choose_visits(lab)
    plane, features, picked = lab.plane, mapped(lab, standardize), picked_point(lab)
    run = lab.run(
        on_features, perceptron.perceptron, plane.X, plane.labels, standardize=standardize,
        learning_rate=rate, init=init, variant=variant, **deepcopy(visits),
    )  # fmt: skip

    def show(run: Run, data: Plane) -> Shown:
        known = summarized(lab, run, data, features, rate)
        return lab.scene(
            Mistakes, run, data, features, known, picked, limit, variant, code=perceptron
        )

    def flip_update(ways: Ways, step: int) -> Run:
        """Skip the update of a visit, or force one where the sample is right.

        If points were moved, the change is their move, and by default the update follows the rule.
        """
        flips = ways.toggle("flip", "Skip its update, or force one", ways.points_moved is None)
        samples = lab.later(mapped_samples, features, ways.plane.X, plane.labels, **visits)
        given = samples, rate, perceptron.VARIANTS[variant]
        change = partial(perceptron.flipped if flips else perceptron.elsewhere, *given)
        return gone_on(lab, run, step, change, partial(perceptron.advance, *given), visits)

    return what_if(lab, run, show, flip_update, points=True)


def correct_all(lab: Lab) -> Shown:
    """Correct the weights at every sample."""
    rate = lab.log_slider("delta_rate", "Learning rate η", RATES, 0.03)
    init = choose_start(lab)
    visits, limit, standardize = choose_visits(lab)
    plane, features, picked = lab.plane, mapped(lab, standardize), picked_point(lab)
    run = lab.run(
        on_features, delta_rule.delta_rule, plane.X, plane.labels, standardize=standardize,
        learning_rate=rate, init=init, **deepcopy(visits),
    )  # fmt: skip

    def show(run: Run, data: Plane) -> Shown:
        known = summarized(lab, run, data, features, rate)
        return lab.scene(DeltaRule, run, data, features, known, picked, limit, code=delta_rule)

    def change_rate(ways: Ways, step: int) -> Run:
        later = rate_from_there(ways, RATES, rate)
        samples = lab.later(mapped_samples, features, ways.plane.X, plane.labels, **visits)
        first = run.steps[0]
        given = samples, lab.later(delta_rule.lost_from, samples, first.w, first.bias)
        change = partial(delta_rule.elsewhere, *given, later)
        return gone_on(lab, run, step, change, partial(delta_rule.advance, *given), visits)

    return what_if(lab, run, show, change_rate, points=True)


def gone_on(
    lab: Lab, run: Run, step: int, change: partial, advance: partial, visits: dict[str, Any]
) -> Run:
    """Return the run that goes on from a changed visit, for the rest of all epochs."""
    left = visits["max_epochs"] * len(lab.plane.X) - step
    return lab.run(resumed, run, step, change, advance, most=left, stopped=perceptron.STOPPED)


def several_classes(lab: Lab) -> Shown:
    """Keep a weight vector for every class; the highest score wins."""
    visits, limit, standardize = choose_visits(lab)
    plane, features = lab.plane, mapped(lab, standardize)
    run = lab.run(
        on_features, perceptron_multiclass.perceptron_multiclass, plane.X, plane.labels,
        standardize=standardize, **visits,
    )  # fmt: skip
    summary = perceptron_summary.multiclass_summary
    known = lab.later(summary, run, plane.X, plane.labels, features)
    picked = picked_point(lab)
    return lab.scene(
        SeveralClasses, run, plane, features, known, picked, limit, code=perceptron_multiclass
    )


def summarized(lab: Lab, run: Run, data: Plane, features: Later, rate: float) -> Later:
    """Return a run's summary, computed later: separator, bound, errors and loss."""
    return lab.later(
        perceptron_summary.summary, run, data.X, data.labels, features, rate, data.moved
    )


def mapped(lab: Lab, standardize: bool) -> Later:
    """Return the columns as they are, or standardised."""
    plane = lab.plane
    return lab.later(polynomial_features, plane.X, 1, standardize=standardize, columns=plane.names)


def choose_start(lab: Lab) -> str:
    """Ask for the initial weights."""
    return lab.buttons("init", "Weights at the start", ["zeros", "ones"], "zeros")


def choose_visits(lab: Lab) -> tuple[dict[str, Any], int | None, bool]:
    """Ask for the order and the number of the visits, and return them as arguments of a run.

    Also return how many epochs there is time for, if fewer than were asked for, and whether the
    features are standardised.
    """
    order = lab.buttons("order", "Order of the samples", ["shuffled", "cyclic"], "shuffled")
    epochs = int(lab.log_slider("epochs", "Epochs at most", EPOCHS, 50))
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="The order of the samples in every epoch.")
    standardize = lab.toggle("rescale", "Standardise the features", False)
    allowed = max(1, MOST_VISITS // max(1, len(lab.plane.X)))
    visits = {
        "rng": np.random.default_rng(seed),
        "max_epochs": min(epochs, allowed),
        "order": order,
    }
    return visits, allowed if allowed < epochs else None, standardize


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose score is shown; by default to the right, above the middle."""
    return picked_place(lab, across=0.79, up=0.68)


MODES = {
    "plain": plain,
    "averaged": averaged,
    "pocket": pocket,
    "delta rule": correct_all,
    "several classes": several_classes,
}

FEW = {"data": "separable", "n": 20, "noise": 1.0, "sample": 16}  # mistakes in most epochs
OPENS_ON = {
    "plain": FEW, "averaged": "almost separable", "pocket": "almost separable", "delta rule": FEW,
    "several classes": "blobs",
}  # fmt: skip

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON, mode="variant").show(
        MODES, label="Rule", several="several classes"
    )
