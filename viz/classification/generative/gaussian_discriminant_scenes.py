"""What the lab of generative classifiers shows: one function per mode."""

from collections.abc import Mapping

from viz.classification.generative import categorical_naive_bayes as draw_bins
from viz.classification.generative import categorical_naive_bayes_words as bin_words
from viz.classification.generative import gaussian_discriminant as draw
from viz.classification.generative import gaussian_discriminant_words as words
from viz.core.scene import Plane, Run, Scene, View

PICTURE = "Regions, means and ellipses"
NUMBERS = "Numbers to estimate with d features, priors aside"


def gaussian(
    run: Run, data: Plane, mistakes: Mapping[str, int], covariance: str, ridge: float
) -> Scene:
    """Show one Gaussian for each class.

    mistakes : points on the wrong side, by kind of covariance. covariance : the kind that is shown.
    """
    steps, k = run.steps, len(run.steps[0].classes)
    numbers = draw.parameters(k, covariance)
    views = [
        View(PICTURE, lambda now: draw.picture(data, steps, now)),
        View(
            "Prior times density along the line through two means",
            lambda now: draw.cut(data, steps, now),
        ),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: words.discriminant_caption(data, steps, covariance, ridge, now),
        note=words.comparison(mistakes, k, data, ridge),
    )


def naive(run: Run, data: Plane, mistakes: Mapping[str, int]) -> Scene:
    """Show one Gaussian for each feature of each class. mistakes : as for `gaussian`."""
    steps, k = run.steps, len(run.steps[0].classes)
    numbers = draw.parameters(k, "diagonal")
    views = [
        View(PICTURE, lambda now: draw.picture(data, steps, now)),
        View(
            "Density of each feature in each class: the factors",
            lambda now: draw.features(data, steps, now),
        ),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: words.naive_caption(data, steps, now),
        note=words.comparison(mistakes, k, data, 0.0),
    )


def binned(run: Run, data: Plane, estimate: str, strength: float) -> Scene:
    """Show tables of frequencies in place of curves. estimate, strength : of the smoothing."""
    steps = run.steps
    k, n_features, values = steps[0].tables.shape
    asks = draw_bins.asks(steps[0])
    numbers = draw_bins.parameters(k, n_features, values)
    views = [
        View("Regions in steps, and the points", lambda now: draw_bins.picture(data, steps, now)),
        View(
            "P(yes | class) at every edge" if asks else "P(bin | class) of each feature",
            lambda now: draw_bins.tables(data, steps, now),
        ),
        View(NUMBERS, lambda _: numbers),
    ]
    return Scene(
        views,
        lambda now: bin_words.caption(data, steps, estimate, strength, now),
        note=f"x is {data.names[0]}, y is {data.names[1]}.",
    )
