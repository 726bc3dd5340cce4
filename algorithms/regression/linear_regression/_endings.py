"""The events that only a run as a whole shows: the first rise of the loss, and how it ends."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

NEAR = 0.01  # of the excess at the start: the minimum is near
GETS_ON = 0.3  # of the distance walked: it still goes somewhere
ROUNDING = 1e-12  # of the loss: a rise that means nothing

S = TypeVar("S")  # a GradientDescentStep


def named(steps: Iterable[S], max_iter: int) -> Iterator[S]:
    """Yield the steps, with an event at the first rise of the loss and at max_iter."""
    overshot, so_far = False, []
    for each in steps:
        step: Any = each
        so_far.append(step)
        rose = step.fall < -ROUNDING * step.loss
        if step.index == max_iter and step.event not in ("converged", "diverged"):
            step = replace(step, event=_ending(so_far))
        elif step.event is None and rose and not len(step.batch) and not overshot:
            step = replace(step, event="overshoot")
        overshot |= step.event == "overshoot"
        yield step


def _ending(steps: Sequence[Any]) -> str:
    """Return the event of a run that max_iter stopped, judged by its second half."""
    start, end, noisy = steps[0], steps[-1], len(steps[-1].batch) > 0
    if end.loss > start.loss and end.excess > start.excess:
        return "diverged"
    trail = np.array([step.theta for step in steps[1:]])
    half, far = trail[len(trail) // 2 :], end.excess > NEAR * start.excess
    walked = np.linalg.norm(np.diff(half, axis=0), axis=1).sum()
    if (far or noisy) and np.linalg.norm(half[-1] - half[0]) < GETS_ON * walked:
        return "wanders"
    return "creeps" if far else "stopped at max_iter"
