"""Pictures and words for choosing the number of components of a mixture."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.mixture_choice import MixtureChoiceStep
from viz.clustering.mixtures import mixture_choice_questions
from viz.core import curves, plane, soft_groups
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import PALETTE, color
from viz.core.words import number


def choosing_k(run: Run, data: Plane, starts: int, folds: int) -> Scene:
    """Show the best mixture for every k, what judges them, and where all the starts ended."""
    steps = run.steps
    views = [
        View("The best mixture with k components", lambda now: picture(data, steps, now)),
        View("BIC and held-out points, against k", lambda now: criteria(steps, now), ahead=True),
        View(f"Where the {starts} starts of every k ended", ends(steps), ahead=True),
    ]
    note = (
        f"A step is a number of components k. Each is fitted from {starts} starts, k-means and "
        "random ones in turn (k = 1 from one: all would end alike), and the highest "
        f"log-likelihood is kept. Each of {folds} parts of "
        "the points is held out once; that fit starts at the means of the one that was kept."
    )
    return Scene(
        views,
        lambda now: caption(steps, now, len(data.X)),
        note,
        ask=mixture_choice_questions.ask(steps),
    )


def picture(data: Plane, steps: Sequence[MixtureChoiceStep], now: int) -> Figure:
    """Draw the components of one k, and the points in their blend."""
    mixture = steps[now].mixture
    most = max(step.k for step in steps)
    ellipses = soft_groups.ellipses(mixture.means, mixture.covariances)
    for j in range(len(ellipses), most):  # the same traces for every k
        ellipses.append(soft_groups.curve(plane.GAP, width=2.5, color=color(j)))
    traces = [*ellipses, soft_groups.centers(mixture.means, data.bounds)]
    points = soft_groups.points(data.X, mixture.responsibilities)
    return plane.figure(traces, data.bounds, data.names, points=points)


def criteria(choices: Sequence[MixtureChoiceStep], now: int) -> Figure:
    """Draw BIC and held-out log-likelihood against k; mark each one's best."""
    ks = [choice.k for choice in choices]
    bic = np.array([choice.bic for choice in choices])
    held = np.array([choice.held_out for choice in choices])
    best, likeliest = int(bic.argmin()), int(held.argmax())
    green = {"line": {"color": PALETTE[2]}, "marker": {"symbol": 2}}
    traces = [
        curves.against("BIC (low is good)", ks, bic, yaxis="y", marker={"symbol": 1}),
        curves.marked(ks[best], float(bic[best]), showlegend=False),
        curves.against("held out (high is good)", ks, held, yaxis="y2", **green),
        curves.marked(ks[likeliest], float(held[likeliest]), yaxis="y2", showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
        yaxis=_axis("BIC", 0.56, _near(-bic, -1)),
        yaxis2=_axis("ln p", 0.0, _near(held, 1)),
        shapes=[curves.dotted(ks[now])],
    )
    return curves.with_legend({"data": traces, "layout": layout})


def _axis(name: str, bottom: float, ends: list[float]) -> dict:
    domain = [bottom, bottom + 0.44]
    return {"title": {"text": name}, "domain": domain, "nticks": 4, "range": ends}


def _near(values: ndarray, sign: int) -> list[float]:
    """Give the range around the best (highest) values: a collapse can be far below all others."""
    best, first = float(values.max()), float(values[0])
    low = max(float(values.min()), best - 3 * max(best - first, 0.05 * abs(best), 1e-3))
    room = 0.15 * (best - low) or 0.1
    return sorted([sign * (low - room), sign * (best + room)])


def ends(steps: Sequence[MixtureChoiceStep]) -> Callable[[int], Figure]:
    """Draw the log-likelihood at which every start of every k ended; the kept one has a ring."""
    places = np.array([(step.k, end) for step in steps for end in step.ends], float)
    low, high = float(places[:, 1].min()), float(places[:, 1].max())
    room = 0.08 * (high - low) or 1.0
    dots = plane.line(places, mode="markers", marker={"size": 7, "color": PALETTE[0]})
    dots |= {"opacity": 0.8}
    layout = curves.panel_layout(
        xaxis={"range": [0.6, steps[-1].k + 0.4], "dtick": 1},
        yaxis={"range": [low - room, high + room], "nticks": 5, "title": {"text": "Σ ln p"}},
    )

    def draw(now: int) -> Figure:
        kept = curves.marked(steps[now].k, steps[now].log_likelihood)
        return {"data": [dots, kept], "layout": layout}

    return draw


def caption(steps: Sequence[MixtureChoiceStep], now: int, n: int) -> str:
    """Compare this k with the best; the second line works BIC out."""
    step = steps[now]
    best = min(steps, key=lambda each: each.bic)
    likeliest = max(steps, key=lambda each: each.held_out)
    verdict = "the lowest of all"
    if step.k != best.k:
        verdict = f"{number(step.bic - best.bic)} above that of {_components(best.k)}"
    held = ", the highest of all" if step.k == likeliest.k else ""
    spread = "all starts end there"
    if np.ptp(step.ends) > 1e-3 * n:
        low = float(step.ends.min())
        spread = f"the poorest of {len(step.ends)} starts ends at {number(low, 5)}"
    return (
        f"With {_components(step.k)} BIC is {number(step.bic, 4)}, {verdict}.\n"
        f"BIC = −2 ln L + a ln n = −2 · ({number(step.log_likelihood, 5)}) + {step.n_parameters} · "
        f"ln {n}; {spread}. Held out: {number(step.held_out)} per point{held}."
    )


def _components(k: int) -> str:
    return "1 component" if k == 1 else f"{k} components"
