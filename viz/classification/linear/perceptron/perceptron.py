"""The perceptron: mistakes move the line, and their number is bounded."""

from numpy.random import Generator

from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron.perceptron_bound import Overlap, Separator
from viz.classification.linear.perceptron import marks, questions
from viz.classification.linear.perceptron.bound import bound, whole
from viz.classification.linear.perceptron.line import Line, trained
from viz.core.question import Question
from viz.core.scene import View
from viz.core.words import counted, decimal


class Mistakes(Line[PerceptronStep]):
    """The perceptron learns only from mistakes, and the proof of their bound is a view."""

    loss = "loss"

    def stable(self) -> list[str]:
        """Return nothing: every learning rate is stable."""
        return []

    def how_far(self) -> list[View]:
        """Return the mistakes of every epoch, and the proof of their bound.

        Where there is no bound, errors and loss stand in the proof's place.
        """
        counts = marks.mistakes_by_epoch(self.steps, len(self.data.X))
        by_epoch = View("Mistakes in every epoch", counts, ahead=True)
        proof = self.summary.proof
        if proof is None:
            return [by_epoch, *super().how_far()]
        title = f"Why it ends: at most {whole(proof.bound)} mistakes"
        return [by_epoch, View(title, bound(proof, self.steps), ahead=True)]

    def caption(self, now: int) -> str:
        """Write what the visit did, its numbers in the rule, and the picked point."""
        step = self.steps[now]
        if now == 0:
            said = self._start()
        elif step.event == "converged" and self.summary.mistake:
            said = f"{self._said(now)}\n{self._against_the_worst(*self.summary.mistake)}"
        else:
            said = f"{self._said(now)}\n{self._rule(now) if step.amount else self.score(now)}"
        return f"{said}\n{self.picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which sample is a mistake, how the line turns, or whether it moves at all."""
        return questions.next_visit(self, now, rng)

    def _start(self) -> str:
        known, proof = self.known, self.summary.proof
        if isinstance(known, Overlap):
            return self.no_separator()
        if proof is None:
            return (
                "A separator exists (linear programming). The bound on the mistakes holds only for "
                f"the rule as it is.\n{self.start()}"
            )
        zero = not any((*self.steps[0].w, self.steps[0].bias))
        only = "two numbers" if zero else "the start, η and two numbers"
        sample = self._as_vector()
        return (
            f"A separator exists (linear programming): there can be at most {whole(proof.bound)} "
            f"mistakes.\n{self.start()} The bound uses only {only}: the length "
            f"of the longest sample ({sample}), R = {decimal(known.radius)}, and the best margin, "
            f"γ = {decimal(known.margin)}."
        )

    def _as_vector(self) -> str:
        """Write a sample as the bound measures it: with a 1 for the bias. Here y is the class."""
        if "y" in self.data.names:
            return "coordinates and a 1"
        return ", ".join([*self.data.names, "1"])

    def _rule(self, now: int) -> str:
        y, eta = self.sign(now), abs(self.steps[now].amount)
        return self.update(now, "η y", f"{eta:g} · ({y})", f"{eta:g} · ({y})")

    def _said(self, now: int) -> str:
        """Write what the visit did, or how the run has ended."""
        step = self.steps[now]
        ending = {
            "stopped at max_epochs": self._stopped,
            "converged": self._converged,
            "cycle": self._cycle,
            "end of epoch": self.epoch_over,
        }.get(step.event or "")
        return ending(now) if ending else self._visit(now)

    def _visit(self, now: int) -> str:
        step = self.steps[now]
        sample, wrong = f"Sample {step.index + 1}", self.wrong(now)
        why = "is on the wrong side" if step.score else "has the score 0, which counts as wrong"
        if step.event == "skipped":
            return f"{sample} {why}, but its update is skipped; {wrong}."
        if step.event == "forced":
            return f"{sample} is on its right side, but an update is made anyway; {wrong}."
        if not step.mistake:
            right = self._right_in_a_row(now)
            row = f" ({right} in a row)" if right > 1 else ""
            return f"{sample} is on its right side{row}: nothing changes; {wrong}."
        if trained(step):
            past = " past it" if self.puts_right(now) else ", but not past it"
            moves = f"the line moves{past}"
            if self.steps[now - 1].weights.any():
                wrong = f"{wrong} (before: {self.errors_in_training(now - 1)})"
            elif step.weights.any():  # w was 0
                moves = "it gives the first line"
        else:
            moves = f"the line in training now gets {self.errors_in_training(now)} wrong"
        return f"{sample} {why} (mistake {step.mistakes}): {moves}; {wrong}."

    def _right_in_a_row(self, now: int) -> int:
        """Return the number of visits since the latest mistake."""
        made = self.steps[now].mistakes
        return now - (int(self.mistaken[made - 1]) if made else 0)

    def _stopped(self, now: int) -> str:
        step = self.steps[now]
        why = (
            "No separator exists: ✕ is a weighted mean of each class's points (dotted)."
            if isinstance(self.known, Overlap)
            else "A separator exists: allow more epochs."
        )
        made = counted(step.mistakes, "mistake")
        return (
            f"Stopped after all {counted(step.epoch, 'epoch')}, with {made}; {self.wrong(now)}. "
            f"{why}"
        )

    def _converged(self, now: int) -> str:
        step, proof = self.steps[now], self.summary.proof
        limit = f" (guaranteed: at most {whole(proof.bound)})" if proof else ""
        made = counted(step.mistakes, "mistake")
        return f"Converged: epoch {step.epoch} had no mistake; {made} in all{limit}."

    def _cycle(self, now: int) -> str:
        step = self.steps[now]
        ago = "one epoch ago" if step.period == 1 else f"{step.period} epochs ago"
        return (
            f"Cycle: after epoch {step.epoch} the weights are those of {ago}, so the same mistakes "
            "repeat for ever. No separator exists: ✕ is a weighted mean of each class's points "
            "(dotted)."
        )

    def _against_the_worst(self, length: float, apart: float) -> str:
        """Write why there are fewer mistakes than the bound, which assumes the worst of each."""
        known = self.known
        assert isinstance(known, Separator)
        sample = self._as_vector()
        return (
            f"The bound assumes the worst: R = {decimal(known.radius)}, the longest ({sample}), "
            f"and only γ = {decimal(known.margin)} from the best separator. At mistakes, "
            f"samples were {decimal(length)} long and {decimal(apart)} from it on average."
        )
