"""Pictures and words for McNemar's test, point after point."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.evaluation.mcnemar import McNemarStep, least_leads
from algorithms.evaluation.paired_comparison import LEVEL
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import counted, number
from viz.evaluation import mcnemar_questions as questions
from viz.evaluation.pair import MARKS, pair

_LEAST = 8  # disagreements that the axis has room for


def one_set(run: Run, data: Plane, first: str, second: str) -> Scene:
    """Show one held-out point after the other."""
    steps: Sequence[McNemarStep] = run.steps
    views = [
        View("Both classifiers; held-out points that were judged are ringed", picture(data, steps)),
        View("Lead b − c: the test calls beyond the lines", lead(steps)),
        View("Who was right", table(steps)),
    ]
    return Scene(
        views,
        lambda now: caption(steps, first, second, now),
        note(steps),
        ask=questions.ask(data, steps, first, second),
    )


def picture(data: Plane, steps: Sequence[McNemarStep]) -> Callable[[int], Figure]:
    """Draw both classifiers, and mark what only one of them gets wrong."""
    draw = pair(data, steps[0].classes, steps[0].models)
    return lambda now: draw(steps[now].judged, steps[now].wrong)


def lead(steps: Sequence[McNemarStep]) -> Callable[[int], Figure]:
    """Draw b - c against b + c so far, between the lines that a test at 5 % sets."""
    counts = np.array([(step.only_first, step.only_second) for step in steps])
    walk = np.column_stack([counts.sum(axis=1), counts[:, 0] - counts[:, 1]]).astype(float)
    most = max(int(walk[-1, 0]), _LEAST)
    bound = least_leads(most)
    tosses = plane.packed(np.arange(most + 1.0))
    top = max(float(np.nanmax(bound, initial=0.0)), float(np.abs(walk[:, 1]).max()), 1.0)
    still = [
        panels.curve(tosses, plane.packed(side * bound), line={"width": 1.5}) for side in (1, -1)
    ]
    still.append(panels.curve([0, most], [0, 0], line={"width": 1, "dash": "dot", "color": GREY}))
    across = panels.axis("points on which they disagree, b + c", 0, most)
    up = panels.axis("b − c", -top, top)

    def at(now: int) -> Figure:
        path = plane.line(walk[: now + 1], line={"width": 2.5, "color": NOW})
        mark = curves.marked(*walk[now].tolist())
        return panels.alone(panels.Panel([*still, path, mark], across, up))

    return at


def table(steps: Sequence[McNemarStep]) -> Callable[[int], Figure]:
    """Draw how many points both get right, only one, and none of them."""
    names = ["both right", "only first<br>wrong", "only second<br>wrong", "both wrong"]
    hues = [GREY, NOW, NOW, GREY]
    top = float(max(_cells(steps[-1])))
    across = panels.axis("", -0.5, 3.5, tickvals=[0, 1, 2, 3], ticktext=names)
    up = panels.axis("points", 0.0, 1.12 * max(top, 1.0))  # the counts stand above the bars

    def at(now: int) -> Figure:
        found = _cells(steps[now])
        bars = {
            "type": "bar",
            "x": [0, 1, 2, 3],
            "y": found,
            "marker": {"color": hues, "pattern": {"shape": ["", "/", "x", ""], "solidity": 0.5}},
            "text": [str(count) for count in found],
            "textposition": "outside",
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
        }
        return panels.alone(panels.Panel([bars], across, up))

    return at


def _cells(step: McNemarStep) -> list[int]:
    """Count the points both get right, only the first wrong, only the second, and both wrong."""
    b, c, both = step.only_first, step.only_second, int(step.wrong.all(axis=0).sum())
    return [int(step.judged.sum()) - b - c - both, b, c, both]


def caption(steps: Sequence[McNemarStep], first: str, second: str, now: int) -> str:
    """Say who got the point wrong, and put the disagreements into the test."""
    step, total = steps[now], int(steps[0].held_out.sum())
    b, c = step.only_first, step.only_second
    judged = int(step.judged.sum())
    lines = [
        f"{counted(total, 'held-out point')} wait; both classifiers learned from the "
        f"{len(step.judged) - total} others."
        if now == 0
        else f"Point {judged} of {total}: {_said(step, first, second)}.",
        f"Only {first} was wrong on b = {b}, only {second} on c = {c}; the other {judged - b - c} "
        "tell nothing of which is better.",
        _tests(step, b, c),
    ]
    if 0 < now == len(steps) - 1:
        verdict = "the test calls them different" if step.p < LEVEL else "that may be luck"
        lines.append(
            f"Errors: {first} {number(100 * step.wrong[0].sum() / total)} %, {second} "
            f"{number(100 * step.wrong[1].sum() / total)} %; {verdict}."
        )
    return "\n".join(lines)


def _said(step: McNemarStep, first: str, second: str) -> str:
    a, b = step.wrong[:, step.point]
    if a == b:
        return "both are wrong" if a else "both are right"
    return f"only {first if a else second} is wrong"


def _tests(step: McNemarStep, b: int, c: int) -> str:
    if b + c == 0:
        return "They have not disagreed, so p = 1."
    return (
        f"p = min(1, 2 P(at most {min(b, c)} heads of {b + c})) = {number(step.p, 2)}. "
        f"Chi-square: (|{b} − {c}| − 1)²/{b + c} = {number(step.chi_square)}, "
        f"p = {number(step.chi_square_p, 2)}."
    )


def note(steps: Sequence[McNemarStep]) -> str:
    """Say how the points are drawn and marked, and which p counts."""
    held = int(steps[0].held_out.sum())
    return (
        f"The {held} held-out points are judged in the order of the data. {MARKS} The two lines in "
        "the linked view are the least leads that the exact test calls at "
        f"{number(100 * LEVEL)} %. It is "
        "made for the last step: whoever stops at the first crossing calls too often."
    )
