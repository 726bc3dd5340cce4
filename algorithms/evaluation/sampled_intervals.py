"""The step shared by intervals for an error rate and for a mean: one sample with its intervals."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record


@dataclass(frozen=True, eq=False, kw_only=True)
class SampledIntervals(Record):
    """One sample, with an interval of each method: its ends, and whether it holds the truth.

    `held` counts the intervals of each method that held the truth, in this sample and those before.
    """

    is_model = False

    sample: int
    low: Float[ndarray, " methods"]
    high: Float[ndarray, " methods"]
    holds: Bool[ndarray, " methods"]
    held: Int[ndarray, " methods"]


def judged(
    before: SampledIntervals | None,
    low: Float[ndarray, " methods"],
    high: Float[ndarray, " methods"],
    truth: float,
) -> dict:
    """Return the fields of `SampledIntervals`, for the sample that follows `before`."""
    holds = (low <= truth) & (truth <= high)
    held = np.zeros(len(low), int) if before is None else before.held
    sample = 0 if before is None else before.sample + 1
    return {"sample": sample, "low": low, "high": high, "holds": holds, "held": held + holds}


def between_0_and_1(name: str, value: float) -> float:
    """Return a number that is above 0 and below 1; raise ValueError for any other."""
    if not 0 < validate.number(name, value) < 1:
        raise ValueError(f"{name} must be between 0 and 1, got {name}={value!r}")
    return value
