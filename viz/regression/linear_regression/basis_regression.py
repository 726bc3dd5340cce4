"""Basis functions that are added one by one: the curve, its parts, its errors and its weights."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import SUBSCRIPTS, SUPERSCRIPTS
from algorithms.regression.linear_regression.basis_regression import NOTHING, BasisStep
from viz.core import curves, naming, panels, plane
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import added, counted, number, rounded
from viz.regression.linear_regression import marks
from viz.regression.linear_regression.marks import four

_PLACES, _FEW = 201, 81  # along the curve, and along one of its parts
_ROOM = 1.5  # times the largest error of the mean: errors above are drawn at the top
_LEAST = 1e-9  # of the largest weight of the run: a smaller one is not drawn
_TRAINING, _HELD = PALETTE[0], PALETTE[1]
_OPENS = 3  # functions: the curve bends, and its parts can still be distinguished
_PARTS = "rgba(128, 128, 128, 0.35)"
_LEVEL, _EACH = "level w₀", "weighted basis function, on the level w₀"
_LAYERS = [Layer("every basis function", (_LEVEL, _EACH))]
_UP = 5  # Plotly's triangle that points upwards


class Bases(Show[BasisStep]):
    """The curve with one basis function more at every step."""

    def __init__(self, run: Run, data: Plane, held: ndarray, query: float, unused: int) -> None:
        """Prepare curves, errors and weights. held : which points are held out.

        query : the x at which the curve is read off. unused : columns of the table that are not on
        the plane.
        """
        super().__init__(run, data)
        self.query, self.held = query, held
        self.points = plane.points(data.X, marks.one_kind(data), held=held)
        self.most = self.steps[-1].count
        self.opens = _OPENS
        self.features = self.steps[0].features
        left, right = data.bounds[:2]
        self.x = np.linspace(left, right, _PLACES)
        self.few = np.linspace(left, right, _FEW)
        self.at = np.array([step.count for step in self.steps])
        self.training = np.array([step.training_error for step in self.steps])
        errors = [step.held_out_error for step in self.steps]
        self.held_out = np.array([np.nan if error is None else error for error in errors])
        self.judged = bool(held.any())
        self.nothing = NOTHING * float(np.ptp(data.X[~held, 1]))
        self.best = int(self.held_out.argmin()) if self.judged else 0
        self.top = _ROOM * float(np.nanmax([self.training[0], self.held_out[0]])) or 1.0
        used, out = len(held) - int(held.sum()), int(held.sum())
        self.note = (
            f"{marks.columns_note(data, unused)} {counted(used, 'point')} for training, {out} held "
            f"out (with a hole). {self._functions()} △: above the picture."
        )

    def views(self) -> list[View]:
        """Return the curve, the errors, and the weights."""
        return [
            View("The curve, and its basis functions", self.picture, layers=_LAYERS),
            View("RMS error against the number of functions", self.errors, ahead="by step"),
            View("Sizes of the weights, |w₀| to |wₚ|", self.sizes, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the parts of the curve on the level w_0, and the curve, this one and the last."""
        step, before, bounds = self.steps[now], self.steps[max(now - 1, 0)], self.data.bounds
        level = np.column_stack([bounds[:2], [step.intercept] * 2])
        traces = [
            plane.line(
                marks.within(level, bounds),
                line={"width": 2, "dash": "dash", "color": GREY},
                name=_LEVEL,
            ),
            plane.line(
                self._parts(step, list(range(self.most))),
                line={"width": 1.5, "color": _PARTS},
                name=_EACH,
            ),
            plane.line(
                self._parts(step, [step.count - 1]),
                line={"width": 3, "dash": "dot", "color": PALETTE[1]},
                **marks.keyed("newest function, on the level w₀"),
            ),
            plane.line(
                marks.within(self._curve(before), bounds),
                line={"width": 2, "color": GREY},
                **marks.keyed("curve before"),
            ),
            plane.line(
                marks.within(self._curve(step), bounds), line={"width": 4}, **marks.keyed("curve f")
            ),
            self._reading(step),
        ]
        figure = plane.figure(traces, bounds, self.data.names, points=self.points)
        return marks.with_key(figure)

    def errors(self, now: int) -> Figure:
        """Draw both RMS errors against the number of functions."""
        series = [("training", self.training, _TRAINING, "solid", 0)]
        if self.judged:
            series.append(("held out", self.held_out, _HELD, "dash", 1))
        traces = [
            curves.against(
                name, self.at, values.clip(max=self.top), setting="p",
                line={"width": 3, "color": color, "dash": dash},
                marker={
                    "size": 8, "color": color,
                    "symbol": np.where(values > self.top, _UP, symbol).tolist(),
                },
            )
            for name, values, color, dash, symbol in series
        ]  # fmt: skip
        if self.judged:
            star = {"size": 15, "symbol": "star", "color": _HELD}
            at, least = float(self.at[self.best]), float(self.held_out[self.best])
            style = {"mode": "markers", "marker": star, "meta": ANSWER, "name": "least"}
            style |= {"showlegend": True}
            traces.append(panels.curve([at], [least], **style))
        beyond = self.at[np.any([values > self.top for _, values, *_ in series], axis=0)]
        where = np.array([beyond[-1], 0.92 * self.top]) if len(beyond) else plane.GAP
        traces.append(naming.words(where, "off the scale", "bottom left", size=14))
        for _, values, *_ in series:
            shown = float(min(values[now], self.top))
            traces.append(curves.marked(int(self.at[now]), shown, showlegend=False))
        figure = {"data": traces, "layout": self._over_count("RMS error", [0, 1.06 * self.top])}
        return curves.with_legend(figure) if self.judged else figure

    def sizes(self, now: int) -> Figure:
        """Draw the size of every weight against the number of functions, and the largest one."""
        largest = np.array([step.largest for step in self.steps])
        tiny = _LEAST * float(largest.max())
        sizes = [
            (step.count, size)
            for step in self.steps
            for size in np.abs(step.all_weights).tolist()
            if size > tiny
        ]
        at, size = np.array(sizes).reshape(-1, 2).T
        line = largest.clip(size.min(initial=1.0))  # 0 has no place on this axis
        traces = [
            panels.curve(
                plane.packed(at), plane.packed(size), mode="markers", showlegend=True,
                marker={"size": 5, "color": GREY}, name="every |wⱼ|",
            ),
            curves.against(
                "largest |wⱼ|", self.at, line, setting="p",
                line={"width": 3, "color": PALETTE[2]}, marker={"size": 7},
            ),
            curves.marked(int(self.at[now]), float(line[now]), showlegend=False),
        ]  # fmt: skip
        low, high = np.log10([size.min(), size.max()]) if len(size) else (-1.0, 1.0)
        low, high = float(low) - 0.2, float(high) + 0.3
        layout = self._over_count("size", [low, high])
        layout["yaxis"] |= curves.powers(low, high)
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the newest function changes, and least squares with its numbers."""
        step = self.steps[now]
        first = self._joined(now) if now else self._start(step)
        return f"{first}\n{self._rule(step)}\n{self._read_off(step)}"

    def answer(self, now: int) -> str:
        """Write which number of functions has the least held-out error."""
        if not self.judged:
            return ""
        many = counted(int(self.at[self.best]), "function")
        return f" Least held-out error of the run: {four(self.held_out[self.best])} with {many}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the held-out error, the largest weight, or the curve at the ring."""
        before, after = self.steps[now], self.steps[now + 1]
        name = self._name(after.count)
        kind = rng.integers(3)
        if kind == 0 and self.judged:
            old, new = self.held_out[now], self.held_out[now + 1]
            reason = (
                f"It goes from {four(old)} to {four(new)}, while the training error goes from "
                f"{four(self._unrounded(before.training_error))} to "
                f"{four(self._unrounded(after.training_error))}."
            )
            text = f"{name} joins. What does the error on the held-out points do?"
            return rises_or_falls(text, old, new, reason, least=0.02)
        if kind == 1:
            old, new = before.largest, after.largest
            reason = f"All weights are fitted again: it goes from {four(old)} to {four(new)}."
            text = f"{name} joins. What does the size of the largest weight do?"
            return rises_or_falls(text, old, new, reason, least=0.02)
        old, new = self._at_ring(before), self._at_ring(after)
        bottom, top = self.data.bounds[2:]
        reason = f"At x = {number(self.query)}, f goes from {four(old)} to {four(new)}."
        text = f"{name} joins. What does the curve do at the ring, x = {number(self.query)}?"
        least = 0.02 * (top - bottom) / max(abs(old), abs(new), 1e-300)
        place = (0, self.query, float(np.clip(old, bottom, top)))
        return rises_or_falls(text, old, new, reason, least=least, place=place)

    def found(self, now: int) -> Curve:
        """Return the curve."""
        return Curve(marks.within(self._curve(self.steps[now]), self.data.bounds))

    def _curve(self, step: BasisStep) -> ndarray:
        return np.column_stack([self.x, step.predict(self.x[:, None])])

    def _parts(self, step: BasisStep, columns: list[int]) -> ndarray:
        """Return w_0 + w_j phi_j(x) for these j, with gaps; NaN where j has not been added."""
        heights = np.full((_FEW + 1, self.most), np.nan)
        heights[:-1, : step.count] = step.intercept + step.terms(self.few[:, None])
        across = np.tile(np.append(self.few, np.nan), len(columns))
        path = np.column_stack([across, heights[:, columns].T.ravel()])
        return marks.within(path, self.data.bounds)

    def _at_ring(self, step: BasisStep) -> float:
        return float(step.predict(np.array([[self.query]]))[0])

    def _reading(self, step: BasisStep) -> dict:
        """Draw where the curve is at the ring's x."""
        return marks.reading(self.query, (0.0, self._at_ring(step)), self.data.bounds)

    def _over_count(self, title: str, heights: list[float]) -> dict:
        most = self.most
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.04 * most, 1.04 * most],
                "title": {"text": "number of functions p", "standoff": 2},
                "nticks": 8,
            },
            yaxis={"range": heights, "title": {"text": title}, "nticks": 5},
        )
        return layout

    def _functions(self) -> str:
        """Write which functions are added."""
        width, (x, _) = number(self.features.width), self.data.names
        middle = added(-self.features.middle)
        match self.features.kind:
            case "polynomial":
                return f"φⱼ(x) = uʲ with u = ({x} {middle}) / {width}, from −1 to 1 in training."
            case "Fourier":
                return f"cos and sin of k a, a = 2π ({x} {middle}) / {width}, k = 1, 2, ..."
            case kind:
                return f"{kind}s of width h = {width}; every new mⱼ halves a gap."

    def _name(self, count: int) -> str:
        """Write which function is the newest: φ₃(x) = u³."""
        j, kind = count - 1, self.features.kind
        phi = f"φ{count}".translate(SUBSCRIPTS) + "(x)"
        if kind == "polynomial":
            return "u" + (str(count).translate(SUPERSCRIPTS) if count > 1 else "")
        if kind == "Fourier":
            return f"{phi} = {('cos', 'sin')[j % 2]} {'' if j < 2 else f'{j // 2 + 1} '}a"
        return f"{phi}, the {kind} at m = {number(self.features.places[j])},"

    def _start(self, step: BasisStep) -> str:
        error = f"an RMS error of {rounded(step.training_error)} in training"
        if self.judged:
            error += f" and {rounded(self.held_out[0])} on the held-out points"
        return (
            f"No function yet: the curve is the level w₀, the mean of the training points: {error}."
        )

    def _joined(self, now: int) -> str:
        step, before = self.steps[now], self.steps[now - 1]
        training = _change(*map(self._unrounded, (before.training_error, step.training_error)))
        said = f"{self._name(step.count)} joins: the training error {training}"
        if self.judged:
            said += f", the held-out error {_change(self.held_out[now - 1], self.held_out[now])}"
        if step.event == "through all points":
            return f"{said}. The curve goes through every training point."
        return f"{said}."

    def _rule(self, step: BasisStep) -> str:
        """Write least squares, and the RMS error, with this step's numbers."""
        n, p = len(self.held) - int(self.held.sum()), step.count
        error = f"√({four(n * step.training_error**2)} / {n}) = {four(step.training_error)}"
        if step.training_error <= self.nothing:
            error = "0, up to rounding"
        j = int(np.abs(step.all_weights).argmax())
        name = f"w{j}".translate(SUBSCRIPTS)
        scaled = f" (u: {self.data.names[0]} scaled to −1 … 1)"
        if step.event == "many solutions":
            return (
                f"{n} training points cannot determine {p + 1} weights. Of the best fits, the "
                f"shortest w is taken; its largest is {name} = "
                f"{four(step.all_weights[j])}. Training error: {error}."
            )
        return (
            f"Least squares gives {counted(p + 1, 'weight')} from {n} training points"
            f"{scaled if self.features.kind == 'polynomial' and p else ''}; the largest is {name} "
            f"= {four(step.all_weights[j])}. The training error is {error}."
        )

    def _unrounded(self, error: float) -> float:
        """Return a training error, 0 if it is nothing but rounding."""
        return 0.0 if error <= self.nothing else error

    def _read_off(self, step: BasisStep) -> str:
        """Write the curve at the ring as a sum of its terms, of many the three largest, by j."""
        terms = step.terms(np.array([[self.query]]))[0]
        order = np.abs(terms).argsort(kind="stable")[::-1]
        shown = np.sort(order[:3] if len(order) > 4 else order)
        summed = " ".join(added(float(terms[j]), 4) for j in shown)
        rest = f" {added(float(terms.sum() - terms[shown].sum()), 4)} (rest)"
        whole = f"{four(step.intercept)} {summed}{rest if len(shown) < len(order) else ''}"
        value = four(self._at_ring(step))
        start = f"Picked x = {number(self.query)}: the level"
        if not len(terms):
            return f"{start} is w₀ = {value}."
        return f"{start} and the weighted functions add up to {whole} = {value}."


def _change(old: float, new: float) -> str:
    """Write how an error changes."""
    if rounded(old) == rounded(new):
        return f"stays at {rounded(new)}"
    return f"{'rises' if new > old else 'falls'} from {rounded(old)} to {rounded(new)}"
