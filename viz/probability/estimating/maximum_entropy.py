"""Maximum entropy: the flattest die with a given mean, by Newton's rule."""

import numpy as np
from numpy.random import Generator

from algorithms.probability.maximum_entropy import FACES, EntropyStep, entropy, moved
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import DASHES, GREY, PALETTE
from viz.core.words import added, number

_WIDE = 3.0  # the largest multiplier that is drawn
_NEWTON = (-_WIDE - 0.3, _WIDE + 0.3, 0.8, 6.2)  # the numbers at the corner keep clear
_SHADOW = {"size": 15, "shadow": "auto"}
_MULTIPLIERS = np.linspace(-_WIDE, _WIDE, 121)


class MaximumEntropy(Show[EntropyStep]):
    """The distribution, Newton's rule for its mean, and the entropy of its neighbours."""

    opens = AT_THE_END

    def __init__(self, run: Run, mean: float) -> None:
        """Compute the mean for every multiplier."""
        super().__init__(run)
        self.wanted = mean
        means = [EntropyStep(float(each)).mean for each in _MULTIPLIERS]
        self.curve = np.column_stack([_MULTIPLIERS, means])
        self.top = 1.1 * max(float(step.p.max()) for step in self.steps)

    def views(self) -> list[View]:
        """Return the bars, the entropies nearby, and the mean against lambda."""
        return [
            View("Probability of every side", self.picture, board=False),
            View("Any change that keeps the mean lowers the entropy", self.nearby, board=False),
            View("The mean for every λ, and Newton's step", self.newton, ahead=True, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the probabilities, the mean so far and the mean wanted."""
        step = self.steps[now]
        bars = {
            "type": "bar", "name": "p", "x": FACES.tolist(), "y": step.p.tolist(), "width": 0.8,
            "showlegend": False,
            "marker": {"color": PALETTE[0]}, "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
        }  # fmt: skip
        mark = {"symbol": 5, "size": 18, "color": PALETTE[1]}
        upright = np.array([[self.wanted, 0.0], [self.wanted, self.top]])
        side = "left" if self.wanted > FACES.mean() else "right"  # where bars are low
        named = texts(
            np.array([[self.wanted, 0.95 * self.top]]), [f" mean wanted: {number(self.wanted)} "],
            textposition=f"middle {side}", textfont=_SHADOW,
        )  # fmt: skip
        fair = np.array([[0.3, 1 / 6], [6.7, 1 / 6]])
        level = {"width": 1.5, "dash": "dash", "color": GREY}
        far = np.array([[0.35 if self.wanted > FACES.mean() else 6.65, 1 / 6]])
        toward = "right" if self.wanted > FACES.mean() else "left"
        traces = [
            bars,
            plane.line(fair, line=level, name="the fair die"),
            texts(far, ["fair die: 1/6"], textposition=f"top {toward}", textfont=_SHADOW),
            plane.line(upright, line={"width": 2, "dash": "dot"}, name="the mean wanted"),
            named,
            plane.line(
                np.array([[step.mean, 0.0]]), mode="markers", marker=mark, name="mean of this die",
                cliponaxis=False, showlegend=True,
            ),
        ]  # fmt: skip
        figure = plane.figure(traces, (0.3, 6.7, 0.0, self.top), ("side k", "p"))
        return curves.with_legend(figure)

    def newton(self, now: int) -> Figure:
        """Draw the mean against lambda, the mean wanted, and the tangent to it."""
        step = self.steps[now]
        next_one = step.multiplier + (self.wanted - step.mean) / step.variance
        tangent = np.array([[step.multiplier, step.mean], [next_one, self.wanted]])
        level = np.array([[-_WIDE, self.wanted], [_WIDE, self.wanted]])
        look = {"symbol": 0, "size": 12, "color": PALETTE[1]}
        traces = [
            plane.line(self.curve, line={"width": 3, "color": PALETTE[0]}, name="mean"),
            plane.line(level, line={"width": 2, "dash": "dot"}, name="the mean wanted"),
            plane.line(tangent, line={"width": 3, "color": PALETTE[1]}, name="tangent"),
            plane.line(tangent[:1], mode="markers", marker=look, name="now"),
        ]
        return plane.figure(traces, _NEWTON, ("λ", "mean"))

    def nearby(self, now: int) -> Figure:
        """Draw the entropy along four ways to change p that keep its mean."""
        p, here = self.steps[now].p, self.steps[now].entropy
        traces = []
        for face in range(len(p) - 2):
            t, others = moved(p, face)
            k = int(FACES[face])
            traces.append(
                plane.line(
                    np.column_stack([t, entropy(others)]), showlegend=True,
                    line={"width": 2, "dash": DASHES[face], "color": PALETTE[face]},
                    name=f"sides {k}–{k + 2}",
                )
            )  # fmt: skip
        traces.append(curves.marked(0, here, name="this p", showlegend=False))
        layout = curves.panel_layout(
            xaxis={
                "title": {
                    "text": "moved from the middle side to each of the outer two", "standoff": 4,
                },
                "range": [-0.22, 0.22],
            },
            yaxis={
                "title": {"text": "entropy, bits"},
                "range": [here - 0.35, here + 0.05], "nticks": 5,
            },
            shapes=[{
                "type": "line", "x0": -0.22, "x1": 0.22, "y0": here, "y1": here,
                "line": {"width": 1, "dash": "dot", "color": GREY},
            }],
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write the entropy, why the die is tilted, and Newton's rule with its numbers."""
        step = self.steps[now]
        bits, multiplier = f"{number(step.entropy)} bits", number(step.multiplier)
        ratio = f"exp(λ) = exp({multiplier}) = {number(float(np.exp(step.multiplier)))}"
        form = f"Each side is {ratio} times as likely as the one before"
        if step.event == "converged":
            return (
                f"Of all dice with the mean {number(self.wanted)}, this one has the largest "
                f"entropy, {bits}: it assumes least.\n{form}."
            )
        gap = self.wanted - step.mean
        more = "high" if gap > 0 else "low"
        return (
            f"The mean is {number(step.mean)} and should be {number(self.wanted)}: "
            f"{more} sides need more weight.\n"
            f"{form}. Newton's rule adds (mean wanted − mean) / variance = "
            f"{number(gap)} / {number(step.variance)} to λ."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next lambda."""
        step, right = self.steps[now], self.steps[now + 1].multiplier
        gap, before = self.wanted - step.mean, step.multiplier
        if number(before) == number(right):
            return None
        values = (
            before + gap, before - gap / step.variance, before + gap * step.variance, gap / 2,
        )  # fmt: skip
        least = 0.01 * max(abs(right), 0.01)
        others = [Option(number(v)) for v in values if abs(v - right) > least]
        text = (
            f"λ = {number(before)}, the mean is {number(step.mean)} and should be "
            f"{number(self.wanted)}, and the variance is {number(step.variance)}. "
            "What is the next λ?"
        )
        reason = (
            f"λ + (mean wanted − mean) / variance = {number(before)} {added(gap)} / "
            f"{number(step.variance)} = {number(right)}."
        )
        return question(text, Option(number(right)), others, reason)
