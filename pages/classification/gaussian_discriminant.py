"""The modes of the lab; its lesson is gaussian_discriminant.md."""

from numpy import ndarray

from algorithms.classification.gaussian_discriminant import categorical_naive_bayes as counting
from algorithms.classification.gaussian_discriminant import (
    fisher_axis,
    gaussian_discriminant,
    learning_curves,
    naive_bayes,
)
from algorithms.classification.gaussian_discriminant.bayes import changed_priors
from algorithms.classification.gaussian_discriminant.compare_covariances import (
    compare_covariances,
)
from algorithms.core.splits import held_out
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.classification.gaussian_discriminant.categorical_naive_bayes import Binned
from viz.classification.gaussian_discriminant.discriminant import Discriminant
from viz.classification.gaussian_discriminant.fisher_axis import FisherAxis
from viz.classification.gaussian_discriminant.learning_curves import LearningCurves
from viz.classification.gaussian_discriminant.naive_bayes import NaiveBayes
from viz.core.plane import with_room

RIDGES = [0.0, 0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0]
SMOOTHINGS = [0.0, 1e-9, 0.001, 0.01, 0.1, 0.3, 1.0]
FREQUENCIES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
STRENGTHS = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
MOST_BINS = 12
NEAR_A_BORDER = {"across": 0.688, "up": 0.861}  # in the preset that the first modes open on
ROOM = 0.1  # of the picture, on each side, for borders that go round a class


def gaussian(lab: Lab) -> Shown:
    """Describe each class by a Gaussian."""
    X, y = lab.plane.X, lab.plane.labels
    kinds = list(gaussian_discriminant.COVARIANCES)
    how = {
        "covariance": lab.buttons("covariance", "Covariance", kinds, "separate"),
        "ridge": choose_ridge(lab, "ridge", 0.0),
    }
    times = choose_prior(lab)
    held, query = hold_out(lab), picked_point(lab, **NEAR_A_BORDER)
    priors = changed_priors(y[~held], times)
    run = lab.run(
        gaussian_discriminant.gaussian_discriminant, X[~held], y[~held], **how, priors=priors
    )
    mistakes = lab.later(compare_covariances, X, y, held, ridge=how["ridge"], priors=priors)
    return lab.scene(
        Discriminant, run, with_room(lab.plane, ROOM), held, query, mistakes, **how,
        code=gaussian_discriminant,
    )  # fmt: skip


def naive(lab: Lab) -> Shown:
    """Describe each feature of each class by a Gaussian of its own."""
    X, y = lab.plane.X, lab.plane.labels
    smoothing = lab.log_slider(
        "smoothing", "Smoothing ε, share of variance", SMOOTHINGS, 1e-9,
        help="This share of the largest variance of a feature is added to every variance.",
    )  # fmt: skip
    held, query = hold_out(lab), picked_point(lab, **NEAR_A_BORDER)
    run = lab.run(naive_bayes.gaussian_naive_bayes, X[~held], y[~held], smoothing=smoothing)
    mistakes = lab.later(compare_covariances, X, y, held)
    data = with_room(lab.plane, ROOM)
    return lab.scene(NaiveBayes, run, data, held, query, mistakes, code=naive_bayes)


def binned(lab: Lab) -> Shown:
    """Describe each feature of each class by a table of frequencies."""
    X, y = lab.plane.X, lab.plane.labels
    model = lab.buttons("model", "Model", list(counting.MODELS), "categorical")
    bins = lab.slider("bins", "Bins of each axis", 2, MOST_BINS, 5)
    smoothing = {
        "estimate": lab.buttons("estimate", "Estimate", list(counting.ESTIMATES), "laplace"),
        "strength": lab.log_slider("strength", "Strength of the smoothing", STRENGTHS, 1.0),
    }
    held, query = hold_out(lab), picked_point(lab)
    how = {"model": model} | smoothing
    run = lab.run(counting.categorical_naive_bayes, X[~held], y[~held], bins=bins, **how)
    errors = lab.later(counting.errors_by_bins, X, y, held, MOST_BINS, **how)
    return lab.scene(Binned, run, lab.plane, held, query, errors, **smoothing, code=counting)


def few_or_many(lab: Lab) -> Shown:
    """Learn from few points, then from more, and compare the kinds of covariance."""
    ridge = choose_ridge(lab, "lambda", 0.01)
    rng = split_rng(choose_seed(lab))
    run = lab.run(
        learning_curves.learning_curves, lab.plane.X, lab.plane.labels, rng=rng, ridge=ridge
    )
    return lab.scene(LearningCurves, run, lab.plane, code=learning_curves)


def fisher(lab: Lab) -> Shown:
    """Turn an axis until the projected classes are well separated."""
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        fisher_axis.fisher_axis, lab.plane.X, lab.plane.labels, units=(right - left, top - bottom)
    )
    return lab.scene(FisherAxis, run, lab.plane, code=fisher_axis)


def choose_ridge(lab: Lab, name: str, default: float) -> float:
    """Ask for the share of the variance that is added to the variances."""
    text = "This share of a column's variance over all points is added to its variance in a class."
    return lab.log_slider(name, "Ridge λ, share of variance", RIDGES, default, help=text)


def choose_prior(lab: Lab) -> float:
    """Ask for a factor on the frequency of the first class among the training points."""
    return lab.log_slider(
        "prior", "First class, times as frequent", FREQUENCIES, 1.0,
        help="Its prior is set as if the class were this many times as frequent.",
    )  # fmt: skip


def choose_seed(lab: Lab) -> int:
    """Ask for the seed that draws the held-out points."""
    return lab.number("seed", "Seed", 0, 9999, 0, help="Which points are held out.")


def hold_out(lab: Lab) -> ndarray:
    """Return which points are held out: they do not train the model and only count mistakes."""
    share, seed = lab.slider("held", "Held-out points, about %", 0, 60, 30), choose_seed(lab)
    y = lab.plane.labels
    return held_out(len(y), share / 100, rng=split_rng(seed), codes=y)


def picked_point(lab: Lab, across: float = 0.76, up: float = 0.83) -> ndarray:
    """Return the point shown in Bayes' rule; by default near the top right corner."""
    return picked_place(lab, across=across, up=up)


MODES = {
    "Gaussian": gaussian,
    "naive": naive,
    "binned": binned,
    "few or many": few_or_many,
    "Fisher": fisher,
}

OPENS_ON = dict.fromkeys(MODES, "unequal") | {
    "Gaussian": "leaning",
    "naive": "leaning",  # features that depend on each other, as it assumes they do not
    "Fisher": "parallel",
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES, several="Gaussian")
