"""Pictures and words for the learning curves of the three Gaussian classifiers."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.generative.gaussian_discriminant import COVARIANCES, n_parameters
from algorithms.classification.generative.learning_curves import LearningCurvesStep
from viz.classification.generative.fit import axes, points
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.core.theme import dash
from viz.core.words import counted, number

NAMES = tuple("diagonal (naive)" if kind == "diagonal" else kind for kind in COVARIANCES)
NAIVE, SEPARATE = COVARIANCES.index("diagonal"), COVARIANCES.index("separate")


def picture(data: Plane, steps: Sequence[LearningCurvesStep], now: int) -> Figure:
    """Draw what the three kinds made of the points of one draw: regions of one, borders of all."""
    step = steps[now]
    x, y, cells = plane.grid(data.bounds)
    borders = []
    for place, model in enumerate(step.models):
        scores = model.scores(cells).T.reshape(-1, len(y), len(x))
        width = 3.5 if place == NAIVE else 2
        borders.append(plane.borders(x, y, scores, line={"width": width, "dash": dash(place)}))
    naive = step.models[NAIVE]
    winner = naive.predict(cells).reshape(len(y), len(x))
    held = np.ones(len(data.X), bool)
    held[step.learned] = False
    return plane.figure(
        [plane.regions(winner, None, data.bounds), *borders],
        data.bounds,
        data.names,
        points=points(data, held, wrong=naive.predict(data.X) != data.labels),
    )


def errors(steps: Sequence[LearningCurvesStep], now: int) -> Figure:
    """Draw the mean error of every kind against the number of points, and mark those of a step."""
    sizes = [step.size for step in steps]
    means = 100 * np.array([step.errors.mean(axis=0) for step in steps])
    traces = []
    for place, name in enumerate(NAMES):
        width = 3.5 if place == NAIVE else 2
        style = {"line": {"width": width, "dash": dash(place)}, "marker": {"size": 5}}
        curve = curves.against(name, sizes, means[:, place], setting="points", **style)
        traces += [curve, curves.marked(sizes[now], float(means[now, place]), showlegend=False)]
    low, high = np.log10(sizes[0]), np.log10(sizes[-1])
    room = 0.05 * (high - low) or 0.1
    across = {
        "title": {"text": "points learned from", "standoff": 4},
        "type": "log",
        "range": [float(low - room), float(high + room)],
        "tickvals": sizes,
    }
    panel = Panel(traces, across, panels.axis("% wrong, held out", 0, float(means.max())))
    return curves.with_legend(panels.alone(panel))


def caption(data: Plane, steps: Sequence[LearningCurvesStep], now: int) -> str:
    """Say which kind is best with so many points, and by how much."""
    step = steps[now]
    draws, others = len(step.errors), len(data.X) - step.size
    means = 100 * step.errors.mean(axis=0)
    listed = ", ".join(f"{name} {number(mean)} %" for name, mean in zip(NAMES, means, strict=True))
    gain = step.errors[:, SEPARATE] - step.errors[:, NAIVE]
    better, worse = int((gain > 0).sum()), int((gain < 0).sum())
    return (
        f"Learned from {step.size} points, {NAMES[step.best]} covariances do best: "
        f"on average {number(means[step.best])} % of the other {counted(others, 'point')} are on "
        "the wrong side.\n"
        f"Mean of {draws} draws: {listed}. Naive beats separate in {counted(better, 'draw')} and "
        f"loses in {worse}."
    )


def note(data: Plane, k: int) -> str:
    """Say what the picture shows, and how many numbers each kind estimates for `k` classes."""
    listed = ", ".join(f"{kind} {n_parameters(kind, 2, k)}" for kind in COVARIANCES)
    return (
        f"{axes(data)}The picture shows the first draw: large "
        "points are learned from, small pale ones are held out and only count mistakes. The lines "
        "are the borders of the three kinds of covariance, the colours are what the naive one "
        "(diagonal) says; it gets points with a thick outline wrong. Numbers estimated, priors "
        f"aside: {listed}."
    )
