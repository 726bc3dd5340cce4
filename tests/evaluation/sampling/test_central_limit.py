"""Drawn densities against sums on a grid, and what means of samples do."""

import numpy as np
import pytest
from scipy.stats import kstest

from algorithms.core.record import last
from algorithms.evaluation.central_limit import Cauchy, Tents, central_limit, half_width
from pages.evaluation.sampling import DRAWN
from tests.core.figures import unpacked
from tests.house.checked import Checked
from viz.core.scene import Run
from viz.evaluation.sampling.central_limit import SIZES, CentralLimit

GRID = Checked(
    "sampling", "Means and deviations of drawn densities, summed on a grid", 30,
    "random densities", 1e-4,
)  # fmt: skip
ARGUMENTS = {"source": Tents((1.0, 0.0, 2.0)), "n": 3}


def test_a_drawn_density_has_its_mean_and_deviation() -> None:
    x = (np.arange(20_000) + 0.5) / 2000
    for case in range(GRID.cases):
        rng = np.random.default_rng(case)
        source = Tents(tuple(rng.random(9).tolist()))
        weights = source.density(x) / 2000
        assert weights.sum() == pytest.approx(1, abs=GRID.within)
        assert weights @ x == pytest.approx(source.mean, abs=GRID.within, rel=0)
        deviation = np.sqrt(weights @ (x - source.mean) ** 2)
        assert deviation == pytest.approx(source.deviation, abs=GRID.within, rel=0)


@pytest.mark.parametrize("source", [Tents((1.0, 0.2, 0.0, 3.0)), Cauchy()])
def test_numbers_follow_the_density(source: Tents | Cauchy) -> None:
    drawn = source.draw((4000,), np.random.default_rng(0))
    x = np.linspace(-2000, 2010, 2_000_001)
    below = np.cumsum(source.density(x[::1][900_000:1_100_000])) * (x[1] - x[0])
    within = np.abs(drawn) < 150
    shown = np.interp(drawn[within], x[900_000:1_100_000], below)
    assert kstest(shown, "uniform").statistic < 0.03


def test_means_of_cauchy_numbers_are_no_nearer() -> None:
    sizes = np.array([1.0, 100.0])
    half = half_width(Cauchy(), sizes, share=0.5, rng=np.random.default_rng(0))
    assert half == pytest.approx(1, abs=0.1)
    drawn = half_width(Tents((1.0,)), sizes, share=0.5, rng=np.random.default_rng(0))
    assert drawn[0] / drawn[1] == pytest.approx(10, rel=0.15)


def test_every_step_adds_means() -> None:
    end = last(central_limit(**ARGUMENTS, rng=np.random.default_rng(0), steps=4, each=2))
    assert len(end.means) == 8 and end.means[-1] == pytest.approx(end.numbers.mean())


@pytest.mark.parametrize("changes", [{"n": 0}, {"source": Tents((0.0, 0.0))}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        central_limit(**ARGUMENTS | changes, rng=np.random.default_rng(0))


@pytest.mark.parametrize("heights", [tuple(DRAWN), (0.6, *[0.02] * 8), (*[0.02] * 8, 0.6)])
@pytest.mark.parametrize("n", [1, 2, 10])
def test_the_bars_hold_all_means(heights: tuple[float, ...], n: int) -> None:
    source = Tents(heights)
    steps = tuple(central_limit(source, n, rng=np.random.default_rng(0)))
    widths = np.linspace(3.0, 0.2, len(SIZES))
    shown = CentralLimit(Run("", steps), source, n, widths)
    for now in (1, 20, 59):
        bars = shown.picture(now)["data"][0]
        drawn = bars["width"] * sum(bars["y"])
        assert drawn == pytest.approx(min(1.0, len(steps[now].means) / 50))
        left, right = bars["x"][0] - bars["width"] / 2, bars["x"][-1] + bars["width"] / 2
        assert left > -1e-9 and right < 10 + 1e-9
    ring = shown.by_size(0)["data"][-1]
    assert unpacked(ring["y"]) == pytest.approx(widths[list(SIZES).index(n)])


def test_means_outside_the_picture_are_counted() -> None:
    source = Cauchy()
    steps = tuple(central_limit(source, 10, rng=np.random.default_rng(0)))
    shown = CentralLimit(Run("", steps), source, 10, np.ones(len(SIZES)))
    outside = int(((steps[-1].means < 0) | (steps[-1].means > 10)).sum())
    assert f"{outside} means are outside the picture." in shown.caption(59)
    assert sum(shown.picture(59)["data"][0]["y"]) * 0.2 == pytest.approx(1 - outside / 600)


@pytest.mark.parametrize("heights", [tuple(DRAWN), (0.6, *[0.02] * 8), (*[0.02] * 8, 0.6)])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
def test_names_of_both_curves_keep_clear_of_each_other(heights: tuple[float, ...], n: int) -> None:
    source = Tents(heights)
    steps = tuple(central_limit(source, n, rng=np.random.default_rng(0)))
    shown = CentralLimit(Run("", steps), source, n, np.ones(len(SIZES)))
    bell, single = shown.picture(59)["data"][4:6]
    assert bell["text"] == ["bell curve with σ / √n"] and single["text"] == ["single numbers"]
    high, wide = 0.05 * shown.top, 2.6  # of a line of text, and of the longer name
    low = []
    for name in (bell, single):
        up, across = name["textposition"].split()
        x, y = (float(unpacked(name[axis])[0]) for axis in "xy")
        left = x + {"left": -wide, "center": -wide / 2, "right": 0}[across]
        low.append((left, y + {"top": 0, "middle": -high / 2}[up]))
    (x, y), (others_x, others_y) = low
    assert abs(x - others_x) > wide or abs(y - others_y) > high
