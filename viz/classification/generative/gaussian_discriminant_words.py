"""Words for the Gaussian classifiers: what a step estimated, and the surface as an equation."""

from collections.abc import Mapping

import numpy as np

from algorithms.classification.generative.gaussian_classes import Surface
from algorithms.classification.generative.gaussian_discriminant import (
    GaussianDiscriminantStep,
    n_parameters,
)
from algorithms.classification.generative.naive_bayes import GaussianNaiveBayesStep
from viz.classification.generative.bayes_words import (
    names,
    outlines,
    picked_point,
    priors,
    shares,
    wrong,
)
from viz.classification.generative.fit import Fit, axes
from viz.core.words import listed as in_words
from viz.core.words import number

Step = GaussianDiscriminantStep | GaussianNaiveBayesStep


def discriminant_caption(
    fit: Fit[GaussianDiscriminantStep], now: int, *, covariance: str, ridge: float
) -> str:
    """Say what step `now` estimated, with its numbers in the rule, and what of the picked point.

    covariance : its kind. ridge : the share of the variances of all points on top.
    """
    step = fit.steps[now]
    if step.phase == "priors":
        text = _priors_caption(fit, step)
    elif step.phase == "means":
        text = _means_caption(fit, step)
    elif step.phase == "covariance":
        text = _covariance_caption(fit, step, covariance, ridge)
    elif step.pair is None:
        text = _no_surface(fit, step, "ridge")
    else:
        text = _surface_caption(fit, step, step.pair, diagonal=covariance == "diagonal")
    return f"{text}\n{picked_point(fit, step, 'π·density')}"


def naive_caption(fit: Fit[GaussianNaiveBayesStep], now: int) -> str:
    """Say what step `now` estimated, with its numbers in the rule, and what of the picked point."""
    step = fit.steps[now]
    if step.phase == "priors":
        text = _priors_caption(fit, step)
    elif step.phase == "means":
        text = _feature_means_caption(fit, step)
    elif step.phase == "variances":
        text = _variances_caption(fit, step)
    elif step.pair is None:
        text = _no_surface(fit, step, "smoothing")
    else:
        text = _surface_caption(fit, step, step.pair, diagonal=True)
    return f"{text}\n{picked_point(fit, step, 'π·p(x)·p(y)')}"


def _priors_caption(fit: Fit, step: Step) -> str:
    return (
        f"{priors(fit, step)}\n"
        f"{shares(fit, step)} Mean and spread of all points stand in for every class, and cancel."
    )


def _means_caption(fit: Fit, step: GaussianDiscriminantStep) -> str:
    listed = ", ".join(
        f"{name}: ({number(x)}, {number(y)})"
        for name, (x, y) in zip(names(step, fit.data), step.means, strict=True)
    )
    spread = np.sqrt(np.diagonal(step.covariances[0]))
    return (
        "Each class gets a centre of its own; all still have the same spread, so the borders are "
        "straight.\n"
        f"Means, sum / number of points: {listed}. Spread of all points: {number(spread[0])} along "
        f"x, {number(spread[1])} along y."
    )


def _covariance_caption(
    fit: Fit, step: GaussianDiscriminantStep, covariance: str, ridge: float
) -> str:
    k = step.index or 0
    name = names(step, fit.data)[k]
    if step.singular[k]:
        plainly = _why_singular(step, k, name, covariance)
    else:
        plainly = _shape(step, k, name, covariance)
    return f"{plainly}\n{_covariance_rule(fit, step, covariance, ridge)}"


def _shape(step: GaussianDiscriminantStep, k: int, name: str, covariance: str) -> str:
    """Say in one sentence what ellipse a class has."""
    sigma = step.covariances[k]
    if covariance == "diagonal":
        across, up = np.sqrt(np.diagonal(sigma)).tolist()
        return (
            f"Class {name} gets an upright shape: its ellipse of 1 standard deviation reaches "
            f"{number(across)} along x and {number(up)} along y."
        )
    small, large = np.sqrt(np.maximum(np.linalg.eigvalsh(sigma), 0.0))
    whose = f"Class {name} gets a shape of its own: its"
    if covariance == "shared":
        whose = f"Class {name} is added to the shape that all classes share: the"
    return (
        f"{whose} ellipse of 1 standard deviation reaches {number(large)} at its longest, "
        f"{number(small)} at its shortest."
    )


def _covariance_rule(
    fit: Fit, step: GaussianDiscriminantStep, covariance: str, ridge: float
) -> str:
    k = step.index or 0
    (a, b), (_, c) = step.covariances[k]
    count = int(step.counts[: k + 1].sum() if covariance == "shared" else step.counts[k])
    mean = f"mean of (point − μ)(point − μ)ᵀ over {count} point{'s' if count > 1 else ''}"
    if covariance == "diagonal":
        mean = f"diagonal of the {mean}"
    if ridge:
        first, second = np.diagonal(fit.steps[0].covariances[0]).tolist()
        mean += f" + {ridge:g}·[{number(first)} 0; 0 {number(second)}]"
    rule = f"Σ = {mean} = [{number(a)} {number(b)}; {number(b)} {number(c)}]"
    if step.singular[k]:
        return f"{rule} has no inverse; the spread of all points stands in. A ridge λ > 0 mends it."
    if covariance == "diagonal":
        return f"{rule}. Naive: how x and y vary together is left out."
    small, large = np.maximum(np.linalg.eigvalsh(step.covariances[k]), 0.0)
    return f"{rule}, eigenvalues {number(large)} and {number(small)}: the squared half-axes."


