"""Which rule goes farthest, and which one goes up?"""

import numpy as np
from numpy.random import Generator

from viz.core.question import Ask, Option, Place, Question, asking, question
from viz.core.question_kinds import rises_or_falls
from viz.core.words import number
from viz.networks.descent_race import Race

_CLEAR = 1.05  # times as long


def ask(shown: Race) -> Ask:
    """Ask which rule's next step is the longest, and whether a rule goes down or up."""
    steps, names = shown.steps, [rule.name for rule in shown.rules]

    def about(now: int, rng: Generator) -> Question | None:
        before, after = steps[now], steps[now + 1]
        running = np.flatnonzero(~after.left & after.changes.any(axis=1)).tolist()
        if len(running) < 2:
            return None
        if rng.random() < 0.4:
            i = int(rng.choice(running))
            old, new = (float(step.heights[i] - shown.surface.lowest) for step in (before, after))
            reason = f"Above the lowest place it goes from {number(old)} to {number(new)}."
            text = f"What does the height of {names[i]} do?"
            return rises_or_falls(text, old, new, reason, least=0.01)
        length = np.sqrt(np.square(after.changes).sum(axis=1))
        order = sorted(running, key=lambda i: -length[i])
        if length[order[0]] <= _CLEAR * length[order[1]]:
            return None
        places = before.places.tolist()
        options = [Option(names[i], _place(places[i])) for i in order]
        first, second = (number(float(length[i])) for i in order[:2])
        reason = f"It goes {first} far, and {names[order[1]]} {second}."
        text = "Which rule's next step is the longest?"
        return question(text, options[0], options[1:], reason)

    return asking(len(steps), about)


def _place(at: list[float]) -> Place:
    return (0, at[0], at[1])
