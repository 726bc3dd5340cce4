import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.networks.universal_approximation.sigmoid_bumps import (
    bump_network,
    by_number,
    sigmoid_bumps,
)
from algorithms.networks.universal_approximation.sigmoid_sum import samples
from tests.house.checked import Checked

ARGUMENTS = {"truth": TRUTHS["sine"]}


def sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-z))


RULE = Checked(
    "universal_approximation",
    "The rule, bump by bump, written out",
    3,
    "curves at 81 places",
    within=1e-12,
)
CURVES = ["sine", "step", "kink"]
assert RULE.cases == len(CURVES)


@pytest.mark.parametrize("name", CURVES)
def test_the_sum_is_that_of_the_rule(name: str) -> None:
    truth, x = TRUTHS[name], np.linspace(-4, 4, 81)
    steps = list(sigmoid_bumps(truth, bumps=5, steepness=8.0))
    N, h = np.zeros(len(x)), 6 / 5
    w = 8.0 / h
    assert not steps[0].predict(x[:, None]).any() and [step.bumps for step in steps] == [*range(6)]
    for j, step in enumerate(steps[1:]):
        a, b = -3 + j * h - h * (j == 0), -3 + (j + 1) * h + h * (j == 4)
        middle = -3 + (j + 0.5) * h
        N = N + truth(np.array([middle])) * (sigmoid(w * (x - a)) - sigmoid(w * (x - b)))
        np.testing.assert_allclose(step.predict(x[:, None]), N, rtol=0, atol=RULE.within)
        assert [*step.edges, step.middle] == pytest.approx([a, b, middle])
        places, _, beside, heights = samples(truth)
        assert len(places) == 400 and (places[0], places[-1]) == (-3, 3)
        off = truth(places) - step.predict(places[:, None])
        assert step.miss.rms == pytest.approx(np.sqrt(np.mean(off**2)))
        assert heights.tolist() == [-1.5, 1.5] * (name == "step")
        off = np.append(off, heights - step.predict(beside[:, None]))
        assert step.miss.largest == np.abs(off).max()
        assert abs(off[np.append(places, beside) == step.miss.at][0]) == step.miss.largest
    assert [step.event for step in steps] == [None] * 5 + ["all bumps stand"]


@pytest.mark.parametrize("steepness", [1.0, 20.0, 100.0])
def test_the_largest_miss_at_a_jump_is_at_least_half_of_it(steepness: float) -> None:
    truth, numbers = TRUTHS["step"], (1, 7, 12, 20, 60)
    x = np.append(np.linspace(-3, 3, 20_001), [0.5 - 1e-12, 0.5])
    for k, (_, largest) in zip(numbers, by_number(truth, numbers, steepness), strict=True):
        N = bump_network(truth, bumps=k, steepness=steepness).predict(x[:, None])
        assert largest >= 1.5
        assert largest == pytest.approx(np.abs(truth(x) - N).max(), abs=1e-6)


def test_a_bump_alone_reaches_the_hyperbolic_tangent_of_its_height() -> None:
    truth = TRUTHS["line"]
    for steepness in (0.5, 4.0, 20.0):
        whole = bump_network(truth, bumps=7, steepness=steepness)
        middle = np.array([-3 + 6 * 2.5 / 7])
        rise, fall = (whole.units(middle) * whole.heights)[0, 4:6]
        height = truth(middle)[0]
        assert (rise + fall) / height == pytest.approx(np.tanh(steepness / 4))


def test_a_staircase_misses_by_half_a_width_times_the_steepest_slope() -> None:
    truth, numbers = TRUTHS["sine"], (4, 9, 20, 60)
    for k, (rms, largest) in zip(numbers, by_number(truth, numbers, 1e6), strict=True):
        assert rms < largest <= 3 / k * (2 * np.pi / 3) + 1e-9
    assert by_number(truth, (7,), 3.0)[0].tolist() == [
        *list(sigmoid_bumps(truth, bumps=7, steepness=3.0))[-1].miss[:2]
    ]


@pytest.mark.parametrize(("how", "words"), [({"bumps": 0}, "bumps"), ({"steepness": 0.0}, "steep")])
def test_bad_arguments_are_refused_at_the_call(how: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sigmoid_bumps(TRUTHS["sine"], **how)
