"""Descent beside a wall: the gradient and the wall's push, the bound from below, the gap."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.networks.descent.constraint import (
    LEAVES,
    OPTIMAL,
    Wall,
    WalledStep,
    best_multiplier,
    dual,
)
from algorithms.networks.descent.surfaces import Surface
from viz.core import curves, naming, plane
from viz.core.arrows import arrow
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import enclosed, number, rounded, vector
from viz.networks.descent.descent_race import TOP, ground

_LONG, _LONGER = 0.3, 0.6  # of the picture's width: the longest arrow on the wall, and of all
_NAMED = 0.06  # of the picture's width: an arrow with a name is at least this long
_INNER = 0.97  # of the way from the middle to a corner: where a name is
_DOWN, _PUSH, _REST = PALETTE[1], PALETTE[2], PALETTE[3]
_CURVE = 121  # places along the dual function
_NOTE = (
    "f = (p² + κ q²) / 2, with (p, q) the place, turned by the angle. Grey: behind the wall, where "
    "g > 0. The arrows have one scale: downhill is −∇f, the wall pushes back with −λ n. Their sum, "
    "if there is one, slides along the wall."
)


class Walled(Show[WalledStep]):
    """A ball that may not cross a wall, and what the conditions of the optimum say."""

    def __init__(self, run: Run, bowl: Surface, places: ndarray, rate: float) -> None:
        """Prepare the ground and the way. places : two on the wall. rate : the learning rate η."""
        super().__init__(run)
        self.bowl, self.wall, self.rate = bowl, Wall.through(places), rate
        self.way = np.array([step.place for step in self.steps])
        self.scale = _scale(self.steps) * (bowl.window[1] - bowl.window[0])
        self.ground = ground(bowl, bowl.window)
        self.best = best_multiplier(bowl, self.wall)
        self.least = float(dual(bowl, self.wall, np.array(self.best)))
        self.note = _NOTE
        self.opens = next((now for now, step in enumerate(self.steps) if step.behind == 0), 0)

    def views(self) -> list[View]:
        """Return the picture, the dual function, and the gap over the steps."""
        return [
            View("Downhill, and the push of the wall", self.picture),
            View("The dual function q(λ), and f now", self.bounds, ahead="to a question"),
            View("f comes down, its bound q comes up", self.gap, ahead=True),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the wall, the way so far, and the forces at the place."""
        step, box = self.steps[now], self.bowl.window
        across = self.wall.behind(np.array([(x, y) for y in box[2:] for x in box[:2]]))
        push = -step.multiplier * np.array(self.wall.normal)
        ball = {"size": 15, "color": NOW, "line": {"width": 2, "color": "#ffffff"}}
        hollow = {"size": [11, 0], "symbol": "circle-open", "color": GREY, "line": {"width": 2}}
        traces = [
            *self.ground,
            plane.line(
                _behind(self.wall, box), mode="none", fill="toself",
                fillcolor="rgba(90, 98, 106, 0.3)", name="behind the wall, g > 0",
            ),
            plane.straight_border(across, box, line={"width": 2.5}, name="wall, g = 0"),
            plane.line(self.way[: now + 1], mode="lines+markers", marker={"size": 7},
                       line={"width": 2.5, "color": NOW}, name="way, a mark at every step"),
            plane.line(
                np.array([step.trial, step.place]), mode="lines+markers", marker=hollow,
                line={"width": 2, "dash": "dot", "color": GREY},
                name="step z, and back to the wall",
            ),
            self._force(step.place, -step.gradient, _DOWN, "downhill, −∇f"),
            self._force(step.place, push, _PUSH, "push of the wall, −λ n"),
            self._force(step.place, self._rest(step), _REST, "what is left of both"),
            self._names(step),
            _named_behind(self.wall, box),
            plane.line(step.place[None], mode="markers", marker=ball, name="place θ"),
        ]  # fmt: skip
        figure = plane.figure(traces, box, ("x", "y"))
        figure["layout"]["margin"] |= {"t": TOP}
        return figure

    def bounds(self, now: int) -> Figure:
        """Draw q up to f and beyond its top, with the multiplier of this step."""
        step, most = self.steps[now], max(step.multiplier for step in self.steps)
        top = 1.25 * max(most, self.best) or 1.0
        x = np.linspace(0, top, _CURVE)
        q = dual(self.bowl, self.wall, x)
        heights = [*q, *(step.height for step in self.steps[len(self.steps) // 4 :]), step.height]
        low, high = min(heights), max(heights)
        room = 0.06 * (high - low) or 1.0
        here = np.array([[step.multiplier, step.bound], [step.multiplier, step.height]])
        level = np.array([[0.0, step.height], [top, step.height]])
        best = np.array([[self.best, self.least]])
        star = {"size": 15, "symbol": "star", "color": _PUSH}
        ends = {"size": 11, "color": NOW, "symbol": [0, 100], "line": {"width": [0, 3]}}
        traces = [
            plane.line(np.column_stack([x, q]), line={"width": 3}, name="q(λ)"),
            plane.line(level, line={"width": 2, "dash": "dash", "color": _DOWN}, name="f(θ)"),
            plane.line(
                here, mode="lines+markers", line={"width": 2, "dash": "dot", "color": GREY},
                marker=ends, name="gap",
            ),
            plane.line(best, mode="markers", marker=star, name="top of q", meta=ANSWER),
        ]  # fmt: skip
        traces = [trace | {"showlegend": True} for trace in traces]
        layout = curves.panel_layout(
            xaxis={"range": [-0.02 * top, top], "nticks": 6}
            | {"title": {"text": "multiplier λ", "standoff": 2}},
            yaxis={"range": [low - room, high + room], "nticks": 5, "title": {"text": "height"}},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def gap(self, now: int) -> Figure:
        """Draw f and its bound from below over the steps."""
        steps, last = range(len(self.steps)), max(len(self.steps) - 1, 1)
        looks = {"f(θ)": {"color": _DOWN, "dash": "dash"}, "q(λ)": {"width": 3}}
        f, q = ([step.height for step in self.steps], [step.bound for step in self.steps])
        traces = [
            curves.against(name, steps, values, setting="step", mode="lines", line=looks[name])
            for name, values in (("f(θ)", f), ("q(λ)", q))
        ]
        marks = [
            curves.marked(now, f[now], marker=curves.HOLLOW, showlegend=False),
            curves.marked(now, q[now], showlegend=False),
        ]
        layout = curves.panel_layout(
            xaxis={"title": {"text": "step", "standoff": 2}, "nticks": 8,
                   "range": [-0.03 * last, 1.03 * last]},
            yaxis={"title": {"text": "height"}, "nticks": 5},
        )  # fmt: skip
        return curves.with_legend({"data": [*traces, *marks], "layout": layout})

    def caption(self, now: int) -> str:
        """Write where the ball is; below, the step, the conditions, and the bound."""
        return f"{self._headline(now)}\n{self._rule(now)}\n{self._conditions(now)}"

    def answer(self, now: int) -> str:
        """Write the best place's height and multiplier, until the run is there."""
        if self.steps[now].event == OPTIMAL:
            return ""
        least, best = number(self.least), number(self.best)
        return f"The lowest is {least}, at λ = {best}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask where the next place is, or what the multiplier does."""
        step, after = self.steps[now], self.steps[now + 1]
        if step.behind == after.behind == 0:
            reason = f"It goes from {number(step.multiplier, 4)} to {number(after.multiplier, 4)}."
            text = "What does the multiplier λ do in the next step?"
            return rises_or_falls(text, step.multiplier, after.multiplier, reason)
        ways = [Option("on the wall"), Option("away from the wall")]
        right, wrong = ways if after.behind == 0 else ways[::-1]
        g = float(self.wall.behind(after.trial))
        side = "it is put back on the wall" if g > 0 else "it is on the allowed side"
        reason = f"z = θ − η ∇f(θ) = {vector(after.trial.tolist())} has g = {number(g)}: {side}."
        return question("Where is the ball after the next step?", right, [wrong], reason)

    def _headline(self, now: int) -> str:
        step = self.steps[now]
        f, force = rounded(step.height), rounded(step.multiplier)
        if step.event == OPTIMAL and step.multiplier > 0:
            return f"Nothing is left: downhill points straight into the wall, λ = {force}, f = {f}."
        if step.event == OPTIMAL:
            return f"The lowest place is allowed: the wall is not needed, λ = 0, f = {f}."
        if step.event == LEAVES:
            return "Every step is longer than the last: the learning rate is too large."
        if step.behind < 0:
            gap = rounded(-step.behind)
            return f"The wall does not push: the ball is {gap} in front of it, f = {f}."
        met = now == 0 or self.steps[now - 1].behind < 0
        does = "meets the wall" if met else "slides along the wall"
        return f"The ball {does}, which pushes with λ = {force}; f = {f}."

    def _rule(self, now: int) -> str:
        """Write where the step downhill ends, along the axis on which it is longer."""
        step, g = self.steps[now], float(self.wall.behind(self.steps[now].trial))
        where = f"{number(-g)} in front of the wall" if g < 0 else "on the wall"
        if g > 0:
            where = f"{number(g)} behind the wall, and the ball goes straight back to it"
        if now == 0:
            return f"The start, {vector(step.trial.tolist())}, is {where}."
        before = self.steps[now - 1]
        axis = int(np.abs(step.trial - before.place).argmax())
        start, slope = number(before.place[axis], 4), enclosed(before.gradient[axis], 4)
        back = f", then back to {number(float(step.place[axis]))}" if g > 0 else ""
        return (
            f"The step downhill ends {where}: in {'xy'[axis]}, {start} − {number(self.rate)} · "
            f"{slope} = {number(float(step.trial[axis]))}{back}."
        )

    def _conditions(self, now: int) -> str:
        step = self.steps[now]
        left = float(np.hypot(*step.slack))
        what = "The slope and the push of the wall cancel out"
        if step.event != OPTIMAL:
            what = f"Slope and push do not cancel out yet, {number(left)} is left"
        return (
            f"{what}. The lowest allowed f is between q(λ) = {number(step.bound)} and "
            f"f(θ) = {number(step.height)}."
        )

    def _force(self, place: ndarray, force: ndarray, color: str, name: str) -> dict:
        """Draw an arrow from the place; a short one becomes a dot."""
        return arrow(place, place + self.scale * force, color) | {"name": name}

    @staticmethod
    def _rest(step: WalledStep) -> ndarray:
        """Return the sum of both arrows; nothing while there is only one."""
        return -step.slack if step.multiplier > 0 else np.zeros(2)

    def _names(self, step: WalledStep) -> dict:
        """Write at the tips of the arrows what they are."""
        forces = (
            ("downhill", -step.gradient, _DOWN),
            ("wall pushes", -step.multiplier * np.array(self.wall.normal), _PUSH),
            ("both", self._rest(step), _REST),
        )
        tips = np.array([self.scale * force for _, force, _ in forces])
        long = np.hypot(*tips.T) > _NAMED * (self.bowl.window[1] - self.bowl.window[0])
        written = [name if shown else "" for (name, _, _), shown in zip(forces, long, strict=True)]
        sides = [f"{'top' if y > 0 else 'bottom'} {'right' if x > 0 else 'left'}" for x, y in tips]
        colors = [color for _, _, color in forces]
        return texts(
            step.place + tips, [f"<b>{word}</b>" for word in written], textposition=sides,
            textfont={"size": 16, "shadow": "auto", "color": colors},
        )  # fmt: skip


def _scale(steps: Sequence[WalledStep]) -> float:
    """Return the length of an arrow for a slope of 1, as a share of the picture's width."""
    slopes = [float(np.hypot(*step.gradient)) for step in steps]
    there = [slope for slope, step in zip(slopes, steps, strict=True) if step.behind == 0]
    return min(_LONG / max([*there, 1e-12]), _LONGER / max([*slopes, 1e-12]))


def _named_behind(wall: Wall, box: Bounds) -> dict:
    """Write what the grey means, in the corner of the picture that is farthest behind the wall."""
    corners = np.array([(x, y) for y in box[2:] for x in box[:2]])
    behind = wall.behind(corners)
    across, up = corners[behind.argmax()] if behind.max() > 0 else np.full(2, np.nan)
    middle = np.array([box[0] + box[1], box[2] + box[3]]) / 2
    side = f"{'bottom' if up > middle[1] else 'top'} {'left' if across > middle[0] else 'right'}"
    place = middle + _INNER * (np.array([across, up]) - middle)
    return naming.words(place, "not allowed", side, size=16, weight=700)


def _behind(wall: Wall, box: Bounds) -> ndarray:
    """Return the outline of the part of a box that is behind a wall."""
    left, right, bottom, top = box
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    outline = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        g, h = wall.behind(a), wall.behind(b)
        outline += [a] * bool(g > 0)
        outline += [a + g / (g - h) * (b - a)] * bool((g > 0) != (h > 0))
    return np.array([*outline, outline[0]]) if outline else plane.GAP
