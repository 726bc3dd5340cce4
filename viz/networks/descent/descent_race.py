"""The race of optimisers: the ways down a surface, heights, the best rates."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.optimizers import Momentum, Rule
from algorithms.networks.descent.descent_race import STOPPED, RaceStep
from algorithms.networks.descent.rate_sweep import RateSweep
from algorithms.networks.descent.surfaces import Surface
from viz.core import curves, naming, plane, surface
from viz.core.optimizers import Update, vector
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import color, dash, symbol
from viz.core.words import capital, counted, listed, number, rounded
from viz.networks.descent.rules import in_words

TOP = 14  # pixels above a picture, so that the number at its upper edge is whole
_CELLS = 160  # of the surface along each axis
_LEVELS = 8  # lines of equal height
_STRONG = 75  # opacity of the highest band, of 255: the ways stand out
_TRAIL = 150  # places of each way, evenly chosen
_GROUPS = (0, 2, 3, 4, 7)  # symbols and dashes of the rules
_INKS = (None, 2, 3, 4, 6)  # their colours, None for ink: no blue, the surface is blue
_DRAWN = 300  # places of a curve over the steps, evenly chosen
_RECENT = 8  # of the drawn places of a way: its end, which stands out
_PALE, _CLEAREST = 0.8, 0.9  # opacity of a way and of its end: one is seen through another
# shares of the height of the curves, which have five names, of the lens, and of what is folded
_LARGE, _LOW, _FOLDED = 1.0, 0.75, 2.0
_NAMES, _APART = 108, 0.12  # pixels for these names, and from one to the next, of the axis
_LISTED = {"showlegend": True, "legendrank": 1001}  # after the rules
_GOAL = 21  # pixels: the cross of a minimum is larger than a ball
_LEAST = 1e-6  # of a height above the lowest one, on a logarithmic axis: below it is the bottom
_LENS = 0.08  # half of the part that is enlarged, as a share of the picture
_AS_LOW = 1.1  # times the lowest height: about as low
_CLEAR = 1.05  # times as long
_NEVER = 0.5  # powers of ten above the longest run: the place for "never"
_MARK, _NAME = 0.02, np.array([0.13, 0.04])  # of the picture: half of a ball; "enlarged"
_ALONG = 12  # places from one step of a way to the next
_CORNER = np.array([0.3, 0.35])  # of the picture, which a legend takes


class Race(Show[RaceStep]):
    """All rules on their way down from one start, and the number of steps at every rate."""

    opens = 20

    def __init__(
        self, run: Run, surface: Surface, rules: Sequence[Rule], sweep: RateSweep, told: int
    ) -> None:
        """Prepare the surface and the curves. told : the index of the rule in the caption."""
        super().__init__(run)
        self.surface, self.rules, self.sweep, self.told = surface, rules, sweep, told
        self.ways = np.array([step.places for step in self.steps])
        self.ground = ground(surface, surface.window)
        self.lens = self._lens()
        self.near_ground = ground(surface, self.lens)
        self.legend = self._legend()
        self.word = self._word()
        self.note = self._note()

    def views(self) -> list[View]:
        """Return the picture, the heights, the minimum enlarged, and the steps needed by rate."""
        lowest, needed = "Height above the lowest place (floor: 10⁻⁶)", self.needed()
        return [
            View("The ways down", self.picture),
            View(lowest, self._heights(), _LARGE, ahead="by step"),
            View("Around the minimum, enlarged", self.near, _LOW),
            View(
                "Steps until near a minimum, at each rate η", lambda _: needed, _FOLDED, ahead=True
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the surface, the way of every rule so far, where it is now, and what is enlarged."""
        left, right, bottom, top = self.lens
        corners = np.array([
            [left, bottom], [right, bottom], [right, top], [left, top], [left, bottom],
        ])  # fmt: skip
        thin = {"width": 1.5, "dash": "dot"}
        frame = plane.line(
            corners, mode="lines+text", line=thin, name="part that is enlarged",
            text=["enlarged" if i == self.word[0] else "" for i in range(5)],
            textposition=self.word[1],
            textfont={"size": 14, "shadow": "auto"},
        )  # fmt: skip
        traces = [*self._over(self.ground, now), frame, self._outside(now)]
        figure = plane.figure(traces, self.surface.window, ("x", "y"))
        figure["layout"] |= {"showlegend": True, "legend": self.legend}
        figure["layout"]["margin"] |= {"t": TOP}
        return figure

    def near(self, now: int) -> Figure:
        """Draw the same around the minimum to which the lowest rule comes at the end."""
        return plane.figure(self._over(self.near_ground, now), self.lens, ("x", "y"))

    def _over(self, ground: Sequence[dict], now: int) -> list[dict]:
        """Draw the ways over a ground; that of the caption's rule is on top, under the minima."""
        at = _few(now, _TRAIL)
        places = min(len(self.steps), _TRAIL)
        older = np.arange(places) < len(at) - _RECENT
        at = np.pad(at, (0, places - len(at)), mode="edge")  # a way of as many corners grows
        ways, ends, balls = [], [], []
        for r in sorted(range(len(self.rules)), key=lambda r: r == self.told):
            name, way, look = self.rules[r].name, self.ways[at, r], _stroke(r, 3.5)
            end = np.where(older[:, None], np.nan, way)
            place = np.where(self.steps[now].left[r], np.nan, self.ways[now, r])
            ball = _ball(r, 15) | {"line": {"width": 2, "color": "#ffffff"}}
            ways.append(plane.line(way, line=look | {"width": 2}, opacity=_PALE, name=name))
            ends.append(plane.line(end, line=look, opacity=_CLEAREST, name=name))
            balls.append(
                plane.line(
                    place[None], mode="lines+markers", line=look, marker=ball,
                    name=name, showlegend=True,
                )
            )  # fmt: skip
        *below, minima = ground  # the crosses are seen on the balls
        return [*below, *ways, *ends, *balls, minima]

    def _outside(self, now: int) -> dict:
        """Write at the edge without the legend which rules are not in the picture."""
        left, right, bottom, top = self.surface.window
        places = self.ways[now]
        inside = ((places >= [left, bottom]) & (places <= [right, top])).all(axis=1)
        out = [
            rule.name
            for rule, seen in zip(self.rules, inside & ~self.steps[now].left, strict=True)
            if not seen
        ]
        upper = self.legend["yanchor"] == "bottom"
        text = f"out of the picture: {listed(out)}" if out else " "
        at = np.array([(left + right) / 2, top if upper else bottom])
        return naming.words(at, text, f"{'bottom' if upper else 'top'} center", weight=700)

    def _lens(self) -> Bounds:
        """Return the part of the plane around the minimum next to the rule that ends lowest."""
        end = self.steps[-1]
        place = end.places[int(end.heights.argmin())]
        minima = self.surface.minima
        x, y = minima[int(np.linalg.norm(minima - place, axis=1).argmin())].tolist()
        left, right, bottom, top = self.surface.window
        across, up = _LENS * (right - left), _LENS * (top - bottom)
        return (x - across, x + across, y - up, y + up)

    def _word(self) -> tuple[int, str]:
        """Return at which corner of the enlarged part its name covers least of the ways, and how.

        The corners are counted from the lower left one.
        """
        left, right, bottom, top = self.surface.window
        size = np.array([right - left, top - bottom])
        low_x, high_x, low_y, high_y = self.lens
        places = np.concatenate([_between(way) for way in self.ways.swapaxes(0, 1)])
        covered = {}
        for corner, x, y, side in (
            (3, low_x, high_y, "top right"), (0, low_x, low_y, "bottom right"),
            (2, high_x, high_y, "top left"), (1, high_x, low_y, "bottom left"),
        ):  # fmt: skip
            way = np.array([1 if "right" in side else -1, 1 if "top" in side else -1])
            away = (places - [x, y]) / size * way
            near = (away > -_MARK) & (away < _NAME + _MARK)
            covered[corner, side] = int(near.all(axis=1).sum())
        return min(covered, key=covered.__getitem__)

    def _legend(self) -> dict:
        """Return one legend for all views, in the corner of the picture with the fewest places.

        Above a linked view, five names would take two lines.
        """
        left, right, bottom, top = self.surface.window
        places = (self.ways.reshape(-1, 2) - [left, bottom]) / [right - left, top - bottom]
        corners = {
            (x, y): int((np.abs(places - [x == "right", y == "top"]) < _CORNER).all(axis=1).sum())
            for x, y in product(("right", "left"), ("top", "bottom"))
        }
        x, y = min(corners, key=corners.__getitem__)
        ends = {"left": 0.01, "right": 0.99, "bottom": 0.01, "top": 0.99}
        return {"x": ends[x], "xanchor": x, "y": ends[y], "yanchor": y}

    def needed(self) -> Figure:
        """Draw the steps that every rule needs against its rate; a ball is the rate of this run."""
        lines, balls = [], []
        most = float(np.log10(max(len(self.steps) - 1, 10)))
        never = 10 ** (most + _NEVER)  # where a rule is that does not stay near
        for r, rule in enumerate(self.rules):
            there = np.isfinite(self.sweep.needed[r])
            lines.append({
                "type": "scatter", "mode": "lines+markers", "name": rule.name,
                "x": plane.packed(self.sweep.rates),
                "y": plane.packed(np.where(there, self.sweep.needed[r].clip(1), np.nan)),
                "line": _stroke(r, 2), "marker": {"size": 4} | _ink(r),
                "hovertemplate": f"η = %{{x:.3g}}: {rule.name} %{{y}} steps<extra></extra>",
            })  # fmt: skip
            at = int(np.abs(np.log(self.sweep.rates / rule.learning_rate)).argmin())
            steps = float(self.sweep.needed[r, at])
            balls.append({
                "type": "scatter", "mode": "markers", "x": [rule.learning_rate],
                "y": [max(steps, 1.0) if np.isfinite(steps) else never],
                "marker": _ball(r, 11), "showlegend": False,
                "hoverinfo": "skip", "cliponaxis": False,
            })  # fmt: skip
        seen = self.sweep.rates[np.isfinite(self.sweep.needed).any(axis=0)]
        seen = seen if len(seen) else self.sweep.rates
        low, high = float(np.log10(seen[0])) - 0.1, float(np.log10(seen[-1])) + 0.1
        ticks = curves.powers(0, most)
        ticks |= {
            "tickvals": [*ticks["tickvals"], never],
            "ticktext": [*ticks["ticktext"], "never"],
        }
        layout = curves.panel_layout(
            xaxis=curves.powers(low, high)
            | {"range": [low, high], "title": {"text": "η", "standoff": 2}},
            yaxis=ticks | {"range": [-0.2, most + _NEVER + 0.2], "title": {"text": "steps"}},
        )
        return {"data": [*lines, *balls], "layout": layout}

    def caption(self, now: int) -> str:
        """Write which rule is lowest and how one swings, its rule with numbers, all heights."""
        step, names = self.steps[now], [rule.name for rule in self.rules]
        if now == 0:
            (x, y), height = step.places[0], step.heights[0]
            g = vector(self.surface.gradient(step.places[0]), 4)
            return (
                f"Start: all rules are at ({number(x)}, {number(y)}), where f = "
                f"{rounded(height)}.\nThe gradient there is g = {g}; each rule turns it into a "
                f"different step.{self._stable()}"
            )
        flown = self._flown(step)
        events = [
            event.replace(" near a minimum", " is near a minimum")
            for event in (step.event or "").split("; ")
            if event not in ("", STOPPED) and not event.endswith(" leaves")
        ]
        own = [event for event in events if event.startswith(f"{names[self.told]} ")]
        swings = "" if flown else self._swings(now)
        if swings and own:  # both are about the rule of the caption
            events = [event for event in events if event not in own]
            swings = f"{swings[:-1]} and{own[0].removeprefix(names[self.told])}."
        news = f" {capital('; '.join(events))}." if events else ""
        others = ", ".join(
            f"{names[i]} {self._height(step, i)}" for i in step.heights.argsort(kind="stable")
        )
        first = f"After {counted(now, 'step')} at these rates, {self._leaders(step)}.{news}"
        first = f"{flown} {first}" if flown else f"{first}{swings}"
        if now == len(self.steps) - 1:  # the answer follows, and the heights are in their view
            tried = f"{len(self.sweep.rates)} rates were tried."
            return f"{first}\n{self._rule(now)}\n{tried}"
        heights = "Heights above the lowest place" if self.surface.lowest else "Heights f"
        return f"{first}\n{self._rule(now)}\n{heights}, the lowest first: {others}."

    def _flown(self, step: RaceStep) -> str:
        """Write which rules have left for good."""
        gone = [rule.name for rule, left in zip(self.rules, step.left, strict=True) if left]
        if not gone:
            return ""
        tail = "have flown out: their rates are" if len(gone) > 1 else "has flown out: its rate is"
        return f"{capital(listed(gone))} {tail} too large."

    def _leaders(self, step: RaceStep) -> str:
        """Write which rules are lowest, or which ones are at the bottom."""
        heights, ground = np.where(step.left, np.inf, step.heights), self.surface.lowest
        if step.left.all():
            return "no rule is left"
        low = float(heights.min())
        reached = low < ground + _LEAST
        limit = ground + (_LEAST if reached else _AS_LOW * (low - ground))
        first = [int(i) for i in heights.argsort() if heights[i] <= limit]
        names = listed([self.rules[i].name for i in first])
        verb = "are" if len(first) > 1 else "is"
        if reached:
            return f"{names} {verb} at the bottom: less than 10⁻⁶ above the lowest place"
        told = list(dict.fromkeys(rounded(float(heights[i]) - ground) for i in first))
        if ground:
            return f"{names} {verb} lowest, {listed(told)} above the lowest place"
        return f"{names} {verb} lowest, at f = {listed(told)}"

    def _height(self, step: RaceStep, i: int) -> str:
        """Write how far a rule is above the lowest place, unless it is gone, or at the bottom."""
        if step.left[i]:
            return "gone"
        height = float(step.heights[i])
        lowest = self.surface.lowest
        return "at the bottom" if height < lowest + _LEAST else number(height - lowest)

    def _swings(self, now: int) -> str:
        """Write how often the rule of the caption has crossed the floor of a ravine."""
        crossings = self.surface.crossings(self.ways[: now + 1, self.told])
        if crossings is None:
            return ""
        often = "not yet crossed" if crossings == 0 else "crossed"
        count = f" {counted(crossings, 'time')}" if crossings else ""
        name = capital(self.rules[self.told].name)
        return f" {name} has {often} the valley floor{count}."

    def answer(self, now: int) -> str:
        """Write, at the end, the steps needed at the best of the rates tried."""
        if now < len(self.steps) - 1:
            return ""
        there, far = [], []
        for r, rule in enumerate(self.rules):
            at = self.sweep.best(r)
            steps, rate = float(self.sweep.needed[r, at]), float(self.sweep.rates[at])
            if np.isfinite(steps):
                eta = "" if there else "η = "  # the first one says what the number is
                there.append(f"{rule.name} {steps:.0f} ({eta}{number(rate)})")
            else:
                far.append(rule.name)
        near = "near a minimum"
        if not there:
            return f"At none of these is a rule {near} at the end."
        verb = "is" if len(far) == 1 else "are"
        rest = f"; with none of them {verb} {listed(far)} near at the end" if far else ""
        return f"Steps until {near} at the best: {', '.join(there)}{rest}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which rule's next step is the longest, and whether a rule goes down or up."""
        before, after = self.steps[now], self.steps[now + 1]
        names = [rule.name for rule in self.rules]
        running = np.flatnonzero(~after.left & after.changes.any(axis=1)).tolist()
        if len(running) < 2:
            return None
        if rng.random() < 0.4:
            i = int(rng.choice(running))
            old, new = (float(s.heights[i] - self.surface.lowest) for s in (before, after))
            reason = f"Above the lowest place it goes from {number(old)} to {number(new)}."
            text = f"What does the height of {names[i]} do?"
            return rises_or_falls(text, old, new, reason, least=0.01)
        length = np.sqrt(np.square(after.changes).sum(axis=1))
        order = sorted(running, key=lambda i: -length[i])
        if length[order[0]] <= _CLEAR * length[order[1]]:
            return None
        places = before.places.tolist()
        options = [Option(names[i], (0, places[i][0], places[i][1])) for i in order]
        first, second = (number(float(length[i])) for i in order[:2])
        reason = f"Its step is {first} long, that of {names[order[1]]} {second}."
        text = "Which rule's next step is the longest?"
        return question(text, options[0], options[1:], reason)

    def _rule(self, now: int) -> str:
        """Write the rule of the caption with the numbers of this step."""
        step, before, i = self.steps[now], self.steps[now - 1], self.told
        rule = self.rules[i]
        if step.left[i]:
            return f"{rule.name}: it is far outside the picture and is no longer followed."
        update = Update(
            now, before.places[i], step.places[i], step.gradients[i],
            before.velocities[i], step.velocities[i], step.squares[i],
        )  # fmt: skip
        return f"{rule.name}: {in_words(rule, update)}."

    def _heights(self) -> Callable[[int], Figure]:
        """Draw the height of every rule until it leaves, with a ball at the step."""
        left = np.array([step.left for step in self.steps])
        values = np.array([step.heights for step in self.steps]) - self.surface.lowest
        values = np.where(left, np.nan, values.clip(_LEAST))
        last = len(self.steps) - 1
        at = _few(last, _DRAWN)
        lines = [
            {
                "type": "scatter", "mode": "lines", "name": rule.name,
                "x": plane.packed(at), "y": plane.packed(values[at, r]),
                "line": _stroke(r, 2.5),
                "hovertemplate": f"step %{{x}}: {rule.name} %{{y:.4g}}<extra></extra>",
            }
            for r, rule in enumerate(self.rules)
        ]  # fmt: skip
        seen = values[np.isfinite(values)]
        low = float(np.log10(seen.min(initial=1))) - 0.5
        high = float(np.log10(seen.max(initial=1))) + 0.5
        layout = curves.panel_layout(
            xaxis={"range": [-0.03 * last, 1.03 * last], "nticks": 6}
            | {"title": {"text": "step", "standoff": 2}},
            yaxis={"title": {"text": "f − lowest"}, "range": [low, high]}
            | curves.powers(low, high),
        )

        ends = [float(values[~left[:, r], r][-1]) for r in range(len(self.rules))]

        def draw(now: int) -> Figure:
            balls = [
                {
                    "type": "scatter", "mode": "markers", "x": [now],
                    "y": plane.packed(values[now, r : r + 1]),
                    "marker": _ball(r, 12),
                    "showlegend": False, "hoverinfo": "skip", "cliponaxis": False,
                }
                for r in range(len(self.rules))
            ]  # fmt: skip
            figure = {"data": [*lines, *balls], "layout": layout}
            names = [_coloured(r, rule.name, out=left[now, r]) for r, rule in enumerate(self.rules)]
            named = dict(zip(names, ends, strict=True))
            return naming.named_at_ends(figure, 1.03 * last, named, margin=_NAMES, gap=_APART)

        return draw

    def _stable(self) -> str:
        """Write the bounds on the rates, if they are known."""
        if (steepest := self.surface.steepest) is None:
            return ""
        beta = next(rule.beta for rule in self.rules if isinstance(rule, Momentum))
        return (
            f" Largest curvature κ = {number(steepest)}: gradient converges if η < 2/κ = "
            f"{number(2 / steepest)}, momentum if η < 2(1 + β)/κ = "
            f"{number(2 * (1 + beta) / steepest)}."
        )

    def _note(self) -> str:
        """Write the formula of the surface, and what is drawn."""
        low, high = (number(float(self.sweep.rates[i])) for i in (0, -1))
        return (
            f"{_FORMULAS[self.surface.name]} The blue shows the fourth root of f − lowest. Near a "
            f"minimum: within 1 % of the picture's width. The rates tried are from {low} to "
            f"{high}. At a rate with which a rule does not get near, its curve has a gap, and "
            "its mark is at “never”. A height below 10⁻⁶ is drawn at 10⁻⁶. "
            "RMSProp may leave a minimum again: its rates grow there, because its gradients vanish."
        )


