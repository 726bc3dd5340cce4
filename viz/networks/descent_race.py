"""Pictures of the race of optimisers: the ways down a surface, heights, lengths of steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.networks.descent_race import RaceStep
from algorithms.networks.surfaces import Surface
from algorithms.regression.least_squares.optimizers import Rule
from viz.core import curves, plane, surface
from viz.core.scene import Figure
from viz.core.theme import color, dash, symbol

_CELLS = 160  # of the surface along each axis
_LEVELS = 14  # lines of equal height
_TRAIL = 150  # places of each way, evenly chosen
_GROUPS = (1, 2, 3, 4, 7)  # colours, symbols and dashes of the rules: no blue, the surface is blue
_DRAWN = 300  # places of a curve over the steps, evenly chosen
_LEAST = 1e-12  # of a height above the lowest one, on a logarithmic axis


@dataclass(frozen=True, eq=False)
class Race:
    """What the views are drawn from."""

    surface: Surface
    rules: Sequence[Rule]
    steps: Sequence[RaceStep]

    @cached_property
    def ways(self) -> ndarray:
        """The (steps, rules, 2) places."""
        return np.array([step.places for step in self.steps])

    @cached_property
    def ground(self) -> list[dict]:
        """The surface, its lines of equal height, and a cross at every minimum."""
        box = self.surface.window
        x, y, cells = plane.grid(box, _CELLS)
        # A fourth root shows the floor of a valley, which the height itself would hide.
        height = ((self.surface.height(cells) - self.surface.lowest).clip(0)) ** 0.25
        height = height.reshape(_CELLS, _CELLS)
        levels = np.linspace(height.min(), height.max(), _LEVELS + 2)[1:-1].tolist()
        thin = {"width": 1, "color": "rgba(0, 114, 178, 0.55)"}
        cross = {"symbol": "x-thin", "size": 13, "line": {"width": 3}}
        return [
            surface.bands(x, y, height)[0],
            plane.level_lines(plane.contours(x, y, height), box, *levels, **thin),
            plane.line(self.surface.minima, mode="markers", marker=cross),
        ]

    @cached_property
    def heights(self) -> list[dict]:
        """The height of every rule above the lowest one, at every step."""
        above = np.array([step.heights for step in self.steps]) - self.surface.lowest
        return [self._curve(r, above[:, r].clip(_LEAST)) for r in range(len(self.rules))]

    @cached_property
    def lengths(self) -> list[dict]:
        """The length of every step but the start, for every rule."""
        moved = np.array([np.linalg.norm(step.changes, axis=1) for step in self.steps])
        moved[0] = np.nan
        return [self._curve(r, np.where(moved[:, r] > 0, moved[:, r], np.nan))
                for r in range(len(self.rules))]  # fmt: skip

    def _curve(self, rule: int, values: ndarray) -> dict:
        group = _GROUPS[rule]
        name = self.rules[rule].name
        last = len(values) - 1
        at = np.unique(np.linspace(0, last, min(last + 1, _DRAWN)).round().astype(int))
        return {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": plane.packed(at),
            "y": plane.packed(values[at]),
            "line": {"width": 2, "color": color(group), "dash": dash(group)},
            "hovertemplate": f"step %{{x}}: {name} %{{y:.4g}}<extra></extra>",
        }


def picture(race: Race, now: int) -> Figure:
    """Draw the surface, the way of every rule so far, and where it is now."""
    at = np.unique(np.linspace(0, now, min(now + 1, _TRAIL)).round().astype(int))
    traces = list(race.ground)
    for rule, group in zip(range(len(race.rules)), _GROUPS, strict=False):
        look = {"width": 2.5, "color": color(group), "dash": dash(group)}
        traces.append(plane.line(race.ways[at, rule], line=look))
    for rule, group in zip(range(len(race.rules)), _GROUPS, strict=False):
        ball = {
            "symbol": symbol(group), "size": 15, "color": color(group),
            "line": {"width": 2, "color": "#ffffff"},
        }  # fmt: skip
        traces.append(plane.line(race.ways[now, rule][None], mode="markers", marker=ball))
    return plane.figure(traces, race.surface.window, ("x", "y"))


def heights(race: Race, now: int) -> Figure:
    """Draw how high every rule is above the lowest place, step by step."""
    values = (race.steps[now].heights - race.surface.lowest).clip(_LEAST)
    return _over_steps(race, race.heights, values, now, "f − lowest")


def lengths(race: Race, now: int) -> Figure:
    """Draw how long the steps of every rule are."""
    moved = np.linalg.norm(race.steps[now].changes, axis=1)
    return _over_steps(race, race.lengths, np.where(moved > 0, moved, np.nan), now, "step length")


def _over_steps(race: Race, lines: Sequence[dict], values: ndarray, now: int, title: str) -> Figure:
    traces = list(lines)
    for rule, group in zip(range(len(race.rules)), _GROUPS, strict=False):
        ball = {"symbol": symbol(group), "size": 11, "color": color(group)}
        traces.append({
            "type": "scatter", "mode": "markers", "x": [now], "y": plane.packed(values[rule, None]),
            "marker": ball, "showlegend": False, "hoverinfo": "skip", "cliponaxis": False,
        })  # fmt: skip
    last = len(race.steps) - 1
    layout = curves.panel_layout(
        xaxis={"range": [-0.03 * last, 1.03 * last], "nticks": 6}
        | {"title": {"text": "step", "standoff": 2}},
        yaxis={
            "type": "log", "title": {"text": title}, "exponentformat": "power", "nticks": 5,
        },
    )  # fmt: skip
    layout["margin"] = {**layout["margin"], "b": 38}
    return curves.with_legend({"data": traces, "layout": layout})
