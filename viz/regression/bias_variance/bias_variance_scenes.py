"""What the lab of bias and variance shows, with the truth known or not."""

from dataclasses import dataclass
from functools import partial

from numpy import ndarray

from algorithms.data.truths import Truth
from algorithms.regression.bias_variance.curve_fits import Models
from viz.core.scene import Plane, Run, Scene, View
from viz.regression.bias_variance import (
    bias_variance,
    bias_variance_questions,
    bias_variance_words,
)
from viz.regression.bias_variance.bias_variance import Fits


@dataclass(frozen=True)
class Family:
    """What is fitted: models from simple to flexible, and the place of the `chosen` one."""

    models: Models
    chosen: int


def decomposition(run: Run, data: Plane, family: Family, at: ndarray, truth: Truth) -> Scene:
    """Show the error of many training sets as noise, bias² and variance.

    data : without points where they have no part in the truth. at : the bull's-eye's two x.
    """
    return _scene(_fits(run, data, family, at), family.models, truth.text)


def resampling(run: Run, data: Plane, family: Family, at: ndarray) -> Scene:
    """Show what the bootstrap tells where the truth is unknown; `at` is the bull's-eye's two x."""
    return _scene(_fits(run, data, family, at), family.models, "")


def _fits(run: Run, data: Plane, family: Family, at: ndarray) -> Fits:
    kinds = bias_variance_words.kinds(family.models)
    return Fits(run.steps, family.chosen, kinds, at, data)


def _scene(fits: Fits, models: Models, truth: str) -> Scene:
    picture, against, by_place, eye = bias_variance_words.titles(fits)
    views = [
        View(picture, partial(bias_variance.picture, fits)),
        View(against, partial(bias_variance.against_complexity, fits), height=1.3),
        View(by_place, partial(bias_variance.by_place, fits)),
        View(eye, fits.eye.picture),
    ]
    caption = partial(bias_variance_words.caption, fits)
    return Scene(
        views,
        caption,
        bias_variance_words.note(fits, models, truth),
        ask=bias_variance_questions.ask(fits),
    )
