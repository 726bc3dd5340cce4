from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.core.optimizers import RULES, Momentum, descend, largest_stable_rate
from algorithms.networks.descent.descent_race import FAR, NEAR, descent_race
from algorithms.networks.descent.surfaces import NAMES, Surface
from pages.networks.descent import ETAS, OWN_RATES, RATES
from tests.house.checked import Checked

ARGUMENTS = {
    "surface": Surface("Himmelblau"),
    "start": np.zeros(2),
    "rules": [RULES[name](0.01) for name in RULES],
}


ALONE = Checked("descent", "Every rule of the race, run alone", 20, "random races of five rules")


@settings(max_examples=ALONE.cases)
@given(
    name=st.sampled_from(NAMES),
    start=st.tuples(st.floats(-1.5, 1.5), st.floats(-0.5, 1.5)),
    rate=st.sampled_from([0.001, 0.01, 0.05]),
)
def test_every_rule_goes_as_it_goes_alone(name, start, rate) -> None:
    surface, rules = Surface(name, 10.0, 25.0), [RULES[each](rate) for each in RULES]
    race = list(descent_race(surface, np.array(start), rules, max_iter=40))
    for r, rule in enumerate(rules):
        alone = list(descend(lambda p, _: surface.gradient(p), np.array(start), rule, max_iter=40))
        for step in race:
            if step.left[r]:
                break
            np.testing.assert_array_equal(step.places[r], alone[step.index].point)
            if step.index:
                np.testing.assert_array_equal(step.gradients[r], alone[step.index].gradient)


@pytest.mark.parametrize("curvature", [5.0, 50.0])
@pytest.mark.parametrize("name", ["gradient", "momentum"])
def test_the_bounds_of_the_bowl(curvature, name) -> None:
    """Just below the bound the way comes near the minimum, just above it leaves."""
    bound = largest_stable_rate(RULES[name](1.0), curvature)
    assert bound is not None
    for share, left in ((0.98, False), (1.02, True)):
        surface, rule = Surface("bowl", curvature), RULES[name](share * bound)
        last = list(descent_race(surface, np.array([-2.5, 1.5]), [rule], max_iter=2000))[-1]
        assert last.left[0] == left
        assert left or last.apart[0] < 0.01


def test_a_plain_step_multiplies_both_parts() -> None:
    surface, rule = Surface("bowl", 20.0), RULES["gradient"](0.03)
    places = [s.places[0] for s in descent_race(surface, np.array([2.0, 1.0]), [rule], max_iter=9)]
    for before, after in pairwise(places):
        np.testing.assert_allclose(after, before * [1 - 0.03, 1 - 0.03 * 20])


def test_news_are_told_once_and_are_true() -> None:
    surface = Surface("bowl", 50.0)
    rules = [RULES[name](0.05) for name in ("gradient", "momentum")]
    steps = list(descent_race(surface, np.array([-2.5, 1.5]), rules, max_iter=100))
    told = {step.index: step.event for step in steps if step.event}
    assert sorted(told.values()) == [
        "gradient leaves", "momentum near a minimum", "momentum swings away again",
    ]  # fmt: skip
    away = next(i for i, event in told.items() if "swings" in event)
    assert steps[away].apart[1] > 0.06 >= steps[away - 1].apart[1]
    near = next(i for i, event in told.items() if event == "momentum near a minimum")
    width = 6.0
    assert steps[near].apart[1] <= NEAR * width < min(s.apart[1] for s in steps[:near])
    gone = next(i for i, event in told.items() if event == "gradient leaves")
    assert steps[gone].left[0] and not steps[gone - 1].left[0]
    place = steps[gone].places[0]
    beyond = place - 0.05 * surface.gradient(place)
    assert np.abs(place).max() <= FAR * width < np.abs(beyond).max()
    assert all(np.array_equal(step.places[0], place) for step in steps[gone:])


def test_on_the_ridge_of_a_saddle_the_way_ends_at_the_saddle() -> None:
    surface, rule = Surface("saddle"), RULES["gradient"](0.3)
    steps = list(descent_race(surface, np.array([-1.5, 0.0]), [rule], max_iter=200))
    assert [step.event for step in steps if step.event] == [
        "gradient stands still", "stopped at max_iter",
    ]  # fmt: skip
    np.testing.assert_allclose(steps[-1].places[0], 0, atol=1e-8)


def test_heights_and_distances_are_those_of_the_places() -> None:
    surface = Surface("Himmelblau")
    rules = [replace(Momentum(0.01), beta=0.5), RULES["Adam"](0.2)]
    for step in descent_race(surface, np.array([0.5, -1.0]), rules, max_iter=30):
        np.testing.assert_array_equal(step.heights, surface.height(step.places))
        far = np.linalg.norm(step.places[:, None] - surface.minima, axis=2).min(axis=1)
        np.testing.assert_allclose(step.apart, far)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"start": np.array([np.nan, 0.0])}, "two finite numbers"),
        ({"start": np.zeros(2), "rules": []}, "one rule at least"),
        ({"start": np.zeros(2), "max_iter": 0}, "max_iter"),
    ],
)
def test_what_cannot_be_raced_is_refused(how, words) -> None:
    with pytest.raises(ValueError, match=words):
        descent_race(**{"surface": Surface(), "rules": [RULES["gradient"](0.1)], **how})


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_flies_out_at_the_default_rates(name: str) -> None:
    plain, own = ETAS[name]
    assert {plain, own} <= set(RATES), "a default is a value of the slider"
    surface = Surface(name, 50.0)
    left, right, bottom, top = surface.window
    rules = [RULES[rule](own if rule in OWN_RATES else plain) for rule in RULES]
    for x in np.linspace(left, right, 5):
        for y in np.linspace(bottom, top, 5):
            *_, last = descent_race(surface, np.array([x, y]), rules, max_iter=50)
            assert not last.left.any()
