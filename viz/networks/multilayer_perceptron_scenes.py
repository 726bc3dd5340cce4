"""What the lab of the multi-layer perceptron shows."""

from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.networks.training_account import Account
from viz.core.scene import Plane, Run, Scene, View
from viz.networks import backpropagation as one_step
from viz.networks import backpropagation_words as one_step_words
from viz.networks import multilayer_perceptron as draw
from viz.networks import multilayer_perceptron_questions as questions
from viz.networks import multilayer_perceptron_words as words
from viz.networks.backpropagation import Learning
from viz.networks.multilayer_perceptron import Updates


def training(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    sums: Account,
    held: ndarray,
    picked: ndarray,
    updates: Updates,
) -> Scene:
    """Show the epochs.

    sums : the account of the run. held : (n,) which points are held out. picked : a place.
    """
    shown = draw.Trained(data, run.steps, held, sums, updates, features, picked)
    views = [
        View("What the network says of every place", lambda now: draw.picture(shown, now)),
        View("The network, and what each unit says", lambda now: draw.network(shown, now), 1.4),
        View("Loss by epoch", draw.losses(shown), ahead=True),
        View("Size of the gradient by layer", draw.gradients(shown), ahead=True),
    ]
    return Scene(
        views,
        lambda now: words.caption(shown, now),
        words.note(shown),
        ask=questions.ask_training(shown),
        ghost=lambda _, now: [draw.ghost(shown, now)],
    )


def one_point(run: Run, data: Plane, features: PolynomialFeatures, row: int, rate: float) -> Scene:
    """Show one update from one point, layer by layer. row : of the point in the data."""
    shown = Learning(data, features, run.steps, row, rate)
    views = [
        View("What the network says of every place", lambda now: one_step.picture(shown, now)),
        View("The network: activations and δ", lambda now: one_step.network(shown, now), 1.4),
        View("What the update adds to every weight", one_step.changes(shown)),
    ]
    return Scene(
        views,
        lambda now: one_step_words.caption(shown, now),
        one_step_words.note(shown),
        ask=questions.ask_one_step(shown),
    )
