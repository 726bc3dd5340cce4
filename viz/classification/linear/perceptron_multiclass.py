"""Pictures and words for the perceptron of several classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron_multiclass import PerceptronMulticlassStep
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear import perceptron_multiclass_questions
from viz.classification.linear.perceptron import arrow, progress, weight_plane
from viz.classification.linear.perceptron_account import History, history, mistaken
from viz.classification.linear.perceptron_words import (
    Settings,
    epoch_over,
    fewer_epochs,
    progress_title,
)
from viz.core import plane
from viz.core.preparation import preprocessing
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, color
from viz.core.words import counted, listed, number, vector


@dataclass(frozen=True, eq=False)
class Account:
    """What is known of a run as a whole: errors and loss, and the corners of all weights."""

    history: History
    low: ndarray
    high: ndarray


@dataclass(frozen=True, eq=False)
class Training:
    """What every view of a run draws from; see that of two classes."""

    data: Plane
    features: PolynomialFeatures
    steps: Sequence[PerceptronMulticlassStep]
    account: Account
    picked: ndarray

    @cached_property
    def F(self) -> ndarray:
        """The features of the points, as the algorithm sees them."""
        return self.features(self.data.X)

    @cached_property
    def names(self) -> list[str]:
        """The names of the classes that the run knows."""
        return [self.data.classes[k] for k in self.steps[0].classes]

    def measure(self, now: int) -> tuple[int, float]:
        """Count the wrong training points at step `now`, and give the loss over all of them."""
        return mistaken(self.steps[now], F=self.F, y=self.data.labels)

    def own(self, now: int) -> int:
        """The place, among the classes that the run knows, of that of the sample visited."""
        label = self.data.labels[self.steps[now].index]
        return int(np.searchsorted(self.steps[0].classes, label))


def account(
    steps: Sequence[PerceptronMulticlassStep], data: Plane, features: PolynomialFeatures
) -> Account:
    """Find what holds for the whole run."""
    F, y = features(data.X), data.labels
    moved = np.concatenate([step.weights for step in steps if step.mistake or step.index < 0])
    return Account(
        history(len(steps), lambda now: mistaken(steps[now], F=F, y=y)),
        moved.min(axis=0),
        moved.max(axis=0),
    )


def several(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    account: Account,
    settings: Settings,
    picked: ndarray,
) -> Scene:
    """Show one weight vector a class: the highest score wins, and a mistake moves two of them."""
    training = Training(data, features, run.steps, account, picked)
    n = len(data.X)
    views = [
        View("The highest score wins; the sample visited", lambda now: picture(training, now)),
        View("Weight space: a vector for every class", lambda now: weight_space(training, now)),
        View(
            progress_title(account.history),
            progress(account.history, n, "loss", training.measure, log=False),
            ahead=True,
        ),
    ]
    note = [preprocessing(features, data.names), *fewer_epochs(settings, n)]
    return Scene(
        views,
        lambda now: caption(training, now),
        " ".join(note),
        ask=perceptron_multiclass_questions.ask(data, training.F, run.steps),
    )


def picture(training: Training, now: int) -> Figure:
    """Draw the classes' regions, the lines between them, and a ring around the visited sample."""
    data, step = training.data, training.steps[now]
    x, y, _ = plane.grid(data.bounds)
    scores = step.scores(plane.on_grid(training.features, data.bounds))
    scores = np.ascontiguousarray(scores.T).reshape(-1, len(y), len(x))
    visited = data.X[[step.index]] if step.index >= 0 else plane.GAP
    traces = [
        plane.regions(step.classes[scores.argmax(axis=0)], None, data.bounds),
        plane.borders(x, y, scores, line={"width": 3}),
        plane.rings(visited, size=24, line={"width": 3}),
    ]
    wrong = step.predict(training.F) != data.labels
    points = plane.points(data.X, data.labels, wrong)
    return plane.figure(traces, data.bounds, data.names, points=points)


