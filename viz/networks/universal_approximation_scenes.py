"""What the lab of universal approximation shows."""

import numpy as np
from numpy import ndarray

from algorithms.data.truths import Truth
from viz.core.scene import Plane, Run, Scene, View
from viz.networks import universal_approximation as draw
from viz.networks import universal_approximation_questions as questions
from viz.networks import universal_approximation_words as words


def bumps(run: Run, data: Plane, truth: Truth, found: ndarray, query: float) -> Scene:
    """Show the bumps, one after the other.

    found : (numbers, 2) how far whole sums of other numbers of bumps miss. query : a picked x.
    """
    shown, steps = draw.Approximation(truth, data, query), run.steps
    return Scene(
        [
            View(
                "The truth, and the sum of the bumps",
                lambda now: draw.bumps_picture(shown, steps, now),
            ),
            View("The two sigmoids of the newest bump", lambda now: draw.pair(shown, steps, now)),
            View("How far the whole sum misses", draw.by_number(found, steps[-1])),
        ],
        lambda now: words.bump(shown, steps, now),
        words.BUMPS,
        ask=questions.ask_bumps(steps),
    )


def trained(run: Run, data: Plane, truth: Truth, query: float) -> Scene:
    """Show the epochs. query : a picked x."""
    shown, steps = draw.Approximation(truth, data, query), run.steps
    misses = np.array([step.miss.rms for step in steps])
    return Scene(
        [
            View("The truth, and the network", lambda now: draw.trained_picture(shown, steps, now)),
            View("What every hidden unit adds", lambda now: draw.hidden(shown, steps, now)),
            View("How far it misses, by epoch", draw.errors(steps), ahead=True),
        ],
        lambda now: words.epoch(shown, steps, misses, now),
        words.TRAINED,
        ask=questions.ask_training(steps),
    )
