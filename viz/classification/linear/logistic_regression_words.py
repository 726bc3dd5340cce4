"""Words for logistic regression: what a step did, with its numbers in the update rule."""

from collections.abc import Callable

import numpy as np

from algorithms.classification.linear.logistic_regression import LogisticRegressionStep
from viz.classification.linear.logistic_regression import Fit
from viz.core.preparation import preprocessing
from viz.core.words import decimal, factor, listed, number, vector, weighted_sum


def note(fit: Fit) -> str:
    """Say what holds for the whole run."""
    said = [
        preprocessing(fit.features, fit.data.names),
        f"Learning rates below {number(fit.account.safe)} never raise the loss.",
    ]
    if fit.held.any():
        said.append(
            f"Ringed: the {np.count_nonzero(fit.held)} points held out, which the weights are not "
            "learned from."
        )
    return " ".join(said)


def caption(fit: Fit, method: str, later: tuple[int, float] | None = None) -> Callable[[int], str]:
    """Say of a step what it did, its numbers in the rule, and what is predicted where asked.

    later : the step at which the learning rate changes, and what it is then.
    """
    direction = "H⁻¹g" if method == "newton" else "g"

    def at(now: int) -> str:
        first = _start(fit, direction) if now == 0 else _step(fit, now, direction)
        changed = f"From here on η = {later[1]:g}. " if later and now == later[0] else ""
        return f"{changed}{first}\n{_picked(fit, fit.steps[now])}"

    return at


def _start(fit: Fit, direction: str) -> str:
    step = fit.steps[0]
    return (
        "Start: all weights are 0, so every class is equally probable.\n"
        f"The loss is ln {len(step.classes)} = {step.loss:.4f}. Next: w ← w − step · {direction}, "
        f"g the gradient of the loss with ‖g‖ = {number(step.gradient_norm, 4)}."
    )


def _step(fit: Fit, now: int, direction: str) -> str:
    before, step = fit.steps[now - 1], fit.steps[now]
    said = _EVENTS[step.event] if step.event else f"The loss falls to {number(step.loss, 4)}."
    if step.accuracy < 1:
        said = said.replace("the classes", "some points, not all,")
    return (
        f"{said} {100 * step.accuracy:.4g} % of the points are right.\n"
        f"Loss {number(step.loss + step.fall, 5)} → {number(step.loss, 5)}{_fresh(fit, now)}: "
        f"{_rule(before, step, direction)}"
    )


def _fresh(fit: Fit, now: int) -> str:
    """Say how the points do that were held out."""
    known = fit.account
    if known.fresh_loss is None or known.fresh_right is None:
        return ""
    share = f"{100 * known.fresh_right[now]:.4g} %"
    return f" (held out {number(known.fresh_loss[now], 4)}, {share} right)"


def _rule(before: LogisticRegressionStep, step: LogisticRegressionStep, direction: str) -> str:
    """Give the update rule with this step's numbers, or with its sizes where there are many."""
    rate = step.step_size
    gradient = f"there ‖g‖ = {number(step.gradient_norm)}"
    if step.weights.size > 2 or not rate:
        weights = step.weights.size + step.intercepts.size
        size = number(float(np.linalg.norm(step.weights)), 4)
        rule = f"w ← w − {rate:g} · {direction} on {weights} weights at once: ‖w‖ = {size}"
        return f"{rule}, {gradient}."
    old, new = before.weights[0], step.weights[0]
    taken = (old - new) / rate
    terms = [vector(v) for v in (old, taken, new)]
    b_old, b_new = before.intercepts[0], step.intercepts[0]
    slope = factor(decimal((b_old - b_new) / rate))
    b = f"b ← {decimal(b_old)} − {rate:g} · {slope} = {decimal(b_new)}"
    return (
        f"w ← w − {rate:g} · {direction} = {terms[0]} − {rate:g} · {terms[1]} = {terms[2]}; "
        f"{b}; {gradient}."
    )


def _picked(fit: Fit, step: LogisticRegressionStep) -> str:
    """Say what the model of this step says of the picked point, with the numbers in its rule."""
    features, names = fit.picked_features, [fit.data.classes[k] for k in step.classes]
    shares = [number(share) for share in step.predict_proba(features)[0]]
    if len(names) > 2:
        scores = vector(step.decision_function(features)[0])
        return (
            f"Picked point: scores {scores}, so P = ({', '.join(shares)}) for classes "
            f"{listed(names)}."
        )
    score = decimal(float(step.decision_function(features)[0]))
    terms = ""
    if features.size <= 2:
        terms = f"{weighted_sum(step.weights[0], features[0], step.intercepts[0])} = "
    return (
        f"Picked point: w·x + b = {terms}{score}, so class {names[1]} has the probability "
        f"1 / (1 + exp({_negated(score)})) = {shares[1]}."
    )


def _negated(text: str) -> str:
    return text.removeprefix("−") if text.startswith("−") else f"−{text}"


_EVENTS = {
    "separated": (
        "Every point is on its right side: from here, larger weights always lower the loss."
    ),
    "overshoot": "The loss rose: the step was too long.",
    "converged": "Converged: the gradient is as good as zero.",
    "diverged": "Diverged: the learning rate is too high, the steps jump over the minimum.",
    "oscillates": (
        "Oscillates: the learning rate is too high, the steps jump to and fro over the minimum."
    ),
    "weights grow without bound": (
        "The weights grow without bound: the classes can be separated, and no penalty holds them "
        "back."
    ),
    "stopped at max_iter": "Stopped: the steps allowed are used up before it converged.",
}
