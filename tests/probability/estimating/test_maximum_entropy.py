"""The flattest die with a mean, against SciPy's search and the numbers of Jaynes."""

import numpy as np
import pytest
from scipy.optimize import minimize

from algorithms.core.record import last
from algorithms.probability.maximum_entropy import FACES, entropy, maximum_entropy, moved
from tests.house.checked import Checked

SEARCH = Checked(
    "estimating", "SciPy's minimize with both constraints, for the flattest die", 10, "means", 1e-3
)
ARGUMENTS = {"mean": 4.5}


def test_a_search_with_constraints_finds_the_same_die() -> None:
    for mean in np.linspace(1.6, 5.4, SEARCH.cases):
        end = last(maximum_entropy(float(mean)))
        found = minimize(
            lambda p: -float(entropy(np.abs(p)[None])[0]), np.full(6, 1 / 6), method="SLSQP",
            bounds=[(1e-9, 1)] * 6, options={"ftol": 1e-12, "maxiter": 500},
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p, mean=mean: p @ FACES - mean},
            ],
        )  # fmt: skip
        assert end.p == pytest.approx(found.x, abs=SEARCH.within, rel=0)


def test_the_die_of_jaynes() -> None:
    end = last(maximum_entropy(4.5))
    assert end.multiplier == pytest.approx(0.37105, abs=1e-5)
    jaynes = [0.05435, 0.07877, 0.11416, 0.16545, 0.23977, 0.34749]
    assert end.p == pytest.approx(jaynes, abs=1e-5)


@pytest.mark.parametrize("mean", [1.1, 2.0, 3.5, 5.9])
def test_changes_that_keep_the_mean_lower_the_entropy(mean: float) -> None:
    end = last(maximum_entropy(mean))
    assert end.event == "converged" and end.mean == pytest.approx(mean, abs=1e-6)
    for face in range(4):
        t, others = moved(end.p, face)
        assert others @ FACES == pytest.approx(end.mean) and others.sum(axis=1) == pytest.approx(1)
        assert (entropy(others)[np.abs(t) > 1e-9] < end.entropy + 1e-12).all()


def test_entropies() -> None:
    rows = np.array([[0.5, 0.5, 0, 0, 0, 0], np.full(6, 1 / 6)])
    assert entropy(rows) == pytest.approx([1, np.log2(6)])


@pytest.mark.parametrize("mean", [1.0, 6.0])
def test_bad_input_is_named_at_the_call(mean: float) -> None:
    with pytest.raises(ValueError, match="mean"):
        maximum_entropy(mean)
