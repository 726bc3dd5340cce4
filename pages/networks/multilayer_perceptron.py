"""The modes of the lab; its lesson is multilayer_perceptron.md."""

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from algorithms.core.features import polynomial_features
from algorithms.core.iterate import resumed
from algorithms.core.pipeline import on_features
from algorithms.core.splits import held_out
from algorithms.networks.multilayer_perceptron import (
    backpropagation,
    batch_normalisation,
    multilayer_perceptron,
    settings_search,
)
from algorithms.networks.multilayer_perceptron.batch_training import BatchTraining
from algorithms.networks.multilayer_perceptron.best_of_trials import best_of_trials
from algorithms.networks.multilayer_perceptron.normalisation_summary import held_out_errors
from algorithms.networks.multilayer_perceptron.stretched import on_stretched, stretched
from algorithms.networks.multilayer_perceptron.training import class_task
from algorithms.networks.multilayer_perceptron.training_summary import class_summary
from pages._shared.ask.network import HELD_OUT, HIDDEN, RATES, SPREAD, SPREADS, choose_training
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, rate_from_there, what_if
from viz.core.scene import Plane, Run
from viz.networks.multilayer_perceptron.backpropagation import OneStep
from viz.networks.multilayer_perceptron.batch_normalisation import PREDICT, Look, Normalising
from viz.networks.multilayer_perceptron.batch_views import Unit
from viz.networks.multilayer_perceptron.multilayer_perceptron import ClassEpochs
from viz.networks.multilayer_perceptron.settings_search import SettingsSearch

LAYERS = ["4", "8", "4-4", "8-8", "4-4-4", "8-8-8"]
FACTORS = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
FACTOR = "The columns are standardised first. A factor stands for a column that nobody scaled."
PREDICTED = "The means and variances that the picture's predictions are normalised with."

SMALL = {"1": (1,), "2": (2,), "3": (3,), "2-2": (2, 2)}

PLANS, TRIALS = ["grid", "random"], [9, 16, 25, 36, 49]
NEWEST = "the newest"
HELD_FROM_SEARCH = 0.6  # of the points: those that judge, and those for the test
PLAN_HELP = "Learning rates from 0.01 to 10 and 1 to 16 hidden units, both even on a log axis."
PARTS_HELP = (
    "40 % of the points are for learning, whatever is chosen here. The rest is for the test."
)


def training(lab: Lab) -> Shown:
    """Train the network, epoch by epoch, on the points that are not held out."""
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    held = held_out(len(X), HELD_OUT, rng=split_rng(0), codes=y)
    chosen = choose_training(lab, int((~held).sum()))
    features = lab.later(polynomial_features, X[~held], 1, columns=names)
    picked = picked_point(lab, "Picked point")
    given = X[~held], y[~held]
    run = lab.run(on_features, multilayer_perceptron.multilayer_perceptron, *given, **chosen.how())

    def show(run: Run, data: Plane) -> Shown:
        summary = lab.later(class_summary, run, features, X[held], y[held])
        return lab.scene(
            ClassEpochs, run, data, features, summary, held, picked, chosen.training,
            code=multilayer_perceptron,
        )  # fmt: skip

    def change_rate(ways: Ways, step: int) -> Run:
        rate = rate_from_there(ways, RATES, chosen.training.learning_rate)
        task: Any = lab.later(on_features, class_task, *given, **chosen.how(learning_rate=rate))
        advance = partial(multilayer_perceptron.advance, task)
        left = chosen.how()["epochs"] - step
        return lab.run(resumed, run, step, advance, advance, most=left, stopped=None)

    return what_if(lab, run, show, change_rate)


def one_step(lab: Lab) -> Shown:
    """Learn from one point, layer by layer."""
    hidden = SMALL[lab.choice("hidden", "Hidden units by layer", list(SMALL), "2")]
    kind = lab.buttons("activation", "Activation g", ["tanh", "sigmoid", "relu"], "tanh")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    spread = lab.log_slider("spread", "Spread of the start", SPREADS, 1.0, help=SPREAD)
    seed = lab.number("seed", "Seed", 0, 9999, 1, help="Draws the first weights.")
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    place = picked_point(lab, "Learn from the point nearest to this")
    row = backpropagation.nearest_row(X, place) if len(X) else 0
    run = lab.run(
        on_features, backpropagation.backpropagation, X, y, hidden=hidden, activation=kind,
        learning_rate=rate, row=row, rng=np.random.default_rng([seed, 2]), spread=spread,
    )  # fmt: skip
    features = lab.later(polynomial_features, X, 1, columns=names)
    return lab.scene(OneStep, run, lab.plane, features, row, rate, code=backpropagation)


