"""Which sample is a mistake, and what becomes of the line?"""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron import PerceptronStep
from viz.classification.linear.perceptron import Training, trained
from viz.core.question import Ask, Option, Place, Question, asking, question
from viz.core.words import decimal, enclosed, number, vector

_RARELY = 0.1  # of the visits at which nothing, or always the same, happens
_SURE = 1e-9  # of the largest score: a smaller one is as good as 0


def ask(training: Training) -> Ask:
    """Ask before a mistake which sample it is, or how the line turns; else if it is one."""
    steps = training.steps

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        kind, seldom = rng.random(), rng.random() < _RARELY
        if training.delta:
            return _rises(training, after) if seldom else None
        if not any(before.w):
            return None
        if after.mistake and kind < 0.4:
            return _which(training, before, after)
        if after.mistake and kind < 0.8:
            return _turns(training, before, after)
        return _moves(training, before, after) if after.mistake or seldom else None

    return asking(len(steps), about)


def _which(training: Training, before: PerceptronStep, after: PerceptronStep) -> Question | None:
    """Ask which sample the weights get wrong, among those of the right side nearest to the line."""
    margins = _margins(training, before)
    sure = margins > _SURE * np.abs(margins).max()
    near = [i for i in np.argsort(margins, kind="stable").tolist() if sure[i]]
    options = [
        Option(f"sample {i + 1}, of class {_class(training, i)}", _place(training, i))
        for i in (after.index, *near[:4])
    ]
    reason = (
        f"Of these, the weights w = {vector(before.w)}, b = {decimal(before.bias)} are wrong about "
        f"it alone: its score is {number(after.score)}, and its y is {_sign(training, after)}."
    )
    text = "The next visit is a mistake of the weights w. Which sample is it?"
    return question(text, options[0], options[1:], reason)


def _turns(training: Training, before: PerceptronStep, after: PerceptronStep) -> Question | None:
    """Ask which way the line turns; the sample that turns it is told."""
    (a, b), (c, d) = before.w, after.w
    cross, inner = a * d - b * c, a * c + b * d
    if inner <= 0 or abs(cross) < 0.02 * inner or not (trained(before) and trained(after)):
        return None
    ways = [Option("clockwise"), Option("anticlockwise")]
    right, wrong = ways if cross < 0 else ways[::-1]
    i, sign = after.index, _sign(training, after)
    reason = (
        f"The weights, at right angles to the line, get {'+' if sign == '+1' else '−'} η x: from "
        f"{vector(before.w)} to {vector(after.w)}, which is {right.text}."
    )
    text = (
        f"Sample {i + 1} (?), of class {_class(training, i)}, is a mistake. How does the line turn?"
    )
    return question(text, right, [wrong], reason, _place(training, i))


def _moves(training: Training, before: PerceptronStep, after: PerceptronStep) -> Question | None:
    """Ask whether a sample is on its right side."""
    margins = _margins(training, before)
    if abs(margins[after.index]) <= _SURE * np.abs(margins).max():
        return None
    ways = [Option("no: they are right about it"), Option("yes: it is a mistake")]
    right, wrong = ways[::-1] if after.mistake else ways
    product = f"y (w·x + b) = {_sign(training, after)} · {enclosed(after.score)}"
    verb = "is below 0: it is on the wrong side" if after.mistake else "is above 0: all is well"
    i = after.index
    text = f"Sample {i + 1} (?), of class {_class(training, i)}, is next. Do the weights w move?"
    return question(text, right, [wrong], f"{product} {verb}.", _place(training, i))


def _rises(training: Training, after: PerceptronStep) -> Question | None:
    """Ask which way the delta rule moves a sample's score, which it may move back."""
    sign = _sign(training, after)
    if abs(after.score - float(sign.replace("−", "-"))) < 0.01 or after.event == "diverged":
        return None
    ways = [Option("it rises"), Option("it falls")]
    right, wrong = ways if after.amount > 0 else ways[::-1]
    i = after.index
    reason = f"Its score is {number(after.score)} and should be {sign}: so {right.text}."
    text = f"Sample {i + 1} (?), of class {_class(training, i)}, is next. What does its score do?"
    return question(text, right, [wrong], reason, _place(training, i))


def _margins(training: Training, step: PerceptronStep) -> ndarray:
    """Give y (w·x + b) of all samples, negative for those that the weights get wrong."""
    signs = np.where(training.data.labels == step.classes[1], 1.0, -1.0)
    return signs * (training.F @ step.weights + step.bias)


def _class(training: Training, i: int) -> str:
    return training.data.classes[training.data.labels[i]]


def _sign(training: Training, step: PerceptronStep) -> str:
    return "+1" if training.data.labels[step.index] == step.classes[1] else "−1"


def _place(training: Training, i: int) -> Place:
    x, y = training.data.X[i].tolist()
    return (0, x, y)
