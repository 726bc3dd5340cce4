"""A matrix as turn, stretch, turn: the unit circle on its way to an ellipse, also with points."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.singular_values.turn_stretch_turn import (
    PARTS,
    TurnStretchTurnStep,
    angle,
)
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.naming import Name, clear_names
from viz.core.panels import Panel, alone, axis
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Bounds, Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import number, place

_CIRCLE = 73  # corners
_REACH, _FAR = 2.2, 3.2  # of the picture, to all sides, without points; for a far column
_ROOM = 1.15  # around the points
_START = 1.45  # reach of the view of the unit circle
_BEYOND = 0.04  # of the reach, from the head of an arrow to its name
_ALONG = np.linspace(-1, 1, 5)
_NAMES = ("v₁", "v₂")
_COLORS = PALETTE[2:4]  # of their arrows; points and handles have the first two
_FLAT = 1e-9  # of the largest singular value: a smaller one is 0
_GAP = "\u00a0" * 7  # beside a handle
_WORD = 0.21  # of the picture: from a column to the end of its name
_HALF, _HIGH = 0.11, 0.055  # of it: half as wide, and as high as the words at the ellipse
_COLUMNS = ("column 1", "column 2")
_HALF_AXES = ("σ₁u₁", "σ₂u₂")


class Cloud(NamedTuple):
    """Points that go along: (n, 2) places with variance 1, and the data.

    standardized : whether each column was divided by its standard deviation.
    """

    places: ndarray
    data: Plane
    standardized: bool


class TurnStretchTurn(Show[TurnStretchTurnStep]):
    """The unit circle is turned, stretched and turned; in PCA's case, points with it."""

    opens = AT_THE_END

    def __init__(self, run: Run, cloud: Cloud | None = None) -> None:
        """Prepare the circle and its grid. cloud : the points that go along."""
        super().__init__(run)
        self.cloud = cloud
        turn = 2 * np.pi * np.arange(_CIRCLE) / (_CIRCLE - 1)
        self.circle = np.column_stack([np.cos(turn), np.sin(turn)])
        ends = np.ones_like(_ALONG)
        lines = [
            np.stack([start, end], axis=1)
            for start, end in (
                (np.array([_ALONG, -ends]), np.array([_ALONG, ends])),
                (np.array([-ends, _ALONG]), np.array([ends, _ALONG])),
            )
        ]
        self.grid = plane.joined([piece.T for line in lines for piece in line.transpose(2, 0, 1)])
        last = self.steps[-1]
        ellipse = self.circle @ last.A.T
        widest = max(float(np.abs(last.A).max()), float(np.abs(ellipse).max()))
        reach = _REACH if widest <= _REACH else _FAR
        if cloud:
            places = np.concatenate([cloud.places, cloud.places @ last.A.T])
            reach = _ROOM * max(float(np.abs(places).max()), 1.0)
        self.box: Bounds = (-reach, reach, -reach, reach)
        self.lengths = np.array([np.linalg.norm(s.M @ s.V, axis=0) for s in self.steps])
        ends = ellipse[[ellipse[:, 1].argmax(), ellipse[:, 1].argmin()]]
        room = np.linalg.norm(ends[:, None] - last.A.T, axis=2).min(axis=1)
        self.upper = bool(cloud) or room[0] > room[1]
        self.end = ends[0 if self.upper else 1]
        self.ways = self._ways(last.A, np.concatenate([_along(last.A @ last.V), ellipse]))
        self.taken = self._words(last.A, 2 * reach)
        self.note = "Drag the two columns of A: they are the places where (1, 0) and (0, 1) go."
        if cloud:
            self.note = (
                "The points are shown about their mean. Both axes have the same scale, whatever "
                "the board's axes have."
            )
            if cloud.standardized:
                self.note += " Each column is divided by its standard deviation."

    def _ways(self, A: ndarray, seen: ndarray) -> list[int]:
        """Return where each column's name is: 1 to its right, −1 to its left, if it covers less.

        seen : (m, 2) places that should be seen, at the end.
        """
        reach, ways = self.box[1], []
        for k, column in enumerate(A.T):
            x, y = ((np.vstack([seen, A.T[1 - k]]) - column) / (2 * reach)).T
            level = np.abs(y) < _HIGH / 2
            covered = [np.sum(level & (way * x > 0) & (way * x < _WORD)) for way in (1, -1)]
            fits = column[0] - 2 * reach * _WORD > -reach
            ways.append(-1 if fits and covered[1] < covered[0] else 1)
        return ways

    def _words(self, A: ndarray, whole: float) -> ndarray:
        """Return (m, 2) places that words cover: at the ellipse, and beside the columns of A.

        whole : width and height of the picture.
        """
        up = 1 if self.upper else -1
        x, y = np.meshgrid(np.linspace(-_HALF, _HALF, 20), up * np.linspace(0, _HIGH, 6))
        at_ellipse = self.end + whole * np.column_stack([x.ravel(), y.ravel()])
        if self.cloud:
            return at_ellipse
        x, y = np.meshgrid(np.linspace(0, _WORD, 20), [-0.02, 0, 0.02])
        beside = [
            column + whole * np.column_stack([way * x.ravel(), y.ravel()])
            for column, way in zip(A.T, self.ways, strict=True)
        ]
        return np.concatenate([at_ellipse, *beside])

    def views(self) -> list[View]:
        """Return the picture, the lengths of both arrows, and the start."""
        title = "The unit circle, turned, stretched and turned"
        if self.cloud:
            title = "The unit circle and the points, stretched and turned"
        return [
            View(title, self.picture, board=False),
            View("Lengths of both arrows", self.both_lengths, ahead="by step", board=False),
            View("Before: v₁ and v₂ on the unit circle", self.start, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw grid, circle, arrows and points where the steps so far have put them."""
        step = self.steps[now]
        M, A = step.M, step.A
        columns, ellipse = (plane.GAP, "one deviation") if self.cloud else (A.T, "ellipse of A")
        side = "top center" if self.upper else "bottom center"
        named = [
            f"{_GAP}{name}" if way > 0 else f"{name}{_GAP}"
            for name, way in zip(_COLUMNS, self.ways, strict=True)
        ]
        beside = ["middle right" if way > 0 else "middle left" for way in self.ways]
        taken = self.taken
        if self.cloud:
            taken = np.concatenate([taken, self.cloud.places @ M.T])
        traces = [
            plane.line(
                self.grid @ M.T, line={"width": 1, "color": GREY}, name="grid, as it is now"
            ),
            plane.line(
                self.circle @ A.T, line={"width": 2, "dash": "dot"},
                name="where A puts the unit circle",
            ),
            plane.line(self.circle @ M.T, line={"width": 3}, name="the unit circle, as it is now"),
            *_arrows(M @ step.V),
            *_beyond(M @ step.V, self._names(now), self.box[1], taken, back=bool(self.cloud)),
            plane.line(
                columns, mode="markers", marker={"symbol": 134, "size": 12, "line": {"width": 2}},
                name="column of A",
            ),
            texts(
                np.vstack([self.end, columns]), [ellipse, *named][: 1 + len(columns)],
                textposition=[side, *beside][: 1 + len(columns)],
                textfont={"shadow": "auto"},
            ),
        ]  # fmt: skip
        if not self.cloud:
            return plane.figure(traces, self.box)
        alike = np.zeros(len(self.cloud.places), int)  # the classes play no part
        drawn = plane.points(self.cloud.places @ M.T, alike)
        signs = {"points": "point, where the steps so far have put it"}
        return plane.figure(traces, self.box, self.cloud.data.names, points=drawn, signs=signs)

    def _names(self, now: int) -> Sequence[str]:
        """Return the names of both arrows: of the start, on the way, and of the half axes."""
        if now == 0:
            return _NAMES
        if now == len(self.steps) - 1:
            return _HALF_AXES
        return [f"from {name}" for name in _NAMES]

    def both_lengths(self, now: int) -> Figure:
        """Draw how long both arrows are over the steps, on one scale."""
        steps, traces = np.arange(len(self.lengths)), []
        end, top = float(steps[-1]), 1.1 * float(self.lengths.max())
        for k, values in enumerate(self.lengths.T):
            color = _COLORS[k]
            traces += [
                plane.line(
                    np.column_stack([steps, values]), line={"width": 3, "color": color},
                    name=f"length of the arrow from {_NAMES[k]}",
                ),
                curves.marked(now, float(values[now])),
                texts(
                    np.array([[end, values[-1]]]), [f"\u2002<b>{_HALF_AXES[k]}</b>"], meta=ANSWER,
                    textposition="middle right", textfont={"color": color},
                ),
            ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"range": [-0.04 * end, 1.14 * end], "title": {"text": "step", "standoff": 2}},
            yaxis={"range": [-0.05 * top, top], "nticks": 5, "title": {"text": "length"}},
        )
        return {"data": traces, "layout": layout}

    def start(self, now: int) -> Figure:
        """Draw the unit circle with v₁ and v₂."""
        traces = [
            plane.line(self.circle, line={"width": 2}, name="unit circle"),
            *_arrows(self.steps[now].V),
            *_beyond(self.steps[now].V, _NAMES, _START, np.empty((0, 2))),
        ]
        x, y = (axis("", -_START, _START) for _ in range(2))
        return alone(Panel(traces, x, y | {"scaleanchor": "x"}))

    def caption(self, now: int) -> str:
        """Write what this part does, and the singular values with their numbers."""
        step = self.steps[now]
        s1, s2 = step.singular_values.tolist()
        alpha, beta = (float(np.degrees(angle(Q))) for Q in (step.V, step.U))
        part, left = divmod(step.count - 1, PARTS)
        share = f"{left + 1} of {PARTS} parts"
        mirror = " and mirror" if np.linalg.det(step.U) < 0 else ""
        parts = [
            f"Turn, {share}: in the end by {number(-alpha)}°, so that v₁ is along the first axis.",
            f"Stretch, {share}: in the end by {number(s1)} along the first axis, by {number(s2)} "
            "along the second.",
            f"Turn{mirror}, {share}: in the end by {number(beta)}°, so that v₁ is along u₁.",
        ]
        if self.cloud and part == 1:
            parts[1] = (
                f"Stretch, {share}: in the end by {number(s1)} along x, which becomes the points' "
                f"long axis, and by {number(s2)} along y."
            )
        said = parts[part]
        if now == 0:
            said = "Start: the unit circle. v₁ is the direction that the matrix stretches most."
            if self.cloud:
                ways = "along v₁" if s2 <= _FLAT * s1 else "in every direction"
                said = f"Start: the points, turned and stretched to variance 1 {ways}."
        elif step.event == "finished":
            said = (
                "The circle has become the ellipse: its half axes are σ₁u₁ = A v₁ and σ₂u₂ = A v₂."
            )
            if self.cloud:
                said = (
                    "The stretch and the turn have put the points of the start onto the data. The "
                    "half axes of the ellipse are one deviation long."
                )
        v, u = place(step.V[:, 0]), place(step.U[:, 0])
        rule = f"The matrix stretches and turns: v₁ = {v}"
        if not self.cloud:
            first, second = (place(column) for column in step.A.T)
            rule = (
                f"The matrix A with the columns {first} and {second} turns, stretches and turns "
                f"again: v₁ = {v}"
            )
        if step.count <= PARTS:  # the stretches are not seen yet
            return f"{said}\n{rule} goes along u₁ = {u}."
        rule += f" becomes {number(s1)} times u₁ = {u}."
        return f"{said}\n{rule}\n{self._meaning(step)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask where the tip of an arrow goes, or whether it gets longer."""
        before, after = self.steps[now], self.steps[now + 1]
        k = int(rng.integers(2))
        tips = [step.M @ step.V[:, k] for step in (before, after)]
        where = (0, *tips[0].tolist())
        if before.count // PARTS == 1:
            old, new = (float(np.linalg.norm(tip)) for tip in tips)
            text = (
                f"Next is the stretch. Does the arrow from {_NAMES[k]} grow (rise) or shrink "
                "(fall)?"
            )
            reason = (
                f"Its length goes from {number(old)} to {number(new)}: σ = "
                f"{number(float(after.singular_values[k]))}."
            )
        else:
            old, new = (float(tip[1]) for tip in tips)
            text = f"Next is a turn. Does the tip of the arrow from {_NAMES[k]} rise or fall?"
            reason = f"Its height goes from {number(old)} to {number(new)}."
        if abs(new - old) < 1e-6 * self.box[1]:
            return None
        return rises_or_falls(text, old, new, reason, place=where)

    def _meaning(self, step: TurnStretchTurnStep) -> str:
        """Write what the singular values mean: an area, or variances."""
        s1, s2 = step.singular_values.tolist()
        if self.cloud:
            return (
                "u₁ and u₂ are PCA's axes, and the variances along them are the squares of the "
                f"stretches, {number(s1**2)} and {number(s2**2)}."
            )
        det = float(np.linalg.det(step.A))
        flat = " A is singular: it flattens the plane." if s2 <= _FLAT * s1 else ""
        return (
            "Areas are multiplied by the product of both stretches, "
            f"{number(abs(det))}, the size of the determinant.{flat}"
        )


def _arrows(tips: ndarray) -> list[dict]:
    """Draw arrows from the origin to the columns of `tips`."""
    heads = {"symbol": "arrow", "angleref": "previous", "size": [0, 14], "opacity": 1}
    return [
        plane.line(
            np.array([[0.0, 0.0], tip]), mode="lines+markers", marker=heads,
            line={"width": 4, "color": _COLORS[k]}, name=f"{_NAMES[k]}, where it is now",
        )
        for k, tip in enumerate(tips.T)
    ]  # fmt: skip


def _along(tips: ndarray) -> ndarray:
    """Return (m, 2) places along the arrows from the origin to the columns of `tips`."""
    return np.concatenate([np.linspace(0, 1, 40)[:, None] * tip for tip in tips.T])


def _beyond(
    tips: ndarray, written: Sequence[str], reach: float, taken: ndarray, *, back: bool = False
) -> list[dict]:
    """Write the names of arrows beyond their heads, clear of (m, 2) places that are taken.

    back : where all places beyond a head are taken, its name may be beside the arrow.
    """
    lengths = np.maximum(np.linalg.norm(tips, axis=0), _BEYOND * reach)
    names = [
        Name(
            text,
            [(end, side) for side in _sides(end) + _beside(end) * back],
            {"size": 18, "weight": 700},
        )
        for end, text in zip((tips * (1 + _BEYOND * reach / lengths)).T, written, strict=True)
    ]
    return clear_names(names, (-reach, reach, -reach, reach), taken)


def _beside(tip: ndarray) -> list[str]:
    """Return the sides of an arrow's head from which its name goes back along the arrow."""
    across = "left" if tip[0] >= 0 else "right"
    return [f"top {across}", f"bottom {across}"]


def _sides(tip: ndarray) -> list[str]:
    """Return the sides of an arrow's head that are beyond it, the straightest first."""
    x, y = tip
    up, across = "top" if y >= 0 else "bottom", "right" if x >= 0 else "left"
    sides = [f"{up} {across}", f"middle {across}", f"{up} center"]
    if abs(x) > 2 * abs(y):
        return [sides[1], sides[0], sides[2]]
    return [sides[2], sides[0], sides[1]] if abs(y) > 2 * abs(x) else sides
