"""AdaBoost, round by round: the vote on the plane, its errors, and its margins."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.ensembles.ada_boost.ada_boost import AdaBoostStep
from algorithms.ensembles.ada_boost.summary import BoostingSummary
from viz.core import curves, naming, panels, plane
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color, rgb
from viz.core.words import capital, counted, decimal, number
from viz.ensembles.ada_boost import marks
from viz.ensembles.ada_boost.trees import borders, learner, members

_FEW = 12  # rounds, whose places along a curve are marked
_SHARES = np.linspace(0, 1, 101)
_STRETCH = -2.0, 3.0  # of y F, where losses are drawn
_DOT = 0.02  # of y F: points that are nearer to each other are one dot
_CLEAR = 0.01  # alphas whose relative difference is no larger are not asked about
_COMING = 0.25  # opacity of the votes that are not in the sum yet
_TINT = 0.12  # opacity of the two sides of 0
_ROOM = 0.1  # of the votes' range: above and below them
_NAMES = 84  # pixels, for words at the right of a chart
_LETTERS = 5  # of a class's name beside the votes
_HELD_OUT = "Held-out points have no weight: they only test the vote."


class Boosting(Show[AdaBoostStep]):
    """The rounds: weights, trees, votes and errors."""

    unit = "round"
    counts_from = 1
    opens = 6  # on the data that the page opens with, the vote is far better than its stumps

    def __init__(
        self, run: Run, data: Plane, held: ndarray, summary: BoostingSummary, query: ndarray
    ) -> None:
        """Prepare the votes on the picked point.

        held : (n,) which points are held out; the steps' points are the others, in order. query :
        the picked point.
        """
        super().__init__(run, data)
        self.held, self.summary, self.query = held, summary, query
        self.votes = self.steps[-1].votes(query[None])[:, 0]  # of every tree on the picked point
        last = len(self.steps)
        ticks = {"dtick": 1} if last < 8 else {}
        stumps = all(len(step.tree.tests) <= 1 for step in self.steps)
        self.kind = "stump" if stumps else "tree"
        self.rounds = panels.axis("round", 1, last) | {"range": [0.5, last + 0.5]} | ticks
        self.note = _HELD_OUT if held.any() else ""
        self.corner = marks.key_corner(self.steps, data)
        self.details = [("The last step's vote, tree by tree", members(self.steps[-1], data))]

    def views(self) -> list[View]:
        """Return the picture, the errors, the picked point, and the margins."""
        layers = marks.layers(self.kind)
        return [
            View("The vote, this round's tree, the weights so far", self.picture, layers=layers),
            View("How many the vote gets wrong", self.errors, height=0.8, ahead="by step"),
            View(
                "Votes at the picked point: bars; their sum: line",
                self.picked,
                height=0.8,
                ahead="by step",
            ),
            View("How good each tree is; how sure the vote is", self.merits, ahead="by step"),
            View("A bound on the training error", self.bound, ahead="by step"),
            View("Exponential loss of every point, its next weight", self.losses),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the vote's regions and border, the border of this round's tree, and the points.

        The area of a point is its weight. In full colour: this round's tree gets it wrong. With a
        thick rim: the vote gets it wrong. A layer shows where this round turns the vote.
        Words beside the tree's border name the classes it predicts.
        """
        data, step = self.data, self.steps[now]
        x, y, _ = plane.grid(data.bounds, marks.CELLS)
        votes, before = (self.steps[t].surface(x, y) for t in (now, max(now - 1, 0)))
        lines = borders(step.tree, data.bounds)
        traces = marks.vote(data, step.classes, votes, before, lines, "this round's", self.kind)
        traces.append(marks.key(data.bounds, self.corner, self.kind))
        missed = step.predict(data.X) != data.labels
        points = marks.weighted(data, self.held, step.weights, step.wrong, missed)
        return plane.figure(traces, data.bounds, data.names, points=points, signs=marks.SIGNS)

    def errors(self, now: int) -> Figure:
        """Draw the vote's errors round by round."""
        return self._two_curves(now, "held out", self.summary.held_out_error)

    def bound(self, now: int) -> Figure:
        """Draw the training error round by round, and its bound, the mean exponential loss."""
        return self._two_curves(now, "bound", self.summary.bound)

    def _two_curves(self, now: int, name: str, shares: ndarray | None) -> Figure:
        """Draw the training error, and dashed another share if there is one."""
        solid, dashed = {"width": 2.5, "color": GREY}, {"width": 2, "dash": "dash"}
        series = [("training", self.summary.training_error, solid, curves.DOT)]
        if shares is not None:
            series.append((name, shares, dashed, curves.HOLLOW))
        traces, worst, ends = [], 10.0, {}
        for label, values, stroke, head in series:
            here = float(100 * values[now])
            traces += [
                _by_round(values, label, **stroke),
                curves.marked(now + 1, here, marker=head, showlegend=False),
            ]
            worst = max(worst, float(100 * values.max()))
            ends[f"\u2002{label}"] = float(100 * values[-1])
        panel = Panel(traces, self.rounds, panels.axis("% wrong", 0, worst))
        return naming.named_at_ends(panels.alone(panel), len(self.steps), ends, margin=_NAMES)

    def picked(self, now: int) -> Figure:
        """Draw what every tree adds to the vote on the picked point, and their sum so far, F.

        Above 0 is the side of the second class, below 0 that of the first. Later votes are faint.
        """
        votes, sums = self.votes, self.votes.cumsum()
        classes = [int(k) for k in self.steps[0].classes]
        rounds = np.arange(1, len(votes) + 1)
        bars = {
            "type": "bar",
            "x": plane.packed(rounds),
            "y": plane.packed(votes),
            "name": "vote of one tree, α h",
            "showlegend": False,
            "marker": {
                "color": [color(classes[int(vote > 0)]) for vote in votes],
                "opacity": np.where(rounds > now + 1, _COMING, 1.0).tolist(),
            },
            "hovertemplate": "round %{x}: α h = %{y:.3g}<extra></extra>",
        }
        total = panels.curve(
            plane.packed(rounds), plane.packed(np.where(rounds > now + 1, np.nan, sums)),
            name="sum of the votes, F", line={"width": 3, "shape": "hv"},
            hoverinfo="all", hovertemplate="F = %{y:.3g} after round %{x}<extra></extra>",
        )  # fmt: skip
        traces = [
            bars,
            panels.curve([0.5, len(votes) + 0.5], [0, 0], line={"width": 1}),
            total,
            curves.marked(now + 1, float(sums[now])),
        ]
        both = np.concatenate([votes, sums, [0.0]])
        room = _ROOM * (float(np.ptp(both)) or 1.0)
        level = panels.axis("F", float(both.min()) - room, float(both.max()) + room)
        panel = Panel(traces, self.rounds, level, [self._side(k) for k in range(2)])
        figure = panels.alone(panel)
        figure["layout"]["margin"] |= {"r": _NAMES}
        ends = level["range"]
        figure["layout"]["shapes"] = [_tint(ends[k], classes[k]) for k in range(2)]
        return figure

    def _side(self, k: int) -> dict:
        """Write beside a side of 0 which class wins there."""
        name = panels.label(self.data.classes[int(self.steps[0].classes[k])], _LETTERS)
        return {
            "x": 1.01, "xanchor": "left", "y": k, "yanchor": ("bottom", "top")[k],
            "text": f"“{name}” wins", "showarrow": False,
        }  # fmt: skip

    def merits(self, now: int) -> Figure:
        """Draw the weighted error of every round's tree, and the distribution of the margins.

        The curve of the margins has a place for every hundredth of the training points.
        """
        errors, chance = self.summary.error, {"width": 1.5, "dash": "dot"}
        trees = Panel(
            [
                panels.curve([0.5, len(errors) + 0.5], [50, 50], line=chance),
                _by_round(errors, "ε", width=2),
                curves.marked(now + 1, float(100 * errors[now])),
            ],
            self.rounds,
            panels.axis("ε, %", 0, 50),
            [
                {"text": "chance", "x": 1, "xanchor": "right", "y": 1, "yanchor": "top"}
                | {"showarrow": False}
            ],
        )
        margins = np.quantile(self.steps[now].margins, _SHARES)
        sure = Panel(
            [
                panels.curve([0, 0], [0, 100], line=chance),
                panels.curve(
                    plane.packed(margins), plane.packed(100 * _SHARES), line={"width": 2},
                    hoverinfo="all", hovertemplate="%{y} % below %{x:.3g}<extra></extra>",
                ),
            ],
            panels.axis("margin", -1, 1, dtick=0.5),
            panels.axis("% below", 0, 100),
        )  # fmt: skip
        return panels.side_by_side(trees, sure, split=0.4, room=0.2)

    def losses(self, now: int) -> Figure:
        """Draw the exponential loss over y F, and every training point on it.

        Divided by their sum, the losses are the weights of the next round. A point beyond the
        picture is drawn at its edge.
        """
        step = self.steps[now]
        low, high = _STRETCH
        m = np.linspace(low, high, 121)
        counted = np.array([[low, 1.0], [0, 1], [0, 0], [high, 0]])
        # Points that the eye cannot distinguish are one dot: every frame holds all of them.
        places = np.unique(np.round((step.signs * step.scores).clip(low, high) / _DOT)) * _DOT
        dots = {"size": 7, "opacity": 0.6}
        traces = [
            plane.line(counted, name="1 if wrong", line={"width": 2, "dash": "dot", "color": GREY}),
            plane.line(np.column_stack([m, np.exp(-m)]), name="e^(−y F)", line={"width": 2.5}),
            plane.line(np.column_stack([places, np.exp(-places)]), mode="markers", marker=dots),
        ]
        named = [trace | {"showlegend": "name" in trace} for trace in traces]
        across = panels.axis("y F", low, high)
        panel = Panel(named, across, panels.axis("loss", 0, float(np.exp(-low))))
        return curves.with_legend(panels.alone(panel))

    def caption(self, now: int) -> str:
        """Write what the round did, the rule with its numbers, and the picked point."""
        plainly = f"Round {now + 1}: {self._plainly(now)}"
        return f"{plainly}\n{self._rule(now)}\n{self._turned(now)}{self._sum(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point the next tree gets wrong, and whether its vote counts more."""
        before, after = self.steps[now], self.steps[now + 1]
        if rng.random() < 0.5:
            return _vote(before, after) or self._wrong(rng, after)
        return self._wrong(rng, after) or _vote(before, after)

    def found(self, now: int) -> Regions:
        """Return the class that wins the vote in every cell."""
        step = self.steps[now]
        votes = step.surface(*plane.grid(self.data.bounds, marks.CELLS)[:2])
        return Regions(step.classes[(votes > 0).astype(int)])

    def _plainly(self, now: int) -> str:
        """Write in one sentence what the tree and the vote get wrong, or how the run ends."""
        step = self.steps[now]
        n, missed = len(step.weights), int(step.wrong.sum())
        tree, points = learner(step, self.data), counted(n, "point")
        if step.event == "perfect learner":
            return f"{tree} gets none of {points} wrong: it alone decides, and the run ends."
        if step.event == "no better than chance":
            return (
                f"{tree} gets {missed} of {points} wrong, half of the weight, which is no better "
                "than chance: it has no vote, and the run ends."
            )
        if now == 0:
            return (
                f"all {points} weigh the same; the first {self.kind} misses {missed} of them"
                f"{self._tested(now)}."
            )
        together = "both" if now == 1 else f"all {now + 1}"
        wrong = round(step.training_error * n) or "none"
        vote = f"the vote of {together} gets {wrong} of {n} wrong"
        first = ", for the first time" if step.event == "training error 0" else ""
        if now == len(self.steps) - 1:
            return f"{vote}{first}{self._tested(now)}."
        gain = "gains" if missed == 1 else "gain"
        before = round(self.steps[now - 1].training_error * n) or "none"
        since = first or (", as before" if before == wrong else f", {before} before")
        return (
            f"the {counted(missed, 'point')} that this {self.kind} misses {gain} weight; "
            f"{vote}{since}{self._tested(now)}."
        )

    def _tested(self, now: int) -> str:
        """Write in parentheses how many held-out points are wrong, at the end also the least."""
        wrong = self.summary.held_out_wrong
        if wrong is None:
            return ""
        least = int(wrong.argmin())
        said = f"held out: {wrong[now] or 'none'} of {int(self.held.sum())}"
        if wrong[least] < wrong[now] and now == len(self.steps) - 1:
            said += f"; it was {wrong[least] or 'none'} after round {least + 1}"
        return f" ({said})"

    def _rule(self, now: int) -> str:
        """Write this round's tree, alpha and the factors of the new weights."""
        step = self.steps[now]
        error, tree = step.error, learner(step, self.data)
        if step.event == "perfect learner":
            return (
                "ε = 0: α = ½ ln((1 − ε)/ε) would be infinite. It is set to 1 more than all "
                f"earlier α together, {decimal(step.alpha)}. No weight has to rise."
            )
        if step.event == "no better than chance":
            return (
                "ε = ½: α = ½ ln((1 − ε)/ε) = ½ ln 1 = 0, and the weights would stay as they are."
            )
        wrong, right = (decimal(1 / (2 * share)) for share in (error, 1 - error))
        above, below = marks.shares(error)
        return (
            f"{capital(tree)} misses ε = {below} of the weight: "
            f"α = ½ ln((1 − ε)/ε) = ½ ln({above}/{below}) = {decimal(step.alpha)}. "
            f"Weights next: missed × {wrong}, rest × {right}."
        )

    def _turned(self, now: int) -> str:
        """Write for how many points this round's tree turns the vote."""
        if now == 0:
            return ""
        before, after = (step.scores > 0 for step in self.steps[now - 1 : now + 1])
        turned = int(np.count_nonzero(before != after))
        return f"This {self.kind} turns the vote on {turned or 'none'} of the {len(after)} points. "

    def _sum(self, now: int) -> str:
        """Write the sum of the votes on the picked point."""
        step, votes = self.steps[now], self.votes[: now + 1]
        first, second = (self.data.classes[int(k)] for k in step.classes)
        against, by = votes < 0, votes > 0
        F = float(votes.cumsum()[-1])
        side, winner = (">", second) if F > 0 else ("≤", first)
        plus, minus = (decimal(float(abs(votes[part].sum()))) for part in (by, against))
        votes_for = counted(int(by.sum()), "vote")
        return (
            f"The picked point: F = {plus} ({votes_for} for “{second}”) − {minus} "
            f"({against.sum()} for “{first}”) = {decimal(F)} {side} 0: the vote says “{winner}”."
        )

    def _wrong(self, rng: Generator, after: AdaBoostStep) -> Question | None:
        """Ask which of some points the next tree gets wrong."""
        learned = ~self.held
        weights, wrong = learned.astype(float), learned.copy()
        weights[learned], wrong[learned] = after.weights, after.wrong

        def reason(i: int) -> str:
            return (
                f"The next round's tree gets it wrong. It weighs {number(weights[i])}; together, "
                f"the points that this tree gets wrong weigh {number(after.error)} of 1."
            )

        text = "Which of these points does the next tree get wrong?"
        return which_point(rng, self.data, text, wrong, learned & ~wrong, reason)


