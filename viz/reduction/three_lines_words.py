"""Words for three lines through one cloud: which distances a line makes small."""

from collections.abc import Sequence

from algorithms.reduction.three_lines import LineStep
from viz.core.words import enclosed, number
from viz.reduction.three_lines import NAMES, SIDES, best

_WHAT = {
    "up": "distances up and down: the regression of y on x",
    "across": "distances straight across: the principal axis",
    "sideways": "distances to the side: the regression of x on y",
}


def caption(steps: Sequence[LineStep], names: tuple[str, str], side: str, now: int) -> str:
    """Say what the line at step `now` makes small, and by which rule. names : of x and y."""
    step = steps[now]
    line = f"The line at {step.angle:.1f}° has slope {_finite(step.slope)}"
    kind = next((kind for kind, event in SIDES.items() if event == step.event), None)
    if kind is None:
        rival = best(steps, side)
        first = (
            f"{line}; the mean squared distance {side} is {_finite(getattr(step, side))}, the "
            f"least is {_finite(getattr(rival, side))} at {rival.angle:.1f}°."
        )
    else:
        first = f"{line}, the least {_WHAT[kind]}."
    slopes = ", ".join(f"{NAMES[kind]} {_finite(best(steps, kind).slope)}" for kind in SIDES)
    named = f"x is {names[0]}, y is {names[1]}. " if names != ("x", "y") else ""
    return f"{first}\n{_rule(step)}\n{named}Slopes: {slopes}."


def _rule(step: LineStep) -> str:
    """Put the numbers into the rule of the three mean squares."""
    (ux, uy), S = step.components[0], step.covariance
    a, b, s = (enclosed(value) for value in (ux, uy, S[0, 1]))
    terms = f"{b}²·{number(S[0, 0])} − 2·{a}·{b}·{s} + {a}²·{number(S[1, 1])}"
    return (
        f"Across: uy² Sxx − 2 ux uy Sxy + ux² Syy = {terms} = {number(step.across)}; up: that / "
        f"ux² {_is(step.up)}; sideways: that / uy² {_is(step.sideways)}."
    )


def _is(value: float) -> str:
    return f"= {number(value)}" if _bounded(value) else "has no bound"


def _finite(value: float) -> str:
    return number(value) if _bounded(value) else "without bound"


def _bounded(value: float) -> bool:
    return abs(value) < 1e9
