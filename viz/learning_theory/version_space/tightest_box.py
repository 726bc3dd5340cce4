"""Probably approximately correct: the tightest box, its error, and how often it is large."""

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.version_space.candidate_elimination import holds
from algorithms.learning_theory.version_space.tightest_box import (
    ShareAbove,
    TightestBoxStep,
    bound,
    samples_needed,
)
from viz.core import curves, naming, plane
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import number, percent
from viz.learning_theory.version_space import marks

_BINS = 24  # of the histogram of errors, about
_INSIDE = np.array([0.05, -0.15])  # from a corner of the box to its name
_SIZE = 8  # of a sample, in pixels
_BELOW = np.array([0.0, -0.1])  # from the true box to words below it
_CORNERS = ("top left", "top right", "bottom left", "bottom right")  # of the picture
_FRAME = f"rgba({', '.join(map(str, rgb(PALETTE[3])))}, 0.45)"
_SHARES = plane.grid((0.15, 0.85, 0.15, 0.85), 6)[2]  # of S, where it may be named


class TightestBox(Show[TightestBoxStep]):
    """One repetition in each step: new samples, a new box, an error."""

    unit = "repetition"
    counts_from = 1
    opens = 29

    silent = "The next samples are drawn at random, so nothing shows how large the error will be."
    note = (
        "Dotted: the true box. Solid: the smallest box around the positive samples. The frame "
        "between both is where it is wrong."
    )

    def __init__(
        self, run: Run, truth: ndarray, m: int, eps: float, delta: float, above: ShareAbove
    ) -> None:
        """Keep what was asked for. above : how often the error exceeds eps."""
        super().__init__(run)
        self.truth, self.m, self.eps, self.delta = truth, m, eps, delta
        self.above = above
        self.most = max(float(self.steps[-1].errors.max()), 1.2 * eps)
        width = eps / max(round(_BINS * eps / self.most), 1)  # so that ε is between two bins
        self.edges = width * np.arange(np.ceil(self.most / width) + 1)

    def views(self) -> list[View]:
        """Return the boxes, the errors so far, and the share above ε with its bound."""
        return [
            View("The true box, and the tightest box", self.picture, board=False),
            View("Errors of all repetitions so far", self.errors, board=False),
            View("How often the error is above ε", self.shares, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the samples, both boxes, and the frame between them."""
        step = self.steps[now]
        positive = holds(self.truth, step.X)
        inner = marks.outline(self.truth if step.box is None else step.box)
        # The way around the true box and back around the inner one fills the frame alone.
        frame = np.concatenate([marks.outline(self.truth), inner[::-1]])
        solid = [] if step.box is None else [step.box]
        corners = marks.outline(self.truth)
        font = {"size": 15, "weight": 700}
        ways = ((1, "bottom left"), (2, "top left"), (0, "bottom right"), (1, "bottom right"))
        below = [(corners[i] + _BELOW * (i < 2), side) for i, side in ways]
        below += [naming.corner(marks.PICTURE, name) for name in _CORNERS]
        low, high = inner.min(axis=0), inner.max(axis=0)
        inside = [(inner[3] + _INSIDE, "bottom right")]
        inside += [(place, "middle center") for place in low + _SHARES * (high - low)]
        names = [
            naming.Name("true box", [(corners[3], "top right")], font),
            naming.Name("S", inside if solid else [], font | {"color": marks.POSITIVE}),
            naming.Name("shaded: where S is wrong" * bool(solid), below,
                        font | {"color": PALETTE[3]}),
        ]  # fmt: skip
        ends = marks.extents(self.truth.T, marks.HANDLE)
        signs = np.concatenate([marks.extents(step.X, _SIZE), ends])
        traces = [
            plane.line(
                frame,
                fill="toself",
                fillcolor=_FRAME,
                line={"width": 0},
                name="frame: where the box is wrong",
            ),
            marks.outlines(
                [self.truth], line={"width": 3, "dash": "dot", "color": GREY}, name="true box"
            ),
            marks.outlines(
                solid, line={"width": 4, "color": marks.POSITIVE}, name="S, the tightest box"
            ),
            *marks.samples(step.X, positive, _SIZE),
            *naming.clear_names(names, marks.PICTURE, signs),
        ]  # fmt: skip
        return marks.picture(traces, legend=True)

    def errors(self, now: int) -> Figure:
        """Draw the histogram of the errors so far; the newest is in its own colour."""
        errors = self.steps[now].errors
        edges = self.edges
        counts = np.histogram(errors, edges)[0]
        newest = np.histogram(errors[-1:], edges)[0] > 0
        whole = np.histogram(self.steps[-1].errors, edges)[0]
        bars = [
            {
                "type": "bar", "name": name, "x": ((edges[1:] + edges[:-1]) / 2).tolist(),
                "y": np.where(shown, counts, 0).tolist(), "marker": look,
                "hovertemplate": "%{y} errors<extra></extra>",
            }
            for name, shown, look in (
                ("earlier errors", ~newest, {"color": GREY}), ("with the newest error", newest, {})
            )
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "error (dotted: ε)", "standoff": 4},
                "range": [0, 1.02 * float(edges[-1])],
            },
            yaxis={"title": {"text": "repetitions"}, "range": [0, 1.08 * int(whole.max())]},
            shapes=[curves.dotted(self.eps, 2)],
        )
        layout |= {"bargap": 0, "barmode": "stack"}
        return {"data": bars, "layout": layout}

    def shares(self, now: int) -> Figure:
        """Draw the measured share of errors above ε against m, its bound, and the share so far."""
        sizes = self.above.sizes
        promised = [min(bound(self.eps, int(m)), 1.0) for m in sizes]
        so_far = float((self.steps[now].errors > self.eps).mean())
        traces = [
            curves.against("measured", sizes, self.above.shares, setting="m", line={"width": 2}),
            curves.against(
                "bound", sizes, promised, setting="m",
                line={"width": 2, "dash": "dash", "color": GREY}, marker={"size": 4},
            ),
            curves.marked(self.m, so_far, name="so far"),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "samples m", "standoff": 4},
                "range": [-0.03 * sizes[-1], 1.03 * sizes[-1]],
            },
            yaxis={"title": {"text": "share above ε"}, "range": [-0.03, 1.05], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write the error, how often it was above ε, and what the bound promises."""
        step = self.steps[now]
        above, so_far = int((step.errors > self.eps).sum()), now + 1
        within = "within" if step.error <= self.eps else "above"
        promised = min(bound(self.eps, self.m), 1.0)
        are = "is" if above == 1 else "are"
        told = f"{above} of {so_far} errors so far {are} above {number(self.eps)}"
        limit = f"the bound, which is loose, allows 4(1 − ε/4)ᵐ = {percent(promised)}"
        if promised == 1.0:
            limit = "for so few samples the bound promises nothing"
        needed = samples_needed(self.eps, self.delta)
        newest = (
            f"Repetition {so_far}: the error {number(step.error)} is {within} the tolerated "
            f"ε = {number(self.eps)}"
        )
        first, then = (told, newest) if so_far == len(self.steps) else (newest, told)
        return (
            f"{first}.\n{then}; {limit}.\nWith (4/ε) ln(4/δ) = {needed} samples, the risk is at "
            f"most δ = {number(self.delta)}."
        )
