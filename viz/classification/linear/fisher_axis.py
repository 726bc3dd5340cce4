"""Pictures and words for an axis that is turned until it tells two classes apart."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.classification.linear.fisher_axis import FisherAxisStep
from viz.classification.linear import fisher_axis_questions as questions
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane, Run, Scene, Track, View
from viz.core.theme import GREY, color, symbol
from viz.core.turning import across_the_picture, angle_axis, handles
from viz.core.words import counted, enclosed, number, vector

_CELLS = 60  # along each axis: the border is straight
_BINS = 30
_ROUNDING = 1e-12  # of the largest
_STICKS = 350  # perpendiculars at most: every frame holds them
_STARS = {"most separation": "star", "most variance": "diamond", "through both means": "circle"}

Steps = Sequence[FisherAxisStep]


def by_hand(run: Run, data: Plane) -> Scene:
    """Show an axis that is turned by its handles, and how well it parts the classes."""
    steps: Steps = run.steps
    ends = handles(steps[0].center, np.array([step.direction for step in steps]), data.bounds)
    views = [
        View("Turn the axis by its handles", picture(data, steps), track=Track("The axis", ends)),
        View("On the axis: class by class, means and ± deviations", strips(data, steps)),
        View("J by angle: ★ best, ◆ most variance, ● means", ratios(steps), ahead=True),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps, now),
        note(steps),
        ask=questions.ask(steps),
    )


def noted(steps: Steps, event: str) -> FisherAxisStep | None:
    """Find the direction with this name, if there is one."""
    return next((step for step in steps if step.event == event), None)


def picture(data: Plane, steps: Steps) -> Callable[[int], Figure]:
    """Draw the axis, the points dropped onto it, both means there, and the border between."""
    x, y, cells = plane.grid(data.bounds, _CELLS)
    shown = np.linspace(0, len(data.X) - 1, min(len(data.X), _STICKS)).round().astype(int)
    X, center = data.X[shown], steps[0].center

    def at(now: int) -> Figure:
        step = steps[now]
        half = across_the_picture(step.direction[None], data.bounds)[0]
        feet = center + step.transform(X) * step.direction
        sticks = np.stack([X, feet, np.full_like(X, np.nan)], axis=1).reshape(-1, 2)
        score = step.decision_function(cells).reshape(_CELLS, _CELLS)
        winner = np.where(score > 0, step.classes[1], step.classes[0])
        means = center + step.means[:, None] * step.direction
        look = {
            "size": 17,
            "symbol": [symbol(int(k)) for k in step.classes],
            "color": [color(int(k)) for k in step.classes],
            "line": {"width": 3, "color": "#ffffff"},
        }
        traces = [
            plane.regions(winner, None, data.bounds),
            plane.line(sticks, line={"width": 1, "color": GREY}),
            plane.borders(x, y, np.stack([-score, score]), line={"width": 2, "dash": "dash"}),
            plane.line(np.array([center - half, center + half]), line={"width": 3}),
            plane.line(means, mode="markers", marker=look),
        ]
        wrong = step.predict(data.X) != data.labels
        points = plane.points(data.X, data.labels, wrong)
        return plane.figure(traces, data.bounds, data.names, points=points)

    return at


def strips(data: Plane, steps: Steps) -> Callable[[int], Figure]:
    """Draw where the points are on the axis: the first class upwards, the second downwards."""
    reach = float(np.hypot(*(data.X - steps[0].center).T).max()) or 1.0
    edges = np.linspace(-reach, reach, _BINS + 1)
    middles = plane.packed((edges[1:] + edges[:-1]) / 2)
    classes = steps[0].classes.tolist()
    members = [data.labels == k for k in classes]
    counts = np.array([
        [np.histogram(step.transform(data.X[of])[:, 0], edges)[0] for of in members]
        for step in steps
    ])  # fmt: skip
    top = float(counts.max())
    ticks = {"tickvals": [-top, 0, top], "ticktext": [f"{top:g}", "0", f"{top:g}"]}
    layout = curves.panel_layout(
        xaxis=panels.axis("z on the axis", -reach, reach),
        yaxis=panels.axis("points", -1.3 * top, 1.3 * top, **ticks),
        barmode="overlay",
    )
    layout["margin"] = {"l": 58, "r": 14, "t": 8, "b": 40}

    def at(now: int) -> Figure:
        step = steps[now]
        traces = []
        for i, (k, sign) in enumerate(zip(classes, (1, -1), strict=True)):
            traces.append({
                "type": "bar", "x": middles, "y": plane.packed(sign * counts[now, i] * 1.0),
                "width": float(edges[1] - edges[0]), "marker": {"color": color(k)},
                "name": data.classes[k], "showlegend": True, "hoverinfo": "skip",
            })  # fmt: skip
        for i, sign in enumerate((1, -1)):
            mean = float(step.means[i])
            around = float(np.sqrt(step.scatters[i] / members[i].sum()))
            height = sign * 1.15 * top
            traces += [
                panels.curve([mean, mean], [0, sign * 1.25 * top], line={"width": 3}),
                panels.curve(
                    [mean - around, mean + around], [height, height],
                    mode="lines+markers", line={"width": 3},
                    marker={"symbol": 142, "size": 12, "line": {"width": 3}},
                ),
            ]  # fmt: skip
        middle = float(step.means.mean())
        traces.append(panels.upright(middle, -1.3 * top, 1.3 * top))
        return curves.with_legend({"data": traces, "layout": layout})

    return at


def ratios(steps: Steps) -> Callable[[int], Figure]:
    """Draw J against the angle, with the directions of note."""
    path = np.array([(step.angle, step.ratio) for step in steps])
    top = float(path[:, 1].max()) or 1.0
    traces = [plane.line(path, line={"width": 3})]
    for event, mark in _STARS.items():
        if step := noted(steps, event):
            look = {"symbol": mark, "size": 13, "line": {"width": 1}}
            place = np.array([[step.angle, step.ratio]])
            traces.append(plane.line(place, mode="markers", marker=look, cliponaxis=False))
    layout = curves.panel_layout(xaxis=angle_axis(), yaxis=panels.axis("J", 0.0, top))

    def at(now: int) -> Figure:
        return {"data": [*traces, curves.marked(*path[now].tolist())], "layout": layout}

    return at


def caption(data: Plane, steps: Steps, now: int) -> str:
    """Say how far the axis parts the classes, put it into J, and compare the directions of note."""
    step = steps[now]
    wrong = int((step.predict(data.X) != data.labels).sum())
    largest = max(float(np.abs(each.means).max()) for each in steps)
    first, second = (_exact(value, largest) for value in step.means.tolist())
    ratio = _exact(step.ratio, max(each.ratio for each in steps))
    scatters = [number(value) for value in step.scatters]
    best = noted(steps, "most separation") or step
    return "\n".join(
        [
            f"Axis at {step.angle:.1f}°: the projected means are {number(abs(second - first))} "
            f"apart, and {wrong} of {counted(len(data.X), 'point')} are nearer to the other one"
            f"{_SAID[step.event]}",
            f"J = (m₁ − m₂)²/(s₁² + s₂²) = ({number(first)} − {enclosed(second)})²/({scatters[0]} "
            f"+ {scatters[1]}) = {number(ratio)}; w = {vector(step.direction)}.",
            f"Fisher’s axis: {_told(best)}. {_others(steps)}",
        ]
    )


def _exact(value: float, largest: float) -> float:
    """Give 0 for what is left of it by rounding."""
    return 0.0 if abs(value) <= _ROUNDING * largest else value


_SAID = {
    None: ".",
    "most separation": ": no axis has a larger J.",
    "most variance": ": this is the first principal component, which looks at no classes.",
    "through both means": ": no axis has the means farther apart.",
    "means fall together": ": across the line through both means they fall together.",
}


def _told(step: FisherAxisStep) -> str:
    return f"J = {number(step.ratio)} at {step.angle:.1f}°"


def _others(steps: Steps) -> str:
    """Give J where the variance is most, and through both means."""
    found = [(event, noted(steps, event)) for event in ("most variance", "through both means")]
    said = "; ".join(f"{event}: {_told(step)}" for event, step in found if step)
    return f"{said[0].upper()}{said[1:]}."


def note(steps: Steps) -> str:
    """Say what the marks are, and what is done where J would have no bound."""
    said = (
        "Every point is dropped onto the axis; a large mark is the mean of a class there, the "
        "dashed line the border half-way between the two, a thick outline a point on the wrong "
        "side. s² is the sum of the squared distances of a class from its mean, on the axis: the "
        "bars in the strips are one standard deviation long to either side."
    )
    if steps[0].singular:
        said += (
            " Within the classes the points vary in one direction at most, so that J has no bound: "
            "a billionth of the variance is added within."
        )
    return said
