"""Mixtures of multinomials: a table of word counts and its topics."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.multinomial_mixture import (
    RULED_OUT,
    MultinomialMixtureStep,
)
from algorithms.data.headlines import WordCounts
from viz.clustering.gaussian_mixture.lower_bound import bound_view
from viz.core import curves
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE, color, rgb
from viz.core.words import counted, number, rounded

# The more, the farther from the paper, be it light or dark; ink can be read on all of them.
_SHADES = [[share, f"rgba{(*rgb(PALETTE[0]), 0.1 + 0.55 * share)}"] for share in (0, 1)]
_IN_ORDER = {"traceorder": "normal"}  # without it, stacked bars are listed from the top


class Documents(Show[MultinomialMixtureStep]):
    """How documents are shared out among topics, and which words make a topic."""

    opens = 2

    def __init__(self, run: Run, table: WordCounts) -> None:
        """Keep the table; there are no points on a plane."""
        self.steps: Sequence[MultinomialMixtureStep] = run.steps
        self.table = table
        self.note = (
            "Twelve short news items, made up for this lab. The points on the board are not used."
        )

    def views(self) -> list[View]:
        """Return the table with the shares, the topics, and the log-likelihood with its bound."""
        return [
            View("Word counts, and how the documents are shared out", self.picture),
            View("The words of every topic", self.topics),
            bound_view(self.steps),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the counts, and beside every document its shares of the topics."""
        documents = list(self.table.documents)
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
            for j, share in enumerate(self.steps[now].responsibilities.T)
        ]
        layout = curves.panel_layout(
            xaxis={"domain": [0, 0.64], "side": "top", "showgrid": False, "tickangle": -40},
            xaxis2={"domain": [0.68, 1], "side": "top", "range": [0, 1], "tickvals": [0, 0.5, 1]}
            | {"title": {"text": "share", "standoff": 2}},
            yaxis={"autorange": "reversed", "showgrid": False},
            barmode="stack",
        )
        figure = {"data": [*_counts(self.table), *shares], "layout": layout}
        figure = curves.with_legend(figure, y=-0.02, yanchor="top", **_IN_ORDER)
        figure["layout"]["margin"] = {"l": 88, "r": 12, "t": 50, "b": 34}
        return figure

    def topics(self, now: int) -> Figure:
        """Draw how probable every word is in every topic."""
        step = self.steps[now]
        bars = [
            {
                "type": "bar",
                "x": list(self.table.words),
                "y": np.round(chances, 4).tolist(),
                "name": f"topic {j + 1}, π = {step.weights[j]:.2f}",
                "marker": {"color": color(j)},
                "hovertemplate": f"%{{x}}: %{{y:.3g}} in topic {j + 1}<extra></extra>",
            }
            for j, chances in enumerate(step.words)
        ]
        top = 1.08 * max(float(each.words.max()) for each in self.steps)
        layout = curves.panel_layout(
            xaxis={"showgrid": False},
            yaxis={"range": [0, top], "nticks": 5, "title": {"text": "δ"}},
            barmode="group",
        )
        return curves.with_legend({"data": bars, "layout": layout}, **_IN_ORDER)

    def caption(self, now: int) -> str:
        """Write what the half-step did; the second line has the rule for one case."""
        step = self.steps[now]
        n, k = step.responsibilities.shape
        if step.phase == "maximization":
            rise = rounded(max(step.log_likelihood - self.steps[now - 1].log_likelihood, 0.0))
            return (
                "Maximization: count the words of every topic; the log-likelihood rises by "
                f"{rise} to {rounded(step.log_likelihood)}.{self._event(now)}\n"
                f"{self._counted(step)}"
            )
        rule = self._shared(now)
        if now == 0:
            return (
                f"Start: {'each of ' * (k > 1)}{counted(k, 'topic')} takes the words of one "
                "document, mixed half and half with all words.\n"
                f"{rule}"
            )
        main = (each.responsibilities.argmax(axis=1) for each in (self.steps[now - 1], step))
        changed = int(np.not_equal(*main).sum())
        changes = f"the main topic changes for {changed} of {n}."
        said = f"Expectation: recompute each document's topic shares; {changes}{self._event(now)}"
        if step.event == "converged":
            said = f"Converged at a log-likelihood of {rounded(step.log_likelihood)}: {changes}"
        return f"{said}\n{rule}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the main topic of a document, and for the topic in which a word is likeliest."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.phase == "expectation":
            i = _one_that_changes(rng, before.responsibilities, after.responsibilities)
            text = f"E: which topic has the largest share of “{self.table.documents[i]}”?"
            return _which_topic(text, "share", after.responsibilities[i])
        w = _one_that_changes(rng, before.words.T, after.words.T)
        text = f"M: in which topic will “{self.table.words[w]}” be likeliest?"
        return _which_topic(text, "probability", after.words[:, w])

    def _shared(self, now: int) -> str:
        """Write the shares of the document that changed most, at the start of the least decided."""
        step, shares = self.steps[now], self.steps[now].responsibilities
        i = int(shares.max(axis=1).argmin())
        if now:
            i = int(np.abs(shares - self.steps[now - 1].responsibilities).max(axis=1).argmax())
        scores = step.scores(self.table.counts[[i]])[0]
        j = int(scores.argmax())
        listed = ", ".join(
            f"{number(score)} for topic {c + 1}" for c, score in enumerate(scores.tolist())
        )
        what = "The shares of “{}” change most" if now else "“{}” is the least decided"
        return (
            f"{what.format(self.table.documents[i])}: ln π + Σ T ln δ is {listed}, so topic "
            f"{j + 1} has the share {number(shares[i, j])}."
        )

    def _counted(self, step: MultinomialMixtureStep) -> str:
        """Write the most probable word of the topic with the most documents, with its counts."""
        j, counts = int(step.weights.argmax()), self.table.counts
        w = int(step.words[j].argmax())
        q = step.responsibilities[:, j]
        drawn = q @ counts
        return (
            f"Topic {j + 1}: π = Σ q / n = {number(q.sum())} / {len(counts)} = "
            f"{number(step.weights[j])}; δ(“{self.table.words[w]}”) = Σ q T(word) / Σ q T = "
            f"{number(drawn[w])} / {number(drawn.sum())} = {number(step.words[j, w])}."
        )

    def _event(self, now: int) -> str:
        step = self.steps[now]
        if step.event == "word ruled out":
            pair = (step, self.steps[now - 1])
            rare, was_rare = ((each.words < RULED_OUT).any(axis=1) for each in pair)
            j = int((rare & ~was_rare).argmax())
            return f" Topic {j + 1} now rules out “{self.table.words[step.words[j].argmin()]}”."
        return {
            None: "",
            "converged": " Converged.",
            "stopped at max_iter": " Stopped: no more iterations are allowed.",
        }[step.event]


