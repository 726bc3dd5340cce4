"""What the lab of network regression shows."""

from numpy import ndarray

from algorithms.core.scaling import Scaling
from algorithms.networks.training_account import Account
from viz.core.scene import Plane, Run, Scene, View
from viz.networks import multilayer_perceptron as shared
from viz.networks import network_regression as draw
from viz.networks import network_regression_questions as questions
from viz.networks import network_regression_words as words
from viz.networks.multilayer_perceptron import Updates


def training(
    run: Run,
    data: Plane,
    scaling: Scaling,
    sums: Account,
    held: ndarray,
    query: float,
    updates: Updates,
) -> Scene:
    """Show the epochs.

    scaling : the units that the network is trained in. sums : the account of the run. held : (n,)
    which points are held out. query : a picked x.
    """
    shown = draw.Fitted(data, run.steps, held, sums, updates, scaling, query)
    views = [
        View("The curve, and what the units add", lambda now: draw.picture(shown, now)),
        View("The network, and what each unit says", lambda now: draw.network(shown, now), 1.4),
        View("Loss by epoch", shared.losses(shown), ahead=True),
        View("Size of the gradient by layer", shared.gradients(shown), ahead=True),
    ]
    return Scene(
        views,
        lambda now: words.caption(shown, now),
        words.note(shown),
        ask=questions.ask(shown),
        ghost=lambda _, now: [draw.ghost(shown, now)],
    )
