"""The modes of the lab; its lesson is thresholds.md."""

from typing import Any

import numpy as np

from algorithms.evaluation import held_out_scores as scoring
from algorithms.evaluation import roc_curve, rotating_folds
from algorithms.evaluation.held_out_scores import MAPS, SCORERS
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.evaluation.thresholds.roc_curve import Choice, Threshold
from viz.evaluation.thresholds.rotating_folds import Folds

NONE = "(none)"
PRICES = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
LEAVE_ONE_OUT = "leave one out"


def threshold(lab: Lab) -> Shown:
    """Lower the threshold past one held-out point after the other."""
    name = lab.choice("classifier", "Classifier", SCORERS, SCORERS[0])
    rival = lab.choice("against", "Beside it", [NONE, *SCORERS], NONE)
    positive = positive_class(lab)
    held, kept = parts(lab, positive)
    miss = lab.log_slider("miss", "False alarms one miss is worth", PRICES, 1.0)
    scale = lab.choice("scores", "Scores", list(MAPS), "as they are")
    X, y = lab.plane.X[kept], lab.plane.labels[kept]

    def how(classifier: str) -> dict[str, Any]:
        """Return a fit's arguments, with a generator of its own: no key depends on another run."""
        split = {"positive": positive, "held_out": held[kept], "scale": scale}
        return split | {"classifier": classifier, "rng": np.random.default_rng(0)}

    run = lab.run(scoring.held_out_curve, X, y, miss=miss, **how(name))
    beside = None
    if rival != NONE:
        beside = lab.run(scoring.held_out_curve, X, y, miss=miss, **how(rival))
        run = beside if beside.error else run
    judged = lab.later(scoring.judged, X, y, **how(name))
    choice = Choice(name, rival, positive, held, kept, miss, picked_point(lab))
    return lab.scene(Threshold, run, lab.plane, judged, choice, beside, code=roc_curve)


def positive_class(lab: Lab) -> int:
    """Return the positive class: the second of two, or the one that the user chooses."""
    names = lab.plane.classes
    present = np.unique(lab.plane.labels).tolist() or [0]
    if len(present) <= 2:
        return present[-1]
    options = [names[k] for k in present]
    return present[options.index(lab.choice("positive", "Positive class", options, options[-1]))]


def parts(lab: Lab, positive: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw which points are held out, and which positives are kept."""
    share = lab.slider("held", "Held-out points, about %", 10, 80, 50, 5)
    kept = lab.slider("kept", "Positives kept, %", 5, 100, 100, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws both.")
    sought = lab.plane.labels == positive
    held = scoring.split(sought, share / 100, rng=split_rng(seed))
    return held, scoring.thinned(sought, held, kept / 100, rng=np.random.default_rng([seed, 2]))


def folds(lab: Lab) -> Shown:
    """Hold out one fold after the other."""
    names = list(scoring.BY_NAME)
    name = lab.choice("classifier", "Classifier", names, SCORERS[0])
    options = ["2", "3", "5", "10", "20", LEAVE_ONE_OUT]
    chosen = lab.choice("folds", "Folds", options, "5")
    alone = chosen == LEAVE_ONE_OUT
    stratified = lab.toggle("stratified", "Stratified", True)
    deals = lab.slider("deals", "Deals", 1, 50, 5, help="Leaving one out needs only one.")
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Deals the points.")
    data = lab.plane
    run = lab.run(
        rotating_folds.rotating_folds, data.X, data.labels,
        rng=split_rng(seed), folds=len(data.X) if alone else int(chosen),
        repeats=1 if alone else deals, stratified=stratified, classifier=name,
    )  # fmt: skip
    return lab.scene(Folds, run, data, name, stratified, code=rotating_folds)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point whose score is shown; by default near the top right corner."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"threshold": threshold, "folds": folds}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.6).show(MODES, several="wall")
