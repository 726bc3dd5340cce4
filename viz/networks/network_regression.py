"""The training of a network that predicts y from x, epoch by epoch."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.scaling import Scaling
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    MultilayerRegressionStep,
)
from algorithms.networks.multilayer_perceptron.training import Training
from algorithms.networks.multilayer_perceptron.training_summary import Summary
from viz.core import curves, naming, panels, plane
from viz.core.arrows import arrow
from viz.core.found import Curve
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.theme import GREY, PALETTE
from viz.core.what_if import FAINT, LOOK
from viz.core.words import added, listed, number, rounded
from viz.networks.diagram import CELLS, diagram, short
from viz.networks.epochs import Epochs

MOST_TERMS = 6  # of a sum that is written out
_UNITS = tuple(PALETTE[i] for i in (1, 2, 3, 6, 4, 5, 7))  # the first four are not alike
_PLACES, _COARSE = 240, 48  # along the curve, and along one of many
_BESIDE = 12  # places along a curve where its name may be
_CLEAR = 0.012  # of the picture's width, from a name to a curve or to a held-out point's miss
_GAP = 0.13  # of the view's height, from one unit's number to the next
_SEEN = 12  # steps of the run that the view of the units has room for
_LEADER = 0.035  # of the view's width, from the end of a unit's line to its number
_CORNERS = ("bottom left", "bottom right", "top right")  # What if has a key at the top left
_STAIRS, _STAIR = 0.3, 0.06  # of the view's width: all arrows at the picked x; one, at most


# The signs of the points, for the row above the picture.
_FILLED = {"size": 10, "color": PALETTE[0]}
_HOLLOW = {"symbol": "circle-open", "size": 11, "color": PALETTE[0], "line": {"width": 3}}
_HELD, _LEARNED = 1.5, 0.85  # diameters of points: a hole is seen in the dark, too
_SIGNS = {"size": "large, with a hole: held out"}


class NumberEpochs(Epochs[MultilayerRegressionStep]):
    """The curve and what the units add, the units, the losses and the gradients."""

    log_loss = True  # a held-out loss of twice the lowest is small beside that of the start
    opens = 240  # the curve is bent, and begins to follow the noise

    def __init__(
        self,
        run: Run,
        data: Plane,
        scaling: Scaling,
        summary: Summary,
        held: ndarray,
        query: float,
        training: Training,
    ) -> None:
        """Lay the network out.

        scaling : of x and y, to the units that the network is trained in. held : (n,) which points
        are held out. query : a picked x.
        """
        super().__init__(run, data, held, summary, training)
        self.scaling, self.query = scaling, query
        self.x, self.coarse = (np.linspace(*data.bounds[:2], m) for m in (_PLACES, _COARSE))
        self.input, self.picked = self.standard(self.x), self.standard(np.array([query]))
        x, _, _ = plane.grid(data.bounds, CELLS)
        low, high = scaling.of(1).transform(np.array(data.bounds[2:])[:, None])[:, 0].tolist()
        self.diagram = diagram(data, self.steps[0], self.standard(x), (low, high))
        last = self.steps[0].weights[-1].shape[0] if self.hidden else 0
        self.rims = [_stroke(j)["color"] for j in range(last)]
        self.note = self._note()

    def standard(self, x: ndarray) -> ndarray:
        """Return the network's input at some x, a row for each."""
        return self.scaling.of(0).transform(x[:, None])

    def back(self, v: ndarray) -> ndarray:
        """Return the network's answers in units of the data."""
        return self.scaling.of(1).back(v[:, None])[:, 0]

    def read(self, now: int) -> float:
        """Return the height of the curve at the picked x."""
        return float(self.back(self.steps[now].predict(self.picked))[0])

    def views(self) -> list[View]:
        """Return the picture, what each unit adds, the losses, the network and the gradients."""
        network, losses, gradients = self.epoch_views()
        network, losses = replace(network, height=1.0), replace(losses, height=0.9)
        picture = View("The curve of the network", self.picture)
        if not self.hidden:
            return [picture, network, losses, gradients]
        parts = View("What units add: arrows from b to the curve", self.units(), 1.4)
        return [picture, parts, losses, network, gradients]

    def picture(self, now: int) -> Figure:
        """Draw the curve, and where it is read at the picked x."""
        data, step = self.data, self.steps[now]
        at = np.array([[self.query, data.bounds[2]], [self.query, self.read(now)]])
        curve, best = self._curve(step), self._best(now)
        traces = [
            plane.line(
                best, line={"width": 2, "color": GREY},
                name="network at the lowest held-out loss so far",
            ),
            plane.line(curve, line={"width": 4}, name="network f"),
            plane.line(
                at, mode="lines+markers", line={"width": 2, "dash": "dot", "color": GREY},
                marker={"size": [0, 13], "opacity": 1, "line": {"width": 2, "color": "#ffffff"}},
                name="f at the picked x",
            ),
            *(
                plane.line(
                    plane.GAP, mode="markers", marker=marker, name=name,
                    showlegend=bool(self.held.any()),
                )
                for name, marker in (("training", _FILLED), ("held out", _HOLLOW))
            ),
            plane.line(
                self._misses(step), line={"width": 1.5, "color": PALETTE[0]}, name="its miss",
                showlegend=bool(self.held.any()),
            ),
            *self._named(now, curve, best),
        ]  # fmt: skip
        size = np.where(self.held, _HELD, _LEARNED)
        points = plane.points(data.X, data.labels, size=size, held=self.held)
        figure = plane.figure(traces, data.bounds, data.names, points=points, signs=_SIGNS)
        figure["layout"]["margin"] |= {"t": 38, "r": 30}
        return curves.with_legend(figure, x=0, xanchor="left")

    def units(self) -> Callable[[int], Figure]:
        """Draw what every unit of the last hidden layer adds, and the sum at the picked x."""
        shown = np.linspace(0, len(self.steps) - 1, _SEEN).astype(int).tolist()
        here = np.array([self.query])
        every = [
            values.ravel()
            for step in (self.steps[now] for now in shown)
            for values in (
                self._parts(step, self.coarse), self._sums(step, self.coarse)[-1],
                self._sums(step, here),
            )
        ]  # fmt: skip
        low, high = float(np.concatenate(every).min()), float(np.concatenate(every).max())
        left, right = self.data.bounds[:2]
        zero = {"width": 1.5, "dash": "dot", "color": GREY}
        x = panels.axis(self.data.names[0], left, right)
        reach = low - 0.05 * (high - low), high + 0.05 * (high - low)
        y = panels.axis(f"part of {self.data.names[1]}", low, high, range=reach, nticks=6)

        def at(now: int) -> Figure:
            step = self.steps[now]
            parts, total = self._parts(step, self.coarse), self._sums(step, self.coarse)[-1]
            level, sums = self._constant(step), self._sums(step, here)[:, 0]
            traces = [
                panels.curve([left, right], [0.0, 0.0], line=zero, name="0"),
                panels.curve(
                    [self.query, self.query], list(reach), line=zero, name="the picked x"
                ),
                panels.curve(
                    [left, right], [level, level], line={"width": 2, "color": GREY}, name="b"
                ),
                *(
                    panels.curve(plane.packed(self.coarse), plane.packed(part), name=_part(j),
                                 line=_stroke(j))
                    for j, part in enumerate(parts)
                ),
                panels.curve(
                    plane.packed(self.coarse), plane.packed(total), line={"width": 4},
                    name="network f",
                ),
                *self._stairs(sums),
                panels.curve(
                    [self.query], [float(sums[-1])], mode="markers", name="f at the picked x",
                    marker={"size": 13, "color": GREY},
                ),
                *self._numbers(np.append(parts[:, -1], level), low, high),
            ]  # fmt: skip
            figure = panels.alone(Panel(traces, x, y))
            figure["layout"]["margin"]["r"] = 40
            return figure

        return at

    def said(self, now: int) -> list[list[str]]:
        """Write every unit's activation at the picked x, and f in units of y for the output."""
        *inner, scores = self.steps[now].activations(self.picked)
        texts = [[short(a) for a in layer[0]] for layer in inner]
        return [*texts, [short(float(self.back(scores[0])[0]))]]

    def caption(self, now: int) -> str:
        """Write what the epoch did, the rule with its numbers, and the picked x."""
        return (
            f"{self.loss(now, self._held_out(now))}\n{self.rule(now)}{self.idle(now)}\n"
            f"{self._read(now)}"
        )

    def idle(self, now: int) -> str:
        """Count the units that no longer learn, and say what that means."""
        said, step = super().idle(now), self.steps[now]
        if not said:
            return ""
        if step.activation != "relu":
            return f"{said[:-1]} (nearly flat at every training point)."
        above = (step.activations(self.input)[-2] > 0).any(axis=0) & step.stuck[-1]
        names = [str(j + 1) for j in np.flatnonzero(above).tolist()]
        units = f"units {listed(names)} are" if len(names) > 1 else f"unit {''.join(names)} is"
        more = f"; {units} above 0 only where none is" if names else ""
        return f"{said[:-1]} (0 at every training point{more})."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the curve rises or falls at the picked x, or the held-out loss."""
        held = self.summary.held_out_loss
        if held is not None and rng.random() < 0.5:
            text = "What does the loss on the held-out points do in the next epoch?"
            before, after = float(held[now]), float(held[now + 1])
        else:
            text = "What does the curve do at the picked x in the next epoch?"
            before, after = self.read(now), self.read(now + 1)
        reason = f"It goes from {number(before, 4)} to {number(after, 4)}."
        return rises_or_falls(text, before, after, reason)

    def found(self, now: int) -> Curve:
        """Return the curve."""
        return Curve(self._curve(self.steps[now]))

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict]]:
        """Return the curve."""
        return [[plane.line(self._curve(self.steps[now]), line=LOOK, opacity=FAINT)]]

    def _curve(self, step: MultilayerRegressionStep) -> ndarray:
        return np.stack([self.x, self.back(step.predict(self.input))], axis=1)

    def _best(self, now: int) -> ndarray:
        """Return the curve of the epoch whose held-out loss was the lowest; none if it is shown."""
        best = self.summary.best_so_far(now)
        return plane.GAP if best in (None, now) else self._curve(self.steps[best])

    def _misses(self, step: MultilayerRegressionStep) -> ndarray:
        """Return a line from every held-out point to the curve."""
        return plane.joined(list(self._from_held(step)))

    def _from_held(self, step: MultilayerRegressionStep) -> ndarray:
        """Return (held-out points, 2, 2): each point, and the curve at its x."""
        points = self.data.X[self.held]
        found = self.back(step.predict(self.standard(points[:, 0])))
        return np.stack([points, np.column_stack([points[:, 0], found])], axis=1)

    def _parts(self, step: MultilayerRegressionStep, x: ndarray) -> ndarray:
        """Return (units, places): what every unit of the last hidden layer adds, in units of y."""
        answers = step.activations(self.standard(x))[-2] * step.weights[-1][:, 0]
        return self.scaling.spread[1] * answers.T

    def _sums(self, step: MultilayerRegressionStep, x: ndarray) -> ndarray:
        """Return (1 + units, places): b, and b with one unit more in every row, up to f."""
        level = np.full((1, len(x)), self._constant(step))
        return np.concatenate([level, self._parts(step, x)]).cumsum(axis=0)

    def _stairs(self, sums: ndarray) -> list[dict]:
        """Draw an arrow for each unit at the picked x, from the sum without it to that with it.

        Level lines lead from each arrow to the next, and from the last one to the curve.
        """
        left, right = self.data.bounds[:2]
        units = len(sums) - 1
        wide = min(_STAIR, _STAIRS / units) * (right - left)
        first = np.clip(self.query - wide * (units - 1) / 2, left, right - wide * (units - 1))
        x = first + wide * np.arange(units)
        without, with_it = (np.column_stack([x, ends]) for ends in (sums[:-1], sums[1:]))
        on = np.column_stack([np.append(x[1:], self.query), sums[1:]])
        level = plane.joined(list(np.stack([with_it, on], axis=1)))
        return [
            plane.line(level, line={"width": 1.5, "color": GREY}, name="the sum so far"),
            *(
                {
                    **arrow(without[j], with_it[j], _stroke(j)["color"]),
                    "name": f"unit {j + 1} added",
                }
                for j in range(units)
            ),
        ]

    def _constant(self, step: MultilayerRegressionStep) -> float:
        """Return the output's bias, in units of y."""
        return self.scaling.center[1] + self.scaling.spread[1] * float(step.biases[-1][0])

    def _named(self, now: int, curve: ndarray, best: ndarray) -> list[dict]:
        """Write what the curves and hollow points are, clear of points, misses and curves."""
        epoch = self.summary.best_so_far(now)
        box = self.data.bounds
        wide = _CLEAR * (box[1] - box[0])
        names = [
            naming.Name(
                "hollow: not used in training" if self.held.any() else "",
                [naming.corner(box, side) for side in _CORNERS], {"color": GREY},
            ),
            naming.Name("network", _beside(curve, wide), {"size": 15, "weight": 700}),
            naming.Name(
                "" if np.isnan(best).all() else f"best so far, epoch {epoch}", _beside(best, wide),
                {"size": 15, "color": GREY},
            ),
        ]  # fmt: skip
        misses = self._from_held(self.steps[now])
        rims = [miss + np.array([side * wide, 0.0]) for miss in misses for side in (-1, 1)]
        lines = (curve, best, *misses, *rims)
        taken = np.concatenate([self.data.X, *map(naming.along, lines)])
        return naming.clear_names(names, box, taken)

    def _numbers(self, ends: ndarray, low: float, high: float) -> list[dict]:
        """Write the number of every unit beside its line, and b at the last one.

        A thin line leads from the end of each line to its number.
        """
        units = len(ends) - 1  # the last end is that of b
        colors = [*(_stroke(j)["color"] for j in range(units)), GREY]
        heights = panels.spread_out(ends, _GAP * (high - low), low, high)
        left, right = self.data.bounds[:2]
        sides = [np.full(len(ends), x) for x in (right, right + _LEADER * (right - left))]
        places = [np.column_stack(pair) for pair in zip(sides, (ends, heights), strict=True)]
        leaders = plane.line(
            plane.joined(list(np.stack(places, axis=1))), line={"width": 1, "color": GREY},
            cliponaxis=False, name="from a line to its number",
        )  # fmt: skip
        numbers = plane.line(
            places[1],
            mode="text", text=[*(f" {j + 1}" for j in range(units)), " b"],
            textposition="middle right",
            textfont={"size": 15, "shadow": "auto", "color": colors},
            cliponaxis=False, name="numbers of the units",
        )  # fmt: skip
        return [leaders, numbers]

    def _note(self) -> str:
        (cx, cy), (sx, sy) = self.scaling.center, self.scaling.spread
        x, y = self.data.names
        return (
            f"Both columns are standardised, u = ({x} {added(-cx, 4)}) / {number(sx, 4)} and "
            f"v = ({y} {added(-cy, 4)}) / {number(sy, 4)}; the loss is half the mean of (v − f)² "
            f"plus the penalty.{self.held_out()} Numbered lines: what each unit of the last "
            f"hidden layer adds, in units of {y}; the bias b and they together are the curve. The "
            "arrows add them one after the other at the picked x, from b to the curve. In the "
            "network, a node shows its unit over x, with its activation at the picked x (the "
            f"output in units of the data); {self.strokes()}"
        )

    def _held_out(self, now: int) -> str:
        """Compare the held-out loss with the lowest so far."""
        every, best = self.summary.held_out_loss, self.summary.best_so_far(now)
        if every is None or best is None:
            return ""
        text = f"; on held-out points it is {number(float(every[now]))}"
        if best == now:
            return f"{text}{', the lowest so far' if now else ''}"
        compared = "higher than" if every[now] > every[best] else "as"
        return f"{text}, {compared} in epoch {best}"

    def _read(self, now: int) -> str:
        """Write the last layer's sum at the picked x, in units of y as in the view of the units."""
        step, spread = self.steps[now], self.scaling.spread[1]
        *_, before, _ = step.activations(self.picked)
        bias = self._constant(step)
        parts = (spread * before[0] * step.weights[-1][:, 0]).tolist()
        terms = [number(bias, 4), *(added(part, 4) for part in parts[:MOST_TERMS])]
        total = " ".join([*terms, *["+ …"] * (len(parts) > MOST_TERMS)])
        what = "what the units add" if self.hidden else "the input's part"
        return (
            f"Picked x = {number(self.query)}: the constant b and {what} make the height of the "
            f"curve, {total} = {rounded(self.read(now))}."
        )


def _beside(path: ndarray, away: float) -> list[tuple[ndarray, str]]:
    """Return places for a name beside a curve, from near its right end on. away : from it."""
    apart = _PLACES // _BESIDE
    sides = ("top left", "bottom left", "top right", "bottom right")
    return [
        (place + np.array([-away if "left" in side else away, 0.0]), side)
        for place in path[-1 - apart :: -apart]
        for side in sides
    ]


def _part(unit: int) -> str:
    """Name what a unit adds, counted from 0."""
    return f"w a of unit {unit + 1}"


def _stroke(unit: int) -> dict:
    """Return the line of a unit."""
    return {"width": 2, "color": _UNITS[unit % len(_UNITS)]}
