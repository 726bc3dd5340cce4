"""Pictures and words for random forests: the vote, this step's tree and bag, the errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.ensembles.random_forest import Account, RandomForestStep
from viz.classification.trees.resampled_trees import border
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, color
from viz.core.words import counted, decimal, listed, number
from viz.ensembles import random_forest_questions

NOTE = (
    "Shade: the mean of the trees' class shares so far, pale where no class has much more than the "
    "others. Dotted: the border of this step's tree; thin: that of the vote. A large point is in "
    "this tree's bag more than once, a pale one is out of it. A cross: the trees so far that have "
    "not seen the point vote wrongly. The ring: the point about which the trees so far disagree "
    "most. The cross hair, which you can drag, picks a point; the bars are the class shares in "
    "each tree's leaf there, the lines their mean so far. The features are used as they are. Step "
    "0 is the first tree."
)
HELD_OUT = " The small points are held out: no tree has seen them, they only test the vote."
_CELLS = 150  # along each axis
_OUT, _HELD = 0.3, (0.5, 0.6)  # opacity of points out of the bag; diameter, opacity of those held
_FEW = 40  # trees, whose places along a curve are marked
_MOST_NAMED = 3  # classes of which a caption says how many trees say them


@dataclass(frozen=True, eq=False)
class Forest:
    """A run, and the points it is about.

    held : (n,) which points of `data` are held out; the steps' points are the others, in order.
    query : a picked point, about which the vote is shown tree by tree.
    """

    data: Plane
    steps: Sequence[RandomForestStep]
    held: ndarray
    sums: Account
    query: ndarray

    @cached_property
    def shares(self) -> ndarray:
        """Give the (trees, classes) shares in each tree's leaf at the query."""
        return np.array([step.tree.predict_proba(self.query[None])[0] for step in self.steps])

    @cached_property
    def vote(self) -> ndarray:
        """Give the (trees, classes) means of the shares at the query so far."""
        return self.shares.cumsum(axis=0) / np.arange(1, len(self.steps) + 1)[:, None]

    @property
    def axis(self) -> dict:
        """The axis of the trees, which are counted from 1."""
        last = len(self.steps)
        ticks = {"dtick": 1} if last < 8 else {}
        return panels.axis("trees", 1, last) | {"range": [0.5, last + 0.5]} | ticks

    def curve(self, shares: ndarray, name: str, **style: object) -> dict:
        """Draw a share of something against the trees, in percent."""
        return panels.curve(
            plane.packed(np.arange(1, len(shares) + 1)),
            plane.packed(100 * shares),
            name=name,
            showlegend=True,
            hoverinfo="all",
            hovertemplate=f"%{{x}}: {name} %{{y:.3g}} %<extra></extra>",
            **style,
        )

    def most_divided(self, now: int) -> int:
        """Give the point about which the trees so far disagree most, the first one in a tie."""
        return int(self.sums.disagreement(now).argmax())


def grow(run: Run, data: Plane, held: ndarray, sums: Account, query: ndarray) -> Scene:
    """Show tree after tree.

    held : (n,) which points are held out. sums : the account of the run. query : a picked point.
    """
    shown = Forest(data, run.steps, held, sums, query)
    views = [
        View("The vote of the trees, this tree and its bag", lambda now: picture(shown, now)),
        View("How many points are wrong", lambda now: errors(shown, now), ahead=True),
        View("The picked point, tree by tree", lambda now: votes(shown, now), ahead=True),
    ]
    note = NOTE + (HELD_OUT if held.any() else "")
    return Scene(
        views,
        lambda now: caption(shown, now),
        note,
        ask=random_forest_questions.ask(data, run.steps),
    )


def picture(shown: Forest, now: int) -> Figure:
    """Draw the vote's regions and border, this tree's border, and the points by their bag."""
    data, step = shown.data, shown.steps[now]
    x, y, _ = plane.grid(data.bounds, _CELLS)
    winner, share = step.surface(x, y)
    sides = np.array([np.where(winner == k, 1.0, -1.0) for k in step.classes])
    traces = [
        plane.regions(winner, plane.certainty(share, len(step.classes)), data.bounds),
        plane.borders(x, y, sides, line={"width": 1.5}),
        plane.line(border(step.tree, data.bounds), line={"width": 3, "dash": "dot"}),
    ]
    kind = shown.sums.missed[now].astype(int)
    if shown.sums.disagreement(now).any():
        kind[shown.most_divided(now)] += 2
    return plane.figure(
        traces,
        data.bounds,
        data.names,
        points=_by_bag(shown, step),
        marks=plane.marks(kind, (100, 134, 100, 128), (0, 6, 20, 20), 2),
    )


def _by_bag(shown: Forest, step: RandomForestStep) -> dict:
    """Give the points, by area as often as they were drawn; those out of the bag are pale."""
    data, held = shown.data, shown.held
    size, strength = np.full(len(held), _HELD[0]), np.full(len(held), _HELD[1])
    size[~held] = np.sqrt(np.maximum(step.drawn, 1))
    strength[~held] = np.where(step.drawn > 0, 1.0, _OUT)
    return plane.points(data.X, data.labels, size=size, strength=strength)


