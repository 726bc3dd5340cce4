"""Factors by EM: the factor beside the first component, shares of variance, and covariances."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.factor_analysis.factor_analysis import FactorAnalysisStep
from algorithms.reduction.factor_analysis.own_noise import Turned
from algorithms.reduction.pca.pca import PcaStep
from viz.core import curves, plane
from viz.core.found import Axis
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Layer, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import capital, counted, enclosed, number, percent, rounded, vector
from viz.reduction.factor_analysis import marks
from viz.reduction.pca.marks import shown_rows

_WAYS = 40  # points with a line to their estimate
_TURNS = 0.003  # least change of a column's share in the factor that is called a turn
_MOVED = 12  # points with a line from before the noise
_TO_ESTIMATES = "from a point to its estimate μ + Λz; with many points, some"
_NOISE, _PCA_BEFORE = "noise of some points", "PCA before the noise"
_LAYERS = [
    Layer("before the noise", (_NOISE, _PCA_BEFORE)),
    Layer("ways to the estimates", (_TO_ESTIMATES,)),
]


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns that are analysed.

    table : (n, d), with noise and unit. units : (d,) by what each column was multiplied. names : of
    the columns. seen : the two on the plane. changed : the one with noise and unit. amount : of the
    noise, in deviations.
    """

    table: ndarray
    units: ndarray
    names: tuple[str, ...]
    seen: tuple[int, int]
    changed: int
    amount: float