def _vote(before: AdaBoostStep, after: AdaBoostStep) -> Question | None:
    """Ask whether the next alpha is larger or smaller than this round's."""
    if after.error == 0 or abs(after.alpha - before.alpha) <= _CLEAR * before.alpha:
        return None
    ways = [Option("it counts more"), Option("it counts less")]
    right, wrong = ways if after.alpha > before.alpha else ways[::-1]
    reason = (
        f"The next tree's weighted error is {number(after.error)}, this tree's is "
        f"{number(before.error)}: α = {number(after.alpha)} after {number(before.alpha)}."
    )
    text = "Does the vote of the next tree count more or less than this tree's?"
    return question(text, right, [wrong], reason)


def _by_round(shares: ndarray, name: str, **stroke: object) -> dict:
    """Draw shares against the rounds, in percent."""
    return panels.curve(
        plane.packed(np.arange(1, len(shares) + 1)),
        plane.packed(100 * shares),
        mode="lines+markers" if len(shares) <= _FEW else "lines",
        marker={"size": 4},
        name=name,
        line=stroke,
        showlegend=True,
        hoverinfo="all",
        hovertemplate=f"round %{{x}}: {name} %{{y:.3g}} %<extra></extra>",
    )


def _tint(end: float, k: int) -> dict:
    """Shade the side of 0 up to `end`, on which the sum elects class k."""
    fill = f"rgba{(*rgb(color(k)), _TINT)}"
    ends = {"xref": "x domain", "x0": 0, "x1": 1, "y0": 0, "y1": end}
    return {"type": "rect", "layer": "below", "fillcolor": fill, "line": {"width": 0}} | ends


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
