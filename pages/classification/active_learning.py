"""The modes of the lab; its lesson is active_learning.md."""

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.classification.active_learning import active_learning as algorithm
from algorithms.classification.active_learning import starts_compared
from algorithms.core.iterate import resumed
from algorithms.core.splits import held_out
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, what_if
from viz.classification.active_learning.active_learning import Queries
from viz.classification.active_learning.starts_compared import Starts
from viz.core.scene import Plane, Run

LABELS = [5, 10, 15, 20, 30, 50, 80]
MOST_ANSWERS = 12
# Shares of the picture, which are larger on a phone than elsewhere:
ANSWER = np.array([0.24, 0.11])  # the size of a button with a class
APART = 0.12  # from the middle of a button to the next, up
BESIDE = 0.17  # from a point to its answers, across
ABOVE, BELOW = 0.19, 0.11  # from a point to the nearest answer, up (clear of the "?") and down
ACROSS_ANSWER = 4  # places along a button at which the border is looked for
NOT_YET = "not yet"


class Task(NamedTuple):
    """What the page asks for. most : labels to ask for. held_out : which points never are."""

    rule: str
    degree: int
    per_class: int
    most: int
    held_out: ndarray


def by_rule(lab: Lab) -> Shown:
    """Ask for one label after the other, by a rule."""
    task = ask_task(lab)
    seed, X, y = ask_seed(lab), lab.plane.X, lab.plane.labels
    known = starts_compared.first_labels(y, task.held_out, task.per_class, seed)
    how = {"rule": task.rule, "degree": task.degree, "held_out": task.held_out}
    run = lab.run(
        algorithm.active_learning, X, y, known, rng=starts_compared.asking_rng(seed),
        max_iter=task.most, **how,
    )  # fmt: skip
    means = of_many_starts(lab, task)

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(Queries, run, data, task.held_out, task.rule, means, code=algorithm)

    def ask_differently(ways: Ways, step: int) -> Run:
        """Ask for another point, or give the point another label."""
        before = run.steps[step - 1]
        asked = X[[before.query]]
        place = ways.places("asked", "Asked instead", asked, look="query", at=step)
        free = np.flatnonzero(~task.held_out)
        free = free[~np.isin(free, before.known)]
        i = int(free[np.square(X[free] - place).sum(axis=1).argmin()])
        ways.handles[-1]["places"] = X[[i]].tolist()
        names = [lab.plane.classes[c] for c in before.classes]
        own = int(np.searchsorted(before.classes, y[i]))
        default = names[(own + 1) % len(names)] if i == before.query else names[own]
        code = names.index(ways.buttons("answer", "Its label", names, default))
        pool = lab.later(
            algorithm.as_pool, X, y, known, task.rule, task.degree, task.held_out, (),
            algorithm.PENALTY, starts_compared.asking_rng(seed),
        )  # fmt: skip
        given = (pool,)
        change, advance = (
            partial(algorithm.told, *given, i, code),
            partial(algorithm.advance, *given),
        )
        return lab.run(resumed, run, step, change, advance, most=task.most - step)

    return what_if(lab, run, show, ask_differently)


def you_label(lab: Lab) -> Shown:
    """Give the labels yourself: the learner asks."""
    task = ask_task(lab, reader=True)
    seed, X, y = ask_seed(lab), lab.plane.X, lab.plane.labels
    known = starts_compared.first_labels(y, task.held_out, task.per_class, seed)
    classes = [lab.plane.classes[c] for c in np.unique(y)]
    answers: list[int] = []
    for t in range(min(MOST_ANSWERS, int((~task.held_out).sum()) - int(known.sum()))):
        said = lab.buttons(
            f"label{t + 1}", f"Query {t + 1}", [*classes, NOT_YET], NOT_YET,
            then=partial(forget, lab, t + 1),
        )  # fmt: skip
        if said == NOT_YET:
            break
        answers.append(int(np.unique(y)[classes.index(said)]))
    run = lab.run(
        algorithm.active_learning, X, y, known, rng=starts_compared.asking_rng(seed),
        rule=task.rule, degree=task.degree, held_out=task.held_out, answers=tuple(answers),
        max_iter=len(answers),
    )  # fmt: skip
    if len(answers) < MOST_ANSWERS:
        ask_beside(lab, run, len(answers), classes)
    means = of_many_starts(lab, task)
    shown = lab.scene(
        Queries, run, lab.plane, task.held_out, task.rule, means, most=MOST_ANSWERS, code=algorithm
    )
    return replace(shown, grows=True)


