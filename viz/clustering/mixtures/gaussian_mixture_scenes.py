"""What the mode for mixtures of Gaussians shows."""

from numpy import ndarray

from viz.clustering.mixtures import gaussian_mixture as draw
from viz.clustering.mixtures import gaussian_mixture_questions as questions
from viz.clustering.mixtures import gaussian_mixture_words as words
from viz.clustering.mixtures.gaussian_mixture_words import Settings
from viz.clustering.mixtures.lower_bound import bound_view
from viz.core import soft_groups, what_if
from viz.core.scene import Plane, Run, Scene, View


def mixture(run: Run, data: Plane, query: ndarray, settings: Settings) -> Scene:
    """Show EM half-step by half-step. query : the picked point."""
    steps, k = run.steps, len(run.steps[0].means)
    title = f"Points in the blend of their components, {soft_groups.deviations(k)}"
    views = [View(title, lambda now: draw.picture(data, steps, now)), bound_view(steps)]

    likelihood = [step.log_likelihood for step in steps]

    def ghost(since: int, now: int) -> tuple[list[dict], ...]:
        return draw.ghost(steps, since, now), [what_if.curve(likelihood, since)]

    def caption(now: int) -> str:
        other = data.moved is not None
        said = words.caption(data.X, steps, now, settings, other_points=other)
        return f"{said}\n{words.picked(steps[now], query)}"

    return Scene(
        views, caption, words.note(data.names, k, settings), ask=questions.ask(data, steps),
        ghost=ghost,
    )  # fmt: skip
