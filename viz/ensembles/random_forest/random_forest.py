"""The random forest, tree by tree: the vote on the plane, this step's tree and bag, the errors."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.ensembles.random_forest import Account, RandomForestStep
from algorithms.ensembles.vote_variance import VoteVariance
from viz.classification.decision_tree.resampled_trees import border
from viz.core import curves, panels, plane
from viz.core.found import Regions
from viz.core.naming import in_corner, named_at_ends
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color
from viz.core.words import counted, decimal, listed, number
from viz.ensembles.random_forest import variance
from viz.ensembles.random_forest.tree_wall import TreeWall

_CELLS = 150  # along each axis
_OUT, _HELD = 0.3, 0.8  # opacity of points out of the bag; diameter of those held out
_FEW = 12  # trees, whose places along a curve are marked
_MOST_NAMED = 3  # classes whose votes a caption counts
_SAFE = 0.3  # a lead in the vote that one tree does not turn
_LEAD = 1e-9  # a smaller lead may be rounding
_NOTE = (
    "The bars are the class shares in each tree's leaf at the picked point, the lines their mean "
    "so far. In a tie, the vote takes the class that is listed first. The features are not "
    "standardised."
)
_HELD_OUT = (
    " {} of {} points are held out, {}: each was drawn with the chosen probability. No tree has "
    "seen them: they only test the trees and the vote."
)
_DRAWN = "area of a point: how often it is in this tree's bag"
_UNDRAWN = "faint: not in this tree's bag"
_WRONG = "thick outline: wrong by the vote of the trees that have not seen it"
_DIVIDED = "the trees disagree most here"
_BORDER = "border of this step's tree"
_COMING = 0.25  # opacity of the errors of trees to come
_DEPTH = "stronger colour: more trees agree"
_WRONG_HELD = "thick outline: held-out point that the vote gets wrong"
_ALONE = "mean of the single trees"
_AT_END = {  # clear of the rings
    _ALONE: "\u2002single trees",
    "held out": "\u2002vote, held out",
    "out of bag": "\u2002out of bag",
}
_SIGNS = {"size": _DRAWN, "strength": _UNDRAWN}
_LAYERS = (
    Layer("newest tree", (_BORDER,)),
    Layer("its bag", (_DRAWN, _UNDRAWN)),
    Layer("most divided point", (_DIVIDED,)),
)


class Growing(Show[RandomForestStep]):
    """The trees one after the other, their vote, and its errors."""

    unit = "tree"
    counts_from = 1
    opens = 15

    def __init__(
        self,
        run: Run,
        data: Plane,
        held: ndarray,
        sums: Account,
        query: ndarray,
        tried: int = 1,
        variances: tuple[VoteVariance, ...] | None = None,
    ) -> None:
        """Compute the vote on the picked point, tree by tree.

        held : (n,) which points are held out; the steps' points are the others, in order. sums :
        the sums over the run. query : the picked point. tried : features at a split. variances :
        of the vote for 1 and 2 features tried, to be shown, or None.
        """
        super().__init__(run, data)
        self.tried, self.variances = tried, variances
        self.held, self.sums, self.query = held, sums, query
        last = len(self.steps)
        # (trees, classes): the shares in each tree's leaf at the picked point, their means so far
        self.shares = np.array([step.tree.predict_proba(query[None])[0] for step in self.steps])
        self.vote = self.shares.cumsum(axis=0) / np.arange(1, last + 1)[:, None]
        ticks = {"dtick": 1} if last < 8 else {}
        self.wall = TreeWall(self.steps, data.bounds, query)
        self.trees = panels.axis("trees", 1, last) | {"range": [0.5, last + 0.5]} | ticks
        out = int(np.count_nonzero(held))
        kept_back = _HELD_OUT.format(out, len(held), _percent(out / max(len(held), 1)))
        self.note = _NOTE + (kept_back if out else "") + variance.note(variances)

    def views(self) -> list[View]:
        """Return the picture, the trees, the errors, and the picked point.

        If the variance is wanted, it is first, and the trees are last.
        """
        dots = " (dots: single trees)" if self.held.any() else ""
        wall = [View("The latest trees, each alone; ring: picked", self.wall.figure)]
        measured = variance.views(self.variances, self.tried, len(self.steps))
        return [
            View("The vote of the trees", self.picture, layers=_LAYERS),
            *(measured or wall),
            View(f"How many points are wrong{dots}", self.errors, ahead="by step"),
            View("The picked point, tree by tree", self.votes, ahead="by step"),
            *(wall if measured else []),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the vote's regions and border, and its mistakes; as layers this tree and its bag."""
        data, step = self.data, self.steps[now]
        divided = data.X[[self._most_divided(now)]] if self._is_divided(now) else plane.GAP
        winner, share = step.surface(*plane.grid(data.bounds, _CELLS)[:2])
        look = {"line": {"width": 1}, "name": "border of the vote"}
        traces = [
            plane.regions(winner, plane.certainty(share, len(step.classes)), data.bounds),
            plane.stairs(winner, step.classes, data.bounds, **look),
            plane.line(
                border(step.tree, data.bounds),
                line={"width": 3, "dash": "dot"},
                name=_BORDER,
            ),
            plane.rings(divided, size=22, name=_DIVIDED),
            in_corner(f"{_DEPTH}{self._tie(share)}", data.bounds),
        ]
        points = self._by_bag(now)
        signs = _SIGNS | {"wrong": _WRONG_HELD if self.held.any() else _WRONG}
        return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)

    def _tie(self, share: ndarray) -> str:
        """Write which of two classes wins a tie, if there is one on the plane."""
        classes = self.steps[0].classes
        if len(classes) != 2 or not np.isclose(share, 0.5).any():
            return ""
        return f"<br>faintest: a tie, “{panels.label(self.data.classes[classes[0]], 16)}” is taken"

    def errors(self, now: int) -> Figure:
        """Draw the out-of-bag and held-out errors by the number of trees, and each tree's error."""
        sums = self.sums
        series: dict[str, tuple[ndarray, dict]] = {
            "out of bag": (sums.out_of_bag_error, {"width": 2, "dash": "dot"})
        }
        traces, highest = [], 0.1
        if sums.tree_error is not None and sums.held_out_error is not None:
            coming = np.arange(len(self.steps)) > now
            dots = {"size": 5, "color": GREY, "opacity": np.where(coming, _COMING, 1.0).tolist()}
            traces = [self._by_tree(sums.tree_error, "one tree", mode="markers", marker=dots)]
            alone = sums.tree_error.cumsum() / np.arange(1, len(self.steps) + 1)
            series = {_ALONE: (alone, {"width": 2, "color": GREY})} | series
            series["held out"] = (sums.held_out_error, {"width": 3})
            highest = max(highest, float(sums.tree_error.max()))
        for name, (shares, stroke) in series.items():
            known = np.nan_to_num(shares)
            mode = "lines+markers" if len(shares) <= _FEW else "lines"
            traces.append(self._by_tree(shares, name, mode=mode, marker={"size": 4}, line=stroke))
            if name != _ALONE:
                head = curves.DOT if name == "held out" else curves.HOLLOW
                here = float(100 * known[now])
                traces.append(curves.marked(now + 1, here, marker=head, showlegend=False))
            highest = max(highest, float(known.max()))
        panel = Panel(traces, self.trees, panels.axis("% wrong", 0, 100 * highest))
        ends = {
            _AT_END.get(name, name): float(100 * np.nan_to_num(shares[-1]))
            for name, (shares, _) in series.items()
        }
        return named_at_ends(panels.alone(panel), len(self.steps), ends, margin=122)

    def votes(self, now: int) -> Figure:
        """Draw the class shares of each tree at the picked point, and their mean so far."""
        classes = self.steps[0].classes.tolist()
        last = len(self.steps)
        bars, lines = [], []
        for k, label in enumerate(classes):
            name = panels.label(self.data.classes[label], 16)
            bars.append(
                {
                    "type": "bar",
                    "x": plane.packed(np.arange(1, last + 1)),
                    "y": plane.packed(100 * self.shares[:, k]),
                    "marker": {"color": color(label), "line": {"width": 0}},
                    "opacity": 0.35,
                    "name": name,
                    "hoverinfo": "skip",
                    "showlegend": True,
                }
            )
            mean, look = f"{name}: mean so far", panels.stroke(label, 3)
            lines.append(self._by_tree(self.vote[:, k], mean, mode="lines", line=look))
        marked = int(self.vote[now].argmax())
        if len(classes) == 2:  # one line is enough: it is the border between both classes' bars
            bars, lines, marked = bars[::-1], lines[1:], 1
        else:  # their colours are in the legend already
            lines = [line | {"showlegend": False} for line in lines]
        mark = curves.marked(now + 1, float(100 * self.vote[now, marked]), showlegend=False)
        panel = Panel([*bars, *lines, mark], self.trees, panels.axis("share, %", 0, 100))
        figure = curves.with_legend(panels.alone(panel), traceorder="normal")
        figure["layout"] |= {"barmode": "stack", "bargap": 0.1}
        return figure

    def caption(self, now: int) -> str:
        """Write what the vote gets wrong, this tree's mistakes, the rule, and the picked point.

        If the variance is measured, its formula is the rule.
        """
        rule = variance.said(self.variances, self.tried, now + 1)
        rule = rule or f"{self._tree(now)} {self._rule(now)}"
        return f"{self._vote_wrong(now)}\n{rule}\n{self._query(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point's class the next tree changes, or where the out-of-bag error goes."""
        step, following = self.steps[now : now + 2]
        if rng.random() < 0.3:
            return _out_of_bag(step, following)
        return self._turned(rng, step, following) or _out_of_bag(step, following)

    def found(self, now: int) -> Regions:
        """Return the class that wins the vote in every cell."""
        return Regions(self.steps[now].surface(*plane.grid(self.data.bounds, _CELLS)[:2])[0])

    def _by_bag(self, now: int) -> dict:
        """Return the points: the area shows how often a point was drawn; faint ones never were.

        Points that the vote gets wrong have a thick outline: of the held-out ones, or without any,
        of all points by their out-of-bag votes.
        """
        data, held, step = self.data, self.held, self.steps[now]
        wrong = self.sums.missed[now] & (held if held.any() else True)
        size, strength = np.full(len(held), _HELD), np.ones(len(held))
        size[~held] = np.sqrt(np.maximum(step.drawn, 1))
        strength[~held] = np.where(step.drawn > 0, 1.0, _OUT)
        return plane.points(data.X, data.labels, wrong, size=size, strength=strength, held=held)

    def _is_divided(self, now: int) -> bool:
        """Return whether the trees so far disagree about any point."""
        return bool(self.sums.disagreement(now).any())

    def _most_divided(self, now: int) -> int:
        """Return the point about which the trees so far disagree most; in a tie, the first one."""
        return int(self.sums.disagreement(now).argmax())

    def _by_tree(self, shares: ndarray, name: str, **style: object) -> dict:
        """Draw shares against the number of trees, in percent."""
        return panels.curve(
            plane.packed(np.arange(1, len(shares) + 1)),
            plane.packed(100 * shares),
            name=name,
            showlegend=True,
            hoverinfo="all",
            hovertemplate=f"%{{x}}: {name} %{{y:.3g}} %<extra></extra>",
            **style,
        )

    def _vote_wrong(self, now: int) -> str:
        """Write in one sentence what the vote gets wrong, and what one tree does."""
        step, sums, n, b = self.steps[now], self.sums, int(self.held.sum()), now + 1
        if sums.tree_error is not None and sums.held_out_error is not None:
            error = float(sums.held_out_error[now])
            wrong = f"{round(n * error) or 'none'} of {counted(n, 'held-out point')} wrong"
            if b == 1:
                return f"One tree gets {wrong}, {_percent(error)}."
            alone = _percent(float(sums.tree_error[:b].mean()))
            return (
                f"The vote of {b} trees gets {wrong}, {_percent(error)}; single trees get {alone} "
                "wrong on average."
            )
        if b == 1 or step.out_of_bag_error is None:
            return f"{counted(b, 'tree')} so far."
        missed, judged = np.count_nonzero(step.wrong), np.count_nonzero(step.judges)
        return f"The out-of-bag votes of {b} trees get {missed or 'none'} of {judged} points wrong."

    def _tree(self, now: int) -> str:
        """Write how many points this tree has not seen, and how many of them it gets wrong."""
        step, data = self.steps[now], self.data
        unseen = np.flatnonzero(~self.held)[step.drawn == 0]
        said = step.classes[self.sums.says[now, unseen]]
        wrong = int(np.count_nonzero(said != data.labels[unseen]))
        text = f"Tree {now + 1} has not seen {len(unseen)} of {counted(len(step.drawn), 'point')}"
        return f"{text} and gets {wrong or 'none'} of them wrong." if len(unseen) else f"{text}."

    def _rule(self, now: int) -> str:
        """Write what a bag is; on later steps, the out-of-bag error with its numbers."""
        step = self.steps[now]
        n = len(step.drawn)
        if now == 0:
            missing = number(100 * (1 - 1 / n) ** n)
            return (
                f"A bag: {n} draws from the {counted(n, 'point')}, with replacement; a point is "
                f"missing with probability (1 − 1/{n})^{n} = {missing} %."
            )
        if step.out_of_bag_error is None:
            return "No point has been out of a bag yet, so there is no out-of-bag error."
        wrong, judged = np.count_nonzero(step.wrong), np.count_nonzero(step.judges)
        first = " Every point has been out of a bag now." if step.event else ""
        return (
            "Out of bag, a point is judged only by the trees that have not seen it: "
            f"{wrong or 'none'} of {judged} wrong, {_percent(step.out_of_bag_error)}.{first}"
        )

    def _query(self, now: int) -> str:
        """Write the mean of the trees' shares at the picked point."""
        step, shares = self.steps[now], self.shares[: now + 1]
        says = int(step.predict(self.query[None])[0])
        k = int(step.classes.searchsorted(says))
        name, b = self.data.classes[says], now + 1
        counts = np.bincount(shares.argmax(axis=1), minlength=len(step.classes))
        alike = np.count_nonzero(np.isclose(self.vote[now], self.vote[now, k])) > 1
        wins = f"a tie, and “{name}” is taken" if alike else f"“{name}” wins"
        share = f"{number(float(shares[:, k].sum()), 4)}/{b} = {decimal(float(self.vote[now, k]))}"
        divided = not np.allclose(shares.max(axis=1), 1)  # leaves with points of several classes
        how = f" Each tree adds the share of “{name}” in its leaf, not a whole vote."
        return (
            f"The picked point: {self._counted(counts)}; {wins} with share {share}."
            f"{how if divided else ''}"
        )

    def _counted(self, counts: ndarray) -> str:
        """Write how many trees vote for each class, for the classes with the most votes."""
        order = np.argsort(-counts, kind="stable")
        order = order[counts[order] > 0]
        classes = self.steps[0].classes
        named = [f"{counts[k]} for “{self.data.classes[classes[k]]}”" for k in order[:_MOST_NAMED]]
        trees = " tree votes" if counts[order[0]] == 1 else " trees vote"
        named[0] = named[0].replace(" for", f"{trees} for", 1)
        rest = int(counts[order[_MOST_NAMED:]].sum())
        return listed([*named, f"{rest} for another class"] if rest else named)

    def _turned(
        self, rng: Generator, step: RandomForestStep, following: RandomForestStep
    ) -> Question | None:
        """Ask which point gets another class by the vote of the next tree."""
        data = self.data
        before, count = step.predict_proba(data.X), len(step.trees)
        after = (count * before + following.tree.predict_proba(data.X)) / (count + 1)
        lead, left = (np.diff(np.sort(shares, axis=1)[:, -2:])[:, 0] for shares in (before, after))
        old, new = before.argmax(axis=1), after.argmax(axis=1)
        clear = np.minimum(lead, left) > _LEAD

        def reason(i: int) -> str:
            of, to = (data.classes[step.classes[k[i]]] for k in (old, new))
            shares = number(before[i, old[i]]), number(after[i, old[i]])
            return (
                f"There the mean share of “{of}” goes from {shares[0]} to {shares[1]}, and “{to}” "
                f"wins. At the other points the leader is ahead by more than {_SAFE}."
            )

        text = "Which point gets another class by the vote of the next tree?"
        yes, no = clear & (old != new), (old == new) & (lead > _SAFE) & (left > _SAFE)
        return which_point(rng, data, text, yes, no, reason)


def _out_of_bag(step: RandomForestStep, following: RandomForestStep) -> Question | None:
    """Ask whether one more tree raises or lowers the out-of-bag error."""
    before, after = step.out_of_bag_error, following.out_of_bag_error
    if before is None or after is None or max(before, after) == 0:
        return None
    reason = f"It goes from {number(100 * before)} % to {number(100 * after)} %."
    text = "One more tree is grown. What does the out-of-bag error do?"
    return rises_or_falls(text, before, after, reason, least=0.01)


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
