"""What the modes of the perceptron's lab show."""

from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from viz.classification.linear import perceptron as draw
from viz.classification.linear import perceptron_questions as questions
from viz.classification.linear import perceptron_words as words
from viz.classification.linear.perceptron import Training
from viz.classification.linear.perceptron_account import Account, measured
from viz.classification.linear.perceptron_words import Settings
from viz.core.scene import Plane, Run, Scene, View


def mistakes(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    account: Account,
    settings: Settings,
    picked: ndarray,
) -> Scene:
    """Show a perceptron, which learns from its mistakes alone, and how many there can be."""
    return _scene(Training(data, features, run.steps, account, False, picked), settings)


def delta_rule(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    account: Account,
    settings: Settings,
    picked: ndarray,
) -> Scene:
    """Show the delta rule, which corrects the weights at every sample."""
    return _scene(Training(data, features, run.steps, account, True, picked), settings)


def _scene(training: Training, settings: Settings) -> Scene:
    views = [
        View("The line and the sample visited", lambda now: draw.picture(training, now)),
        View("Weight space: the update, tip to tail", draw.weight_space(training)),
        _third(training, settings),
    ]
    return Scene(
        views,
        lambda now: words.caption(training, now, settings.rate),
        words.note(training, settings),
        ask=questions.ask(training),
        ghost=lambda _, now: [draw.ghost(training, now)],
    )


def _third(training: Training, settings: Settings) -> View:
    """Show the proof of the bound at work; where there is none, errors and loss."""
    steps = training.steps
    if training.proof:
        title = words.bound_title(training.proof, settings.init)
        return View(title, draw.bound(training.proof, steps), ahead=True)
    kept = training.account.history
    assert kept is not None
    shown = draw.progress(
        kept,
        len(training.F),
        "½(y − o)²" if training.delta else "loss",
        measured(steps, training.data, training.features, delta=training.delta),
        log=steps[-1].event == "diverged",
    )
    return View(words.progress_title(kept), shown, ahead=True)