def _why_singular(step: GaussianDiscriminantStep, k: int, name: str, covariance: str) -> str:
    spread = "spread across a line" if np.diagonal(step.covariances[k]).any() else "spread at all"
    if covariance == "shared":
        yet = "" if k == len(step.classes) - 1 else " yet"
        return f"No class has a density{yet}: around the means the points have no {spread}."
    count = int(step.counts[k])
    points = "its one point has" if count == 1 else f"its {count} points have"
    return f"Class {name} has no density: {points} no {spread}."


def _feature_means_caption(fit: Fit, step: GaussianNaiveBayesStep) -> str:
    j = step.index or 0
    name = "xy"[j]
    listed = ", ".join(
        f"{number(mean)} ({label})"
        for label, mean in zip(names(step, fit.data), step.means[:, j], strict=True)
    )
    return (
        f"Feature {name}: each class gets a mean of its own; {wrong(fit, step)}.\n"
        f"Mean of {name} in each class, sum / number of points: {listed}. The spread is still that "
        f"of all points: {number(np.sqrt(step.variances[0, j]))}."
    )


def _variances_caption(fit: Fit, step: GaussianNaiveBayesStep) -> str:
    j = step.index or 0
    name, called = "xy"[j], names(step, fit.data)
    listed = ", ".join(
        f"{number(variance)} ({label})"
        for label, variance in zip(called, step.variances[:, j], strict=True)
    )
    plainly = f"Feature {name}: each class gets a spread of its own; {wrong(fit, step)}."
    if step.spikes[:, j].any():
        flat = [label for label, no in zip(called, step.spikes[:, j], strict=True) if no]
        which = f"Classes {in_words(flat)} do" if len(flat) > 1 else f"Class {flat[0]} does"
        plainly = (
            f"{which} not vary in {name}: a spike has no density, so the spread of all "
            "points stands in. Smoothing > 0 gives it a width."
        )
    return (
        f"{plainly}\n"
        f"Variance of {name} in each class, the mean of ({name} − μ)² + {number(step.added)}: "
        f"{listed}."
    )


def _no_surface(fit: Fit, step: Step, slider: str) -> str:
    """Say which classes have no density. slider : what gives them one."""
    called = names(step, fit.data)
    which = " and of ".join(called[k] for k in np.flatnonzero(step.singular))
    return (
        f"No surface to write down: there is no density of class {which}.\n"
        f"Raise the {slider} and it is mended; until then the spread of all points stands in: "
        f"{wrong(fit, step)}."
    )


def _surface_caption(fit: Fit, step: Step, pair: tuple[int, int], *, diagonal: bool) -> str:
    """Write where two classes are equal. diagonal : each feature has a variance of its own."""
    first, second = (names(step, fit.data)[k] for k in pair)
    surface = step.surface(*pair)
    if step.linear:
        why = "All classes have the same Σ, so the squares cancel"
    elif diagonal:
        why = "The variances differ, so squares stay; independent features give no xy"
    else:
        why = "The Σ differ, so the squares do not cancel"
    where = f"part along {'an' if surface.kind == 'ellipse' else 'a'} {surface.kind}"
    if surface.kind == "nowhere":
        where = "part nowhere, one of the two always wins"
    return (
        f"Classes {first} and {second} {where}; {wrong(fit, step)}.\n"
        f"They are equal where {equation(surface)} = 0 (> 0: {first}). {why}."
    )


def comparison(mistakes: Mapping[str, tuple[int, int]], k: int, fit: Fit, ridge: float) -> str:
    """Say what x and y are, and how the kinds of covariance do on these points of `k` classes."""
    n_held = int(fit.held.sum())
    n = len(fit.held) - n_held
    listed = "; ".join(
        f"{kind} {learned} of {n}"
        + (f" and {held} of {n_held} held out" if n_held else "")
        + f" ({n_parameters(kind, 2, k)} numbers estimated)"
        for kind, (learned, held) in mistakes.items()
    )
    return (
        f"{axes(fit.data)}Both features are used as they are. Points on the wrong side, by "
        f"covariance (ridge {number(ridge)}): {listed}. {outlines(fit)}"
    )


def equation(surface: Surface) -> str:
    """Write x^T A x + b.x + c with its numbers; terms that are 0 are left out."""
    A, b = surface.quadratic, surface.linear
    terms = [
        (A[0, 0], "x²"),
        (A[0, 1] + A[1, 0], "xy"),
        (A[1, 1], "y²"),
        (b[0], "x"),
        (b[1], "y"),
        (surface.constant, ""),
    ]
    shown = [
        f"{'−' if value < 0 else '+'} {number(abs(value))}{'' if not term else f' {term}'}"
        for value, term in terms
        if value
    ]
    return " ".join(shown).removeprefix("+ ") or "0"
