"""What the race of optimisers shows."""

from collections.abc import Sequence

from algorithms.networks.surfaces import Surface
from algorithms.regression.least_squares.optimizers import Rule
from viz.core.scene import Run, Scene, View
from viz.networks import descent_race as draw
from viz.networks import descent_race_questions as questions
from viz.networks import descent_race_words as words


def race(run: Run, surface: Surface, rules: Sequence[Rule], told: int) -> Scene:
    """Show all rules on their way down. told : the number of the rule that the caption explains."""
    shown = draw.Race(surface, rules, run.steps)
    return Scene(
        [
            View("The ways down", lambda now: draw.picture(shown, now)),
            View(
                "Height above the lowest place, from 10⁻¹² up",
                lambda now: draw.heights(shown, now),
                ahead=True,
            ),
            View("Length of the steps", lambda now: draw.lengths(shown, now), ahead=True),
        ],
        lambda now: words.caption(shown, told, now),
        note=words.note(shown),
        ask=questions.ask(shown),
    )
