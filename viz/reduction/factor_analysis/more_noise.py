"""More and more noise in one column: which axis turns, the factor's or PCA's."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.factor_analysis.own_noise import NoiseStep, Turned
from viz.core import curves, plane
from viz.core.found import Axis
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.words import number, percent
from viz.reduction.factor_analysis import marks
from viz.reduction.pca.marks import shown_rows

_OPENS = 8  # noise of two deviations: the axes are well apart


class MoreNoise(Show[NoiseStep]):
    """The noise of one column grows; the factor and PCA's first axis are fitted each time."""

    opens = _OPENS
    silent = "Play shows the whole answer: which of the two axes turns."

    def __init__(
        self, run: Run, data: Plane, names: Sequence[str], seen: Sequence[int], changed: int,
        query: ndarray,
    ) -> None:  # fmt: skip
        """Prepare what no step changes.

        names : of all columns. seen : the two on the plane. changed : the one with noise. query :
        the point nearest to it is the picked one.
        """
        super().__init__(run, data)
        self.names, self.seen, self.changed = names, list(seen), changed
        self.point = int(np.square(data.X - query).sum(axis=1).argmin())
        self.name = names[changed]
        self.box = marks.with_room(data.bounds, self.steps[-1].table[:, self.seen])
        self.turned = Turned(
            *np.array([(s.amount, s.turned_factors, s.turned_components) for s in self.steps]).T
        )
        self.most = max(marks.parts(step.factors).sum(axis=0).max() for step in self.steps)
        self.measured = "These are angles in deviations of both columns. "
        if len(names) > len(self.seen):
            self.measured = (
                f"These are angles in all {len(names)} columns; in the picture's 2 columns they "
                "look different. "
            )
        first = self.steps[0]
        self.start = (
            first.factors.mean[self.seen],
            marks.along_component(first.components, self.seen),
        )
        self.note = (
            "Each step adds more of the same noise, in deviations of the column, and fits factor "
            "analysis and PCA again. The angles are measured in all columns, each divided by its "
            "deviation without the noise. Classes play no part."
        )

    def views(self) -> list[View]:
        """Return the picture, how far both axes turn, and the shares of variance."""
        title = "How far noise turns the factor and PCA"
        places = np.column_stack([self.turned.amounts, self.turned.components])
        track = Track("Noise", places[:, None], "x")
        return [
            View("The points with noise, the factor and PCA's first axis", self.picture),
            View(title, self.turns, track=track, ahead=True, board=False),
            View("How much of each variance is common", self.shares, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points before and with noise, the factor, and PCA's axis."""
        step, data = self.steps[now], self.data
        given = step.table[:, self.seen]
        center = step.factors.mean[self.seen]
        halves = marks.LONG * step.factors.loadings[self.seen].T
        half = marks.along_component(step.components, self.seen)
        traces = [
            *marks.noisy_points(given[shown_rows(len(given))], self.name, data),
            marks.factors(center, halves),
            marks.component_before(*self.start),
            marks.component(center, half),  # above the factor: both are seen where they agree
            *marks.noise_of(data.X[self.point], given[self.point], self.box, self.name),
            marks.names(center, halves, half, self.box, np.concatenate([data.X, given])),
        ]
        points, signs = marks.board(data, True)
        figure = plane.figure(traces, self.box, data.names, points=points, signs=signs)
        return curves.with_legend(figure, x=0, xanchor="left")

    def turns(self, now: int) -> Figure:
        """Draw by how much the factor and the component turn, against the noise."""
        return marks.turns(
            self.turned, self.steps[now].amount, self.name, False, marks.in_columns(self.names)
        )

    def shares(self, now: int) -> Figure:
        """Draw the parts of every column's variance that are common, and its own noise."""
        return marks.shares(self.steps[now].factors, self.names, self.most)

    def caption(self, now: int) -> str:
        """Write by how much both axes turn, where the noise goes, and the picked point."""
        step, j = self.steps[now], self.changed
        own = percent(float(marks.parts(step.factors)[1, j]))
        part, before = (
            percent(float(each.components.components[0, j] ** 2)) for each in (step, self.steps[0])
        )
        to_noise = f"Factor analysis takes {own} of the variance of “{self.name}” for its own noise"
        if now == 0:
            return (
                f"No noise is added yet: here the factor and PCA's first axis start.\n{to_noise}. "
                f"PCA has no noise term; “{self.name}” makes up {part} of its axis (the square of "
                "its entry)."
            )
        change = self.data.X[self.point] - step.table[self.point, self.seen]
        amount = number(float(np.abs(change).max()))
        way = "lowers" if change.max() > 0 else "raises"
        return (
            f"Noise of {number(step.amount)} deviation{'s' * (step.amount != 1)} in “{self.name}” "
            "turns PCA by "
            f"{step.turned_components:.1f}° and the factor by {step.turned_factors:.1f}°.\n"
            f"{self.measured}{to_noise}. PCA has no noise term; “{self.name}” makes up {part} "
            f"of its axis (without the added noise: {before}).\n"
            f"Picked point {self.point + 1}: the noise {way} its “{self.name}” by {amount}."
        )

    def found(self, now: int) -> Axis:
        """Return the factor as an axis."""
        step = self.steps[now].factors
        half, center = step.loadings[self.seen, 0], step.mean[self.seen]
        return Axis(np.stack([center - half, center + half]) if half.any() else None)
