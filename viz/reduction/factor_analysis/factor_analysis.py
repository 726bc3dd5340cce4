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
from viz.core.graph import texts
from viz.core.naming import words
from viz.core.panels import label
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, Layer, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted, enclosed, number, numbered, percent, rounded, vector
from viz.reduction.factor_analysis import marks
from viz.reduction.pca.marks import shown_rows, within_the_picture

_LONG = 2.5  # deviations from the mean to the end of an axis
_WAYS = 40  # points with a line to their estimate
_SMALL, _FAINT = 0.6, 0.8  # size and strength of a point before the noise
_SIGNS = {"size": "small: before the noise", "strength": "faint: before the noise"}
_TURNS = 0.003  # least change of a column's share in the factor that is called a turn
_SEEN = 0.05  # of the picture's side: noise that has room for its number
_MOVED = 12  # points with a line from before the noise
_ROOM = 0.08  # of the points with noise, around them
_TO_ESTIMATES = "from a point to its estimate μ + Λz; with many points, some"
_LAYERS = [Layer("ways to the estimates", (_TO_ESTIMATES,))]


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
            self.box = _with_room(data.bounds, self.given)
        self.component, self.before = (
            _LONG * np.sqrt(step.variances[0]) * step.components[0][self.seen] / units
            for step in (first, before)
        )
        self.heaviest = int(np.abs(first.components[0] * columns.table.std(axis=0)).argmax())
        self.likelihood = curves.timeline(
            {"log-likelihood": [step.log_likelihood for step in self.steps]}, along=self.unit
        )
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
        data, step, picked = self.data, self.steps[now], [self.point]
        n = len(self.given)
        rows, some, moved = shown_rows(n), shown_rows(n, _WAYS), shown_rows(n, _MOVED)
        units = self.columns.units[self.seen]
        z = (self.columns.table[some] - step.mean) @ step.regression.T
        estimates = self.center + z @ step.loadings[self.seen].T / units
        halves = _LONG * step.loadings[self.seen].T / units
        traces = [
            plane.line(
                self.given[rows] if self.noisy else plane.GAP, mode="markers", opacity=0.6,
                marker={"size": 7, "color": GREY}, showlegend=self.noisy,
                name=f"points with noise in {label(self.name, 12)}",
            ),
            plane.line(
                plane.GAP, mode="markers",
                marker={"size": 6, "color": PALETTE[0], "opacity": _FAINT},
                name="before the noise", showlegend=self.noisy and not data.labels.any(),
            ),
            plane.line(
                marks.segments(data.X[moved], self.given[moved]) if self.noisy else plane.GAP,
                line={"width": 1, "color": GREY}, name="noise of some points",
                showlegend=self.noisy,
            ),
            plane.line(
                marks.segments(self.given[some], estimates),
                line={"width": 1, "color": GREY}, name=_TO_ESTIMATES,
            ),
            plane.line(
                np.stack([self.center - self.component, self.center + self.component]),
                line={"width": 3, "dash": "dash", "color": PALETTE[1]},
                name="PCA's first component of the same columns",
            ),
            plane.line(
                np.stack([self.center - self.before, self.center + self.before])
                if self.noisy else plane.GAP, name="PCA before", showlegend=self.noisy,
                line={"width": 1.5, "dash": "dot", "color": PALETTE[1]},
            ),
            plane.line(
                marks.segments(self.center - halves, self.center + halves),
                name="factor f: 2.5 deviations to both sides",
                line={"width": 4, "color": PALETTE[0]},
            ),
            plane.line(
                marks.segments(data.X[picked], self.given[picked]) if self.noisy else plane.GAP,
                line={"width": 1.5}, name=f"noise added to “{self.name}” of the picked point",
            ),
            plane.rings(self.given[picked], name="picked point", size=13),
            self._its_noise(),
            self._axes(halves),
        ]  # fmt: skip
        small, faint = (_SMALL, _FAINT) if self.noisy else (1.0, 1.0)
        size, strength = (np.full(len(data.X), share) for share in (small, faint))
        points = plane.points(data.X, data.labels, size=size, strength=strength)
        signs = _SIGNS if self.noisy else {}
        figure = plane.figure(traces, self.box, data.names, points=points, signs=signs)
        return curves.with_legend(figure, x=0, xanchor="left") if self.noisy else figure

    def _its_noise(self) -> dict:
        """Write how much noise the picked point has, beside the line to where it was before."""
        before, after = self.data.X[self.point], self.given[self.point]
        amount = float((after - before)[self.seen.index(self.columns.changed)]) if self.noisy else 0
        sign = "+" if amount > 0 else ""
        upright = self.columns.changed == self.seen[1]
        said, side = f"its noise, {sign}{number(amount, 2)}", "left" if upright else "center"
        said += "\u2002" * upright  # clear of the line
        left, right, bottom, top = self.box
        seen = abs(amount) > _SEEN * (top - bottom if upright else right - left)
        middle = (before + after) / 2 if seen else plane.GAP
        return words(middle, said, f"{'middle' if upright else 'top'} {side}", size=15)

    def _axes(self, halves: ndarray) -> dict:
        """Write the names of the factors at their upper ends, and PCA's at its lower end."""
        up = np.where(halves[:, 1:] < 0, -halves, halves)
        down = self.component * (-1 if self.component[1] > 0 else 1)
        named = np.vstack([up, down])
        inside = within_the_picture(self.center, named, self.box)
        ends = np.where(np.abs(inside) < 0.85 * np.abs(named), inside, named)
        names = [numbered("factor", k) for k in range(len(halves))] + ["PCA"]
        if len(halves) == 1:
            names[0] = "factor"
        sides = [f"{'top' if y > 0 else 'bottom'} center" for _, y in ends]
        colors = [PALETTE[0]] * len(halves) + [PALETTE[1]]
        return texts(
            self.center + ends, [f"<b>{name}</b>" for name in names], textposition=sides,
            textfont={"size": 17, "shadow": "auto", "color": colors},
        )  # fmt: skip

    def shares(self, now: int) -> Figure:
        """Draw the parts of every column's variance that are common, and its own noise."""
        step = self.steps[now]
        whole = marks.whole(step)
        parts = (
            ("common", step.common / whole, PALETTE[0]),
            ("own noise", step.noise_variances / whole, GREY),
        )
        names = [label(name, 30) for name in self.columns.names]
        bars = [
            {
                "type": "bar", "name": name, "x": list(range(len(names))),
                "y": (100 * part).tolist(), "marker": {"color": color}, "customdata": names,
                "hovertemplate": f"%{{customdata}}, {name}: %{{y:.3g}} %<extra></extra>",
            }
            for name, part, color in parts
        ]  # fmt: skip
        top = max(float(((s.common + s.noise_variances) / whole).max()) for s in self.steps)
        layout = curves.panel_layout(
            barmode="stack",
            xaxis={"range": [-0.6, len(names) - 0.4]} | marks.ticks(self.columns.names),
            yaxis={"range": [0, 104 * max(top, 1.0)], "nticks": 5}
            | {"title": {"text": "% of the variance"}},
        )
        return curves.with_legend({"data": bars, "layout": layout})

    def turns(self, now: int) -> Figure:
        """Draw by how much the factors and the components turn, against the noise."""
        amounts, *both = self.turned
        strokes = (
            {"width": 3, "color": PALETTE[0]},
            {"width": 3, "color": PALETTE[1], "dash": "dash"},
        )
        names = ("factor" if self.steps[0].loadings.shape[1] == 1 else "factors", "PCA")
        data = []
        looks = curves.DOT, curves.HOLLOW
        for name, turned, stroke, look in zip(names, both, strokes, looks, strict=True):
            at = float(np.interp(self.columns.amount, amounts, turned))
            data += [
                curves.against(name, amounts, turned, setting="noise", line=stroke),
                curves.marked(self.columns.amount, at, marker=look),
                texts(
                    np.array([[amounts[-1], turned[-1]]]), [f"\u00a0<b>{name}</b>"],
                    textposition="middle right", textfont={"color": stroke["color"]},
                ),
            ]  # fmt: skip
        most = max(5.0, 1.15 * max(float(turned.max()) for turned in both))
        layout = curves.panel_layout(
            xaxis={"range": [-0.1, 3.7], "tickvals": [0, 1, 2, 3]}
            | {"title": {"text": f"noise in {label(self.name, 20)}, in deviations"}},
            yaxis={"range": [-0.06 * most, most], "nticks": 5, "title": {"text": "turned, °"}},
        )
        return {"data": data, "layout": layout}

    def matrix(self, now: int) -> Figure:
        """Draw the correlations of the sample and those that the model implies."""
        return marks.correlations(self.steps[now], self.columns.names)

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        if step.phase == "expectation":
            lines = [self._expectation(now), self._picked(now)]
            told = step.event == "converged" and self._noisiest(step) == self.columns.changed
            return "\n".join(lines if told else [*lines, self._own(step)])
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
        space = f"(in all {len(self.columns.names)} columns)"
        return f"{said[0].upper()}{said[1:]} {turn} PCA by {u}° and the factor by {f}° {space}."

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
        weights = np.abs(step.regression[0]) * np.sqrt(step.covariance.diagonal())
        noisiest, least = self._noisiest(step), int(weights.argmin())
        counts = f"“{names[least]}” counts least in the factor."
        most = " and most in PCA" if noisiest == self.heaviest else ""
        if noisiest == least:
            counts = f"“{names[least]}” has the most noise, so it counts least in the factor{most}."
        if now == 0:
            several = step.loadings.shape[1] > 1
            start = "factors are PCA’s first axes" if several else "factor is PCA’s first axis"
            unit = " in the old unit" if (self.columns.units != 1).any() else ""
            return f"Start: the {start}{unit}."
        if step.event == "converged":
            own = percent(float(share[noisiest]))
            end = f", so it counts least in the factor{most}" if noisiest == least else ""
            return f"Converged: {own} of “{names[noisiest]}” is its own noise{end}."
        if step.event:
            return f"Stopped after {number(now // 2)} pairs of half-steps; l still rises a little."
        return counts

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

    def _maximization(self, now: int) -> str:
        """Write what the maximization changes, with the numbers of the changed column."""
        step, before = self.steps[now], self.steps[now - 1]
        j, S = self.columns.changed, step.covariance
        psi, s = float(step.noise_variances[j]), float(marks.whole(step)[j])
        said = (
            f"Maximization: {percent(psi / s)} of “{self.name}” is its own noise now, and the "
            f"factor {self._turns(now)}."
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
            rule = f"The loading of “{self.name}”, its slope on the factor, goes from "
            rule += f"{number(old[0])} to {slope}"
        return (
            f"{said}\n{rule}.\nIts variance minus the common part is its noise: "
            f"{number(S[j, j])} − {number(float(step.common[j]))} = {number(psi)}. The "
            f"log-likelihood rises by {number(max(step.rise, 0.0))} to "
            f"{rounded(step.log_likelihood)}."
        )


def _in_the_factor(step: FactorAnalysisStep, j: int) -> float:
    """Return the share of a column in the direction of the first factor, by equal spreads."""
    direction = np.abs(step.loadings[:, 0]) / np.sqrt(marks.whole(step))
    return float(direction[j] / (np.linalg.norm(direction) or 1.0))


def _with_room(box: Bounds, X: ndarray) -> Bounds:
    """Return the box, made larger where points with noise would leave it."""
    left, right, bottom, top = box
    (low_x, low_y), (high_x, high_y) = X.min(axis=0), X.max(axis=0)
    room_x, room_y = _ROOM * (high_x - low_x), _ROOM * (high_y - low_y)
    return (
        min(left, float(low_x - room_x)), max(right, float(high_x + room_x)),
        min(bottom, float(low_y - room_y)), max(top, float(high_y + room_y)),
    )  # fmt: skip
