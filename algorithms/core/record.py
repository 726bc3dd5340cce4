"""The one convention every algorithm shares: a step is an immutable record."""

from collections import deque
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy import ndarray

from algorithms.core.work import spend

S = TypeVar("S")
CLAIMS = ("predict", "transform", "labels")  # of any points, of any points, of its own points


class Record:
    """Base of the frozen step dataclasses: array fields become private, read-only copies.

    So an algorithm may go on updating its arrays in place, and a recorded step never changes. An
    array that is read-only already, such as one of the step before, is shared.
    """

    __slots__ = ()

    is_model: ClassVar[bool] = True  # False: a step without any of `CLAIMS`
    # Events that end a run.
    final_events: ClassVar[tuple[str, ...]] = ("converged", "diverged", "finished")

    def __post_init__(self) -> None:
        """Replace every array field by a copy that cannot be written to."""
        values = vars(self)  # written directly: a frozen dataclass has no other fast way
        for name, value in values.items():
            if isinstance(value, ndarray) and (value.flags.writeable or value.base is not None):
                values[name] = frozen(value)

    @property
    def determined(self) -> bool:
        """Return whether other rounding errors lead to as many steps, and to the same last one."""
        return True

    def certain(self) -> dict[str, Any]:
        """Return what a second run has to find again, also on another machine, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}  # pyright: ignore


def frozen(values: Any) -> ndarray:
    """Return a copy that cannot be written to: the steps that do not change it can share it."""
    array = np.array(values, order="C")
    array.flags.writeable = False
    return array


def last(steps: Iterable[S]) -> S:
    """Run an algorithm to its end and keep only the final step: the fitted model."""
    kept: deque[S] = deque(maxlen=1)
    for step in steps:
        spend()
        kept.append(step)
    return kept.pop()
