"""The last steps of a run: the surfaces between neighbouring classes, one per step."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any


def class_borders(step: Any) -> Iterator[Any]:
    """Yield a step for every pair of neighbouring classes, or a single step without a pair.

    A class that is `singular` has no density, and so no surface.
    """
    step = replace(step, phase="surface", index=None, event="surface")
    if step.singular.any():
        yield replace(step, event="no surface")
        return
    for number, pair in enumerate(step.neighbors()):
        yield replace(step, pair=pair, event=None if number else "surface")
