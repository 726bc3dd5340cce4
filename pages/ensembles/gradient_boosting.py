"""The modes of the lab; its lesson is gradient_boosting.md."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from algorithms.core.splits import held_out
from algorithms.data.presets import Dataset
from algorithms.ensembles import gradient_boosting as algorithm
from pages._shared.ask.place import picked_place, picked_x
from pages._shared.ask.split import ABOUT_HELD_OUT, split_rng
from pages._shared.data import panel
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.parameters import by_user
from viz.core import plane
from viz.core.scene import Run
from viz.ensembles.gradient_boosting.one_feature import OneFeature
from viz.ensembles.gradient_boosting.two_features import TwoFeatures

RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
NO_TARGET = (
    "Both columns are features here, and these data have no third column and no classes to "
    "predict. Show the penguins, or choose another preset under “Data”."
)


def boosting(lab: Lab) -> Shown:
    """Grow one tree in each round on the residuals, and add a share of it."""
    how, held = asked(lab)
    X, query = lab.plane.X, picked_x(lab)
    run = boosted(lab, X[:, :1], X[:, 1], held, how)
    return lab.scene(OneFeature, run, lab.plane, how["loss"], held, query, code=algorithm)


def two_features(lab: Lab) -> Shown:
    """Boost with both columns of the picture as features, and a third column to predict."""
    targets = what_is_left(lab.data)
    if not targets:
        st.button(
            "Show the penguins", key="penguins", type="primary",
            on_click=by_user(partial(panel.choose, "penguins")),
        )  # fmt: skip
        return lab.scene(TwoFeatures, Run("", (), NO_TARGET), code=algorithm)
    target = lab.choice("target", "Predict", list(targets), next(iter(targets)))
    how, held = asked(lab)
    # Trees do not depend on units, so the axes fit the points.
    data = replace(lab.plane, bounds=plane.bounds(lab.plane.X, alike=False))
    query = picked_place(
        lab, across=0.27, up=0.25, bounds=data.bounds, name="point", before="query"
    )
    run = boosted(lab, lab.plane.X, targets[target], held, how)
    return lab.scene(TwoFeatures, run, data, how["loss"], held, query, target, code=algorithm)


def boosted(lab: Lab, X: np.ndarray, y: np.ndarray, held: np.ndarray, how: dict[str, Any]) -> Run:
    """Run the rounds, and mark the one with the lowest held-out error."""
    run = lab.run(algorithm.gradient_boosting, X, y, held_out=held, **how)
    return run if run.error else lab.run(algorithm.best_round, run)


def asked(lab: Lab) -> tuple[dict[str, Any], np.ndarray]:
    """Ask for the settings of boosting; return the arguments, and which points are held out."""
    rounds = lab.slider("rounds", "Rounds", 1, 300, 100)
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.1)
    depth = lab.slider("depth", "Depth of the trees", 1, 6, 2)
    loss = lab.buttons("loss", "Loss", ["squared", "absolute", "Huber"], "squared")
    within = 90
    if loss == "Huber":
        within = lab.slider("within", "Residuals within δ, %", 50, 100, 90, 5)
    part = lab.slider("part", "Points for each tree, %", 10, 100, 100, 10)
    share = lab.slider("held", "Held-out points, about %", 0, 60, 30, help=ABOUT_HELD_OUT)
    seed = lab.number("seed", "Seed", 0, 9999, 15, help="Draws the held-out points and the parts.")
    how = {
        "rounds": rounds, "learning_rate": rate, "max_depth": depth, "loss": loss,
        "within": within / 100, "subsample": part / 100, "rng": np.random.default_rng([seed, 2]),
    }  # fmt: skip
    return how, held_out(len(lab.data.X), share / 100, rng=split_rng(seed), at_least=1)


def what_is_left(data: Dataset) -> dict[str, np.ndarray]:
    """Return the columns that are not on the axes, and the index of the class."""
    found = {
        name: data.table[:, j] for j, name in enumerate(data.columns) if j not in (data.x, data.y)
    }
    if len(data.classes) > 1:
        found["number of the class"] = data.labels.astype(float)
    return found


MODES = {"one feature": boosting, "two features": two_features}

if __name__ == "__main__":
    open_lab(__file__, data={"one feature": "sine", "two features": "penguins"}, n=100).show(MODES)
