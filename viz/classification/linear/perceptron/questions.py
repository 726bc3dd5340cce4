"""Questions: which sample is a mistake, and how do the line and the scores move?"""

import numpy as np
from numpy.random import Generator

from algorithms.classification.linear.perceptron.delta_rule import DeltaRuleStep
from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from viz.classification.linear.perceptron.line import Line, trained
from viz.core.question import Option, Question, question
from viz.core.words import decimal, enclosed, number, vector

_RARELY = 0.1  # of the visits at which nothing, or always the same, happens
_RISES, _FALLS = Option("it rises"), Option("it falls")
_SURE = 1e-9  # of the largest score: a smaller one is as good as 0


def next_visit(line: Line[PerceptronStep], now: int, rng: Generator) -> Question | None:
    """Ask which sample is a mistake, how the line turns, or whether it moves at all."""
    before, after = line.steps[now], line.steps[now + 1]
    kind, seldom = rng.random(), rng.random() < _RARELY
    if not any(before.w):
        return None
    if after.mistake and kind < 0.4:
        return _which(line, now)
    if after.mistake and kind < 0.8:
        return _turns(line, now)
    return _moves(line, now) if after.mistake or seldom else None


def _which(line: Line[PerceptronStep], now: int) -> Question | None:
    """Ask which sample is a mistake, among samples on their right side near the line."""
    before, after = line.steps[now], line.steps[now + 1]
    margins = before.margins(line.F, line.data.labels)
    sure = margins > _SURE * np.abs(margins).max()
    near = [i for i in np.argsort(margins, kind="stable").tolist() if sure[i]]
    options = [
        Option(f"sample {i + 1}, of class {line.class_of(i)}", line.place(i))
        for i in (after.index, *near[:4])
    ]
    reason = (
        f"Among these samples, w = {vector(before.w)} and b = {decimal(before.bias)} are wrong "
        f"only about this one: its score is {number(after.score)}, and its y is "
        f"{line.sign(now + 1)}."
    )
    text = "At the next visit the weights w are wrong. Which sample is it?"
    return question(text, options[0], options[1:], reason)


def _turns(line: Line[PerceptronStep], now: int) -> Question | None:
    """Ask which way the line turns at a given sample."""
    before, after = line.steps[now], line.steps[now + 1]
    (a, b), (c, d) = before.w, after.w
    cross, inner = a * d - b * c, a * c + b * d
    if inner <= 0 or abs(cross) < 0.02 * inner or not (trained(before) and trained(after)):
        return None
    ways = [Option("clockwise"), Option("anticlockwise")]
    right, wrong = ways if cross < 0 else ways[::-1]
    i, sign = after.index, line.sign(now + 1)
    reason = (
        f"The weights change by {'+' if sign == '+1' else '−'} η x, from {vector(before.w)} to "
        f"{vector(after.w)}, and the line turns with them: {right.text}."
    )
    text = f"Sample {i + 1} (?), of class {line.class_of(i)}, is a mistake. How does the line turn?"
    return question(text, right, [wrong], reason, line.place(i))


def _moves(line: Line[PerceptronStep], now: int) -> Question | None:
    """Ask whether a sample is on its right side, so that nothing moves."""
    before, after = line.steps[now], line.steps[now + 1]
    margins = before.margins(line.F, line.data.labels)
    if abs(margins[after.index]) <= _SURE * np.abs(margins).max():
        return None
    ways = [Option("no: they are right about it"), Option("yes: it is a mistake")]
    right, wrong = ways[::-1] if after.mistake else ways
    product = f"y (w·x + b) = {line.sign(now + 1)} · {enclosed(after.score)}"
    verb = (
        "is below 0: it is on the wrong side"
        if after.mistake
        else "is above 0: it is on its right side"
    )
    i = after.index
    text = f"Sample {i + 1} (?), of class {line.class_of(i)}, is next. Do the weights w move?"
    return question(text, right, [wrong], f"{product} {verb}.", line.place(i))


def next_score(line: Line[DeltaRuleStep], now: int, rng: Generator) -> Question | None:
    """Ask whether the delta rule moves a sample's score up or down."""
    after, sign = line.steps[now + 1], line.sign(now + 1)
    if rng.random() >= _RARELY or after.event == "diverged":
        return None
    if abs(after.score - float(sign.replace("−", "-"))) < 0.01:
        return None
    i = after.index
    right, wrong = (_RISES, _FALLS) if after.amount > 0 else (_FALLS, _RISES)
    reason = f"Its score is {number(after.score)} and should be {sign}, so {right.text}."
    text = f"Sample {i + 1} (?), of class {line.class_of(i)}, is next. What does its score do?"
    return question(text, right, [wrong], reason, line.place(i))
