"""The machine with nu: weight moves within a class; what nu bounds, and the C that it equals."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.classification.svm.nu_svm import NuSvmStep, largest_nu
from algorithms.classification.svm.shares_by_nu import SharesByNu
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import Linear
from algorithms.kernel_machines.moves import FreeMove, PairMove
from viz.classification.svm import marks
from viz.classification.svm.machine import Machine
from viz.classification.svm.pair_box import pair_box
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END
from viz.core.theme import GREY
from viz.core.words import counted, number, rounded

_SYMBOLS, _SIZES = [100, 100, 101], [0, 14, 12]  # of OUT, FREE and FULL
_CLEAR = 0.05  # of rho: a point this far beyond its edge has surely no weight to gain
_SIGNS = {
    "edges": marks.TERMS,
    "marks": ["", "on its edge: 0 < α < 1", "at the bound: α = 1"],
}
_ENDED = {
    None: "",
    "a point reaches 1": " First α that a move takes to 1.",
    "all free duals at once": "",
    "converged": " Converged.",
    "rounding": " Stopped: rounding allows no further step.",
    "stopped at max_iter": " Stopped: all allowed steps are used up.",
}


class NuStreet(Machine[NuSvmStep]):
    """The street, the shares that nu bounds, and the pair that moves."""

    unit = "move"
    opens = AT_THE_END  # the shares are on their curves

    key = "weight α:  ○ below 1   □ 1"
    ring = "the state of every point"
    signs = _SIGNS
    edges = "f = −ρ and +ρ"
    edges_sign = "edges of the street, f = ±ρ"
    bound = "1"

    def __init__(
        self,
        run: Run,
        data: Plane,
        sides: marks.Sides,
        features: PolynomialFeatures,
        place: ndarray,
        matrix: KernelMatrix | None,
        by_nu: SharesByNu,
    ) -> None:
        """Draw the curves against nu. place : picked on the picture. matrix : or None."""
        super().__init__(run, data, sides, features, place, matrix, None)
        self.top = min(1.0, 1.3 * self.steps[-1].moves.largest_dual) or 1.0
        self.by_nu, self.largest = by_nu, largest_nu(self.steps[0].signs)
        finite = by_nu.prices[np.isfinite(by_nu.prices)]
        finite = np.append(finite, [p for p in [self.steps[-1].price] if np.isfinite(p)] or [1.0])
        self.ends = float(np.log10(finite.min())) - 0.2, float(np.log10(finite.max())) + 0.2
        self.means = isinstance(self.steps[0].kernel, Linear)

    def views(self) -> list[View]:
        """Return the picture, the shares against nu, both objectives, and the pair's box."""
        n, drawn = len(self.data.X), self.by_nu.n
        some = f" (curves: {drawn} of the points)" if drawn < n else ""
        picture, box, objectives, *rest = super().views()
        shares = View(f"What ν bounds, and the C it equals{some}", self.shares, ahead=True)
        return [picture, shares, objectives, box, *rest]

    def duals(self) -> View:
        """Return the box of the pair, with all duals beside it."""
        return View("The move of i and j in its box, and all duals", self.box)

    def box(self, now: int) -> Figure:
        """Draw the move in the box of the pair, and all duals."""
        return pair_box(self.sides, self.steps[now], self.top, "α")

    def shares(self, now: int) -> Figure:
        """Draw both shares against nu, with this step's, and the C that each nu equals."""
        step, by_nu, n = self.steps[now], self.by_nu, len(self.data.X)
        nu, top = step.nu, max(1.0, self.largest)
        errors, support = len(step.margin_errors) / n, len(step.support) / n
        traces = [
            plane.line(
                np.array([[0, 0], [self.largest, self.largest]]),
                line={"width": 2, "dash": "dot", "color": GREY},
                name="ν itself",
            ),
            _against("support vectors", by_nu.nus, by_nu.support, "solid"),
            _against("margin errors", by_nu.nus, by_nu.errors, "dash"),
            _now(nu, support, "support vectors, this step"),
            _now(nu, errors, "margin errors, this step"),
        ]
        wide = 1.06 * self.largest
        left = Panel(
            traces,
            x={"title": {"text": "ν", "standoff": 0}, "range": [-0.03, wide], "nticks": 5},
            y={"title": {"text": "share of points"}, "range": [-0.05, 1.05 * top], "nticks": 5},
            annotations=[
                _word("support vectors", 0.04, 0.98, "left"),
                _word("margin errors", 0.98, 0.04, "right"),
            ],
        )
        price = step.price if np.isfinite(step.price) else np.nan
        right = Panel(
            [
                _against("C = 1/ρ", by_nu.nus, by_nu.prices, "solid"),
                _now(nu, price, "C, this step"),
            ],
            x={"title": {"text": "ν", "standoff": 0}, "range": [-0.03, wide], "nticks": 4},
            y={"title": {"text": "C = 1/ρ"}, "range": list(self.ends)} | curves.powers(*self.ends),
        )
        return panels.side_by_side(left, right, split=0.52, room=0.17)

    def further(self, now: int) -> list[dict]:
        """Return the weighted means of both classes and what joins them, for the linear kernel."""
        if not self.means:
            return []
        step = self.steps[now]
        ends = [step.duals[m] @ self.data.X[m] / step.duals[m].sum() for m in step.task.groups]
        look = {"size": 13, "symbol": "diamond"}
        name = "weighted means of the classes; the machine brings them together"
        return [
            plane.line(
                np.array(ends), mode="lines+markers", marker=look, name=name,
                line={"width": 2},
            )
        ]  # fmt: skip

    def states(self, now: int) -> dict:
        """Mark the states: a ring for 0 < alpha < 1, a square for 1."""
        return plane.marks(self.steps[now].states.astype(np.uint8), _SYMBOLS, _SIZES, 1.0)

    def pair(self, now: int) -> list[int]:
        """Return the pair of the move, until the street is found."""
        step = self.steps[now]
        return [] if step.event == "converged" else list(step.pair or ())

    def said(self, now: int) -> str:
        """Write what the step did, its numbers in the rule, and what nu bounds."""
        step = self.steps[now]
        if step.event == "converged" and not _no_street(step):
            return f"{self._kept(step)}\n{_bounds(step)}"
        if step.move is None or step.event:
            return "\n".join([*self._moved(now)[:1], _bounds(step)])
        return "\n".join(self._moved(now))

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point is in the next pair, or whether the weight of a point in it rises."""
        before, after = self.steps[now], self.steps[now + 1]
        if not isinstance(after.move, PairMove):
            return None
        which = rng.random() < 0.5 and _which(rng, self.data, before, after)
        return which or _which_way(self.data, before, after, int(rng.integers(2)))

    def _f(self, now: int) -> ndarray:
        return super()._f(now) * (not _no_street(self.steps[now]))  # what is left is rounding

    def _moved(self, now: int) -> list[str]:
        step = self.steps[now]
        if isinstance(step.move, FreeMove):
            free, bounded = len(step.move.members), step.move.bounded
            stay = f", {bounded} of them stopped at 0 or 1" if bounded else ""
            return [
                f"Move {now}: all {free} free weights move to the values that are best "
                f"together; D rises by {number(step.move.gain)} to "
                f"{rounded(step.dual_objective)}.{_ENDED[step.event]}",
                f"β ← β + d with K d + e 1 = g and one e for each class{stay}; violation "
                f"{number(self.steps[now - 1].violation)} → {number(step.violation)}.",
            ]
        if step.move is None:
            half = number(float(step.duals.sum()) / 2)
            done = " No move can raise D." if step.event == "converged" else ""
            return [
                f"Start: each class has the weight ν n / 2 = {half}, on its points nearest to the "
                f"other class's mean.{done}"
            ]
        i, j, slope, eta, wanted, taken = step.move
        cut = f", cut to {number(taken, 4)}" if taken < wanted else ""
        side = marks.side_name(self.sides[int(step.signs[i] > 0)], self.data)
        duals, before = step.duals, np.abs(step.before)
        changes = ", ".join(
            f"α{name} {number(before[k], 4)} → {number(duals[k], 4)}"
            for name, k in (("ᵢ", i), ("ⱼ", j))
        )
        return [
            f"Move {now}: weight goes from one point of {side} to another; D rises by "
            f"{number(step.move.gain)} to {rounded(step.dual_objective)}.{_ENDED[step.event]}",
            f"The best step is λ = (gᵢ − gⱼ) / η = {number(slope, 4)} / {number(eta, 4)} = "
            f"{number(wanted, 4)}{cut}: {changes}; violation {number(step.violation)}.",
        ]

    def _kept(self, step: NuSvmStep) -> str:
        """Write what nu allows, and what the run has come to."""
        errors, support = len(step.margin_errors), len(step.support)
        most = int(step.duals.sum() + 1e-6)
        return (
            f"At most {most} of {len(self.data.X)} points may be margin errors: {errors} "
            f"{'is' if errors == 1 else 'are'}, and {counted(support, 'support vector')} "
            f"{'holds' if support == 1 else 'hold'} the street."
        )


def _bounds(step: NuSvmStep) -> str:
    """Write the margin errors, nu n and the support vectors, and the C that nu equals."""
    share, errors, support = step.duals.sum(), len(step.margin_errors), len(step.support)
    first = "≤" if errors <= share + 1e-6 else ">"
    asked = "" if step.event == "converged" else " (at the end ≤)"
    shares = (
        f"{counted(errors, 'margin error')} {first} ν n = {number(float(share))} ≤ "
        f"{counted(support, 'support vector')}{asked}"
    )
    level, done = step.level, step.event == "converged"
    if _no_street(step):
        return (
            f"ρ = 0 and w = 0: weights up to 1 make the means of both classes equal. No street has "
            f"so few margin errors; a larger ν is needed ({counted(support, 'support vector')})."
        )
    equal = f": the machine of C = 1/ρ = {number(step.price)}" if done else ""
    return f"{shares}. At the edges |f| = ρ = {number(level)}{equal}."


def _no_street(step: NuSvmStep) -> bool:
    """Return whether the run has ended at w = 0."""
    return step.event == "converged" and not np.isfinite(step.price)


def _which(rng: Generator, data: Plane, before: NuSvmStep, after: NuSvmStep) -> Question | None:
    """Ask which point is in the pair; the others are beyond their edge, without weight."""
    margins, duals, level = before.signs * before.outputs, before.duals, before.level
    members = np.zeros(len(margins), bool)
    members[list(after.pair or ())] = True

    def reason(i: int) -> str:
        return (
            f"It has α = {number(duals[i])} and y f = {number(margins[i])}; the others have α = 0 "
            f"and y f above ρ = {number(level)}, as they should."
        )

    kept = ~members & (duals == 0) & (margins > level + _CLEAR * abs(level))
    text = "Weight moves between two points in the next step. Which point is one of them?"
    return which_point(rng, data, text, members, kept, reason)


def _which_way(data: Plane, before: NuSvmStep, after: NuSvmStep, end: int) -> Question | None:
    """Ask whether the weight of a point of the pair rises: it does where y f is the lower one."""
    pair = list(after.pair or ())
    i, other = pair[end], pair[1 - end]
    margins = before.signs * before.outputs
    x, y = data.X[i].tolist()
    reason = (
        f"Its y f is {number(margins[i])}, and that of its partner is {number(margins[other])}. "
        "Weight goes to the point of the class that needs more help, the one with the lower y f."
    )
    text = "The point ? and another point of its class exchange weight. What happens to its weight?"
    return rises_or_falls(text, before.duals.item(i), after.duals.item(i), reason, place=(0, x, y))


def _against(name: str, x: ndarray, y: ndarray, dash: str) -> dict:
    how = {"line": {"width": 2, "dash": dash}, "marker": {"size": 4}}
    known = np.isfinite(y)
    return curves.against(name, x[known], y[known], setting="ν", **how)


def _now(x: float, y: float, name: str) -> dict:
    look = {"size": 13, "symbol": 100, "line": {"width": 3}}
    return curves.marked(0, 0) | {
        "x": plane.packed(np.array([x])),
        "y": plane.packed(np.array([y])),  # NaN for none
        "name": name,
        "marker": look,
    }


def _word(text: str, x: float, y: float, side: str) -> dict:
    place = {"x": x, "y": y, "xanchor": side, "yanchor": "top" if y > 0.5 else "bottom"}
    return {"text": text, "showarrow": False, "font": {"size": 14}} | place
