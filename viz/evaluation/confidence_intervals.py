"""Pictures and words for confidence intervals, sample after sample."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.evaluation.confidence_intervals import (
    METHODS,
    Exact,
    IntervalsStep,
    normal_quantile,
    score_error,
    standard_error,
)
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import decimal, number
from viz.evaluation import confidence_intervals_questions as questions
from viz.evaluation.interval_pictures import curve_of, picture

NAMES = tuple(METHODS)
_LEAST = 1e-4  # of the likeliest count: less likely ones are not drawn
_MISSES = 4  # times the share of misses that is promised: so far down the axis of coverage goes


def intervals(run: Run, exact: Exact, method: str) -> Scene:
    """Show one interval after the other, of one method. exact : what they do in the long run."""
    steps, chosen = run.steps, NAMES.index(method)
    per_cent = f"{100 * exact.level:g} %"
    views = [
        View(
            f"{per_cent} intervals by {method}; those with × miss the true error rate",
            picture(steps, exact.p, chosen, "error rate"),
        ),
        View(
            "How often an interval holds it, for every true error rate", over_rates(exact, chosen)
        ),
        View(
            f"How probable every count is; striped: {method} misses", counts(steps, exact, chosen)
        ),
    ]
    return Scene(
        views,
        lambda now: caption(steps, exact, chosen, now),
        note(exact),
        ask=questions.ask(steps, exact, chosen),
    )


def over_rates(exact: Exact, chosen: int) -> Callable[[int], Figure]:
    """Draw how often the intervals of each method hold a true error rate, for all of these."""
    promised = [exact.level] * 2
    ends = [float(exact.rates[0]), float(exact.rates[-1])]
    traces = [panels.curve(ends, promised, line={"width": 1.5, "dash": "dot", "color": GREY})]
    for i, name in enumerate(NAMES):
        x, y = plane.packed(exact.rates), plane.packed(exact.curves[i])
        traces.append(curve_of(i, name, x, y, chosen=chosen))
    mark = curves.marked(exact.p, float(exact.at_p[chosen])) | {"showlegend": False}
    bottom = max(min(1 - _MISSES * (1 - exact.level), float(exact.at_p.min())), 0.0)
    figure = panels.alone(
        panels.Panel(
            [*traces, mark],
            panels.axis("true error rate", 0.0, ends[1]),
            panels.axis("coverage", bottom, 1.0),
        )
    )
    figure = curves.with_legend(figure)
    return lambda _: figure


def counts(steps: Sequence[IntervalsStep], exact: Exact, chosen: int) -> Callable[[int], Figure]:
    """Draw how probable every count of errors is, those with an interval that misses striped."""
    seen = [step.wrong for step in steps]
    shown = np.flatnonzero(exact.chances >= _LEAST * exact.chances.max())
    r = np.arange(min(shown[0], *seen), max(shown[-1], *seen) + 1)
    chances, holds = exact.chances[r], exact.holds[chosen][r]
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
    across = panels.axis("wrong of the sample", float(r[0]) - 0.5, float(r[-1]) + 0.5)
    up = panels.axis("probability", 0.0, float(chances.max()))

    def at(now: int) -> Figure:
        wrong = steps[now].wrong
        ring = curves.marked(wrong, float(exact.chances[wrong]))
        return panels.alone(panels.Panel([*bars, ring], across, up))

    return at


def caption(steps: Sequence[IntervalsStep], exact: Exact, chosen: int, now: int) -> str:
    """Say what the sample gave, put it into the rule, count who held, and give the other two."""
    step, n, p = steps[now], exact.n, exact.p
    low, high = step.low[chosen], step.high[chosen]
    verdict = (
        f"holds the true {number(p)}" if step.holds[chosen] else f"misses the true {number(p)}"
    )
    if low == high:
        verdict += ": it has no width"
    held, so_far = int(step.held[chosen]), now + 1
    others = [
        f"{NAMES[i]}: {_ends(step, i)}, {'holds' if step.holds[i] else 'misses'}"
        for i in range(len(NAMES))
        if i != chosen
    ]
    return "\n".join(
        [
            f"Sample {so_far} of {len(steps)}: {step.wrong} of {n} are wrong, and the interval "
            f"from {decimal(low)} to {decimal(high)} {verdict}.",
            _RULES[chosen](step, exact),
            f"{held} of {so_far} so far hold it: {number(100 * held / so_far)} %. Promised are "
            f"{100 * exact.level:g} %; in the long run it is {_percent(exact.at_p[chosen])}, the "
            "sum of the bars without stripes.",
            f"{'; '.join(others)}.",
        ]
    )


def _ends(step: IntervalsStep, i: int) -> str:
    return f"{decimal(step.low[i])} to {decimal(step.high[i])}"


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def _wald(step: IntervalsStep, exact: Exact) -> str:
    e, n = step.wrong / exact.n, exact.n
    z, spread = normal_quantile(exact.level), float(standard_error(e, n))
    return (
        f"{NAMES[0]}: e ± z √(e(1 − e)/n), with e = {step.wrong}/{n} = {decimal(e)}: "
        f"{decimal(e)} ± {number(z)} × {decimal(spread)} = {decimal(e)} ± {decimal(z * spread)}."
    )


def _wilson(step: IntervalsStep, exact: Exact) -> str:
    e, n, z = step.wrong / exact.n, exact.n, normal_quantile(exact.level)
    root = float(score_error(e, n, z))
    return (
        f"{NAMES[1]}: (e + z²/2n ± z √(e(1 − e)/n + z²/4n²))/(1 + z²/n), with e = "
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
    return f"{NAMES[2]}: {lower}; {upper}."


_RULES = (_wald, _wilson, _clopper_pearson)


def note(exact: Exact) -> str:
    """Say how samples are drawn, and whether the rule of thumb is kept."""
    n, p = exact.n, exact.p
    thumb = n * p * (1 - p)
    kept = "is kept" if thumb >= 5 else "is not kept"
    return (
        f"A sample is {n} held-out points, each of them wrong with probability {number(p)}, "
        "independently; the points on the board play no part. A cross: an interval that "
        "misses. A square: that of this step. The rule of thumb for Wald, "
        f"n p (1 − p) ≥ 5, {kept}: {number(thumb)}. The curves are sums over all counts, not "
        f"samples; they are drawn at {len(exact.rates)} rates."
    )
