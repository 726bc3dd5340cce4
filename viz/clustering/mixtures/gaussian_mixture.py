"""Pictures for mixtures of Gaussians."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.mixtures.gaussian_mixture import GaussianMixtureStep
from viz.core import plane, soft_groups, what_if
from viz.core.scene import Figure, Plane


def picture(data: Plane, steps: Sequence[GaussianMixtureStep], now: int) -> Figure:
    """Draw the points in their components' colours, the components, and where they were.

    An expectation has a ring around the point whose shares changed most; a maximization a dotted
    ellipse where every component was before.
    """
    step = steps[now]
    before, ring = [], plane.GAP
    if step.phase == "maximization":
        last = steps[now - 1]
        before = soft_groups.outlines(last.means, last.covariances, (1.0,), 11)
    else:
        ring = data.X[[example(steps, now)]]
    traces = [
        soft_groups.curve(np.concatenate(before or [plane.GAP]), width=1.5, dash="dot"),
        *soft_groups.ellipses(step.means, step.covariances),
        plane.rings(ring, size=21),
        soft_groups.centers(step.means, data.bounds),
    ]
    points = soft_groups.points(data.X, step.responsibilities)
    return plane.figure(traces, data.bounds, data.names, points=points)


def ghost(steps: Sequence[GaussianMixtureStep], since: int, now: int) -> list[dict]:
    """Draw the ways of the means from before a step, and the components at another one."""
    step = steps[now]
    rings = soft_groups.outlines(step.means, step.covariances, (1.0,), 11)
    return [
        what_if.paths([each.means for each in steps], since),
        what_if.path(np.concatenate(rings), shape="spline"),
        what_if.numbered(step.means),
    ]


def example(steps: Sequence[GaussianMixtureStep], now: int) -> int:
    """Give the point whose responsibilities changed most; at the start the least decided one."""
    shares = steps[now].responsibilities
    if now == 0:
        return int(shares.max(axis=1).argmin())
    return int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())
