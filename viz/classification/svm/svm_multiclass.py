"""Several support vector machines that together choose a class."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.classification.svm.svm_multiclass import REST, SvmMulticlassStep
from algorithms.core.features import PolynomialFeatures
from viz.classification.svm import kernel_matrix, marks
from viz.core import curves, naming, plane
from viz.core.found import Regions
from viz.core.hatching import hatched
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, color
from viz.core.words import counted, number

_LABELLED = 8  # more machines than this have no room for words
_EVERY = 6  # cells from one place for a name to the next
_ROOM = 0.03  # of the picture: a smaller hatched part has no room for its name
_FONT = {"size": 14}
_MACHINE = "border of a machine, in the colour of its class"


class SeveralClasses(Show[SvmMulticlassStep]):
    """One machine after the other."""

    unit = "machine"
    counts_from = 1
    opens = AT_THE_END  # the last machine claims what is left

    def __init__(
        self,
        run: Run,
        data: Plane,
        hatch: bool,
        features: PolynomialFeatures,
        matrix: KernelMatrix | None,
    ) -> None:
        """Compute the surfaces of all machines; none changes when others are added.

        hatch : whether to show where the machines disagree. matrix : to be shown, or None.
        """
        super().__init__(run, data)
        self.hatch, self.matrix = hatch, matrix
        kernel, points = self.steps[0].kernel, self.steps[0].points
        self.note = kernel_matrix.note(data, features, matrix, kernel)
        grid = marks.surface(kernel, points, features, data.bounds)
        x_cells, y_cells, _ = plane.grid(data.bounds, len(grid.x))
        final = self.steps[-1]
        every = zip(final.coefficients, final.biases, strict=True)
        self.f = np.stack([grid(row) + b for row, b in every])  # (machines, rows, columns)
        self.codes = _codes(final)
        self.unclear = "several classes share the most votes"
        if self.codes[0][1] == REST:
            self.unclear = "claimed by no machine, or by several"
        contours = [plane.contours(x_cells, y_cells, surface) for surface in self.f]
        self.borders = [
            plane.level_lines(found, data.bounds, 0.0, name=_MACHINE, **_line(machine))
            for found, machine in zip(contours, self.codes, strict=True)
        ]

    def views(self) -> list[View]:
        """Return the picture, the support vectors, and the kernel matrix if wanted."""
        return [
            View(
                "The predicted class, every line f = 0, and where the machines disagree",
                self.picture,
            ),
            View("Support vectors of every machine", self.support),
            *kernel_matrix.views(self.matrix),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the predicted class, the lines of the machines and, hatched, where they disagree.

        Stripes rise where several classes are claimed (or share the most votes) and fall where none
        is.
        """
        step, box, trained = self.steps[now], self.data.bounds, now + 1
        scores, shape = self._scores(now), self.f.shape[1:]
        unclear = step.ambiguous(scores).reshape(shape) & self.hatch
        several = step.claims(scores).sum(axis=1).reshape(shape) > 0
        traces = [
            plane.regions(self.found(now).classes, None, box),
            hatched(unclear, box, several, outlined=False) | {"name": self.unclear},
            *(
                border if m < trained else plane.line(plane.GAP, line=border["line"], name=_MACHINE)
                for m, border in enumerate(self.borders)
            ),
        ]
        traces += self._names(now, unclear & ~several, unclear & several)
        wrong = step.predict(step.points) != self.data.labels
        points = plane.points(self.data.X, self.data.labels, wrong)
        return plane.figure(traces, box, self.data.names, points=points)

    def support(self, now: int) -> Figure:
        """Draw the support vectors of every machine as bars, and write its number of moves."""
        final, codes = self.steps[-1], self.codes
        support = np.count_nonzero(final.coefficients, axis=1)
        labels = [_name(machine, self.data.classes) for machine in codes]
        if len(codes) <= _LABELLED:
            labels = [f"{a}<br>{b} moves" for a, b in zip(labels, final.moves, strict=True)]
        opacity = [1 if m <= now else 0.45 for m in range(len(codes))]
        trace = {
            "type": "bar",
            "x": list(range(len(codes))),
            "y": support.tolist(),
            "marker": {"color": GREY, "opacity": opacity},
            "text": [str(count) for count in support],
            "textposition": "outside",
            "textangle": 0,
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
        layout = curves.panel_layout(
            xaxis={"tickvals": trace["x"], "ticktext": labels},
            yaxis={"title": {"text": "support vectors"}, "nticks": 4}
            | {"range": [0, 1.12 * max(int(support.max()), 1)]},
        )
        layout["margin"] = {**layout["margin"], "b": 44}
        return {"data": [trace], "layout": layout}

    def caption(self, now: int) -> str:
        """Write which machine was trained and how far the machines agree, with the numbers."""
        step, names = self.steps[now], self.data.classes
        side, other = self.codes[now]
        rivals = "the rest" if other == REST else f"class {names[other]}"
        support = int(np.count_nonzero(step.coefficients[now]))
        ended = ", not converged" if step.event == "a machine stopped at max_iter" else ""
        trained = (
            f"Machine {now + 1} of {len(self.steps)}: class {names[side]} (f > 0) against "
            f"{rivals}; {counted(support, 'support vector')} {'holds' if support == 1 else 'hold'} "
            f"its border{ended}."
        )
        if now < len(self.steps) - 1:
            return f"{trained}\n{self._agreement(now)}."
        return f"{self._agreement(now)}.\n{trained}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for a support vector of the next machine."""
        after, labels, names = self.steps[now + 1], self.data.labels, self.data.classes
        side, other = self.codes[now + 1]
        rest = "the rest" if other == REST else names[other]
        taking = np.isin(labels, [side, other]) | (other == REST)
        has_weight = after.coefficients[-1] != 0

        def reason(i: int) -> str:
            return (
                f"Its α is {number(abs(after.coefficients[-1, i]))}. The others are beyond their "
                f"edge, so their α is 0; {int(has_weight.sum())} points have one above 0."
            )

        text = f"The next machine separates {names[side]} from {rest}. Which is a support vector?"
        return which_point(rng, self.data, text, has_weight, taking & ~has_weight, reason)

    def found(self, now: int) -> Regions:
        """Return the predicted class of every cell."""
        step = self.steps[now]
        return Regions(step.classes[step.winners(self._scores(now))].reshape(self.f.shape[1:]))

    def _scores(self, now: int) -> ndarray:
        """Return f of the machines so far in every cell, (cells, machines)."""
        return self.f[: now + 1].reshape(now + 1, -1).T

    def _names(self, now: int, unclaimed: ndarray, shared: ndarray) -> list[dict]:
        """Name both kinds of hatched parts, clear of the points."""
        names = []
        for part, text in [
            (unclaimed, "no machine claims this"),
            (shared, "several claim this" if self.codes[now][1] == REST else "the votes are tied"),
        ]:
            name = text if part.mean() > _ROOM else ""
            spots = [(place, "middle center") for place in self._places(part)]
            names.append(naming.Name(name, spots, _FONT, self._places(~part)))
        return naming.clear_names(names, self.data.bounds, self.data.X)

    def _places(self, part: ndarray) -> ndarray:
        """Return the middles of some cells in a part of the plane."""
        x_cells, y_cells, _ = plane.grid(self.data.bounds, len(part))
        rows, columns = np.nonzero(part[::_EVERY, ::_EVERY])
        return np.column_stack([x_cells[columns * _EVERY], y_cells[rows * _EVERY]])

    def _agreement(self, now: int) -> str:
        """Write for how many points the machines disagree, and how many are classified right."""
        step = self.steps[now]
        scores = step.decision_function(step.points)
        unclear = step.ambiguous(scores)
        right = int((step.classes[step.winners(scores)] == self.data.labels).sum())
        if self.codes[now][1] == REST:
            none = int((unclear & (step.claims(scores).sum(axis=1) == 0)).sum())
            by_none = f"{none} {'is' if none == 1 else 'are'} claimed by no machine"
            disagree = f"{by_none}, {int(unclear.sum()) - none} by several"
            if not unclear.any():
                disagree = "exactly one machine claims each point"
            rule = f"The largest f of {counted(len(scores.T), 'machine')} decides"
        else:
            disagree = f"for {int(unclear.sum())} several classes share the most votes"
            votes = len(scores.T)
            decides = "The one vote decides" if votes == 1 else f"Most of {votes} votes decide"
            rule = f"{decides} (in a tie the first class)"
        total = counted(len(self.data.labels), "point")
        return f"{rule}: {right} of {total} are right; {disagree}"


def _codes(final: SvmMulticlassStep) -> list[tuple[int, int]]:
    """Return the classes of every machine of the run, by the codes of their colours."""
    classes = final.classes
    return [
        (int(classes[k]), REST if other == REST else int(classes[other]))
        for k, other in final.machines
    ]


def _line(machine: tuple[int, int]) -> dict:
    if machine[1] == REST:
        return {"width": 3.5, "color": color(machine[0])}
    return {"width": 1.5, "dash": "dash"}


def _name(machine: tuple[int, int], names: Sequence[str]) -> str:
    side, other = machine
    return f"{names[side]} | {'rest' if other == REST else names[other]}"
