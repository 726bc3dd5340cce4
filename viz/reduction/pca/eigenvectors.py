"""All components at once; every step keeps one more."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.pca.class_share import class_share
from algorithms.reduction.pca.denoising import DenoisingStep
from algorithms.reduction.pca.pca import PcaStep
from viz.core import curves, panels, plane
from viz.core.found import Axis
from viz.core.question import Option, Question, question
from viz.core.scene import ANSWER, Figure, Run, View
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, numbered, percent
from viz.reduction.pca import marks
from viz.reduction.pca.marks import (
    FAINT,
    MOST_SCORES,
    Columns,
    shown_rows,
    small_points,
)
from viz.reduction.pca.on_columns import Both, OnColumns, without_unit

BETWEEN = PALETTE[6]  # the part of a variance that is between the classes
_ARROWS = 8  # columns among the scores
_LETTERS = 14  # of their names
_BARS = 24  # components with a number on the axis
_FAINT_POINTS = 0.35  # their strength where names have to be read among them
_CLEAR = 0.01  # of a weight
_MOST = 4  # terms of a sum


class Eigenvectors(OnColumns[DenoisingStep]):
    """The reconstruction of the points from more and more components."""

    unit = "q ="
    opens = 1

    def __init__(self, run: Run, columns: Columns, both: Both, keep: float, noise: bool) -> None:
        """Find how well each component separates the classes.

        both : all components, of the columns as they are and scaled. keep : the share of the
        variance to keep, in percent. noise : whether noise was added.
        """
        super().__init__(run, columns, both)
        self.keep, self.noise = keep, noise
        last = self.steps[-1]
        self.shares = class_share(last.transform(last.noisy), self.data.labels)

    def views(self) -> list[View]:
        """Return the picture, the variances, and the errors or the biplot."""
        given = "The points, with noise (✕)," if self.noise else "The points"
        views = [
            View(f"{given} and their reconstructions from q components", self.picture),
            View("Variances, and the share that is kept", self.scree, ahead="by step"),
        ]
        if self.noise:
            errors = View("Error of the reconstruction against q", self.errors, ahead="by step")
            return [*views, errors]
        still = biplot(self.columns, self.steps[-1])
        title = "Scores on two components, columns as arrows"
        return [*views, View(title, lambda _: still, ahead=True, board=False)]

    def picture(self, now: int) -> Figure:
        """Draw the points, their reconstructions, and the components."""
        return marks.picture(self.columns, self.steps, now, noise=self.noise)

    def scree(self, now: int) -> Figure:
        """Draw the variance along every component, and the share that the first q keep."""
        return scree(self.steps, self.keep, self.shares, now)

    def errors(self, now: int) -> Figure:
        """Draw the errors of the reconstructions against q."""
        return reconstruction_errors(self.steps, now)

    def _kept(self, now: int) -> str:
        """Write how much the components of this step keep."""
        steps, step = self.steps, self.steps[now]
        q, total, *parts = step.index, *marks.as_the_first(step.total, *step.variances.tolist())
        lost = f"the error is {number(step.error)}"
        if self.noise:
            best = min(steps[: now + 1], key=lambda other: other.clean_error)
            lost += (
                f" to the noisy points, {number(step.clean_error)} to the clean ones (least so "
                f"far: {number(best.clean_error)} at q = {best.index})"
            )
        if q == 0:
            first = f"Without components, every point is replaced by the mean, the cross; {lost}."
            return f"{first}\nAll the variance of the columns is lost, {total}."
        share = float(step.explained.sum())
        enough = ""
        if step.event == "enough variance":
            enough = f", enough for the {self.keep:g} % to keep"
        keep = "keeps" if q == 1 else "keep"
        first = (
            f"{counted(q, 'component')} {keep} {percent(share)} of the variance{enough}; {lost}."
        )
        if q > _MOST:
            parts = [*parts[:2], "…", parts[-1]]
        direction = _combination(step.components[-1], self.columns.names)
        return (
            f"{first}\nThat is {' + '.join(parts)} of the variance of {total} in all. "
            f"Component {numbered('u', q - 1)} = {direction}"
        )

    def caption(self, now: int) -> str:
        """Write how much the components keep, and how far the last one separates the classes."""
        q, labels = self.steps[now].index, self.data.labels
        if q == 0 or not _several(labels):
            return self._kept(now)
        return (
            f"{self._kept(now)}\nOf the variance along {numbered('u', q - 1)} "
            f"{number(100 * self.shares[q - 1])} % is between the means of the "
            f"{len(np.unique(labels))} classes, the rest within them."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which column the next component is mostly made of."""
        after = self.steps[now + 1]
        if len(after.components) == 0:
            return None
        weights = after.components[-1].tolist()
        order = np.argsort(-np.abs(weights), kind="stable").tolist()
        first, *rest = order
        if not rest or abs(weights[first]) - abs(weights[rest[0]]) <= _CLEAR:
            return None
        reason = (
            f"“{self.columns.names[first]}” has the weight {number(weights[first])} in it, "
            f"“{self.columns.names[rest[0]]}” {number(weights[rest[0]])}."
        )
        options = [Option(f"“{self.columns.names[j]}”") for j in order]
        text = f"Which column has the largest weight in component {len(after.components)}?"
        return question(text, options[0], options[1:], reason)

    def found(self, now: int) -> Axis:
        """Return the first component as an axis, as long as there is one."""
        return marks.axis(self.columns, self.steps[now])


