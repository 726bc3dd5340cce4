"""Gradient descent or Newton's method: the probabilities, the loss, and the way down."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
)
from algorithms.classification.linear.logistic_regression.logistic_summary import Summary
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear.logistic_regression import calibration, questions
from viz.classification.linear.logistic_regression.scores import (
    SPREAD,
    Scored,
    sigmoid,
    sigmoid_title,
    softmax,
)
from viz.classification.linear.logistic_regression.valley import weight_space
from viz.core import curves, naming, panels, plane, what_if
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import decimal, equals, fixed, listed, number, rounded, vector, weighted_sum

_SIDES = ("bottom right", "bottom left", "top right", "top left")  # of a border, for its name
_UNSEEN = 1e-6  # of a weight: a change that no written digit shows
_MOVED = 0.004  # of the picture: if less changes its class, the border hardly moves
_SURER = 0.002  # of the mean probability of the predicted classes: less is not seen


class Descent(Show[LogisticRegressionStep]):
    """Steps that lower the loss."""

    opens = 3  # while the border still turns

    def __init__(
        self,
        run: Run,
        data: Plane,
        features: PolynomialFeatures,
        summary: Summary,
        method: str,
        held: ndarray,
        picked: ndarray,
    ) -> None:
        """Map the points and the picture to the features of the run.

        held : (n,) which points were held out. picked : (2,) the place whose score is shown.
        """
        super().__init__(run, data)
        self.features, self.summary, self.held = features, summary, held
        self.newton = method == "newton"
        self.direction = "H⁻¹g" if self.newton else "g"
        self.units = " in standardised units" if (features.spread != 1).any() else ""
        self.cells = plane.on_grid(features, data.bounds)
        self.corners = plane.on_corners(features, data.bounds)
        self.straight = len(features.names) == 2  # no products
        self.picked, self.x = picked, features(picked[None])
        self.names = [data.classes[k] for k in self.steps[0].classes]
        self.scored = Scored(self.steps, data, features(data.X), held, self.x)
        said = [
            preprocessing(features, data.names),
            *([SPREAD] if len(self.names) == 2 else []),
            f"Learning rates below {number(summary.safe)} never raise the loss.",
        ]
        if held.any():
            n = np.count_nonzero(held)
            said.append(
                f"The {n} held-out points do not change the weights. "
                "The probabilities of the predicted classes, added up over them, say how many the "
                "model promises to get right."
            )
        self.note = " ".join(said)

    def views(self) -> list[View]:
        """Return the picture, the scores with their probabilities, the loss, and the valley."""
        two = len(self.names) == 2
        border = "the 0.5 line" if two else "the borders"
        views = [
            View(f"Probabilities, {border} and the points", self.picture),
            View(sigmoid_title(self.scored), sigmoid(self.scored), height=2, board=False)
            if two
            else View("Picked point: scores and probabilities", softmax(self.scored)),
            View("Loss at every step", self.losses(), ahead="by step"),
        ]
        if self.summary.calibration:
            found = self.summary.calibration
            views.append(View(calibration.TITLE, calibration.reliability(found, len(self.names))))
        if self.summary.valley:
            title = "Path of the weights on the loss (at the best b)"
            path = weight_space(self.steps, self.summary.valley)
            views.append(View(title, path, height=1.6))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the most probable class everywhere, fainter where uncertain, and the borders."""
        data, scores = self.data, self._on_grid(now)
        if len(self.names) == 2:
            confidence = np.tanh(np.abs(scores[0]) / 2)  # = 2 P(winner) - 1
        else:
            confidence = plane.certainty(scores.max(axis=0), len(scores))
        region = plane.regions(self._winners(scores), confidence, data.bounds)
        drawn = self.scored.points(self.steps[now], data.X, np.arange(len(data.X)))
        before, border = self._border_before(now), self._border(now, scores)
        traces = [region, before, border, *self._name_before(now, before, border)]
        return plane.figure(
            traces, data.bounds, data.names, classes=data.classes, query=self.picked, **drawn
        )

    def found(self, now: int) -> Regions:
        """Return the most probable class of every cell of the picture."""
        return Regions(self._winners(self._on_grid(now)))

    def ghost(self, since: int, now: int) -> Sequence[Sequence[dict]]:
        """Return where the classes change, and the loss."""
        look = {"line": what_if.LOOK, "opacity": what_if.FAINT}
        loss = [step.loss for step in self.steps]
        return [[self._border(now, self._on_grid(now)) | look], [], [what_if.curve(loss, since)]]

    def _on_grid(self, now: int) -> ndarray:
        """Return the score of every cell, (1, s, s), or the probabilities of several classes."""
        step, size = self.steps[now], int(len(self.cells) ** 0.5)
        if len(self.names) == 2:
            return step.decision_function(self.cells).reshape(1, size, size)
        # One row a class: NumPy is slow at reducing over a short last axis.
        return np.ascontiguousarray(step.predict_proba(self.cells).T).reshape(-1, size, size)

    def _winners(self, scores: ndarray) -> ndarray:
        """Return the class of every cell by its scores."""
        if len(scores) == 1:
            return self.steps[0].classes[(scores[0] > 0).astype(int)]
        return self.steps[0].classes[scores.argmax(axis=0)]

    def _border(self, now: int, scores: ndarray) -> dict:
        """Draw where the classes change."""
        bounds, wide = self.data.bounds, {"width": 3}
        if len(self.names) == 2 and self.straight:
            corners = self.steps[now].decision_function(self.corners)
            return plane.straight_border(corners, bounds, line=wide)
        x, y, _ = plane.grid(bounds)
        if len(scores) == 1:
            scores = np.concatenate([scores, -scores])
        return plane.borders(x, y, scores, line=wide)

    def _border_before(self, now: int) -> dict:
        """Draw a straight border of the step before, to show how it moves."""
        look = {"line": {"width": 2, "dash": "dash", "color": GREY}, "name": "border before"}
        if now == 0 or len(self.names) > 2 or not self.straight:
            return plane.line(plane.GAP, **look)
        corners = self.steps[now - 1].decision_function(self.corners)
        return plane.straight_border(corners, self.data.bounds, **look)

    def _name_before(self, now: int, before: dict, border: dict) -> list[dict]:
        """Write beside the border of the step before what it is, where the step moves it."""
        old, new = (
            naming.along(np.column_stack([plane.unpacked(line[axis]) for axis in "xy"]))
            for line in (before, border)
        )
        where = [(at, side) for at in old[30:-30:5] for side in _SIDES] if self._moves(now) else []
        name = naming.Name("border before", where, {"size": 14})
        taken = np.concatenate([self.data.X, self.picked[None], new, old])
        return naming.clear_names([name], self.data.bounds, taken)

    def losses(self) -> Callable[[int], Figure]:
        """Draw the loss at every step, and dashed the loss of the held-out points."""
        series = {"training": np.array([step.loss for step in self.steps])}
        if self.summary.held_loss is not None:
            series["held out"] = self.summary.held_loss
        last = len(self.steps) - 1
        at_step = plane.packed(np.arange(last + 1))
        lines = [
            panels.curve(
                at_step,
                plane.packed(values),
                mode="lines+markers" if last <= 60 else "lines",
                marker={"size": 4},
                line={"width": 2.5, "dash": dash},
                name=name,
                showlegend=True,
                hoverinfo="all",
                hovertemplate=f"step %{{x}}: {name} %{{y:.5g}}<extra></extra>",
            )
            for (name, values), dash in zip(series.items(), ("solid", "dash"), strict=False)
        ]
        highest = max(float(values.max()) for values in series.values())
        layout = curves.panel_layout(
            xaxis=panels.axis("step", 0.0, float(last)),
            yaxis=panels.axis("loss", 0.0, highest),
        )

        def at(now: int) -> Figure:
            marks = [curves.marked(now, float(v[now]), showlegend=False) for v in series.values()]
            drawn = {"data": [*lines, *marks], "layout": layout}
            return curves.with_legend(drawn) if len(series) > 1 else drawn

        return at

    def caption(self, now: int) -> str:
        """Write what the step did, its numbers in the rule, and the picked point's probability."""
        said = self._step(now) if now else self._start()
        return f"{said}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point changes sides or gets less probable, or where line or loss go."""
        return questions.next_step(self.scored, self.corners, now, rng)

    def _start(self) -> str:
        step, n = self.steps[0], np.count_nonzero(~self.held)
        if step.t.any():
            line = "a random line" if self.straight and len(self.names) == 2 else "random weights"
            said = (
                f"Start: {line}. {round(step.accuracy * n)} of {n} points are right.\n"
                f"The loss is {number(step.loss, 4)}."
            )
        else:
            said = (
                "Start: all weights are 0, so all classes have the same probability everywhere.\n"
                f"The loss is ln {len(self.names)} = {step.loss:.4f}."
            )
        return (
            f"{said} Next: w ← w − step · {self.direction}, where g is the gradient of the loss"
            f"{', H its curvature (the Hessian),' if self.newton else ''} and ‖g‖ = "
            f"{number(step.gradient_norm, 4)}."
        )

    def _step(self, now: int) -> str:
        step, known = self.steps[now], self.summary
        changed = step.learning_rate != self.steps[now - 1].learning_rate
        first = f"From here on η = {step.learning_rate:g}. " if changed else ""
        said = _EVENTS[step.event] if step.event else self._seen(now)
        if step.accuracy < 1:
            said = said.replace("the classes", "some points, not all,")
        n, held = np.count_nonzero(~self.held), ""
        if known.held_loss is not None and known.calibration is not None:
            found = known.calibration[now]
            promised = number(float(found.promised.sum()))
            of = f"{found.right.sum()} of {len(self.held) - n} right, {promised} promised"
            held = f" (held out {number(known.held_loss[now], 4)}, {of})"
        units = "" if self.straight and len(self.names) == 2 else self.units  # the picked point's
        halved = f", halved to {number(step.step_size)} so that the loss falls"
        way = (
            f"Newton's step divides the slope g by the curvature H{units}"
            f"{halved if 0 < step.step_size < 1 else ''}"
            if self.newton
            else f"a step against its slope g{units}"
        )
        return (
            f"{first}{said} {round(step.accuracy * n)} of {n} points are right.\n"
            f"Loss {number(step.loss + step.fall, 4)} → {number(step.loss, 4)}{held}: "
            f"{way}, {self._rule(now)}"
        )

    def _seen(self, now: int) -> str:
        """Write what the step changes in the picture, and the loss."""
        before, step = self.steps[now - 1], self.steps[now]
        loss = rounded(step.loss)
        if not before.weights.any():
            return f"A first border: the loss falls to {loss}."
        moves = self._moves(now)
        if step.last_rise and step.loss > step.started and step.step_size > self.summary.safe:
            return (
                f"The loss falls to {loss}, but it is above the loss at the start: steps of "
                f"η = {step.step_size:g} are too long."
            )
        if moves:
            return f"The border moves, and the loss falls to {loss}."
        training = self.scored.F[~self.held]
        sure, surer = (s.predict_proba(training).max(axis=1).mean() for s in (before, step))
        if surer - sure >= _SURER:
            return f"The border hardly moves, but the model gets surer: the loss falls to {loss}."
        return f"The border hardly moves any more: the loss is {loss}."

    def _moves(self, now: int) -> bool:
        """Return whether the step is seen to move the border."""
        if now == 0:
            return False
        old, new = (self._winners(self._on_grid(i)) for i in (now - 1, now))
        return bool(np.mean(old != new) >= _MOVED)

    def _rule(self, now: int) -> str:
        """Write the update rule with this step's numbers, or norms if there are many weights."""
        before, step = self.steps[now - 1], self.steps[now]
        rate, direction = step.step_size, self.direction
        if step.weights.size > 2 or not rate:
            weights = step.weights.size + step.intercepts.size
            size = number(float(np.linalg.norm(step.weights)), 4)
            rule = f"w ← w − {rate:g} · {direction} on {weights} weights at once: ‖w‖ = {size}"
            return f"{rule}, now ‖g‖ = {number(step.gradient_norm)}."
        old, new = before.weights[0], step.weights[0]
        step_down = np.where(np.abs(old - new) < _UNSEEN * np.abs(new), 0.0, old - new)
        was, taken = _exactly(old, step_down / rate, rate)
        return (
            f"w ← w − {rate:g} · {direction} = {was} − {rate:g} · {taken} = {vector(new)}, "
            f"and b ← {decimal(float(step.intercepts[0]))}."
        )

    def _picked(self, now: int) -> str:
        """Write what the model predicts at the picked point, with the numbers in its rule."""
        step = self.steps[now]
        P = step.predict_proba(self.x)[0].tolist()
        shares = [number(share) for share in P]
        if len(self.names) > 2:
            scores = vector(step.decision_function(self.x)[0])
            return (
                f"Picked point: scores {scores}, so P = ({', '.join(shares)}) for classes "
                f"{listed(self.names)}."
            )
        score = decimal(float(step.decision_function(self.x)[0]))
        total = f"is {score}"
        if self.straight:
            total = f"= {weighted_sum(step.weights[0], self.x[0], float(step.intercepts[0]))}"
            total = f"{total} = {score}{self.units and ' (x standardised)'}"
        return (
            f"Picked point: its score w·x + b {total}, so class {self.names[1]} has the "
            f"probability 1 / (1 + exp({_negated(score)})) {equals(P[1])} {shares[1]}."
        )


