"""What the lab of principal components shows: one function per mode.

columns : those whose components are looked for. both : all components of these columns, as they are
and divided by their standard deviations.
"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.class_share import class_share
from algorithms.reduction.pca import PcaStep
from algorithms.reduction.projection_axis import AxisStep
from viz.core.scene import Plane, Run, Scene, Track, View
from viz.core.turning import handles
from viz.reduction import kernel_pca as draw_kernel
from viz.reduction import pca as draw
from viz.reduction import pca_questions as questions
from viz.reduction import pca_words as words
from viz.reduction import power_iteration as draw_power
from viz.reduction import projection_axis as draw_axis
from viz.reduction import three_lines as draw_lines
from viz.reduction import three_lines_words as line_words
from viz.reduction.pca import Columns

Both = tuple[PcaStep, PcaStep]


def by_hand(run: Run, columns: Columns, both: Both) -> Scene:
    """Show an axis that is turned by its handles."""
    steps, data = run.steps, columns.plane
    track = Track("The axis", _ends(steps, data))
    views = [
        View(
            "Turn the axis by its handles",
            lambda now: draw.picture(columns, steps, now),
            track=track,
        ),
        View("Variance along the axis, error across it", draw_axis.turning(steps), ahead=True),
        View(
            "Scores z by class; bar: ± standard deviation",
            lambda now: draw_axis.seen_along(data, steps, now),
        ),
    ]
    note = words.scaling(both, columns)
    return Scene(
        views,
        lambda now: words.axis_caption(steps, now),
        note=note,
        ask=questions.ask_axis(steps),
    )


def three_lines(run: Run, columns: Columns, side: str) -> Scene:
    """Show a line that is turned, and what three lines are best at. side : of the distances."""
    steps, data = run.steps, columns.plane
    views = [
        View(
            f"Turn the line: the distances {side}, and the three best lines",
            lambda now: draw_lines.picture(columns, steps, side, now),
            track=Track("The line", _ends(steps, data)),
        ),
        View(
            "Mean squared distance against the angle (★ least)",
            draw_lines.errors(steps),
            ahead=True,
        ),
    ]
    note = words.preprocessing(columns.standardize)
    return Scene(
        views,
        lambda now: line_words.caption(steps, data.names, side, now),
        note=note,
        ask=questions.ask_lines(steps, side),
    )


def _ends(steps: Sequence[AxisStep], data: Plane) -> ndarray:
    """Give the places at which the line is turned, for every step."""
    directions = np.array([step.components[0] * step.scale for step in steps])
    return handles(steps[0].mean, directions, data.bounds)


def power(run: Run, columns: Columns, both: Both) -> Scene:
    """Show how a vector turns towards one component after the other."""
    steps = run.steps
    views = [
        View(
            "The vector u, the points, and their projections on it",
            lambda now: draw.picture(columns, steps, now),
        ),
        View(
            "Rayleigh quotient, and angle to the answer", draw_power.convergence(steps), ahead=True
        ),
        View(
            "Share of u along each eigenvector (logarithmic)",
            lambda now: draw_power.shares(steps, now),
        ),
    ]
    note = words.scaling(both, columns)
    return Scene(
        views,
        lambda now: words.power_caption(steps, now),
        note=note,
        ask=questions.ask_power(steps),
    )


def eigenvectors(run: Run, columns: Columns, both: Both, keep: float, noise: bool) -> Scene:
    """Show all components at once, one more of them kept at every step.

    keep : the share of the variance to keep, in percent. noise : whether some was added.
    """
    steps = run.steps
    labels = columns.plane.labels
    shares = class_share(steps[-1].transform(steps[-1].noisy), labels)
    given = "The points, with noise (✕)," if noise else "The points"
    views = [
        View(
            f"{given} and their reconstructions from q components",
            lambda now: draw.picture(columns, steps, now, noise=noise),
        ),
        View(
            words.scree_title(labels, keep),
            lambda now: draw.scree(steps, keep, shares, now),
        ),
    ]
    if noise:
        title = "Error of the reconstruction against q"
        views.append(View(title, lambda now: draw.reconstruction_errors(steps, now), ahead=True))
    else:
        still = draw.biplot(columns, steps[-1])
        views.append(
            View("Scores on two components, columns as arrows", lambda _: still, ahead=True)
        )
    return Scene(
        views,
        lambda now: (
            words.components_caption(steps, columns, keep, noise, now)
            + words.told_apart(shares, labels, steps[now].index)
        ),
        note=words.scaling(both, columns),
        ask=questions.ask_components(steps, columns.names),
    )


def kernel(run: Run, data: Plane, standardize: bool) -> Scene:
    """Show principal components in a kernel's space of features."""
    steps, last = run.steps, run.steps[-1]
    z = last.transform(data.X)
    surface = draw_kernel.scores_on(last, data.bounds)
    views = [
        View(
            "Score of every place on this component: lines of equal z, thick z = 0",
            lambda now: draw_kernel.picture(data, z, surface, now),
        ),
        View(
            "Scores on the first component and this one",
            lambda now: draw_kernel.scores(z, data.labels, now),
        ),
        View(
            "Share of the variance in the space of features",
            lambda now: draw_kernel.spectrum(steps, now),
        ),
    ]
    return Scene(
        views,
        lambda now: words.kernel_caption(data, z, steps, now),
        note=(
            "Lines join places of equal z, the thick one those of z = 0; the greyer, the higher. "
            f"{words.preprocessing(standardize)} {words.centring(last, len(data.X))}"
        ),
        ask=questions.ask_kernel(steps),
    )
