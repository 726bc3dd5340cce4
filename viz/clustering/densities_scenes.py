"""What the modes of the lab of densities show."""

from numpy import ndarray

from viz.clustering import densities as draw
from viz.clustering import densities_questions as questions
from viz.clustering import densities_words as words
from viz.core import curves
from viz.core.scene import Plane, Run, Scene, Track, View

_CUT = "The cut through the picked point"


def bumps(run: Run, data: Plane, query: ndarray) -> Scene:
    """Show the bumps as they add up. query : the point whose density is taken apart."""
    steps = run.steps
    history = curves.timeline({"p": draw.at_picked(steps[-1], query).tolist()})
    views = [
        View(
            "The density, bump after bump", lambda now: draw.bumps_picture(data, query, steps[now])
        ),
        View(_CUT, lambda now: draw.cut(data, query, steps[now], newest=True)),
        View("p at the picked point, bump after bump", history, ahead=True),
    ]
    return Scene(
        views,
        lambda now: words.bumps_caption(steps[now], query),
        words.bumps_note(),
        ask=questions.ask_bumps(steps),
    )


def widths(run: Run, data: Plane, query: ndarray) -> Scene:
    """Show one width after the other; the width is dragged on the curve of those left out."""
    steps = run.steps
    curve = draw.Likelihoods(steps)
    views = [
        View("The density at this width", lambda now: draw.width_picture(data, query, steps[now])),
        View(
            "How likely are the points? Drag h",
            lambda now: draw.likelihoods(curve, now),
            track=Track("Width h", curve.grips, "x"),
            ahead=True,
        ),
        View(_CUT, lambda now: draw.cut(data, query, steps[now].density)),
    ]
    return Scene(
        views,
        lambda now: words.width_caption(curve, now, query),
        words.width_note(len(data.X)),
        ask=questions.ask_widths(steps),
    )


def region(run: Run, data: Plane, query: ndarray, width: float) -> Scene:
    """Show the region of a one-class machine, pair after pair. width : of its kernel."""
    shown = draw.Region(data, query, run.steps)
    views = [
        View("The region and its border", lambda now: draw.region_picture(shown, now)),
        View("Every point's weight against its f", lambda now: draw.weights(shown, now)),
        View(_CUT, lambda now: draw.region_cut(shown, now)),
    ]
    return Scene(
        views,
        lambda now: words.region_caption(shown, now),
        words.region_note(width, len(data.X)),
        ask=questions.ask_region(run.steps, data),
    )
