"""Choosing the number of components of a mixture, by BIC and by held-out points."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.mixture_choice import MixtureChoiceStep
from viz.core import curves, plane, soft_groups
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE, color
from viz.core.words import counted, number


class Choice(Show[MixtureChoiceStep]):
    """The best mixture for every k, what judges them, and where all the starts ended."""

    unit = "k ="
    counts_from = 1
    opens = 2

    def __init__(self, run: Run, data: Plane, starts: int, folds: int) -> None:
        """Prepare the dots of all starts. starts : for every k. folds : parts held out in turn."""
        super().__init__(run, data)
        self.starts = starts
        self.note = (
            f"A step is a number of components k. Each k is fitted from {starts} starts, k-means "
            "and random ones in turn (k = 1 from one start, because all would end alike), and the "
            f"highest log-likelihood is kept. Each of {folds} parts of the points is held out "
            "once; that fit starts at the means of the mixture that was kept."
        )
        places = np.array([(step.k, end) for step in self.steps for end in step.ends], float)
        low, high = float(places[:, 1].min()), float(places[:, 1].max())
        room = 0.08 * (high - low) or 1.0
        self.dots = plane.line(places, mode="markers", marker={"size": 7, "color": PALETTE[0]})
        self.dots |= {"opacity": 0.8}
        self.layout = curves.panel_layout(
            xaxis={"range": [0.6, self.steps[-1].k + 0.4], "dtick": 1}
            | {"title": {"text": "components k", "standoff": 2}},
            yaxis={"range": [low - room, high + room], "nticks": 5, "title": {"text": "Σ ln p"}},
        )
        self.layout["margin"]["b"] = 44

    def views(self) -> list[View]:
        """Return the picture, the criteria, and the ends of all starts."""
        return [
            View("The best mixture with k components", self.picture),
            View("BIC and held-out points, against k", self.criteria, ahead="by step"),
            View(f"Where the {self.starts} starts of every k ended", self.ends, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the components of one k, and the points in their blend."""
        mixture = self.steps[now].mixture
        most = max(step.k for step in self.steps)
        ellipses = soft_groups.ellipses(mixture.means, mixture.covariances)
        for trace in range(len(ellipses), 2 * most):  # the same traces for every k
            missing = soft_groups.curve(plane.GAP, width=2.5, color=color(trace // 2))
            ellipses.append(ellipses[trace % 2] | missing | {"name": ""})
        traces = [*ellipses, soft_groups.centers(mixture.means, self.data.bounds)]
        points = soft_groups.points(self.data.X, mixture.responsibilities)
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, signs=soft_groups.SIGNS
        )

    def criteria(self, now: int) -> Figure:
        """Draw BIC and held-out log-likelihood against k, with a star at the best of each."""
        ks = [choice.k for choice in self.steps]
        bic = np.array([choice.bic for choice in self.steps])
        held = np.array([choice.held_out for choice in self.steps])
        best, likeliest = int(bic.argmin()), int(held.argmax())
        dashed = {"line": {"dash": "dash"}, "marker": {"symbol": 2}}
        traces = [
            curves.against("BIC (low is good)", ks, bic, yaxis="y", marker={"symbol": 1}),
            _star(ks[best], float(bic[best])),
            curves.marked(ks[now], float(bic[now]), marker=curves.RING, showlegend=False),
            curves.against("held out (high is good)", ks, held, yaxis="y2", **dashed),
            _star(ks[likeliest], float(held[likeliest]), yaxis="y2"),
            curves.marked(
                ks[now], float(held[now]), marker=curves.RING, yaxis="y2", showlegend=False
            ),
        ]
        layout = curves.panel_layout(
            xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
            yaxis=_axis("BIC", 0.56, _near(-bic, -1)),
            yaxis2=_axis("ln p", 0.0, _near(held, 1)),
            shapes=[curves.dotted(ks[now])],
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def ends(self, now: int) -> Figure:
        """Draw the log-likelihood at which every start of every k ended; mark the kept one."""
        kept = curves.marked(self.steps[now].k, self.steps[now].log_likelihood)
        return {"data": [self.dots, kept], "layout": self.layout}

    def caption(self, now: int) -> str:
        """Write how good this k is; below, the sum that is BIC, and the held-out points."""
        step, n = self.steps[now], len(self.data.X)
        likelihood, bic = number(step.log_likelihood, 5), number(step.bic, _digits(step.bic))
        return (
            f"With {counted(step.k, 'component')}, the misfit plus a price for every parameter, "
            f"BIC, is {bic}.\n"
            f"Misfit plus price: −2 · ({likelihood}) + {step.n_parameters} · ln {n} = {bic}.\n"
            f"Held-out points: ln p = {number(step.held_out)} per point."
        )

    def answer(self, now: int) -> str:
        """Compare this k with the best."""
        step = self.steps[now]
        best = min(self.steps, key=lambda each: each.bic)
        likeliest = max(self.steps, key=lambda each: each.held_out)
        verdict = "This BIC is the lowest of all"
        if step.k != best.k:
            above = number(step.bic - best.bic)
            verdict = f"This BIC is {above} above that of {counted(best.k, 'component')}"
        held = "; its held-out mean is the highest of all" if step.k == likeliest.k else ""
        return f"{verdict}{held}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether BIC, or the log-density of the held-out points, rises or falls."""
        before, after = self.steps[now], self.steps[now + 1]
        text = f"k goes from {before.k} to {after.k}. What does"
        gain = number(after.log_likelihood - before.log_likelihood)
        if rng.random() < 0.5:
            more = after.n_parameters - before.n_parameters
            reason = (
                f"The log-likelihood gains {gain}, and {more} more numbers cost: BIC goes from "
                f"{number(before.bic, 5)} to {number(after.bic, 5)}."
            )
            return rises_or_falls(f"{text} BIC do?", before.bic, after.bic, reason)
        ends = [number(step.held_out, 4) for step in (before, after)]
        reason = (
            f"The fitted points together gain {gain}; the mean over the held-out points goes from "
            f"{ends[0]} to {ends[1]}."
        )
        text = f"{text} the mean log-density of the held-out points do?"
        return rises_or_falls(text, before.held_out, after.held_out, reason)

    def found(self, now: int) -> Groups:
        """Return the main component of every point."""
        return Groups(self.steps[now].mixture.responsibilities.argmax(axis=1))


def _digits(bic: float) -> int:
    """Return how many digits a headline has: whole numbers, or three."""
    return max(3, len(f"{abs(bic):.0f}"))


def _star(k: int, value: float, **axis: str) -> dict:
    """Mark the best of all values."""
    look = {"size": 12, "symbol": "star"}
    place = np.array([[k, value]])
    return plane.line(place, mode="markers", marker=look, name="the best k", meta=ANSWER, **axis)


def _axis(name: str, bottom: float, ends: list[float]) -> dict:
    domain = [bottom, bottom + 0.44]
    return {"title": {"text": name}, "domain": domain, "nticks": 4, "range": ends}


def _near(values: ndarray, sign: int) -> list[float]:
    """Return a range around the best (highest) values: a collapse can be far below all others."""
    best, first = float(values.max()), float(values[0])
    low = max(float(values.min()), best - 3 * max(best - first, 0.05 * abs(best), 1e-3))
    room = 0.15 * (best - low) or 0.1
    return sorted([sign * (low - room), sign * (best + room)])
