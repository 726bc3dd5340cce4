"""Questions about the next half-step of EM for a mixture of Gaussians."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Plane
from viz.core.words import number, numbered, vector

_SEEN = 0.03  # of the picture's width: places farther apart can be distinguished
_CLEAR = 0.05  # of a share, or of a weight


def half_step(
    data: Plane, steps: Sequence[GaussianMixtureStep], now: int, rng: Generator
) -> Question | None:
    """Ask which component has most of a point, where a mean goes, or which component gains."""
    before, after = steps[now], steps[now + 1]
    if len(before.means) == 1:
        return None
    if after.phase == "expectation":
        return _belongs(rng, data, after)
    return (rng.random() < 0.3 and _gains(before, after)) or goes(rng, data, before, after)


def _belongs(rng: Generator, data: Plane, after: GaussianMixtureStep) -> Question | None:
    """Ask which component has the largest share of a point that is divided."""
    shares = np.sort(after.responsibilities, axis=1)
    lead = shares[:, -1] - shares[:, -2]
    divided = np.flatnonzero((lead > _CLEAR) & (shares[:, -1] < 0.95))
    if len(divided) == 0:
        return None
    i = int(rng.choice(divided))
    order = np.argsort(-after.responsibilities[i], kind="stable").tolist()
    first, second = (number(after.responsibilities[i, j]) for j in order[:2])
    reason = (
        f"Its weight times density is the largest there, a share of {first}; component "
        f"{order[1] + 1} has {second}."
    )
    options = [component(after, j) for j in order]
    text = "E: which component has the largest share of the point marked “?”?"
    return question(text, options[0], options[1:], reason, point(data.X[i]))


def goes(
    rng: Generator, data: Plane, before: GaussianMixtureStep, after: GaussianMixtureStep
) -> Question | None:
    """Ask where a mean goes: to the mean of all points weighted by their shares."""
    seen = _SEEN * (data.bounds[1] - data.bounds[0])
    far = np.sqrt(np.square(after.means - before.means).sum(axis=1))
    going = np.flatnonzero(far > seen)
    if len(going) == 0:
        return None
    j = int(rng.choice(going))
    old, new = before.means[j], after.means[j]
    own = data.X[before.responsibilities.argmax(axis=1) == j]
    places = [new, old, *([own.mean(axis=0)] if len(own) else []), new + (new - old)]
    kept = [places[i] for i in apart([point(at) for at in places], seen)]
    options = [Option(vector(at), point(at)) for at in kept]
    stays = np.abs(np.subtract(kept, old)).sum(axis=1).argmin()
    options[stays] = Option(f"it stays at {vector(old)}", point(old))
    points = number(float(before.responsibilities[:, j].sum()))
    reason = (
        f"It goes to the mean of the points, weighted by their shares (together {points} points): "
        f"{vector(new)}."
    )
    text = f"M: where does the mean of component {j + 1} go?"
    return question(text, options[0], options[1:], reason)


def _gains(before: GaussianMixtureStep, after: GaussianMixtureStep) -> Question | None:
    """Ask which weight grows most."""
    gain = (after.weights - before.weights).tolist()
    order = sorted(range(len(gain)), key=lambda j: -gain[j])
    if gain[order[0]] - gain[order[1]] <= _CLEAR * float(before.weights.min()):
        return None
    j = order[0]
    weights = number(float(before.weights[j])), number(float(after.weights[j]))
    reason = (
        f"{numbered('π', j)} = the sum of its shares / n goes from {weights[0]} to {weights[1]}."
    )
    options = [component(before, k) for k in order]
    return question("M: which component's weight π grows most?", options[0], options[1:], reason)


def component(step: GaussianMixtureStep, j: int) -> Option:
    """Offer a component, at its mean."""
    return Option(f"component {j + 1}", point(step.means[j]))


def point(at: ndarray) -> Place:
    """Return a place on the picture."""
    return (0, float(at[0]), float(at[1]))
