"""The perceptron of several classes: a weight vector for each, and the highest score wins."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron.perceptron_multiclass import (
    PerceptronMulticlassStep,
)
from algorithms.classification.linear.perceptron.perceptron_summary import (
    MulticlassSummary,
    measured,
)
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear.perceptron import marks
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.preparation import preprocessing
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color
from viz.core.words import counted, listed, number, vector

_EARLY = 4  # mistakes: the lab opens at this one
_SHORT = 0.1  # of the weights' range: a shorter move has no arrow of its own


class SeveralClasses(Show[PerceptronMulticlassStep]):
    """Visits in which a mistake moves two of the weight vectors."""

    def __init__(
        self,
        run: Run,
        data: Plane,
        features: PolynomialFeatures,
        summary: MulticlassSummary,
        picked: ndarray,
        epochs: int | None = None,
    ) -> None:
        """Map the points and the picture to the features of the run.

        picked : (2,) the place whose scores are shown. epochs : the number of epochs there is time
        for, if that is less than was asked for.
        """
        super().__init__(run, data)
        self.summary = summary
        self.F, self.x = features(data.X), features(picked[None])
        self.cells = plane.on_grid(features, data.bounds)
        self.measure = measured(self.steps, data.X, data.labels, features)
        classes = self.steps[0].classes
        self.names = [data.classes[k] for k in classes]
        self.codes = np.searchsorted(classes, data.labels)  # of the points, among these
        early = min(_EARLY, self.steps[-1].mistakes)
        self.opens = next(now for now, step in enumerate(self.steps) if step.mistakes == early)
        said = [preprocessing(features, data.names)]
        self.note = " ".join([*said, *marks.fewer_epochs(len(data.X), epochs)])

    def views(self) -> list[View]:
        """Return the picture, the weight vectors, the mistakes by epoch, and errors and loss."""
        kept = self.summary.history
        progress = marks.progress(kept, len(self.F), "loss", self.measure, log=False)
        mistakes = marks.mistakes_by_epoch(self.steps, len(self.F))
        return [
            View("The highest score wins; the sample visited", self.picture),
            View("Weight space: a vector for every class", self.weight_space),
            View("Mistakes in every epoch", mistakes, ahead=True),
            View(marks.progress_title(kept), progress, ahead=True),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the classes' regions, the lines between them, and a frame around the sample."""
        data, step = self.data, self.steps[now]
        x, y, _ = plane.grid(data.bounds)
        scores = np.ascontiguousarray(step.scores(self.cells).T).reshape(-1, len(y), len(x))
        traces = [
            plane.regions(step.classes[scores.argmax(axis=0)], None, data.bounds),
            plane.borders(x, y, scores, line={"width": 3}),
            marks.visited(data, step.index),
        ]
        name = marks.sample_name(data, step.index)
        traces += naming.clear_names([name], data.bounds, data.X)
        wrong = step.predict(self.F) != data.labels
        points = plane.points(data.X, data.labels, wrong)
        return plane.figure(traces, data.bounds, data.names, points=points, classes=data.classes)

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        step = self.steps[now]
        classes = step.classes[step.scores(self.cells).argmax(axis=1)]
        return Regions(classes.reshape(2 * [int(len(classes) ** 0.5)]))

    def weight_space(self, now: int) -> Figure:
        """Draw every class's weight vector, and the changes that a mistake makes to two.

        If there is room, an arrow leads from the old tip of a changed vector to the new one.
        """
        step, origin = self.steps[now], np.zeros(2)
        before = self.steps[now - 1] if step.mistake else step
        moved = {self.codes[step.index]: "+x", step.rival: "−x"} if step.mistake else {}
        low, high = np.minimum(self.summary.low, 0), np.maximum(self.summary.high, 0)
        if np.abs(step.weights - before.weights).max() < _SHORT * (high - low).max():
            moved = {}  # no room for a shaft and its head
        traces = []
        for k, label in enumerate(step.classes.tolist()):
            end = step.weights[k] if k in moved else None
            traces += [
                marks.arrow(origin, step.weights[k], ["", self._tip(step, k)], color(label)),
                marks.arrow(before.weights[k], end, [moved.get(k, ""), ""], GREY),
            ]
        return {
            "data": traces,
            "layout": marks.weight_plane(low, high, f"b = {vector(step.biases)}"),
        }

    def _tip(self, step: PerceptronMulticlassStep, k: int) -> str:
        """Return the name at the tip of a class's vector, if it has one."""
        return self.names[k] if step.weights[k].any() else ""

    def caption(self, now: int) -> str:
        """Write what the visit did, its numbers in the rule, and the picked point."""
        step = self.steps[now]
        if now == 0:
            said = (
                "Start: all scores are 0, so any first sample is a mistake.\n"
                f"Each of the {len(self.names)} classes has its own weights w and its own bias b. "
                "A sample belongs to the class with the highest score w·x + b."
            )
        else:
            said = f"{self._said(now)}\n{self._rule(now)}"
        name = self.data.classes[int(step.predict(self.x)[0])]
        scores = vector(step.scores(self.x)[0])
        return f"{said}\nPicked point: class {name} has the highest of the scores {scores}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether more samples are wrong after two weight vectors have moved."""
        before, after = self.steps[now], self.steps[now + 1]
        if not after.mistake or not before.rows.any():
            return None
        i = after.index
        old, new = (step.errors(self.F, self.data.labels) for step in (before, after))
        own, rival = self.names[self.codes[i]], self.names[after.rival]
        x, y = self.data.X[i].tolist()
        reason = (
            f"Its features are added to the weights of class {own} and subtracted from those of "
            f"class {rival}. The number of wrong samples goes from {old} to {new} of {len(self.F)}."
        )
        text = (
            f"The sample ?, of class {own}, is taken for class {rival}, so both weight vectors "
            "move. What does the number of wrong samples do?"
        )
        return rises_or_falls(text, old, new, reason, place=(0, x, y))

    def _said(self, now: int) -> str:
        """Write what the visit did, or how the run has ended."""
        step, n = self.steps[now], len(self.F)
        errors = step.errors(self.F, self.data.labels)
        wrong = f"{errors} of {n} points {'is' if errors == 1 else 'are'} wrong"
        made = counted(step.mistakes, "mistake")
        if step.event == "converged":
            return f"Converged: epoch {step.epoch} had no mistake; {made} in all."
        if step.event == "cycle":
            ago = f"{counted(step.period, 'epoch')} ago"
            return f"Cycle: the weights are those of {ago}, so the same mistakes repeat for ever."
        if step.event == "stopped at max_epochs":
            return f"Stopped after all {counted(step.epoch, 'epoch')}, with {made}; {wrong}."
        if step.event == "end of epoch":
            in_epoch = step.mistakes - self.steps[now - n].mistakes
            return f"{marks.epoch_over(step.epoch, in_epoch, step.mistakes)}; {wrong}."
        sample, code = f"Sample {step.index + 1}", int(self.codes[step.index])
        own = self.names[code]
        if not step.mistake:
            return f"{sample} is right, class {own} wins: nothing changes; {wrong}."
        scores = self._scores(now)
        verb = "ties with" if scores[step.rival] == scores[code] else "is taken for"
        return (
            f"{sample} of class {own} {verb} class {self.names[step.rival]} (mistake "
            f"{step.mistakes}): both weight vectors move; {wrong}."
        )

    def _rule(self, now: int) -> str:
        """Write the visit's scores, and the changes after a mistake."""
        step, before = self.steps[now], self.steps[now - 1]
        which = (
            f"Epoch {step.epoch}, sample {step.index + 1}: its scores were "
            f"{vector(self._scores(now))}"
        )
        if not step.mistake:
            return f"{which} for classes {listed(self.names)}."
        changes = [
            f"class {self.names[k]}: w ← w {sign} x = {vector(step.weights[k])}, "
            f"b ← {number(before.biases[k])} {sign} 1 = {number(step.biases[k])}"
            for k, sign in ((int(self.codes[step.index]), "+"), (step.rival, "−"))
        ]
        return f"{which}, x = {vector(self.F[step.index])}; {'; '.join(changes)}."

    def _scores(self, now: int) -> ndarray:
        """Return the scores of the visited sample before the visit."""
        return self.steps[now - 1].scores(self.F[[self.steps[now].index]])[0]
