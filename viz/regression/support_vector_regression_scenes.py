"""What the support vector regression lab shows."""

from viz.core.scene import Plane, Run, Scene, View
from viz.regression import support_vector_regression as draw
from viz.regression import support_vector_regression_questions as questions
from viz.regression import support_vector_regression_words as words


def tube(run: Run, data: Plane, query: float) -> Scene:
    """Show the tube, move by move. query : the x at which the curve is read off."""
    shown = draw.Tube(data, query, run.steps)
    return Scene(
        [
            View("The curve in its tube", lambda now: draw.picture(shown, now)),
            View(
                "The dual rises to the primal", lambda now: draw.objectives(shown, now), ahead=True
            ),
            View("What every point costs", lambda now: draw.losses(shown, now)),
        ],
        lambda now: words.caption(shown, now),
        words.note(shown),
        ask=questions.ask(shown),
    )