def search(lab: Lab) -> Shown:
    """Train networks with many settings, and let the validation points choose one."""
    plan = lab.buttons("plan", "Settings tried", PLANS, "grid", help=PLAN_HELP)
    trials = lab.buttons("trials", "Trials", TRIALS, 36)
    epochs = lab.buttons("trial_epochs", "Epochs of each trial", [10, 30, 100], 30)
    share = lab.slider("validation", "Validation points, about %", 5, 50, 15, 5, help=PARTS_HELP)
    shown = lab.buttons("surface", "Picture of", [NEWEST, "the best so far"], NEWEST)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the settings and the starts.")
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), HELD_FROM_SEARCH, rng=split_rng(0), codes=y)
    judges = held & held_out(len(X), share / 100 / HELD_FROM_SEARCH, rng=split_rng(1))
    test = held & ~judges
    run = lab.run(
        settings_search.settings_search, X[~test], y[~test], held_out=judges[~test], plan=plan,
        per_axis=TRIALS.index(trials) + 3, epochs=epochs, rng=np.random.default_rng([seed, 2]),
    )  # fmt: skip
    best = lab.later(best_of_trials, run, X[test], y[test])
    part = held.astype(int) + test
    return lab.scene(
        SettingsSearch, run, lab.plane, part, plan, best, shown == NEWEST, code=settings_search
    )


def normalising(lab: Lab) -> Shown:
    """Train a network with batch normalisation beside the same one without."""
    hidden = HIDDEN[lab.choice("hidden", "Hidden units by layer", LAYERS, "8-8")]
    kind = lab.buttons("activation", "Activation g", ["tanh", "sigmoid", "relu"], "sigmoid")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    size = int(lab.buttons("batch", "Points in a mini-batch", ["1", "2", "10", "30"], "30"))
    units = [f"{layer + 1}.{j + 1}" for layer, width in enumerate(hidden) for j in range(width)]
    layer, index = map(int, lab.choice("unit", "Layer and unit shown", units, "1.1").split("."))
    predict = lab.choice("predict", "Predict with", list(PREDICT), "running means", help=PREDICTED)
    folded = lab.within(lab.place.expander("Inputs, biases, updates, seed"))
    factor = folded.log_slider("factor", "First column times", FACTORS, 1.0, help=FACTOR)
    bias = folded.slider("bias", "First bias b of the hidden units", -5.0, 5.0, 0.0, 0.5)
    updates = int(folded.log_slider("updates", "Updates", [10, 30, 100, 200, 300], 200))
    seed = folded.number("seed", "Seed", 0, 9999, 0, help="Draws the start and the mini-batches.")
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    held = held_out(len(X), HELD_OUT, rng=split_rng(0), codes=y)
    chosen = BatchTraining(learning_rate=rate, batch_size=size, updates=updates, first_bias=bias)

    def train(normalise: bool) -> Run:
        how = asdict(chosen) | {"normalise": normalise, "rng": np.random.default_rng([seed, 2])}
        return lab.run(
            on_stretched, batch_normalisation.batch_normalisation, X[~held], y[~held],
            factor=factor, hidden=hidden, activation=kind, **how,
        )  # fmt: skip

    run, plain = train(True), train(False)
    features = lab.later(stretched, X[~held], factor, columns=names)
    errors = lab.later(held_out_errors, run, plain, features, X, y, held)
    look = Look(Unit(layer - 1, index - 1), predict, chosen)
    return lab.scene(
        Normalising, run, plain, lab.plane, features, errors, look, code=batch_normalisation
    )


def picked_point(lab: Lab, label: str) -> np.ndarray:
    """Return the place at which activations are shown; by default near the top left corner."""
    return picked_place(lab, across=0.25, up=0.8, label=label)


MODES = {
    "training": training,
    "one step": one_step,
    "search": search,
    "batch normalisation": normalising,
}
OPENS_ON = dict.fromkeys(MODES, "moons") | {"batch normalisation": "circles"}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
