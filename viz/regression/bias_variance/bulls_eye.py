"""The bull's-eye: every fit of many training sets as a shot at a target.

Colours: shots are blue, their mean is vermillion, the centre is green.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from viz.core import curves, plane
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE

_SHOTS = 100  # at a target, evenly chosen from the run
_APART = 2.25  # from one target to the next, and
_HELD = 1.1  # how far out a shot is drawn at most, in radii of a target
_SHOT, _MEAN, _CENTER = PALETTE[:3]


@dataclass(frozen=True, eq=False)
class BullsEye:
    """A target for the chosen complexity, for the best, and for a simpler or more flexible one.

    kinds : the names of all complexities, from simple to flexible. spots : two places among the x
    of the run; a shot is the fit's error at the first, to the right, and at the second, upwards.
    center : (complexities, x), what the fits are compared with. goal : its name.
    """

    steps: Sequence[BiasVarianceStep | BootstrapStep]
    chosen: int
    kinds: tuple[str, ...]
    spots: tuple[int, int]
    center: ndarray
    goal: str

    @cached_property
    def targets(self) -> list[int]:
        """Return the complexities with a target: the chosen one, the best, and one more.

        Where the best is chosen, or the best is simpler, the next to simplest is there, too;
        otherwise the most flexible one.
        """
        last, best = len(self.kinds) - 1, self.steps[-1].best
        others = [last, 1] if self.chosen < best else [1, last]
        wanted = [self.chosen, best, *others, last // 2, 0]
        return sorted([i for i in dict.fromkeys(wanted) if i <= last][:3])

    @cached_property
    def shooters(self) -> ndarray:
        """Return the sets whose fits are shown as shots."""
        b = len(self.steps)
        return np.unique(np.linspace(0, b - 1, min(b, _SHOTS)).astype(int))

    @cached_property
    def shots(self) -> ndarray:
        """Return the shots of all `shooters`: (targets, shooters, 2)."""
        return np.stack([self._errors(self.steps[i].predictions) for i in self.shooters], axis=1)

    @cached_property
    def reach(self) -> float:
        """Return the radius of a target, filled by the shots of the chosen complexity.

        It is larger if the shots of the simplest one need more room. Others may miss the target.
        """
        far = np.hypot(self.shots[..., 0], self.shots[..., 1])
        chosen = float(np.quantile(far[self.targets.index(self.chosen)], 0.95))
        return 1.1 * min(max(chosen, float(np.median(far[0]))), 3 * chosen) or 1.0

    @cached_property
    def _empty(self) -> Figure:
        """Return the targets with rings at a third, two thirds and all of `reach`, and all shots.

        Every frame shows these targets, and some of the shots.
        """
        reach = self.reach
        places = _APART * reach * np.arange(len(self.targets))
        turn = np.linspace(0, 2 * np.pi, 41)
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        rings = [part * reach * circle + [x, 0] for x in places for part in (1 / 3, 2 / 3, 1)]
        traces = [
            plane.line(plane.joined(rings), line={"width": 1, "color": GREY}),
            plane.line(np.column_stack([places, 0 * places]), mode="markers",
                       marker={"size": 8, "color": _CENTER}),
            plane.line(self._on_target(self.shots), mode="markers", opacity=0.6),
        ]  # fmt: skip
        titles = [
            {"text": self._title(i), "x": float(x), "y": 1.35 * reach}
            | {"showarrow": False, "font": {"size": 14}}
            for i, x in enumerate(places)
        ]
        key = f"green: {self.goal} · cross: mean fit · ring: this fit"
        titles.append(
            {"text": key, "x": float(places.mean()), "y": -1.4 * reach}
            | {"showarrow": False, "font": {"size": 14}}
        )
        hidden = {"visible": False, "fixedrange": True}
        layout = curves.panel_layout(
            xaxis={"range": [-1.25 * reach, float(places[-1]) + 1.25 * reach], **hidden},
            yaxis={"range": [-1.6 * reach, 1.6 * reach], "scaleanchor": "x", **hidden},
            annotations=titles,
        )
        layout["margin"] = {"l": 4, "r": 4, "t": 2, "b": 2}
        return {"data": traces, "layout": layout}

    def picture(self, now: int) -> Figure:
        """Draw the shots up to set `now`, a ring around the latest, and a cross at their mean."""
        step, (rings, centers, shots) = self.steps[now], self._empty["data"]
        seen = np.tile(self.shooters <= now, len(self.targets)).astype(np.uint8)
        shot = {"size": 4, "color": _SHOT, "opacity": plane.packed(seen)}
        ring = {"symbol": 100, "size": 10, "color": _SHOT, "line": {"width": 2}}
        cross = {"symbol": "cross-thin", "size": 12, "line": {"width": 2.5, "color": _MEAN}}
        traces = [
            rings,
            centers,
            shots | {"marker": shot},
            self._marks(step.predictions, ring),
            self._marks(step.mean, cross),
        ]
        return self._empty | {"data": traces}

    def _title(self, i: int) -> str:
        """Return the name of a target, and that its shots miss it if most do."""
        name = self.kinds[self.targets[i]].replace(" ", "&nbsp;")
        if self.targets[i] == self.chosen:
            name = f"<b>{name}</b>"
        off = np.hypot(*self.shots[i].T) > _HELD * self.reach
        return f"{name}:&nbsp;outside" if off.mean() > 0.5 else name

    def _marks(self, values: ndarray, marker: dict) -> dict:
        return plane.line(self._on_target(self._errors(values)), mode="markers", marker=marker)

    def _errors(self, values: ndarray) -> ndarray:
        """Return each target's errors at the two places: (targets, 2) of (complexities, x)."""
        return (values[self.targets] - self.center[self.targets])[:, list(self.spots)]

    def _on_target(self, shots: ndarray) -> ndarray:
        """Return where (targets, ..., 2) shots are drawn: on their target, not too far out."""
        far = np.hypot(shots[..., 0], shots[..., 1])
        most = _HELD * self.reach
        held = shots * np.minimum(1, most / np.maximum(far, most * 1e-9))[..., None]
        places = _APART * self.reach * np.arange(len(shots))
        held[..., 0] += places.reshape(-1, *[1] * (shots.ndim - 2))
        return held.reshape(-1, 2)
