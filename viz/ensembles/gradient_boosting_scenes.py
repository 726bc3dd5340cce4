"""What the gradient boosting lab shows."""

import numpy as np
from numpy import ndarray

from viz.core.scene import Plane, Run, Scene, View
from viz.core.words import number
from viz.ensembles import boosted_surface
from viz.ensembles import gradient_boosting as draw
from viz.ensembles import gradient_boosting_questions as questions
from viz.ensembles import gradient_boosting_words as words


def boosting(run: Run, data: Plane, loss: str, held: ndarray, query: float) -> Scene:
    """Show the rounds, where x is the feature and y is predicted.

    loss : "squared", "absolute" or "Huber". held : (n,) which points are held out. query : the x at
    which the curve is read off.
    """
    picked = f"picked x = {number(query)}"
    shown = draw.Boosted(data, data.X[:, :1], run.steps, loss, held, np.array([query]), picked)
    return _scene(
        shown,
        words.LINES,
        View("The sum of the trees", lambda now: draw.picture(shown, now)),
        View("Residuals, and this round's tree", lambda now: draw.residuals(shown, now)),
    )


def two_features(
    run: Run, data: Plane, loss: str, held: ndarray, query: ndarray, target: str
) -> Scene:
    """Show the rounds, where both x and y are features.

    query : (2,) the point at which the surface is read off. target : what is predicted.
    """
    shown = draw.Boosted(data, data.X, run.steps, loss, held, query[None], "picked point")
    return _scene(
        shown,
        words.surface(shown),
        View(f"The sum of the trees: {target}", lambda now: boosted_surface.picture(shown, now)),
        View(
            "Residuals, leaf by leaf, and this round's tree",
            lambda now: boosted_surface.leaf_by_leaf(shown, now),
        ),
    )


def _scene(shown: draw.Boosted, drawn: str, picture: View, residuals: View) -> Scene:
    errors = View("Errors by round", lambda now: draw.errors(shown, now), ahead=True)
    return Scene(
        [picture, residuals, errors],
        lambda now: words.caption(shown, now),
        words.note(shown, drawn),
        ask=questions.ask(shown),
    )