def weight_space(training: Training, now: int) -> Figure:
    """Draw the weight vector of every class, and what a mistake adds to two of them.

    A dotted arrow leads from where such a vector was to where it is.
    """
    step, origin = training.steps[now], np.zeros(2)
    before = training.steps[now - 1] if step.mistake else step
    moved = {training.own(now): "+x", step.rival: "−x"} if step.mistake else {}
    known = training.account
    low, high = np.minimum(known.low, 0), np.maximum(known.high, 0)
    if np.abs(step.weights - before.weights).max() < 0.1 * (high - low).max():
        moved = dict.fromkeys(moved, "")  # no room for words
    traces = []
    for k, label in enumerate(step.classes.tolist()):
        traces += [
            arrow(origin, step.weights[k], ["", training.names[k]], color(label)),
            arrow(
                before.weights[k], step.weights[k] if k in moved else None,
                [moved.get(k, ""), ""], GREY,
            ),
        ]  # fmt: skip
    biases = f"b = {vector(step.biases)}"
    return {"data": traces, "layout": weight_plane(low, high, biases)}


def caption(training: Training, now: int) -> str:
    """Say what visit `now` did, then its numbers in the rule, then what the picked point gets."""
    step = training.steps[now]
    if now == 0:
        said = _start(training)
    else:
        rule = _update(training, now) if step.mistake else _scores(training, now)
        said = f"{_said(training, now)}\n{rule}"
    return f"{said}\n{_picked(training, step)}"


def _start(training: Training) -> str:
    return (
        "Start: all scores are 0, so the first sample is a mistake, whichever it is.\n"
        f"Each of the {len(training.names)} classes has weights w and a bias b of its own; "
        "a sample belongs to the class with the highest score w·x + b."
    )


def _said(training: Training, now: int) -> str:
    step, n = training.steps[now], len(training.F)
    wrong = f"{step.errors(training.F, training.data.labels)} of {n} points wrong"
    if step.event == "converged":
        made = counted(step.mistakes, "mistake")
        return f"Converged: epoch {step.epoch} had no mistake; {made} in all."
    if step.event == "cycle":
        ago = f"{counted(step.period, 'epoch')} ago"
        return f"Cycle: the weights are those of {ago}, so the same mistakes repeat for ever."
    if step.event == "stopped at max_epochs":
        return (
            f"Stopped: max_epochs = {step.epoch} are over, after "
            f"{counted(step.mistakes, 'mistake')}; {wrong}."
        )
    if step.event == "end of epoch":
        made = step.mistakes - training.steps[now - n].mistakes
        return f"{epoch_over(step.epoch, made, step.mistakes)}; {wrong}."
    own = training.names[training.own(now)]
    if not step.mistake:
        return f"Sample {step.index + 1} is right, class {own} wins: nothing changes; {wrong}."
    scores = training.steps[now - 1].scores(training.F[[step.index]])[0]
    tied = scores[step.rival] == scores[training.own(now)]
    return (
        f"Sample {step.index + 1} of class {own} {'ties with' if tied else 'is taken for'} class "
        f"{training.names[step.rival]}, mistake {step.mistakes}: both weight vectors move; {wrong}."
    )


def _which(training: Training, now: int) -> str:
    """Name the epoch, and give the scores that the visit found."""
    step, before = training.steps[now], training.steps[now - 1]
    return f"Epoch {step.epoch}: scores {vector(before.scores(training.F[[step.index]])[0])}"


def _scores(training: Training, now: int) -> str:
    return f"{_which(training, now)} for classes {listed(training.names)}."


def _update(training: Training, now: int) -> str:
    step = training.steps[now]
    changes = [
        f"class {training.names[k]}: w {sign} x = {vector(step.weights[k])}, "
        f"b {sign} 1 = {number(step.biases[k])}"
        for k, sign in ((training.own(now), "+"), (step.rival, "−"))
    ]
    x = vector(training.F[step.index])
    return f"{_which(training, now)}, x = {x}; {'; '.join(changes)}."


def _picked(training: Training, step: PerceptronMulticlassStep) -> str:
    """Say which class the picked point gets."""
    x = training.features(training.picked[None])
    name = training.data.classes[int(step.predict(x)[0])]
    return f"Picked point: scores {vector(step.scores(x)[0])}, so class {name}."
