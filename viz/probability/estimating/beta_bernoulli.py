"""Beta, flip by flip: prior, likelihood and posterior on one axis, for two students."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.beta_bernoulli import BetaStep
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import number

STUDENTS = ("A", "B")
_THETA = (np.arange(400) + 0.5) / 400
_INKS, _SIDES = PALETTE[:2], PALETTE[2:4]  # of the students, and of heads and tails
_APART = 0.003  # between two answers
_COLUMNS = 25  # of coins
_TALL = 180  # pixels that all rows of coins have
_NAMES = (1.09, 1.045)  # heights of the students' names, above their posteriors


class Estimating(Show[BetaStep]):
    """The beliefs of two students with different priors about the same coin."""

    unit = "flip"
    opens = 10

    note = "All curves are drawn with their highest place at 1, so only their shapes compare."

    def __init__(self, run: Run, other: Run, truth: float) -> None:
        """Keep both students' runs. truth : the probability of heads."""
        super().__init__(run)
        self.both = (run.steps, other.steps)
        self.truth = truth
        self.priors = [_height(steps[0].log_density(_THETA)) for steps in self.both]
        x = np.arange(len(self.steps))
        share = [np.nan if s.most_likely is None else s.most_likely for s in self.steps]
        lines = [
            (f"mean, {name}", [s.mean for s in steps], {"width": 2.5, "color": ink})
            for name, steps, ink in zip(STUDENTS, self.both, _INKS, strict=True)
        ]
        self.means = [
            plane.line(np.column_stack([x, values]), line=look, name=name, showlegend=True)
            for name, values, look in [*lines, ("h / n", share, {"width": 2, "dash": "dot"})]
        ]

    def views(self) -> list[View]:
        """Return the beliefs, the estimates flip by flip, and the coins."""
        return [
            View("What both students believe about the coin", self.picture, board=False),
            View("Estimates, flip by flip", self.by_flips, ahead="by step", board=False),
            View("Coins of student A: pale ones are the prior", self.coins, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the priors, the likelihood and the posteriors, and the estimates of student A."""
        step = self.steps[now]
        likelihood = _height(step.log_likelihood(_THETA))
        flips = _curve(likelihood, {"width": 2, "dash": "dot"}, "likelihood")
        traces = [flips | {"showlegend": True}]
        for name, ink, prior, steps in zip(STUDENTS, _INKS, self.priors, self.both, strict=True):
            posterior = _height(steps[now].log_density(_THETA))
            both = [
                _curve(prior, {"width": 2, "dash": "dash", "color": ink}, "prior"),
                _curve(posterior, {"width": 4, "color": ink}, "posterior"),
            ]
            shown = {"showlegend": name == STUDENTS[0]}  # the other's differ in colour alone
            traces += [curve | shown for curve in both]
        share = step.most_likely
        marks = [  # the two highest places are on top of their curves
            (np.nan if share is None else share, 1.0, 100, GREY, "h / n", True),
            (step.mode, 1.0, 102, _INKS[0], "mode of A", True),
            (step.mean, 0.0, 101, _INKS[0], "mean of A", False),
        ]
        for x, y, symbol, ink, name, listed in marks:
            marker = {"symbol": symbol, "size": 15, "color": ink, "line": {"width": 3}}
            traces.append(
                plane.line(np.array([[x, y]]), mode="markers", marker=marker, name=name,
                           showlegend=listed, cliponaxis=False)
            )  # fmt: skip
        tops = [[steps[now].mode, up] for steps, up in zip(self.both, _NAMES, strict=True)]
        font = {"size": 18, "weight": 700, "color": list(_INKS), "shadow": "auto"}
        traces.append(texts(np.array(tops), STUDENTS, textfont=font))
        path = np.array([[self.truth, 0.0], [self.truth, 1.14]])
        traces.append(plane.line(path, line={"width": 2, "color": GREY}, name="the true coin"))
        words = np.array([[min(max(self.truth, 0.08), 0.92), 1.18], [step.mean, -0.07]])
        written = [f"truth {number(self.truth)}", "mean of A"]
        font = {"size": 15, "color": [GREY, _INKS[0]], "shadow": "auto"}
        traces.append(texts(words, written, textfont=font))
        box = (-0.02, 1.02, -0.11, 1.22)
        figure = plane.figure(traces, box, ("θ, the share of heads", "height, scaled to 1"))
        figure["layout"]["margin"] |= {"t": 38}
        figure["layout"]["yaxis"] |= {"tickvals": [0, 0.5, 1]}
        return curves.with_legend(figure, x=0, xanchor="left")

    def coins(self, now: int) -> Figure:
        """Draw the prior's pseudo-counts and the flips of student A as coins."""
        first, step = self.steps[0], self.steps[now]
        prior = (round(first.a), round(first.b))
        rows = -(-max(prior[0] + self.steps[-1].heads, prior[1] + self.steps[-1].tails) // _COLUMNS)
        traces = []
        for i, (side, thought, seen, ink) in enumerate(
            (
                ("heads", prior[0], step.heads, _SIDES[0]),
                ("tails", prior[1], step.tails, _SIDES[1]),
            )
        ):
            places = _stack(thought + seen, -i * (rows + 1.0))
            dot = {"size": max(4, min(11, _TALL // (2 * rows + 1))), "color": ink, "symbol": i}
            for part, opacity, name in (
                (places[:thought], 0.35, f"{side} in the prior"),
                (places[thought:], 1.0, side),
            ):
                shown = part if len(part) else plane.GAP
                traces.append(
                    plane.line(shown, mode="markers", marker=dot | {"opacity": opacity}, name=name)
                )
        layout = curves.panel_layout(
            xaxis={"range": [-1, _COLUMNS], "visible": False},
            yaxis={
                "range": [-2 * rows - 1, 1], "tickvals": [0, -(rows + 1.0)],
                "ticktext": [f"heads: {number(step.a)}", f"tails: {number(step.b)}"],
                "showgrid": False,
            },
        )  # fmt: skip
        layout["margin"]["l"] = 90
        return {"data": traces, "layout": layout}

    def by_flips(self, now: int) -> Figure:
        """Draw both means and the share of heads against the number of flips."""
        most = len(self.steps) - 1
        mark = curves.marked(now, self.steps[now].mean, name="now", showlegend=False)
        layout = curves.panel_layout(
            xaxis={"title": {"text": "flips", "standoff": 4}, "range": [-0.03 * most, 1.03 * most]},
            yaxis={"title": {"text": "estimate of θ"}, "range": [-0.03, 1.03], "nticks": 6},
        )
        layout["margin"]["b"] = 44
        return curves.with_legend({"data": [*self.means, mark], "layout": layout})

    def caption(self, now: int) -> str:
        """Write the flip and both means, then the three estimates of A with their numbers."""
        step, other = self.steps[now], self.both[1][now]
        means = f"A expects {number(step.mean)}, B {number(other.mean)}"
        first = self.steps[0]
        a, b, h, n = number(first.a), number(first.b), step.heads, step.flips
        if n == 0:
            return (
                f"Before the first flip {means}.\n"
                f"Mean of A: a / (a + b) = {a} / ({a} + {b}) = {number(step.mean)}."
            )
        side = "heads" if step.heads > self.steps[now - 1].heads else "tails"
        said = f"Flip {now} is {side}: {means}."
        if now == len(self.steps) - 1:
            said = f"After {now} flips {means}. The truth is {number(self.truth)}."
        return (
            f"{said}\n"
            f"A: h / n = {h}/{n} = {number(h / n)}; mode {_mode(step)}; "
            f"mean (a + h) / (a + b + n) = ({a} + {h}) / ({a} + {b} + {n}) = {number(step.mean)}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the mean of student A after the next flip."""
        step, after = self.steps[now], self.steps[now + 1]
        side = "heads" if after.heads > step.heads else "tails"
        right, share = after.mean, after.heads / after.flips
        others = [
            Option(number(each))
            for each in (share, step.mean, 2 * step.mean - right, after.mode, (right + share) / 2)
            if abs(each - right) > _APART and 0 <= each <= 1
        ]
        text = (
            f"A counts {number(step.a)} heads and {number(step.b)} tails, with the prior. The next "
            f"flip is {side}. Which mean does A have then?"
        )
        total = f"{number(after.a)} / ({number(after.a)} + {number(after.b)})"
        reason = f"A adds one to the {side}: {total} = {number(right)}."
        return question(text, Option(number(right)), others, reason)


def _mode(step: BetaStep) -> str:
    """Write the mode with its numbers; a flat density has none."""
    if step.a == step.b == 1:
        return "none"
    top, below = number(step.a - 1), number(step.a + step.b - 2)
    return f"{top}/{below} = {number(step.mode)}"


def _height(logarithms: ndarray) -> ndarray:
    """Return a density with its highest place at 1."""
    return np.exp(logarithms - logarithms.max())


def _curve(heights: ndarray, look: dict, name: str) -> dict:
    return plane.line(np.column_stack([_THETA, heights]), line=look, name=name)


def _stack(count: int, top: float) -> ndarray:
    """Return places for coins, row by row."""
    down, across = np.divmod(np.arange(count), _COLUMNS)
    return np.column_stack([across, top - down]).astype(float)