def _counts(table: WordCounts) -> list[dict]:
    """Draw the table: a shade for every count, and the count itself."""
    shades = {
        "type": "heatmap",
        "name": "how often the word occurs",
        "x": list(table.words),
        "y": list(table.documents),
        "z": [[int(count) or None for count in row] for row in table.counts],
        "zmin": 0,
        "colorscale": _SHADES,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }
    rows, columns = table.counts.nonzero()
    numbers = {
        "type": "scatter",
        "mode": "text",
        "x": [table.words[w] for w in columns],
        "y": [table.documents[i] for i in rows],
        "text": table.counts[rows, columns].astype(str).tolist(),
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [shades, numbers]


def _which_topic(text: str, what: str, values: ndarray) -> Question | None:
    """Ask for the topic with the largest value."""

    def reason(first: int, second: int) -> str:
        ends = number(values[first]), number(values[second])
        return f"Its {what} is {ends[0]} in topic {first + 1}, and {ends[1]} in topic {second + 1}."

    options = [Option(f"topic {j + 1}") for j in range(len(values))]
    return which_most(text, options, values.tolist(), reason)


def _one_that_changes(rng: Generator, before: ndarray, after: ndarray) -> int:
    """Choose a row, preferably one whose largest entry is about to change."""
    changed = np.flatnonzero(before.argmax(axis=1) != after.argmax(axis=1))
    return int(rng.choice(changed if len(changed) else len(after)))
