"""The bootstrap: the variance of a fit, estimated from resamples of the points."""

import numpy as np
from numpy import ndarray

from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from viz.core import plane
from viz.core.scene import Plane, Run
from viz.core.words import number
from viz.regression.bias_variance import marks
from viz.regression.bias_variance.many_fits import Family, ManyFits, Parts
from viz.regression.bias_variance.marks import FIT, MEAN, TRUTH, amount

_MANY = 1500  # points: more cannot be distinguished by their symbol


class Resampling(ManyFits[BootstrapStep]):
    """What resamples show where the truth is unknown."""

    unit = "resample"
    goal = "full fit"
    counts_from = 1

    def __init__(self, run: Run, data: Plane, family: Family, at: ndarray) -> None:
        """Compare the fits with those to all points. data, at : see `ManyFits`."""
        super().__init__(run, data, family, at, run.steps[-1].full)
        self.squares = len(self.last.counts) <= _MANY  # for the points that a resample left out
        self.note = (
            f"Only the {len(self.last.counts)} points are known. Resampling shows the variance; "
            f"without a truth, bias and noise cannot be separated. The centre of a target is the "
            f"fit to all points, its rim is {number(self.eye.reach)} away. {self.fitted()}"
        )

    def titles(self) -> tuple[str, str]:
        """Return the titles of the errors, by complexity and at every x."""
        return f"Out-of-bag error by {self.what}", f"Variance at each x, {self.kind}"

    def known(self, now: int) -> list[dict]:
        """Draw the fit to all points."""
        broad = {"width": 7, "color": TRUTH}
        return [self.curve(self.center[self.chosen], line=broad, **marks.named("full fit"))]

    def points(self, now: int) -> dict:
        """Return the points on the board; those that the resample left out are marked."""
        out = (self.steps[now].counts == 0) & self.squares
        return plane.points(self.data.X, np.zeros(len(out)), held=out)

    def parts(self, step: BootstrapStep) -> Parts:
        """Return for every complexity bias² with the noise, variance, and the sum."""
        return step.mean_error, step.test_variance, step.test_error

    def layers(self, step: BootstrapStep) -> Parts:
        """Return the variance at every x; noise and bias² are not known and count as 0."""
        return np.zeros(len(step.x)), np.zeros(len(step.x)), step.variance[self.chosen]

    def spread(self, step: BootstrapStep) -> ndarray:
        """Return the variance that the picture shows as a band."""
        return step.variance

    def errors(self, step: BootstrapStep, foot: float) -> list[dict]:
        """Draw the out-of-bag errors of the mean fit and of a single fit, and the variance."""
        rest, variance, total = self.parts(step)
        return [
            marks.dots(rest, "mean fit: bias² + noise", MEAN, 1),
            marks.dots(variance, "variance", FIT, 0),
            marks.dots(total, "single fit: sum", None, 100, line={"width": 3}),
        ]

    def lines(self, now: int) -> list[str]:
        """Write what the resample holds, and the out-of-bag errors."""
        step, j = self.steps[now], self.chosen
        n, held = len(step.counts), int((step.counts > 0).sum())
        which = f"Resample {step.sets} of {len(self.steps)}"
        first = (
            f"{which} holds {held} of the {n} points ({number(100 * held / n)} %), some "
            f"repeatedly; the {n - held} left out test it."
        )
        if held == n:
            first = f"{which} holds every point: none can test it."
        if step.judged == 0:
            return [first, "No resample has left out a point so far, so nothing could be tested."]
        errors = (step.test_error, step.mean_error, step.test_variance)
        single, mean, variance = (amount(float(values[j])) for values in errors)
        second = (
            f"Out-of-bag error of a single fit {single} = mean fit {mean} (bias² + noise, "
            f"inseparable) + variance {variance}, over {step.judged} points."
        )
        return [first, second]
