"""Pictures and words for mixtures of multinomials: a table of word counts and its topics."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.clustering.mixtures.multinomial_mixture import RULED_OUT, MultinomialMixtureStep
from algorithms.data.headlines import WordCounts
from viz.clustering.mixtures import multinomial_mixture_questions
from viz.clustering.mixtures.lower_bound import BARS, bound_view
from viz.core import curves
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import PALETTE, color, rgb
from viz.core.words import counted, number

# The more, the farther from the paper, be it light or dark; ink can be read on all of them.
_SHADES = [[share, f"rgba{(*rgb(PALETTE[0]), 0.1 + 0.55 * share)}"] for share in (0, 1)]


def documents(run: Run, data: WordCounts) -> Scene:
    """Show how documents are shared out among topics, and which words make a topic."""
    steps = run.steps
    views = [
        View("Word counts, and how the documents are shared out", table(data, steps)),
        View("The words of every topic", topics(data, steps)),
        bound_view(steps),
    ]
    note = (
        "Twelve short news items, made up for this lab. The points on the board are not used. "
        f"{BARS}"
    )
    return Scene(
        views,
        lambda now: caption(data, steps, now),
        note,
        ask=multinomial_mixture_questions.ask(data, steps),
    )


def table(data: WordCounts, steps: Sequence[MultinomialMixtureStep]) -> Callable[[int], Figure]:
    """Draw the counts, and beside every document how it is shared out among the topics."""
    documents = list(data.documents)
    counts = {
        "type": "heatmap",
        "x": list(data.words),
        "y": documents,
        "z": [[int(count) or None for count in row] for row in data.counts],
        "zmin": 0,
        "colorscale": _SHADES,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }
    rows, columns = data.counts.nonzero()
    numbers = {
        "type": "scatter",
        "mode": "text",
        "x": [data.words[w] for w in columns],
        "y": [documents[i] for i in rows],
        "text": data.counts[rows, columns].astype(str).tolist(),
        "hoverinfo": "skip",
        "showlegend": False,
    }
    layout = curves.panel_layout(
        xaxis={"domain": [0, 0.64], "side": "top", "showgrid": False, "tickangle": -40},
        xaxis2={"domain": [0.68, 1], "side": "top", "range": [0, 1], "tickvals": [0, 0.5, 1]}
        | {"title": {"text": "share", "standoff": 2}},
        yaxis={"autorange": "reversed", "showgrid": False},
        barmode="stack",
    )
    still = curves.with_legend({"data": [], "layout": layout}, y=-0.02, yanchor="top", **_IN_ORDER)
    still["layout"]["margin"] = {"l": 88, "r": 12, "t": 50, "b": 34}

    def draw(now: int) -> Figure:
        shares = [
            {
                "type": "bar",
                "orientation": "h",
                "x": np.round(share, 4).tolist(),
                "y": documents,
                "xaxis": "x2",
                "marker": {"color": color(j)},
                "name": f"topic {j + 1}",
                "hovertemplate": f"%{{y}}: topic {j + 1} %{{x:.3g}}<extra></extra>",
            }
            for j, share in enumerate(steps[now].responsibilities.T)
        ]
        return still | {"data": [counts, numbers, *shares]}

    return draw


def topics(data: WordCounts, steps: Sequence[MultinomialMixtureStep]) -> Callable[[int], Figure]:
    """Draw how probable every word is in every topic."""
    top = 1.08 * max(float(step.words.max()) for step in steps)
    layout = curves.panel_layout(
        xaxis={"showgrid": False},
        yaxis={"range": [0, top], "nticks": 5, "title": {"text": "δ"}},
        barmode="group",
    )
    still = curves.with_legend({"data": [], "layout": layout}, **_IN_ORDER)

    def draw(now: int) -> Figure:
        step = steps[now]
        bars = [
            {
                "type": "bar",
                "x": list(data.words),
                "y": np.round(chances, 4).tolist(),
                "name": f"topic {j + 1}, π = {step.weights[j]:.2f}",
                "marker": {"color": color(j)},
                "hovertemplate": f"%{{x}}: %{{y:.3g}} in topic {j + 1}<extra></extra>",
            }
            for j, chances in enumerate(step.words)
        ]
        return still | {"data": bars}

    return draw


_IN_ORDER = {"traceorder": "normal"}  # bars that are stacked are named from the top otherwise


def caption(data: WordCounts, steps: Sequence[MultinomialMixtureStep], now: int) -> str:
    """Say what half-step `now` did; the second line works out the rule for one case."""
    step = steps[now]
    n, k = step.responsibilities.shape
    likelihood = number(step.log_likelihood, 6)
    if step.phase == "maximization":
        return (
            f"Maximization: the words of every topic are counted; the log-likelihood rises to "
            f"{likelihood}.{_ending(data, steps, now)}\n"
            f"KL 0 → {number(max(step.gap, 0.0))}. {_counted(data, step)}"
        )
    rule = _shared(data, steps, now)
    if now == 0:
        return (
            f"Start: {'each of ' * (k > 1)}{counted(k, 'topic')} takes the words of one document, "
            f"half and half with all words.\nBound = log-likelihood = Σ ln p = {likelihood}. {rule}"
        )
    gap = number(max(steps[now - 1].gap, 0.0))
    main = (s.responsibilities.argmax(axis=1) for s in (steps[now - 1], step))
    changed = int(np.not_equal(*main).sum())
    return (
        f"Expectation: the documents are shared out anew; for {changed} of {n} the main topic "
        f"changes.{_ending(data, steps, now)}\n"
        f"KL {gap} → 0: bound = log-likelihood = {likelihood}. {rule}"
    )


def _shared(data: WordCounts, steps: Sequence[MultinomialMixtureStep], now: int) -> str:
    """Work out the shares of the document that changed most, or is least decided at the start."""
    step = steps[now]
    shares = step.responsibilities
    i = int(shares.max(axis=1).argmin())
    if now:
        i = int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())
    scores = step.scores(data.counts[[i]])[0]
    j = int(scores.argmax())
    listed = ", ".join(f"{c + 1}: {number(score)}" for c, score in enumerate(scores) if c != j)
    others = f" (the others: {listed})" if listed else ""
    return (
        f"“{data.documents[i]}”: ln π + Σ T ln δ = {number(scores[j])} for topic {j + 1}{others}; "
        f"e to these, divided by their sum, is its share: {number(shares[i, j])}."
    )


def _counted(data: WordCounts, step: MultinomialMixtureStep) -> str:
    """Work out the most probable word of the topic with the most documents."""
    j = int(step.weights.argmax())
    w = int(step.words[j].argmax())
    drawn = step.responsibilities[:, j] @ data.counts
    return (
        f"Topic {j + 1}: π = Σ q / n = {number(step.responsibilities[:, j].sum())} / "
        f"{len(data.counts)} = {number(step.weights[j])}; δ(“{data.words[w]}”) = Σ q T(word) / "
        f"Σ q T = {number(drawn[w])} / {number(drawn.sum())} = {number(step.words[j, w])}."
    )


def _ending(data: WordCounts, steps: Sequence[MultinomialMixtureStep], now: int) -> str:
    step = steps[now]
    if step.event == "word ruled out":
        rare, was_rare = ((s.words < RULED_OUT).any(axis=1) for s in (step, steps[now - 1]))
        j = int((rare & ~was_rare).argmax())
        return f" Topic {j + 1} now rules “{data.words[step.words[j].argmin()]}” out."
    return {
        None: "",
        "converged": " Converged.",
        "stopped at max_iter": " Stopped: the iterations allowed are used up.",
    }[step.event]
