"""The plain unit: a cobweb on its own map, and the gradient as a product of slopes."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.recurrent_unit.recurrent_unit import UnitStep, fixed_points
from viz.core import curves, naming, plane
from viz.core.naming import Name
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import enclosed, number, numbered
from viz.sequences.recurrent_unit import marks
from viz.sequences.recurrent_unit.lens import ROOM, Lens, on_crowd

_GRID = np.linspace(-1.1, 1.1, 221)
_BOX = (-1.1, 1.16, -1.1, 1.1)  # with room for the bar on the right
_PALE = 0.4  # the strength of the map that is not in use
_OUT, _IN = 0.14, 0.36  # lengths of a tangent, towards the edge of the picture and away from it
_TINY = 1e-2  # a gradient that is smaller vanishes, and one above its inverse explodes
_APART = 0.05  # states that are nearer to each other have one name
_MARK, _DISC, _SLOPE = 0.02, 0.04, 0.06  # from a dot, a disc or a tangent to its name
_FARTHER = 0.045  # from a dot to its name, where there is no room beside it
_RIM = ([0.0, -0.03], [0.0, 0.03])  # from the middle of a map's thick line to beside it
_CLEAR = 0.035  # from a dot in the lens to its name: the time at hand has a large dot
_AT_EDGE = 0.97  # a state that is larger in size is close to the edge of the picture
_DISC_COUNTS = 50  # a name over a disc is as bad as one over that many places of a line
_SIDES = {
    "bottom right": (1, -1), "top left": (-1, 1), "bottom center": (0, -1),
    "top right": (1, 1), "bottom left": (-1, -1),
}  # fmt: skip
_OFF = ("bottom right", "top left")  # sides of the diagonal
_ACROSS = 60  # places in the lens that words keep clear of, in a row
_WAYS = ("up or down to the curve: new state", "across to the diagonal: new becomes old")
_WAY_BACK = "back in time, the slopes are multiplied:"
_LETTERS = 40  # for the factors of a product: of a longer one, the middle is left out
_LINE = 0.1  # from one line of words to the next
_INWARDS = (0.0, 0.1, 0.2, 0.3, 0.4)  # from the corner to the words in it, where it is crowded
_LETTER = 0.032  # the width of a letter
_SHARES = np.linspace(0, 1, 12)  # of a line of words: places that other words keep clear of
_ALIKE = 0.01  # two answers are at least this share apart
BESIDE = 1.1  # right of the map: there the bar is that moves it
_NUMBER = 70  # pixels, for the gradient at the right of the last dot
_LONG = 0.1  # a shorter part of the stairs has no arrow
_OPENS = 3  # the time forward whose stair has arrows, and some stairs before it
_RISES, _FALLS = [5, 8], [6, 7]  # symbols: up, then right; down, then left


class RecurrentUnit(Show[UnitStep]):
    """A time forward per step, then a factor per step back."""

    note = (
        "Up or down to the curve is a step of the unit, and across to the diagonal makes the new "
        "state the next old one. Drag the bar on the right up or down: the map's height at state 0 "
        "is tanh b. A gradient below 10⁻³⁰ is not drawn."
    )

    counts_from = 1  # so that on the way forward a step's number is its time

    def __init__(self, run: Run, x: ndarray, w: float, u: float, b: float) -> None:
        """Compute the map and its fixed points, which no step changes."""
        super().__init__(run)
        self.x, self.w, self.u, self.b = x, w, u, b
        end = self.steps[-1]
        self.states, self.gradients = end.states, end.gradients
        self.slopes = w * (1 - self.states**2)
        self.largest = float(x[np.abs(x).argmax()])
        self.opens = min(_OPENS, len(x)) - 1
        kept = fixed_points(w, b)
        stays = np.abs(w * (1 - kept**2)) < 1
        dot = {"size": 15, "color": PALETTE[2], "line": {"width": 3}}
        self.still = [
            plane.line(np.array([[-1.1, -1.1], [1.1, 1.1]]), line={"width": 1.5, "color": GREY},
                       name="diagonal: the state stays"),
            plane.line(np.column_stack([_GRID, np.tanh(w * _GRID + b)]), opacity=_PALE,
                       line={"width": 2, "color": PALETTE[0]}, name="thin: map for the input 0"),
            plane.line(self._map(self.largest) if self.largest else plane.GAP,
                       line={"width": 2, "color": PALETTE[0]}, opacity=_PALE,
                       name="thin: map for the largest input"),
            plane.line(_on_diagonal(kept[stays]), mode="markers", marker=dot | {"symbol": 0},
                       name="fixed point that attracts"),
            plane.line(_on_diagonal(kept[~stays]), mode="markers",
                       marker=dot | {"symbol": 100}, name="fixed point that repels"),
            plane.line(np.array([[0.0, np.tanh(b)], [BESIDE, np.tanh(b)]]),
                       line={"width": 1.5, "dash": "dot", "color": GREY},
                       name="the map's height at state 0, tanh b"),
        ]  # fmt: skip
        self.kept, self.stays = kept, stays
        self.maps = [self._map(0.0), self._map(self.largest)]
        self.taken = self._taken()
        self.lens = on_crowd(self.states, kept[stays], _BOX, self.taken)
        if self.lens:
            side = ROOM * np.linspace(-1, 1, _ACROSS)
            inside = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
            self.taken = np.concatenate([self.taken, self.lens.at + inside])
        self.names = self._names()
        self.words = np.concatenate([_room(self._said(step)) for step in self.steps])

    def _taken(self) -> ndarray:
        """Return places of the lines and discs that words and the lens keep clear of."""
        lines = [
            *self.maps, np.array([[-1.1, -1.1], [1.1, 1.1]]), self._stairs(len(self.x)),
            np.array([[0.0, np.tanh(self.b)], [BESIDE, np.tanh(self.b)]]),
        ]  # fmt: skip
        rim = _DISC * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        discs = (_on_diagonal(self.kept)[:, None] + np.repeat(rim, _DISC_COUNTS, axis=0)).reshape(
            -1, 2
        )
        return np.concatenate([*(naming.along(path) for path in lines), discs])

    def _map(self, x: float) -> ndarray:
        """Return the places (old state, new state), while the input is x."""
        return np.column_stack([_GRID, np.tanh(self.w * _GRID + self.u * x + self.b)])

    def _names(self) -> list[tuple[int, Name]]:
        """Return the names that stay: from which time on it is written, and where it may be.

        Of states that are near to each other on the diagonal, the first has a name.
        """
        still = [
            (0, Name("stable" if stable else "unstable", self._beside_disc(h), {}))
            for h, stable in zip(self.kept.tolist(), self.stays, strict=True)
        ]
        states: dict[int, float] = {}
        for t, h in enumerate(self.states.tolist()):
            if self.lens and self.lens.holds(np.full(2, h)):
                continue  # the lens has its name
            if all(abs(h - other) > _APART for other in states.values()):
                states[t] = h
        rims = [naming.along(path + off) for path in self.maps for off in _RIM]
        sides = {t: [*_around(h, _MARK), *_around(h, _FARTHER)] for t, h in states.items()}
        named = [
            (t, Name(numbered("h", t - 1), where, {}, np.concatenate(rims)))
            for t, where in sides.items()
        ]
        end = np.array([BESIDE + _MARK, np.tanh(self.b)])
        off = np.array([0.0, _DISC])
        sides = [(end + off, "top left"), (end - off, "bottom left")]
        diagonal = _beside(_on_diagonal(np.array([0.5, -0.5, 0.25, -0.25, -0.8])))
        return [
            (0, Name(f"bias b = {number(self.b)}", sides, {})),
            *still,
            (0, _of_map(0.0, self.maps[0])),
            *[(0, _of_map(self.largest, self.maps[1]))][: bool(self.largest)],
            *named,
            *self._in_lens(),
            (0, Name("after = before", diagonal, {"color": GREY})),
        ]

    def _beside_disc(self, h: float) -> list[tuple[ndarray, str]]:
        """Return places for the name of a fixed point: clear of the square that is enlarged."""
        if self.lens is None or not self.lens.holds(np.full(2, h)):
            return _around(h, _DISC)
        away = self.lens.half + _MARK
        return _around(float(self.lens.middle[0]), away)

    def _in_lens(self) -> list[tuple[int, Name]]:
        """Return the names in the lens: of its states, and how much larger it is."""
        if self.lens is None:
            return []
        corner = self.lens.at + (ROOM - _MARK) * np.array([-1, 1])
        larger = f"{number(self.lens.times, 2)} times larger"
        named: list[tuple[int, Name]] = [(0, Name(larger, [(corner, "bottom right")], {}))]
        places: list[float] = []
        for t, h in enumerate(self.states.tolist()):
            at = self.lens.to(np.full(2, h))
            new = all(abs(at[0] - other) > _APART for other in places)
            if self.lens.holds(np.full(2, h)) and new:
                places.append(float(at[0]))
                sides = [(at + _CLEAR * np.array(_SIDES[side]), side) for side in _OFF]
                named.append((t, Name(numbered("h", t - 1), sides, {})))
        return named

    def views(self) -> list[View]:
        """Return the cobweb, the gradient on the way back, and the unit through time."""
        return [
            View("The state on its own map", self.picture, board=False),
            View("How the last state depends on earlier ones", self.back, ahead=True, board=False),
            View("Through time: drag an input up or down", self.over_time, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the map, the stairs so far, and the slope at the time at hand."""
        step = self.steps[now]
        t, h = step.t, self.states
        reached = t if step.phase == "forward" else len(self.x)
        here = np.array([h[t - 1], h[t]])
        along = np.array([1.0, self.slopes[t]])
        along *= (1 if here[0] >= 0 else -1) / np.linalg.norm(along)
        tangent = here + np.outer([-_IN, _OUT], along)
        forward = step.phase == "forward"
        if self.lens and self.lens.holds(here):  # the slope is shown there
            at = self.lens.to(here)
            tangent = self.lens.clipped(at + np.outer([-_IN, _OUT], along))[:2]
        traces = [
            *self.still,
            plane.line(self._map(self.x[t - 1]), line={"width": 4.5, "color": PALETTE[0]},
                       name="thick: map for the input at hand"),
            plane.line(self._stairs(reached), line={"width": 2.5},
                       name="stairs: the states so far"),
            self._arrows(h[t - 1], h[t] if forward else h[t - 1]),
            plane.line(np.column_stack([h, h])[: reached + 1], mode="markers", marker={"size": 7},
                       name="state on the diagonal"),
            plane.line(plane.GAP if forward else tangent, line={"width": 4, "color": NOW},
                       name="slope at the time at hand"),
            plane.line(here[None], mode="markers", marker={"size": 13, "color": NOW},
                       name="the time at hand"),
            *self._enlarged(t, reached),
            *self._written(step, reached),
        ]  # fmt: skip
        return plane.figure(traces, _BOX, ("state before", "state after"))

    def _enlarged(self, t: int, reached: int) -> list[dict]:
        """Draw what the lens shows, if there is one."""
        lens, h = self.lens, self.states
        if lens is None:
            return []
        states, here = _on_diagonal(h[: reached + 1]), h[t - 1 : t + 1]
        kept = _on_diagonal(self.kept[self.stays])
        dot = {"size": 15, "color": PALETTE[2], "line": {"width": 3}}
        return [
            plane.line(lens.frames(), line={"width": 1.5, "color": GREY},
                       name="square: shown larger in the lens"),
            plane.line(lens.enlarged(np.array([[-1.1, -1.1], [1.1, 1.1]])),
                       line={"width": 1.5, "color": GREY}, name="diagonal in the lens"),
            plane.line(lens.enlarged(self.maps[0]), line={"width": 3, "color": PALETTE[0]},
                       name="map for the input 0 in the lens"),
            plane.line(_held(lens, kept), mode="markers", marker=dot,
                       name="fixed point in the lens"),
            plane.line(lens.enlarged(self._stairs(reached)), line={"width": 2.5},
                       name="stairs in the lens"),
            plane.line(_held(lens, states), mode="markers", marker={"size": 7},
                       name="state in the lens"),
            plane.line(_held(lens, here[None]), mode="markers", marker={"size": 13, "color": NOW},
                       name="the time at hand, in the lens"),
        ]  # fmt: skip

    def _written(self, step: UnitStep, reached: int) -> list[dict]:
        """Write all names clear of curves and stairs: those of states once they are reached."""
        t, forward = step.t, step.phase == "forward"
        x, here = float(self.x[t - 1]), self.states[t - 1 : t + 1]
        sides = (
            ("top left", "bottom right") if self.slopes[t] >= 0 else ("bottom left", "top right")
        )
        if abs(here[1]) > _AT_EDGE:  # the tangent is flat, and only one side of it has room
            sides = ("bottom right", "bottom left") if here[1] > 0 else ("top right", "top left")
        where = [
            (here + away * np.array(_SIDES[side]), side)
            for away in (_SLOPE, 2 * _SLOPE, 3 * _SLOPE)[: 3 if abs(here[1]) > _AT_EDGE else 1]
            for side in sides
        ]
        if self.lens and self.lens.holds(here):
            corner = self.lens.at + (ROOM - _MARK) * np.array([1, -1])
            where = [(corner, "top left")]
        slope = "" if forward else f"slope {number(self.slopes[t])}"
        passing = [
            *self._said(step),
            _of_map(x, plane.GAP[:0] if x in (0, self.largest) else self._map(x)),
            Name(slope, where, {"color": NOW, "weight": 700}),
        ]
        every, seen = [*(name for _, name in self.names), *passing], [self.taken, self.words]
        texts = naming.clear_names(every, _BOX, np.concatenate(seen))
        gap = {axis: plane.packed(np.array([np.nan])) for axis in "xy"}
        pairs = zip(texts, (*(time for time, _ in self.names), *(0 for _ in passing)), strict=True)
        return [text | gap if time > reached else text for text, time in pairs]

    def _said(self, step: UnitStep) -> list[Name]:
        """Return the words in a corner: what a step forward does, or the product of slopes."""
        forward = step.phase == "forward"
        said = _WAYS if forward else (_WAY_BACK, self._product(step.t))
        return _in_a_corner(said, self.taken, strong=not forward)

    def _product(self, t: int) -> str:
        """Write the slopes from the last time back to t, and their product."""
        factors = [enclosed(slope) for slope in self.slopes[: t - 1 : -1].tolist()]
        product, found = " · ".join(factors), number(self.gradients[t - 1])
        if len(factors) == 1:
            return f"gradient = {found}"
        if len(product) > _LETTERS:
            product = " · ".join([*factors[:2], "…", *factors[-2:]])
        return f"gradient = {product} ≈ {found}"

    def _stairs(self, reached: int) -> ndarray:
        """Return the way of the state up to a time."""
        corners = np.repeat(self.states[: reached + 1], 2)
        return np.column_stack([corners[:-1], corners[1:]])

    def _arrows(self, old: float, new: float) -> dict:
        """Draw the ways of a stair: up or down to the map, then across to the diagonal."""
        middle = (old + new) / 2
        places = np.array([[old, middle], [middle, new]])
        if abs(new - old) < _LONG:
            places = np.full((2, 2), np.nan)
        symbols = _RISES if new > old else _FALLS
        return plane.line(
            places, mode="markers", marker={"size": 12, "symbol": symbols},
            name="to the map, then across to the diagonal",
        )  # fmt: skip

    def over_time(self, now: int) -> Figure:
        """Draw the inputs, and the states as far as they are known."""
        step = self.steps[now]
        layout = curves.panel_layout(
            xaxis=marks.times(len(self.x)),
            yaxis={"title": {"text": "input, state"}, "range": list(marks.INPUTS), "nticks": 5},
        )
        line = marks.over_time(step.states, step, "state h", line={"width": 3, "color": PALETTE[0]})
        now_at = curves.marked(step.t, float(self.states[step.t]), name="now", showlegend=False)
        data = [marks.stems(self.x) | {"showlegend": True}, line | {"showlegend": True}, now_at]
        return curves.with_legend({"data": data, "layout": layout})

    def back(self, now: int) -> Figure:
        """Draw the gradient against the number of times back."""
        step = self.steps[now]
        back = len(self.x) - step.t + 1 if step.phase == "back" else -1
        figure = marks.gradients({"unit": self.gradients}, back, [{"color": PALETTE[0]}])
        figure["layout"]["margin"] |= {"r": _NUMBER}
        figure["data"].append(self._size(back))
        return figure

    def _size(self, back: int) -> dict:
        """Write the gradient at the right of its dot, clear of its line."""
        size = abs(float(self.gradients[-1 - back])) if back >= 0 else 0.0
        place = np.array([back, size]) if size > marks.LEAST else plane.GAP
        side = "top right" if size <= 1 else "bottom right"
        text = f"\u2002{number(float(self.gradients[-1 - back]))}"
        return naming.words(place, text, side, size=15, weight=700) | {"cliponaxis": False}

    def caption(self, now: int) -> str:
        """Write the new state, or the factor and the gradient, with their numbers."""
        step = self.steps[now]
        return self._forward(step.t) if step.phase == "forward" else self._backward(step)

    def _forward(self, t: int) -> str:
        """Write how the state at a time follows from the one before."""
        new, old = number(self.states[t]), enclosed(self.states[t - 1])
        return (
            f"Forward, time {t}: {self._read(t)}.\n"
            f"The new state is tanh(w · old + u · input + b) = tanh({number(self.w)} · {old} + "
            f"{number(self.u)} · {enclosed(self.x[t - 1])} + {enclosed(self.b)}) = {new}."
        )

    def _read(self, t: int) -> str:
        """Write what an input does to the map, and where the state goes on it."""
        old, new = self.states[t - 1 : t + 1].tolist()
        x, stable = float(self.x[t - 1]), self.kept[self.stays]
        way = f"goes from {number(old)} to {number(new)}"
        if number(old) == number(new):
            way = f"stays at {number(new)}"
        elif not x and len(stable):
            nearest = float(stable[np.abs(stable - new).argmin()])
            if abs(nearest - new) < abs(nearest - old):
                which = "the" if len(stable) == 1 else "a"
                way = f"comes nearer to {which} stable point, from {number(old)} to {number(new)}"
        if not x:
            return f"without input, the state {way}"
        moves = {1: "lifts the curve", -1: "lowers the curve", 0: "has the weight 0"}
        return f"the input {number(x)} {moves[int(np.sign(self.u * x))]}, and the state {way}"

    def _backward(self, step: UnitStep) -> str:
        """Write how the gradient goes back over a time."""
        t, g, h = step.t, step.gradients, self.states
        slope = number(self.slopes[t])
        first = f"Back, time {t}: {_multiplied(float(self.slopes[t]), float(g[t]))}."
        last = (
            f"The slope of tanh(w · old + ...) is w (1 − new²) = {number(self.w)} · "
            f"(1 − {enclosed(h[t], 4)}²) = {slope}."
        )
        if step.event == "finished":
            first = f"{_fate(float(g[0]), len(self.x))}."
            last = (
                f"Summed over all times, the gradient of the last state is {number(step.dw)} for "
                f"w, {number(step.du)} for u and {number(step.db)} for b."
            )
        return (
            f"{first}\nThe gradient so far, times the slope at time {t}: {number(g[t], 4)} · "
            f"{enclosed(self.slopes[t], 4)} = {number(g[t - 1], 4)}.\n{last}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next state, or for the gradient one time further back."""
        step, after = self.steps[now], self.steps[now + 1]
        t, h = after.t, self.states
        if after.phase == "forward":
            a = self.w * h[t - 1] + self.u * self.x[t - 1] + self.b
            right = float(h[t])
            others = [a, np.tanh(self.w * h[t - 1]), np.tanh(-a), h[t - 1], 0.0]
            text = (
                f"w = {number(self.w)}, u = {number(self.u)}, b = {number(self.b)}. The state is "
                f"{number(h[t - 1])}, and the next input {number(self.x[t - 1])}. Which state "
                "follows?"
            )
            reason = f"The sum is {number(a)}, and its tanh {number(right)}."
        else:
            g = step.gradients[t] if step.phase == "back" else 1.0
            slope, right = float(self.slopes[t]), float(after.gradients[t - 1])
            others = [g * self.w, g + slope, g, -right, slope]
            text = (
                f"The gradient with respect to {_h(t)} is {number(g)}, w = {number(self.w)}, and "
                f"{_h(t)} is {number(h[t])}. Which gradient is next, for {_h(t - 1)}?"
            )
            reason = (
                f"The slope w (1 − h²) is {number(slope)}, and the gradient is multiplied by it."
            )
        apart = _ALIKE * max(abs(right), 1e-12)
        wrong = [Option(number(float(v))) for v in others if abs(float(v) - right) > apart]
        return question(text, Option(number(right)), wrong, reason)


def _multiplied(slope: float, gradient: float) -> str:
    """Write what a slope makes of the gradient so far."""
    new, one = number(gradient * slope), number(abs(slope)) == "1"
    if one or new == number(gradient):
        return f"the slope is {number(slope)}, and the gradient is {new}"
    shrinks = abs(slope) < 1
    size = f"{'below' if shrinks else 'above'} 1"
    if slope < 0:
        size = f"{'less' if shrinks else 'more'} than 1 in size"
    way = "shrinks" if shrinks else "grows"
    return f"the slope is {number(slope)}, {size}, so the gradient {way} to {new}"


def _fate(gradient: float, T: int) -> str:
    """Write what the first state still does to the last one."""
    size, product = abs(gradient), f"the product of all {T} slopes is {number(gradient)}"
    if size < _TINY:
        return f"The gradient vanishes: {product}, so the first state hardly changes the last"
    if size > 1 / _TINY:
        return f"The gradient explodes: {product}, so a tiny change of the first state grows"
    return f"How much the last state depends on the first: {product}"


def _h(t: int) -> str:
    return numbered("h", t - 1)


def _around(h: float, away: float = 0.0) -> list[tuple[ndarray, str]]:
    """Return places `away` from a state on the diagonal, with the sides where a name may stand."""
    return [(h + away * np.array(way), side) for side, way in _SIDES.items()]


def _in_a_corner(lines: Sequence[str], taken: ndarray, *, strong: bool) -> list[Name]:
    """Return the names of lines of words, one below the other in the corner with less in it.

    taken : (m, 2) places that should be seen. strong : the last line has the colour of the slope,
    whose product it is.
    """
    (right, low), low_side = naming.corner(_BOX, "bottom right")
    (left, high), high_side = naming.corner(_BOX, "top left")
    far, tall = _LETTER * max(len(text) for text in lines), _LINE * len(lines)
    across, up = taken.T

    def below(inwards: float) -> int:
        bottom = low + inwards
        return int(((across > right - far) & (up > bottom - _MARK) & (up < bottom + tall)).sum())

    def above(inwards: float) -> int:
        top = high - inwards
        return int(((across < left + far) & (up < top + _MARK) & (up > top - tall)).sum())

    places = [(each(inwards), i, inwards) for inwards in _INWARDS
              for i, each in enumerate((below, above))]  # fmt: skip
    _, at_top, inwards = min(places, key=lambda place: place[0])  # the first of the best
    written = []
    for row, text in enumerate(lines):
        where = (np.array([right, low + inwards + _LINE * (len(lines) - 1 - row)]), low_side)
        if at_top:
            where = (np.array([left, high - inwards - _LINE * row]), high_side)
        last = strong and row == len(lines) - 1
        font = {"color": NOW, "weight": 700} if last else {"color": GREY, "weight": 400}
        written.append(Name(text, [where], font))
    return written


def _room(lines: Sequence[Name]) -> ndarray:
    """Return places that lines of words in a corner cover."""
    covered = []
    for text, [((x, y), side)], *_ in lines:
        far = _LETTER * len(text) * (-1 if "left" in side else 1)
        up = _LINE * (1 if "top" in side else -1)
        across, tall = np.meshgrid(x + far * _SHARES, y + up * _SHARES)
        covered.append(np.column_stack([across.ravel(), tall.ravel()]))
    return np.concatenate(covered)


def _of_map(x: float, path: ndarray) -> Name:
    """Return the name of the map for an input, somewhere along its path."""
    where, font = _beside(path[10:-10:10]), {"color": PALETTE[0]}
    return Name(f"input {number(x)}", where, font, naming.along(path))


def _beside(path: ndarray) -> list[tuple[ndarray, str]]:
    """Return places close to a line, each with the side where its name may stand."""
    return [(place + _MARK * np.array(way), side) for place in path for side, way in _SIDES.items()]


def _held(lens: Lens, places: ndarray) -> ndarray:
    """Return where the lens shows those of the places that it holds, as a line with gaps."""
    inside = np.array([lens.holds(place) for place in places], bool)
    return np.where(inside[:, None], lens.to(places), np.nan)


def _on_diagonal(states: ndarray) -> ndarray:
    return np.column_stack([states, states]) if len(states) else plane.GAP
