"""Goals of experiments: the run that is shown says whether the visitor has reached one.

A goal's condition is an expression of Python in the lesson, over `steps`, `first` and `last` of
the run, the board's points `X` and their classes `y`, and the parameters by their names in the
address, for example `last.event == "converged" and len(steps) > 10`.
"""

from math import isclose
from typing import Any

import numpy as np

from pages._shared.data.session_data import board
from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.session.state import Declared, session
from pages._shared.stage.protocol import Goal
from viz.core.scene import Run

TOOLS: dict[str, Any] = {
    each.__name__: each for each in (abs, all, any, len, max, min, round, sum)
} | {
    "np": np,
    "__import__": __import__,  # some methods of NumPy import their code when they are first called
}


def judged(lab: LabFile, experiment: Experiment | None, mode: str, run: Run) -> Goal | None:
    """Return the goal of the situation under way, for the stage; None if it has none.

    mode : the name of the parameter that chooses the mode.
    """
    if experiment is None or experiment.goal is None:
        return None
    return {
        "name": name(lab, experiment), "text": experiment.goal.text, "hint": experiment.goal.hint,
        "reached": not run.error and _as_set_up(experiment, mode) and _holds(experiment, run),
    }  # fmt: skip


def name(lab: LabFile, experiment: Experiment) -> str:
    """Return the name of a goal, under which the browser remembers it."""
    return f"goal_{lab.name}_{experiment.slug}"


def _as_set_up(experiment: Experiment, mode: str) -> bool:
    """Return whether the parameters that no way to the goal changes are as in the link."""
    assert experiment.goal
    declared, link = session().declared, experiment.link
    kept = ({*link, mode} - {*experiment.goal.way}) & {*declared}
    return all(_same(declared[each], link.get(each)) for each in kept)


def _same(parameter: Declared, text: str | None) -> bool:
    """Return whether a parameter has the value of a link, which may leave it at its default."""
    value = parameter.value
    if text is None:
        return value == parameter.default
    return isclose(float(text), value) if isinstance(value, float) else text == str(value)


def _holds(experiment: Experiment, run: Run) -> bool:
    """Return whether the condition holds. It is a part of the lesson, and no visitor writes it."""
    assert experiment.goal
    data = board().data
    known: dict[str, Any] = {name: each.value for name, each in session().declared.items()}
    known |= {"steps": run.steps, "first": run.steps[0], "last": run.steps[-1]}
    known |= {"X": data.X, "y": data.labels, "__builtins__": TOOLS}
    try:
        return bool(eval(experiment.goal.condition, known))
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        return False  # points of one's own may lack what the condition speaks of