def errors(shown: Forest, now: int) -> Figure:
    """Draw the errors out of the bag and held out against the trees, and each tree's alone."""
    sums = shown.sums
    series: list[tuple[str, ndarray, dict]] = [
        ("out of bag", sums.out_of_bag_error, {"width": 2.5})
    ]
    traces, highest = [], 0.1
    if sums.tree_error is not None and sums.held_out_error is not None:
        dots = {"size": 5, "color": GREY}
        traces = [shown.curve(sums.tree_error, "one tree", mode="markers", marker=dots)]
        series.append(("held out", sums.held_out_error, {"width": 2.5, "dash": "dash"}))
        highest = max(highest, float(sums.tree_error.max()))
    for name, shares, stroke in series:
        known = np.nan_to_num(shares)
        mode = "lines+markers" if len(shares) <= _FEW else "lines"
        mark = curves.marked(now + 1, float(100 * known[now]), showlegend=False)
        traces += [shown.curve(shares, name, mode=mode, marker={"size": 4}, line=stroke), mark]
        highest = max(highest, float(known.max()))
    panel = Panel(traces, shown.axis, panels.axis("% wrong", 0, 100 * highest))
    return curves.with_legend(panels.alone(panel))


def votes(shown: Forest, now: int) -> Figure:
    """Draw the class shares of each tree at the query, and their mean so far."""
    classes = shown.steps[0].classes.tolist()
    last = len(shown.steps)
    bars, lines = [], []
    for k, label in enumerate(classes):
        bars.append(
            {
                "type": "bar",
                "x": plane.packed(np.arange(1, last + 1)),
                "y": plane.packed(100 * shown.shares[:, k]),
                "marker": {"color": color(label), "line": {"width": 0}},
                "opacity": 0.35,
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
        name = panels.label(shown.data.classes[label], 16)
        lines.append(
            shown.curve(shown.vote[:, k], name, mode="lines", line=panels.stroke(label, 3))
        )
    marked = int(shown.vote[now].argmax())
    if len(classes) == 2:  # one line is enough: it is the border between both classes' bars
        bars, lines, marked = bars[::-1], lines[1:], 1
    mark = curves.marked(now + 1, float(100 * shown.vote[now, marked]), showlegend=False)
    panel = Panel([*bars, *lines, mark], shown.axis, panels.axis("share, %", 0, 100))
    figure = curves.with_legend(panels.alone(panel), traceorder="normal")
    figure["layout"] |= {"barmode": "stack", "bargap": 0.1}
    return figure


def caption(shown: Forest, now: int) -> str:
    """Say what the tree and the vote get wrong, the rule, where they disagree, and the query."""
    told = (_plainly(shown, now), _rule(shown, now), _tests(shown, now), _query(shown, now))
    return "\n".join(line for line in told if line)


def _plainly(shown: Forest, now: int) -> str:
    """Count the points that this tree has not seen, and how many of them it gets wrong."""
    step, data = shown.steps[now], shown.data
    unseen = np.flatnonzero(~shown.held)[step.drawn == 0]
    said = step.classes[shown.sums.says[now, unseen]]
    wrong = int(np.count_nonzero(said != data.labels[unseen]))
    text = f"Tree {now + 1} has not seen {len(unseen)} of {counted(len(step.drawn), 'point')}"
    if len(unseen) > 0:
        text += f" and gets {wrong or 'none'} of them wrong"
    if now > 0 and step.out_of_bag_error is not None:
        missed, judged = np.count_nonzero(step.wrong), np.count_nonzero(step.judges)
        text += f"; the out-of-bag votes so far get {missed or 'none'} of {judged} wrong"
    return f"{text}."


def _rule(shown: Forest, now: int) -> str:
    """Say what a bag is, then how the out-of-bag error comes about."""
    step = shown.steps[now]
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
    least, most = int(step.judges.min()), int(step.judges.max())
    first = " Every point has been out of a bag now." if step.event else ""
    return (
        f"Out-of-bag error {wrong}/{judged} = {_percent(step.out_of_bag_error)}; a point is judged "
        f"by {least} to {most} of the {now + 1} trees, those that have not seen it.{first}"
    )


def _tests(shown: Forest, now: int) -> str:
    """Give the errors on held-out points, and the point about which the trees disagree most."""
    sums, b = shown.sums, now + 1
    parts = []
    if sums.tree_error is not None and sums.held_out_error is not None:
        mean = _percent(float(sums.tree_error[:b].mean()))
        parts.append(
            f"Held out, {counted(int(shown.held.sum()), 'point')}: a tree on average {mean} wrong, "
            f"the vote {_percent(float(sums.held_out_error[now]))}."
        )
    if b > 1 and sums.disagreement(now).any():
        counts = sums.votes(now)[shown.most_divided(now)]
        parts.append(f"Most divided at the ring: {_counted(shown, counts)}.")
    return " ".join(parts)


def _query(shown: Forest, now: int) -> str:
    """Take the mean of the trees' shares at the picked point."""
    step, shares = shown.steps[now], shown.shares[: now + 1]
    says = int(step.predict(shown.query[None])[0])
    k = int(step.classes.searchsorted(says))
    name, b = shown.data.classes[says], now + 1
    total, mean = decimal(float(shares[:, k].sum())), decimal(float(shown.vote[now, k]))
    counts = np.bincount(shares.argmax(axis=1), minlength=len(step.classes))
    return (
        f"The picked point: {_counted(shown, counts)}; “{name}” has the largest mean share, "
        f"{total}/{b} = {mean}."
    )


def _counted(shown: Forest, counts: ndarray) -> str:
    """Write how many trees say each class, of the few that most trees say."""
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    classes = shown.steps[0].classes
    named = [f"{counts[k]} “{shown.data.classes[classes[k]]}”" for k in order[:_MOST_NAMED]]
    named[0] = named[0].replace(" ", " tree says " if counts[order[0]] == 1 else " trees say ", 1)
    rest = int(counts[order[_MOST_NAMED:]].sum())
    return listed([*named, f"{rest} another class"] if rest else named)


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
