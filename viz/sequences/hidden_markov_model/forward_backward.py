"""Forward and backward: how likely every state is, known at the time and with hindsight."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.hidden_markov_model.forward_backward import (
    ForwardBackwardStep,
    passages,
)
from viz.core.graph import Look
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.words import capital, counted, number
from viz.sequences.hidden_markov_model import marks
from viz.sequences.hidden_markov_model.marks import Task

_CLEAR = 0.02  # probabilities that differ by less are not asked about

_SIGNS = {
    "path": "", "ringed": "most probable only in hindsight",
    "points": "node: a state at a time", "size": "area of a node: the probability of its state",
    "strength": "faint: not reached yet", "edges": "transition: the likelier, the thicker",
}  # fmt: skip


class ForwardBackward(Show[ForwardBackwardStep]):
    """A column per step: forward with what was seen so far, backward with what came later."""

    counts_from = 1
    note = (
        "The area of a node is the probability of its state, and the more probable a transition, "
        "the thicker its line; one below 0.05 has a line only at the time at hand. Faint: not "
        "reached yet."
    )

    def __init__(self, run: Run, task: Task) -> None:
        """Lay out the trellis."""
        super().__init__(run)
        self.task, self.k = task, len(task.named.states)
        self.graph = marks.trellis(task, **_SIGNS)
        self.opens = self._turn()

    def _turn(self) -> int:
        """Return the step forward that changes the probabilities the most.

        A step that makes another state the most probable goes before all others.
        """
        known = self.steps[-1].filtered
        other = np.diff(known.argmax(axis=1)) != 0
        return 1 + int((np.abs(np.diff(known, axis=0)).max(axis=1) + other).argmax())

    def views(self) -> list[View]:
        """Return the trellis, the probabilities over time, the tables, and what was seen."""
        still, tables = marks.seen(self.task), marks.bars(self.task.named, self.task.model)
        return [
            View("States over time: the trellis", self.picture, board=False),
            View("Probability: at the time (dashed), in hindsight", self.over_time, board=False),
            View("What was seen: drag a symbol up or down", lambda _: still, board=False),
            View("What each state shows: drag a bar", lambda _: tables, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the trellis with what is known at this step."""
        step, known = self.steps[now], self._known(now)
        reached = np.repeat(~np.isnan(known[:, 0]), self.k)
        shown = np.nan_to_num(known).ravel()
        flow = passages(self.task.model, self.task.observations, step)
        columns = [[" "] * self.k if np.isnan(row[0]) else marks.shares(row) for row in known]
        texts = [text for column in columns for text in column]
        turned, finished = self._turned(step), step.event == "finished"
        look = Look(
            marks.sizes(shown), marks.passage_widths(flow, self._link(step)).ravel(), texts,
            strength=marks.faint(reached),
            ringed=(turned * self.k + known[turned].argmax(axis=1)).tolist(),
            notes=[
                *marks.seen_below(self.task, turned.tolist() if finished else [step.t]),
                self._told(step),
                *marks.halves(self.task, step.t if step.phase == "backward" else None),
            ],
        )  # fmt: skip
        since = step.t if step.phase == "backward" else None
        return marks.draw(self.graph, look, None if finished else step.t, since)

    def _link(self, step: ForwardBackwardStep) -> int | None:
        """Return after which time the step has come along a link, or None if it has not."""
        if step.event == "finished":
            return None
        before = step.t - 1 if step.phase == "forward" else step.t
        return before if 0 <= before < self.task.length - 1 else None

    def _turned(self, step: ForwardBackwardStep) -> ndarray:
        """Return the times, as far back as the run is, where hindsight prefers another state."""
        if step.phase == "forward":
            return np.empty(0, int)
        then, later = step.filtered[step.t :].argmax(axis=1), step.posteriors.argmax(axis=1)
        return step.t + np.flatnonzero(then != later)

    def _told(self, step: ForwardBackwardStep) -> dict:
        """Write what the marks are."""
        rare = f"below {marks.share(marks.RARE)}: no line"
        signs = [f"thick line: a likely transition ({rare})", "dotted: the time at hand"]
        if step.phase == "backward":
            signs = ["ring: most probable only in hindsight"]
        return marks.told(self.task, "number: how probable each is", *signs)

    def over_time(self, now: int) -> Figure:
        """Draw the probabilities known at the time, and those with hindsight."""
        step = self.steps[now]
        alphas = self._padded(step.filtered, first=True)
        gammas = np.full_like(alphas, np.nan)
        if step.phase == "backward":
            gammas = self._padded(step.posteriors, first=False)
        rows = [("then", alphas, marks.AT_THE_TIME), ("in hindsight", gammas, marks.HINDSIGHT)]
        return marks.over_time(self.task, rows, step.t)

    def caption(self, now: int) -> str:
        """Write what the step adds for the state that it makes most probable."""
        step, task = self.steps[now], self.task
        t, seen = step.t, task.symbol(step.t)
        if step.phase == "forward":
            j = int(step.column.argmax())
            now_at = number(step.column[j])
            what = f"Time {t + 1}: {seen} is seen; {task.state(j)} is most probable, with {now_at}."
            if step.before is not None:
                before = float(step.before.column[j])
                verb = "rises" if step.column[j] > before else "falls"
                changes = f"{verb} from {number(before)} to {now_at}"
                if number(before) == now_at:
                    changes = f"stays at {now_at}"
                same = int(step.before.column.argmax()) == j
                new = "" if same else " and is now the most probable"
                what = f"Time {t + 1}: {seen} is seen; {task.state(j)} {changes}{new}."
            return f"{what}\n{self._forward_rule(step, j)}"
        gamma, alpha = step.posteriors[0], step.filtered[t]
        change = np.abs(gamma - alpha).round(9)  # two states change by the same amount
        j = int(np.lexsort((gamma, change))[-1])
        verb = "rises" if gamma[j] > alpha[j] else "falls"
        what = (
            f"Back at time {t + 1}: with what came later, {task.state(j)} {verb} from "
            f"{number(alpha[j])} to {number(gamma[j])}."
        )
        if np.abs(gamma - alpha).max() < 5e-4:
            what = f"Back at time {t + 1}: what came later changes nothing here."
        rule = self._backward_rule(step, j)
        if step.event == "finished":
            rule = f"{what} {rule}"
            turned = len(self._turned(step))
            what = (
                f"Hindsight makes another state the most probable at {turned} of "
                f"{counted(task.length, 'time')}{' (rings)' if turned else ''}."
            )
        return f"{what}\n{rule}"

    def _forward_rule(self, step: ForwardBackwardStep, j: int) -> str:
        """Write the rule of alpha of a state with its numbers; the sum of the column is c.

        Impossible transitions have no term.
        """
        task, before = self.task, step.before
        pi, A, B = task.model
        b = float(B[j, task.observations[step.t]])
        sum_ = float(pi[j]) if before is None else float(before.column @ A[:, j])
        symbol, whole = task.symbol(step.t), number(step.scale, 4)
        first = f"{task.state(j)} starts with probability {number(sum_, 4)}"
        if before is not None:
            terms = [
                f"{number(alpha, 4)} · {number(a, 4)}"
                for alpha, a in zip(before.column.tolist(), A[:, j].tolist(), strict=True)
                if alpha * a > 0
            ]
            first = (
                f"the transitions give {task.state(j)} {' + '.join(terms)} = {number(sum_, 4)} "
                f"before {symbol} is seen"
            )
        return (
            f"{capital(first)}. It shows {symbol} with probability {number(b, 4)}: "
            f"{number(sum_, 4)} · {number(b, 4)} / {whole} (sum over states) = "
            f"{number(step.column[j])}."
        )

    def _backward_rule(self, step: ForwardBackwardStep, i: int) -> str:
        """Write gamma and beta of a state with their numbers."""
        task, after, t = self.task, step.before, step.t
        alpha, beta = float(step.filtered[t, i]), number(step.column[i], 4)
        told = f"{number(alpha, 4)} · {beta} = {number(step.posteriors[0, i])}"
        assert after is not None
        _, A, B = task.model
        later = np.ones(self.k) if after.phase == "forward" else after.column
        o = task.observations[t + 1]
        terms = [
            f"{number(A[i, j], 4)} · {number(B[j, o], 4)} · {number(later[j], 4)}"
            for j in range(self.k)
        ]
        whole = number(float(step.scales[t + 1]), 4)
        last = " (1 at the end)" if t + 2 == task.length else ""
        return (
            f"What was known then, times a factor for all that came later: {told}.\n"
            f"The factor is ({' + '.join(terms)}) / {whole} = {beta}: transition · probability of "
            f"{task.symbol(t + 1)} · own factor{last}, for each state of time {t + 2}, divided by "
            f"time {t + 2}'s sum."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which state becomes most probable, or which way hindsight moves one."""
        after, task = self.steps[now + 1], self.task
        options = [Option(task.state(i)) for i in range(self.k)]
        t = after.t
        if after.phase == "forward":
            order = after.column.argsort()[::-1]
            if after.column[order[0]] - after.column[order[1]] < _CLEAR:
                return None
            first = int(order[0])
            rest = [options[int(i)] for i in order[1:]]
            reason = (
                f"α({task.state(first)}) = {number(float(after.column[first]))}; next is "
                f"{task.state(int(order[1]))} with {number(float(after.column[order[1]]))}."
            )
            text = f"At time {t + 1}, {task.symbol(t)} is seen. Which state is the most probable?"
            return question(text, options[first], rest, reason)
        i = int(rng.integers(self.k))
        alpha, gamma = float(after.filtered[t, i]), float(after.posteriors[0, i])
        reason = f"α = {number(alpha)} with what was seen by then, γ = {number(gamma)} with all."
        text = (
            f"Back to time {t + 1}: what does the probability of {task.state(i)} do with what was "
            "seen later?"
        )
        return rises_or_falls(text, alpha, gamma, reason, least=_CLEAR)

    def _known(self, now: int) -> ndarray:
        """Return what is known about every time: alpha, or gamma where the way back has been."""
        step = self.steps[now]
        known = self._padded(step.filtered, first=True)
        if step.phase == "backward":
            known[step.t :] = step.posteriors
        return known

    def _padded(self, rows: ndarray, *, first: bool) -> ndarray:
        """Put rows of the first or of the last times into a table of all times."""
        table = np.full((self.task.length, self.k), np.nan)
        if first:
            table[: len(rows)] = rows
        else:
            table[self.task.length - len(rows) :] = rows
        return table
