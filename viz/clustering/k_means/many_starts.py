"""Many runs of k-means: where every seed ends."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.many_starts import ALIKE, StartStep
from viz.clustering.k_means import marks
from viz.core import curves, plane
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW
from viz.core.words import number, rounded

_BARS = 30
_ROWS = ("y", "y2")  # of the run shown, and of the other start
_POOR = 1.1  # times the lowest inertia: a seed that ends higher has failed
_TOLD = 1e-3  # of an inertia: others that are nearer to it read alike


class Seeds(Show[StartStep]):
    """Where every seed ends, among all ends of both starts."""

    unit = "seed"

    def __init__(self, run: Run, data: Plane, other: Run, init: str, rival: str) -> None:
        """Collect the inertias at the ends.

        other : the runs of the same seeds from the other start. init, rival : the starts, in words.
        """
        super().__init__(run, data)
        both = {init: self.steps, rival: other.steps}
        self.ends = {
            name: np.array([step.inertia for step in steps]) for name, steps in both.items()
        }
        self.opens = int((self.ends[init] > _POOR * self.ends[init].min()).argmax())

    def views(self) -> list[View]:
        """Return the picture, the histogram of the ends, and the ends one after the other."""
        title = f"Inertias at the end of {len(self.steps)} seeds"
        return [
            View("Where the run of this seed ends", self.picture),
            View(title, _histogram(self.ends), ahead=True),
            View(
                "Every seed's inertia, and the lowest so far", _in_turn(self.steps), ahead="by step"
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the clusters of one seed."""
        step, none = self.steps[now], plane.rings(plane.GAP)
        points = plane.points(self.data.X, step.labels)
        return marks.clusters(self.data, step, points, none, plane.GAP)

    def caption(self, now: int) -> str:
        """Write how far this seed ends above the lowest, and how many seeds end far above it."""
        step, lowest = self.steps[now], float(min(ends.min() for ends in self.ends.values()))
        if step.inertia <= lowest * (1 + 1e-6):
            where = "the lowest of all"
        elif lowest <= 0:
            where = "where the lowest of all is 0"
        elif step.inertia < lowest * (1 + 1e-3):
            where = "less than 0.1 % above the lowest of all"
        else:
            where = f"{number(100 * (step.inertia / lowest - 1))} % above the lowest of all"
        poor = [f"{int((x > _POOR * lowest).sum())} with {name}" for name, x in self.ends.items()]
        new = " No seed before ended lower." if step.event else ""
        return (
            f"Seed {step.seed} ends with an inertia of {rounded(step.inertia)}, {where}.{new}\n"
            f"The lowest of all is {number(lowest, 5)}. Of {len(self.steps)} seeds, "
            f"{' and '.join(poor)} end more than a tenth above it."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next seed ends in the best minimum so far, a better or a worse one."""
        lowest, after = self.steps[now].lowest, self.steps[now + 1]
        ways = [
            Option("as low as the lowest so far"),
            Option("higher: in a worse minimum"),
            Option("lower than all so far"),
        ]
        ratio = after.inertia / lowest if lowest > 0 else 1.0
        if ALIKE < abs(ratio - 1) < _TOLD:
            return None
        right = 0 if abs(ratio - 1) <= ALIKE else 1 if ratio > 1 else 2
        ends = [number(value, 4) for value in (after.inertia, lowest)]
        reason = f"It ends with the inertia {ends[0]}; the lowest before it is {ends[1]}."
        return question(f"Where does seed {after.seed} end?", ways[right], ways, reason)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)


def _histogram(ends: dict[str, ndarray]) -> Callable[[int], Figure]:
    """Draw a histogram of the final inertias, one row per start; a dot marks this seed."""
    low, high = _stretch(np.concatenate(list(ends.values())))
    cuts = np.linspace(low, high, _BARS + 1)
    middles, wide = (cuts[1:] + cuts[:-1]) / 2, float(cuts[1] - cuts[0])
    bars, axes = [], {}
    counts = {name: np.histogram(values, cuts)[0] for name, values in ends.items()}
    for row, (name, count) in enumerate(counts.items()):
        bars.append(
            {
                "type": "bar",
                "name": name,
                "x": middles.tolist(),
                "y": count.tolist(),
                "yaxis": _ROWS[row],
                "width": wide,
                "marker": {"color": GREY} if row else {},
                "text": [str(each) if each else "" for each in count.tolist()],
                "textposition": "outside",
                "constraintext": "none",
                "cliponaxis": False,
                "hovertemplate": f"{name}: %{{y}} seeds end near %{{x:.4g}}<extra></extra>",
            }
        )
        axes[f"yaxis{row + 1 if row else ''}"] = {
            "title": {"text": "seeds"},
            "domain": [0.54 - 0.54 * row, 1 - 0.54 * row],
            "range": [0, 1.25 * max(map(max, counts.values()))],
            "nticks": 4,
        }
    layout = curves.panel_layout(
        xaxis={"range": [low - wide, high + wide], "anchor": "y2", "nticks": 6}
        | {"title": {"text": "inertia at the end", "standoff": 2}},
        barmode="overlay",
        **axes,
    )
    still = curves.with_legend({"data": [], "layout": layout})
    own = next(iter(ends))

    def draw(now: int) -> Figure:
        value = float(ends[own][now])
        bar = min(int((value - low) / wide), _BARS - 1)
        # In the middle of its bar, so that its number is free; not in ink, as the bar is.
        mark = curves.marked(
            float(middles[bar]),
            float(counts[own][bar]) / 2,
            showlegend=False,
            marker=curves.DOT | {"color": NOW, "line": {"width": 2, "color": "#ffffff"}},
        )
        return still | {"data": [*bars, mark | {"yaxis": "y"}]}

    return draw


def _in_turn(steps: Sequence[StartStep]) -> Callable[[int], Figure]:
    """Draw where one seed after the other ends; a line shows the lowest so far."""
    ends, lowest = (
        np.array([step.inertia for step in steps]),
        np.array([step.lowest for step in steps]),
    )
    at, (low, high) = np.arange(len(steps)), _stretch(ends)
    room = 0.08 * (high - low)
    lines = [
        plane.line(
            np.column_stack([at, ends]),
            mode="markers",
            marker={"size": 6, "color": GREY},
            name="a seed",
            showlegend=True,
        ),
        plane.line(
            np.column_stack([at, lowest]),
            line={"width": 2, "shape": "hv"},
            name="lowest so far",
            showlegend=True,
        ),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.03 * len(steps), 1.03 * len(steps)], "nticks": 6}
        | {"title": {"text": "seed", "standoff": 2}},
        yaxis={"range": [low - room, high + room], "nticks": 5, "title": {"text": "inertia"}},
    )
    still = curves.with_legend({"data": [], "layout": layout})

    def draw(now: int) -> Figure:
        return still | {"data": [*lines, curves.marked(now, float(ends[now]), showlegend=False)]}

    return draw


def _stretch(values: ndarray) -> tuple[float, float]:
    """Return the lowest and the highest inertia, or a range around them if they are equal."""
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-6 * abs(high):
        room = 0.05 * abs(high) or 1.0
        return low - room, high + room
    return low, high
