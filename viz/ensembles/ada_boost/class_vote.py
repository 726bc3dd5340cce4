"""The class is the ensemble: everybody's stump, their vote on the plane, and its mistakes."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.ensembles.ada_boost.class_vote import ClassVoteStep
from algorithms.ensembles.ada_boost.vote_summary import Mistakes, VoteSummary
from viz.core import curves, naming, panels, plane
from viz.core.drawing import Drawing
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, decimal, number
from viz.ensembles.ada_boost import marks
from viz.ensembles.ada_boost.drawn_stumps import by_hand

_APART = 0.007  # of the picture: from a stump's cut to the coloured lines beside it
_FEW = 40  # voters, whose places along a curve are marked
_CLEAR = 0.01  # weighted errors that are nearer to each other are not asked about
_OTHERS = 3  # other voters to choose from
_EQUAL_NOTE = "Every voter has one stump, and all votes count the same. Ties go to the first class."
_BOOSTED_NOTE = (
    "The stumps are those of the voters. In every round, AdaBoost takes the stump with the "
    "smallest weighted error; the area of a point is its weight."
)


class ClassVote(Show[ClassVoteStep]):
    """The voters one after the other, with equal votes or as AdaBoost weights them."""

    counts_from = 1
    opens = 9

    def __init__(
        self,
        run: Run,
        data: Plane,
        held: ndarray,
        summary: VoteSummary,
        given: int,
        asked: int,
        boosted: bool,
    ) -> None:
        """Write who votes.

        held : (n,) which points are held out; the steps' points are the others, in order. given :
        the first voters, who are of the class; the others are simulated. asked : simulated voters
        that the page asked for. boosted : the votes are weighted as AdaBoost does it.
        """
        super().__init__(run, data)
        self.held, self.summary, self.boosted = held, summary, boosted
        self.given, self.all = given, len(self.steps[0].stumps)
        self.filled = max(0, self.all - given - asked)  # simulated voters that nobody asked for
        self.unit = "round" if boosted else "voter"
        self.first, self.second = (data.classes[int(k)] for k in self.steps[0].classes)
        last = len(self.steps)
        ticks = {"dtick": 1} if last < 8 else {}
        self.steps_axis = panels.axis("round" if boosted else "voters", 1, last) | ticks
        self.steps_axis["range"] = [0.5, last + 0.5]
        self.corner = marks.key_corner(self.steps, data)
        self.note = f"{self._who()} {_BOOSTED_NOTE if boosted else _EQUAL_NOTE}"

    def _who(self) -> str:
        """Write who votes."""
        simulated = self.all - self.given
        if self.given == 0:
            return f"All {self.all} voters are simulated; in a room, a class places its own stumps."
        of_class = counted(self.given, "stump")
        if not simulated:
            return f"The {of_class} of the class."
        return f"The {of_class} of the class, and {simulated} of simulated voters."

    def views(self) -> list[View]:
        """Return the picture, both kinds of mistakes, and how much every voter counts."""
        views = [
            View("The vote, and this voter's stump", self.picture, layers=marks.layers("stump")),
            View("How many training points the vote gets wrong", self.training, ahead="by step"),
        ]
        if self.summary.held_out is not None:
            views.append(
                View("How many held-out points the vote gets wrong", self.held_out, ahead="by step")
            )
        return [
            *views,
            View(
                "Voters: how good alone, and how much they count"
                if self.boosted
                else "Voters: how many points each gets wrong alone",
                self.voters,
                ahead=True,
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the vote's regions and border, and this step's stump.

        In full colour: this step's stump gets the point wrong. A layer shows where it turns the
        vote. Equal votes: with a thick outline, the vote gets the point wrong. As in
        AdaBoost: the area of a point is its weight.
        """
        data, step = self.data, self.steps[now]
        x, y, _ = plane.grid(data.bounds, marks.CELLS)
        votes, before = (self.steps[t].surface(x, y) for t in (now, max(now - 1, 0)))
        lines = self._border(step)
        traces = marks.vote(data, step.classes, votes, before, lines, "this voter's", "stump")
        traces.append(marks.key(data.bounds, self.corner, "stump", weighs=self.boosted))
        missed = None if self.boosted else step.predict(data.X) != data.labels
        points = marks.weighted(data, self.held, step.weights, step.wrong, missed)
        return plane.figure(traces, data.bounds, data.names, points=points, signs=marks.SIGNS)

    def _border(self, step: ClassVoteStep) -> tuple[ndarray, ndarray, ndarray]:
        """Return three lines: the first class's side of the stump's cut, the second's, the cut."""
        left, right, bottom, top = self.data.bounds
        j, t, side = self._stump(step.voter)
        ends = [[t, bottom], [t, top]] if j == 0 else [[left, t], [right, t]]
        apart = np.zeros(2)
        apart[j] = side * _APART * (right - left, top - bottom)[j]
        return np.array(ends) - apart, np.array(ends) + apart, np.array(ends)

    def training(self, now: int) -> Figure:
        """Draw how many training points the vote gets wrong, beside the single voters."""
        return self._against(self.summary.training, now)

    def held_out(self, now: int) -> Figure:
        """Draw how many held-out points the vote gets wrong, beside the single voters."""
        assert self.summary.held_out is not None
        return self._against(self.summary.held_out, now)

    def _against(self, mistakes: Mistakes, now: int) -> Figure:
        """Draw the mistakes of the vote, and level lines for the best, mean and worst voter."""
        alone, last = mistakes.voters, len(self.steps)
        level = (
            ("worst voter", float(alone.max()), "dot"),
            ("mean voter", float(alone.mean()), "dashdot"),
            ("best voter", float(alone.min()), "dash"),
        )
        traces = [
            panels.curve(
                [0.5, last + 0.5], [value, value], name=f"{name} {number(value)}",
                line={"width": 1.5, "dash": dash, "color": GREY}, showlegend=True,
            )
            for name, value, dash in level
        ]  # fmt: skip
        traces.append(
            panels.curve(
                plane.packed(np.arange(1, last + 1)),
                plane.packed(mistakes.vote),
                mode="lines+markers" if last <= _FEW else "lines",
                marker={"size": 4},
                name="the vote",
                line={"width": 3},
                hoverinfo="all",
                hovertemplate="%{x}: %{y} wrong<extra></extra>",
            )
        )
        traces.append(curves.marked(now + 1, float(mistakes.vote[now]), showlegend=False))
        top = float(max(alone.max(), mistakes.vote.max(), 1))
        heights = panels.axis(f"wrong of {mistakes.points}", 0, top)
        ends = {f"{name} {number(value)}": value for name, value, _ in level}
        ends["\u2002the vote"] = float(mistakes.vote[-1])
        panel = panels.alone(Panel(traces, self.steps_axis, heights))
        return naming.named_at_ends(panel, last, ends, margin=112)

    def voters(self, now: int) -> Figure:
        """Draw every voter's own mistakes; of weighted votes also what they count so far."""
        step, count = self.steps[now], self.all
        across = panels.axis("voter", 1, count) | {"range": [0.5, count + 0.5]}
        who = plane.packed(np.arange(1, count + 1))
        alone = self.summary.training.voters
        here = int(alone[step.voter])
        mistakes = Panel(
            [
                panels.curve(
                    who, plane.packed(alone), mode="markers", marker={"size": 6, "color": GREY},
                    name="a voter's own mistakes", hoverinfo="all",
                    hovertemplate="voter %{x}: %{y} wrong<extra></extra>",
                ),
                curves.marked(step.voter + 1, here, showlegend=False),
            ],
            across,
            panels.axis("wrong alone", 0, float(max(alone.max(), 1))),
        )  # fmt: skip
        if not self.boosted:
            return panels.alone(mistakes)
        most = float(self.steps[-1].alphas.max()) or 1.0
        bars = {
            "type": "bar",
            "x": who,
            "y": plane.packed(step.alphas),
            "name": "Σ α of the voter",
            "showlegend": False,
            "hovertemplate": "voter %{x}: Σ α = %{y:.3g}<extra></extra>",
        }
        counts = Panel([bars], dict(across), panels.axis("Σ α", 0, most))
        return panels.side_by_side(mistakes, counts, split=0.42, room=0.18)

    def caption(self, now: int) -> str:
        """Write whose stump joins, what the vote gets wrong, and the rule."""
        said = self._boosted(now) if self.boosted else self._equal(now)
        if now == 0 and self.filled:
            said += f" {self.filled} simulated voters fill up to five."
        return said

    def _equal(self, now: int) -> str:
        step, n = self.steps[now], len(self.steps[now].signs)
        missed, wrong = int(step.wrong.sum()), int(step.missed.sum())
        vote = (
            f"the vote of {now + 1} gets {wrong} wrong" if now else "so far the vote is this stump"
        )
        better = ", fewer than any single stump" if step.event else ""
        ties = int(np.count_nonzero(step.scores == 0))
        tied = f"; {counted(ties, 'point')} {'is' if ties == 1 else 'are'} tied at 0"
        return (
            f"{self._voter(step)} says {self._test(step.voter)} and misses {missed} of {n} "
            f"points; {vote}{better}.\n"
            f"Each voter adds +1 for “{self.second}” or −1 for “{self.first}”; the vote says "
            f"“{self.second}” where the sum F is above 0. On the points, F goes from "
            f"{number(float(step.scores.min()))} to {number(float(step.scores.max()))}"
            f"{tied if ties else ''}."
        )

    def _boosted(self, now: int) -> str:
        step, n = self.steps[now], len(self.steps[now].signs)
        missed, wrong = int(step.wrong.sum()), int(step.missed.sum())
        whose = f"Round {now + 1} takes {self._voter(step, small=True)}, {self._test(step.voter)}"
        if step.event == "no better than chance":
            return (
                f"{whose}, but even this stump has half of the weight wrong: it has no vote, and "
                f"the run ends.\nε = {decimal(step.error)}, no smaller than ½: α = 0."
            )
        if step.event == "perfect learner":
            return (
                f"{whose}: no point is wrong, so this stump alone decides, and the run ends.\n"
                f"ε = 0: α is set to 1 more than all earlier α together, {decimal(step.alpha)}."
            )
        weight = f", with {number(100 * step.error)} % of the weight" if now else ""
        first = ", for the first time" if step.event == "training error 0" else ""
        total = float(step.alphas[step.voter])
        above, below = marks.shares(step.error)
        again = f" This voter's votes now add up to {decimal(total)}." * (total > step.alpha)
        return (
            f"{whose}: {missed} points are wrong{weight}; the vote gets {wrong or 'none'} of {n} "
            f"wrong{first}.\n"
            f"Its wrong points have the least weight, ε = {below}, of "
            f"{counted(self.all, 'stump')}: its vote counts α = ½ ln((1 − ε)/ε) = "
            f"½ ln({above}/{below}) = {decimal(step.alpha)}.{again}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the vote's mistakes do, which point it turns, or whose stump comes next."""
        if self.boosted:
            return self._whose(now) or self._turned(now, rng)
        if rng.random() < 0.5:
            return self._turned(now, rng) or self._mistakes(now)
        return self._mistakes(now)

    def _mistakes(self, now: int) -> Question | None:
        """Ask whether the vote gets more or fewer training points wrong with the next voter."""
        before, after = (int(step.missed.sum()) for step in self.steps[now : now + 2])
        ways = [
            Option("it gets more wrong"),
            Option("it gets fewer wrong"),
            Option("as many as now"),
        ]
        right = ways.pop(0 if after > before else 1 if after < before else 2)
        coming = self.steps[now + 1]
        text = (
            f"{self._voter(coming)} comes next, {self._test(coming.voter)}. How many training "
            "points does the vote get wrong then?"
        )
        reason = f"It gets {after} wrong with this stump, and {before} without it."
        return question(text, right, ways, reason)

    def _turned(self, now: int, rng: Generator) -> Question | None:
        """Ask which point the vote puts into the other class."""
        before, after = self.steps[now : now + 2]
        learned = ~self.held
        turned = np.zeros(len(learned), bool)
        turned[learned] = (before.scores > 0) != (after.scores > 0)
        F, rows = np.zeros((2, len(learned))), np.flatnonzero(learned)
        F[:, rows] = before.scores, after.scores

        def reason(i: int) -> str:
            return f"Its F goes from {decimal(F[0, i])} to {decimal(F[1, i])}."

        text = (
            f"{self._voter(after)} comes next, {self._test(after.voter)}. Which of these points "
            "goes to the other class of the vote?"
        )
        return which_point(rng, self.data, text, turned, learned & ~turned, reason)

    def _whose(self, now: int) -> Question | None:
        """Ask whose stump has the smallest error with the next weights."""
        after = self.steps[now + 1]
        errors = (after.said != after.signs) @ after.weights
        order = [j for j in np.argsort(errors, kind="stable").tolist() if j != after.voter]
        if after.alpha == 0:
            return None
        others = [j for j in order if errors[j] > errors[after.voter] + _CLEAR]
        if self.steps[now].voter in others:  # the most tempting: the one that was just taken
            others.remove(self.steps[now].voter)
            others.insert(0, self.steps[now].voter)
        named = {j: Option(f"voter {j + 1}: {self._test(j)}") for j in (after.voter, *others)}
        reason = (
            f"With the new weights its error is {number(errors[after.voter])}, the smallest of "
            "all. The stump just taken has ½ now."
        )
        text = "The points that were wrong weigh more now. Whose stump does the next round take?"
        wrong = [named[j] for j in others[:_OTHERS]]
        return question(text, named[after.voter], wrong, reason)

    def found(self, now: int) -> Regions:
        """Return the class that wins the vote in every cell."""
        step = self.steps[now]
        votes = step.surface(*plane.grid(self.data.bounds, marks.CELLS)[:2])
        return Regions(step.classes[(votes > 0).astype(int)])

    def to_draw(self) -> Drawing:
        """Return the stump as everybody in a class places it."""
        X = self.data.X[~self.held]
        return by_hand(self.data, X, self.steps[0].signs, self.second)

    def _stump(self, j: int) -> tuple[int, float, int]:
        placed = self.steps[0].stumps
        return int(placed.feature[j]), float(placed.threshold[j]), int(placed.side[j])

    def _voter(self, step: ClassVoteStep, *, small: bool = False) -> str:
        """Write who a voter is."""
        kind = "of the class" if step.voter < self.given else "simulated"
        return f"{'v' if small else 'V'}oter {step.voter + 1} of {self.all} ({kind})"

    def _test(self, j: int) -> str:
        """Write a stump: the test under which it predicts the second class."""
        feature, cut, side = self._stump(j)
        sign = ">" if side > 0 else "≤"
        return f"“{self.second}” where {self.data.names[feature]} {sign} {number(cut)}"
