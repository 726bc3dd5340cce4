"""Words for universal approximation: what a bump, or an epoch, adds, and how far it is off."""

from collections.abc import Sequence
from math import tanh

from numpy import ndarray

from algorithms.networks.sigmoid_bumps import BumpStep
from algorithms.networks.sigmoid_sum import SigmoidSum
from algorithms.networks.trained_sigmoids import TrainedStep
from viz.core.words import added, counted, enclosed, number
from viz.networks.universal_approximation import Approximation

BUMPS = (
    "The green curve is the truth f, the blue one the network N: one hidden layer of sigmoids. All "
    "weights are written down, none is learned. How far N misses f is told by the root of the mean "
    "square of f − N, and by the largest |f − N|, at 400 places on the truth's stretch. The first "
    "and the last bump reach a part further out."
)
TRAINED = (
    "The green curve is the truth f, the blue one the network N, with as many hidden units as the "
    "bumps take. It learns from 100 places of the truth, without noise. How far it misses f is the "
    "root of the mean square of f − N at 400 places on the truth's stretch."
)


def bump(shown: Approximation, steps: Sequence[BumpStep], now: int) -> str:
    """Say what bump `now` is, put its numbers into the rule, and read N off."""
    step, last = steps[now], steps[-1]
    far = f"N misses f by {number(step.miss.rms)} (rms), at most by {number(step.miss.largest)}"
    where = f"{far}, at x = {number(step.miss.at)}"
    if now == 0:
        return (
            f"Start: no hidden unit yet, N = 0. {where}.\n"
            f"f lives from {number(shown.truth.low)} to {number(shown.truth.high)}: in "
            f"{counted(last.bumps, 'part')} of width {number(_width(shown, last))} each, one bump "
            f"a part.\n{_read(shown, step)}"
        )
    height, weight = float(step.heights[-2]), float(step.weights[-2]) / step.half
    (a, b), width = step.edges, _width(shown, last)
    middle, ended = number(step.middle), " All bumps stand." if step.event else ""
    edges = f"[σ(w (x {_minus(a)})) − σ(w (x {_minus(b)}))]"
    return (
        f"Bump {now} of {last.bumps} is as high as f in the middle of its part: f({middle}) = "
        f"{number(height)}. {where}.{ended}\n"
        f"N ← N {added(height)} · {edges}, w = steepness / width = {number(weight * width)} / "
        f"{number(width)} = {number(weight)}. Alone it reaches tanh(w (b − a)/4) = "
        f"{number(100 * tanh(weight * (b - a) / 4))} % of its height.\n"
        f"{counted(2 * now, 'hidden unit')}. {_read(shown, step)}"
    )


def epoch(shown: Approximation, steps: Sequence[TrainedStep], misses: ndarray, now: int) -> str:
    """Say what an epoch did, compare with the bumps, and read N off. misses : those of all."""
    step, least = steps[now], steps[int(misses[: now + 1].argmin())]
    units, goal = counted(len(step.heights), "hidden unit"), number(step.bumps_miss.rms)
    if step.event == "diverged":
        first = f"Epoch {now}: the numbers leave all bounds: diverged, and the run ends."
    elif now == 0:
        first = f"Start: {units} at random places, all with v = 0; N misses f by {_rms(step)}."
    else:
        beaten = " Nearer than the bumps, for the first time." if step.event else ""
        before = _rms(steps[now - 1])
        first = f"Epoch {now}: the miss goes from {before} to {_rms(step)}.{beaten}"
    return (
        f"{first}\n{_unit(step)} As many units in bumps, by hand, miss f by {goal}; the best of "
        f"these so far by {_rms(least)}, at epoch {least.epoch}.\n{_read(shown, step)}"
    )


def _unit(step: TrainedStep) -> str:
    """Write down the unit with the largest height."""
    j = int(abs(step.heights).argmax())
    v, w, b = (float(each[j]) for each in (step.heights, step.weights, step.biases))
    return f"The largest unit adds v σ(w u + b) = {number(v)} · σ({number(w)} u {added(b)})."


def _read(shown: Approximation, step: SigmoidSum) -> str:
    """Read N off at the picked x, beside the truth where there is one."""
    x = shown.query
    text = f"Picked x = {number(x)}: N = {number(shown.at(step))}"
    if not shown.truth.low <= x <= shown.truth.high:
        return f"{text}; f ends at {number(min(max(x, shown.truth.low), shown.truth.high))}."
    return f"{text}, f = {number(shown.truth_at)}."


def _rms(step: TrainedStep) -> str:
    return number(step.miss.rms)


def _minus(place: float) -> str:
    return f"− {enclosed(place)}"


def _width(shown: Approximation, last: BumpStep) -> float:
    return (shown.truth.high - shown.truth.low) / last.bumps
