"""Beta, flip by flip: prior, likelihood and posterior on one axis, for two students."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.beta_bernoulli import BetaStep
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Layer, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import alike, listed, number

STUDENTS = ("A", "B")
_THETA = (np.arange(400) + 0.5) / 400
_INKS = PALETTE[:2]  # of the students
_APART = 0.003  # between two answers
_COLUMNS = 36  # of coins
_HIGH = 0.85  # a truth above has its name below
_TALL = 160  # pixels that all rows of coins have
_NAMES, _CLOSE = 1.05, 0.08  # height of the students' names; closer ones are side by side
_FILL = f"rgba{(*rgb(GREY), 0.35)}"  # of the likelihood
_MARKS = ("share of heads", "mode of A", "mean of A")


class Estimating(Show[BetaStep]):
    """The beliefs of two students with different priors about the same coin."""

    unit = "flip"
    opens = 10

    note = (
        "All curves are drawn with their highest place at 1, so only their shapes compare. As "
        "densities, each with the area 1, the narrow ones would be higher."
    )

    def __init__(self, run: Run, other: Run, truth: float) -> None:
        """Keep both students' runs. truth : the probability of heads."""
        super().__init__(run)
        self.both = (run.steps, other.steps)
        self.truth = truth
        self.priors = [_height(steps[0].log_density(_THETA)) for steps in self.both]
        x = np.arange(len(self.steps))
        share = [np.nan if s.most_likely is None else s.most_likely for s in self.steps]
        lines = [
            (f"mean of {name}", [s.mean for s in steps], {"width": 2.5, "color": ink})
            for name, steps, ink in zip(STUDENTS, self.both, _INKS, strict=True)
        ]
        self.means = [
            plane.line(np.column_stack([x, values]), line=look, name=name, showlegend=True)
            for name, values, look in [
                *lines,
                ("share of heads", share, {"width": 2, "dash": "dot"}),
            ]
        ]

    def views(self) -> list[View]:
        """Return the beliefs, the coins, and the estimates flip by flip."""
        return [
            View(
                "What both students believe about the coin",
                self.picture,
                board=False,
                layers=[Layer("three estimates of A", _MARKS)],
            ),
            View("Coins they count: faint ones are the prior", self.coins, board=False),
            View("Both students and the true coin", self.by_flips, ahead="by step", board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the priors, the likelihood and the posteriors, and the estimates of student A."""
        step = self.steps[now]
        flips = _curve(_height(step.log_likelihood(_THETA)), {"width": 0}, "the flips alone")
        traces = [flips | {"fill": "tozeroy", "fillcolor": _FILL, "showlegend": True}]
        for ink, prior, steps in zip(_INKS, self.priors, self.both, strict=True):
            posterior = _height(steps[now].log_density(_THETA))
            traces += [
                _curve(prior, {"width": 1.5, "dash": "dash", "color": ink}, "prior"),
                _curve(posterior, {"width": 4.5, "color": ink}, "posterior"),
            ]
        for name, look in (
            ("prior of A, B", {"width": 1.5, "dash": "dash"}),
            ("posterior of A, B", {"width": 4}),
        ):
            traces.append(
                plane.line(plane.GAP, line=look | {"color": GREY}, name=name, showlegend=True)
            )
        share = np.nan if step.most_likely is None else step.most_likely
        places, symbols = (share, step.mode, step.mean), (100, 102, 101)
        for name, x, symbol in zip(_MARKS, places, symbols, strict=True):
            ink = GREY if name == _MARKS[0] else _INKS[0]
            marker = {"symbol": symbol, "size": 13, "color": ink, "line": {"width": 2.5}}
            traces.append(
                plane.line(np.array([[x, 0.0]]), mode="markers", marker=marker, name=name,
                           cliponaxis=False)
            )  # fmt: skip
        tops = np.array([[steps[now].mode, _NAMES] for steps in self.both])
        if np.ptp(tops[:, 0]) < _CLOSE:
            left = -1 if tops[0, 0] <= tops[1, 0] else 1
            tops[:, 0] = tops[:, 0].mean() + _CLOSE / 2 * np.array([left, -left])
        font = {"size": 20, "weight": 700, "color": list(_INKS), "shadow": "auto"}
        traces.append(texts(tops, STUDENTS, textfont=font))
        path = np.array([[self.truth, -0.05], [self.truth, 1.0]])
        traces.append(plane.line(path, line={"width": 1.5}, name="the true coin"))
        below = np.array([[min(max(self.truth, 0.14), 0.86), -0.08]])
        font = {"size": 15}
        traces.append(texts(below, [f"true coin: {number(self.truth)}"], textfont=font))
        box = (-0.02, 1.02, -0.14, 1.12)
        figure = plane.figure(
            traces, box, ("θ, the share of heads", "each curve scaled to height 1")
        )
        figure["layout"]["margin"] |= {"t": 38}
        figure["layout"]["yaxis"] |= {"tickvals": [0, 0.5, 1]}
        return curves.with_legend(figure, x=0, xanchor="left")

    def coins(self, now: int) -> Figure:
        """Draw the priors' pseudo-counts and the flips as coins, for both students."""
        rows = -(-max(max(steps[-1].a, steps[-1].b) for steps in self.both) // _COLUMNS)
        size = max(3, min(8, int(_TALL // (4 * rows + 3))))
        traces, tops, written = [], [], []
        for name, ink, steps in zip(STUDENTS, _INKS, self.both, strict=True):
            first, step = steps[0], steps[now]
            for side, thought, count in (
                ("heads", round(first.a), round(step.a)),
                ("tails", round(first.b), round(step.b)),
            ):
                tops.append(-len(tops) * (rows + 0.7) - 0.7 * (len(tops) // 2))
                written.append(f"{name}, {side}: {count}")
                places = _stack(count, tops[-1])
                dot = {"size": size, "color": ink, "symbol": int(side == "tails")}
                for part, opacity, what in (
                    (places[:thought], 0.35, f"{side} in the prior"),
                    (places[thought:], 1.0, side),
                ):
                    shown = part if len(part) else plane.GAP
                    look = dot | {"opacity": opacity}
                    traces.append(
                        plane.line(shown, mode="markers", marker=look, name=f"{name}, {what}")
                    )
        layout = curves.panel_layout(
            xaxis={"range": [-1, _COLUMNS], "visible": False},
            yaxis={
                "range": [tops[-1] - rows, 1], "tickvals": tops[::-1], "ticktext": written[::-1],
                "showgrid": False,
            },
        )  # fmt: skip
        layout["margin"]["l"] = 96
        return {"data": traces, "layout": layout}

    def by_flips(self, now: int) -> Figure:
        """Draw both means, the share of heads and the truth against the number of flips."""
        most = len(self.steps) - 1
        level = np.array([[0, self.truth], [most, self.truth]])
        side = "top left" if self.truth < _HIGH else "bottom left"
        true = plane.line(
            level, mode="lines+text", line={"width": 1.5}, name="the true coin",
            text=["", "true coin"], textposition=side, textfont={"shadow": "auto"},
        )  # fmt: skip
        marked = [
            curves.marked(
                now, steps[now].mean, name=f"mean of {name} now", showlegend=False,
                marker=curves.DOT | {"color": ink},
            )
            for name, steps, ink in zip(STUDENTS, self.both, _INKS, strict=True)
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "flips", "standoff": 4}, "range": [-0.03 * most, 1.03 * most]},
            yaxis={"title": {"text": "share of heads"}, "range": [-0.03, 1.03], "nticks": 6},
        )
        return curves.with_legend({"data": [true, *self.means, *marked], "layout": layout})

    def caption(self, now: int) -> str:
        """Write both means, the flip and why they differ, and the coins that each counts."""
        step, other = self.steps[now], self.both[1][now]
        first, second = self.steps[0], self.both[1][0]
        said_by_a, said_by_b = alike(step.mean, other.mean)
        h, n = step.heads, step.flips
        by_a, by_b = first.a + first.b, second.a + second.b
        why = f"A counts {number(by_a)} coins in advance and B {number(by_b)}"
        if n:
            why += f", so the flips are {n}/{number(by_a + n)} of A's coins and "
            why += f"{n}/{number(by_b + n)} of B's"
        sums = listed(
            [
                f"{name} {number(steps.a)}/{number(steps.a + steps.b)} = {said}"
                for name, steps, said in zip(
                    STUDENTS, (step, other), (said_by_a, said_by_b), strict=True
                )
            ]
        )
        if n == 0:
            said = f"Before the first flip, A says {said_by_a} for heads and B {said_by_b}"
            return f"{said}.\n{why}.\nPrior means, heads of all coins so far: {sums}."
        side = "heads" if h > self.steps[now - 1].heads else "tails"
        said = f"Flip {now} is {side}, {h} of {n} are heads so far: A says {said_by_a}, B "
        apart = first.mean != h / n != second.mean  # else one is at both
        said += f"{said_by_b}{', each between prior and flips' if apart else ''}."
        alone = f"The flips alone say {h}/{n} = {number(h / n)}"
        if now == len(self.steps) - 1:
            alone = f"{alone}; {_mode(step)}"
        heads = f"Posterior means, heads of all coins with the prior: {sums}. {alone}."
        return f"{said}\n{why}.\n{heads}"

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
    """Write where the belief is highest; a flat one is so nowhere."""
    flat = step.a == step.b == 1
    return "A's curve is flat" if flat else f"A's curve is highest at {number(step.mode)}"


def _height(logarithms: ndarray) -> ndarray:
    """Return a density with its highest place at 1."""
    return np.exp(logarithms - logarithms.max())


def _curve(heights: ndarray, look: dict, name: str) -> dict:
    return plane.line(np.column_stack([_THETA, heights]), line=look, name=name)


def _stack(count: int, top: float) -> ndarray:
    """Return places for coins, row by row."""
    down, across = np.divmod(np.arange(count), _COLUMNS)
    return np.column_stack([across, top - down]).astype(float)
