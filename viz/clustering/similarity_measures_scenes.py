"""What the lab of similarity measures shows."""

from viz.clustering import similarity_measures as draw
from viz.clustering import similarity_measures_words as words
from viz.clustering.similarity_measures_questions import ask
from viz.core.scene import Plane, Run, Scene, View


def neighbours(run: Run, data: Plane, ranks: draw.Ranks) -> Scene:
    """Show the ball of a measure as it grows. ranks : by every measure, see `who_is_near`."""
    steps = run.steps
    views = [
        View("The ball and its neighbours", lambda now: draw.picture(data, steps[now])),
        View("Who is near, by which measure", draw.who_is_near(ranks, steps), ahead=True),
        View("Every point's distance, by both measures", draw.both_distances(steps)),
    ]
    note = words.note(len(data.X))
    return Scene(views, lambda now: words.caption(data, steps[now]), note, ask=ask(data, steps))
