"""Power iteration: a vector turns towards one component after the other."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.pca.power_iteration import PowerStep
from viz.core import curves
from viz.core.found import Axis
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import ANSWER, Figure, View
from viz.core.theme import GREY
from viz.core.words import number, numbered, vector
from viz.reduction.pca import marks
from viz.reduction.pca.marks import FAINT
from viz.reduction.pca.on_columns import OnColumns

_ABOVE = 2.5  # times the largest angle: names of components are above their curves
_ROOM = 0.16  # of the axis, for these names
_CLEAR = 0.01  # of a share
_MOST = 4  # entries of a vector


class PowerIteration(OnColumns[PowerStep]):
    """Every step multiplies the vector by the covariance matrix."""

    def views(self) -> list[View]:
        """Return the picture, the convergence, and the shares along all eigenvectors."""
        return [
            View("The vector u, the points, and their projections on it", self.picture),
            View("Angle between u and the answer", self.convergence, ahead="by step"),
            View("Share of u along each eigenvector", self.shares),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points, their projections, and the vector."""
        return marks.picture(self.columns, self.steps, now)

    def convergence(self, now: int) -> Figure:
        """Draw the angle, and name the component that a step looks for.

        Between components the curve has a gap.
        """
        angles = [max(step.angle, 1e-6) for step in self.steps]
        starts = [at for at, step in enumerate(self.steps) if at and step.iteration == 0]
        figure = curves.timeline({"angle °": angles}, log=["angle °"], starts=starts)(now)
        top = max(angles)
        late = [2 * at > len(angles) for at in starts]
        names = texts(
            np.array([[at, top * _ABOVE] for at in starts]).reshape(-1, 2),
            [f"component {self.steps[at].index + 1}" for at in starts],
            textposition=[f"top {'left' if each else 'right'}" for each in late], meta=ANSWER,
        )  # fmt: skip
        axis = figure["layout"]["yaxis"]
        low, high = axis["range"]
        room = {"yaxis": axis | {"range": [low, high + _ROOM * (high - low) * bool(starts)]}}
        return {**figure, "data": [*figure["data"], names], "layout": figure["layout"] | room}

    def shares(self, now: int) -> Figure:
        """Draw the share of the vector along each exact eigenvector."""
        step = self.steps[now]
        d = len(step.shares)
        bars = {
            "type": "bar",
            "x": list(range(1, d + 1)),
            "y": step.shares.tolist(),
            "text": [number(float(share), 2) for share in step.shares],
            "textposition": "outside",
            "cliponaxis": False,
            "marker": {
                "color": GREY,
                "opacity": [1.0 if i == step.index else FAINT for i in range(d)],
            },
            "customdata": step.eigenvalues.tolist(),
            "hovertemplate": "v%{x}, λ = %{customdata:.3g}: %{y:.3g}<extra></extra>",
        }
        few = range(0, d, -(-d // 6))
        layout = curves.panel_layout(
            xaxis={
                "range": [0.4, d + 0.6],
                "tickvals": [i + 1 for i in few],
                "ticktext": [numbered("v", i) for i in few],
            },
            yaxis={"range": [0, 1.2], "tickvals": [0, 0.5, 1], "title": {"text": "share of u"}},
        )
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what step `now` of the power iteration did to the vector."""
        step = self.steps[now]
        j, u = step.index + 1, step.components[-1]
        end = {
            "converged": " Converged: S u = λ u.",
            "stopped at max_iter": " Stopped: no more steps are allowed; the rate is near 1.",
        }.get(step.event or "", "")
        pace = _pace(step)
        if step.iteration == 0:
            first = (
                f"Component 1 starts from a random direction, {_angle(step)} from the answer.{end}"
            )
            if j > 1:
                others = "it" if j == 2 else "all components before"
                first = (
                    f"Component {j - 1} is taken out of S (deflation); component {j} starts at "
                    f"random, orthogonal to {others}, {_angle(step)} from its answer.{end}"
                )
            return (
                f"{first}\nAlong u = {_short(u)} the variance is {number(step.rayleigh, 4)}.{pace}"
            )
        before = self.steps[now - 1]
        first = (
            f"Component {j}, step {step.iteration}: u turns from {_angle(before)} to "
            f"{_angle(step)} from the answer.{end}"
        )
        rule = (
            f"The covariance matrix S makes S u = {_short(step.product)} of u, of length "
            f"{number(step.norm, 4)}; divided by that, u = {_short(u)}."
        )
        rises = f"The variance along u {_rise(before.rayleigh, step.rayleigh)}."
        last = now == len(self.steps) - 1
        return f"{first}\n{rule}\n{rises}{self._right_angle(step) if last else pace}"

    def _right_angle(self, step: PowerStep) -> str:
        """Write why components at right angles do not look so; of two columns they do."""
        d, j = len(self.columns.names), step.index
        if d == 2 or j == 0:
            return ""
        others = numbered("u", 0) if j == 1 else "all components before"
        return (
            f" {numbered('u', j)} is at a right angle to {others} in all {d} columns; the picture "
            "shows only 2 of them."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask towards which of the exact eigenvectors the vector turns."""
        before, after = self.steps[now], self.steps[now + 1]
        if before.index != after.index or len(after.shares) == 1:
            return None
        gain = (after.shares - before.shares).tolist()
        order = sorted(range(len(gain)), key=lambda j: -gain[j])
        if gain[order[0]] - gain[order[1]] <= _CLEAR:
            return None
        j = order[0]
        shares = [number(float(step.shares[j])) for step in (before, after)]
        reason = (
            "S u stretches u along every eigenvector by its eigenvalue, most along the first one "
            f"that is left. Its share goes from {shares[0]} to {shares[1]}."
        )
        options = [Option(f"eigenvector {k + 1}") for k in order]
        text = "Next is S u / ‖S u‖. Along which eigenvector does the share of u grow most?"
        return question(text, options[0], options[1:], reason)

    def found(self, now: int) -> Axis:
        """Return the vector of this step as an axis."""
        return marks.axis(self.columns, self.steps[now])


def _pace(step: PowerStep) -> str:
    """Name the rate by its eigenvalues; there is none where no smaller one is left."""
    exact, j = step.eigenvalues, step.index
    smaller = np.isclose(exact, step.rate * exact[j], rtol=1e-12, atol=0.0)
    if not smaller.any():
        return ""
    ratio = f"{numbered('λ', int(smaller.argmax()))}/{numbered('λ', j)}"
    return f" Near the answer, a step leaves at most {number(step.rate)} of the angle ({ratio})."


def _rise(old: float, new: float) -> str:
    """Write how the variance along u rises, or that it does not by the digits that are shown."""
    before, after = number(old, 5), number(new, 5)
    return f"stays at {after}" if before == after else f"rises from {before} to {after}"


def _angle(step: PowerStep) -> str:
    """Write the angle to the answer."""
    angle = number(step.angle)
    return f"{angle} degrees" if "×" in angle else f"{angle}°"  # ° after a power reads as one more


def _short(values: ndarray) -> str:
    """Write a vector, or the first entries of a long one."""
    if len(values) <= _MOST + 1:
        return vector(values)
    return f"{vector(values[:_MOST])[:-1]}, … {len(values)} entries)"
