"""Intervals for an error rate: which samples' intervals hold the true one?"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from algorithms.evaluation.confidence_intervals import (
    METHODS,
    Exact,
    IntervalsStep,
    normal_quantile,
    score_error,
    standard_error,
)
from viz.core import curves, naming, panels, plane
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import ANSWER, Bounds, Figure, Run, View
from viz.core.theme import GREY, NOW, rgb
from viz.core.words import decimal, listed, number
from viz.evaluation.intervals_and_tests.sampled import PROMISED, Sampled

_NAMES = tuple(METHODS)
_LEAST = 1e-4  # of the probability of the likeliest count: less likely counts are not drawn
_BELOW = f"rgba{(*rgb(GREY), 0.2)}"
_MISSES = 4  # the axis of coverage shows up to this many times the promised share of misses


class ErrorRates(Sampled[IntervalsStep]):
    """Intervals of one method, and their coverage, which is known exactly."""

    what = "error rate"

    def __init__(self, run: Run, exact: Exact, method: str) -> None:
        """Write the note. exact : how often the intervals hold the truth in the long run."""
        rates = np.array([step.wrong for step in run.steps]) / exact.n
        super().__init__(run, exact.p, rates, _NAMES, method)
        self.exact, self.method = exact, method
        self.note = _note(exact)

    def views(self) -> list[View]:
        """Return the intervals, their coverage, and the probability of every count."""
        per_cent = f"{100 * self.exact.level:g} %"
        title = f"{per_cent} intervals by {self.method}; those with × miss the true error rate"
        coverage = self.over_rates()
        return [
            View(title, self.picture),
            View(
                "Share of intervals so far that hold it",
                self.share_so_far(self.exact.level, self.exact.at_p),
                height=1.3,
            ),
            View(f"Counts for which {self.method} misses (striped)", self.counts()),
            View("How often an interval holds the true error rate", lambda _: coverage),
        ]

    def _impossible(self, box: Bounds) -> list[dict]:
        """Shade what is below 0, where no error rate is but some of Wald's intervals are."""
        left, right, bottom, _ = box
        corners = np.array([[left, 0.0], [right, 0.0], [right, bottom], [left, bottom]])
        name = "no error rate is below 0"
        return [
            plane.line(corners, fill="toself", fillcolor=_BELOW, line={"width": 0}, name=name),
            naming.words(np.array([left, bottom]), "no rate is below 0", "top right"),
        ]

    def over_rates(self) -> Figure:
        """Draw the coverage of the method, and in grey of Wilson's, for every true error rate."""
        exact, chosen = self.exact, self.chosen
        promised = [exact.level] * 2
        ends = [float(exact.rates[0]), float(exact.rates[-1])]
        plain = {"line": PROMISED, "name": "promised", "showlegend": True}
        covers = float(exact.at_p[chosen])
        x, wilson = plane.packed(exact.rates), _NAMES.index("Wilson")
        traces = [panels.curve(ends, promised, **plain)]
        if chosen != wilson:
            thin = {"line": {"width": 1.5, "color": GREY}, "name": "Wilson", "showlegend": True}
            traces.append(panels.curve(x, plane.packed(exact.curves[wilson]), **thin))
        traces.append(self.curve_of(chosen, x, plane.packed(exact.curves[chosen])))
        mark = curves.marked(exact.p, covers) | {"showlegend": False}
        bottom = max(min(1 - _MISSES * (1 - exact.level), covers), 0.0)
        held = f"dot: {number(100 * covers)} %"
        here = naming.words(np.array([ends[1], bottom]), held, "top left") | {"meta": ANSWER}
        figure = panels.alone(
            panels.Panel(
                [*traces, mark, here],
                panels.axis("true error rate", 0.0, ends[1]),
                panels.axis("coverage", bottom, 1.0),
            )
        )
        return curves.with_legend(figure)

    def counts(self) -> Callable[[int], Figure]:
        """Draw the probability of every count; striped bars are counts whose interval misses."""
        steps, exact = self.steps, self.exact
        seen = [step.wrong for step in steps]
        shown = np.flatnonzero(exact.chances >= _LEAST * exact.chances.max())
        r = np.arange(min(shown[0], *seen), max(shown[-1], *seen) + 1)
        chances, holds = exact.chances[r], exact.holds[self.chosen][r]
        bars = [
            {
                "type": "bar",
                "x": plane.packed(r[part].astype(float)),
                "y": plane.packed(chances[part]),
                "width": 0.9,
                "marker": marker,
                "showlegend": False,
                "hovertemplate": "%{x} wrong: %{y:.3g}<extra></extra>",
            }
            for part, marker in (
                (holds, {"color": GREY}),
                (~holds, {"color": NOW, "pattern": {"shape": "/", "solidity": 0.5}}),
            )
        ]
        across = panels.axis("wrong points in the sample", float(r[0]) - 0.5, float(r[-1]) + 0.5)
        up = panels.axis("probability", 0.0, float(chances.max()))

        def at(now: int) -> Figure:
            wrong = steps[now].wrong
            dot = curves.marked(wrong, float(exact.chances[wrong]))
            return panels.alone(panels.Panel([*bars, dot], across, up))

        return at

    def caption(self, now: int) -> str:
        """Write the sample, the rule with its numbers, and the score so far."""
        step, exact, chosen = self.steps[now], self.exact, self.chosen
        low, high = step.low[chosen], step.high[chosen]
        verdict = f"{'holds' if step.holds[chosen] else 'misses'} the true {number(exact.p)}"
        if low == high:
            verdict += ": it has no width"
        sample = (
            f"Sample {now + 1} of {len(self.steps)}: {step.wrong} of {exact.n} {_are(step)} wrong, "
            f"and the interval from {decimal(low)} to {decimal(high)} {verdict}."
        )
        return self.with_score(now, exact.level, sample, _RULES[chosen](step, exact))

    def answer(self, now: int) -> str:
        """Write how many intervals hold the truth in the long run."""
        share = number(100 * float(self.exact.at_p[self.chosen]))
        return f"In the long run, {share} % of the {_NAMES[self.chosen]} intervals hold it."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """State the next count, and ask whether its interval holds p, or which is the widest."""
        after = self.steps[now + 1]
        sample = f"Of the next {self.exact.n} points {after.wrong} {_are(after)} wrong."
        return _widest(after, sample) if rng.random() < 0.3 else self.about_truth(after, sample)

    def ends(self, step: IntervalsStep, i: int) -> str:
        """Write from where to where the interval of a method goes."""
        return f"{decimal(step.low[i])} to {decimal(step.high[i])}"


