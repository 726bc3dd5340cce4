"""What the modes of the perceptron's lab show."""

from algorithms.classification.linear.perceptron_bound import Overlap, Separator, proof
from algorithms.core.features import PolynomialFeatures
from viz.classification.linear import perceptron as draw
from viz.classification.linear import perceptron_words as words
from viz.classification.linear.perceptron import Training
from viz.classification.linear.perceptron_words import Settings
from viz.core.scene import Plane, Run, Scene, View


def mistakes(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    known: Separator | Overlap,
    settings: Settings,
) -> Scene:
    """Show a perceptron, which learns from its mistakes alone, and how many there can be."""
    training = Training(data, features, run.steps, known, delta=False)
    if isinstance(known, Overlap):
        return _scene(training, settings, _progress(training))
    bounds = proof(run.steps, known, learning_rate=settings.rate)
    title = words.bound_title(bounds, settings.init)
    return _scene(training, settings, View(title, draw.bound(bounds, run.steps)), bounds.bound)


def delta_rule(
    run: Run,
    data: Plane,
    features: PolynomialFeatures,
    known: Separator | Overlap,
    settings: Settings,
) -> Scene:
    """Show the delta rule, which corrects the weights at every sample."""
    training = Training(data, features, run.steps, known, delta=True)
    return _scene(training, settings, _progress(training))


def _progress(training: Training) -> View:
    return View(words.progress_title(training), draw.progress(training))


def _scene(training: Training, settings: Settings, third: View, most: float | None = None) -> Scene:
    """Put the views together. most : the bound on the mistakes, if there is one."""
    views = [
        View("The line and the sample visited", lambda now: draw.picture(training, now)),
        View(
            "Weight space (w₁ across, w₂ up): the update, tip to tail", draw.weight_space(training)
        ),
        third,
    ]
    return Scene(
        views,
        lambda now: words.caption(training, now, rate=settings.rate, most=most),
        words.note(training, settings),
    )
