"""Noise, fold by fold: how the chosen columns do on rows that helped to choose them, or did not."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.evaluation.choosing_features.selection_in_folds import FoldStep
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import counted, number, percent

_BINS = np.linspace(0, 100, 26)  # of the reported errors, in percent
_EXTENT = 0.015 * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])  # of a chosen column
_ALONG = 12  # places along a line that words keep clear of: few, since squares count more
_TOP = 1.3  # of the largest correlation: room above the columns for words
_GAP = 0.015  # of the picture's size, from a line and its ends to its words
_WAYS = ("outside", "inside")
_TRUTH = {
    "x": 50, "y": 1, "yref": "paper", "text": "truth: half wrong", "showarrow": False,
    "xanchor": "left", "yanchor": "top", "font": {"shadow": "auto"},
}  # fmt: skip


class InFolds(Show[FoldStep]):
    """Every column at its correlation on the other folds and on the held-out one."""

    unit = "fold"
    counts_from = 1
    opens = AT_THE_END

    note = (
        "The columns are noise, so every classifier is wrong on half of new rows. A column whose "
        "correlation on the other folds is negative is turned round."
    )

    def __init__(self, run: Run, inside: bool, reported: ndarray) -> None:
        """Count the errors of other samples. reported : (samples, 2), outside and inside."""
        super().__init__(run)
        self.inside, self.reported = inside, reported
        self.counts = [np.histogram(100 * errors, _BINS)[0] for errors in reported.T]
        self.reach = max(float(np.abs(step.learned).max()) for step in self.steps)
        self.far = max(float(np.abs(step.held).max()) for step in self.steps)

    def views(self) -> list[View]:
        """Return the columns, the errors by fold, and those of other samples."""
        return [
            View("Each column of noise", self.picture, board=False),
            View("Errors on the held-out rows", self.by_fold, board=False),
            View(
                "A hundred other samples, after the last fold", self.others, ahead=True, board=False
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the correlations; chosen columns are large."""
        step = self.steps[now]
        d = len(step.learned)
        turned = np.where(step.learned < 0, -1.0, 1.0)
        places = np.column_stack([np.abs(step.learned), turned * step.held])
        chosen = np.zeros(d, bool)
        chosen[step.chosen] = True
        box = (-0.02, 1.08 * self.reach, -1.1 * self.far, _TOP * self.far)
        mean = float(places[chosen, 1].mean())
        size = np.array([box[1] - box[0], box[3] - box[2]])
        squares = (places[chosen, None] + _EXTENT * size).reshape(-1, 2)
        across = np.linspace(*box[:2], _ALONG)
        dashed, truth = (np.column_stack([across, np.full(_ALONG, y)]) for y in (mean, 0.0))
        aside, gap = _GAP * size
        above = f"squares: chosen columns; dashed: their mean, {number(mean)}"
        name = naming.Name(
            "truth: 0",
            [
                (truth[-1] + (-aside, gap), "top left"),
                (truth[-1] + (-aside, -gap), "bottom left"),
                (truth[0] + (aside, gap), "top right"),
                (truth[0] + (aside, -gap), "bottom right"),
            ],
            {},
        )
        traces = [
            plane.line(
                np.array([[box[0], 0.0], [box[1], 0.0]]), line={"width": 1.5, "color": GREY},
                name="no correlation on the held-out rows: the truth",
            ),
            plane.line(
                np.array([[box[0], mean], [box[1], mean]]),
                line={"width": 2.5, "dash": "dash", "color": NOW},
                name="mean of the chosen columns on the held-out rows",
            ),
            *naming.clear_names([name], box, np.concatenate([squares, dashed, truth])),
            naming.words(np.array([box[1] - aside, box[3] - gap]), above, "bottom left"),
        ]  # fmt: skip
        points = plane.points(
            places, chosen.astype(int),
            size=np.where(chosen, 1.6, 1.0), strength=np.where(chosen, 1.0, 0.4),
        )  # fmt: skip
        names = (
            "size of the correlation on the other folds",
            "correlation on the held-out fold (+: same sign)",
        )
        signs = {
            "points": "circle: a column of noise; square: a chosen one",
            "strength": "small and faint: not chosen",
            "size": "large: chosen",
        }
        return plane.figure(traces, box, names, points=points, signs=signs)

    def by_fold(self, now: int) -> Figure:
        """Draw the share of wrong rows on every fold so far."""
        step, last = self.steps[now], self.steps[-1]
        total = len(last.rows)
        shares, so_far = 100 * step.wrong / step.rows, 100 * step.error
        bars = {
            "type": "bar", "name": "percent of the fold that is wrong", "hoverinfo": "skip",
            "x": list(range(1, now + 2)), "y": shares.tolist(), "marker": {"color": GREY},
            "showlegend": False,
        }  # fmt: skip
        ends = [0.4, total + 0.6]
        traces = [
            bars,
            plane.line(
                np.array([[ends[0], so_far], [ends[1], so_far]]), showlegend=True,
                line={"width": 2.5, "dash": "dash", "color": NOW}, name="reported so far",
            ),
            plane.line(
                np.array([[ends[0], 50.0], [ends[1], 50.0]]), line={"color": GREY},
                name="truth: half", showlegend=True,
            ),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "fold", "standoff": 4}, "range": ends, "dtick": 1},
            yaxis={"title": {"text": "% wrong"}, "range": [0, 100], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def others(self, now: int) -> Figure:
        """Draw how many samples report which error, for both ways to choose, on the last fold."""
        over, most = now + 1 == len(self.steps), max(int(each.max()) for each in self.counts)
        middles = ((_BINS[1:] + _BINS[:-1]) / 2).tolist()
        traces = [
            {
                "type": "bar", "name": f"chosen {way} the folds",
                "x": middles, "y": (heights if over else 0 * heights).tolist(),
                "marker": {"color": PALETTE[group], "opacity": 0.9 if chosen else 0.5},
                "hoverinfo": "skip", "showlegend": True,
            }
            for way, heights, group, chosen in zip(
                _WAYS, self.counts, (1, 2), (not self.inside, self.inside), strict=True
            )
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "reported error, %", "standoff": 4}, "range": [0, 100]},
            yaxis={"title": {"text": "samples"}, "nticks": 4, "range": [0, 1.1 * most]},
            barmode="group",
            shapes=[curves.dotted(50, 2)],
            annotations=[_TRUTH],
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write the errors so far, and how the chosen columns do."""
        step = self.steps[now]
        wrong, rows = int(step.wrong[-1]), int(step.rows[-1])
        turned = np.where(step.learned < 0, -1.0, 1.0)[step.chosen]
        here = float(np.abs(step.learned[step.chosen]).mean())
        there = float((turned * step.held[step.chosen]).mean())
        with_or = "without this fold's rows" if self.inside else "with all rows, this fold's too"
        first = (
            f"Fold {step.fold + 1}: {wrong} of {counted(rows, 'held-out row')} "
            f"{'is' if wrong == 1 else 'are'} wrong."
        )
        so_far = f"{int(step.wrong.sum())} of {int(step.rows.sum())} wrong, {percent(step.error)}"
        last = f"Reported so far: {so_far}. The truth is 50 %."
        if now + 1 == len(self.steps):
            way = "without" if self.inside else "with"
            first, last = (
                f"Reported: {so_far}. The truth is 50 %: the columns are noise, chosen {way} the "
                "held-out rows.",
                first,
            )
        return (
            f"{first}\n"
            f"{counted(len(step.chosen), 'column')} of {len(step.learned)} chosen {with_or}: "
            f"correlation {number(here)} on average on the other folds, {number(there)} on this "
            "one.\n"
            f"{last}"
        )

    def answer(self, now: int) -> str:
        """Write what other samples report."""
        if now + 1 < len(self.steps):
            return ""
        outside, inside = self.reported.mean(axis=0)
        return (
            f"A hundred other samples report {percent(outside)} on average if the columns are "
            f"chosen outside the folds, and {percent(inside)} inside."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how many rows of the next fold are wrong: about half, or fewer."""
        after = self.steps[now + 1]
        wrong, rows = int(after.wrong[-1]), int(after.rows[-1])
        share = wrong / rows
        kinds = ("fewer than a third", "a third to two thirds", "more than two thirds")
        right = kinds[0 if share < 1 / 3 else 1 if share <= 2 / 3 else 2]
        return question(
            f"Fold {after.fold + 1} has {counted(rows, 'row')}. How many of them will be wrong?",
            Option(right), [Option(kind) for kind in kinds if kind != right],
            f"{wrong} of {rows} are wrong.",
        )  # fmt: skip
