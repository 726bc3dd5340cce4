"""Baum-Welch: the tables are learned from a sequence whose states nobody has seen."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.hidden_markov_model.baum_welch import (
    BaumWelchStep,
    expectation,
    matched,
)
from algorithms.sequences.hidden_markov_model.model import Model
from viz.core import curves, plane
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import color
from viz.core.words import number
from viz.sequences.hidden_markov_model import marks
from viz.sequences.hidden_markov_model.marks import Task

_BELOW = -0.13  # the height of the strip of true states
_CLEAR = 0.01  # changes of a probability that are asked about


class BaumWelch(Show[BaumWelchStep]):
    """Expectation and maximization in turn."""

    opens = 6

    note = (
        "Dotted outlines: the tables that the sequence was drawn from. The run does not know them. "
        "A learned state has the name and the colour of the true state that it is most like at the "
        "end."
    )

    def __init__(self, run: Run, task: Task, states: ndarray) -> None:
        """Match the learned states with the true ones. states : (T,) the true ones."""
        super().__init__(run)
        self.task, self.states = task, states
        self.learned = matched(self.steps[-1].emissions, task.model.emissions).argsort()
        self.highest = max(
            float(table.max())
            for table in (*(s.emissions for s in self.steps), task.model.emissions)
        )

        truth = expectation(task.observations, 0.0, *task.model, before=-np.inf)
        self.at_best = int(np.count_nonzero(truth.posteriors.argmax(axis=1) == states))
        self.strips = [_strip(states == j) for j in range(len(self.learned))]

    def views(self) -> list[View]:
        """Return the tables, the states over time, and the likelihood."""
        likelihoods = [step.log_likelihood for step in self.steps]
        curve = curves.timeline({"ln P": likelihoods})
        return [
            View("What each state shows: learned (bars), true (dotted)", self.picture, board=False),
            View("Probability of the states over time", self.over_time, board=False),
            View("ln P(seen): how well the tables explain it", curve, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the learned tables, with the true ones as outlines."""
        step, own = self.steps[now], self.learned
        tables = Model(step.start[own], step.transitions[own][:, own], step.emissions[own])
        return marks.bars(self.task.named, tables, self.task.model, self.highest)

    def over_time(self, now: int) -> Figure:
        """Draw the probability of every state, with a strip of the true states below.

        Of two states only the second is drawn, because the first has the rest.
        """
        posteriors, T, k = self.steps[now].posteriors, self.task.length, len(self.learned)
        traces = []
        for j in range(k):
            name, ink = self.task.state(j), color(j)
            if k != 2 or j == 1:
                path = np.column_stack([np.arange(T), posteriors[:, self.learned[j]]])
                line = {"width": 2} if k == 2 else {"width": 2, "color": ink}  # clear of the strip
                look = {"line": line, "name": f"P({name})"}
                traces.append(plane.line(path, showlegend=True, **look))
            strip = {"line": {"width": 8, "color": ink}, "name": f"truly {name}"}
            traces.append(plane.line(self.strips[j], showlegend=k == 2, **strip))
        layout = curves.panel_layout(
            xaxis={"range": [-0.02 * T, 1.01 * T], **marks.times(T)},
            yaxis={
                "title": {"text": "probability"}, "range": [-0.22, 1.04],
                "tickvals": [_BELOW, 0, 0.5, 1], "ticktext": ["true", "0", "0.5", "1"],
            },
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the step did, with the numbers of the symbol that changes most."""
        step = self.steps[now]
        if step.phase == "expectation":
            return self._expectation(now)
        before = self.steps[now - 1]
        i, o = self._most_changed(now)
        name, symbol = self._name(i), self.task.named.symbols[o]
        counts = (
            before.posteriors[self.task.observations == o, i].sum(),
            before.posteriors[:, i].sum(),
        )
        verb = "rises" if step.emissions[i, o] > before.emissions[i, o] else "falls"
        return (
            f"M-step: the tables become the expected shares; for {name}, symbol {symbol} {verb} to "
            f"{number(step.emissions[i, o])}.\n"
            f"Expected times in {name} at which {symbol} was seen, divided by all in {name}: "
            f"{number(counts[0])} / {number(counts[1])} = {number(step.emissions[i, o])} (it was "
            f"{number(before.emissions[i, o])})."
        )

    def _expectation(self, now: int) -> str:
        step = self.steps[now]
        named = step.posteriors[:, self.learned].argmax(axis=1)
        right = np.count_nonzero(named == self.states)
        told = f"{right} of {self.task.length} states would be named correctly"
        if step.event:
            told += f"; with the true tables it would be {self.at_best}"
        rule = f"With these tables what was seen has ln P = {number(step.log_likelihood, 6)}"
        if now:
            rise = step.log_likelihood - self.steps[now - 1].log_likelihood
            rule += f", higher by {number(max(rise, 0.0))}"
        ending = {
            "converged": "Converged, ln P no longer rises:",
            "stopped at max_iter": "Stopped, no more iterations are allowed:",
        }.get(step.event or "", "E-step: how likely is each state at each time?")
        return f"{ending} {told}.\n{rule}."

    def _name(self, i: int) -> str:
        """Return the name of a learned state."""
        return self.task.state(int(self.learned.argsort()[i]))

    def _most_changed(self, now: int) -> tuple[int, int]:
        """Return the state and the symbol whose probability changes most in an M-step."""
        change = np.abs(self.steps[now].emissions - self.steps[now - 1].emissions)
        i, o = np.unravel_index(change.argmax(), change.shape)
        return int(i), int(o)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which way the next M-step moves a probability."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.phase == "expectation":
            return None
        i, o = self._most_changed(now + 1)
        name, symbol = self._name(i), self.task.named.symbols[o]
        old, new = float(before.emissions[i, o]), float(after.emissions[i, o])
        text = f"M-step: what does the probability of {symbol} in {name} do?"
        share = before.posteriors[self.task.observations == o, i].sum()
        reason = (
            f"{number(before.posteriors[:, i].sum())} times are expected in {name}, and {symbol} "
            f"was seen in {number(share)} of them. The share is {number(new)}; it was "
            f"{number(old)}."
        )
        return rises_or_falls(text, old, new, reason, least=_CLEAR)


def _strip(there: ndarray) -> ndarray:
    """Return a line below the curves, over the times at which a state is the true one."""
    turns = np.flatnonzero(np.diff(there.astype(int), prepend=0, append=0)) - 0.5
    stays = [np.column_stack([stay, np.full(2, _BELOW)]) for stay in turns.reshape(-1, 2)]
    return plane.joined(stays) if stays else plane.GAP
