"""More and more noise in one column: which axis turns, the factor's or PCA's."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.factor_analysis.own_noise import NoiseStep, Turned
from viz.core import curves, plane
from viz.core.found import Axis
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import PALETTE
from viz.core.words import number, percent
from viz.reduction.factor_analysis import marks
from viz.reduction.pca.marks import shown_rows

_GROWN = 0.02  # least change of the common part that is explained, as a share of the variance


class MoreNoise(Show[NoiseStep]):
    """The noise of one column grows; the factor and PCA's first axis are fitted each time."""

    opens = AT_THE_END  # here the axes are well apart
    silent = "Play shows the whole answer: which of the two axes turns."

    def __init__(
        self, run: Run, data: Plane, names: Sequence[str], seen: Sequence[int], changed: int
    ) -> None:
        """Prepare what no step changes.

        names : of all columns. seen : the two on the plane. changed : the one with noise.
        """
        super().__init__(run, data)
        self.names, self.seen, self.changed = names, list(seen), changed
        self.upright = bool(self.seen[1] == changed)
        self.name = names[changed]
        end = self.steps[-1].table[:, self.seen]
        self.point = int(np.abs(end - data.X).sum(axis=1).argmax())
        self.scale = marks.spread(data.X)
        self.box = marks.square(marks.with_room(plane.bounds(data.X, alike=False), end), self.scale)
        self.turned = Turned(
            *np.array([(s.amount, s.turned_factors, s.turned_components) for s in self.steps]).T
        )
        self.most = max(marks.parts(step.factors).sum(axis=0).max() for step in self.steps)
        self.center = self.steps[0].factors.mean[self.seen]
        self.length = marks.reach(self.center, self.box, self.scale)
        self.starts = self._axes(self.steps[0])
        self.chance = self._chance()
        self.note = (
            "Each step adds more of the same noise, in deviations of the column, and fits factor "
            "analysis and PCA again. In the picture a deviation of either column is equally long, "
            "before the noise; the angles are those that are seen there. Both axes are drawn "
            "equally long. Classes play no part."
        )

    def views(self) -> list[View]:
        """Return the picture, how far both axes turn, and the shares of variance."""
        title = "How far noise turns the factor and PCA"
        places = np.stack([step.table[self.point, self.seen] for step in self.steps])
        track = Track("Noise", places[:, None], "y" if self.upright else "x")
        return [
            View(
                "The points with noise, the factor and PCA's first axis", self.picture, track=track
            ),
            View(title, self.turns, ahead=True, board=False),
            View("How much of each variance is common", self.shares, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points before and with noise, the factor, PCA's axis, and how far it turns."""
        step, data, s = self.steps[now], self.data, self.scale
        given = step.table[:, self.seen]
        center = step.factors.mean[self.seen]
        factor, half = self._axes(step)
        halves, (factor_before, half_before) = factor[None], self.starts
        stem, _, said = marks.noise_of(
            data.X[self.point], given[self.point], self.box, self.name, "the point with the handle"
        )
        if self.upright and data.X[self.point, 0] > center[0]:  # away from the crowd
            said["textposition"], said["text"] = (
                "middle right",
                ["\u2002" + said["text"][0].strip()],
            )

        traces = [
            *marks.noisy_points(given[shown_rows(len(given))], self.name, data),
            marks.factors(center, halves, ": the direction of its loadings"),
            marks.component(center, half),  # above the factor: both are seen where they agree
            # each at the end with its name: both start at nearly the same place
            *marks.turning(center, factor_before, factor, s, PALETTE[0], "factor"),
            *marks.turning(center, -half_before, -half, s, PALETTE[1], "PCA"),
            stem,
            said,
            marks.names(
                center, halves, half, self.box, np.concatenate([data.X, given]),
                [f" {angle:.1f}°" if now else "" for angle in self._angles(step)],
            ),
        ]  # fmt: skip
        points, signs = marks.board(data, True)
        figure = plane.figure(traces, self.box, data.names, points=points, signs=signs)
        return marks.true_to_scale(curves.with_legend(figure, x=0, xanchor="left"), data.X)

    def turns(self, now: int) -> Figure:
        """Draw by how much the factor and the component turn, against the noise."""
        return marks.turns(self.turned, self.steps[now].amount, self.name, False)

    def shares(self, now: int) -> Figure:
        """Draw the parts of every column's variance that are common, and its own noise."""
        return marks.shares(self.steps[now].factors, self.names, self.most)

    def caption(self, now: int) -> str:
        """Write by how much both axes turn, where the noise goes, and the point with the handle."""
        step, j = self.steps[now], self.changed
        fit = step.factors
        own = percent(float(marks.parts(fit)[1, j]))
        whole, common, noise = marks.split(float(fit.covariance[j, j]), float(fit.common[j]))
        split = (
            f"Factor analysis splits the variance of “{self.name}”: {whole} = {common} common + "
            f"{noise} noise of its own ({own})"
        )
        if now == 0:
            return (
                "No noise is added yet: here the factor and PCA's first axis start.\n"
                f"{split}. PCA has no such term.\n{self._fitted_to()}"
            )
        told = self._fitted_to()
        if now == len(self.steps) - 1:
            told += f" {self._why_common_changes(step)}"
        factor, component = self._angles(step)
        return (
            f"Noise of {number(step.amount)} deviation{'s' * (step.amount != 1)} in “{self.name}” "
            f"turns PCA by {component:.1f}° and the factor by {factor:.1f}°.\n"
            f"{split}. PCA has no such term, so its axis turns to the noise.\n"
            f"{told}"
        )

    def _fitted_to(self) -> str:
        """Write how many columns PCA and factor analysis are fitted to, and which are drawn."""
        x, y = (self.names[j] for j in self.seen)
        if len(self.names) == 2:
            return f"Both axes are fitted to “{x}” and “{y}”."
        return f"Both axes are fitted to all {len(self.names)} columns; “{x}” and “{y}” are drawn."

    def _chance(self) -> float:
        """Return the correlation of the added noise with the factor before it; 0 if none varies."""
        first, last, j = self.steps[0], self.steps[-1], self.changed
        z = (first.table - first.factors.mean) @ first.factors.regression[0]
        e = last.table[:, j] - first.table[:, j]
        return float(np.corrcoef(z, e)[0, 1]) if np.ptp(z) and np.ptp(e) else 0.0

    def _why_common_changes(self, step: NoiseStep) -> str:
        """Write why the common part is not what it was: the noise goes with the factor a little."""
        j = self.changed
        before, fit = self.steps[0].factors, step.factors
        changed = float(fit.common[j] - before.common[j])
        was = f"Before the noise, the common part was {number(float(before.common[j]))}."
        small = abs(changed) < _GROWN * float(before.covariance[j, j])
        if small or changed * self.chance <= 0:
            return was
        return (
            f"By chance, the added noise has a correlation of {number(self.chance, 2)} with the "
            f"factor: the common part {'grew' if changed > 0 else 'shrank'} from "
            f"{number(float(before.common[j]))}."
        )

    def found(self, now: int) -> Axis:
        """Return the factor as an axis."""
        step = self.steps[now].factors
        half, center = step.loadings[self.seen, 0], step.mean[self.seen]
        return Axis(np.stack([center - half, center + half]) if half.any() else None)

    def _axes(self, step: NoiseStep) -> list[ndarray]:
        """Return the ways from the mean to the upper ends of the factor and of PCA's first axis."""
        ways = step.factors.loadings[self.seen, 0], step.components.components[0][self.seen]
        return [marks.ended(way, self.scale, self.length) for way in ways]

    def _angles(self, step: NoiseStep) -> tuple[float, float]:
        """Return by how much the factor and PCA have turned, in degrees."""
        return step.turned_factors, step.turned_components
