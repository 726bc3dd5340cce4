"""The sweep of all rates against runs of one rule at one rate."""

from itertools import product

import numpy as np
import pytest

from algorithms.core.optimizers import RULES
from algorithms.networks.descent.descent_race import NEAR, descent_race
from algorithms.networks.descent.rate_sweep import best_rules, rate_sweep
from algorithms.networks.descent.surfaces import NAMES, Surface
from tests.house.checked import Checked

RATES = [0.001, 0.01, 0.05, 0.3, 2.0]
# RMSProp swings, which amplifies the last digit: its steps needed are not compared.
STEADY = [name for name in RULES if name != "RMSProp"]


ALONE = Checked(
    "descent",
    "Every rule run alone at every rate, for the steps it needs",
    80,
    "rules, rates and surfaces",
)
EACH = list(product(NAMES, RATES, range(len(STEADY))))


@pytest.mark.parametrize("case", range(ALONE.cases))
def test_every_rule_at_every_rate_goes_as_it_goes_alone(case: int) -> None:
    name, rate, r = EACH[case]
    surface, start = Surface(name, 10.0, 25.0), np.array([-1.5, 0.7])
    sweep = rate_sweep(surface, start, [RULES[n](0.1) for n in STEADY], RATES, max_iter=60)
    width, e = surface.window[1] - surface.window[0], RATES.index(rate)
    steps = list(descent_race(surface, start, [RULES[STEADY[r]](rate)], max_iter=60))
    apart = np.array([np.inf if step.left[0] else step.apart[0] for step in steps])
    away = np.flatnonzero(apart > NEAR * width)
    needed = away[-1] + 1 if len(away) else 0
    if needed > 60:
        assert np.isnan(sweep.needed[r, e])
    else:
        assert sweep.needed[r, e] == needed
    height = np.inf if steps[-1].left[0] else steps[-1].heights[0]
    np.testing.assert_allclose(sweep.heights[r, e], height, rtol=1e-6, atol=1e-12)


def test_the_best_rate_needs_the_fewest_steps_or_ends_lowest() -> None:
    rules = [RULES[name](0.1) for name in RULES]
    for max_iter in (200, 2):  # in 2 steps no rule is near
        sweep = rate_sweep(
            Surface("bowl", 50.0), np.array([-2.5, 1.5]), rules, RATES, max_iter=max_iter
        )
        for r, rule in enumerate(best_rules(sweep, rules)):
            at = RATES.index(rule.learning_rate)
            assert type(rule) is type(rules[r])
            if np.isfinite(sweep.needed[r]).any():
                assert sweep.needed[r, at] == np.nanmin(sweep.needed[r])
            else:
                assert sweep.heights[r, at] == sweep.heights[r].min()


def test_steps_needed_count_from_when_a_rule_stays() -> None:
    """A run that starts near a minimum and stays needs none; one that swings out, more."""
    surface = Surface("bowl", 1.0)
    rules = [RULES["gradient"](0.1), RULES["RMSProp"](0.1)]
    sweep = rate_sweep(surface, np.array([0.01, 0.0]), rules, [0.1], max_iter=100)
    assert sweep.needed[0, 0] == 0
    assert sweep.needed[1, 0] != 0


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"start": np.array([np.nan, 0.0])}, "two finite numbers"),
        ({"rates": [0.1, 0.0]}, "rates must be positive"),
        ({"max_iter": 0}, "max_iter"),
    ],
)
def test_bad_arguments_are_refused(how: dict, words: str) -> None:
    given = {"start": np.zeros(2), "rates": RATES, "max_iter": 9} | how
    start, rates = given.pop("start"), given.pop("rates")
    with pytest.raises(ValueError, match=words):
        rate_sweep(Surface(), start, [RULES["gradient"](0.1)], rates, **given)
