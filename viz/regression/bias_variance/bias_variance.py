"""Bias, variance and noise over many training sets from a known truth."""

import numpy as np
from numpy import ndarray

from algorithms.data.truths import Truth
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from viz.core import plane
from viz.core.scene import Plane, Run
from viz.core.words import decimal, number, rounded
from viz.regression.bias_variance import marks
from viz.regression.bias_variance.many_fits import Family, ManyFits, Parts
from viz.regression.bias_variance.marks import FIT, MEAN, NOISE, TEST, TRUTH, amount

_DOWN = 6  # Plotly's triangle that points downwards
_CHANCE = 0.05  # of (mean − f)²: less chance than that is not worth a line
_EXACT = 1e-12  # of the picture's height: a smaller distance is rounding
_LEAST_SETS = 3  # from which on bias² has a standard error
_FEW = 10  # sets: with fewer, the standard error of bias² is itself a guess
_MORE = 3  # times as large: one part of the error is the story


class Decomposition(ManyFits[BiasVarianceStep]):
    """The error of many training sets as noise, bias² and variance."""

    unit = "set"
    goal = "truth"
    counts_from = 1

    def __init__(self, run: Run, data: Plane, family: Family, at: ndarray, truth: Truth) -> None:
        """Compare the fits with the truth. data, at : see `ManyFits`."""
        last = run.steps[-1]
        center = np.broadcast_to(last.truth, last.mean.shape)
        super().__init__(run, data, family, at, center)
        low, high = map(number, self.ends())
        self.note = (
            "The parts are corrected for the chance in a mean of few fits, so bias² may fall below "
            "0; it is drawn at 0 then, as ▽, and not at a single x. Bars: 2 standard errors. On a "
            "logarithmic axis, ▽ is below the picture. "
            f"The centre of a target is the truth, its rim an error of {number(self.eye.reach)}. "
            "Truth: "
            f"{truth.text}; x in [{low}, {high}], noise σ = {number(last.noise**0.5)} (σ² = "
            f"{number(last.noise)}). Every set is tested on {last.tested // last.sets} fresh "
            f"points of its own. {self.fitted()}"
        )

    def titles(self) -> tuple[str, str]:
        """Return the titles of the errors, by complexity and at every x."""
        return f"Error by {self.what}", f"At each x, {self.kind}: noise + bias² + variance"

    def known(self, now: int) -> list[dict]:
        """Draw this set's points, and the truth: broad, so that it is seen beside the mean fit."""
        ring = {"size": 6, "color": FIT, "symbol": "circle-open", "line": {"width": 1.5}}
        name = "truth through ◆" if len(self.data.X) else "truth"
        solid = {"line": {"width": 5, "color": TRUTH}, **marks.named(name)}
        train = self.steps[now].train
        return [
            plane.line(train, mode="markers", marker=ring, **marks.named("this set")),
            self.curve(self.center[self.chosen], every=1, **solid),
        ]

    def points(self, now: int) -> dict:
        """Return the points on the board: green, on the truth."""
        return plane.points(self.data.X, np.full(len(self.data.X), 2))

    def lengths(self, now: int) -> list[dict]:
        """Draw how far apart the fits are, and how far their mean is from the truth.

        A mean that is off by no more than two standard errors may be so by chance.
        """
        step, j, spot = self.steps[now], self.chosen, self.spots[0]
        truth, mean = float(step.truth[spot]), float(step.mean[j, spot])
        error = float(np.sqrt(step.corrected_variance[j, spot] / step.sets))
        ends = truth, mean if abs(mean - truth) > 2 * error else truth
        what = "at x₁: from the truth to the mean fit"
        return [self.length(now, spot, ends, "bias", MEAN, what), *super().lengths(now)]

    def parts(self, step: BiasVarianceStep) -> Parts:
        """Return for every complexity bias², variance, and the sum with the noise."""
        bias, variance = step.corrected_bias_squared, step.corrected_variance
        return bias.mean(axis=1), variance.mean(axis=1), step.expected_error

    def layers(self, step: BiasVarianceStep) -> Parts:
        """Return noise, noise + bias², and noise + bias² + variance at every x."""
        j = self.chosen
        noise, bias = np.full(len(step.x), step.noise), step.corrected_bias_squared[j]
        return noise, noise + bias.clip(0), noise + step.bias_squared[j] + step.variance[j]

    def spread(self, step: BiasVarianceStep) -> ndarray:
        """Return the variance that the picture shows as a band."""
        return step.corrected_variance

    def errors(self, step: BiasVarianceStep, foot: float) -> list[dict]:
        """Draw bias², variance, their sum with the noise, and the test error.

        foot : the least error there is room for. A smaller part is drawn there, pointing downwards.
        """
        bias, variance, total = self.parts(step)
        dashed = {"mode": "lines", "line": {"width": 1.5, "dash": "dash"}}
        down = [
            np.where(values < foot, _DOWN, usual).tolist()
            for values, usual in ((bias, 1), (variance, 0))
        ]
        ring = {"size": 11, "symbol": "circle-open", "color": TEST, "line": {"width": 2}}
        tested = {"mode": "markers", "marker": ring}
        bars = _bars(step.test_error, step.standard_error, foot) | {"width": 0}
        return [
            marks.dots(
                bias.clip(foot), "bias²", MEAN, down[0],
                error_y=_bars(bias, step.bias_error, foot),
            ),
            marks.dots(
                variance.clip(foot), "variance", FIT, down[1],
                error_y=_bars(variance, step.variance_error, foot),
            ),
            marks.dots(np.full(len(total), step.noise), "noise", NOISE, 0, **dashed),
            marks.dots(total, "sum", None, 0, line={"width": 3}),
            marks.dots(step.test_error, "test error", TEST, 0, error_y=bars, **tested),
        ]  # fmt: skip

    def lines(self, now: int) -> list[str]:
        """Write how bias² and variance change, and how well their sum predicts the test error."""
        return self._joined(now) if now else self._first()

    def _first(self) -> list[str]:
        step, j, spot = self.steps[0], self.chosen, self.spots[0]
        rest = step.expected_error[j] - step.noise
        return [
            f"Set 1 of {len(self.steps)}: {len(step.train)} noisy points of the truth and their "
            f"fit, {self.kind}.",
            f"At x₁ the fit is h = {decimal(step.predictions[j, spot])}, the truth f = "
            f"{decimal(step.truth[spot])}. One fit cannot separate bias from variance: all of its "
            "error counts as bias.",
            f"Over all x: (h − f)² {amount(rest)} + noise {amount(step.noise)} = "
            f"{amount(step.expected_error[j])}; the {self._tested(step)}.",
        ]

    def _joined(self, now: int) -> list[str]:
        step, j = self.steps[now], self.chosen
        b, noise = step.sets, step.noise
        bias, variance, _ = (float(part[j]) for part in self.parts(step))
        found = (bias + variance, noise) if bias < 0 else (bias, variance, noise)
        parts = marks.agreeing(found, step.expected_error[j], lambda *parts: sum(parts))
        named = (
            "bias² + variance {} + noise {}" if bias < 0 else "bias² {} + variance {} + noise {}"
        )
        off, chance = float(step.bias_squared[j].mean()), variance / b
        return [
            f"Set {b} of {len(self.steps)}: at {self.kind} {self._verdict(step, bias, variance)}",
            f"Together, {named} = {{}}; the ".format(*parts) + f"{self._tested(step)}.",
            *([_corrected(off, chance, bias, b)] if chance > _CHANCE * off else []),
        ]

    def _verdict(self, step: BiasVarianceStep, bias: float, variance: float) -> str:
        """Write whether the fits miss the truth together or scatter around it, if one can tell."""
        off, apart = (
            float(np.sqrt(part[self.chosen].mean()))
            for part in (step.bias_squared, step.corrected_variance)
        )
        bottom, top = self.data.bounds[2:]
        if max(off, apart) < _EXACT * (top - bottom):
            return "every fit is the truth."
        off, apart = rounded(off, 2), rounded(apart, 2)
        both = f"their mean is {off} off the truth, a fit {apart} off their mean."
        if step.sets < _LEAST_SETS:
            return f"two fits cannot show a bias; {both}"
        if bias <= 2 * step.bias_error[self.chosen]:
            return (
                f"fits scatter around the truth, each {apart} off their mean; that the mean is "
                f"{off} off the truth may be chance."
            )
        so_far = " so far" if step.sets < _FEW else ""
        if bias > _MORE * variance:
            missed = "so far miss the truth alike" if so_far else "agree and miss the truth"
            return f"fits {missed}; {both}"
        if variance > _MORE * bias:
            return f"fits{so_far} scatter more than they miss; {both}"
        return f"fits{so_far} miss and scatter; {both}"

    def _tested(self, step: BiasVarianceStep) -> str:
        return f"error on {step.tested} fresh points is {amount(step.test_error[self.chosen])}"


def _corrected(off: float, chance: float, bias: float, sets: int) -> str:
    """Write bias² as what the mean fit is off, minus what chance moves it; no square below 0."""
    square, less, shown = marks.agreeing((off, chance), bias, lambda a, b: a - b)
    if bias < 0:
        return (
            f"A mean of {sets} fits is off by chance, too: (mean − f)² = {square} is no more than "
            f"variance/{sets} = {less}, so nothing shows a bias."
        )
    return (
        f"A mean of {sets} fits is off by chance, too: bias² = (mean − f)² − variance/{sets} = "
        f"{square} − {less} = {shown}."
    )


def _bars(values: ndarray, error: ndarray, foot: float) -> dict:
    """Draw two standard errors up and down, as far as the axis goes."""
    shown = values.clip(foot)
    return {
        "type": "data",
        "symmetric": False,
        "array": plane.packed((values + 2 * error).clip(foot) - shown),
        "arrayminus": plane.packed(shown - (values - 2 * error).clip(foot)),
        "thickness": 1.5,
        "width": 4,
    }
