"""A line that each sample moves: the shared parts of the perceptron and the delta rule."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron.delta_rule import DeltaRuleStep
from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron.perceptron_bound import Overlap
from algorithms.classification.linear.perceptron.perceptron_summary import Summary, measured
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear.perceptron import marks
from viz.core import curves, naming, plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Place
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color
from viz.core.what_if import FAINT, LOOK
from viz.core.words import decimal, vector, weighted_sum

_WHOLE, _LATEST = 60, 8  # updates: a path this long is drawn whole, else its latest ones
_WINDOW = 16  # updates that fit the axes from the start
_LEGEND = 0.08  # of the picture's height, where the names of the classes are
_EVERY = 8  # places along a line: there its name is tried
_SIDES = ("top left", "bottom left", "top right", "bottom right")
_KEY = "frame: the sample visited"
_NORMAL = 0.14  # of the picture: the length of w there
_DASHED = "line before this update, or of the weights being trained"

S = TypeVar("S", PerceptronStep, DeltaRuleStep)


class Line(Show[S]):
    """The line, the weights as vectors, and the captions that both rules share.

    loss : the name of the loss.
    """

    loss: str

    def __init__(
        self,
        run: Run,
        data: Plane,
        features: PolynomialFeatures,
        summary: Summary,
        picked: ndarray,
        epochs: int | None = None,
        variant: str = "plain",
    ) -> None:
        """Map the points and the picture to the features of the run.

        picked : (2,) the place whose score is shown. epochs : the number of epochs there is time
        for, if that is less than was asked for. variant : of the weights that predict.
        """
        super().__init__(run, data)
        self.variant = variant
        self.features, self.summary, self.known = features, summary, summary.known
        self.picked_place = picked
        self.F, self.x = features(data.X), features(picked[None])[0]
        self.mistaken = np.flatnonzero([step.mistake for step in self.steps])
        self.opens = self._turning_point()
        self.cells = plane.on_grid(features, data.bounds)
        self.corners = plane.on_corners(features, data.bounds)
        said = [preprocessing(features, data.names), *self.stable()]
        self.note = " ".join([*said, *marks.fewer_epochs(len(data.X), epochs)])

    def views(self) -> list[View]:
        """Return the picture, the weight space, and how far the run has come."""
        return [
            View("The line and the sample visited", self.picture),
            View("Weight space: the update, tip to tail", self.weight_space, height=1.4),
            *self.how_far(),
        ]

    @abstractmethod
    def stable(self) -> list[str]:
        """Write which learning rates are stable, if some are not."""

    def how_far(self) -> list[View]:
        """Return errors and loss against the epochs."""
        kept, data = self.summary.history, self.data
        assert kept is not None
        measure = measured(self.steps, data.X, data.labels, self.features, data.moved)
        log = self.steps[-1].event == "diverged"
        shown = marks.progress(kept, len(self.F), self.loss, measure, log=log)
        return [View(marks.progress_title(kept), shown, ahead=True)]

    def picture(self, now: int) -> Figure:
        """Draw the predicting line, a dashed line, and a frame around the visited sample.

        The dashed line is the one before this visit's update. If the average or the pocket
        predicts, the dashed line is that of the weights in training. At the first and last step of
        a run without a separator, dotted lines show how points of either class mix into the same
        place, a cross.
        """
        data, step = self.data, self.steps[now]
        other = self.steps[now - 1] if trained(step) and step.amount else step
        dashed = self.corners @ other.weights + other.bias
        if trained(step) and not step.amount:
            dashed = np.ones(len(self.corners))  # nowhere 0
        spokes = cross = plane.GAP
        if isinstance(self.known, Overlap) and now in (0, len(self.steps) - 1):
            place = self.known.place(data.X, data.labels)
            used = data.X[self.known.mixture > 0]
            spokes, cross = plane.joined([np.stack([x, place]) for x in used]), place[None]
        scores = step.decision_function(self.corners)
        dashed_line = plane.straight_border(
            dashed, data.bounds, line={"width": 2, "dash": "dash"}, name=_DASHED
        )
        predicting = plane.straight_border(scores, data.bounds, line={"width": 3})
        normal = self._normal(step, predicting)
        traces = [
            plane.regions(self.found(now).classes, None, data.bounds),
            plane.line(
                spokes,
                line={"width": 2, "dash": "dot"},
                name="points whose mixtures meet in one place",
            ),
            plane.line(
                cross,
                mode="markers",
                marker={"symbol": "x", "size": 14},
                name="in the hull of both classes: no line separates them",
            ),
            dashed_line,
            predicting,
            normal,
            *self._names(step, dashed_line, predicting, normal),
            marks.visited(data, step.index),
        ]
        wrong = step.predict(self.F) != data.labels
        points = plane.points(data.X, data.labels, wrong)
        return plane.figure(traces, data.bounds, data.names, points=points, classes=data.classes)

    def _turning_point(self) -> int:
        """Return an update of the first two epochs that shows its point, with a line before it.

        It puts its sample right and others not wrong, if there is such an update. If other weights
        predict than those in training, it does most harm, which they survive. Of several that do
        equally well, it is the largest.
        """
        updates, path = self.summary.updates, self.summary.path
        early = updates[1 : int((updates <= 2 * len(self.data.X)).sum())].tolist()
        if len(early) < 2:
            return 0
        worse = np.diff([self.errors_in_training(now) for now in early])
        moves = np.linalg.norm(np.diff(path[1 : len(early) + 1], axis=0), axis=1)
        keys = [-moves, -worse]
        if all(trained(self.steps[now]) for now in early):
            keys = [-moves, worse > 0, [not self.puts_right(now) for now in early[1:]]]
        return early[1 + np.lexsort(keys)[0]]

    def puts_right(self, now: int) -> bool:
        """Return whether the sample visited is on its right side after the visit."""
        step, i = self.steps[now], self.steps[now].index
        return bool(step.predict(self.F[[i]])[0] == self.data.labels[i])

    def errors_in_training(self, now: int) -> int:
        """Count the points on the wrong side of the weights in training."""
        step = self.steps[now]
        above = self.F @ step.weights + step.bias > 0
        return int(np.count_nonzero(above != (self.data.labels == step.classes[1])))

    def _normal(self, step: S, predicting: dict) -> dict:
        """Draw the direction of w from the middle of the line that predicts."""
        left, right, bottom, top = self.data.bounds
        ends = marks.places(predicting)
        way = step.model_weights * self.features.spread
        length = float(np.hypot(*(way / [right - left, top - bottom])))
        ends = ends[np.isfinite(ends).all(axis=1)]
        seen = len(ends) > 0 and length > 0
        middle = ends.mean(axis=0) if seen else plane.GAP[0]
        tip = middle + _NORMAL / length * way if seen else None
        return marks.arrow(middle, tip, ("", "w"), name="w: it points to the side of y = +1")

    def _names(self, step: S, dashed: dict, predicting: dict, normal: dict) -> list[dict]:
        """Write the key, and name the sample and both lines: the dashed one at its upper end.

        A name is as near to the end as no line or point is in its way.
        """
        left, right, bottom, top = self.data.bounds
        size = np.array([right - left, top - bottom])
        lines = [naming.along(marks.places(line)) for line in (dashed, predicting)]
        said = ("before", "") if trained(step) else ("in training", self.variant)
        key = naming.Name(_KEY, [naming.corner(self.data.bounds, "bottom left")], {})
        names = [key, marks.sample_name(self.data, step.index)]
        for text, places, way in zip(said, lines, (1, -1), strict=True):
            from_the_end = places[np.argsort(-way * (places / size).sum(axis=1))]
            where = list(product(from_the_end[_EVERY::_EVERY], _SIDES))
            names.append(naming.Name(text, where, {"size": 15}))
        taken = [self.data.X, self.picked_place[None], marks.places(normal), *lines]
        box = (left, right, bottom, top - _LEGEND * size[1])
        return naming.clear_names(names, box, np.concatenate(taken))

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        classes = self.steps[now].predict(self.cells)
        return Regions(classes.reshape(2 * [int(len(classes) ** 0.5)]))

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict]]:
        """Return the line that predicts."""
        scores = self.steps[now].decision_function(self.corners)
        return [[plane.straight_border(scores, self.data.bounds, line=LOOK, opacity=FAINT)]]

    def weight_space(self, now: int) -> Figure:
        """Draw a visit's update as vectors, tip to tail, in the plane of the two weights.

        Faint: the path of the updates, or of the latest ones of a long run. A diamond marks the
        predicting weights if they are not the weights in training; a dotted ray points to the best
        separator.
        """
        step, origin = self.steps[now], np.zeros(2)
        updates, path = self.summary.updates, self.summary.path
        before = self.steps[now - 1] if step.amount else step
        made = int(np.searchsorted(updates, now, side="right"))
        whole = len(path) <= _WHOLE
        so_far = path[0 if whole else max(made - _LATEST, 0) : made]
        window = path[: max(_WINDOW, 2 ** made.bit_length())]  # so that the axes seldom change
        shown = np.stack([origin, before.weights, step.weights, step.model_weights, *window])
        low, high = shown.min(axis=0), shown.max(axis=0)
        best = origin if isinstance(self.known, Overlap) else self.known.weights
        far = 2 * np.abs(path).max(initial=0.0) / (np.abs(best).max() or 1.0)
        old, new = (before.weights, step.weights) if step.amount else (None, None)
        hue = color(int(self.data.labels[step.index])) if step.amount else GREY
        averaged = self.variant != "plain"
        traces = [
            plane.line(
                np.stack([origin, far * best]), name="best", showlegend=bool(best.any()),
                line={"width": 2, "dash": "dot", "color": GREY},
            ),
            plane.line(
                so_far, name="path" if whole else f"path, last {_LATEST}", showlegend=True,
                mode="lines+markers", opacity=0.4, line={"width": 1}, marker={"size": 4},
            ),
            marks.arrow(origin, old, color=GREY, name="old w", showlegend=old is not None),
            marks.arrow(origin, step.weights, name="new w", showlegend=True),
            marks.arrow(before.weights, new, color=hue, name="change", showlegend=new is not None),
            plane.line(
                plane.GAP if trained(step) else step.model_weights[None],
                mode="markers", name=self.variant, showlegend=averaged,
                marker={"symbol": "diamond-open", "size": 14, "line": {"width": 3}},
            ),
        ]  # fmt: skip
        to = f" → {decimal(step.bias)}" if step.amount else ""
        layout = marks.weight_plane(low, high, f"b = {decimal(before.bias)}{to}")
        return curves.with_legend({"data": traces, "layout": layout})

    def start(self) -> str:
        """Write the initial weights, and the y of each class."""
        step = self.steps[0]
        low, high = (self.data.classes[k] for k in step.classes)
        return (
            f"Start: w = {vector(step.weights)}, b = {decimal(step.bias)}. Class {low} is y = −1, "
            f"class {high} is y = +1."
        )

    def no_separator(self) -> str:
        """Write the first caption of a run on classes that no line separates."""
        return (
            "No separator exists (linear programming): every line has a point on the wrong side.\n"
            f"{self.start()} Dotted: the place ✕ is a weighted mean of each class's points, and no "
            "line has one place on both of its sides."
        )

    def wrong(self, now: int) -> str:
        """Count the training points on the wrong side of the line that predicts."""
        step = self.steps[now]
        errors = step.errors(self.F, self.data.labels)
        if not trained(step):
            return f"the {self.variant} line gets {errors} of {len(self.F)} wrong"
        return f"{errors} of {len(self.F)} points {'is' if errors == 1 else 'are'} wrong"

    def epoch_over(self, now: int) -> str:
        """Write how many mistakes the finished epoch had."""
        step = self.steps[now]
        made = step.mistakes - self.steps[now - len(self.F)].mistakes
        return f"{marks.epoch_over(step.epoch, made, step.mistakes)}; {self.wrong(now)}."

    def sign(self, now: int) -> str:
        """Write the y of the sample visited."""
        step = self.steps[now]
        return "+1" if self.data.labels[step.index] == step.classes[1] else "−1"

    def visit(self, now: int) -> str:
        """Write the epoch and the sample of the visit."""
        step = self.steps[now]
        which = f"sample {step.index + 1} of class {self.class_of(step.index)}"
        return f"Epoch {step.epoch}, {which} (y = {self.sign(now)})"

    def score(self, now: int) -> str:
        """Write the score of the visited sample with its numbers."""
        step, before = self.steps[now], self.steps[now - 1]
        total = weighted_sum(before.weights, self.F[step.index], before.bias)
        return f"{self.visit(now)}, score o = w·x + b = {total} = {decimal(step.score)}."

    def update(self, now: int, rule: str, factor: str, added: str) -> str:
        """Write the rule with a visit's numbers. factor : after η. added : to b."""
        step, before = self.steps[now], self.steps[now - 1]
        x, old, new = vector(self.F[step.index]), vector(before.weights), vector(step.weights)
        said = (
            f"{self.visit(now)}, score o = {decimal(step.score)}; w ← w + {rule} x = {old} + "
            f"{factor} · {x} = {new}; b ← {decimal(before.bias)} + {added} = {decimal(step.bias)}."
        )
        return said.replace("− −", "+ ").replace("+ −", "− ")

    def picked(self, now: int) -> str:
        """Write on which side of the predicting line the picked point is."""
        step = self.steps[now]
        score = float(step.decision_function(self.x[None])[0])
        name = self.data.classes[int(step.predict(self.x[None])[0])]
        total = f"{weighted_sum(step.model_weights, self.x, step.model_bias)} = {decimal(score)}"
        whose = "" if trained(step) else f", by the {self.variant} line"
        side = "> 0" if score > 0 else "≤ 0"
        return f"Picked point{whose}: class {name}, as its score w·x + b = {total} {side}."

    def class_of(self, i: int) -> str:
        """Return the name of a sample's class."""
        return self.data.classes[self.data.labels[i]]

    def place(self, i: int) -> Place:
        """Return where a sample is in the picture."""
        x, y = self.data.X[i].tolist()
        return (0, x, y)


def trained(step: PerceptronStep | DeltaRuleStep) -> bool:
    """Return whether the weights in training are the predicting ones."""
    same = step.model_bias == step.bias
    return same and bool((step.model_weights == step.weights).all())
