"""The power of McNemar's test: how often it finds a true difference of the errors."""

import numpy as np

from algorithms.evaluation.mcnemar import power
from viz.core import curves, panels, plane
from viz.core.scene import Figure
from viz.core.theme import GREY

_PLACES = 101
_OFTEN = 0.8  # of all held-out sets, as is usual when a study is planned
_MORE = 4  # times as many points


class Power:
    """The power for n held-out points, if the two disagree as often as on these, and for more.

    detectable : the true difference of the errors that is found in 8 of 10 sets; None if none is.
    """

    def __init__(self, n: int, disagreements: int) -> None:
        """Compute the powers for all differences there can be; see `power`."""
        self.n, differ = n, disagreements / max(n, 1)
        self.apart = np.linspace(0.0, differ, _PLACES)
        self.found = [power(n * more, differ, self.apart) for more in (1, _MORE)]
        often = self.found[0].max() >= _OFTEN
        self.detectable = float(np.interp(_OFTEN, self.found[0], self.apart)) if often else None

    def figure(self, _: int) -> Figure:
        """Draw how often each difference is found, and mark the one that is found in 8 of 10."""
        top = max(float(100 * self.apart[-1]), 1.0)
        looks = {"width": 2.5}, {"width": 1.5, "color": GREY}
        traces = [
            plane.line(100 * np.column_stack([self.apart, found]), line=look)
            | {"name": f"{self.n * more} points", "showlegend": True}
            for found, look, more in zip(self.found, looks, (1, _MORE), strict=True)
        ]
        often = {"width": 1, "dash": "dot", "color": GREY}
        traces.append(panels.curve([0, top], [100 * _OFTEN] * 2, line=often, name="8 of 10 sets"))
        if self.detectable is not None:
            traces.append(curves.marked(100 * self.detectable, 100 * _OFTEN, showlegend=False))
        across = panels.axis("true difference of the errors, percentage points", 0, top)
        figure = panels.alone(panels.Panel(traces, across, panels.axis("found, %", 0, 100)))
        figure["layout"] |= {"showlegend": True}
        return figure

    def words(self) -> str:
        """Write which true difference the test would find."""
        if self.detectable is None:
            return (
                "so few disagreements prove little: even the largest true difference is found in "
                "fewer than 8 of 10 such sets"
            )
        return (
            f"only a true difference of {100 * self.detectable:.2g} percentage points or more is "
            "found in 8 of 10 such sets"
        )