def ask_beside(lab: Lab, run: Run, answered: int, classes: list[str]) -> None:
    """Show a button for each class beside the point that is asked now, where they hide least."""
    if not run.steps or run.steps[-1].query < 0:
        return
    for name, place in zip(classes, clear_column(lab, run.steps[-1], len(classes)), strict=True):
        lab.choose_at(
            f"label{answered + 1}", name, f"The point is of class {name}", place,
            text=f"class {name}", at=answered,
        )  # fmt: skip


def clear_column(lab: Lab, step: algorithm.QueryStep, count: int) -> ndarray:
    """Return the middles of a column of `count` buttons around the point that is asked.

    Labelled points count most, then the border, then other points.
    """
    low, high = np.reshape(lab.plane.bounds, (2, 2)).T
    X = (lab.plane.X - low) / (high - low)
    at, tall = X[step.query], APART * (count - 1)
    sides = [
        np.array([side * BESIDE, up * APART + tall / 2])
        for up in (0, 0.5, -0.5)
        for side in (1, -1)
    ]
    sides += [np.array([0, ABOVE + tall]), np.array([0, -BELOW])]  # of the uppermost button
    weights = np.where(np.isin(np.arange(len(X)), step.known), 20.0, 1.0)

    def hidden(side: ndarray) -> float:
        """Return how much a column hides; one that is not inside the picture is the worst."""
        top = np.clip(at + side, ANSWER / 2 + [0, tall], 1 - ANSWER / 2)
        bottom = top - [0, tall]
        start, end = bottom - ANSWER / 2, top + ANSWER / 2
        covered = weights @ ((start < X) & (end > X)).all(axis=1)
        moved = np.abs(top - at - side).max()
        ways = [np.linspace(a, b, ACROSS_ANSWER) for a, b in zip(start, end, strict=True)]
        places = low + np.stack(np.meshgrid(*ways), axis=-1).reshape(-1, 2) * (high - low)
        border = np.ptp(step.predict(places)) > 0
        return float(covered + 5 * border + 1000 * moved)

    top = at + min(sides, key=hidden)
    top = np.clip(top, ANSWER / 2 + [0, tall], 1 - ANSWER / 2)
    heights = top[1] - APART * np.arange(count)
    return low + np.column_stack([np.full(count, top[0]), heights]) * (high - low)


def forget(lab: Lab, answered: int) -> None:
    """Forget the answers to later queries, which are about other points after another answer."""
    for t in range(answered, MOST_ANSWERS):
        lab.kept.pop(f"label{t + 1}", None)


def starts(lab: Lab) -> Shown:
    """Repeat the run from many starts, by the rule and by chance."""
    task = ask_task(lab)
    run = lab.run(
        starts_compared.starts_compared, lab.plane.X, lab.plane.labels, task.held_out,
        rule=task.rule, degree=task.degree, per_class=task.per_class, max_iter=task.most,
    )  # fmt: skip
    judged = int(starts_compared.judged(task.held_out).sum())
    return lab.scene(Starts, run, task.rule, judged, code=starts_compared)


def ask_task(lab: Lab, *, reader: bool = False) -> Task:
    """Ask for the parameters of all modes. reader : nothing is held out, and labels are few."""
    rules = [rule for rule in algorithm.RULES if not (reader and rule == "chance")]
    rule = lab.buttons("rule", "Ask by", rules, "margin")
    degree = lab.slider("degree", "Degree of the border", 1, 4, 3)
    per_class = lab.slider("known", "First labels of each class", 1, 5, 1)
    y, n = lab.plane.labels, len(lab.plane.X)
    if reader:
        return Task(rule, degree, per_class, MOST_ANSWERS, np.zeros(n, bool))
    most = int(lab.log_slider("labels", "Labels to ask for, at most", LABELS, 15))
    share = lab.slider("held", "Held-out points, about %", 0, 80, 50, 10)
    held = held_out(n, share / 100, rng=split_rng(0), codes=y) if n else np.zeros(0, bool)
    return Task(rule, degree, per_class, most, held)


def ask_seed(lab: Lab) -> int:
    """Ask for the seed of a start."""
    return lab.number("seed", "Seed", 0, 9999, 15, help="Draws the first labels, and chance.")


def of_many_starts(lab: Lab, task: Task) -> Any:
    """Return the mean errors of the rule and of chance over many starts."""
    contest = starts_compared.Contest(
        lab.plane.X, lab.plane.labels, task.held_out, task.degree, task.per_class, task.most
    )
    return lab.later(starts_compared.means, contest, task.rule)


MODES = {"by a rule": by_rule, "you label": you_label, "many starts": starts}

if __name__ == "__main__":
    open_lab(__file__, data="circles", noise=0.2).show(MODES)
