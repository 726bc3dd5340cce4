"""What ridge, the lasso and two weights on their paths have in common."""

from abc import ABC
from typing import TypeVar

from numpy.random import Generator

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.lasso_path import LassoPathStep
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.scene import Plane, Run
from viz.core.show import Show
from viz.regression.linear_paths import questions
from viz.regression.linear_paths.fit import Fit
from viz.regression.linear_paths.path_panels import PathPanels

S = TypeVar("S", RidgeStep, LassoPathStep, RidgeStep | LassoPathStep)


class PathMode(Show[S], ABC):
    """All weights, or two of them, while the penalty falls."""

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
        self.note = f"{self.fit.note(choice)}{self.path.errors.note()}"

    def answer(self, now: int) -> str:
        """Write which penalties have the least errors."""
        return self.path.errors.least()

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next knot, the weight that changes most, or the held-out error."""
        return questions.path(self.path, now, rng)

    def found(self, now: int) -> Curve:
        """Return the fit."""
        return self.fit.found(now)
