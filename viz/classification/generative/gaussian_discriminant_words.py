"""Words for the Gaussian classifiers: what a step estimated, and the surface as an equation."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.bayes import Generative
from algorithms.classification.generative.gaussian_classes import Surface
from algorithms.classification.generative.gaussian_discriminant import (
    GaussianDiscriminantStep,
    n_parameters,
)
from algorithms.classification.generative.naive_bayes import GaussianNaiveBayesStep
from viz.core.scene import Plane
from viz.core.words import number

Step = GaussianDiscriminantStep | GaussianNaiveBayesStep


def discriminant_caption(
    data: Plane, steps: Sequence[GaussianDiscriminantStep], covariance: str, ridge: float, now: int
) -> str:
    """Say what step `now` estimated, with its numbers in the rule.

    covariance : its kind. ridge : what every variance got on top.
    """
    step = steps[now]
    called = names(step, data)
    if step.phase == "priors":
        return _priors_caption(step, data)
    if step.phase == "means":
        return _means_caption(step, called)
    if step.phase == "covariance":
        return _covariance_caption(step, called, covariance, ridge)
    if step.pair is None:
        return _no_surface(step, data, "ridge")
    return _surface_caption(step, step.pair, data, diagonal=covariance == "diagonal")


def naive_caption(data: Plane, steps: Sequence[GaussianNaiveBayesStep], now: int) -> str:
    """Say what step `now` estimated, with its numbers in the rule."""
    step = steps[now]
    called = names(step, data)
    if step.phase == "priors":
        return _priors_caption(step, data)
    if step.phase == "means":
        return _feature_means_caption(step, called)
    if step.phase == "variances":
        return _variances_caption(step, called)
    if step.pair is None:
        return _no_surface(step, data, "smoothing")
    return _surface_caption(step, step.pair, data, diagonal=True)


def names(step: Generative, data: Plane) -> list[str]:
    """Give the names of the classes there are, in the order of the step."""
    return [data.classes[int(label)] for label in step.classes]


def priors(step: Generative, data: Plane) -> str:
    """Write the share of each class."""
    n = int(step.counts.sum())
    shares = ", ".join(
        f"π({name}) = {count}/{n} = {count / n:.3f}"
        for name, count in zip(names(step, data), step.counts, strict=True)
    )
    return f"Priors, the share of each class: {shares}."


def _priors_caption(step: Step, data: Plane) -> str:
    commonest = names(step, data)[int(step.priors.argmax())]
    return (
        f"{priors(step, data)}\n"
        f"Nothing else is known, so the mean and spread of all points stand in for every class. "
        f"They cancel: class {commonest} wins everywhere."
    )


def _means_caption(step: GaussianDiscriminantStep, called: list[str]) -> str:
    listed = ", ".join(
        f"{name}: ({number(x)}, {number(y)})"
        for name, (x, y) in zip(called, step.means, strict=True)
    )
    spread = np.sqrt(np.diagonal(step.covariances[0]))
    return (
        f"Means, μ = sum of the points of a class / their number: {listed}.\n"
        f"The spread is still that of all points, {number(spread[0])} along x and "
        f"{number(spread[1])} along y, the same for every class: the borders are straight."
    )


def _covariance_caption(
    step: GaussianDiscriminantStep, called: list[str], covariance: str, ridge: float
) -> str:
    k = step.index or 0
    count = int(step.counts[: k + 1].sum() if covariance == "shared" else step.counts[k])
    (a, b), (_, c) = step.covariances[k]
    matrix = f"[{number(a)} {number(b)}; {number(b)} {number(c)}]"
    repair = f" + {ridge:g} I" if ridge else ""
    small, large = np.maximum(np.linalg.eigvalsh(step.covariances[k]), 0.0)
    second = (
        f"Its eigenvalues {number(large)} and {number(small)} are the squared half-axes of the "
        f"smaller ellipse, 1 standard deviation: {number(np.sqrt(large))} and "
        f"{number(np.sqrt(small))}."
    )
    whose = f"shared by all, class {called[k]} added"
    if covariance != "shared":
        whose = f"of class {called[k]}"
    first = f"Covariance {whose}: Σ = 1/{count} Σ (x − μ)(x − μ)ᵀ{repair} = {matrix}."
    if covariance == "diagonal":
        first = (
            f"Variances {whose}: Σ = diagonal of 1/{count} Σ (x − μ)(x − μ)ᵀ{repair} = {matrix}."
        )
        second = "Naive: how x and y vary together is left out, so the ellipses stay upright."
    if step.singular[k]:
        second = _why_singular(step.covariances[k], count)
    return f"{first}\n{second}"


def _why_singular(covariance: ndarray, count: int) -> str:
    points = "one point has" if count == 1 else f"these {count} points have"
    spread = "spread across a line" if np.diagonal(covariance).any() else "spread at all"
    return (
        f"Singular: {points} no {spread}, so Σ has no inverse; the spread of all points stands in."
        " A ridge λ > 0 adds λ to every eigenvalue and repairs it."
    )


def _feature_means_caption(step: GaussianNaiveBayesStep, called: list[str]) -> str:
    j = step.index or 0
    listed = ", ".join(
        f"{number(mean)} ({label})" for label, mean in zip(called, step.means[:, j], strict=True)
    )
    return (
        f"Feature {'xy'[j]}, its mean in every class (sum / number of points): {listed}.\n"
        f"Its spread is still that of all points, {number(np.sqrt(step.variances[0, j]))}, "
        "the same for every class."
    )


def _variances_caption(step: GaussianNaiveBayesStep, called: list[str]) -> str:
    j = step.index or 0
    name = "xy"[j]
    listed = ", ".join(
        f"{number(variance)} ({label})"
        for label, variance in zip(called, step.variances[:, j], strict=True)
    )
    factors = "N(x; μₓ, vₓ)" if j == 0 else "N(x; μₓ, vₓ) · N(y; μᵧ, vᵧ)"
    second = f"Class by class, P(class | point) ∝ π · {factors}: each feature is one more factor."
    if step.spikes[:, j].any():
        flat = ", ".join(label for label, no in zip(called, step.spikes[:, j], strict=True) if no)
        second = (
            f"Class {flat} does not vary in {name}: a spike has no density, so the spread of all "
            "points stands in. Smoothing > 0 gives it a width."
        )
    return (
        f"Feature {name}, its variance in every class, the mean of ({name} − μ)² + "
        f"{number(step.added)}: {listed}.\n{second}"
    )


def _no_surface(step: Step, data: Plane, slider: str) -> str:
    """Say which classes have no density. slider : what gives them one."""
    called = names(step, data)
    which = " and of ".join(called[k] for k in np.flatnonzero(step.singular))
    return (
        f"No surface to write down: there is no density of class {which}.\n"
        f"Raise the {slider} and it is repaired; until then the picture shows the spread of "
        f"all points in its place. {_wrong(step, data)}"
    )


def _surface_caption(step: Step, pair: tuple[int, int], data: Plane, *, diagonal: bool) -> str:
    """Write where two classes are equal. diagonal : each feature has a variance of its own."""
    first, second = (names(step, data)[k] for k in pair)
    surface = step.surface(*pair)
    if step.linear:
        why = "all classes have the same Σ, so xᵀΣ⁻¹x is in every score and cancels"
    elif diagonal:
        why = "the variances differ, so the squares stay; independent features give no xy"
    else:
        why = "the Σ differ, so xᵀΣ⁻¹x differs and the squares do not cancel"
    shape = f"{'An' if surface.kind == 'ellipse' else 'A'} {surface.kind}"
    if surface.kind == "nowhere":
        shape = "Nowhere, one of the two always wins"
    return (
        f"Classes {first} and {second} are equal where {equation(surface)} = 0 (> 0: {first}).\n"
        f"{shape}: {why}. {_wrong(step, data)}"
    )


def _wrong(step: Step, data: Plane) -> str:
    wrong = step.mistakes(data.X, data.labels)
    return f"Wrong side of the borders: {wrong} of {len(data.X)} points."


def comparison(mistakes: Mapping[str, int], k: int, data: Plane, ridge: float) -> str:
    """Say what x and y are, and how the kinds of covariance do on these points of `k` classes."""
    listed = "; ".join(
        f"{kind} {wrong} ({n_parameters(kind, 2, k)} numbers estimated)"
        for kind, wrong in mistakes.items()
    )
    return (
        f"x is {data.names[0]}, y is {data.names[1]}, both used as they are. Wrong side of the "
        f"borders, of {len(data.X)} points, by covariance (ridge {ridge:g}): {listed}."
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
