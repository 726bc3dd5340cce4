"""What the lab of logistic regression shows."""

from dataclasses import dataclass

from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from viz.classification.linear import logistic_regression as draw
from viz.classification.linear import logistic_regression_questions as questions
from viz.classification.linear import logistic_regression_words as words
from viz.classification.linear import logistic_scores as scores
from viz.classification.linear.logistic_regression import Account, Fit
from viz.core import what_if
from viz.core.scene import Plane, Run, Scene, View


@dataclass(frozen=True, eq=False)
class Asked:
    """How a run was made, and the place that the user asks about.

    held : (n,) which points were held out of the learning. picked : (2,) a place of the plane.
    later : the step at which the learning rate changed, and what it was then.
    """

    method: str
    held: ndarray
    picked: ndarray
    later: tuple[int, float] | None = None


def descent(
    run: Run, data: Plane, features: PolynomialFeatures, account: Account, asked: Asked
) -> Scene:
    """Show the probabilities, what becomes of the scores, the loss, and the way down to its least.

    features : of the points, which the run was made with.
    """
    fit = Fit(data, features, run.steps, account, asked.held, asked.picked)
    two = len(run.steps[0].classes) == 2
    border = "the 0.5 line" if two else "the borders"
    views = [
        View(f"Probabilities, {border} and the points", lambda now: draw.picture(fit, now)),
        View(scores.sigmoid_title(fit), scores.sigmoid(fit), height=1.4)
        if two
        else View("Picked point: scores and probabilities", scores.softmax(fit)),
        View("Loss at every step", draw.losses(fit), ahead=True),
    ]
    if account.valley:
        views.append(
            View(
                "Path of the weights on the loss (best b for each pair)",
                draw.weight_space(run.steps, *account.valley),
            )
        )
    loss = [step.loss for step in run.steps]
    caption = words.caption(fit, asked.method, asked.later)
    return Scene(
        views, caption, words.note(fit), ask=questions.ask(fit),
        ghost=lambda since, now: [draw.ghost(fit, now), [], [what_if.curve(loss, since)]],
    )  # fmt: skip