def _between(way: ndarray) -> ndarray:
    """Return places along a way: its own, and those between one and the next."""
    shares = np.linspace(0, 1, _ALONG, endpoint=False)[:, None, None]
    return np.concatenate([*(way[:-1] + shares * np.diff(way, axis=0)), way[-1:]])


def _few(last: int, most: int) -> ndarray:
    """Return at most `most` steps from 0 to `last`, evenly chosen."""
    return np.unique(np.linspace(0, last, min(last + 1, most)).round().astype(int))


def _ink(r: int) -> dict:
    """Return the colour of a rule; without one it is ink."""
    ink = _INKS[r]
    return {} if ink is None else {"color": color(ink)}


def _coloured(r: int, name: str, *, out: bool) -> str:
    """Write the name of a rule in its colour, and whether the rule has left."""
    text, ink = f"{name} (out)" if out else name, _INKS[r]
    return text if ink is None else f'<span style="color:{color(ink)}">{text}</span>'


def _ball(r: int, size: int) -> dict:
    """Return the mark of a rule."""
    return {"symbol": symbol(_GROUPS[r]), "size": size} | _ink(r)


def _stroke(r: int, width: float) -> dict:
    """Return the line of a rule."""
    return {"width": width, "dash": dash(_GROUPS[r])} | _ink(r)


