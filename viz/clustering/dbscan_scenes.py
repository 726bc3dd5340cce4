"""What the modes of the DBSCAN lab show."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.dbscan_by_eps import DensityLevels
from viz.clustering import dbscan as draw
from viz.clustering import dbscan_questions as questions
from viz.clustering import dbscan_words as words
from viz.core.scene import Plane, Run, Scene, Track, View

_COUNTS = "Clusters and noise points against ε"


def visits(run: Run, data: Plane, levels: DensityLevels, radii: ndarray) -> Scene:
    """Show the ball going from point to point. radii : over which the curves are drawn."""
    steps = run.steps
    eps, drawn = steps[0].walk.eps, draw.curves_over(levels, radii)
    counts = draw.against_eps(drawn, eps)
    views = [
        View("Points, clusters and the ball", lambda now: draw.walk_picture(data, steps[now])),
        View(_distances(levels), lambda now: draw.distances(drawn, eps, steps[now].point)),
        View(_COUNTS, lambda _: counts),
    ]
    return Scene(
        views,
        lambda now: words.walk_caption(steps[now]),
        words.walk_note(len(data.X)),
        ask=questions.ask_visits(steps),
    )


def radius(run: Run, data: Plane) -> Scene:
    """Show what becomes of the clusters while eps grows; the line of eps goes with the steps."""
    steps, levels = run.steps, run.steps[0].levels
    radii = np.array([step.eps for step in steps])
    drawn = draw.curves_over(levels, radii)
    right = np.full(len(steps), len(levels.X))
    line = Track("Radius ε", np.stack([right, radii], axis=1)[:, None], "y")
    views = [
        View("Points and their clusters", lambda now: draw.radius_picture(data, steps, now)),
        View(
            f"{_distances(levels)}: drag ε",
            lambda now: draw.distances(drawn, steps[now].eps),
            track=line,
        ),
        View(_COUNTS, lambda now: draw.against_eps(drawn, steps[now].eps), ahead=True),
    ]
    note = words.radius_note(len(data.X))
    return Scene(
        views,
        lambda now: words.radius_caption(steps, now),
        note,
        ask=questions.ask_radius(data, steps),
    )


def _distances(levels: DensityLevels) -> str:
    return f"Distance to the {_ordinal(levels.min_samples)} point of the ball"


def _ordinal(place: int) -> str:
    """Write 1st, 2nd, 3rd, 4th, 11th, 21st, ..."""
    teens = place % 100 in (11, 12, 13)
    return f"{place}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"