class FactorAnalysis(Show[FactorAnalysisStep]):
    """Expectation and maximization in turn, with PCA's first axis for comparison."""

    unit = "half-step"
    opens = AT_THE_END

    def __init__(
        self,
        run: Run,
        data: Plane,
        columns: Columns,
        first: PcaStep,
        before: PcaStep,
        turned: Turned,
        query: ndarray,
    ) -> None:
        """Prepare what no step changes.

        first, before : PCA of the same columns, and of those without the noise. turned : what
        noise does to both. query : the point nearest to it is the picked one.
        """
        super().__init__(run, data)
        self.columns, self.turned = columns, turned
        self.seen, j = list(columns.seen), columns.changed
        self.point = int(np.square(data.X - query).sum(axis=1).argmin())
        self.name = columns.names[j]
        units = columns.units[self.seen]
        self.center = self.steps[0].mean[self.seen] / units
        self.given = columns.table[:, self.seen] / units
        self.noisy = columns.amount > 0 and j in self.seen
        self.box = data.bounds
        if self.noisy:
            self.box = marks.with_room(data.bounds, self.given)
        self.component, self.before = (
            marks.LONG * np.sqrt(step.variances[0]) * step.components[0][self.seen] / units
            for step in (first, before)
        )
        self.heaviest = int(np.abs(first.components[0] * columns.table.std(axis=0)).argmax())
        self.likelihood = curves.timeline(
            {"log-likelihood": [step.log_likelihood for step in self.steps]}, along=self.unit
        )
        self.most = max(marks.parts(step).sum(axis=0).max() for step in self.steps)
        d, c = self.steps[0].loadings.shape
        numbers, covariances = d * (c + 1) - c * (c - 1) // 2, d * (d + 1) // 2
        self.note = (
            f"{counted(c, 'factor')} and the noise of {d} columns are {numbers} numbers, for "
            f"{covariances} variances and covariances. "
        )
        if numbers > covariances:
            self.note += (
                "Many answers fit equally well, and the start decides which one is found: use "
                "more columns or fewer factors. "
            )
        self.note += (
            "The start is PCA of the columns, without another unit. Both axes are drawn in the "
            "units of the board. Classes play no part."
        )

    def views(self) -> list[View]:
        """Return the picture, what noise does, shares, covariances, and the likelihood."""
        return [
            View("The points, the factor and PCA's first axis", self.picture, layers=_LAYERS),
            View("How much of each variance is common", self.shares, board=False),
            View(
                "How far noise turns the factor and PCA",
                self.turns,
                ahead="to a question",
                board=False,
            ),
            View("Correlations: sample below, model above", self.matrix, board=False),
            View("Log-likelihood", self.likelihood, ahead="by step", board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points, noise, the estimates on the factors, the factors, and PCA's axis."""
        data, step = self.data, self.steps[now]
        n = len(self.given)
        rows, some, moved = shown_rows(n), shown_rows(n, _WAYS), shown_rows(n, _MOVED)
        units = self.columns.units[self.seen]
        z = (self.columns.table[some] - step.mean) @ step.regression.T
        estimates = self.center + z @ step.loadings[self.seen].T / units
        halves = marks.LONG * step.loadings[self.seen].T / units
        traces = [
            *marks.noisy_points(self.given[rows] if self.noisy else None, self.name, data),
            plane.line(
                marks.segments(data.X[moved], self.given[moved]) if self.noisy else plane.GAP,
                line={"width": 1, "color": GREY}, name=_NOISE,
                showlegend=self.noisy,
            ),
            plane.line(
                marks.segments(self.given[some], estimates),
                line={"width": 1, "color": GREY}, name=_TO_ESTIMATES,
            ),
            marks.factors(self.center, halves),
            marks.component(self.center, self.component),
            plane.line(
                np.stack([self.center - self.before, self.center + self.before])
                if self.noisy else plane.GAP, name=_PCA_BEFORE, showlegend=self.noisy,
                line={"width": 1.5, "dash": "dot", "color": PALETTE[1]},
            ),
            *marks.noise_of(data.X[self.point], self.given[self.point], self.box, self.name),
            marks.names(
                self.center, halves, self.component, self.box,
                np.concatenate([data.X, self.given]) if self.noisy else data.X,
            ),
        ]  # fmt: skip
        points, signs = marks.board(data, self.noisy)
        figure = plane.figure(traces, self.box, data.names, points=points, signs=signs)
        figure = curves.with_legend(figure, x=0, xanchor="left") if self.noisy else figure
        return marks.true_to_scale(figure, data.X)

    def shares(self, now: int) -> Figure:
        """Draw the parts of every column's variance that are common, and its own noise."""
        return marks.shares(self.steps[now], self.columns.names, self.most)

    def turns(self, now: int) -> Figure:
        """Draw by how much the factors and the components turn, against the noise."""
        several = self.steps[0].loadings.shape[1] > 1
        return marks.turns(self.turned, self.columns.amount, self.name, several)

    def matrix(self, now: int) -> Figure:
        """Draw the correlations of the sample and those that the model implies."""
        return marks.correlations(self.steps[now], self.columns.names)

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        if step.phase == "expectation":
            lines = [self._expectation(now), self._picked(now)]
            if not self._tells_own_noise(now):
                lines.append(self._own(step))
            return "\n".join(lines)
        return self._maximization(now)

    def answer(self, now: int) -> str:
        """Write by how much noise and unit of a changed column turn both."""
        parts = [
            name
            for name, changes in (
                ("noise", self.columns.amount > 0),
                ("unit", bool((self.columns.units != 1).any())),
            )
            if changes
        ]
        if now not in (0, len(self.steps) - 1) or not parts:
            return ""
        amounts, *both = self.turned
        f, u = (
            number(round(float(np.interp(self.columns.amount, amounts, each)), 6)) for each in both
        )
        end = "" if now == len(self.steps) - 1 else "In the end, "
        said = f"{end}the {' and '.join(parts)} of “{self.name}”"
        turn = "turns" if len(parts) == 1 else "turn"
        several = self.steps[0].loadings.shape[1] > 1
        axes = "PCA's axes by {u}° and the factors by {f}° (in all {d} columns)"
        axes = axes if several else "PCA by {u}° and the factor by {f}°"
        axes = axes.format(u=u, f=f, d=len(self.columns.names))
        return f"{capital(said)} {turn} {axes}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how the noise of a column changes, or the estimate of the picked point."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.phase == "maximization":
            j = int(rng.integers(len(self.columns.names)))
            old, new = (float(step.noise_variances[j]) for step in (before, after))
            text = (
                f"Next is the maximization. Column “{self.columns.names[j]}” has ψ = "
                f"{number(old, 4)}. Does its noise variance rise or fall?"
            )
            reason = f"s − Σλ² = {number(new, 4)} is left of its variance."
            return rises_or_falls(text, old, new, reason)
        old, new = (float(self._estimate(at)[0]) for at in (now - 1, now + 1))
        text = (
            f"Next is the expectation. The picked point has z₁ = {number(old, 4)}. "
            "Does this estimate rise or fall?"
        )
        place = (0, *self.given[self.point].tolist())
        reason = f"With the new loadings and noise, z₁ = {number(new, 4)}."
        return rises_or_falls(text, old, new, reason, place=place)

    def found(self, now: int) -> Axis:
        """Return the first factor as an axis."""
        half = self.steps[now].loadings[self.seen, 0] / self.columns.units[self.seen]
        ends = np.stack([self.center - half, self.center + half])
        return Axis(ends if half.any() else None)

    def _estimate(self, now: int) -> ndarray:
        """Return the estimated factors of the picked point."""
        step = self.steps[now]
        return step.regression @ (self.columns.table[self.point] - step.mean)

    def _expectation(self, now: int) -> str:
        """Write what the expectation estimates, and from which columns."""
        step, names = self.steps[now], self.columns.names
        share = step.noise_variances / marks.whole(step)
        noisiest, least = self._noisiest(step), self._least(step)
        counts = f"“{names[least]}” counts least in the factor."
        most = " and most in PCA" if noisiest == self.heaviest else ""
        if noisiest == least:
            own = percent(float(share[noisiest]))
            counts = (
                f"Expectation: {own} of “{names[least]}” is its own noise, so it counts least in "
                f"the factor{most}."
            )
        if now == 0:
            several = step.loadings.shape[1] > 1
            start = "factors are PCA's first axes" if several else "factor is PCA's first axis"
            unit = " in the old unit" if (self.columns.units != 1).any() else ""
            return f"Start: the {start}{unit}."
        if step.event == "converged":
            own = percent(float(share[noisiest]))
            end = f", so it counts least in the factor{most}" if noisiest == least else ""
            return f"Converged: {own} of “{names[noisiest]}” is its own noise{end}."
        if step.event:
            return f"Stopped after {number(now // 2)} pairs of half-steps; l still rises a little."
        return counts

    def _tells_own_noise(self, now: int) -> bool:
        """Return whether the headline has the share of own noise of the column that changes."""
        step, noisiest = self.steps[now], self._noisiest(self.steps[now])
        if noisiest != self.columns.changed or now == 0:
            return False
        if step.event:
            return step.event == "converged"
        return noisiest == self._least(step)

    def _least(self, step: FactorAnalysisStep) -> int:
        """Return the column that counts least in the first factor."""
        weights = np.abs(step.regression[0]) * np.sqrt(step.covariance.diagonal())
        return int(weights.argmin())

    def _noisiest(self, step: FactorAnalysisStep) -> int:
        """Return the column with the largest share of own noise."""
        return int((step.noise_variances / marks.whole(step)).argmax())

    def _picked(self, now: int) -> str:
        """Write the rule z = B(x − μ) of the picked point, with the part of one column."""
        step, j = self.steps[now], self.columns.changed
        away = float((self.columns.table[self.point] - step.mean)[j])
        z, b = self._estimate(now), float(step.regression[0, j])
        factor = f"factors, {vector(z)}, are weighted sums"
        if len(z) == 1:
            factor = f"factor, {number(float(z[0]))}, is a weighted sum"
        return (
            f"Picked point {self.point + 1}: its {factor} of {len(self.columns.names)} columns; "
            f"“{self.name}”, {number(abs(away))} {'above' if away > 0 else 'below'} its mean, adds "
            f"{number(b)} · {enclosed(away)} = {number(b * away, 2)}"
            f"{' to the first' * (len(z) > 1)}."
        )

    def _own(self, step: FactorAnalysisStep) -> str:
        """Write how much of the changed column's variance is its own noise."""
        j = self.columns.changed
        share = float((step.noise_variances / marks.whole(step))[j])
        return f"{percent(share)} of the variance of “{self.name}” is taken for its own noise."

    def _turns(self, now: int) -> str:
        """Write whether the first factor turns to the changed column or away from it."""
        old, new = (_in_the_factor(self.steps[t], self.columns.changed) for t in (now - 1, now))
        if abs(new - old) < _TURNS:
            return "hardly turns"
        return f"turns {'to it' if new > old else 'away from it'}"

    def _apart(self, now: int) -> float:
        """Return the angle in the picture between the factor and PCA's first axis, in degrees."""
        half = self.steps[now].loadings[self.seen, 0] / self.columns.units[self.seen]
        u, v = (way / marks.spread(self.data.X) for way in (half, self.component))
        if not (u.any() and v.any()):
            return 0.0
        return float(np.degrees(np.arctan2(abs(u[0] * v[1] - u[1] * v[0]), abs(u @ v))))

    def _maximization(self, now: int) -> str:
        """Write what the maximization changes, with the numbers of the changed column."""
        step, before = self.steps[now], self.steps[now - 1]
        j, S = self.columns.changed, step.covariance
        psi, s = float(step.noise_variances[j]), float(marks.whole(step)[j])
        turns = f"the factor {self._turns(now)}"
        if step.loadings.shape[1] == 1:
            turns = f"the factor is {self._apart(now):.1f}° from PCA's axis"
        said = (
            f"Maximization: {percent(psi / s)} of “{self.name}” is its own noise now, and {turns}."
        )
        if step.event == "noise at the floor":
            said += " A column has no noise left: a factor is this column."
        top, new, old = (S @ step.regression.T)[j], step.loadings[j], before.loadings[j]
        rule = (
            f"The loadings of “{self.name}”, its slopes on the factors, go from {vector(old)} to "
        )
        rule += vector(new)
        if len(new) == 1:
            slope = f"{number(top[0])} / √{number(step.second_moment[0, 0])} = {number(new[0])}"
            rule = (
                f"The loading of “{self.name}” goes from {number(old[0])} to {slope}: its "
                "covariance with the estimated factor z, over the root of the mean z²"
            )
        whole, common, own = marks.split(float(S[j, j]), float(step.common[j]))
        return (
            f"{said}\n{rule}.\nIts variance minus the common part is its noise: "
            f"{whole} − {common} = {own}. The "
            f"log-likelihood rises by {number(max(step.rise, 0.0))} to "
            f"{rounded(step.log_likelihood)}."
        )


def _in_the_factor(step: FactorAnalysisStep, j: int) -> float:
    """Return the share of a column in the direction of the first factor, by equal spreads."""
    direction = np.abs(step.loadings[:, 0]) / np.sqrt(marks.whole(step))
    return float(direction[j] / (np.linalg.norm(direction) or 1.0))