def ground(shown: Surface, window: Bounds) -> list[dict]:
    """Draw a part of the surface, its lines of equal height, and a cross at every minimum."""
    x, y, cells = plane.grid(window, _CELLS)
    # A fourth root shows the floor of a valley, which the height itself would hide.
    height = ((shown.height(cells) - shown.lowest).clip(0)) ** 0.25
    height = height.reshape(_CELLS, _CELLS)
    levels = np.linspace(height.min(), height.max(), _LEVELS + 2)[1:-1].tolist()
    thin = {"width": 1, "color": "rgba(0, 114, 178, 0.55)"}
    cross = {"symbol": "x-thin-open", "size": _GOAL, "line": {"width": 2}}
    return [
        surface.bands(x, y, height, strong=_STRONG)[0],
        plane.level_lines(
            plane.contours(x, y, height),
            window,
            *levels,
            name="places of equal height",
            **thin,
        ),
        plane.line(shown.minima, mode="markers", marker=cross, name="minimum") | _LISTED,
    ]


_FORMULAS = {
    "bowl": "f = (p² + κ q²) / 2, with (p, q) the place, turned by the angle.",
    "saddle": "f = (p² − q²) / 2 + q⁴ / 4, with (p, q) the place, turned by the angle: a saddle "
    "in the middle, a minimum on either side.",
    "Rosenbrock": "f = (1 − x)² + 100 (y − x²)²: a bent valley, with its minimum at (1, 1).",
    "Himmelblau": "f = (x² + y − 11)² + (x + y² − 7)²: four minima, all with f = 0.",
}