def scree(steps: Sequence[PcaStep], keep: float, shares: ndarray, now: int) -> Figure:
    """Draw the variance along every component, and the share that the first q keep.

    shares : the part of each variance that is between the classes; 0 if there is one class.
    """
    variances, q = steps[-1].variances, steps[now].index
    d, several = len(variances), bool(shares.any())
    kept = 100 * np.concatenate([[0.0], np.cumsum(steps[-1].explained)])
    share = np.column_stack([np.arange(d + 1), kept])
    level = np.array([[-1, keep], [d + 1, keep]])
    traces = [
        _bars(variances * shares, q, BETWEEN, "between classes") | {"showlegend": several},
        _bars(variances * (1 - shares), q, GREY, "within" if several else "variance"),
        plane.line(
            share, yaxis="y2", mode="lines+markers" if d <= _BARS else "lines",
            line={"width": 2}, marker={"size": 6}, name="kept", showlegend=True,
        ),
        plane.line(
            level, yaxis="y2", line={"width": 1.5, "dash": "dash"}, name=f"{keep:g} %",
            showlegend=True,
        ),
        curves.marked(q, float(kept[q]), yaxis="y2", showlegend=False),
    ]  # fmt: skip
    percent = {"range": [0, 110], "tickvals": [0, 50, 100], "ticktext": ["0 %", "50 %", "100 %"]}
    layout = curves.panel_layout(
        barmode="stack",
        xaxis={"range": [-0.4, d + 0.6]} | _whole(d),
        yaxis={"range": [0, 1.1 * float(variances.max())], "nticks": 4}
        | {"title": {"text": "variance"}},
        yaxis2=percent | {"showgrid": False, "overlaying": "y", "side": "right"},
    )
    layout["margin"] = {**layout["margin"], "r": 58}
    return curves.with_legend({"data": traces, "layout": layout}, traceorder="normal")


def _bars(values: ndarray, q: int, color: str, what: str) -> dict:
    """Draw a part of the variance along every component; those beyond the first q are faint."""
    d = len(values)
    return {
        "type": "bar",
        "name": what,
        "x": list(range(1, d + 1)),
        "y": values.tolist(),
        "marker": {"color": color, "opacity": [1.0 if j < q else FAINT for j in range(d)]},
        "hovertemplate": f"component %{{x}}, {what}: %{{y:.4g}}<extra></extra>",
    }


