"""Viterbi: the best path into every state, then back along the best predecessors."""

from itertools import groupby

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.hidden_markov_model.viterbi import ViterbiStep
from viz.core.graph import WIDEST, Look
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.words import counted, listed, number
from viz.sequences.hidden_markov_model import marks
from viz.sequences.hidden_markov_model.marks import Task

_THIN = 1.25  # pixels: the best way into a state

_SIGNS = {
    "path": "", "ringed": "most probable by itself",
    "points": "node: a state at a time",
    "size": "area of a node: the probability of the best path into it, of the largest at its time",
    "strength": "faint: not reached yet, or not on the best path",
    "edges": "from the best predecessor; bold: the best path so far",
}  # fmt: skip


class Viterbi(Show[ViterbiStep]):
    """A column per step forward, then a state per step back."""

    counts_from = 1
    note = (
        "A line leads into every state from its best predecessor. Bold: the best path so far; "
        "then, the best path as far as the way back has come. A node shows the probability of the "
        "best path into it, as a share of the largest at this time. At the end, rings mark the "
        "states that are most probable one by one."
    )

    def __init__(self, run: Run, task: Task, posteriors: ndarray) -> None:
        """Lay out the trellis. posteriors : (T, k) of the states one by one."""
        super().__init__(run)
        self.task, self.posteriors = task, posteriors
        self.graph = marks.trellis(task, **_SIGNS)
        self.k = len(task.named.states)
        self.columns = np.array([step.column for step in self.steps[: task.length]])
        self.predecessors = np.array([step.predecessors for step in self.steps[: task.length]])
        self.singly = posteriors.argmax(axis=1)
        self.opens = task.length - 1  # the best paths to all states, before the way back

    def views(self) -> list[View]:
        """Return the trellis, the states one by one, the tables, and what was seen."""
        still, tables = marks.seen(self.task), marks.bars(self.task.named, self.task.model)
        return [
            View("States over time: the best path", self.picture, board=False),
            View("Each state by itself: its probability", self.one_by_one, ahead=True, board=False),
            View("What was seen: drag a symbol up or down", lambda _: still, board=False),
            View("What each state shows: drag a bar", lambda _: tables, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the best ways so far, and at the end the states that are best one by one."""
        step, T, k = self.steps[now], self.task.length, self.k
        reached = T if step.phase == "back" else step.t + 1
        shown = np.zeros((T, k))
        best = self.columns[:reached].max(axis=1, keepdims=True)
        shown[:reached] = np.exp(self.columns[:reached] - best)
        known = np.repeat(np.arange(T) < reached, k)
        texts = [
            marks.share(p) if there else " "
            for p, there in zip(shown.ravel(), known & ~self._passed_by(step), strict=True)
        ]
        finished = step.event == "finished"
        singly = [t * k + int(i) for t, i in enumerate(self.singly)]
        differ = np.flatnonzero(self.singly != step.path).tolist() if finished else []
        look = Look(
            marks.sizes(shown.ravel()), self._widths(step, reached).ravel(), texts,
            strength=marks.faint(known & ~self._passed_by(step)), ringed=singly if finished else [],
            notes=[
                *marks.seen_below(self.task, differ if finished else [step.t]), self._told(step),
            ],
        )  # fmt: skip
        return marks.draw(self.graph, look, None if finished else step.t)

    def _told(self, step: ViterbiStep) -> dict:
        """Write what the marks are."""
        pale = "ruled out" if step.phase == "back" else "not reached"
        now = "dotted: the time at hand"
        if step.event == "finished":
            now = "ring: most probable by itself"
        share = "number: the best path to here (1: best of its time)"
        return marks.told(self.task, "bold: the best path", share, f"pale: {pale}; {now}")

    def _passed_by(self, step: ViterbiStep) -> ndarray:
        """Return which nodes the way back has left aside, (T * k,)."""
        aside = np.zeros((self.task.length, self.k), bool)
        if step.phase == "back":
            aside[step.t :] = True
            aside[np.arange(step.t, self.task.length), step.path] = False
        return aside.ravel()

    def _widths(self, step: ViterbiStep, reached: int) -> ndarray:
        """Return the width of every link: a thin one into each state, a bold one on the path.

        None leads to a state that the way back has left aside.
        """
        found = np.zeros((max(self.task.length - 1, 0), self.k, self.k))
        aside = self._passed_by(step).reshape(-1, self.k)
        for t in range(1, reached):
            possible = np.isfinite(self.columns[t]) & ~aside[t]
            found[t - 1, self.predecessors[t][possible], np.flatnonzero(possible)] = _THIN
        first, path = step.t, list(step.path)
        if step.phase == "forward":
            first, path = 0, self._best_so_far(step)
        for i in range(len(path) - 1):
            found[first + i, path[i], path[i + 1]] = WIDEST
        return found

    def _best_so_far(self, step: ViterbiStep) -> list[int]:
        """Return the states of the best path up to the time of a step."""
        path = [int(step.column.argmax())]
        for t in range(step.t, 0, -1):
            path.insert(0, int(self.predecessors[t][path[0]]))
        return path

    def one_by_one(self, now: int) -> Figure:
        """Draw the probability of every state by itself, with all that was seen."""
        rows = [("by itself", self.posteriors, marks.HINDSIGHT)]
        return marks.over_time(self.task, rows, self.steps[now].t)

    def caption(self, now: int) -> str:
        """Write the best way into a column, or the next state of the path."""
        step, task = self.steps[now], self.task
        if step.phase == "forward":
            j = int(step.column.argmax())
            what = (
                f"Time {step.t + 1}: {task.symbol(step.t)} is seen. The best path so far ends in "
                f"{task.state(j)}, with probability {number(np.exp(step.column[j]))}."
            )
            return f"{what}\n{self._rule(step, j)}"
        names = [task.state(int(i)) for i in step.path]
        if step.event == "finished":
            whole = number(step.log_probability, 4)
            return f"{self._compared(names)}\nPath and symbols together have ln P = {whole}."
        after = "" if len(names) == 1 else f", the best predecessor of {names[1]}"
        what = f"Back at time {step.t + 1}: the path goes through {names[0]}{after}."
        return f"{what}\nThe path so far, from its end: {' ← '.join(reversed(names))}."

    def _rule(self, step: ViterbiStep, j: int) -> str:
        """Write the rule of delta of a state with its numbers."""
        pi, A, B = self.task.model
        b = float(B[j, self.task.observations[step.t]])
        name = self.task.state(j)
        if step.before is None:
            return (
                f"Its probability at the start, times that of showing "
                f"{self.task.symbol(step.t)}: {number(float(pi[j]))} · {number(b)} = "
                f"{number(np.exp(step.column[j]))}."
            )
        i = int(step.predecessors[j])
        ways = np.exp(step.before.column) * A[:, j]
        others = listed(
            [f"{number(ways[m])} from {self.task.state(m)}" for m in range(self.k) if m != i]
        )
        return (
            f"The best way in has probability {number(ways[i])} from {self.task.state(i)} (not "
            f"{others}).\nTimes the probability that {name} shows {self.task.symbol(step.t)}: "
            f"{number(ways[i])} · {number(b)} = {number(np.exp(step.column[j]))}."
        )

    def _compared(self, names: list[str]) -> str:
        """Compare the path with the states that are most probable one by one."""
        path = self.steps[-1].path
        differ = np.flatnonzero(path != self.singly)
        first = f"The most probable path is {', '.join(names)}."
        if len(names) > 6:
            first = f"The most probable path is {_in_stays(names)}."
        if len(differ) == 0:
            return f"{first} Here each of its states is also the most probable by itself."
        several = "s" * (len(differ) > 1)
        times = f"time{several} {listed([str(t + 1) for t in differ])}"
        A = self.task.model.transitions
        barred = [
            t for t in range(len(path) - 1) if A[self.singly[t], self.singly[t + 1]] == 0
        ]  # fmt: skip
        if barred:
            a, b = (self.task.state(int(self.singly[barred[0] + i])) for i in (0, 1))
            return (
                f"{first} The states most probable by themselves (rings) differ at {times}, "
                f"and are no path at all: nothing leads from {a} to {b}."
            )
        return f"{first} The states most probable by themselves (rings) differ at {times}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask from where the best path comes into a state, or where it goes on the way back."""
        step, after, task = self.steps[now], self.steps[now + 1], self.task
        options = [Option(task.state(i)) for i in range(self.k)]
        if after.phase == "back":
            right = after.state
            text = f"Going back to time {after.t + 1}: which state does the best path go through?"
            reason = (
                f"It has the largest δ at the end, {number(np.exp(after.column[right]))}."
                if step.phase == "forward"
                else f"It is the best predecessor of {task.state(step.state)}."
            )
        else:
            possible = np.flatnonzero(np.isfinite(after.column))
            j = int(rng.choice(possible))
            ways = np.exp(step.column) * task.model.transitions[:, j]
            order = ways.argsort()[::-1]
            right = int(after.predecessors[j])
            if self.k > 1 and ways[order[0]] - ways[order[1]] < 0.02 * ways[order[0]]:
                return None
            text = f"Time {after.t + 1}: where does the best path into {task.state(j)} come from?"
            reason = "δ A is largest there: " + ", ".join(
                f"{number(ways[i])} from {task.state(i)}" for i in range(self.k)
            )
            reason += "."
        rest = [options[i] for i in range(self.k) if i != right]
        return question(text, options[right], rest, reason)


def _in_stays(names: list[str]) -> str:
    """Write a long path by its stays: fair for 8 times, then loaded for 4 times."""
    if len(set(names)) == 1:
        return f"{names[0]} at all {len(names)} times"
    stays = [(name, len(list(stay))) for name, stay in groupby(names)]
    return ", then ".join(f"{name} for {counted(length, 'time')}" for name, length in stays)
