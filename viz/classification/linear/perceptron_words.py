"""Words for the perceptron and the delta rule: what a visit did, with its numbers in the rule."""

from dataclasses import dataclass

from algorithms.classification.linear.perceptron import PerceptronStep, largest_stable_rate
from algorithms.classification.linear.perceptron_bound import Overlap, Proof
from viz.classification.linear.perceptron import Training, stride, trained
from viz.core.preparation import preprocessing
from viz.core.words import decimal, vector


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
        said.append(f"Learning rates below {stable:.3g} keep the delta rule stable.")
    if settings.allowed < settings.epochs:
        n = len(training.data.X)
        said.append(f"With {n} points there are at most {settings.allowed} epochs.")
    return " ".join(said)


def bound_title(proof: Proof, init: str) -> str:
    """Say in the title of the bound's view what the bound is."""
    formula = "(R/γ)² = " if init == "zeros" else ""
    return f"Length of (w, b) after k mistakes; k cannot pass {formula}{count(proof.bound)}"


def progress_title(training: Training) -> str:
    """Say in the title of the errors' view if there is no bound, and what the curves leave out."""
    some = stride(training)
    shown = "errors and loss" if some == 1 else f"errors and loss, at one visit in {some}"
    if isinstance(training.known, Overlap):
        return f"No separator, so no bound: training {shown}"
    return f"Training {shown}"


def caption(training: Training, now: int, *, rate: float, most: float | None) -> str:
    """Say what visit `now` did, with its numbers in the update rule.

    most : the bound on the mistakes, if there is a separator and the rule is the perceptron's.
    """
    step = training.steps[now]
    if now == 0:
        return _start(training, most)
    ending = _ENDINGS.get(step.event or "")
    first = ending(training, step) if ending else _visit(training, now, most)
    return f"{first}\n{_update(training, now, rate) if step.amount else _model(training, step)}"


def _start(training: Training, most: float | None) -> str:
    step, known = training.steps[0], training.known
    low, high = (training.data.classes[k] for k in step.classes)
    first = (
        f"Start: w = {vector(step.weights)}, b = {decimal(step.bias)}. Class {low} is y = −1, "
        f"class {high} is y = +1."
    )
    if isinstance(known, Overlap):
        second = (
            "No separator exists (linear programming): points of either class mix into the same "
            "place ✕, which no line has on both of its sides."
        )
    elif most is None:
        second = (
            "A separator exists (linear programming), but the delta rule looks for the least "
            "squared error: w ← w + η (y − o) x at every sample, right or wrong."
        )
    else:
        second = (
            f"A separator exists (linear programming). With R = {decimal(known.radius)} and the "
            f"best margin γ = {decimal(known.margin)} there can be at most {count(most)} mistakes."
        )
    return f"{first}\n{second}"


def _visit(training: Training, now: int, most: float | None) -> str:
    step, before = training.steps[now], training.steps[now - 1]
    x, name = training.F[step.index], training.data.classes[training.data.labels[step.index]]
    terms = [f"{decimal(w)} · {decimal(v)}" for w, v in zip(before.weights, x, strict=True)]
    verdict = "right"
    if step.mistake:
        limit = "" if most is None else f" of at most {count(most)}"
        verdict = f"wrong, mistake {step.mistakes}{limit}"
    return (
        f"Epoch {step.epoch}, sample {step.index + 1} (class {name}, "
        f"y = {_sign(training, step)}): o = w·x + b = "
        f"{' + '.join([*terms, decimal(before.bias)])} = {decimal(step.score)}: {verdict}."
    )


def _update(training: Training, now: int, rate: float) -> str:
    step, before = training.steps[now], training.steps[now - 1]
    x = training.F[step.index]
    y = _sign(training, step)
    rule, factor = "η y", f"({y})"
    added = f"{rate:g} · {factor}"
    if training.delta:
        rule, factor = "η (y − o)", f"({y} − {decimal(step.score)})"
        added = decimal(step.amount)
    whose = "" if trained(step) else "The line that predicts has "
    return (
        f"w ← w + {rule} x = {vector(before.weights)} + {rate:g} · {factor} · {vector(x)} = "
        f"{vector(step.weights)}; b ← {decimal(before.bias)} + {added} = "
        f"{decimal(step.bias)}. {whose}{_wrong(training, step)}."
    )


def _stopped(training: Training, step: PerceptronStep) -> str:
    if training.delta:
        why = "It keeps moving about the least-squares line: a smaller η moves less."
    elif isinstance(training.known, Overlap):
        why = "No separator exists (✕), so it never stops by itself."
    else:
        why = "A separator exists: allow more epochs."
    return f"Stopped: max_epochs = {step.epoch} are over, after {step.mistakes} mistakes. {why}"


def _converged(training: Training, step: PerceptronStep) -> str:
    if training.delta:
        exact = step.squared_error(training.F, training.data.labels) < 1e-9
        nearer = "" if exact else " A smaller η ends nearer to the least squared error."
        return f"Converged: epoch {step.epoch} brought the weights back to where it began.{nearer}"
    made = f"{step.mistakes} mistake{'s' * (step.mistakes != 1)}"
    return f"Converged: epoch {step.epoch} had no mistake; {made} in all."


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


def _model(training: Training, step: PerceptronStep) -> str:
    """Give the line that predicts, and how many training points it gets wrong."""
    names = training.features.names
    terms = [f"{decimal(w)} {x}" for w, x in zip(step.model_weights, names, strict=True)]
    line = " + ".join([*terms, decimal(step.model_bias)]).replace("+ −", "− ")
    scale = "" if (training.features.spread == 1).all() else ", in standardised features"
    return f"Line {line} = 0{scale}: {_wrong(training, step)}."


def _wrong(training: Training, step: PerceptronStep) -> str:
    """Count the training points on the wrong side of the line that predicts."""
    return f"{step.errors(training.F, training.data.labels)} of {len(training.data.X)} points wrong"


def _sign(training: Training, step: PerceptronStep) -> str:
    return "+1" if training.data.labels[step.index] == step.classes[1] else "−1"


def count(bound: float) -> str:
    """Write the largest whole number up to the bound, shortly where it is huge."""
    whole = int(bound * (1 + 1e-9))  # rounding may leave an integer a little too small
    return f"{whole}" if bound < 1e6 else f"{bound:.2g}"