def reconstruction_errors(steps: Sequence[DenoisingStep], now: int) -> Figure:
    """Draw the distances of the reconstructions to the points against the number of components.

    A star marks the least of those to the clean points.
    """
    kept = range(len(steps))
    noisy, clean = [step.error for step in steps], [step.clean_error for step in steps]
    best, top = int(np.argmin(clean)), 1.1 * max(*noisy, *clean)
    star = {"size": 15, "symbol": 17, "color": NOW}
    line, marker = {"width": 2}, {"size": 6}
    traces = [
        curves.against(
            "to the noisy points",
            kept,
            noisy,
            setting="q",
            line=line | {"dash": "dash"},
            marker=marker,
        ),
        curves.against("to the clean points", kept, clean, setting="q", line=line, marker=marker),
        plane.line(np.array([[best, clean[best]]]), mode="markers", marker=star, meta=ANSWER),
        curves.marked(now, clean[now], showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, len(steps) - 0.4]} | _whole(len(steps)),
        yaxis={"range": [-0.05 * top, top], "nticks": 5, "title": {"text": "error"}},
    )
    return curves.with_legend({"data": traces, "layout": layout})


def _whole(d: int) -> dict:
    """Return the ticks of an axis that counts components: whole numbers, or few of them."""
    return {"dtick": 1} if d <= _BARS else {"nticks": 10}


def biplot(columns: Columns, last: PcaStep) -> Figure:
    """Draw the scores on the first two components, and the columns as arrows among them.

    Their names stand at the sides, joined to the tips, and the points are faint.
    """
    rows = shown_rows(len(columns.table), MOST_SCORES)
    z = last.transform(columns.table[rows])[:, :2]
    loadings = last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T), kind="stable")[:_ARROWS]
    reach = np.abs(z).max(axis=0)
    reach = np.maximum(reach, 0.02 * reach.max())
    tips = loadings[longest] * reach.max() * 0.9
    tips *= min(1.0, *(reach / np.maximum(np.abs(tips).max(axis=0), 1e-300)))
    right = tips[:, 0] >= 0
    names = np.column_stack([np.where(right, 1.08, -1.08) * reach[0], tips[:, 1]])
    for side in (right, ~right):
        names[side, 1] = panels.spread_out(tips[side, 1], 0.3 * reach[1], -reach[1], reach[1])
    bare = [columns.names[j].partition(" (")[0] for j in longest]  # without the unit
    heads = {"symbol": "arrow", "angleref": "previous", "size": [0, 11, 0] * len(tips)}
    traces = [
        plane.line(
            plane.joined([np.array(pair) for pair in zip(tips, names, strict=True)]),
            line={"width": 1, "color": GREY},
        ),
        plane.line(
            plane.joined([np.array([[0.0, 0.0], tip]) for tip in tips]),
            mode="lines+markers",
            line={"width": 2.5},
            marker={**heads, "opacity": 1},
        ),
        plane.line(
            names,
            mode="text",
            text=[f"<b>{panels.label(name, _LETTERS)}</b>" for name in bare],
            textposition=["middle right" if side else "middle left" for side in right],
        ),
    ]
    layout = curves.panel_layout(
        xaxis={
            "range": [-2.1 * reach[0], 2.1 * reach[0]],
            "nticks": 7,
            "title": {"text": "z₁", "standoff": 2},
        },
        yaxis={"range": [-1.2 * reach[1], 1.2 * reach[1]], "title": {"text": "z₂"}, "nticks": 5},
    )
    points = small_points(z, columns.plane.labels[rows], _FAINT_POINTS)
    return {"data": traces, "layout": layout, "points": points}


def _several(labels: ndarray) -> bool:
    return len(np.unique(labels)) > 1


def _combination(u: ndarray, names: Sequence[str]) -> str:
    """Write a direction as a sum of columns, the largest entries first, to end a sentence."""
    largest = np.argsort(-np.abs(u), kind="stable")[:_MOST]
    text = ""
    for j in map(int, largest):
        sign = "−" if u[j] < 0 else "+" if text else ""
        text += f" {sign} " if text else sign
        text += f"{number(float(abs(u[j])), 2)} {without_unit(names[j])}"
    return text + (" + …" if len(u) > _MOST else ".")
