import numpy as np
import pytest
from scipy.optimize import minimize

from algorithms.core.record import last
from algorithms.networks.descent.constraint import (
    LEAVES,
    MET,
    OPTIMAL,
    Wall,
    best_multiplier,
    dual,
    walled_descent,
)
from algorithms.networks.descent.surfaces import Surface
from tests.core.figures import unpacked
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp
from tests.house.checked import Checked
from viz.core.scene import Run
from viz.networks.descent.constraint import Walled

ARGUMENTS = {
    "bowl": Surface("bowl", 3.0),
    "places": np.array([[-1.6, -2.4], [-0.4, 2.6]]),
    "start": np.array([-1.5, 2.5]),
}
SLSQP = Checked(
    "descent", "SciPy's SLSQP for the lowest allowed place", 60, "bowls and walls", within=1e-3
)
INNER = Checked(
    "descent", "The dual function by minimising $f + \\lambda g$ with BFGS", 60, "multipliers",
    within=1e-6,
)  # fmt: skip


def drawn(case: int) -> tuple[Surface, np.ndarray, Wall, np.ndarray]:
    """Return a random bowl, two places of a wall, the wall, and a start."""
    rng = np.random.default_rng(case)
    places, start = rng.uniform(-3, 3, (2, 2)), rng.uniform(-3, 3, 2)
    bowl = Surface("bowl", rng.uniform(1, 8), rng.uniform(0, 90))
    return bowl, places, Wall.through(places), start


@pytest.mark.parametrize("case", range(SLSQP.cases))
def test_the_end_is_the_lowest_allowed_place(case: int) -> None:
    bowl, places, wall, start = drawn(case)
    steps = list(walled_descent(bowl, places, start, learning_rate=0.1, max_iter=1000))
    allowed = {"type": "ineq", "fun": lambda at: -wall.behind(at)}
    found = minimize(
        lambda at: bowl.height(at[None])[0], start, jac=bowl.gradient, method="SLSQP",
        constraints=[allowed], options={"ftol": 1e-14},
    )  # fmt: skip
    assert steps[-1].event == OPTIMAL
    np.testing.assert_allclose(steps[-1].place, found.x, rtol=0, atol=SLSQP.within)
    multiplier = best_multiplier(bowl, wall)
    assert steps[-1].multiplier == pytest.approx(multiplier, abs=SLSQP.within)
    best = float(dual(bowl, wall, np.array(multiplier)))
    assert best == pytest.approx(found.fun, abs=SLSQP.within), "no gap"
    for step in steps:
        assert step.behind <= 1e-12 and step.multiplier >= 0
        assert step.multiplier * step.behind == 0
        assert step.bound <= found.fun + 1e-6 and step.height >= found.fun - 1e-6
    assert sum(step.event == MET for step in steps) <= 1


def test_the_dual_function_is_the_least_of_f_and_the_price() -> None:
    for case in range(INNER.cases):
        bowl, _, wall, start = drawn(case)
        price = np.random.default_rng(case).uniform(0, 5)
        found = minimize(
            lambda at, f, g, p: f.height(at[None])[0] + p * g.behind(at), start,
            args=(bowl, wall, price), options={"gtol": 1e-9},
        )  # fmt: skip
        q = float(dual(bowl, wall, np.array(price)))
        assert q == pytest.approx(found.fun, abs=INNER.within)


def test_a_rate_beyond_the_bound_leaves_the_picture() -> None:
    places, start = np.array([[0.5, -3], [0.5, 3]]), np.array([-1.0, 1.0])
    bowl = Surface("bowl", 3.0)
    assert last(walled_descent(bowl, places, start, learning_rate=1.0)).event == LEAVES
    slow = list(walled_descent(bowl, places, start, learning_rate=0.01, max_iter=5))
    assert slow[-1].event == "stopped at max_iter" and len(slow) == 6


def test_a_wall_has_two_sides_and_a_start_behind_it_is_put_on_it() -> None:
    places, start = np.array([[0.0, -1], [0, 1]]), np.array([2.0, 0.5])
    assert Wall.through(places).behind(start) == 2 == -Wall.through(places[::-1]).behind(start)
    first = next(walled_descent(Surface("bowl"), places, start))
    np.testing.assert_array_equal(first.place, [0, 0.5])
    assert first.event == MET and first.behind == 0


def test_what_is_no_wall_or_no_bowl_is_refused() -> None:
    bowl, places, start = Surface("bowl"), np.array([[0.0, -1], [0, 1]]), np.zeros(2)
    with AsInTheApp():
        for wrong in (np.ones((2, 2)), np.full((2, 2), np.nan), np.zeros(3)):
            with pytest.raises(ValueError, match="wall"):
                walled_descent(bowl, wrong, start)
        with pytest.raises(ValueError, match="bowl"):
            walled_descent(Surface("saddle"), places, start)
        with pytest.raises(ValueError, match="start"):
            walled_descent(bowl, places, np.array([np.inf, 0]))
        with pytest.raises(ValueError, match="learning_rate"):
            walled_descent(bowl, places, start, learning_rate=0)


@pytest.mark.parametrize("case", range(6))
def test_the_picture_and_the_caption_show_the_step(case: int) -> None:
    bowl, places, wall, start = drawn(case)
    steps = list(walled_descent(bowl, places, start, learning_rate=0.1))
    show = Walled(Run("", steps), bowl, places, 0.1)
    for now in {0, 1, len(steps) // 2, len(steps) - 1}:
        step, found = steps[now], {trace.get("name"): trace for trace in show.picture(now)["data"]}
        arrows = [
            np.diff([unpacked(found[name]["x"]), unpacked(found[name]["y"])], axis=1)[:, 0]
            for name in ("downhill, −∇f", "push of the wall, −λ n", "what is left of both")
        ]
        both = arrows[0] + arrows[1] if step.multiplier > 0 else np.zeros(2)
        np.testing.assert_allclose(arrows[2], both, atol=1e-5)
        outline = found["behind the wall, g > 0"]
        corners = np.column_stack([unpacked(outline["x"]), unpacked(outline["y"])])
        assert (wall.behind(corners[~np.isnan(corners).any(axis=1)]) >= -1e-5).all()
        _, _, conditions = show.caption(now).split("\n")
        *_, bound, height = numbers(conditions)
        assert bound == pytest.approx(step.bound, abs=0.01, rel=0.01)
        assert height == pytest.approx(step.height, abs=0.01, rel=0.01)
        gap = {trace["name"]: trace for trace in show.bounds(now)["data"]}["gap"]
        assert unpacked(gap["y"]).tolist() == pytest.approx([step.bound, step.height], rel=1e-5)
