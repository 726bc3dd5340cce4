"""Checks of the visits of every perceptron: every epoch visits all points."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any


def check_visits(steps: Sequence[Any], n: int, order: str) -> None:
    """Check that every epoch visits all n points, and that mistakes and epochs are counted."""
    for before, step in pairwise(steps):
        assert step.mistakes == before.mistakes + step.mistake
        if step.event in (None, "mistake"):
            assert (step.event == "mistake") == (step.mistake and step.mistakes <= 20)
    for epoch in range(1, steps[-1].epoch + 1):
        visited = [step.index for step in steps if step.epoch == epoch]
        assert sorted(visited) == list(range(n))
        assert order == "shuffled" or visited == list(range(n))
    ends = [step.event for step in steps[n::n]]
    assert ends == ["end of epoch"] * (len(ends) - 1) + [steps[-1].event]
