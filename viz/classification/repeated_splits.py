"""All classifiers on many random splits: which differences could be chance?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.repeated_splits import MOST, RepeatedSplitsStep
from viz.core import curves, plane
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import listed, number

CELLS = 140  # of a surface, both ways
_TOLERANCE = 0.7 / CELLS  # of a border: the cells' corners do not show
_OLD = "border in an earlier split"


@dataclass(frozen=True, eq=False)
class Fits:
    """One classifier in every split: its regions, and its borders as thin lines."""

    regions: Sequence[dict]
    lines: Sequence[dict]


class RepeatedSplits(Show[RepeatedSplitsStep]):
    """Split after split, with the errors of all classifiers so far."""

    unit = "split"
    opens = 4  # the errors have a spread, and the best classifier may still change
    counts_from = 1

    def __init__(self, run: Run, data: Plane, shown: str, found: Fits, seed: int) -> None:
        """Find the classifier whose borders are drawn, and the range of its errors.

        shown : its name, `found` its regions and borders in all splits.
        """
        super().__init__(run, data)
        self.fits, self.j = found, index_of(self.steps, shown)
        last = self.steps[-1]
        every = np.array([step.errors for step in self.steps])
        self.top = 100 * max(float((last.mean + last.spread).max()), float(every.max()), 0.01)
        told = preprocessing(last.models[0].features, data.names)
        self.note = f"{note(self.steps, seed)} {told}"

    def views(self) -> list[View]:
        """Return the borders, the errors, and the winner's errors on both halves."""
        label = self.steps[0].classifiers[self.j].label
        title = f"{label}: its border in every split so far"
        picked = "Winner's error: ● where it won, ■ elsewhere"
        return [
            View(title, self.picture),
            View("Held-out error ± spread; ● may be the best", self.errors, height=2),
            View(picked, optimism(self.steps), ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw one classifier's regions and border in this split, and its earlier borders."""
        latest = {"width": 3}
        data, lines, j = self.data, self.fits.lines, self.j
        step, old = self.steps[now], ({**line, "visible": i < now} for i, line in enumerate(lines))
        traces = [self.fits.regions[now], *old]
        traces.append(lines[now] | {"line": latest, "name": "border in this split"})
        wrong = step.models[j].predict(data.X) != data.labels
        points = plane.points(data.X, data.labels, wrong, held=step.held_out)
        return plane.figure(traces, data.bounds, data.names, points=points)

    def errors(self, now: int) -> Figure:
        """Draw every classifier's mean error and its spread."""
        step, j, top = self.steps[now], self.j, self.top
        rows = np.arange(len(step.classifiers))[::-1]
        noise = step.within_noise
        bars = {
            "type": "data",
            "array": plane.packed(100 * step.spread),
            "thickness": 1.5,
            "width": 3,
        }
        mean = {"size": 10, "symbol": np.where(noise, 0, 100).tolist(), "line": {"width": 1.5}}
        band = np.array([[0, rows[j]], [1.04 * top, rows[j]]])
        best = 100 * float(step.mean[step.best])
        upright = np.array([[best, -0.6], [best, len(rows) - 0.4]])
        traces = [
            plane.line(band, line={"width": 15, "color": GREY}, opacity=0.25),
            plane.line(upright, line={"width": 1, "dash": "dot"}),
            {
                "type": "scatter",
                "mode": "markers",
                "x": plane.packed(100 * step.mean),
                "y": plane.packed(rows.astype(float)),
                "marker": mean,
                "error_x": bars,
                "hovertemplate": "mean %{x:.2f} %<extra></extra>",
            },
        ]
        names = [
            f"<b>{classifier.label}</b>" if close else classifier.label
            for classifier, close in zip(step.classifiers, noise, strict=True)
        ]
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.02 * top, 1.04 * top],
                "title": {"text": "error, %"},
                "nticks": 6,
            },
            yaxis={"range": [-0.7, len(rows) - 0.3], "tickvals": rows.tolist(), "ticktext": names}
            | {"fixedrange": True},
        )
        layout["margin"] = {"l": 122, "r": 12, "t": 4, "b": 44}
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write which classifier is best so far, how many are near it, and the winner's errors."""
        steps, j = self.steps, self.j
        step = steps[now]
        count = len(step.classifiers)
        equal = np.flatnonzero(step.mean <= step.mean[step.best] + 1e-12).tolist()
        best = listed([step.classifiers[i].label for i in equal])
        lines = [
            f"Split {step.splits} of {len(steps)}: {best} {'has' if len(equal) == 1 else 'have'} "
            f"the lowest mean error so far, {_percent(step.mean[step.best])}{_before(steps, now)}."
        ]
        if step.splits == 1:
            lines.append("One split has no spread, so any difference could still be chance.")
        else:
            close = int(step.within_noise.sum()) - 1
            its_own = _against_the_means(step)
            how = (
                f"For {close} of the other {count - 1} (●), the lag is at most 2 standard errors "
                "and could be chance."
                if close
                else f"The other {count - 1} are behind by more than 2 standard errors."
            )
            if its_own:
                how = (
                    f"For {close} of the other {count - 1} (●), the lag could be chance: at most "
                    "2 of its own standard errors."
                )
            lines.append(f"{how}{its_own or _compared(step, j)}")
        return "\n".join([*lines, _winner(step)])

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the best classifier so far beats another one on the next split."""
        before, after = self.steps[now], self.steps[now + 1]
        best = before.best
        near = [j for j in before.mean.argsort(kind="stable")[:5].tolist() if j != best]
        rival = int(rng.choice(near))
        names = [before.classifiers[j].label for j in (best, rival)]
        errors = [float(after.errors[j]) for j in (best, rival)]
        ways = [Option(names[0]), Option(names[1]), Option("both equally few")]
        right = 0 if errors[0] < errors[1] else 1 if errors[1] < errors[0] else 2
        means = [number(100 * float(before.mean[j])) for j in (best, rival)]
        reason = (
            f"{names[0]} gets {number(100 * errors[0])} % of the points wrong, {names[1]} "
            f"{number(100 * errors[1])} %. Before, the means were {means[0]} and {means[1]} %: a "
            "single split is a matter of chance."
        )
        text = "Another split is drawn. Which classifier gets fewer of its held-out points wrong?"
        return question(text, ways[right], ways, reason)


def index_of(steps: Sequence[RepeatedSplitsStep], name: str) -> int:
    """Return the index of a classifier by its name."""
    return [classifier.name for classifier in steps[0].classifiers].index(name)


def find_borders(steps: Sequence[RepeatedSplitsStep], name: str, box: Bounds) -> Fits:
    """Draw a classifier's regions and its border in every split."""
    x_cells, y_cells, cells = plane.grid(box, CELLS)
    j = index_of(steps, name)
    regions, found = [], []
    for step in steps:
        scores = np.ascontiguousarray(step.models[j].scores(cells).T).reshape(-1, CELLS, CELLS)
        winner = step.classes[scores.argmax(axis=0)].astype(np.uint8)
        regions.append(plane.regions(winner, None, box))
        found.append(
            plane.borders(
                x_cells,
                y_cells,
                scores,
                tolerance=_TOLERANCE,
                name=_OLD,
                line={"width": 1, "color": GREY},
            )
        )
    return Fits(regions, found)