def _are(step: IntervalsStep) -> str:
    return "is" if step.wrong == 1 else "are"


def _wald(step: IntervalsStep, exact: Exact) -> str:
    e, n = step.wrong / exact.n, exact.n
    z, spread = normal_quantile(exact.level), float(standard_error(e, n))
    return (
        f"Error rate of the newest sample: e = {step.wrong}/{n} = {decimal(e)}. {_NAMES[0]}: e ± z "
        f"standard errors = {decimal(e)} ± {number(z)} × {decimal(spread)} = {decimal(e)} ± "
        f"{decimal(z * spread)}."
    )


def _wilson(step: IntervalsStep, exact: Exact) -> str:
    e, n, z = step.wrong / exact.n, exact.n, normal_quantile(exact.level)
    root = float(score_error(e, n, z))
    return (
        f"{_NAMES[1]}: (e + z²/2n ± z √(e(1 − e)/n + z²/4n²))/(1 + z²/n), with e = "
        f"{step.wrong}/{n} and z = {number(z)}: ({decimal(e + z**2 / (2 * n))} ± "
        f"{decimal(z * root)})/{decimal(1 + z**2 / n)}."
    )


def _clopper_pearson(step: IntervalsStep, exact: Exact) -> str:
    r, tail = step.wrong, number(100 * (1 - exact.level) / 2)
    lower = (
        f"with p = {decimal(step.low[2])}, {r} or more are wrong in {tail} % of samples"
        if r > 0
        else "no p is too low for 0 errors"
    )
    upper = (
        f"with p = {decimal(step.high[2])}, {r} or fewer are in {tail} %"
        if r < exact.n
        else "no p is too high where all are wrong"
    )
    return f"{_NAMES[2]}: {lower}; {upper}."


_RULES = (_wald, _wilson, _clopper_pearson)


def _widest(after: IntervalsStep, sample: str) -> Question | None:
    width = (after.high - after.low).tolist()
    reason = f"The widths of {listed(_NAMES)} are {listed([number(value) for value in width])}."
    options = [Option(name) for name in _NAMES]
    return which_most(f"{sample} Which interval is the widest?", options, width, lambda *_: reason)


def _note(exact: Exact) -> str:
    """Write how samples are drawn, and whether the rule of thumb is kept."""
    n, p = exact.n, exact.p
    thumb = n * p * (1 - p)
    kept = "is kept" if thumb >= 5 else "is not kept"
    return (
        f"A sample is {n} held-out points, each of them wrong with probability {number(p)}, "
        "independently; the points on the board play no part. A cross: an interval that "
        "misses. A dot or cross is at the estimate e, the sample's own error rate. The rule of "
        f"thumb for Wald, n p (1 − p) ≥ 5, {kept}: {number(thumb)}. The curve is an exact sum over "
        f"all counts, at {len(exact.rates)} error rates; no samples were drawn for it. Counts are "
        "whole numbers, so it has teeth."
    )
