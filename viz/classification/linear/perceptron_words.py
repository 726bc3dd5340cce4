"""Words for the perceptron and the delta rule: what a visit did, with its numbers in the rule."""

from dataclasses import dataclass

import numpy as np

from algorithms.classification.linear.perceptron import PerceptronStep, largest_stable_rate
from algorithms.classification.linear.perceptron_bound import Overlap, Proof, Separator
from viz.classification.linear.perceptron import Training, trained
from viz.classification.linear.perceptron_account import History
from viz.core.preparation import preprocessing
from viz.core.words import counted, decimal, number, vector, weighted_sum


@dataclass(frozen=True)
class Settings:
    """What was asked of a run: learning rate, weights at the start, and epochs.

    allowed : the epochs that there is time for.
    """

    rate: float
    init: str
    epochs: int
    allowed: int


def note(training: Training, settings: Settings) -> str:
    """Say what holds for the whole run."""
    said = [preprocessing(training.features, training.data.names)]
    if training.delta:
        stable = largest_stable_rate(training.F)
        said.append(f"Learning rates below {number(stable)} keep the delta rule stable.")
    return " ".join([*said, *fewer_epochs(settings, len(training.data.X))])


def fewer_epochs(settings: Settings, n: int) -> list[str]:
    """Say so where there is no time for all epochs that were asked for."""
    if settings.allowed >= settings.epochs:
        return []
    return [f"With {n} points there are at most {settings.allowed} epochs."]


def bound_title(proof: Proof, init: str) -> str:
    """Say in the title of the bound's view what the bound is."""
    formula = ", as k ≤ (R/γ)²" if init == "zeros" else ""
    return f"At most {count(proof.bound)} mistakes{formula}: the proof"


def progress_title(kept: History) -> str:
    """Say in the title of the errors' view what the curves leave out."""
    return "Training errors and loss" + f", 1 visit in {kept.stride}" * (kept.stride > 1)


def caption(training: Training, now: int, rate: float) -> str:
    """Say what visit `now` did, then its numbers in the rule, then what the picked point gets."""
    step = training.steps[now]
    if now == 0:
        said = _start(training)
    elif step.event == "converged" and training.proof and step.mistakes:
        said = [_converged(training, step), _against_the_worst(training)]
    else:
        ending = _ENDINGS.get(step.event or "")
        rule = _update(training, now, rate) if step.amount else _score(training, now)
        otherwise = _otherwise(training, step)
        said = [ending(training, step) if ending else otherwise or _visit(training, now), rule]
    return "\n".join([*said, _picked(training, step)])


def _start(training: Training) -> list[str]:
    step, known = training.steps[0], training.known
    low, high = (training.data.classes[k] for k in step.classes)
    start = (
        f"Start: w = {vector(step.weights)}, b = {decimal(step.bias)}. Class {low} is y = −1, "
        f"class {high} is y = +1."
    )
    if isinstance(known, Overlap):
        return [
            "No separator exists (linear programming): every line has a point on the wrong side.",
            f"{start} Points of either class mix into the same place ✕, which no line has on both "
            "sides.",
        ]
    if training.proof is None and not training.delta:
        return [
            "A separator exists (linear programming); the bound on the mistakes is one of the rule "
            "as it is.",
            start,
        ]
    if training.proof is None:
        return [
            "A separator exists (linear programming), but the delta rule looks for the least "
            "squared error.",
            f"{start} w ← w + η (y − o) x at every sample, right or wrong.",
        ]
    only = "the start, η and two numbers" if any((*step.w, step.bias)) else "two numbers only"
    return [
        "A separator exists (linear programming): there can be at most "
        f"{count(training.proof.bound)} mistakes.",
        f"{start} The bound knows {only}: the longest sample, R = "
        f"{decimal(known.radius)}, and the best margin, γ = {decimal(known.margin)}.",
    ]


def _visit(training: Training, now: int) -> str:
    step, steps = training.steps[now], training.steps
    sample = f"Sample {step.index + 1}"
    if step.event == "end of epoch":
        made = step.mistakes - steps[now - len(training.F)].mistakes
        return f"{epoch_over(step.epoch, made, step.mistakes)}; {_wrong(training, step)}."
    if step.mistake:
        limit = f" of at most {count(training.proof.bound)}" if training.proof else ""
        why = "is on the wrong side" if step.score else "has the score 0, which counts as wrong"
        return (
            f"{sample} {why}, mistake {step.mistakes}{limit}: the weights move; "
            f"{_wrong(training, step)}."
        )
    if training.delta:
        return (
            f"{sample} is on its right side, but its score is {number(step.score)} and not "
            f"{_sign(training, step)}: the weights move; {_wrong(training, step)}."
        )
    return f"{sample} is on its right side: nothing changes; {_wrong(training, step)}."


def epoch_over(epoch: int, made: int, in_all: int) -> str:
    """Say how many mistakes an epoch had."""
    return f"Epoch {epoch} is over, with {counted(made, 'mistake')} ({in_all} in all)"


