"""What will the next epoch, or the next part of one update, do?"""

from itertools import pairwise

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.networks.backpropagation import BackpropagationStep
from viz.core.question import Ask, Option, Question, asking, question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.words import number
from viz.networks.backpropagation import Learning
from viz.networks.multilayer_perceptron import Trained
from viz.networks.multilayer_perceptron_words import unit_name

_TOLD, _SAFE = 0.002, 0.1  # a lead in probability that is one, and one that an epoch hardly turns
_CLEAR = 1.05  # times as large


def ask_training(shown: Trained) -> Ask:
    """Ask which point changes classes, and for the loss where it may rise."""
    steps = shown.steps
    F = shown.features(shown.data.X)
    jumps = any(after.loss > before.loss for before, after in pairwise(steps))

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        if jumps and rng.random() < 0.3:
            reason = f"It goes from {number(before.loss, 4)} to {number(after.loss, 4)}."
            text = "What does the loss do in the next epoch?"
            return rises_or_falls(text, before.loss, after.loss, reason)
        shares = before.predict_proba(F), after.predict_proba(F)
        return _changes(rng, shown, shares, before.classes)

    return asking(len(steps), about)


def _changes(
    rng: Generator, shown: Trained, shares: tuple[ndarray, ndarray], classes: ndarray
) -> Question | None:
    """Ask which point the border passes."""
    old, new = (each.argmax(axis=1) for each in shares)
    leads = [np.diff(np.sort(each, axis=1)[:, -2:])[:, 0] for each in shares]
    lead = np.minimum(*leads)

    def reason(i: int) -> str:
        probabilities = [number(float(each[i, new[i]])) for each in shares]
        return (
            f"The probability of class {shown.data.classes[classes[new[i]]]} goes from "
            f"{probabilities[0]} to {probabilities[1]} there, and is the largest."
        )

    yes, no = (lead > _TOLD) & (old != new), (lead > _SAFE) & (old == new)
    text = "Which point gets another class in the next epoch?"
    return which_point(rng, shown.data, text, yes, no, reason)


def ask_one_step(shown: Learning) -> Ask:
    """Ask which unit of a layer says most, which one's error is largest, and for the loss."""
    steps = shown.steps

    def about(now: int, _: Generator) -> Question | None:
        after = steps[now + 1]
        hidden = 0 < after.layer < len(after.weights)
        if after.phase == "forward" and hidden:
            values, text = (
                after.activations_known[after.layer],
                "says most, forward: the largest |a|",
            )
        elif after.phase == "backward" and hidden:
            values, text = after.deltas[0], "has the largest error, backward: the largest |δ|"
        elif after.phase == "again" and after.loss and after.loss_after:
            reason = f"It goes from {number(after.loss)} to {number(after.loss_after)}."
            text = "The weights are new. What does the loss at this point do?"
            return rises_or_falls(text, after.loss, after.loss_after, reason)
        else:
            return None
        return _largest(shown, after, values, f"Which unit of layer {after.layer} {text}?")

    return asking(len(steps), about)


def _largest(
    shown: Learning, after: BackpropagationStep, values: ndarray, text: str
) -> Question | None:
    """Ask for the unit with the largest of such values."""
    order = np.argsort(-np.abs(values), kind="stable").tolist()
    if len(order) == 1 or abs(values[order[0]]) <= _CLEAR * abs(values[order[1]]):
        return None
    places = shown.diagram.places(after.layer).tolist()
    options = [
        Option(unit_name(after, after.layer - 1, j, shown.data), (1, *places[j])) for j in order
    ]
    first, second = (number(float(values[j])) for j in order[:2])
    reason = f"It has {first}, and the next one, {options[1].text}, {second}."
    return question(text, options[0], options[1:], reason)
