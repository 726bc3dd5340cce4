"""The delta rule: every sample moves the line, right or wrong."""

from numpy.random import Generator

from algorithms.classification.linear.perceptron.delta_rule import (
    DeltaRuleStep,
    largest_stable_rate,
)
from algorithms.classification.linear.perceptron.perceptron_bound import Overlap
from viz.classification.linear.perceptron import questions
from viz.classification.linear.perceptron.line import Line
from viz.core.question import Question
from viz.core.words import counted, decimal, number

_EXACT = 1e-9  # a smaller squared error counts as 0


class DeltaRule(Line[DeltaRuleStep]):
    """The delta rule corrects the weights at every sample."""

    loss = "½(y − o)²"

    def stable(self) -> list[str]:
        """Write which learning rates keep the rule stable."""
        rate = number(largest_stable_rate(self.F))
        return [f"Learning rates below {rate} keep the delta rule stable."]

    def caption(self, now: int) -> str:
        """Write what the visit did, its numbers in the rule, and the picked point."""
        if now == 0:
            said = self._start()
        else:
            amount = self.steps[now].amount
            said = f"{self._said(now)}\n{self._rule(now) if amount else self.score(now)}"
        return f"{said}\n{self.picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which way the score of the next sample goes."""
        return questions.next_score(self, now, rng)

    def _start(self) -> str:
        if isinstance(self.known, Overlap):
            return self.no_separator()
        return (
            "A separator exists (linear programming), but the delta rule looks for the least "
            f"squared error.\n{self.start()} w ← w + η (y − o) x at every sample, right or wrong."
        )

    def _rule(self, now: int) -> str:
        step = self.steps[now]
        factor = f"{step.learning_rate:g} · ({self.sign(now)} − {decimal(step.score)})"
        return self.update(now, "η (y − o)", factor, decimal(step.amount))

    def _said(self, now: int) -> str:
        """Write what the visit did, or how the run has ended."""
        step, before = self.steps[now], self.steps[now - 1]
        changed = step.learning_rate != before.learning_rate
        first = f"From here on η = {step.learning_rate:g}. " if changed else ""
        ending = {
            "stopped at max_epochs": self._stopped,
            "converged": self._converged,
            "diverged": self._diverged,
            "end of epoch": self.epoch_over,
        }.get(step.event or "")
        return first + (ending(now) if ending else self._visit(now))

    def _visit(self, now: int) -> str:
        step = self.steps[now]
        if step.mistake:
            why = "is on the wrong side" if step.score else "has the score 0, which counts as wrong"
            why = f"{why} (mistake {step.mistakes})"
        else:
            why = (
                f"is on its right side, but its score is {number(step.score)}, not {self.sign(now)}"
            )
        return f"Sample {step.index + 1} {why}: the weights move; {self.wrong(now)}."

    def _stopped(self, now: int) -> str:
        step = self.steps[now]
        return (
            f"Stopped after all {counted(step.epoch, 'epoch')}; {self.wrong(now)}. A smaller η "
            "would move the line less."
        )

    def _converged(self, now: int) -> str:
        step = self.steps[now]
        exact = step.squared_error(self.F, self.data.labels) < _EXACT
        nearer = "" if exact else " A smaller η ends nearer to the least squared error."
        return f"Converged: epoch {step.epoch} brought the weights back to where it began.{nearer}"

    def _diverged(self, _now: int) -> str:
        return "Diverged: the learning rate η is too high, and the updates overshoot more and more."
