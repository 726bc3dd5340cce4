"""What the mode for mixtures of Gaussians shows."""

from viz.clustering.mixtures import gaussian_mixture as draw
from viz.clustering.mixtures import gaussian_mixture_words as words
from viz.clustering.mixtures.gaussian_mixture_words import Settings
from viz.clustering.mixtures.lower_bound import bound_view
from viz.core import soft_groups
from viz.core.scene import Plane, Run, Scene, View


def mixture(run: Run, data: Plane, choices: Run, settings: Settings) -> Scene:
    """Show EM half-step by half-step, and how good every other number of components would be.

    choices : of `mixture_choice`.
    """
    steps, k = run.steps, len(run.steps[0].means)
    title = f"Points in the blend of their components, {soft_groups.deviations(k)}"
    views = [View(title, lambda now: draw.picture(data, steps, now)), bound_view(steps)]
    if choices.steps:
        still = draw.choosing_k(choices.steps, k)
        views.append(
            View("Choosing k, one start for each: BIC, and held-out points", lambda _: still)
        )
    return Scene(
        views,
        lambda now: words.caption(data.X, steps, now, settings),
        words.note(data.names, k, settings),
    )
