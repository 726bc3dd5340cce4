"""False alarms of several looks against SciPy, published tables and many experiments."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from algorithms.core.record import last
from algorithms.evaluation.peeking import BORDER, false_alarms, peeking, pocock
from tests.house.checked import Checked

TWO = Checked(
    "sampling",
    "SciPy's multivariate_normal, for the false alarms of two looks",
    20,
    "borders",
    1e-4,
)
ARGUMENTS = {"looks": 5, "border": BORDER}


def test_two_looks() -> None:
    r = np.sqrt(0.5)
    both = multivariate_normal(cov=np.array([[1, r], [r, 1]]))  # type: ignore
    for c in np.linspace(0.5, 3, TWO.cases):
        inside = both.cdf([c, c], lower_limit=[-c, -c])
        assert false_alarms(2, float(c))[1] == pytest.approx(1 - inside, abs=TWO.within, rel=0)


def test_the_tables_of_armitage_and_of_pocock() -> None:
    rates = false_alarms(50, BORDER)[np.array([1, 2, 3, 4, 5, 10, 20, 50]) - 1]
    table = [0.050, 0.083, 0.107, 0.126, 0.142, 0.193, 0.248, 0.320]
    assert rates.round(3).tolist() == table
    borders = [round(pocock(looks), 3) for looks in (1, 2, 5, 10)]
    assert borders == [1.960, 2.178, 2.413, 2.555]


def test_many_experiments_stop_as_often() -> None:
    for looks in (1, 5, 20):
        rng = np.random.default_rng(looks)
        stopped, at_end = last(peeking(looks, BORDER, rng=rng, experiments=1000)).alarms
        assert stopped / 1000 == pytest.approx(false_alarms(looks, BORDER)[-1], abs=0.04)
        assert at_end / 1000 == pytest.approx(0.05, abs=0.02)


def test_an_experiment_stops_at_its_first_look_beyond_the_border() -> None:
    end = last(peeking(**ARGUMENTS, rng=np.random.default_rng(0)))
    for row, stop in zip(end.z, end.stops, strict=True):
        assert stop is None or ((abs(row[:stop]) <= BORDER).all() and abs(row[stop]) > BORDER)
        assert stop is not None or (abs(row) <= BORDER).all()


@pytest.mark.parametrize("changes", [{"looks": 0}, {"border": 0.0}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        peeking(**ARGUMENTS | changes, rng=np.random.default_rng(0))
