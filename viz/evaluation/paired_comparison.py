"""Pictures and words for two classifiers, compared over folds or over random splits."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from algorithms.evaluation.paired_comparison import (
    FOLDS,
    LEVEL,
    FalseAlarms,
    PairedStep,
    TTest,
)
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW, color
from viz.core.words import added, counted, number
from viz.evaluation import paired_comparison_questions as questions
from viz.evaluation.pair import MARKS, pair

_PLAIN = {"width": 2.5, "color": NOW}
_CORRECTED = {"width": 2.5, "color": color(0), "dash": "dash"}
_LEAST = 1e-4  # a p-values below are not written out


class Compared(NamedTuple):
    """What is compared: the names of both classifiers, and how resamples are called."""

    first: str
    second: str
    scheme: str

    @property
    def one(self) -> str:
        """One resample: "fold" or "split"."""
        return "fold" if self.scheme == FOLDS else "split"


def comparison(run: Run, data: Plane, alarms: FalseAlarms, compared: Compared) -> Scene:
    """Show one fold, or one split, after the other."""
    steps: Sequence[PairedStep] = run.steps
    views = [
        View("Both classifiers; held-out points are ringed", picture(data, steps)),
        View("First less second; mean, 95 % intervals", differences(steps, compared)),
        View("False alarms where both are equally good", alarm_curves(alarms, compared)),
    ]
    return Scene(
        views,
        lambda now: caption(steps, alarms, compared, now),
        note(data, alarms, compared),
        ask=questions.ask(steps, compared.first, compared.second, compared.one),
    )


def picture(data: Plane, steps: Sequence[PairedStep]) -> Callable[[int], Figure]:
    """Draw both as this resample has them, and mark what only one of them gets wrong."""

    def at(now: int) -> Figure:
        step = steps[now]
        draw = pair(data, step.classes, step.models, fine=False)
        return draw(step.held_out, step.wrong)

    return at


def differences(steps: Sequence[PairedStep], compared: Compared) -> Callable[[int], Figure]:
    """Draw the differences so far, their mean, and the two intervals that should hold 0."""
    final = 100 * steps[-1].differences
    count = len(final)
    low, high = float(min(final.min(), 0.0)), float(max(final.max(), 0.0))
    ends, places = [0.5, count + 0.5], plane.packed(np.arange(1.0, count + 1))
    across = panels.axis(compared.one, 1, count) | {"range": ends}
    up = panels.axis("difference, %", low, high if high > low else low + 1.0)
    zero = panels.curve(ends, [0, 0], line={"width": 1, "dash": "dot"})

    def at(now: int) -> Figure:
        step = steps[now]
        found = np.where(np.arange(count) <= now, final, np.nan)
        mean = 100 * step.mean
        traces = [
            *_interval(ends, mean, step.plain, _PLAIN, "plain"),
            *_interval(ends, mean, step.corrected, _CORRECTED, "corrected"),
            zero,
            panels.curve(ends, [mean, mean], line={"width": 2.5}),
            panels.curve(places, plane.packed(found), mode="markers", marker={"size": 7}),
            curves.marked(now + 1, float(final[now])) | {"showlegend": False},
        ]
        return curves.with_legend(panels.alone(panels.Panel(traces, across, up)))

    return at


def _interval(
    ends: list[float], mean: float, test: TTest | None, stroke: dict, name: str
) -> list[dict]:
    """Draw both edges of the interval around the mean that leaves out 0 where the test calls."""
    half = 100 * test.half if test else 0.0
    named = {"name": name, "showlegend": True}
    return [
        panels.curve(ends, [mean + side * half] * 2, line=stroke, visible=test is not None, **more)
        for side, more in ((-1, {}), (1, named))
    ]


def alarm_curves(alarms: FalseAlarms, compared: Compared) -> Callable[[int], Figure]:
    """Draw the share of false alarms of both tests after every number of resamples."""
    count = len(alarms.plain)
    b = np.arange(1.0, count + 1)
    shown = {
        "plain t": (alarms.plain, _PLAIN),
        "corrected t": (alarms.corrected, _CORRECTED),
    }
    lines = [
        panels.curve(
            plane.packed(b), plane.packed(100 * share), line=stroke, name=name, showlegend=True
        )
        for name, (share, stroke) in shown.items()
    ]
    promised = panels.curve(
        [1, count], [100 * LEVEL] * 2, line={"width": 1.5, "dash": "dot", "color": GREY}
    )
    top = 100 * max(float(alarms.plain.max()), float(alarms.corrected.max()), 2 * LEVEL)
    across = panels.axis(f"{compared.one}s", 1, count)
    up = panels.axis("% of data sets", 0.0, top)

    def at(now: int) -> Figure:
        marks = [
            curves.marked(now + 1, 100 * float(share[now])) | {"showlegend": False}
            for share, _ in shown.values()
        ]
        panel = panels.Panel([promised, *lines, *marks], across, up)
        return curves.with_legend(panels.alone(panel))

    return at


def caption(steps: Sequence[PairedStep], alarms: FalseAlarms, compared: Compared, now: int) -> str:
    """Say who won this time, put the differences into both tests, and say what those are worth."""
    step, b = steps[now], now + 1
    first, second = step.wrong.sum(axis=1).tolist()
    held = int(step.held_out.sum())
    return "\n".join(
        [
            f"{compared.one.capitalize()} {b} of {len(steps)}: of {counted(held, 'held-out point')}"
            f" {compared.first} gets {first} wrong, {compared.second} {second}: "
            f"d = {_points(step.differences[-1])} percentage points.",
            *_tests(step, b),
            f"Where both are equally good, the plain test calls them different in "
            f"{number(100 * alarms.plain[now])} % of data sets after {counted(b, compared.one)}, "
            f"the corrected one in {number(100 * alarms.corrected[now])} %.",
        ]
    )


def _points(share: float) -> str:
    return number(100 * share)


def _tests(step: PairedStep, b: int) -> list[str]:
    """Put the mean and the spread of the differences into the plain t and into the corrected."""
    plain, corrected = step.plain, step.corrected
    if plain is None or corrected is None:
        why = "One difference has no spread" if b == 1 else f"All {b} differences are the same"
        return [f"{why}, so there is no t."]
    mean, spread = _points(step.mean), _points(plain.spread)
    return [
        f"Mean {mean}, standard deviation {spread}. Plain: t = {mean}/({spread} √(1/{b})) = "
        f"{number(plain.t)}, {_p(plain)}.",
        f"Corrected: t = {mean}/({spread} √(1/{b} {added(step.overlap, 2)})) = "
        f"{number(corrected.t)}, {_p(corrected)}.",
    ]


def _p(test: TTest) -> str:
    p = f"= {number(test.p, 2)}" if test.p >= _LEAST else "< 0.0001"
    return f"p {p}: {'different' if test.calls else 'may be luck'}"


def note(data: Plane, alarms: FalseAlarms, compared: Compared) -> str:
    """Say how the points are drawn and marked, and where the false alarms come from."""
    n = len(data.X)
    how = (
        f"The {n} points are dealt into folds, class by class."
        if compared.scheme == FOLDS
        else f"Every split draws anew which of the {n} points are held out."
    )
    return (
        f"{how} Both classifiers are fitted to the others, standardised. {MARKS} A test calls them "
        f"different where p is below {number(100 * LEVEL)} %, that is where its interval around "
        f"the mean leaves out 0. The false alarms are counted on {alarms.sets} data sets of "
        f"{alarms.n} points each, drawn with a seed of their own, not on the board’s: there the "
        "nearest mean on one feature meets the nearest mean on another just like it."
    )
