"""Shared parts of three modes: the machine's street, states, picked point and objectives."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.error_by_settings import ErrorBySettings
from algorithms.classification.svm.kernel_machine import FREE, FULL
from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.classification.svm.nu_svm import NuSvmStep
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import RBF
from viz.classification.svm import error_map, kernel_matrix, marks, objectives
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number

M = TypeVar("M", SvmStep, SvmQpStep, NuSvmStep)

EVENTS = {
    None: "",
    "a point reaches C": " First α at C.",
    "a support vector drops out": " A support vector drops out.",
    "all free duals at once": "",
    "converged": " Converged.",
    "rounding": " Stopped: rounding allows no further step.",
    "stopped at max_iter": " Stopped: all allowed steps are used up.",
}
_SHOWN_TERMS = 3  # of f at the picked place, the largest
_PAIR = "i and j: the duals moved in this step"
_KEY = 0.3, 0.07  # of the picture: the width and the height of the key
_OFF = 0.03  # of the picture: from a ringed point to its name


class Machine(Show[M]):
    """Both sides with the state of every point, the picked place, and both objectives."""

    key: str  # what they are, in the picture
    ring: str  # what the marks of the points show, in the title
    signs: Mapping[str, str | Sequence[str]]  # what they mean, in the legend
    edges = "f = −1 and +1"
    edges_sign = marks.EDGES
    bound = "C"  # of the duals

    def __init__(
        self,
        run: Run,
        data: Plane,
        sides: marks.Sides,
        features: PolynomialFeatures,
        place: ndarray,
        matrix: KernelMatrix | None,
        errors: ErrorBySettings | None,
    ) -> None:
        """Prepare the cells of the picture and the curves of the objectives.

        place : picked on the picture. matrix, errors : to be shown, or None.
        """
        super().__init__(run, data)
        self.sides, self.place, self.matrix, self.errors = sides, place, matrix, errors
        self.seen = features(place[None])[0]  # the picked place, as the kernel sees it
        first = self.steps[0]
        self.grid = marks.surface(first.kernel, first.points, features, data.bounds)
        self.widest = widest(features)
        gamma = first.kernel.gamma if isinstance(first.kernel, RBF) else 1.0
        self.pair_shown = first.C, gamma
        self.note = kernel_matrix.note(data, features, matrix, first.kernel)
        self.note += error_map.note(errors, *self.pair_shown)
        self.curves = objectives.lines(self.steps, self.unit)
        self.corner = self._free_corner()

    def views(self) -> list[View]:
        """Return the picture, the duals, both objectives, and what else is wanted."""
        every = objectives.spacing(self.steps)
        thinned = f" (lines: one {self.unit} in {every})" if every > 1 else ""
        return [
            View(f"Both sides, the edges {self.edges}{self.widest}, and {self.ring}", self.picture),
            self.duals(),
            *error_map.views(self.errors, *self.pair_shown),
            View(f"Primal and dual objective{thinned}", self.objectives, ahead="by step"),
            *kernel_matrix.views(self.matrix),
        ]

    @abstractmethod
    def duals(self) -> View:
        """Return the view of the duals."""

    @abstractmethod
    def states(self, now: int) -> dict:
        """Return the marks of the points: their duals."""

    @abstractmethod
    def said(self, now: int) -> str:
        """Write what the step did and, on a second line, the rule with its numbers."""

    def further(self, now: int) -> list[dict]:
        """Return what else the picture shows, below the pair."""
        return []

    def pair(self, now: int) -> list[int]:
        """Return the two points that have moved, i and j, or none."""
        return []

    def picture(self, now: int) -> Figure:
        """Draw both sides, f = 0, the edges f = -1 and +1, and the state of every point.

        Lines lead from the picked place to the points with the largest terms in f there.
        """
        step, box, f = self.steps[now], self.data.bounds, self._f(now)
        level = max(step.level, 0.0)  # at the edges
        pair = self.data.X[self.pair(now)]
        x_cells, y_cells, _ = plane.grid(box, len(self.grid.x))
        contours = plane.contours(x_cells, y_cells, f)
        traces = [
            marks.filled(f, self.sides, box, level),
            plane.level_lines(contours, box, 0.0, name=marks.BORDER, width=3),
            plane.level_lines(
                contours, box, -level, level, name=self.edges_sign, width=1.5, dash="dash"
            ),
            *self.further(now),
            plane.rings(pair, name=_PAIR, size=26, line={"width": 4}),
        ]
        wrong = (step.outputs > 0) != (step.signs > 0)
        terms, largest = self._terms(now)
        share = np.abs(terms[largest]) / max(np.abs(terms[largest]).max(initial=0.0), 1e-300)
        start = np.tile(self.place, (len(largest), 1))
        spokes = [np.stack([self.place, end]) for end in self.data.X[largest]]
        traces.append(naming.in_corner(self.key, box, self.corner, size=14))
        traces += _names(pair, np.concatenate([self.data.X, *map(naming.along, spokes)]), box)
        return plane.figure(
            traces,
            box,
            self.data.names,
            points=plane.points(self.data.X, self.data.labels, wrong),
            marks=self.states(now),
            edges=plane.edges(start, self.data.X[largest], width=0.5 + 2 * share),
            signs=self.signs,
            classes=self.data.classes,
        )

    def objectives(self, now: int) -> Figure:
        """Draw how the two objectives meet."""
        return objectives.marked(self.curves, self.steps[now])

    def caption(self, now: int) -> str:
        """Write what the step did, the rule with its numbers, and f at the picked point."""
        return f"{self.said(now)}\n{self._at_picked(now)}"

    def found(self, now: int) -> Regions:
        """Return the side of every cell."""
        return marks.regions(self._f(now), self.sides)

    def counted(self, now: int) -> str:
        """Write how many duals are free, and how many at C."""
        states = self.steps[now].states
        free, full = int((states == FREE).sum()), int((states == FULL).sum())
        return f"○ {free} free, □ {full} at {self.bound}"

    def converged(self, now: int) -> str:
        """Write what the run has come to: the support vectors, and the points on the wrong side."""
        step = self.steps[now]
        wrong, n = int(((step.outputs > 0) != (step.signs > 0)).sum()), len(step.signs)
        support = len(step.support)
        return (
            f"Converged. {counted(support, 'support vector')} "
            f"{'holds' if support == 1 else 'hold'} the street; {wrong or 'none'} of "
            f"{counted(n, 'point')} {'is' if wrong == 1 else 'are'} on the wrong side of the line."
        )

    def _free_corner(self) -> str:
        """Return the corner where the key covers least of the last step's street."""
        step, box, f = self.steps[-1], self.data.bounds, self._f(len(self.steps) - 1)
        _, _, cells = plane.grid(box, len(f))
        crossed = np.zeros(f.shape, bool)
        for level in (-step.level, 0.0, step.level):
            above = f > level
            crossed[1:] |= above[1:] != above[:-1]
            crossed[:, 1:] |= above[:, 1:] != above[:, :-1]
        taken = [cells[crossed.ravel()], self.data.X, self.place[None]]
        return naming.free_corner(box, np.concatenate(taken), *_KEY)

    def _f(self, now: int) -> ndarray:
        step = self.steps[now]
        return self.grid(step.coefficients) + step.bias

    def _terms(self, now: int) -> tuple[ndarray, ndarray]:
        """Return the terms of f at the picked place, and the indices of the largest, in order."""
        terms = self.steps[now].terms(self.seen)
        order = np.argsort(-np.abs(terms), kind="stable")[:_SHOWN_TERMS]
        return terms, order[terms[order] != 0]

    def _at_picked(self, now: int) -> str:
        """Write f at the picked place, with its largest terms."""
        step, (terms, largest) = self.steps[now], self._terms(now)
        coefficients, k = step.coefficients[largest], terms[largest] / step.coefficients[largest]
        written = [
            f"{number(c, 4)} · " + (number(value) if value >= 0 else f"({number(value)})")
            for c, value in zip(coefficients.tolist(), k.tolist(), strict=True)
        ]
        f = float(terms.sum() + step.bias)
        name = marks.side_name(self.sides[int(f > 0)], self.data)
        given = ""
        if written:
            total = " + ".join(written).replace("+ −", "− ")
            given = f"the points at the lines give {total}, "
        if rest := int(np.count_nonzero(terms)) - len(largest):
            others = number(float(np.delete(terms, largest).sum()))
            given += f"{counted(rest, 'other')} {others}, "
        return (
            f"Picked point: {given}the offset is {number(step.bias)}: f = {number(f)}, so {name}."
        )


def widest(features: PolynomialFeatures) -> str:
    """Write in which units the street is the widest, unless they are those of the axes."""
    as_they_are = (features.spread == 1).all() and (features.scale == 1).all()
    return "" if as_they_are else " (widest in standardised units)"


def _names(pair: ndarray, taken: ndarray, box: Bounds) -> list[dict]:
    """Name the two points that have moved, i and j, beside their rings; or none."""
    left, right, bottom, top = box
    off = _OFF * np.array([right - left, top - bottom])
    sides = {
        f"{up} {side}": off * [x, y]
        for up, y in (("middle", 0), ("top", 0.5), ("bottom", -0.5))
        for side, x in (("right", 1 - abs(y)), ("left", abs(y) - 1))
    }
    names = [
        naming.Name(
            letter, [(at + way, side) for side, way in sides.items()], {"size": 20, "weight": 700}
        )
        for letter, at in zip("ij", pair, strict=False)
    ]
    blank = naming.Name("", [], {"size": 20, "weight": 700})
    return naming.clear_names([*names, *[blank] * (2 - len(names))], box, taken)
