"""What the lab of hierarchical clustering shows."""

import numpy as np

from viz.clustering import hierarchical as draw
from viz.clustering import hierarchical_questions as questions
from viz.clustering import hierarchical_words as words
from viz.core.scene import Plane, Run, Scene, Track, View


def merging(run: Run, data: Plane) -> Scene:
    """Show the merges; the cut through the dendrogram is a handle that goes with the steps."""
    steps, tree = run.steps, run.steps[0].dendrogram
    drawn, image = draw.drawing(tree), draw.distances_image(tree)
    right = np.full(len(steps), 1.02 * len(tree.points))
    cut = Track("Cut through the dendrogram", np.stack([right, drawn.cuts], axis=1)[:, None], "y")
    gap = len(tree.points) - tree.largest_gap if tree.largest_gap else 0
    compared = "Distances; last heights"
    if gap:
        compared += f", largest gap at {gap}"
    views = [
        View("Points and their clusters", lambda now: draw.picture(data, steps[now])),
        View(
            "Dendrogram: drag the cut",
            lambda now: draw.dendrogram(drawn, steps[now]),
            1.3,
            cut,
            ahead=True,
        ),
        View(compared, lambda now: draw.distances_and_heights(image, steps[now]), ahead=True),
    ]
    return Scene(
        views,
        lambda now: words.caption(steps[now]),
        words.note(tree),
        ask=questions.ask(tree, len(steps)),
    )
