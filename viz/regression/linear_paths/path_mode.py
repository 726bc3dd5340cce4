"""What ridge, the lasso and two weights on their paths have in common."""

from abc import ABC
from collections.abc import Sequence
from typing import TypeVar

from numpy.random import Generator

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.scene import Plane, Run, View
from viz.core.show import Show
from viz.regression.linear_paths import questions
from viz.regression.linear_paths.fit import Fit
from viz.regression.linear_paths.path_panels import PathPanels
from viz.regression.linear_paths.path_picture import PathPicture

S = TypeVar("S", RidgeStep, LassoPathStep, RidgeStep | LassoPathStep)


class PathMode(Show[S], ABC):
    """All weights, or two of them, while the penalty falls.

    large : of a table of several features, the weights are the picture.
    """

    def __init__(
        self,
        run: Run,
        data: Plane,
        made: PreparedTable,
        choice: FeatureChoice,
        folds: CrossValidation,
    ) -> None:
        """Measure the path. choice : how the features were `made`. folds : judge the penalties."""
        super().__init__(run, data)
        self.fit, self.path = Fit(data, made, self.steps), PathPanels(self.steps, made, folds)
        self.large = not made.curve
        self.opens = self._opening()
        self.note = f"{self.fit.note(choice, lined=not self.large)}{self.path.errors.note()}"

    def _opening(self) -> int:
        """Return the step at which the mode opens: the last before the least held-out error."""
        if not self.large:
            return 0
        curve, last = self.path.curve, len(self.steps) - 1
        if curve.best is None:
            return last
        before = [step.penalty >= curve.penalties[curve.best] for step in self.steps]
        return max(before.count(True) - 1, 0)

    def views(self) -> Sequence[View]:
        """Return the path or, of functions of a single column, the fitted curve; then the rest."""
        if self.large:
            return PathPicture(self.path, self.fit).views()
        return [self.fit.view, *self.path.views()]

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next knot, the weight that changes most, or the held-out error."""
        return questions.path(self.path, now, rng)

    def found(self, now: int) -> Curve | None:
        """Return the fitted curve; a path has nothing on the plane."""
        return None if self.large else self.fit.found(now)
