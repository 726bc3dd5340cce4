"""The path of ridge: the weights shrink along every direction at once."""

from numpy.random import Generator

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.scene import Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number
from viz.regression.linear_paths import questions
from viz.regression.linear_paths.fit import Fit, four
from viz.regression.linear_paths.path_panels import PathPanels


class Ridge(Show[RidgeStep]):
    """All weights while the penalty falls."""

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

    def views(self) -> list[View]:
        """Return the fit, the weights, the errors, and the prior."""
        return [self.fit.view, *self.path.views()]

    def caption(self, now: int) -> str:
        """Write what the penalty leaves of the least-squares solution, and what it costs."""
        step, norms, d = self.steps[now], self.path.summary.measured.norms, len(self.fit.made.names)
        weights = f"{counted(d, 'weight')} {'is' if d == 1 else 'are'}"
        first = (
            f"λ = {four(step.penalty)}: held by ridge, the {weights} as free as "
            f"{number(step.freedom)} without a penalty; ‖w‖ = {four(float(norms[now]))}."
        )
        return f"{first}\n{_kept(step)}\n{self.path.errors.line(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which weight changes most, and for the held-out error."""
        return questions.path(self.path, now, rng)

    def found(self, now: int) -> Curve:
        """Return the fit."""
        return self.fit.found(now)


def _kept(step: RidgeStep) -> str:
    """Write which share of least squares is kept along the widest and the narrowest direction."""
    if len(step.kept) == 0:
        return "No feature varies, so there is nothing to fit but the mean."
    kept = [number(float(share)) for share in step.kept]
    widest = four(float(step.variances[0]))
    rule = f"s² / (s² + λ) = {widest} / ({widest} + {four(step.penalty)}) = {kept[0]}"
    if len(kept) == 1:
        return f"Of the least-squares weight it keeps {rule}."
    return (
        f"Of least squares it keeps {rule} along the widest direction of the data, {kept[-1]} "
        "along the narrowest."
    )
