"""What the lab of generative classifiers shows: one function per mode."""

from collections.abc import Mapping
from typing import Any

from numpy import ndarray

from viz.classification.generative import categorical_naive_bayes as draw_bins
from viz.classification.generative import categorical_naive_bayes_questions as bin_questions
from viz.classification.generative import categorical_naive_bayes_words as bin_words
from viz.classification.generative import gaussian_discriminant as draw
from viz.classification.generative import gaussian_discriminant_questions as questions
from viz.classification.generative import gaussian_discriminant_words as words
from viz.classification.generative import learning_curves as draw_learning
from viz.classification.generative import learning_curves_questions as learning_questions
from viz.classification.generative.bayes_words import outlines
from viz.classification.generative.fit import Fit, axes
from viz.core.scene import Plane, Run, Scene, View

PICTURE = "Regions, means and ellipses"
NUMBERS = "Numbers to estimate with d features, priors aside"

Mistakes = Mapping[str, tuple[int, int]]  # by kind of covariance: of points learned from, held out


def gaussian(
    run: Run,
    data: Plane,
    held: ndarray,
    query: ndarray,
    mistakes: Mistakes,
    how: Mapping[str, Any],
) -> Scene:
    """Show one Gaussian for each class.

    held, query : see `Fit`. how : what the algorithm was told, its `covariance` and its `ridge`.
    """
    fit, k = Fit(data, run.steps, held, query), len(run.steps[0].classes)
    numbers = draw.parameters(k, how["covariance"])
    views = [
        View(PICTURE, lambda now: draw.picture(fit, now, sliced=True)),
        View(
            "Prior times density along the dotted line",
            lambda now: draw.slice_through(fit, now),
        ),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: words.discriminant_caption(fit, now, **how),
        note=words.comparison(mistakes, k, fit, how["ridge"]),
        ask=questions.ask(fit),
    )


def naive(run: Run, data: Plane, held: ndarray, query: ndarray, mistakes: Mistakes) -> Scene:
    """Show one Gaussian for each feature of each class. held, query : see `Fit`."""
    fit, k = Fit(data, run.steps, held, query), len(run.steps[0].classes)
    numbers = draw.parameters(k, "diagonal")
    views = [
        View(PICTURE, lambda now: draw.picture(fit, now)),
        View(
            "Density of each feature in each class: the factors",
            lambda now: draw.features(fit, now),
        ),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: words.naive_caption(fit, now),
        note=words.comparison(mistakes, k, fit, 0.0),
        ask=questions.ask(fit),
    )


def binned(
    run: Run,
    data: Plane,
    held: ndarray,
    query: ndarray,
    errors: ndarray,
    smoothing: Mapping[str, Any],
) -> Scene:
    """Show tables of frequencies in place of curves.

    held, query : see `Fit`. errors : mistakes by number of bins. smoothing : the `estimate` that
    the algorithm was told, and its `strength`.
    """
    fit = Fit(data, run.steps, held, query)
    k, n_features, values = run.steps[0].tables.shape
    asks = draw_bins.asks(run.steps[0])
    sizes = int((~held).sum()), int(held.sum())
    by_bins = draw_bins.errors(errors, sizes, run.steps[0].edges.shape[1] + 1)
    numbers = draw_bins.parameters(k, n_features, values)
    views = [
        View("Regions in steps, and the points", lambda now: draw_bins.picture(fit, now)),
        View(
            "P(yes | class) at every edge" if asks else "P(bin | class) of each feature",
            lambda now: draw_bins.tables(fit, now),
        ),
        View("Wrong points by number of bins", lambda _: by_bins),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: bin_words.caption(fit, now, **smoothing),
        note=f"{axes(data)}{outlines(fit)}",
        ask=bin_questions.ask(fit),
    )


def learning(run: Run, data: Plane) -> Scene:
    """Show how the kinds of covariance do as they learn from more and more points."""
    steps = run.steps
    views = [
        View(
            "Borders learned from a few of the points",
            lambda now: draw_learning.picture(data, steps, now),
        ),
        View(
            "Error on held-out points, by points learned from",
            lambda now: draw_learning.errors(steps, now),
            ahead=True,
        ),
    ]
    return Scene(
        views,
        lambda now: draw_learning.caption(data, steps, now),
        note=draw_learning.note(data, len(steps[0].models[0].classes)),
        ask=learning_questions.ask(steps),
    )
