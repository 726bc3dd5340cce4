"""One query after the other: which point is asked, and what its label changes."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.active_learning.active_learning import H, QueryStep, score
from algorithms.classification.active_learning.starts_compared import STARTS, judged, wrong
from viz.core import curves, panels, plane, region_signs, what_if
from viz.core.found import Regions
from viz.core.question import Option, Question, apart
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, color, rgb, symbol
from viz.core.words import counted, decimal, number

_LOOKS = len(PALETTE)
_UNKNOWN = _LOOKS  # the look of a point without a label
_FILLS, _SYMBOLS = [*map(color, range(_LOOKS)), GREY], [*map(symbol, range(_LOOKS)), 0]
_LARGE, _SMALL, _TINY = 1.5, 0.7, 0.6
_RIGHT, _MISSED = 0.45, 0.9  # opacities of held-out points
_BEFORE, _WAS = {"width": 2, "dash": "dash"}, "border before this label"
_LEVELS = 24  # of the score
_SHADE = np.tile(np.array(rgb(GREY), np.uint8), (_LEVELS, 1))
_OPACITY = np.linspace(0, 190, _LEVELS).astype(np.uint8)
_CELLS = 60  # of the score's picture, along each side
_BUTTONS = np.array([0.3, 0.25])  # of the picture: as far from a point may its buttons reach
_LETTERS = 10  # of a class's name in its region
_LETTER, _TRIED = 0.018, 50  # of the picture's width on a phone; places across and up
_APART = 0.06  # of the picture's width, between two answers


class Queries(Show[QueryStep]):
    """Active learning, a query a step."""

    unit = "query"
    opens = 8

    def __init__(
        self, run: Run, data: Plane, held: ndarray, rule: str, means: ndarray, most: int = 0
    ) -> None:
        """Count the errors of all steps.

        means : (2, q) the mean errors of the rule and of chance over many starts. most : labels
        that the reader may give; 0: the data give them.
        """
        super().__init__(run, data)
        self.held, self.rule, self.most = held, rule, most
        self.by_rule, self.by_chance = means
        self.names = [f"class {data.classes[c]}" for c in self.steps[0].classes]
        self.started = len(self.steps[0].known)
        self.counted = int(judged(held).sum())
        self.wrong = [wrong(step, data.X, data.labels, held) for step in self.steps]
        self.errors = [int(each.sum()) for each in self.wrong]
        self.cells = plane.grid(data.bounds)[2]
        features = self.steps[0].features
        self.coarse = features(plane.grid(data.bounds, _CELLS)[2])
        self.F = features(data.X)
        if rule == "chance":
            self.silent = "Chance asks any point, so nothing shows which one is next."
        elif most:
            self.silent = "The reader gives the labels, so no run shows the next one yet."
        of = "held-out points" if held.any() else "points"
        self.judged = f"{self.counted} {of}"
        self.note = (
            "Logistic regression on the labels so far. Grey: no label yet; the learner knows where "
            "these points are, but not their class."
        )

    def views(self) -> list[View]:
        """Return the picture, the errors against the labels asked for, and the scores."""
        views = [
            View("The labels so far, and what they teach", self.picture),
            View(f"Wrong predictions; thin: means of {STARTS} starts", self.curve, ahead="by step"),
        ]
        if self.rule != "chance":
            title = "Shade: how much the model wants a label there"
            ahead = not self.most
            views.append(View(title, self.wanted, height=1.2, ahead=ahead, board=False))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the predicted classes, the labels so far, and the newest one."""
        step, data = self.steps[now], self.data
        known = np.zeros(len(data.X), bool)
        known[step.known] = True
        look = np.full(len(data.X), _UNKNOWN)
        look[self.held] = data.labels[self.held] % _LOOKS
        look[step.known] = step.classes[step.given] % _LOOKS
        wrong = self.wrong[now] & self.held
        points = plane.points(
            data.X, look, wrong, held=self.held,
            size=np.where(known, _LARGE, np.where(self.held & ~wrong, _TINY, _SMALL)),
            strength=np.where(wrong, _MISSED, np.where(self.held, _RIGHT, 1.0)),
        ) | {"fills": _FILLS, "symbols": _SYMBOLS}  # fmt: skip
        signs = {
            "points": "large: point with a label; small and grey: none yet",
            "size": "", "strength": "faint and small: held out, predicted right",
            "wrong": "held-out point that is predicted wrong",
        }  # fmt: skip
        P = self._shares(now)
        size = int(len(self.cells) ** 0.5)
        winners = self._winners(P)
        sure = plane.certainty(P.max(axis=0), len(P)).reshape(size, size)
        newest = data.X[step.known[-1:]] if now else plane.GAP
        asked = data.X[[step.query]] if step.query >= 0 and now < self.most else plane.GAP
        traces = [
            plane.regions(winners, sure, data.bounds, signs=False),
            self._members(now),
            self._border_before(now),
            self._border(now, P),
            plane.rings(newest, size=26, line={"width": 3}, name="newest label"),
            plane.line(
                asked, mode="markers+text", text="?", textposition="top center",
                textfont={"size": 24, "shadow": "auto"},
                marker={"symbol": 100, "size": 20, "line": {"width": 3}},
                name="point that is asked now",
            ),
            self._on_top(look, step.known),
            *self._key(),
            self._predicted(winners, step),
        ]  # fmt: skip
        figure = plane.figure(traces, data.bounds, data.names, points=points, signs=signs)
        return curves.with_legend(figure, x=0, xanchor="left")

    def _predicted(self, winners: ndarray, step: QueryStep) -> dict:
        """Write into every region which class is predicted there, clear of the reader's buttons."""
        data, (left, right, bottom, top) = self.data, self.data.bounds
        size = np.array([right - left, top - bottom])
        # The buttons have the names of the classes.
        word = "predicted" if self.most else "class"
        names = [f"{word} {panels.label(data.classes[c], _LETTERS)}" for c in step.classes]
        wide = _LETTER * max(map(len, names)) / 2
        heights = np.linspace(0, 1, _TRIED)
        ends = [*np.linspace(0, wide, 9), *np.linspace(1 - wide, 1, 9)]
        edges = np.stack(np.meshgrid(ends, heights), axis=-1).reshape(-1, 2)
        taken = [data.X, [left, bottom] + size * edges]
        if self.most and step.query >= 0:
            around = np.stack(np.meshgrid(heights, heights), axis=-1).reshape(-1, 2)
            taken.append(data.X[step.query] + size * _BUTTONS * (2 * around - 1))
        X = np.concatenate(taken)
        # With a class of none, no region counts as shown by its points.
        places, classes = region_signs.places(winners, data.bounds, X, np.full(len(X), -1))
        return plane.line(
            places, mode="text",
            text=[names[j] for j in np.searchsorted(step.classes, classes)],
            textfont={"size": 14, "shadow": "auto"}, name="class of the region",
        )  # fmt: skip

    def _on_top(self, look: ndarray, known: ndarray) -> dict:
        """Draw the points with a label once more, above the held-out ones."""
        looks = look[known].tolist()
        marker = {
            "size": 14,
            "color": [_FILLS[each] for each in looks],
            "symbol": [_SYMBOLS[each] for each in looks],
            "line": {"width": 1.5},
        }
        return plane.line(
            self.data.X[known], mode="markers", marker=marker, name="large: a label is known"
        )

    def _key(self) -> list[dict]:
        """Return a sign of every class, and of points without a label, for the legend."""
        looks = [int(label) % _LOOKS for label in self.steps[0].classes]
        shown = [
            (name, {"size": 12, "color": _FILLS[look], "symbol": _SYMBOLS[look]})
            for name, look in zip(self.names, looks, strict=True)
        ]
        shown.append(("no label", {"size": 7, "color": GREY}))
        if self.held.any():
            small = {"size": 8, "symbol": 100, "color": GREY, "line": {"width": 2}}
            rim = {"size": 8, "color": GREY, "line": {"width": 3}}
            shown += [("held out", small), ("wrong", rim)]
        signs = [
            plane.line(plane.GAP, mode="markers", name=name, showlegend=True, marker=marker)
            for name, marker in shown
        ]
        if len(self.steps) == 1:  # there is no border before
            return signs
        return [*signs, plane.line(plane.GAP, name="border before", showlegend=True, line=_BEFORE)]

    def _shares(self, now: int) -> ndarray:
        """Return the probability of every class in every cell, a row a class."""
        return np.ascontiguousarray(self.steps[now].predict_proba(self.cells).T)

    def _winners(self, P: ndarray) -> ndarray:
        size = int(P.shape[1] ** 0.5)
        return self.steps[0].classes[P.argmax(axis=0)].reshape(size, size)

    def _border(self, now: int, P: ndarray) -> dict:
        """Draw where the predicted class changes."""
        x, y, _ = plane.grid(self.data.bounds)
        return plane.borders(x, y, P.reshape(len(P), len(y), len(x)), line={"width": 3})

    def _border_before(self, now: int) -> dict:
        """Draw the border by which the newest label was asked for."""
        look = {"line": _BEFORE, "name": _WAS}
        if now == 0:
            return plane.line(plane.GAP, **look)
        return self._border(now - 1, self._shares(now - 1)) | look

    def _members(self, now: int) -> dict:
        """Draw the border of every member of the committee."""
        step, (x, y, _) = self.steps[now], plane.grid(self.data.bounds, _CELLS)
        paths = [plane.GAP]
        for member in step.members:
            P = member.predict_proba(self.coarse).T.reshape(-1, len(y), len(x))
            rivals = range(len(P) if len(P) > 2 else 1)
            for k in rivals:
                lead = P[k] - np.delete(P, k, axis=0).max(axis=0)
                paths += [np.asarray(each) for each in plane.contours(x, y, lead).lines(0.0)]
        return plane.line(
            plane.joined(paths), line={"width": 1.25, "color": GREY}, name="border of a member"
        )

    def curve(self, now: int) -> Figure:
        """Draw the errors of this run, and the means of its rule and of chance over many starts."""
        asked = np.arange(len(self.errors))
        reach = np.arange(len(self.by_chance))
        means = [("chance", self.by_chance, "dash")]
        if self.rule != "chance":
            means.insert(0, (self.rule, self.by_rule, "solid"))
        traces = [
            curves.against("this start", asked, self.errors, setting="labels", line={"width": 2.5},
                           marker={"size": 4}),
            *(
                curves.against(
                    name, reach, mean, setting="labels", mode="lines",
                    line={"width": 1.25, "dash": dash, "color": GREY},
                )
                for name, mean, dash in means
            ),
            curves.marked(now, self.errors[now], showlegend=False),
        ]  # fmt: skip
        top = 1.1 * max(*self.errors, *(mean.max(initial=1.0) for _, mean, _ in means))
        wide = max(len(asked), len(reach)) - 1 or 1
        layout = curves.panel_layout(
            xaxis={"title": {"text": "labels asked for", "standoff": 4},
                   "range": [-0.04 * wide, 1.04 * wide], "nticks": 8},
            yaxis={"title": {"text": f"wrong of {self.counted}"}, "range": [-0.03 * top, top],
                   "nticks": 5},
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def wanted(self, now: int) -> Figure:
        """Draw the score everywhere, the points that may be asked, and the next query."""
        step, data = self.steps[now], self.data
        s = score(self.rule, self.coarse, step.model, step.members)
        top = float(s.max()) or 1.0
        levels = np.rint(s / top * (_LEVELS - 1)).clip(0, _LEVELS - 1).astype(np.uint8)
        goes_on = step.query >= 0 and now < max(self.most, len(self.steps) - 1)
        query = data.X[[step.query]] if goes_on else plane.GAP
        small = {"size": 4}
        traces = [
            plane.image(levels.reshape(_CELLS, _CELLS), _SHADE, _OPACITY, data.bounds)
            | {"name": "the stronger, the larger the score s"},
            plane.line(
                np.concatenate([data.X[self._open(step)], plane.GAP]), mode="markers", marker=small,
                name="point that can be asked",
            ),
            plane.rings(query, size=18, name="next query") | {
                "mode": "markers+text", "text": "next", "textposition": "top center",
                "textfont": {"size": 15, "shadow": "auto"}, "cliponaxis": False,
            },
        ]  # fmt: skip
        figure = plane.figure(traces, data.bounds, data.names)
        figure["layout"]["xaxis"] |= {"constrain": "domain"}
        figure["layout"]["yaxis"] |= {"scaleanchor": "x", "constrain": "domain"}
        return figure

    def _open(self, step: QueryStep) -> ndarray:
        """Return which points can be asked."""
        some = ~self.held
        some[step.known] = False
        return some

    def found(self, now: int) -> Regions:
        """Return the predicted class of every cell of the picture."""
        return Regions(self._winners(self._shares(now)))

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict]]:
        """Return the border and the errors of the run as it was."""
        look = {"line": what_if.LOOK, "opacity": what_if.FAINT}
        border = self._border(now, self._shares(now)) | look
        return [[border], [what_if.curve(self.errors, since)]]

    def caption(self, now: int) -> str:
        """Write the errors of the run and of chance, the newest label, and why it was asked for."""
        waiting = [self._next(self.steps[now])] if self.most and now == len(self.steps) - 1 else []
        if now == 0:
            start = f"Start: {counted(self.started, 'label')} known, {self._every()}."
            return "\n".join([*waiting, f"{start} {self._wrong(now)}."])
        after = f"After {now} {'query' if now == 1 else 'queries'}, {self._wrong(now)}"
        return "\n".join(
            [*waiting, f"{after}{self._by_chance(now)}.", self._said(now), self._why(now)]
        )

    def _wrong(self, now: int) -> str:
        """Write how many points are wrong."""
        count = self.errors[now]
        return f"{count or 'none'} of {self.judged} {'are' if count > 1 else 'is'} wrong"

    def _by_chance(self, now: int) -> str:
        """Write how many points are wrong on average over many starts, as far as was measured."""
        if now >= len(self.by_chance):
            return ""
        rule, chance = (number(float(mean[now])) for mean in (self.by_rule, self.by_chance))
        if self.rule == "chance":
            return f" from this start; the mean of {STARTS} starts is {chance}"
        means = f"{rule} by {self.rule}, {chance} by chance"
        return f" from this start (mean of {STARTS} starts: {means})"

    def _every(self) -> str:
        per = self.started / len(self.names)
        return f"{number(per)} of each class" if per.is_integer() else "of all classes"

    def _said(self, now: int) -> str:
        """Write the newest label, and what the model had predicted."""
        before, step = self.steps[now - 1], self.steps[now]
        i, given = int(step.known[-1]), int(step.given[-1])
        P = before.model.predict_proba(self.F[[i]])[0]
        thought = int(P.argmax())
        wish = _WISHES[self.rule] if i == before.query else "another point"
        label = f"Query {now} asks for {wish}: it is {self.names[given]}"
        own = int(np.searchsorted(step.classes, self.data.labels[i]))
        if own != given and not self.most:
            label += f" (the given answer; on the board it is {self.names[own]})"
        if thought == given:
            return f"{label}, as predicted."
        return f"{label}. A surprise: the model had predicted {self.names[thought]}."

    def _why(self, now: int) -> str:
        """Write the score of the point that was asked, with its numbers in the rule."""
        before, i = self.steps[now - 1], int(self.steps[now].known[-1])
        count = int(self._open(before).sum())
        if self.rule == "chance":
            return f"Drawn by chance among {counted(count, 'point')}."
        P = before.model.predict_proba(self.F[[i]])[0]
        s = float(before.scores[i])
        if self.rule == "margin":
            second, most = np.argsort(P)[-2:].tolist()
            lead = f"the lead of {self.names[most]} over {self.names[second]}"
            shares = f"{P[most]:.4f} − {P[second]:.4f}"  # more digits: s is written with three
            rule = f"s is 1 minus {lead}, 1 − ({shares}) = {decimal(s)}"
        elif self.rule == "entropy":
            shares = ", ".join(decimal(float(p)) for p in P)
            rule = f"s = −Σ P log₂ P = {decimal(s)} bits, with P = ({shares})"
        else:
            each = [member.predict_proba(self.F[[i]]) for member in before.members]
            joint, alone = float(H(np.mean(each, axis=0))[0]), float(np.mean([H(p) for p in each]))
            rule = f"s = H(mean P) − mean H(P) = {decimal(joint)} − {decimal(alone)} = {decimal(s)}"
        among = f"Among {counted(count, 'point')} without a label,"
        if i != before.query:
            most = float(before.scores[before.query])
            return f"{among} the largest score was {decimal(most)}. Here {rule}."
        return f"{among} its score is the largest: {rule}."

    def _next(self, step: QueryStep) -> str:
        """Write that the reader's answer is waited for, or that there is no more query."""
        if step.query < 0:
            return "Every point has a label."
        if len(self.steps) > self.most:
            return f"You have answered all {self.most} queries."
        return (
            f"Query {len(self.steps)} waits for you: which class is the point under “?”? Press its "
            "class."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point is asked next."""
        step, X = self.steps[now], self.data.X
        rows = np.flatnonzero(self._open(step))
        if self.steps[now + 1].known[-1] != step.query or len(rows) < 2:
            return None
        order = rows[np.argsort(-step.scores[rows], kind="stable")]
        tried = [step.query, *order[rng.permutation(len(order))].tolist()]
        places = [(0, *X[i].tolist()) for i in tried]
        width = self.data.bounds[1] - self.data.bounds[0]
        kept = apart(places, _APART * width)[:4]
        options = [Option(f"the point at ({number(x)}, {number(y)})", places[j])
                   for j in kept for _, x, y in [places[j]]]  # fmt: skip
        values = [float(step.scores[tried[j]]) for j in kept]

        def reason(first: int, second: int) -> str:
            of = f"It has s = {decimal(values[first])}; next is {decimal(values[second])}"
            return f"{of}. {_REASONS[self.rule]}"

        return which_most("Whose label is asked for next?", options, values, reason)


_WISHES = {
    "margin": "the point it was least sure of",
    "entropy": "the point it was least sure of",
    "committee": "the point on which the committee disagreed most",
    "chance": "a point drawn by chance",
}
_REASONS = {
    "margin": "There the two most probable classes are nearly equally probable.",
    "entropy": "There the probabilities of the classes are the most alike.",
    "committee": "There the members of the committee disagree the most.",
}