def optimism(steps: Sequence[RepeatedSplitsStep]) -> Callable[[int], Figure]:
    """Return a function that draws the mean errors of the winners, split after split."""
    splits = np.arange(1, len(steps) + 1)
    promised, kept = (
        100 * np.array([getattr(step, name) for step in steps]) for name in ("promised", "kept")
    )
    top = max(1.0, 1.15 * float(max(promised.max(), kept.max())))
    lines = [
        _curve(splits, promised, "on the half that picked it", 0),
        _curve(splits, kept, "on the other half", 1),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.5, len(steps) + 0.5], "nticks": 8}
        | {"title": {"text": "splits", "standoff": 2}},
        yaxis={"range": [0, top], "title": {"text": "error, %"}, "nticks": 5},
    )

    def at(now: int) -> Figure:
        dots = [
            curves.marked(now + 1, float(values[now]), marker=curves.DOT | {"symbol": symbol})
            for symbol, values in enumerate((promised, kept))
        ]
        return {"data": [*lines, *dots], "layout": layout}

    return at


def _curve(x: ndarray, y: ndarray, name: str, symbol: int) -> dict:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": plane.packed(x),
        "y": plane.packed(y),
        "name": name,
        "line": {"width": 2},
        "marker": {"size": 6, "symbol": symbol},
        "hovertemplate": f"{name} %{{y:.2f}} %<extra></extra>",
    }


def _before(steps: Sequence[RepeatedSplitsStep], now: int) -> str:
    """Write which classifier was best before this split, if it is another one."""
    if steps[now].event != "another classifier is best":
        return ""
    before = steps[now - 1]
    return f" (before: {before.classifiers[before.best].label})"


def _compared(step: RepeatedSplitsStep, j: int) -> str:
    """Write how far the shown classifier is from the best one."""
    if j == step.best:
        return ""
    above, most = (number(100 * each[j]) for each in (step.behind, 2 * step.standard_error))
    return (
        f" {step.classifiers[j].label} lags by {above} percentage points; 2 standard errors are "
        f"{most}."
    )


def _against_the_means(step: RepeatedSplitsStep) -> str:
    """Write why a classifier with a larger lag than another may be the best, and that one not."""
    noise = step.within_noise
    if noise.all():
        return ""
    out = int(np.where(noise, np.inf, step.behind).argmin())
    within = int(np.where(noise, step.behind, -np.inf).argmax())
    if step.behind[within] <= step.behind[out]:
        return ""
    names = [step.classifiers[i].label for i in (out, within)]
    lags = [number(100 * step.behind[i]) for i in (out, within)]
    most = [number(200 * step.standard_error[i]) for i in (out, within)]
    return (
        f" {names[0]} (○) lags by {lags[0]}, more than {most[0]}; "
        f"{names[1]} (●) by {lags[1]}, within {most[1]}."
    )


def _winner(step: RepeatedSplitsStep) -> str:
    splits = f" and {step.splits} splits" if step.splits > 1 else ""
    but = "but" if step.kept > step.promised else "and"
    return (
        "If one half of the held-out points picks the winner, it gets "
        f"{_percent(step.promised)} of that half wrong, {but} {_percent(step.kept)} of the other: "
        f"means over both halves{splits}."
    )


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def note(steps: Sequence[RepeatedSplitsStep], seed: int) -> str:
    """Write how the splits are drawn, and what the marks mean."""
    some = int((~steps[0].held_out).sum()) > MOST
    few = f" To stay quick, a split uses {MOST} training points, drawn at random."
    return (
        f"Every split holds out other points, drawn with seed {seed}, and fits every classifier "
        f"again to the rest.{few if some else ''}"
        " The perceptron takes the points in a new order, drawn at random, so that it can differ "
        "from the one of a single split."
        " Among the errors, a circle is the mean, and a dotted line is at the lowest. "
        "A bar is the standard deviation of a classifier's errors, not of their differences. "
        "The standard error of a difference d is "
        "√(1/b + n_test/n_train) times the standard deviation of d over b splits: splits share "
        "most of their points, so more splits help less and less. A lag of at most 2 standard "
        "errors could be chance. It may still be real: more points may show it."
    )
