"""Which model follows the next training set farthest?"""

import numpy as np
from numpy.random import Generator

from viz.core.question import Ask, Option, Question, asking, question
from viz.core.words import number
from viz.regression.bias_variance.bias_variance import Fits

_COMPARED = 4  # models, from simple to flexible
_CLEAR = 1.2  # times as far


def ask(fits: Fits) -> Ask:
    """Ask whose next fit is farthest from the mean of its fits so far."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = fits.steps[now], fits.steps[now + 1]
        count = len(fits.kinds)
        models = np.unique(np.linspace(0, count - 1, min(count, _COMPARED)).round().astype(int))
        off = np.sqrt(np.square(after.predictions - before.mean).mean(axis=1))[models].tolist()
        order = sorted(range(len(models)), key=lambda i: -off[i])
        if len(order) == 1 or off[order[0]] <= _CLEAR * off[order[1]]:
            return None
        options = [Option(fits.kinds[models[i]]) for i in order]
        reason = (
            f"Its curve is {number(off[order[0]])} off on average over x, that of "
            f"{options[1].text} {number(off[order[1]])}: what varies with the set is variance."
        )
        text = "Which model's next fit is farthest from the mean of its fits so far?"
        return question(text, options[0], options[1:], reason)

    return asking(len(fits.steps), about)
