"""The one convention every algorithm shares: a step is an immutable record."""

from collections import deque
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy import ndarray

from algorithms.core.work import spend

S = TypeVar("S")
# for any points, for any points, for the run's own points
CLAIMS = ("predict", "transform", "labels")


class Within(NamedTuple):
    """A number that a second run reproduces only as far as its stopping rule determines it."""

    value: float
    allowed: float  # the largest distance from `value`


class Record:
    """Base of the frozen step dataclasses: array fields become private, read-only copies.

    So an algorithm may update its arrays in place, and a recorded step never changes. An array that
    is already read-only, such as one of the previous step, is shared.
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
        """Return whether a run with other rounding errors has the same number of steps and end."""
        return True

    def certain(self) -> dict[str, Any]:
        """Return the fields, by name, that a second run must reproduce, also on another machine.

        A number that the run approximates is given as `Within`.
        """
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}  # pyright: ignore


def frozen(values: Any) -> ndarray:
    """Return a read-only copy, which steps can share as long as they do not change it."""
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
