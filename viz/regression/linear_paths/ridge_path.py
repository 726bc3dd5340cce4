"""The path of ridge: the weights shrink along every direction at once."""

from algorithms.regression.linear_paths.ridge_path import RidgeStep
from viz.core.words import counted, number, rounded
from viz.regression.linear_paths.fit import four
from viz.regression.linear_paths.path_mode import PathMode


class Ridge(PathMode[RidgeStep]):
    """All weights while the penalty falls."""

    def caption(self, now: int) -> str:
        """Write what the penalty leaves of the least-squares solution, and what it costs."""
        step, d = self.steps[now], len(self.fit.made.names)
        first = (
            f"Ridge at λ = {rounded(step.penalty)}: shrunk by the penalty, {counted(d, 'weight')} "
            f"{'counts' if d == 1 else 'count'} as {number(step.freedom)} free ones (effective "
            "degrees of freedom)."
        )
        return f"{first}\n{_kept(step)}\n{self.path.errors.line(now)}"


def _kept(step: RidgeStep) -> str:
    """Write which share of least squares is kept along the widest and the narrowest direction."""
    if len(step.kept) == 0:
        return "No feature varies, so there is nothing to fit but the mean."
    kept = [number(float(share)) for share in step.kept]
    widest = four(float(step.variances[0]))
    rule = f"s² / (s² + λ) = {widest} / ({widest} + {four(step.penalty)}) = {kept[0]}"
    if len(kept) == 1:
        return f"Ridge keeps the share {rule} of the least-squares weight."
    return (
        f"Ridge keeps the share {rule} of least squares along the widest direction of the data, "
        f"and {kept[-1]} along the narrowest."
    )
