"""A thousand people: every number against fractions of whole numbers and a sum over outcomes."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.probability.bayes import PEOPLE, after_positives, thousand_people
from tests.house.checked import Checked
from viz.core.scene import Run
from viz.probability.bayes import Bayes
from viz.probability.icons import arranged

FRACTIONS = Checked("bayes", "Fractions of whole numbers", 200, "random tests", 1e-12)
OUTCOMES = Checked("bayes", "A sum over all outcomes of three tests", 200, "random tests", 1e-12)
ARGUMENTS: dict[str, Any] = {"prevalence": 0.01, "sensitivity": 0.9, "false_positive_rate": 0.09}


def shares(case: int) -> tuple[Fraction, ...]:
    rng = np.random.default_rng(case)
    highest = (500, 1000, 500, 1000)
    return tuple(Fraction(int(rng.integers(1, most + 1)), 1000) for most in highest)


def whole(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def test_a_run_counts_in_exact_fractions() -> None:
    for case in range(FRACTIONS.cases):
        p, s, f, r = shares(case)
        steps = list(thousand_people(*map(float, (p, s, f)), tests=3, repeat=float(r)))
        ill, healthy, posterior = PEOPLE * p, PEOPLE * (1 - p), p
        for step in steps:
            if step.phase == "tested":
                first = step.results == 1
                now = [s, f] if first else [r + (1 - r) * s, r + (1 - r) * f]
                ill, healthy = ill * now[0], healthy * now[1]
                posterior = ill / (ill + healthy)
                everybody = whole(PEOPLE * p)
                expected = [whole(ill), min(whole(healthy), PEOPLE - everybody)]
                assert step.counts[:, 0].tolist() == expected
                assert step.counts[0].sum() == everybody
            assert step.posterior == pytest.approx(float(posterior), abs=FRACTIONS.within, rel=0)
            assert step.counts.sum() == PEOPLE and step.counts.min() >= 0


def test_further_tests_are_sums_over_all_outcomes() -> None:
    for case in range(OUTCOMES.cases):
        p, s, f, _ = map(float, shares(case))
        joint = np.zeros((2, 4))  # by illness and by the number of positive results
        for ill, *results in product((1, 0), repeat=4):
            rate = s if ill else f
            chance = np.prod([rate if each else 1 - rate for each in results])
            joint[ill, sum(results)] += (p if ill else 1 - p) * chance
        posterior = joint[1, 3] / joint[:, 3].sum()
        found = last(thousand_people(p, s, f, tests=3)).posterior
        assert found == pytest.approx(posterior, abs=OUTCOMES.within, rel=0)


def test_the_worked_number_of_the_notes() -> None:
    end = last(thousand_people(0.01, 0.99, 0.005))
    assert end.posterior == pytest.approx(2 / 3, abs=1e-15)
    assert end.counts[:, 0].tolist() == [10, 5]


def test_the_curve_goes_through_the_runs() -> None:
    for case in range(20):
        p, s, f, r = map(float, shares(case))
        run = thousand_people(p, s, f, tests=3, repeat=r)
        for step in run:
            if step.phase == "positive":
                found = after_positives(np.array([p]), np.array([s, f]), step.results, r)
                assert found[0] == pytest.approx(step.posterior, abs=1e-12)


def test_a_test_that_only_repeats_says_nothing_new() -> None:
    steps = list(thousand_people(0.01, 0.9, 0.09, tests=3, repeat=1.0))
    assert [step.posterior for step in steps[3:]] == pytest.approx([steps[3].posterior] * 5)


def test_everybody_has_a_place_of_their_own() -> None:
    for case in range(60):
        p, s, f, r = map(float, shares(case))
        for step in thousand_people(p, s, f, tests=3, repeat=r):
            stand = arranged(step.counts)
            assert len(np.unique(stand.places, axis=0)) == PEOPLE == len(stand.places)
            ill = step.counts[0].sum()
            if 0 < ill < PEOPLE:
                assert stand.places[:ill, 0].max() < stand.places[ill:, 0].min()
            both, alarms = step.counts[:, 0]
            positive = np.zeros(PEOPLE, bool)
            positive[:both] = positive[ill : ill + alarms] = True
            if positive.any():
                low, high = stand.positive.min(axis=0), stand.positive.max(axis=0)
                inside = ((stand.places > low) & (stand.places < high)).all(axis=1)
                np.testing.assert_array_equal(inside, positive)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"prevalence": 0.0}, "prevalence must be positive"),
        ({"prevalence": 1.0}, "prevalence must be below 1"),
        ({"sensitivity": 0.0}, "sensitivity must be positive"),
        ({"false_positive_rate": 1.5}, "false_positive_rate must be at most 1"),
        ({"repeat": -0.1}, "repeat must be a number from 0"),
        ({"tests": 4}, "tests"),
    ],
)
def test_bad_input_is_named_at_the_call(changes: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        thousand_people(**ARGUMENTS | changes)


def test_a_share_that_only_rounding_makes_whole_is_exact_and_the_rest_adds_up() -> None:
    steps = tuple(thousand_people(0.5, 0.9, 0.09, tests=3))
    shown = Bayes(Run("", steps), 3, 0.0)
    end = len(steps) - 1
    texts = [text for trace in shown.picture(end)["data"] for text in trace.get("text") or []]
    assert "365 of 365 positive are ill: 99.9 % on average" in texts
    assert "0.9901 · 0.9 / (0.9901 · 0.9 + 0.0099 · 0.09) = 99.9 %" in shown.caption(end)


def test_a_share_that_rounding_to_people_changes_is_exact_beside_the_counts() -> None:
    steps = tuple(thousand_people(**ARGUMENTS, tests=3))
    shown = Bayes(Run("", steps), 3, 0.0)
    end, once = len(steps) - 1, 3
    texts = [text for trace in shown.picture(end)["data"] for text in trace.get("text") or []]
    assert "7 of 8 positive are ill: 91 % on average" in texts
    told = shown.caption(end).split("\n")[0]
    assert told.endswith("ill (whole people are rounded; the exact share is 91 %).")
    assert shown.caption(once).startswith("9 of the 98 people who test positive are ill.\n")