def _exactly(old: ndarray, taken: ndarray, rate: float) -> list[str]:
    """Write two vectors so precisely that old − rate · taken has its three decimals right.

    They have equally many decimals, at most six; where six are too few, five significant digits.
    """
    new = old - rate * taken
    for places in (3, 4, 5, 6):
        written = [values.round(places) for values in (old, taken)]
        close = all(map(partial(np.allclose, rtol=1e-4, atol=0), written, (old, taken)))
        sums = written[0] - rate * written[1]
        if close and [f"{a:.3f}" for a in sums] == [f"{a:.3f}" for a in new]:
            return [f"({', '.join(fixed(a, places) for a in v.tolist())})" for v in (old, taken)]
    return [f"({', '.join(number(a, 5) for a in v.tolist())})" for v in (old, taken)]


def _negated(text: str) -> str:
    return text.removeprefix("−") if text.startswith("−") else f"−{text}"


_EVENTS = {
    "separated": (
        "Every point is on its right side: from here, larger weights always lower the loss."
    ),
    "overshoot": "The loss rose: the step was too long.",
    "converged": (
        "Converged: the gradient is nearly 0, and the next step would hardly move the border."
    ),
    "diverged": "Diverged: the learning rate is too high, and the steps jump over the minimum.",
    "oscillates": (
        "Oscillates: the learning rate is too high, and the steps jump back and forth across the "
        "minimum."
    ),
    "weights grow without bound": (
        "The weights grow without bound: the classes can be separated, and no penalty holds them "
        "back."
    ),
    "stopped at max_iter": "Stopped: the allowed steps are used up, and the run has not converged.",
}
