"""What the gradient boosting lab shows."""

from numpy import ndarray

from viz.core.scene import Plane, Run, Scene, View
from viz.ensembles import gradient_boosting as draw
from viz.ensembles import gradient_boosting_questions as questions
from viz.ensembles import gradient_boosting_words as words


def boosting(run: Run, data: Plane, loss: str, held: ndarray, query: float) -> Scene:
    """Show the rounds.

    loss : "squared" or "absolute". held : (n,) which points are held out. query : the x at which
    the curve is read off.
    """
    shown = draw.Boosted(data, run.steps, loss, held, query)
    return Scene(
        [
            View("The sum of the trees", lambda now: draw.picture(shown, now)),
            View("Residuals, and this round's tree", lambda now: draw.residuals(shown, now)),
            View("Errors by round", lambda now: draw.errors(shown, now), ahead=True),
        ],
        lambda now: words.caption(shown, now),
        words.note(shown),
        ask=questions.ask(shown),
    )
