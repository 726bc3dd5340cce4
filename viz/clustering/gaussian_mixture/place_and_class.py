"""Mixtures of places and classes, half-step by half-step: two factors share every point out."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.place_and_class import PlaceAndClassStep
from viz.clustering.gaussian_mixture import marks, questions
from viz.clustering.gaussian_mixture.lower_bound import bound_view
from viz.core import curves, panels, soft_groups, what_if
from viz.core.found import Groups
from viz.core.naming import in_corner
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color, figure_on, symbol
from viz.core.words import number

_SIGNS = {"points": "point: its class by shape, its components' shares by colour"}
_KEY = "shape: class<br>colour: component"
_OPENS = 2  # the first shares by tables that have learnt from the classes
_CLEAR = 0.05  # of a share: a smaller lead is none
_WRITTEN = 0.15  # shares from here on are written into their bars
_IN_ORDER = {"traceorder": "normal"}  # without it, stacked bars are listed from the top


@dataclass(frozen=True, eq=False)
class Picked:
    """The point that is worked out, and where the run begins.

    at : its place. label : its class. start : how the first components were found.
    """

    at: ndarray
    label: int
    start: str


class PlacesAndClasses(Show[PlaceAndClassStep]):
    """The half-steps of EM, the components' class tables, and what both factors say of a point."""

    def __init__(self, run: Run, data: Plane, picked: Picked, tol: float) -> None:
        """Write the note. tol : the change of the log-likelihood per point at which EM ends."""
        super().__init__(run, data)
        self.opens = _OPENS
        self.picked, self.y = picked, np.array([picked.label])
        self.names = [panels.label(data.classes[c]) for c in self.steps[0].categories]
        self.note = (
            f"A point's place is its {data.names[0]} and {data.names[1]}, used as they are. EM "
            f"stops when the log-likelihood changes by less than {number(tol)} per point."
        )

    def views(self) -> list[View]:
        """Return the picture, the class tables, the picked point, and the bound."""
        far = soft_groups.deviations(len(self.steps[0].means))
        return [
            View(f"Shape: class. Colour: blend of the components, {far}", self.picture),
            View("Class tables δ of the components", self.tables),
            View("The picked point: by its place, its class, both", self.factors),
            bound_view(self.steps),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points by class and shares, the components, and where they were."""
        data, shares = self.data, self.steps[now].responsibilities
        points = soft_groups.points_of_classes(data.X, data.labels, shares, len(data.classes))
        figure = marks.picture(self.steps, now, data, points, _SIGNS)
        figure["data"].insert(0, in_corner(_KEY, data.bounds, "top left"))
        return figure

    def tables(self, now: int) -> Figure:
        """Draw every component's probabilities of the classes, and the shares of all points."""
        step = self.steps[now]
        at = list(range(len(self.names)))

        def bars(name: str, heights: ndarray, fill: str) -> dict:
            return {
                "type": "bar", "name": name, "x": at, "y": np.round(heights, 4).tolist(),
                "marker": {"color": fill},
                "hovertemplate": f"%{{y:.3g}} of {name}<extra></extra>",
            }  # fmt: skip

        traces = [
            bars(f"component {j + 1}", table, color(j)) for j, table in enumerate(step.tables)
        ]
        shapes = {
            "type": "scatter", "mode": "markers", "name": "shape of the class",
            "x": at, "y": [-0.07] * len(at), "showlegend": False, "hoverinfo": "skip",
            "marker": {
                "size": 11, "color": GREY,
                "symbol": [symbol(c) for c in step.categories.tolist()],
            },
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"tickvals": at, "ticktext": self.names, "showgrid": False,
                   "range": [-0.6, len(at) - 0.4]},
            yaxis={"range": [-0.14, 1.04], "tickvals": [0, 0.5, 1], "title": {"text": "δ"}},
            barmode="group",
        )  # fmt: skip
        every = bars("all points", step.weights @ step.tables, GREY)
        figure = {"data": [*traces, every, shapes], "layout": layout}
        return curves.with_legend(figure, **_IN_ORDER)

    def factors(self, now: int) -> Figure:
        """Draw the picked point's shares by its place alone, by its class alone, and by both."""
        shares = np.concatenate(self._shares(now))[::-1]  # the first is drawn at the top
        bars = [
            {
                "type": "bar", "orientation": "h", "name": f"component {j + 1}",
                "x": np.round(share, 4).tolist(), "y": ["both", "class", "place"],
                "text": [_written(j, x) for x in share.tolist()],
                "textposition": "inside", "insidetextanchor": "middle", "textangle": 0,
                "textfont": {"color": figure_on(color(j))},
                "marker": {"color": color(j)},
                "hovertemplate": f"%{{y}}: component {j + 1} %{{x:.3g}}<extra></extra>",
            }
            for j, share in enumerate(shares.T)
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"range": [0, 1], "tickvals": [0, 0.5, 1], "showgrid": False}
            | {"title": {"text": "share", "standoff": 2}},
            yaxis={"showgrid": False},
            barmode="stack",
        )
        return {"data": bars, "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule for one case, and the picked point."""
        step = self.steps[now]
        if step.event == "moved by hand":
            kept = "weights, covariances and tables"
            said, rule = marks.by_hand(self.steps, now, self.data, kept), ""
        elif step.phase == "maximization":
            said, rule = marks.rises(self.steps, now), self._estimates(now)
        else:
            said = marks.shared_out(self.steps, now, self.picked.start)
            rule = marks.closed(self.steps, now)
        return "\n".join(line for line in (said, rule, self._picked(now)) if line)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which component has most of a point, where a class is likeliest, where a mean goes.

        In an expectation, preferably of a point of which its place alone says something else.
        """
        before, after = self.steps[now], self.steps[now + 1]
        if len(before.means) == 1:
            return None
        if after.phase == "expectation":
            return self._belongs(rng, after)
        return (rng.random() < 0.6 and self._likeliest(rng, after)) or questions.goes(
            rng, self.data, before, after
        )

    def found(self, now: int) -> Groups:
        """Return the main component of every point."""
        return Groups(self.steps[now].labels)

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the ways of the means and the components, and the log-likelihood."""
        likelihood = [each.log_likelihood for each in self.steps]
        picture = marks.ghost(self.steps, since, now)
        return picture, [], [], [what_if.curve(likelihood, since)]

    def _name(self, label: int) -> str:
        return f"“{self.data.classes[label]}”"

    def _shares(self, now: int) -> tuple[ndarray, ndarray, ndarray]:
        """Return the shares of the picked point by its place, its class, and both: (1, k) each."""
        step, x = self.steps[now], self.picked.at[None]
        return step.predict_proba(x), step.from_class(self.y), step.from_both(x, self.y)

    def _picked(self, now: int) -> str:
        """Write what each of the two factors says of the picked point, and both together."""
        by_place, by_class, both = (shares[0] for shares in self._shares(now))
        j = int(both.argmax())
        return (
            f"Picked point, of class {self._name(self.picked.label)}: component {j + 1} has a "
            f"share of {_share(by_place[j])} by the place alone, {_share(by_class[j])} by "
            f"the class alone, and {_share(both[j])} by both."
        )

    def _estimates(self, now: int) -> str:
        """Write the mean that moved most, and the table entry that changed most, as sums."""
        before, step = self.steps[now - 1], self.steps[now]
        q, n = step.responsibilities, len(step.responsibilities)
        j = int(np.square(step.means - before.means).sum(axis=1).argmax())
        c = int(np.abs(step.tables[j] - before.tables[j]).argmax())
        members = self.data.labels == step.categories[c]
        own, size = q[members, j].sum(), q[:, j].sum()
        if step.tied:
            own, size = members.sum(), n
        mean = ", ".join(number(x) for x in step.means[j])
        return (
            f"Component {j + 1} moves most, to the mean of its shares, ({mean}). Class "
            f"{self._name(step.categories[c])} has δ = Σ q [y = c] / Σ q = {number(own)} / "
            f"{number(size)} = {number(step.tables[j, c])} in its table."
        )

    def _belongs(self, rng: Generator, after: PlaceAndClassStep) -> Question | None:
        """Ask which component has the largest share of a point."""
        shares = np.sort(after.responsibilities, axis=1)
        lead = shares[:, -1] - shares[:, -2]
        by_place = after.predict(self.data.X)
        other = (lead > _CLEAR) & (by_place != after.labels)
        divided = np.flatnonzero(other if other.any() else (lead > _CLEAR) & (shares[:, -1] < 0.95))
        if len(divided) == 0:
            return None
        i = int(rng.choice(divided))
        order = np.argsort(-after.responsibilities[i], kind="stable").tolist()
        first, second = (number(after.responsibilities[i, j]) for j in order[:2])
        options = [questions.component(after, j) for j in order]
        text = (
            "E: which component has the largest share of the point “?”, of class "
            f"{self._name(self.data.labels[i])}?"
        )
        reason = (
            f"π N δ is largest there, a share of {first}; component {order[1] + 1} has {second}. "
            f"Its place alone says component {by_place[i] + 1}."
        )
        at = questions.point(self.data.X[i])
        return question(text, options[0], options[1:], reason, at)

    def _likeliest(self, rng: Generator, after: PlaceAndClassStep) -> Question | None:
        """Ask in which component a class is likeliest."""
        c = int(rng.integers(len(after.categories)))
        chances = after.tables[:, c].tolist()

        def reason(first: int, second: int) -> str:
            ends = number(chances[first]), number(chances[second])
            return f"δ is {ends[0]} in component {first + 1}, {ends[1]} in component {second + 1}."

        text = f"M: in which component will class {self._name(after.categories[c])} be likeliest?"
        options = [Option(f"component {j + 1}") for j in range(len(chances))]
        return which_most(text, options, chances, reason)


def _written(j: int, share: float) -> str:
    """Write a component's number and share into its bar, if there is room."""
    return f"{j + 1}: {_share(share, 2)}" if share >= _WRITTEN else ""


def _share(value: float, digits: int = 3) -> str:
    """Write a share; one that is not quite 1 is not written as 1."""
    least = 1 - 10.0**-digits
    return f"> {least:.{digits}f}" if (1 + least) / 2 <= value < 1 else number(value, digits)
