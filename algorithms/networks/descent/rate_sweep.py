"""Every optimiser at every learning rate: the number of steps that each needs.

From one start, rule r with the rate η needs

    T_r(η) = the first step from which on it is near a minimum for good, up to max_iter

and its best rate is the one with the smallest T. If no rate comes near a minimum and stays there,
the best rate is the one that ends lowest after max_iter steps. Rules can be compared at their best
rates, not at rates that suit one of them.

All rates of a rule go down at once, as rows of one array. This works because the step of every rule
is η times its step with η = 1, as long as v = s = 0 at the start and the rate stays.

Cost: O(max_iter) for each rule and rate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.optimizers import Rule
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.networks.descent.descent_race import far_out, near, starting, where
from algorithms.networks.descent.surfaces import Surface


@dataclass(frozen=True, eq=False)
class RateSweep(Record):
    """The steps needed, T, by rule and rate; nan where a rule does not come near and stay.

    heights : f after the last step, inf for a rule that left.
    """

    is_model = False

    rates: Float[ndarray, " e"]
    needed: Float[ndarray, "r e"]
    heights: Float[ndarray, "r e"]

    def best(self, rule: int) -> int:
        """Return the index of the best rate of a rule."""
        needed = self.needed[rule]
        if np.isfinite(needed).any():
            return int(np.nanargmin(needed))
        return int(self.heights[rule].argmin())


def rate_sweep(
    surface: Surface,
    start: Float[ndarray, " 2"],
    rules: Sequence[Rule],
    rates: Sequence[float],
    *,
    max_iter: int = 100,
) -> RateSweep:
    """Run all rules with all rates, and count the steps that each needs.

    Raises ValueError unless `start` is a place of finite numbers, all rates are positive, and
    max_iter >= 1.
    """
    start, max_iter = starting(start), validate.integer("max_iter", max_iter, 1)
    eta = np.array([validate.number("rates", rate, positive=True) for rate in rates])
    found = [_descents(surface, start, rule, eta, max_iter) for rule in rules]
    needed, heights = zip(*found, strict=True)
    return RateSweep(eta, np.array(needed), np.array(heights))


def best_rules(sweep: RateSweep, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules, each with its best rate."""
    best = [float(sweep.rates[sweep.best(r)]) for r in range(len(rules))]
    return tuple(replace(rule, learning_rate=rate) for rule, rate in zip(rules, best, strict=True))


def _descents(
    surface: Surface, start: Float[ndarray, " 2"], rule: Rule, eta: ndarray, max_iter: int
) -> tuple[Float[ndarray, " e"], Float[ndarray, " e"]]:
    """Return the steps needed with every rate, and the height after the last one."""
    unit, places = replace(rule, learning_rate=1.0), np.tile(start, (len(eta), 1))
    memory, left = unit.init(places.size), np.zeros(len(eta), bool)
    away = np.where(near(surface, where(surface, places)[1]), -1, 0)  # last step not near a minimum
    for t in range(1, max_iter + 1):
        spend(50.0 * len(eta))
        with np.errstate(over="ignore", invalid="ignore"):
            change, memory = unit.update(surface.gradient(places).ravel(), memory)
            after = places + eta[:, None] * change.reshape(-1, 2)
            left |= ~(np.isfinite(after).all(axis=1) & ~far_out(surface, after))
        places = np.where(left[:, None], places, after)
        away[left | ~near(surface, where(surface, places)[1])] = t
    needed = np.where(away < max_iter, away + 1.0, np.nan)
    return needed, np.where(left, np.inf, surface.height(places))
