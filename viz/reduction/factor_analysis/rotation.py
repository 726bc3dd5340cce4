"""Rotated factors: the columns as arrows, and the axes of two factors that are turned by hand."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.factor_analysis.rotation import RotationStep
from viz.core import curves, panels, plane
from viz.core.graph import texts
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Bounds, Figure, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import decimal, number, rounded
from viz.reduction.factor_analysis import marks

_BOX: Bounds = (-1.95, 1.95, -1.95, 1.95)  # a square, so that right angles look right
_REACH = 1.15  # of the axes
_BUNDLES = 12  # with a name
_NEAR = 0.1  # from the first arrow of a bundle to the tips of the others
_STUB = 0.15  # an arrow too short to have a direction
_BELOW = (0.35, -1.5)  # the name of such an arrow: no axis reaches it
_LETTERS = 12
_GAP = 0.17  # from name to name
_SPACE = 0.03  # from the line to a name, to the name


def _bundles(tips: ndarray) -> list[list[int]]:
    """Return the columns in bundles, the longest arrows first: nearly equal ones, and stubs."""
    bundles: list[list[int]] = []
    lengths = np.hypot(*tips.T)
    for j in np.argsort(-lengths, kind="stable").tolist():
        bundle = next((b for b in bundles if np.hypot(*(tips[b[0]] - tips[j])) < _NEAR), [])
        if lengths[j] < _STUB:
            bundle = next((b for b in bundles if lengths[b[0]] < _STUB), [])
        if not bundle:
            bundles.append(bundle)
        bundle.append(j)
    return bundles


def _joined(names: Sequence[str]) -> str:
    """Write the names of a bundle, or the first and the number of others if they are long."""
    written = ", ".join(map(str, names))
    if len(written) <= _LETTERS:
        return panels.label(written, _LETTERS)
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return panels.label(str(names[0]), _LETTERS - len(more)) + more


class Rotation(Show[RotationStep]):
    """The axes of the first two factors, turned by their handles."""

    def __init__(self, run: Run, names: Sequence[str], shown: int) -> None:
        """Place the names. names : of the columns. shown : the column whose sum is written."""
        super().__init__(run)
        self.names, self.shown = names, shown
        self.tips = self.steps[0].loadings[:, :2]
        self.opens, self.best = next(
            (now, step) for now, step in enumerate(self.steps) if step.event == "simplest"
        )
        bundles = _bundles(self.tips)[:_BUNDLES]
        self.named = [columns[0] for columns in bundles]
        self.written = [_joined([names[j] for j in sorted(columns)]) for columns in bundles]
        tips = self.tips[self.named]
        right = tips[:, 0] >= 0
        self.places = np.column_stack([np.where(right, 1.25, -1.25), tips[:, 1]])
        short = np.hypot(*tips.T) < _STUB
        self.places[short] = _BELOW
        for k in np.flatnonzero(short):
            self.written[k] += ": near 0"
        for side in (right & ~short, ~right & ~short):
            self.places[side, 1] = panels.spread_out(tips[side, 1], _GAP, -1.2, 1.2)
        self.beside = np.where(self.places[:, :1] > 0, [_SPACE, 0], [-_SPACE, 0])
        self.starts = np.where(short[:, None], self.places - self.beside, tips)  # no line if short
        angles = np.radians([step.angle for step in self.steps])
        first = np.column_stack([np.cos(angles), np.sin(angles)])
        self.axes = _REACH * np.stack([first, first[:, ::-1] * [-1, 1]], axis=1)
        self.note = (
            "Loadings are per deviation of the columns, so an arrow on the circle is a column "
            "without noise of its own. With a third factor, only the first two are turned."
        )

    def views(self) -> list[View]:
        """Return the arrows with the axes, the loadings, and V against the angle."""
        track = Track("The axes of the factors", self.axes)
        return [
            View("Turn the axes: columns as arrows", self.picture, track=track, board=False),
            View("Loadings on both factors", self.loadings, board=False),
            View(
                "Simplicity V (varimax) against the angle",
                self.curve,
                ahead="to a question",
                board=False,
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the columns, which stay, and the axes of the factors, which turn."""
        turn = np.linspace(0, 2 * np.pi, 73)
        heads = {"symbol": "arrow", "angleref": "previous", "opacity": 1}
        origin = np.zeros_like(self.tips)
        right = self.places[:, 0] > 0
        ends = self.axes[now]
        aside = ends[::-1] * [[1], [-1]]  # a quarter turn from each axis
        traces = [
            plane.line(
                np.column_stack([np.cos(turn), np.sin(turn)]), line={"width": 1, "dash": "dot"},
                name="a column that ends here has no noise of its own", showlegend=True,
            ),
            plane.line(
                marks.segments(self.starts, self.places - self.beside),
                line={"width": 1, "color": GREY},
                name="from a column to its name",
            ),
            plane.line(
                marks.segments(origin, self.tips), mode="lines+markers", line={"width": 2.5},
                marker=heads | {"size": [0, 14, 0] * len(self.tips)},
                name="column: its loadings on both axes",
            ),
            *(
                plane.line(
                    np.stack([-end, end]), line={"width": 3, "color": PALETTE[k]},
                    name=f"axis of factor {k + 1}",
                )
                for k, end in enumerate(ends)
            ),
            texts(
                self.places, self.written,
                textposition=["middle right" if side else "middle left" for side in right],
                textfont={"shadow": "auto"},
            ),
            texts(
                0.16 * aside + ends, ["<b>f₁</b>", "<b>f₂</b>"],
                textfont={"size": 18, "shadow": "auto", "color": PALETTE[:2]},
            ),
        ]  # fmt: skip
        figure = plane.figure(traces, _BOX, ("factor 1 of the fit", "factor 2 of the fit"))
        return curves.with_legend(figure, x=0, xanchor="left")

    def loadings(self, now: int) -> Figure:
        """Draw the loadings of every column on both factors as bars."""
        L = self.steps[now].loadings
        bars = [
            {
                "type": "bar", "name": name, "x": list(range(len(L))), "y": L[:, k].tolist(),
                "marker": {"color": PALETTE[k]}, "customdata": list(map(panels.label, self.names)),
                "hovertemplate": f"%{{customdata}}, {name}: %{{y:.3g}}<extra></extra>",
            }
            for k, name in enumerate(("f₁", "f₂"))
        ]  # fmt: skip
        layout = curves.panel_layout(
            barmode="group",
            xaxis={"range": [-0.6, len(L) - 0.4]} | marks.ticks(self.names),
            yaxis={"range": [-1.1, 1.1], "nticks": 5, "title": {"text": "loading"}},
        )
        return curves.with_legend({"data": bars, "layout": layout})

    def curve(self, now: int) -> Figure:
        """Draw V against the angle."""
        angles = [step.angle for step in self.steps]
        values = [step.simplicity for step in self.steps]
        top = 1.1 * max(values) or 1.0
        line = plane.line(np.column_stack([angles, values]), line={"width": 3}, name="V")
        layout = curves.panel_layout(
            xaxis={"range": [-2, 92], "tickvals": [0, 30, 60, 90], "title": {"text": "angle, °"}},
            yaxis={"range": [-0.04 * top, top], "nticks": 5, "title": {"text": "V"}},
        )
        best = self.steps.index(self.best)
        star = plane.line(
            np.array([[angles[best], values[best]]]), mode="markers+text", name="simplest",
            marker={"size": 13, "symbol": "star", "color": PALETTE[1]}, meta=ANSWER,
            text=["simplest"], textposition="bottom center", textfont={"size": 15},
        )  # fmt: skip
        here = curves.marked(angles[now], values[now], marker=curves.RING)
        return {"data": [line, star, here], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what changes with the angle and what does not, with one column's numbers."""
        step = self.steps[now]
        turned = step.loadings[self.shown]
        said = "the loadings change, the log-likelihood does not."
        if step.event:
            said = "the simplest loadings; the log-likelihood is as before."
        return (
            f"Axes turned by {rounded(step.angle)}°: {said}\nThe turned loadings of "
            f"“{self.names[self.shown]}” are {number(turned[0])} and {number(turned[1])}; their "
            f"squares add up to {decimal(float(turned[:2] @ turned[:2]))} at every angle.\n"
            f"Simplicity (varimax V) is {number(step.simplicity)}; the log-likelihood, "
            f"{number(step.log_likelihood, 5)}, is the same at every angle."
        )

    def answer(self, now: int) -> str:
        """Write where the loadings are simplest, but not there."""
        if self.steps[now].event:
            return ""
        V = number(self.best.simplicity)
        return f"The simplest loadings are at {rounded(self.best.angle)}°, with V = {V}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the size of a loading rises or falls with the next turn."""
        j, k = int(rng.integers(len(self.names))), int(rng.integers(2))
        old, new = (abs(float(self.steps[at].loadings[j, k])) for at in (now, now + 1))
        text = (
            f"The axes turn on to {self.steps[now + 1].angle:.1f}°. Does the size of the loading "
            f"of “{self.names[j]}” on f{'₁₂'[k]} rise or fall?"
        )
        reason = f"It goes from {decimal(old)} to {decimal(new)}."
        return rises_or_falls(text, old, new, reason, least=0.01)
