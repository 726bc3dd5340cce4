"""The most probable picture, row by row, beside the one in which single flips get stuck."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import SUPERSCRIPTS
from algorithms.graphs.markov_random_field.exact import RowStep
from algorithms.graphs.markov_random_field.iterated_conditional_modes import FlipStep
from algorithms.graphs.markov_random_field.picture import Field
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.words import counted, number
from viz.graphs.markov_random_field.marks import COLOURS, LAYERS, PAIR, Paper

_ROUNDING = 1e-9  # of the energy
_FEW = 3  # cells that change, in the middle answer


class Rows(Show[RowStep]):
    """The most probable picture, a row a step."""

    unit = "row"
    opens = AT_THE_END

    def __init__(
        self, run: Run, data: Plane, original: ndarray, field: Field, query: ndarray,
        flipped: Run, shares: ndarray,
    ) -> None:  # fmt: skip
        """Keep the end of iterated conditional modes, and every cell's probability of black."""
        super().__init__(run, data)
        self.paper = Paper(data, original, field, query)
        self.flips: FlipStep = flipped.steps[-1]
        self.shares = shares
        self.note = (
            "Cells near a point are black, all others white; then noise flips some of them. The "
            "classes of the points play no part."
        )

    def views(self) -> list[View]:
        """Return the best picture so far, the end of single flips, the data, and the shares."""
        return [
            View("The best picture of the rows so far", self.picture, layers=LAYERS),
            View(
                "Where single flips got stuck (dots: differences)", self.stuck,
                ahead="to a question", board=False,
            ),
            View(PAIR, self.paper.pair, board=False),
            View("Exact probability of black", self.share, ahead=True, board=False),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the best picture of the rows so far."""
        return self.paper.part(self.steps[now].image)

    def stuck(self, _: int) -> Figure:
        """Draw the end of iterated conditional modes."""
        best = self.steps[-1].image
        return self.paper.alone(self.flips.image, best, "cell that differs from the best picture")

    def share(self, _: int) -> Figure:
        """Draw every cell's probability of black."""
        return self.paper.shares(self.shares)

    def caption(self, now: int) -> str:
        """Write the energy, how many pictures were compared, and the picked cell."""
        step, paper, at = self.steps[now], self.paper, self.paper.picked
        h, w = paper.shape
        if now == 0:
            said = "No row yet: the most probable picture is found row by row, from the top."
            rule = (
                f"There are {_two_to(h * w)} pictures. For each of the {2**w:,} ways to colour the "
                "last row, only the best picture above it is kept."
            )
        else:
            rows = f"Rows 1 to {now}" if now > 1 else "Row 1"
            said = f"{rows}: of all ways to colour these cells, none has a lower energy."
            if step.event == "finished":
                said = f"No picture has a lower energy; {paper.wrong_said(step.image)}."
            rule = (
                f"For each of the {2**w:,} ways to colour the last row, only the best picture "
                f"above it was kept. Lowest energy: {number(step.energy, 4)}."
            )
        if now == 0 or step.event == "finished":
            rule += f" This mode has a picture of its own, {h} by {w} cells and other noise."
        so_far = " so far" if step.event != "finished" else ""
        best = f"best{so_far}: {COLOURS[int(step.image[at])]}" if step.image[at] else "not decided"
        picked = (
            f"Picked: row {at[0] + 1}, column {at[1] + 1}, observed "
            f"{COLOURS[int(paper.field.observed[at])]}, {best}."
        )
        return f"{said}\n{rule}\n{picked}"

    def answer(self, now: int) -> str:
        """Write where iterated conditional modes ends."""
        best, paper = self.steps[-1], self.paper
        unlike = int(np.count_nonzero(self.flips.image != best.image))
        black = f"Black has probability {number(float(self.shares[paper.picked]))}"
        if not unlike:
            return f"{black}. Single flips end at the best picture, too."
        higher = self.flips.energy - best.energy
        same = higher <= _ROUNDING * max(1.0, abs(best.energy))
        energy = "the same energy" if same else f"an energy {number(higher)} higher"
        wrong = counted(paper.wrong(self.flips.image), "wrong cell")
        return f"{black}. Single flips get stuck at {energy}, with {wrong}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how many cells of the rows above change when the next row comes."""
        step, after = self.steps[now], self.steps[now + 1]
        if now == 0:
            return None
        changed = int(np.count_nonzero(step.image[:now] != after.image[:now]))
        kinds = ["none", f"1 to {_FEW}", f"{_FEW + 1} or more"]
        right = 0 if changed == 0 else 1 if changed <= _FEW else 2
        text = (
            f"Row {now + 1} comes next. How many cells of the best picture above it change colour?"
        )
        reason = (
            f"{counted(changed, 'cell')} above row {now + 1} "
            f"{'changes' if changed == 1 else 'change'}. "
            + (
                "The best picture of the rows above is also the beginning of the best one with it."
                if changed == 0
                else f"The best picture with row {now + 1} begins with one that was kept although "
                "its own energy is not the lowest."
            )
        )
        others = [Option(kind) for kind in kinds if kind != kinds[right]]
        return question(text, Option(kinds[right]), others, reason)


def _two_to(power: int) -> str:
    """Write a power of 2."""
    return f"2{str(power).translate(SUPERSCRIPTS)}"
