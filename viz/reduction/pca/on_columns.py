"""What is the same in the modes that look for components of columns: the notes on scaling."""

import re
from typing import TypeVar

import numpy as np

from algorithms.reduction.pca.pca import PcaStep
from viz.core.scene import Run
from viz.core.show import Show
from viz.core.words import number, percent
from viz.reduction.pca.marks import Columns, preprocessing, shown_rows

Both = tuple[PcaStep, PcaStep]  # all components, of the columns as they are and scaled
S = TypeVar("S")
_EQUAL = 0.005  # entries of a component that differ by less are called equal
_UNIT = re.compile(r"(?<=\S) \([^()]*\)$")  # at the end of a column's name


class OnColumns(Show[S]):
    """A mode of principal component analysis; at its end it says what scaling changes."""

    def __init__(self, run: Run, columns: Columns, both: Both) -> None:
        """Keep the columns, and write the notes. both : as they are and scaled."""
        super().__init__(run, columns.plane)
        self.columns, self.both = columns, both
        n, drawn = len(columns.table), len(shown_rows(len(columns.table)))
        some = "" if drawn == n else f" The projections of {drawn} of the {n} points are drawn."
        d = len(columns.names)
        shadow = "" if d == 2 else f" The picture shows 2 of the {d} columns."
        self.note = (
            f"{preprocessing(columns.standardize)}{shadow} Right angles look right on the plane "
            f"only if both axes have the scale of the run.{some}"
        )

    def answer(self, now: int) -> str:
        """Write, at the last step, what dividing the columns by their deviations changes."""
        if now < len(self.steps) - 1:
            return ""
        plain, scaled = (_first(step, self.columns) for step in self.both)
        return f"Unscaled, the first component keeps {plain}; scaled, {scaled}."


def without_unit(name: str) -> str:
    """Return a column's name without the unit in brackets at its end, for sentences."""
    return _UNIT.sub("", name)


def _first(step: PcaStep, columns: Columns) -> str:
    """Write the share of the first component, and the columns that are largest in it."""
    u = np.abs(step.components[0])
    largest = [
        without_unit(columns.names[i]) for i in np.flatnonzero(u > u.max() - _EQUAL).tolist()
    ]
    who = f"mostly {largest[0]}" if len(largest) == 1 else f"{' and '.join(largest)} equally"
    return f"{percent(float(step.explained[0]))} ({who}, {number(u.max().item(), 2)})"