def _otherwise(training: Training, step: PerceptronStep) -> str:
    """Say which update was skipped, or made although the sample is right."""
    sample = f"Sample {step.index + 1}"
    if step.event == "skipped":
        why = "is on the wrong side" if step.score else "has the score 0, which counts as wrong"
        return f"{sample} {why}, but its update is skipped; {_wrong(training, step)}."
    if step.event == "forced":
        return (
            f"{sample} is on its right side, but an update is made all the same; "
            f"{_wrong(training, step)}."
        )
    return ""


def _score(training: Training, now: int) -> str:
    step, before = training.steps[now], training.steps[now - 1]
    total = weighted_sum(before.weights, training.F[step.index], before.bias)
    return f"{_which(training, step)}; o = w·x + b = {total} = {decimal(step.score)}."


def _which(training: Training, step: PerceptronStep) -> str:
    """Name the visit: its epoch and its sample."""
    return f"Epoch {step.epoch}, sample {step.index + 1}: y = {_sign(training, step)}"


def _update(training: Training, now: int, rate: float) -> str:
    step, before = training.steps[now], training.steps[now - 1]
    y, o = _sign(training, step), decimal(step.score)
    rule, factor, added = "η y", f"({y})", f"{rate:g} · ({y})"
    if training.delta:
        rule, factor, added = "η (y − o)", f"({y} − {o})", decimal(step.amount)
    x = vector(training.F[step.index])
    return (
        (
            f"{_which(training, step)}, o = {o}; w ← w + {rule} x = {vector(before.weights)} + "
            f"{rate:g} · {factor} · {x} = {vector(step.weights)}; "
            f"b ← {decimal(before.bias)} + {added} = {decimal(step.bias)}."
        )
        .replace("− −", "+ ")
        .replace("+ −", "− ")
    )


def _against_the_worst(training: Training) -> str:
    """Say why the mistakes are fewer than their bound: it takes each for the worst there can be."""
    known = training.known
    assert isinstance(known, Separator)
    wrong = [step.index for step in training.steps if step.mistake]
    A = np.column_stack([training.F, np.ones(len(training.F))])
    lengths = np.sqrt((A * A).sum(axis=1))[wrong]
    apart = np.abs(A @ np.append(known.weights, known.bias))[wrong]
    return (
        f"The bound takes every mistake for the worst: R = {decimal(known.radius)} long and only "
        f"γ = {decimal(known.margin)} from the best separator. These were, on average, "
        f"{decimal(lengths.mean())} long and {decimal(apart.mean())} from it."
    )


def _picked(training: Training, step: PerceptronStep) -> str:
    """Say on which side of the line that predicts the picked point is."""
    x = training.features(training.picked[None])
    score = float(step.decision_function(x)[0])
    name = training.data.classes[int(step.predict(x)[0])]
    sign = "> 0" if score > 0 else "≤ 0"
    total = f"{weighted_sum(step.model_weights, x[0], step.model_bias)} = {decimal(score)}"
    whose = "" if trained(step) else ", by the line that predicts"
    return f"Picked point{whose}: w·x + b = {total} {sign}, so class {name}."


def _stopped(training: Training, step: PerceptronStep) -> str:
    if training.delta:
        why = (
            "It corrects at every sample, also near the least-squares line: a smaller η moves less."
        )
    elif isinstance(training.known, Overlap):
        why = "No separator exists (✕), so it never stops by itself."
    else:
        why = "A separator exists: allow more epochs."
    return (
        f"Stopped: max_epochs = {step.epoch} are over, after "
        f"{counted(step.mistakes, 'mistake')}; {_wrong(training, step)}. {why}"
    )


def _converged(training: Training, step: PerceptronStep) -> str:
    if training.delta:
        exact = step.squared_error(training.F, training.data.labels) < 1e-9
        nearer = "" if exact else " A smaller η ends nearer to the least squared error."
        return f"Converged: epoch {step.epoch} brought the weights back to where it began.{nearer}"
    limit = f", of at most {count(training.proof.bound)}" if training.proof else ""
    return (
        f"Converged: epoch {step.epoch} had no mistake; {counted(step.mistakes, 'mistake')} in "
        f"all{limit}."
    )


def _cycle(_training: Training, step: PerceptronStep) -> str:
    ago = "one epoch ago" if step.period == 1 else f"{step.period} epochs ago"
    return (
        f"Cycle: after epoch {step.epoch} the weights are those of {ago}, so the same mistakes "
        "repeat for ever. No separator exists (✕)."
    )


def _diverged(_training: Training, _step: PerceptronStep) -> str:
    return "Diverged: the learning rate η is too high, every update overshoots by more."


_ENDINGS = {
    "stopped at max_epochs": _stopped,
    "converged": _converged,
    "cycle": _cycle,
    "diverged": _diverged,
}


def _wrong(training: Training, step: PerceptronStep) -> str:
    """Count the training points on the wrong side of the line that predicts."""
    return f"{step.errors(training.F, training.data.labels)} of {len(training.data.X)} points wrong"


def _sign(training: Training, step: PerceptronStep) -> str:
    return "+1" if training.data.labels[step.index] == step.classes[1] else "−1"


def count(bound: float) -> str:
    """Write the largest whole number up to the bound, shortly where it is huge."""
    return number(int(bound * (1 + 1e-9)), 2)  # rounding may leave an integer a little too small
