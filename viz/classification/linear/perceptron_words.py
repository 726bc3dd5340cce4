"""Words for the perceptron and the delta rule: what a visit did, with its numbers in the rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from numpy import ndarray

from algorithms.classification.linear.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron_bound import Overlap, Separator
from algorithms.core.features import PolynomialFeatures
from viz.core.words import decimal, vector


@dataclass(frozen=True, eq=False)
class Scene:
    """What every view of a run draws from."""

    X: ndarray
    y: ndarray
    features: PolynomialFeatures
    steps: Sequence[PerceptronStep]
    known: Separator | Overlap
    delta: bool  # the delta rule, not the perceptron

    @cached_property
    def F(self) -> ndarray:
        """The features of the points, as the algorithm sees them."""
        return self.features(self.X)


def caption(
    scene: Scene,
    now: int,
    *,
    rate: float,
    most: float | None,
    classes: Sequence[str],
    names: Sequence[str],
) -> str:
    """Say what visit `now` did, with its numbers in the update rule.

    most : the bound on the mistakes, if there is a separator and the rule is the perceptron's.
    """
    step = scene.steps[now]
    if now == 0:
        return _start(scene, most, classes)
    ending = _ENDINGS.get(step.event or "")
    first = ending(scene, step) if ending else _visit(scene, now, most, classes)
    return f"{first}\n{_update(scene, now, rate) if step.amount else _model(scene, step, names)}"


def _start(scene: Scene, most: float | None, classes: Sequence[str]) -> str:
    step, known = scene.steps[0], scene.known
    low, high = (classes[k] for k in step.classes)
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


def _visit(scene: Scene, now: int, most: float | None, classes: Sequence[str]) -> str:
    step, before = scene.steps[now], scene.steps[now - 1]
    x = scene.F[step.index]
    terms = [f"{decimal(w)} · {decimal(v)}" for w, v in zip(before.weights, x, strict=True)]
    verdict = "right"
    if step.mistake:
        limit = "" if most is None else f" of at most {count(most)}"
        verdict = f"wrong, mistake {step.mistakes}{limit}"
    return (
        f"Epoch {step.epoch}, sample {step.index + 1} (class {classes[scene.y[step.index]]}, "
        f"y = {_sign(scene, step)}): o = w·x + b = "
        f"{' + '.join([*terms, decimal(before.bias)])} = {decimal(step.score)}: {verdict}."
    )


def _update(scene: Scene, now: int, rate: float) -> str:
    step, before = scene.steps[now], scene.steps[now - 1]
    x = scene.F[step.index]
    y = _sign(scene, step)
    rule, factor = "η y", f"({y})"
    added = f"{rate:g} · {factor}"
    if scene.delta:
        rule, factor = "η (y − o)", f"({y} − {decimal(step.score)})"
        added = decimal(step.amount)
    whose = "" if trained(step) else "The line that predicts has "
    return (
        f"w ← w + {rule} x = {vector(before.weights)} + {rate:g} · {factor} · {vector(x)} = "
        f"{vector(step.weights)}; b ← {decimal(before.bias)} + {added} = "
        f"{decimal(step.bias)}. {whose}{_wrong(scene, step)}."
    )


def _stopped(scene: Scene, step: PerceptronStep) -> str:
    if scene.delta:
        why = "It keeps moving about the least-squares line: a smaller η moves less."
    elif isinstance(scene.known, Overlap):
        why = "No separator exists (✕), so it never stops by itself."
    else:
        why = "A separator exists: allow more epochs."
    return f"Stopped: max_epochs = {step.epoch} are over, after {step.mistakes} mistakes. {why}"


def _converged(scene: Scene, step: PerceptronStep) -> str:
    if scene.delta:
        return f"Converged: epoch {step.epoch} brought the weights back to where it began."
    made = f"{step.mistakes} mistake{'s' * (step.mistakes != 1)}"
    return f"Converged: epoch {step.epoch} had no mistake; {made} in all."


def _cycle(_scene: Scene, step: PerceptronStep) -> str:
    ago = "one epoch ago" if step.period == 1 else f"{step.period} epochs ago"
    return (
        f"Cycle: after epoch {step.epoch} the weights are those of {ago}, so the same mistakes "
        "repeat for ever. No separator exists (✕)."
    )


def _diverged(_scene: Scene, _step: PerceptronStep) -> str:
    return "Diverged: the learning rate η is too high, every update overshoots by more."


_ENDINGS = {
    "stopped at max_epochs": _stopped,
    "converged": _converged,
    "cycle": _cycle,
    "diverged": _diverged,
}


def _model(scene: Scene, step: PerceptronStep, names: Sequence[str]) -> str:
    """Give the line that predicts, and how many training points it gets wrong."""
    terms = [f"{decimal(w)} {x}" for w, x in zip(step.model_weights, names, strict=True)]
    line = " + ".join([*terms, decimal(step.model_bias)]).replace("+ −", "− ")
    scale = "" if (scene.features.spread == 1).all() else ", in standardised features"
    return f"Line {line} = 0{scale}: {_wrong(scene, step)}."


def _wrong(scene: Scene, step: PerceptronStep) -> str:
    """Count the training points on the wrong side of the line that predicts."""
    return f"{step.errors(scene.F, scene.y)} of {len(scene.X)} points wrong"


def errors_and_loss(scene: Scene, now: int) -> tuple[int, float]:
    """Count the wrong training points at step `now`, and give the loss over all of them."""
    step = scene.steps[now]
    loss = step.squared_error if scene.delta else step.perceptron_loss
    return step.errors(scene.F, scene.y), loss(scene.F, scene.y)


def _sign(scene: Scene, step: PerceptronStep) -> str:
    return "+1" if scene.y[step.index] == step.classes[1] else "−1"


def trained(step: PerceptronStep) -> bool:
    """Whether the weights being trained are those that predict."""
    return step.model_weights is step.weights


def count(bound: float) -> str:
    """Write the largest whole number up to the bound, shortly where it is huge."""
    whole = int(bound * (1 + 1e-9))  # rounding may leave an integer a little too small
    return f"{whole}" if bound < 1e6 else f"{bound:.2g}"
